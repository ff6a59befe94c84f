"""Put a sentence back at its own offsets, into the very document it was cut from. Pure."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from firewall.errors import StetError


class StaleDocument(StetError):
    """The document is no longer the one that was scanned, so its offsets mean nothing any more."""

    code: ClassVar[str] = "stale-document"
    template: ClassVar[str] = "The document changed while a sentence of it was being edited; the edit was dropped."
    next_step: ClassVar[str] = "Run the micro-pass again on the document as it is now."


def digest(source: str) -> str:
    """sha256 of the text in UTF-8, in hex. Lone surrogates count as themselves."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def splice(source: str, scanned: str, start: int, end: int, sentence: str) -> str:
    """`source` with `source[start:end]` replaced by `sentence`.

    `scanned` is the digest of the document that the offsets come from. Raises StaleDocument when `source`
    is another document: the place is found by offset, never by looking for an equal sentence, so a twin
    cannot be hit instead.
    """
    if digest(source) != scanned:
        raise StaleDocument()
    if not 0 <= start <= end <= len(source):
        raise ValueError(f"no place {start}..{end} in a text of {len(source)} characters")
    return source[:start] + sentence + source[end:]
