"""Personal data that a checksum or a numbering plan vouches for: cards, IBANs, phone numbers, mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.context import scan
from firewall.values import NamedTuple

# Letters of scripts that part no words by blanks may stand at a number; so may a full stop behind a letter: `no.4111`.
_OPEN = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_DIGITS = re.compile(r"(?<!\d)(?<!\d[ -])\d(?:[ -]?\d){12,}")
_GROUP = re.compile(r"\d+")
# A sign behind a blank is a bullet or a minus; behind anything else it is part of a path, a name or a number. With a
# plus it is a telephone's. The name of a network may stand glued to it.
_BEFORE = re.compile(
    rf"(?:(?<![^\W{_OPEN}])(?<![^\s][/-])(?<!\+)(?<![^A-Za-z]\.)|(?<=\b[Vv]isa|\bVISA|\b[Aa]mex|\bAMEX|\b[Cc]ard|\bCARD))(?=\d)"
)
_BEHIND = re.compile(rf"(?![^\W{_OPEN}]|-|\.\d)")
_IBAN = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=IBAN)|(?<=\bNo))[A-Za-z]{2} ?\d{2}[ .-]?[A-Za-z0-9]{4}(?:[ .-]?[A-Za-z0-9]){7,26}"
    r"(?![A-Za-z0-9])"
)
_MAIL = re.compile(
    r"(?<![\w.+%-])[A-Za-z0-9](?:[\w.+%'-]{0,62}[\w+])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}"
    r"(?![\w-]|\.[A-Za-z])"
)
_PHONE = re.compile(r"(?<![\w./+-])(?:\+|00)\d{1,3}(?:[ ./-]{0,2}\(?\d{1,5}\)?){1,7}(?![\w-]|\.\d)")
_NANP = re.compile(r"(?<![\w./+-])(?:1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[.-]\d{4}(?![\w-]|\.\d)")

# Length of an IBAN by country, from the SWIFT IBAN registry.
_IBAN_LENGTH = {
    code: length
    for length, codes in {
        15: "NO", 16: "BE", 18: "DK FO FI GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU XK MN",
        21: "HR LV CH LI", 22: "BH BG CR GB GE DE IE ME RS VA", 23: "AE GI IL IQ TL OM SO",
        24: "AD CZ DZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC",
        33: "RU",
    }.items()
    for code in codes.split()
}  # fmt: skip
# Country calling codes of ITU-T E.164: one digit, two digits; every other start has three.
_ONE = frozenset("17")
_TWO = frozenset(
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 "
    "90 91 92 93 94 95 98".split()
)
_THREE = re.compile(r"2[1-6]\d|29\d|3[578]\d|42[013]|50\d|59\d|67\d|68\d|69\d|80[08]|85\d|87\d|88\d|96\d|97\d|99[2-8]")


class Datum(NamedTuple):
    """`kind` (card, iban, phone, e-mail) stands at `text[start:end]`."""

    kind: str
    start: int
    end: int


_NUMBERS = r"[0-9](?:[ -]?[0-9]){12,}|[A-Za-z]{2} ?[0-9]{2}[ .-]?[A-Za-z0-9]{4}(?:[ .-]?[A-Za-z0-9]){7,}"
_PARTED = "|".join(rf"(?:{sign}[0-9]{{4}}){{3}}" for sign in ("  ", r"\.", "_", "/"))
_WIDE = f"[0-9]{{4}}(?:{_PARTED})"
_WIDE_CARD = re.compile(rf"(?<![\w.+/-])(?<!\d ){_WIDE}(?!(?:  ?|[./])\d)(?![\w-])")
"""Four groups with one sign or two blanks between them, and no fifth, which would be a table. One group a line is a
column of a table, not a card."""
_CONTACTS = r"(?:\+|00)[0-9]|[2-9][0-9]{2}[.-][0-9]{4}"
_LOCAL = re.compile(r"[\w.+%'-]{1,64}$")


def numbers(text: str) -> Iterator[Datum]:
    """Card and bank account numbers whose check digits are right."""
    cards: list[Datum] = []
    for low, high in scan.places(_NUMBERS, text):
        for match in _IBAN.finditer(text, low, high + 1):
            end = _iban_end(match.group())
            if end:
                yield Datum("iban", match.start(), match.start() + end)
        for match in _DIGITS.finditer(text, low, high):
            cards += (Datum("card", *span) for span in _cards(text, *match.span()))
    for low, high in scan.places(_WIDE, text):
        wide = _WIDE_CARD.match(text, low)
        if wide and _is_card(re.sub(r"\D", "", wide.group()), ""):
            cards.append(Datum("card", low, high))
    yield from cards


def _cards(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """The cards in the digits and single signs of `text[low:high]`: whole groups, the most of them that are one.

    Behind a card may stand its date and code, and before it a short number, as of a list; so may anything at a card
    that is written in one group.
    """
    groups = [match.span() for match in _GROUP.finditer(text, low, high)]
    first = 0
    short = 0  # groups at the beginning that are shorter than three digits
    while short < len(groups) and groups[short][1] - groups[short][0] < 3:
        short += 1
    while first < len(groups):
        start = groups[first][0]
        last = first if start > low or _BEFORE.match(text, start) else len(groups)
        found = 0
        digits = ""
        while last < len(groups) and len(digits) < 20:
            digits += text[slice(*groups[last])]
            end = groups[last][1]
            alone = last == first or first <= short
            if 12 < len(digits) < 20 and alone and (end < high or _BEHIND.match(text, end)):
                found = last + 1 if _is_card(digits, text[start:end]) else found
            last += 1
        if found:
            yield start, groups[found - 1][1]
        first = max(found, first + 1)


def contacts(text: str) -> Iterator[Datum]:
    """Mail addresses and phone numbers that could be real by the rules for them."""
    yield from _addresses(text)
    done = short = 0
    found = []
    for low, high in scan.places(_CONTACTS, text):
        match = _PHONE.match(text, low) if low >= done else None
        if match:
            done = match.end()
            length = _phone_length(match.group())
            if length:
                yield Datum("phone", low, low + length)
        match = _NANP.search(text, max(low - 8, short), high + 2)
        if match:
            short = match.end()
            found.append(Datum("phone", *match.span()))
    yield from found


def _addresses(text: str) -> Iterator[Datum]:
    at, done = text.find("@"), 0
    while at >= 0:
        local = _LOCAL.search(text, max(at - 64, done), at)
        starts = [local.start()] if local else []
        starts += [i + 1 for i in range(starts[0], at - 1) if text[i] == "'"] if local else []
        for start in starts:
            match = _MAIL.match(text, start)
            if match:
                done = match.end()
                if ".." not in match.group():
                    yield Datum("e-mail", *match.span())
                break
        at = text.find("@", max(at + 1, done))


def luhn(digits: str) -> bool:
    """The check digit of ISO/IEC 7812-1."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        digit = int(char)
        if place % 2:
            digit = digit * 2 - 9 if digit > 4 else digit * 2
        total += digit
    return total % 10 == 0


def iban_valid(iban: str) -> bool:
    """The check digits of ISO 13616 and the country's length; `iban` without blanks."""
    if _IBAN_LENGTH.get(iban[:2]) != len(iban):
        return False
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _iban_end(piece: str) -> int:
    """Where the IBAN that `piece` begins with ends, or 0. A blank and a word may follow it."""
    piece = piece.upper()
    length = _IBAN_LENGTH.get(piece[:2], 0)
    seen = 0
    for at, char in enumerate(piece):
        if char not in " .-":
            seen += 1
            if seen == length:
                whole = re.sub(r"[ .-]", "", piece[: at + 1])
                return at + 1 if iban_valid(whole) else 0
    return 0


def _is_card(digits: str, written: str) -> bool:
    """Issuer prefix and length of the big networks, the check digit, and blanks where cards have them."""
    n = len(digits)
    first2, first3, first4 = int(digits[:2]), int(digits[:3]), int(digits[:4])
    known = (
        (digits[0] == "4" and n in (13, 16, 19))
        or ((51 <= first2 <= 55 or 2221 <= first4 <= 2720) and n == 16)
        or (first2 in (34, 37) and n == 15)
        or ((first4 == 6011 or first2 == 65 or 644 <= first3 <= 649) and 16 <= n <= 19)
        or ((300 <= first3 <= 305 or first2 in (36, 38, 39)) and 14 <= n <= 19)
        or (3528 <= first4 <= 3589 and 16 <= n <= 19)
        or (first2 in (62, 81) and 16 <= n <= 19)
    )
    if not known or len(set(digits)) < 2 or not luhn(digits):
        return False
    groups = re.split(r"[ -]", written)
    return len(groups) == 1 or (min(len(g) for g in groups[:-1]) >= 3 and max(len(g) for g in groups) <= 7)


def _phone_length(piece: str) -> int:
    """How much of `piece` is one international number (E.164: at most 15 digits), or 0."""
    while piece:
        digits = re.sub(r"\D", "", piece)
        if piece.startswith("00"):
            digits = digits[2:]
        most = 11 if digits[:1] == "1" else 15
        if len(digits) <= most:
            return len(piece) if len(digits) >= 8 and _has_country(digits) else 0
        piece = re.sub(r"[ ./-]*\(?\d+\)?$", "", piece)
    return 0


def _has_country(digits: str) -> bool:
    return digits[0] in _ONE or digits[:2] in _TWO or _THREE.match(digits) is not None
