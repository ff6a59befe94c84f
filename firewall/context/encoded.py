"""Runs that are text in an encoding: data URIs, base64, base32, hex, and lists and escapes of characters' numbers.

Only what decodes to readable text counts, so hashes, ids, keys and images are left alone. What it says is judged
by whoever calls, in the place where the run stands.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from itertools import islice

from firewall.context import scan
from firewall.context.decoders import DECODERS, decode64, readable
from firewall.values import NamedTuple

_ENDS = r"(?:\r?\n[ \t>]{0,12})"  # a line break within a run, quoted or indented
_RUN = re.compile(
    rf"""(?P<uri>data:(?:[\w.+-]{{1,40}}/[\w.+-]{{1,80}})?(?:;[\w=.+-]{{1,60}}){{0,4}},
        (?:(?<=;base64,)[A-Za-z0-9+/=%_-]{{8,}}|[A-Za-z0-9+/=%!*'().~_-]{{8,}}))
    |(?P<percent>(?:%(?:25){{0,3}}[0-9A-Fa-f]{{2}}[A-Za-z0-9._~+-]{{0,20}}){{4,}})
    |(?P<escape>(?:\\x\{{?[0-9A-Fa-f]{{2}}\}}?|\\u\{{[0-9A-Fa-f]{{1,6}}\}}|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}}){{8,}})
    |(?P<digits>(?:\\[0-9A-Fa-f]{{2,6}}[ ]?){{8,}})
    |(?P<points>(?:%u[0-9A-Fa-f]{{4}}|U\+[0-9A-Fa-f]{{4,6}}(?:[ ,;|]{{0,3}}{_ENDS}?)){{8,}})
    |(?P<calls>(?:[Cc]hrW?\([ ]?[0-9]{{2,6}}[ ]?\)[ +.&,;]{{0,4}}){{8,}})
    |(?P<quoted>(?:=[0-9A-F]{{2}}(?:=\r?\n)?){{8,}})
    |(?P<prefixed>(?<![A-Za-z0-9])0[xX][0-9A-Fa-f]{{2}}(?:[ ,;:-]{{0,2}}{_ENDS}?0[xX][0-9A-Fa-f]{{2}}){{7,}}
        (?![A-Za-z0-9]))
    |(?P<octal>(?<![A-Za-z0-9])0[oO][0-7]{{2,3}}(?:[ ,;-]{{1,2}}{_ENDS}?0[oO][0-7]{{2,3}}){{7,}}(?![A-Za-z0-9]))
    |(?P<septets>(?<![A-Za-z0-9.])[01]{{7}}(?:[ ,;-]{{1,2}}{_ENDS}?[01]{{7}}){{7,}}(?![A-Za-z0-9]))
    |(?P<binary>(?<![A-Za-z0-9.])[01]{{8}}(?:[ ,;-]{{0,2}}{_ENDS}?[01]{{8}}){{7,}}(?![A-Za-z0-9]))
    |(?P<decimal>(?<![A-Za-z0-9.])[0-9]{{2,3}}(?:[ ,;|-]{{1,3}}{_ENDS}?[0-9]{{2,3}}|{_ENDS}[0-9]{{2,3}}){{11,}}
        (?![A-Za-z0-9]))
    |(?P<hex>(?<![A-Za-z0-9])(?:0x)?(?:[0-9A-Fa-f]{{2}}(?:[ :,-]|{_ENDS})?){{15,}}[0-9A-Fa-f]{{2}}(?![A-Za-z0-9]))
    |(?P<ascii85><~[!-u\sz]{{20,}}(?:~>|\Z))
    |(?P<base64>(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{{24,}}={{0,2}}|[A-Za-z0-9+/]{{12,}}(?={_ENDS}[A-Za-z0-9+/]{{12}}))
        (?:{_ENDS}[A-Za-z0-9+/_-]{{4,}}={{0,2}})*)""",
    re.VERBOSE,
)
_LONG = (
    r"[A-Za-z0-9+/_-]{24}|data:|(?:%(?:25){0,3}[0-9A-Fa-f]{2}[A-Za-z0-9._~+-]{0,20}){4}"
    r"|(?:\\[xuU]?\{?[0-9A-Fa-f]{1,8}[} ]?){8}|(?:[0-9A-Fa-f]{2}[ :,-]?){15}|(?:=[0-9A-F]{2}){8}"
    r"|(?:0[xX][0-9A-Fa-f]{2}[ ,;:-]{0,2}){8}|(?:[01]{7,8}[ ,;-]{0,2}){4}|(?:[0-9]{2,3}(?:[ ,;|-]{1,3}|\r?\n)){10}"
    r"|(?:%u[0-9A-Fa-f]{4}|U\+[0-9A-Fa-f]{4,6}[ ,;|]{0,3}){8}|(?:[Cc]hrW?\([ ]?[0-9]{2,6}[ ]?\)[ +.&,;]{0,4}){8}"
    r"|(?:0[oO][0-7]{2,3}[ ,;-]{1,2}){8}"
    r"|<~[!-u\sz]{20}|[A-Za-z0-9+/]{12}[A-Za-z0-9+/]*\r?\n[ \t>]{0,12}[A-Za-z0-9+/]{12}"
)
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
        if how == "base64" and not (said and said.isascii()):
            start, said = _from_within(text, start, end) or (start, said)
        if said:
            yield Run(start, end, how, _deeper(said))


_PROBE, _TRIES = 400, 2000


def _from_within(text: str, low: int, high: int) -> tuple[int, str] | None:
    """Where in the run `text[low:high]` base64 begins that says something, and what: behind a path, a name, a letter.

    It begins behind one of the signs that base64 may hold, or within the first four characters, which is every way
    in which such a run can be read. A probe says whether it is worth decoding; signs beyond _TRIES are not looked at.
    UTF-16 counts only where it is ASCII: any octets read as some Chinese.
    """
    for start in (*range(low + 1, low + 4), *(m.end() for m in islice(SIGN.finditer(text, low, high), _TRIES))):
        probe = text[start : min(start + _PROBE, high)]
        said = _said(probe, "base64") if high - start >= _SHORTEST and _promising(probe[:_SHORTEST]) else ""
        if said and (said.isascii() or decode64(probe).startswith(said[:8].encode())):
            return start, _said(text[start:high], "base64")
    return None


def _promising(piece: str) -> bool:
    """May the base64 that `piece` begins be text? Of what is broken or may be base32, the whole probe must say."""
    if not _WHOLE(piece) or _CAPITALS(piece):
        return True
    try:
        binascii.a2b_base64(piece.replace("-", "+").replace("_", "/")).decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


_WHOLE, _CAPITALS = re.compile(r"[\w+/-]{16}", re.ASCII).fullmatch, re.compile(r"[A-Z2-7]{16}").fullmatch
SIGN = re.compile(r"[/_+-](?=[A-Za-z0-9])")
_SHORTEST = 16


def maybe(special: frozenset[str], text: str) -> bool:
    """May a run stand in `text` that the quick look (gate.py) knows nothing of? `special` are its signs."""
    return "%" in special or "\\" in special or ("~" in special and "<~" in text)


def _deeper(said: str) -> str:
    for _ in range(MAX_DEPTH - 1):
        match = _RUN.search(said)
        inner = _said(match.group(), match.lastgroup or "") if match else ""
        if not match or not inner:
            break
        said = said[: match.start()] + inner + said[match.end() :]
    return said


def _said(run: str, how: str, depth: int = 1) -> str:
    """What `run` says, or an empty text if nothing readable; of what is encoded within, what that says."""
    for decode in DECODERS[how]:
        octets = decode(run)
        said = readable(octets)
        if not said and depth < MAX_DEPTH and octets.isascii():
            inner = _RUN.match(octets.decode("ascii").strip())
            said = _said(inner.group(), inner.lastgroup or "", depth + 1) if inner else ""
        if said:
            return said
    return ""
