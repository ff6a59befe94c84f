"""Text of unknown origin as a terminal may show it: nothing that moves the cursor, hides or reorders."""

from __future__ import annotations

_HARMLESS = frozenset("\t\u00a0\u200c\u200d\u202f\u3000")
"""Not printable by Python's account, and ordinary in somebody's prose: tabs, fixed spaces, joiners."""


def visible(text: str) -> str:
    """`text` with control, format, surrogate and unassigned characters as their escapes.

    Line ends count as controls: give it one line at a time.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _HARMLESS else _escape(c) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
