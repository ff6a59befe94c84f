"""Which characters are judged because no reader sees them, and what Unicode says of their neighbours."""

from __future__ import annotations

from functools import lru_cache

import regex

# Beyond Unicode's own: annotation anchors, the blank of Braille and of music, joiners of Egyptian hieroglyphs.
JUDGED = (
    r"[[\p{DI}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufff9-\ufffb\u2800\U0001d159\U00013430-\U0001343f]--[\t\n\r\f]]"
)
_ONE = regex.compile(rf"(?V1){JUDGED}")
_CLASSES = {
    "pictograph": r"\p{Extended_Pictographic}",
    "modifier": r"\p{Emoji_Modifier}",
    # scripts whose joining a reader sees change at a joiner: Arabic and its kin, and every Indic script
    "joining": r"[\u0640\p{Joining_Type=Dual_Joining}\p{Joining_Type=Right_Joining}\p{Script=Arabic}"
    r"\p{Indic_Syllabic_Category=Virama}\p{Indic_Syllabic_Category=Pure_Killer}"
    r"\p{Indic_Syllabic_Category=Invisible_Stacker}\p{Indic_Syllabic_Category=Consonant}"
    r"\p{Indic_Syllabic_Category=Vowel_Dependent}\p{Indic_Syllabic_Category=Vowel_Independent}"
    r"\p{Indic_Syllabic_Category=Bindu}\p{Indic_Syllabic_Category=Nukta}"
    r"\p{Indic_Syllabic_Category=Consonant_Dead}]",
    # scripts written without spaces, where a zero-width space is how a word ends
    "unspaced": r"[\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Tibetan}]",
    "han": r"\p{Script=Han}",
    "mongolian": r"[\p{Script=Mongolian}--\p{DI}]",
    "jamo": r"[\u1100-\u115e\u1161-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]",
    "mark": r"[\p{M}--\p{DI}]",
    "hieroglyph": r"[\p{Script=Egyptian_Hieroglyphs}--\p{Cf}]",
    "rtl": r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]",
    "braille": r"[\u2801-\u28ff]",
}
TESTS = {name: regex.compile("(?V1)" + pattern) for name, pattern in _CLASSES.items()}
"""A pattern for each property, which matches one character."""


class _Seen(dict[tuple[str, str], bool]):
    """Does a character have a property? Asked once for each character."""

    def __missing__(self, key: tuple[str, str]) -> bool:
        name, char = key
        self[key] = found = bool(char) and TESTS[name].match(char) is not None
        return found


HAS = _Seen()
"""`HAS[property, character]`; an empty text has no property."""


@lru_cache(maxsize=8192)
def is_invisible(char: str) -> bool:
    """Is it one of the characters that this module judges?"""
    return _ONE.match(char) is not None
