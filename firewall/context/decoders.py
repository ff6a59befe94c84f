"""What the encodings hold that encoded.py finds, as octets, and whether a person could read them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes


def _uri(run: str) -> bytes:
    head, _, body = run.partition(",")
    return decode64(body) if head.endswith(";base64") else unquote_to_bytes(body)


def _percent(run: str) -> bytes:
    """Of a sign that is escaped itself, however often, what comes out in the end."""
    octets = unquote_to_bytes(run)
    for _ in range(_TWICE):
        if octets.count(b"%") < _LEAST:
            break
        octets = unquote_to_bytes(octets)
    return octets


_TWICE, _LEAST = 3, 4

_NUMBER = re.compile(r"\\[xuU]\{?([0-9A-Fa-f]+)\}?")
_BACKSLASHED = re.compile(r"\\([0-9A-Fa-f]+)")
_POINT = re.compile(r"(?:%u|U\+)([0-9A-Fa-f]{4,6})")
_CALLED = re.compile(r"[0-9]{2,6}")
_SEPARATORS = re.compile(r"[\s>:;,|-]+")
_PREFIX = re.compile(r"0[xX]([0-9A-Fa-f]{2})")


def _characters(codes: Iterator[int]) -> bytes:
    return "".join(chr(code) if code < 0x110000 else "\0" for code in codes).encode("utf-8", "replace")


def _escape(run: str) -> bytes:
    return _characters(int(number, 16) for number in _NUMBER.findall(run))


def _octal(run: str) -> bytes:
    numbers = _BACKSLASHED.findall(run)
    plain = all(len(number) < 4 and number.isdecimal() and not {"8", "9"} & set(number) for number in numbers)
    return bytes(int(number, 8) & 0xFF for number in numbers) if plain else b""


def _css(run: str) -> bytes:
    return _characters(int(number, 16) for number in _BACKSLASHED.findall(run))


def _quoted(run: str) -> bytes:
    return binascii.a2b_qp(run)


def _octets(run: str, base: int) -> bytes:
    codes = [int(number, base) for number in _SEPARATORS.sub(" ", run).split()]
    return bytes(codes) if max(codes) < 256 else b""


def _binary(run: str) -> bytes:
    digits = _SEPARATORS.sub("", run)
    return int(digits, 2).to_bytes(len(digits) // 8, "big")


def _decimal(run: str) -> bytes:
    """Numbers of characters; where all are such to the base of eight too, and say something so, these."""
    if "8" not in run and "9" not in run:
        octets = _octets(run, 8)
        if octets.isascii() and readable(octets):
            return octets
    return _octets(run, 10)


def _octal_list(run: str) -> bytes:
    return _octets(run.replace("0o", "").replace("0O", ""), 8)


def _septets(run: str) -> bytes:
    return _octets(run, 2)


def _points(run: str) -> bytes:
    return _characters(int(number, 16) for number in _POINT.findall(run))


def _calls(run: str) -> bytes:
    return _characters(int(number) for number in _CALLED.findall(run))


def _prefixed(run: str) -> bytes:
    return bytes.fromhex("".join(_PREFIX.findall(run)))


def _hex(run: str) -> bytes:
    return binascii.unhexlify(_SEPARATORS.sub("", run.removeprefix("0x")))


def _ascii85(run: str) -> bytes:
    try:
        return base64.a85decode(run.removeprefix("<~").removesuffix("~>"))
    except ValueError:
        return b""


def decode64(run: str) -> bytes:
    """What `run` holds; each part of it that ends in equals signs by itself."""
    body = re.sub(r"[\s>]+", "", run.replace("%3D", "=").replace("%3d", "="))
    parts = []
    for part in body.replace("-", "+").replace("_", "/").split("="):
        whole = part[: len(part) - (len(part) % 4 == 1)]
        try:
            parts.append(base64.b64decode(whole + "=" * (-len(whole) % 4), validate=True))
        except (binascii.Error, ValueError):
            break
    return b"".join(parts)


def _base32(run: str) -> bytes:
    body = re.sub(r"[\s>=]+", "", run)
    if not _IN_32(body):
        return b""
    try:
        return base64.b32decode(body + "=" * (-len(body) % 8))
    except binascii.Error:
        return b""


_IN_32 = re.compile(r"[A-Z2-7]{24,}").fullmatch

DECODERS: dict[str, tuple[Callable[[str], bytes], ...]] = {
    "uri": (_uri,),
    "percent": (_percent,),
    "escape": (_escape,),
    "digits": (_octal, _css),
    "points": (_points,),
    "calls": (_calls,),
    "octal": (_octal_list,),
    "septets": (_septets,),
    "quoted": (_quoted,),
    "prefixed": (_prefixed,),
    "binary": (_binary,),
    "decimal": (_decimal,),
    "hex": (_hex,),
    "ascii85": (_ascii85,),
    "base64": (_base32, decode64),
}

_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
_ENOUGH = 24
"""Characters that are readable at the beginning of a run, by which the rest, which may be no part of it, is let go."""


def readable(octets: bytes) -> str:
    """The text that `octets` are, if a person could read it: letters and blanks, and more than one word.

    Where they are text only at first, that is what they are: the next line's first word is taken for a part of a run.
    """
    other = ""
    for codec in ("utf-8", "utf-16-le", "utf-16-be"):
        try:
            text = octets.decode(codec)
            whole = True
        except UnicodeDecodeError as error:
            text = octets[: error.start].decode(codec, "ignore")
            whole = False
        text = text.removeprefix("\ufeff")
        unfit = _UNFIT.search(text)
        if unfit:
            text, whole = text[: unfit.start()], False
        if len(text) < (8 if whole else _ENOUGH):
            continue
        plain = sum(c.isalpha() or c in " \n\t.,;:!?'\"-" for c in text)
        controls = any(not c.isprintable() and c not in "\n\r\t" for c in text)
        words = len(re.findall(r"[^\W\d_]{2,}", text))
        if not controls and plain >= 0.8 * len(text) and (words >= 2 or not text.isascii()):
            if text.isascii():
                return text
            other = other or text
    return other
