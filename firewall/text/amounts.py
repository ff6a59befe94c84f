"""Numbers of things in words."""

from __future__ import annotations


def amount(count: int, noun: str, several: str = "") -> str:
    """`1 file`, `2 files`; `several` is the plural where that is not the noun with an s."""
    return f"{count} {noun if count == 1 else several or noun + 's'}"
