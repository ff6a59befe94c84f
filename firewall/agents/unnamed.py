"""Files whose names are not UTF-8, as old folders have them: the record cannot name them, and no rule judges them.

They are kept as settings files are: whole, as a person left them. What an agent makes of one is put back; a new one is
nobody's until its turn ends. A person who gives one a name in UTF-8 has it guarded like any other.
"""

from __future__ import annotations

import os

_FIRST = "\0"
"""How a key begins; no path does."""


def key(path: str) -> str:
    """Under what such a file is kept."""
    return _FIRST + os.fsencode(path).hex()


def is_key(name: str) -> bool:
    """Is it a key, and no path?"""
    return name.startswith(_FIRST)


def path(name: str) -> str:
    """The path behind a key; any other name as it is."""
    return os.fsdecode(bytes.fromhex(name[1:])) if name.startswith(_FIRST) else name


def shown(name: str) -> str:
    """The same for people and the journal, with what is not UTF-8 escaped."""
    return path(name).encode("utf-8", "backslashreplace").decode() if name.startswith(_FIRST) else name


def is_name(path: str) -> bool:
    """Can it be an artifact's?"""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
