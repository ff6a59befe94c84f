"""What counts as a word, in any script.

Spaced scripts: runs between white space, exactly as `str.split()` sees them. Scripts written without
spaces (Han, kana, Thai, Lao, Khmer, Burmese, Tibetan and their kin): one unit a letter, since
`split()` takes a whole Chinese chapter for forty words. Mixed text is counted run by run and summed,
so one Han letter never switches the formula of a whole page.

Combining marks belong to the letter they stand on. Hangul is spaced and counts by spaces.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern

LEAST_LOST = 5
"""Words that must be gone beside a marker before it says that text was left out (omission.py)."""
LEAST_STOPS = 20
"""Stops that are gone while the words stayed, from which on it is damage (damage.py). Kept here, so that an edit which
loses fewer words needs neither module."""

# Letters of scripts written without spaces. Ranges are Unicode blocks (Blocks.txt), narrowed to
# letters; punctuation and digits of these scripts stay with the run around them.
_UNSPACED = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46"  # Thai letters (marks above and below left out)
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"  # Lao
    "\u0f40-\u0f6c"  # Tibetan
    "\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081"  # Burmese
    "\u1780-\u17b3"  # Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"  # Han and half-width kana
    "\U00016fe0-\U00018cff\U0001aff0-\U0001b16f\U00020000-\U0003ffff"  # Tangut, kana and Han supplements
)
_HAS_UNSPACED = Pattern(f"[{_UNSPACED}]")
# Marks and punctuation that follow an unspaced letter belong to its unit and are no word of their own.
_UNIT = Pattern(f"[{_UNSPACED}][^\\s{_UNSPACED}\\w]*|[^\\s{_UNSPACED}]+")


def words(text: str) -> list[str]:
    """The words of `text` in order. Joined with spaces they are the text without its layout."""
    if text.isascii() or not _HAS_UNSPACED.search(text):
        return text.split()
    return _UNIT.findall(text)


def count_words(text: str) -> int:
    """How many words `text` has: the number that every size rule and every report uses."""
    return len(words(text))


def word_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) character offsets of each word of `words(text)`."""
    pattern = _UNIT if not text.isascii() and _HAS_UNSPACED.search(text) else _SPACED
    return [m.span() for m in pattern.finditer(text)]


_SPACED = Pattern(r"\S+")
