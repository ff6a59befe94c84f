"""Runs that are text in an encoding: data URIs, base64, hex, percent and backslash escapes.

Only what decodes to readable text counts, so hashes, ids, keys and images are left alone. What it says is judged
by whoever calls, in the place where the run stands.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from firewall.context import scan
from firewall.values import NamedTuple

_RUN = re.compile(
    r"""(?P<uri>data:(?:[\w.+-]{1,40}/[\w.+-]{1,80})?(?:;[\w=.+-]{1,60}){0,4},(?:[A-Za-z0-9+/=%!*'().~_-]{8,}))
    |(?P<percent>(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~+-]{0,20}){4,})
    |(?P<escape>(?:\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}){8,})
    |(?P<hex>(?<![A-Za-z0-9])(?:0x)?(?:[0-9A-Fa-f]{2}[ :]?){15,}[0-9A-Fa-f]{2}(?![A-Za-z0-9]))
    |(?P<base64>(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?:\r?\n[A-Za-z0-9+/_-]{4,}={0,2})*)""",
    re.VERBOSE,
)
_LONG = (
    r"[A-Za-z0-9+/_-]{24}|data:|(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~+-]{0,20}){4}|(?:\\[xu][0-9A-Fa-f]{2,4}){8}"
    r"|(?:[0-9A-Fa-f]{2}[ :]?){15}"
)
_ODD = r"[a-z0-9][A-Z]|[A-Za-z][0-9]|[A-Z]{2}[a-z]"
_UNRESERVED = re.compile(r"[A-Za-z0-9._~+-]").match
MAX_DEPTH = 3
"""Encodings inside encodings that are undone."""


class Run(NamedTuple):
    """`text[start:end]` is `said` in the encoding `how`."""

    start: int
    end: int
    how: str
    said: str


def find(text: str) -> Iterator[Run]:
    """The runs of `text` that decode to readable text, innermost meaning first undone up to MAX_DEPTH."""
    done = 0
    for low, high in scan.places(_LONG, text):
        if low < done:
            continue
        match = _RUN.search(text, max(low - 2, done), high + 60)
        match = match and _RUN.match(text, match.start())
        if not match:
            continue
        how = match.lastgroup or ""
        start, end = match.span()
        done = end
        if how == "percent":  # the letters before the first escape belong to it
            while start > 0 and match.start() - start < 40 and _UNRESERVED(text[start - 1]):
                start -= 1
        said = _said(text[start:end], how)
        if said:
            yield Run(start, end, how, _deeper(said))


_SHORT = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{8,}={0,2}(?![A-Za-z0-9+/_-])")


def short(text: str) -> Iterator[Run]:
    """Base64 and hex runs of `text`, too short to tell an order, that decode to printable text; words are none."""
    if not scan.has(_ODD, text):
        return
    for match in _SHORT.finditer(text):
        piece = match.group()
        if piece.isalpha() and (piece.islower() or piece.istitle() or piece.isupper()):
            continue
        octets = _base64(piece)
        if len(piece) % 2 == 0 and len(piece) >= 16 and all(c in "0123456789abcdefABCDEF" for c in piece):
            octets = bytes.fromhex(piece)
        try:
            said = octets.decode()
        except UnicodeDecodeError:
            continue
        if said.isprintable() and len(said) >= 4:
            yield Run(*match.span(), "base64", said)


def _deeper(said: str) -> str:
    for _ in range(MAX_DEPTH - 1):
        match = _RUN.search(said)
        inner = _said(match.group(), match.lastgroup or "") if match else ""
        if not match or not inner:
            break
        said = said[: match.start()] + inner + said[match.end() :]
    return said


def _said(run: str, how: str) -> str:
    """What `run` says, or an empty text if nothing readable."""
    if how == "uri":
        head, _, body = run.partition(",")
        octets = _base64(body) if head.endswith(";base64") else unquote_to_bytes(body)
    elif how == "percent":
        octets = unquote_to_bytes(run)
    elif how == "escape":
        octets = re.sub(r"\\[xu]([0-9A-Fa-f]+)", lambda m: chr(int(m.group(1), 16)), run).encode("utf-8", "replace")
    elif how == "hex":
        octets = binascii.unhexlify(re.sub(r"^0x|[ :]", "", run))
    else:
        octets = _base64(run)
    return _readable(octets)


def _base64(body: str) -> bytes:
    body = re.sub(r"\s|%3[dD]|=", "", body).replace("-", "+").replace("_", "/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _readable(octets: bytes) -> str:
    """The text that `octets` are, if a person could read it: letters and blanks, and more than one word."""
    for codec in ("utf-8", "utf-16-le"):
        try:
            text = octets.decode(codec)
        except UnicodeDecodeError:
            continue
        plain = sum(c.isalpha() or c in " \n\t.,;:!?'\"-" for c in text)
        controls = any(not c.isprintable() and c not in "\n\r\t" for c in text)
        words = len(re.findall(r"[^\W\d_]{2,}", text))
        if len(text) >= 8 and not controls and plain >= 0.8 * len(text) and (words >= 2 or not text.isascii()):
            return text
    return ""
