r"""Letters that were there and came back as something else: as `?`, as nothing, as `\u00fc` or `&#252;`, as mojibake;
line ends that came back as a written-out `\n`, and sentences that came back without their stops. Pure.

Each is told by what was lost: a word of the old text is gone, and one stands in the new text that is this word
damaged. So a text that shows an escape beside the letter, or in code, is none. Linear time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from firewall.text.pattern import Pattern
from firewall.text.words import LEAST_STOPS, words
from firewall.values import NamedTuple


class Damage(NamedTuple):
    """`what` was done to the text, how many `times`, from how many on it is damage, examples of it, and what would mend
    it. `sample` is a piece of the new text that shows it, or ''."""

    what: str
    times: int
    limit: int
    examples: tuple[str, ...]
    sample: str
    mend: str


LEAST_DROPPED = 3
"""Words that are an old one without its accented letters before it is damage: one may be a slip or another word."""
LEAST_MARKS = 3
"""The same for words that lost only quotation marks and dashes to `?`."""
LEAST_MANY = 5
"""Escapes or question marks within words that came where letters went, in a text whose words are new otherwise."""
LEAST_JOINED = 2
"""Old lines that stand in one line between written-out line ends."""
SAME_WORDS = 0.8
"""Share of the words of a text that must be there for it to be the same text, damaged."""
_STOPS = (". ", "。")
_STOP = Pattern(r"[^\s.!?][.!?][\"'”’»)*_\]]{0,3}(?= )|[。！？](?!\n)")
_MARKS = Pattern(r"[.!?,;:。、，！？；：]")
# UTF-8 read as Windows-1252 or Latin-1 and saved again: a lead byte of a two- or three-byte sequence shown as a
# letter, then its continuation byte shown as one of the characters that stand at 0x80 to 0xBF there.
_MOJIBAKE = Pattern(
    "[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
    "|\u00e2[\u0080\u20ac][\u0080-\u00bf\u0153\u0152\u2018-\u201e\u02dc\u2122\u2020\u2021\u2026\u2030]"
    "|\u00ef\u00bb\u00bf|\u00ef\u00bf\u00bd"
)
_ESCAPE = Pattern(r"(?i)\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|&#\d{2,7};|&#x[0-9a-f]{2,6};")
_ASKED = Pattern(r"[^\W\d_]\?+[^\W\d_]")
_WRITTEN_END = Pattern(r"(?:\\r)?\\n")
_WRITTEN = Pattern(r"\\n(?![a-z])")
_SPAN = Pattern(r"(`{1,3})(?!`)([^`\n]|(?!\1)`){1,300}\1(?!`)")


def without_spans(text: str) -> str:
    """The text without its inline code."""
    return _SPAN.sub(" ", text) if "`" in text else text


def may_be_shown(after: str) -> bool:
    """Does a text hold what a text about encodings shows in code: mojibake, an escape, an entity?"""
    return "\\" in after or "&#" in after or (not after.isascii() and _MOJIBAKE.search(after) is not None)


def mojibake(before: str, after: str, prose: str) -> Damage | None:
    """UTF-8 read as another encoding, more often in `prose`, which is `after` without its code, than in `before`.
    In code, which may show it, only where the letter that it was is gone."""
    found = _MOJIBAKE.findall(prose)
    if len(found) <= len(_MOJIBAKE.findall(before)):
        spoilt = _MOJIBAKE.findall(after)
        lost = {each for each in set(spoilt) if _was_lost(each, before, after)}
        found = [each for each in spoilt if each in lost]
        if len(found) <= len(_MOJIBAKE.findall(before)):
            return None
    mend = "Read the file as UTF-8 and write it again"
    return Damage("UTF-8 read as another encoding", len(found), 1, tuple(found[:3]), found[0], mend)


def _was_lost(spoilt: str, before: str, after: str) -> bool:
    for encoding in ("cp1252", "latin-1"):
        try:
            letter = spoilt.encode(encoding).decode()
        except UnicodeError:
            continue
        return before.count(letter) > after.count(letter)
    return False


def letters(before: str, after: str, prose: str) -> Iterator[Damage]:
    """What happened to the letters of `before` that are not ASCII, where `after` has fewer of them. Escapes count in
    `prose` alone, which is `after` without its code."""
    if before.isascii() or _outside_ascii(after) >= _outside_ascii(before):
        return
    asked = after.count("?") > before.count("?")
    escaped = ("\\" in prose or "&#" in prose) and _count(_ESCAPE, prose) > _count(_ESCAPE, before)
    old, new = Counter(before.split()), Counter(after.split())
    lost = [word for word in old if not word.isascii() and old[word] > new[word]]
    came = {word: None for word in new if new[word] > old[word]}
    fewer = sum(map(str.isalpha, _wide(before))) - sum(map(str.isalpha, _wide(after)))
    mend = "Write the letters themselves, as UTF-8"
    if asked:
        hits = [(w, m) for w in lost for m in (_masked(w, 1), _masked(w, 0)) if m in came]
        sure = any(c.isalpha() for was, _ in hits for c in _wide(was))
        many = _count(_ASKED, after) - _count(_ASKED, before)
        if sure or len(hits) >= LEAST_MARKS:
            yield _of("'?' where letters were", hits, 1 if sure else LEAST_MARKS, mend)
        elif many >= LEAST_MANY and fewer >= many:
            yield Damage("'?' within words while letters went", many, LEAST_MANY, (), "", mend)
    if escaped:
        mend += ", or show the escapes in code"
        there = set(prose.split())
        decoded = [(_unescaped(word), word) for word in came if word in there and _ESCAPE.search(word)]
        hits = [(was, now) for was, now in decoded if old[was] > new[was]]
        many = _count(_ESCAPE, prose) - _count(_ESCAPE, before)
        if hits:
            yield _of("escapes where letters were", hits, 1, mend)
        elif many >= LEAST_MANY and fewer > 0:
            found = _ESCAPE.findall(prose)
            yield Damage("escapes while letters went", many, LEAST_MANY, tuple(found[:3]), found[0], mend)
    hits = [(w, kept) for w in lost if _is_latin(w) for kept in (_dropped(w),) if kept in came]
    if len(hits) >= LEAST_DROPPED:
        yield _of("words without their accented letters", hits, LEAST_DROPPED, mend)


def _of(what: str, hits: list[tuple[str, str]], limit: int, mend: str) -> Damage:
    examples = tuple(f"{was[:40]} → {now[:60]}" for was, now in hits[:3])
    return Damage(what, len(hits), limit, examples, hits[0][1], mend)


def stops(before: str, after: str) -> Damage | None:
    """Nearly all stops within lines gone, or the blanks behind them, while the words are still there and no new lines
    part them: a sentence may end with its line or list item."""
    if before.count(". ") < LEAST_STOPS > before.count("。"):
        return None
    if not any(after.count(stop) * 5 <= before.count(stop) for stop in _STOPS):
        return None  # which is much cheaper to know than what follows
    had, has = _count(_STOP, before), _count(_STOP, after)
    gone = had - has - max(0, after.count("\n") - before.count("\n"))
    if has * 10 > had or gone < LEAST_STOPS:
        return None
    old, new = (Counter(words(_MARKS.sub(" ", text))) for text in (before, after))
    if (old & new).total() < SAME_WORDS * old.total():
        return None
    mend = "Keep the marks of the sentences, each with its blank"
    return Damage("sentences without their stops, or the blanks behind them", gone, LEAST_STOPS, (), "", mend)


def line_ends(before: str, after: str, prose: str) -> Damage | None:
    r"""Line ends written out as `\n` in `prose`, which is `after` without its code: two lines or more of `before` stand
    behind one another in a line, or many are written while real ones went."""
    if prose.count("\\n") <= before.count("\\n"):
        return None
    stood = {line.strip() for line in before.split("\n")} - {""}
    kept = {line.strip() for line in after.split("\n")}
    joined = 0
    for line in prose.split("\n"):
        if "\\n" in line:
            pieces = {piece.strip() for piece in _WRITTEN_END.split(line) if piece}
            joined += len((pieces & stood) - kept)
    rise = _count(_WRITTEN, prose) - _count(_WRITTEN, before)
    if joined >= LEAST_JOINED or (rise >= LEAST_MANY and before.count("\n") - after.count("\n") >= rise):
        mend = r"Write real line ends, or show '\n' in code"
        return Damage(r"line ends written out as '\n'", max(joined, rise), LEAST_JOINED, (), "\\n", mend)
    return None


def _count(pattern: Pattern, text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _outside_ascii(text: str) -> int:
    """How many bytes more than characters the text has: none in ASCII, and cheap to know."""
    return len(text.encode("utf-8", "replace")) - len(text)


def _wide(text: str) -> str:
    return "".join(char for char in text if char > "\x7f")


def _masked(word: str, each: int) -> str:
    """The word with '?' for each character outside ASCII, `each` times, or (0) for each of its bytes."""
    return "".join(c if c < "\x80" else "?" * (each or len(c.encode("utf-8", "replace"))) for c in word)


def _is_latin(word: str) -> bool:
    """Has the word a letter of the Latin script with an accent or of its own?"""
    return any("\u00c0" <= char <= "\u024f" or "\u1e00" <= char <= "\u1eff" for char in word)


def _dropped(word: str) -> str:
    return "".join(char for char in word if char < "\x80")


def _unescaped(word: str) -> str:
    def letter(match: re.Match[str]) -> str:
        text = match.group()
        if text[0] == "\\":
            return chr(int(text[2:], 16))
        code = int(text[3:-1], 16) if text[2] in "xX" else int(text[2:-1])
        char = chr(code) if code < 0x110000 else ""
        return char if char.isalpha() and char > "\x7f" else text

    plain = _ESCAPE.sub(letter, word).replace('\\"', '"')
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
