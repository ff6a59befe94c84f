"""a or an: by sound, not by letter, with acronyms read the way people read them."""

from __future__ import annotations

import re

_VOWEL_NAMES = frozenset("AEFHILMNORSX")
"""Letters whose English names begin with a vowel sound: "an F", "an X", but "a U"."""
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_LIKE_YOU = re.compile(
    r"^(?:u(?:ni(?!nf|nt|nv|ni|nh|mp|ma)|s(?:e|a(?:ble|ge)|u(?:al|r)|i(?:ng))|ti[lo]|bi(?:q|k)|r(?:an|in|e[at])|k(?:ul|r)"
    r"|te|fo)|eu|ewe|once|one(?!ir)|ouija)"
)
_SAID_AS_WORDS = frozenset(
    "AIDS ASCII BASIC BIOS CAPTCHA COBOL FAQ FIFO GIF GUID JPEG JSON LAMP LAN LASER LIDAR LIFO MAC MIDI "
    "NAND NASA NAT NATO NOR NUMA OPEC OSHA RADAR RAID RAM REST ROM SAN SCADA SIM SLAM SONAR SOAP SWAT "
    "UNESCO UNICEF WAN YAML".split()
)
_SAID_BOTH_WAYS = frozenset("FAQ LED MRAM RFID SAAS SAML SQL SUSE URL".split())
_SPELLED_LOW = frozenset("udp ui uid uk umd uri urn usb utc utf uuid ux".split())
"""Acronyms in small letters that are read letter by letter, and begin as `you` does."""
_ACRONYM = re.compile(r"^[A-Z][A-Z0-9]+(?:s|es)?$")
_NUMBER = re.compile(r"^\d[\d,.]*")


def article(word: str) -> str | None:
    """a or an before `word` as it is written there; None where that cannot be told."""
    word = word.strip("\"'\u2018\u2019\u201c\u201d*_([")
    if not word or not word[0].isascii():
        return None
    number = _NUMBER.match(word)
    if number:
        return _before_number(number.group().replace(",", ""))
    head = re.split(r"[-/'\u2019.]", word)[0]
    if not head or not head[0].isalpha():
        return None
    if _ACRONYM.match(head) and not (len(head) > 4 and not word.isupper() and head.istitle()):
        return _before_acronym(head)
    if len(head) == 1:
        return "an" if head.upper() in _VOWEL_NAMES else "a"
    if re.match(r"^[a-z]{1,2}[A-Z]", head) and head[0] not in "aeiou":
        return "an" if head[0].upper() in _VOWEL_NAMES else "a"  # mRNA, xDSL
    low = head.lower()
    if low in _SPELLED_LOW:
        return "a"
    if low == "url" or (not re.search("[aeiouy]", low) and low[0].upper() in _VOWEL_NAMES):
        return None  # npm, ssh, xml, sh, x86: letter by letter, or as what they stand for
    if low.startswith(_SILENT_H):
        return "an"
    if low.startswith("herb"):
        return None
    if _LIKE_YOU.match(low):
        return "a"
    return "an" if low[0] in "aeiou" else "a"


def _before_number(digits: str) -> str | None:
    whole = digits.split(".")[0]
    if whole.startswith("8"):
        return "an"
    if whole in ("11", "18") or (len(whole) % 3 == 2 and whole[:2] in ("11", "18")):
        return "an"
    if len(whole) == 4 and whole[:2] in ("11", "18"):
        return None  # "an 1100-word note" or "a one thousand one hundred"
    return "a"


def _before_acronym(word: str) -> str | None:
    core = word.rstrip("s") if word[-1] == "s" else word
    spelled = "an" if core[0] in _VOWEL_NAMES else "a"
    said = "an" if core[0] in "AEIO" else "a"
    if spelled == said or core[0] == "U":
        return "a" if core[0] == "U" and core not in ("UNO",) else spelled
    if core in _SAID_BOTH_WAYS:
        return None
    if core in _SAID_AS_WORDS:
        return said
    vowels = sum(c in "AEIOUY" for c in core[1:])
    if len(core) <= 3 or vowels == 0:
        return spelled
    return None
