"""The quick look that most text gets and no more: is there anything in it that some rule could care about?

Everything here is a scan at memory speed or by a deterministic automaton, and errs on the side of looking closer.
"""

from __future__ import annotations

import re

from firewall.context import injection, scan

# What no rule outside the patterns below cares about: letters, digits, blanks, plain punctuation.
_PLAIN = bytes(c for c in (*range(0x20, 0x7F), 0x09, 0x0A, 0x0C, 0x0D) if chr(c) not in "&<[\\^$*`~@%")
_PLAIN_WIDE = frozenset("&<[\\^$*`~@%"
                        "’‘“”–—…·•×÷±°§©®™€£¥¿¡ªº«»¶µ¼½¾¹²³ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
                        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ\u00a0\u2009\u202f→←↑↓≤≥≠≈∞√∑∏∂∫")  # fmt: skip


def special(text: str) -> frozenset[str]:
    """The characters of `text` beyond letters, digits and plain punctuation of Latin-1 text, each once."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if not rest:
        return frozenset()
    return frozenset(rest.decode("utf-8", "surrogatepass"))


def plain(characters: frozenset[str]) -> bool:
    """Is none of these characters invisible, a control, or a letter beyond Latin-1?"""
    return characters <= _PLAIN_WIDE


_RUN = 1  # the group of `_LOUD` that only a run of key characters meets
_RANDOM = re.compile(r"[0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]")


def loud(text: str) -> bool:
    """Is there anything in `text` that secrets, personal data or encodings begin with?

    A run of key characters counts only if it looks random: with a digit, or letters of both cases mixed. Plain
    words joined by hyphens are none.
    """
    octets = text.encode("ascii", "replace")
    for match in scan.octets(_LOUD).finditer(octets):
        if match.start(_RUN) < 0 or _RANDOM.search(text, *match.span(_RUN)):
            return True
    return False


_LOUD = (
    r"([A-Za-z0-9+/_-]{20,})|data:[A-Za-z;,]|PRIVATE KEY|PuTTY-User|://[^\s:/@]{1,64}:[^\s/@]{4}"
    r"|[Bb]earer\s+[A-Za-z0-9._~+/-]{32}"
    r"|(?i:key|secret|token|passw(?:or)?[dt]|pwd|_pass)[A-Za-z0-9_-]{0,20}[\"'`*]{0,4}\s{0,3}"
    r"(?:[:=]>?=?|[|>]|\sis\s)[*]{0,3}\s{0,3}[\"'`]?[!-~]{16}"
    r"|--(?:pass|token|api|secret)[a-z-]{0,5}[ =][\"']?[!-~]{16}"
    r"|(?:[0-9][ ().?\\-]{0,3}){8}"  # cards and phones; a question mark stands for a typographic blank
    r"|[0-9]{4}[_/][0-9]{4}[_/]"
    r"|[A-Z]{2}[0-9]{2}[ ?-]?[A-Z0-9]{4}"  # account numbers
    r"|(?:[0-9A-Fa-f]{2}[ :]){12}"  # hex with blanks
    # numbers of characters
    r"|(?:0[xXoO][0-9A-Fa-f]{2,3}[ ,;:-]{1,2}){8}|(?:[0-9]{2,3}(?: ?[,;|-] ?|\r?\n)){10}|(?:=[0-9A-F]{2}){8}"
    r"|(?:U\+[0-9A-Fa-f]{4,6}[ ,;|]{0,3}){8}|(?:[Cc]hrW?\( ?[0-9]{2,6} ?\)[ +.&,;]{0,4}){8}"
    r"|[A-Za-z0-9+/]{12}\r?\n[ \t>]{0,12}[A-Za-z0-9+/]{12}"  # base64 in short lines
)
"""What secrets, personal data and encodings begin with, for RE2.

Every format of secrets.toml holds a run of twenty key characters, or is named here.
"""
_LOUD_OR_ODD = f"{_LOUD}|(?i:{injection.ODD})|{injection.NUMBERED}"
"""The same, and what asks the injection rules for another reading."""


def quiet(text: str) -> bool:
    """Is `text`, which is not `special`, not `loud` either, and does nothing in it ask the injection rules for another
    reading? One scan for both; where it says no, each of them is asked."""
    return scan.octets(_LOUD_OR_ODD).search(text.encode("ascii")) is None
