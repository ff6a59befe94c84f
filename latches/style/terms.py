"""The terms of a style as patterns over folded text."""

from __future__ import annotations

import re
from typing import NamedTuple

from firewall.policy.style import Style
from firewall.text.markdown import MARKUP
from latches.style.inflections import CLOSED, forms

_GAP = f"[\\s{MARKUP}]+"
_RAW_GAP = r"(?:\]\([^)\n]*\)|\]\[[^\]\n]*\]|\[\^[^\]\n]*\]|<[^>\n]*>|[\W_])++"
"""What may stand between two words of a phrase in raw Markdown. Possessive, so it never backtracks."""
_WIDE = {chr(code + 0xFEE0): chr(code) for code in (*range(0x41, 0x5B), *range(0x61, 0x7B))}
"""Fullwidth Latin letters, which Chinese and Japanese text may have, and the plain ones."""
_FOLD = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", **_WIDE})

_FOLDED = ("\u2019", "\u2018", "\u2011", "\u2010", "\u02bc", *(w for w, c in _WIDE.items() if c in "aeiouyAEIOUY"))


class Term(NamedTuple):
    """A term as the policy writes it, its pattern over folded text, and words one of which must be there.

    With `exact_case` the pattern is matched against text that is folded but not lowered. `loose` finds a
    phrase in raw Markdown, or is None for a single word; it may find too much and never too little.
    """

    name: str
    pattern: re.Pattern[str]
    anchors: tuple[str, ...]
    exact_case: bool
    loose: re.Pattern[str] | None


def fold(text: str) -> str:
    """`text` with typographic apostrophes, hyphens and fullwidth letters as the plain ones; offsets stay true."""
    if text.isascii() or not any(char in text for char in _FOLDED):  # a look costs less than a translation
        return text
    return text.translate(_FOLD)


def lower(text: str) -> str:
    """`text` in lower case, one character for one."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := c.lower()) == 1 else c for c in text)


def term(name: str) -> Term:
    """The term for a word or phrase of the policy."""
    exact_form = name.startswith("=")
    text = " ".join(fold(name.removeprefix("=")).split())
    exact_case = text != lower(text)
    parts = text.split(" ")
    choices: list[frozenset[str]] = []
    for place, part in enumerate(parts):
        inflected = not exact_form and not exact_case and place in (0, len(parts) - 1)
        choices.append(forms(part) if inflected else frozenset((part,)))
    pattern = re.compile(_GAP.join(_either(choice) for choice in choices))
    rarest = max(choices, key=lambda choice: (choice.isdisjoint(CLOSED), min(len(form) for form in choice)))
    anchors = tuple(sorted(lower(form) for form in rarest))
    loose = None
    if len(parts) > 1:
        small = (_either(frozenset(lower(form) for form in choice)) for choice in choices)
        loose = re.compile(_RAW_GAP.join(small))
    return Term(name, pattern, anchors, exact_case, loose)


def _either(choice: frozenset[str]) -> str:
    ordered = sorted(choice, key=lambda form: (-len(form), form))
    return f"(?:{'|'.join(re.escape(form) for form in ordered)})" if len(ordered) > 1 else re.escape(ordered[0])


def terms_of(style: Style) -> tuple[Term, ...]:
    """Every term that a rule of the style names, each once, in a fixed order."""
    names = {*style.ceilings, *style.per_thousand, *style.banned}
    names.update(word for pair in style.apart for word in pair.words)
    return tuple(term(name) for name in sorted(names) if name.removeprefix("=").strip())
