"""Base64 and hex of a word or two: too short to tell an order, long enough to hold a term that a lane bans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from firewall.context import encoded, scan
from firewall.context.decoders import decode64

_ODD = r"[a-z0-9][A-Z]|[A-Za-z][0-9]|[A-Z]{2}[a-z]"
_SHORT = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{8,}={0,2}(?![A-Za-z0-9+/_-])")


def short(text: str) -> Iterator[encoded.Run]:
    """Base64 and hex runs of `text`, too short to tell an order, that decode to printable text; words are none."""
    if not scan.has(_ODD, text):
        return
    for match in _SHORT.finditer(text):
        piece = match.group()
        if piece.isalpha() and (piece.islower() or piece.istitle() or piece.isupper()):
            continue
        signs = [m.end() for m in islice(encoded.SIGN.finditer(piece), _SEGMENTS)]
        for at in (*signs, *range(1, 4)):  # behind a path or a name
            said = _printable(decode64(piece[at:])) if len(piece) - at >= 8 else ""
            if said and said.isascii():
                yield encoded.Run(match.start() + at, match.end(), "base64", said)
        octets = decode64(piece)
        if len(piece) % 2 == 0 and len(piece) >= 16 and all(c in "0123456789abcdefABCDEF" for c in piece):
            octets = bytes.fromhex(piece)
        said = _printable(octets)
        if said:
            yield encoded.Run(*match.span(), "base64", said)


_SEGMENTS = 16


def _printable(octets: bytes) -> str:
    """The text that `octets` are, of four characters and more, or an empty text."""
    try:
        said = octets.decode()
    except UnicodeDecodeError:
        return ""
    return said if said.isprintable() and len(said) >= 4 else ""
