"""Sentence boundaries in a Markdown document, as offsets into its source.

`sentencex` finds the boundaries; a small layer here mends what it gets wrong on technical prose. Three
sharp edges of it live here and nowhere else: only `get_sentence_boundaries` is used, because `segment()`
loses text on long input; the sentences are slices of our own source, never its joined strings; and it
splits at every full stop that it does not know, so `.NET`, `Eq. 4` and `1. One` are put together again.

When in doubt two sentences stay one: who edits a window that is too large changes nothing else, and who
edits half a sentence breaks it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from sentencex import get_sentence_boundaries

from firewall.text.markdown import MARKUP, OPAQUE, Document, ProseBlock, prose_blocks
from firewall.values import NamedTuple

_STAND_IN = "Opaq"
"""Stands for a run of OPAQUE while boundaries are sought: a capitalised word that is no abbreviation."""

_WINDOW = 4096
"""Characters given to the segmenter at once: on a paragraph full of `!` and `[` its time grows with the square."""

_ALWAYS = frozenset(
    "approx ca cf dr e.g eg gen hon i.e ie incl excl esp lt col sgt capt mr mrs ms messrs mt prof resp rev "
    "st viz vs".split()
)
"""Abbreviations that never end a sentence when something follows."""
_BEFORE_NUMBER = frozenset(
    "app art ch chap chaps cl eq eqn eqs ex fig figs fn jan feb mar apr jun jul aug sep sept oct nov dec "
    "l ll ln max min mon tue tues wed thu thur thurs fri sat sun n nn no nos p par para pos pp pt rel rule "
    "sec secs sect tab tabs tbl v ver vers vol vols".split()
)
"""Abbreviations that go with the number, or the code or math, after them."""
_BEFORE_LOWER = frozenset(
    "abbr al alt anon appl arch assoc attr auth avg bldg calc cert comp conf config cont coord corp dept "
    "dev diff dim dir dist doc docs ed eds equiv est etc ext freq govt hrs hr ident inc init int intl inv "
    "lab lang lib lim loc ltd max med mfr min misc mod mgmt natl neg num obj op opt orig param perf pct "
    "pkg pref prev prod prop ref refs reg rem repr req sched seq sess sim spec sq std str struct subj "
    "temp tol transl univ util var vol".split()
)
"""Abbreviations after which a lower-case word goes on with the sentence."""

_WORDS_TOO = re.compile(
    r"(?<![\w.])(?:no|me|may|art|ill|miss|ok|id|ore|ark|con|va|[abdhijkmoqrtuwxyz])\.(\s+)(?=[^\W\d_a-z])"
)
"""Words and names of variables that the segmenter takes for abbreviations, at the end of a sentence."""

_LAST_WORD = re.compile(r"([A-Za-z](?:[A-Za-z.]*[A-Za-z])?)\.$")
_NUMBERING = re.compile(r"^[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{1,5})[.)\]]+$")
_CLOSERS = re.compile(
    r"(?:[)\]\"'\u201d\u2019\u00bb\u203a\uff09\u300d\u300f\u3011\u300b\u3009]"
    r"|\[\^?[\w.,\- ]{1,16}\]|[\u00b9\u00b2\u00b3\u2070-\u2079]|[.!?\u2026\u3002\uff01\uff1f])+"
)
_PARENTHESIS = re.compile(r"[.!?\u2026][\"'\u201d\u2019]?[)\]][\"'\u201d\u2019]?(\s+)(?=[^\sa-z])")
_CJK_CLOSERS = frozenset("\uff09\u300d\u300f\u3011\u300b\u3009")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ODD_SPACE = re.compile(r"[^\S\x00-\x7f]")
_RUN = re.compile(f"{MARKUP}+|{OPAQUE}+")
_SPACE = " \t\r\n\f\v\u00a0\u2002\u2003\u2009\u3000"


class Sentence(NamedTuple):
    """A sentence is `source[start:end]`, without the white space around it.

    Marks that close with it belong to it: `**`, a closing parenthesis, a footnote reference.
    `kind` is the kind of its prose block (paragraph, heading, item, cell, footnote); `quoted` is true
    inside a block quote.
    """

    start: int
    end: int
    kind: str
    quoted: bool


def sentences(doc: Document) -> list[Sentence]:
    """All sentences of the document's prose, in order. They never overlap and never cross a block."""
    out: list[Sentence] = []
    for block in prose_blocks(doc):
        out.extend(block_sentences(doc.source, block))
    return out


def block_sentences(source: str, block: ProseBlock) -> list[Sentence]:
    """The sentences of one prose block of `source`."""
    clean, pieces = _clean(block.text)
    if not clean.strip(_SPACE):
        return []
    starts = [piece[0] for piece in pieces]
    out: list[Sentence] = []
    floor = block.start
    spans = boundaries(clean)
    for index, (first, last) in enumerate(spans):
        at = pieces[bisect_right(starts, first) - 1]
        start = at[1] + (first - at[0] if at[3] else 0)
        at = pieces[bisect_right(starts, last - 1) - 1]
        end = at[1] + (last - at[0]) if at[3] else at[2]
        while start + block.start > floor and block.text[start - 1] == MARKUP:
            start -= 1
        end = _with_closing_marks(source, block, start, end, index + 1 == len(spans))
        start, end = _without_indent(source, block, start, end)
        out.append(Sentence(block.start + start, block.start + end, block.kind, block.quoted))
        floor = block.start + end
    return out


def boundaries(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence of plain running text, white space around it left out."""
    cuts: list[tuple[int, int]] = []
    plain = _without_false_pairs(text)
    at, size = 0, _WINDOW
    while at < len(text):
        found: list[Any] = get_sentence_boundaries("en", plain[at : at + size])
        if at + size < len(text):
            found.pop()  # the last one may go on beyond the window
            if not found:
                size *= 2
                continue
        cuts += [(at + one["start_index"], at + one["end_index"]) for one in found]
        at, size = cuts[-1][1], _WINDOW
    return _mend(text, cuts)


def _without_false_pairs(text: str) -> str:
    """`text`, one character for one, less what the segmenter would pair and then never split within.

    Those are `<` and `>` between spaces, and `"` that opens nothing, as in 5" or after a word. Spaces other
    than ASCII's become plain ones, because at "B\u00a0." the segmenter (1.0.32) panics, and lone surrogates
    U+FFFD, because it takes none.
    """
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", _ODD_SPACE.sub(" ", text))
    text = text.replace(" < ", " = ").replace(" > ", " = ")
    if '"' not in text:
        return text
    out = []
    inside = False
    at = 0
    for quote in re.finditer('"', text):
        before, after = text[quote.start() - 1 : quote.start()], text[quote.end() : quote.end() + 1]
        if inside:
            inside = before.isspace() and not after.isspace()
        elif not after.strip() or before.isalnum():
            out.append(text[at : quote.start()] + "\u2033")
            at = quote.end()
        else:
            inside = True
    return "".join(out) + text[at:]


def _mend(text: str, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Move closing marks to the sentence they close, join what is one sentence, split whole parentheses."""
    out: list[tuple[int, int]] = []
    opening = 0  # an opening mark that the segmenter left at the end of the sentence before
    for start, end in cuts:
        start -= opening
        opening = int(_opens_next(text, start, end))
        end -= opening
        if out and out[-1][1] == start and not text[start - 1].isspace():
            closing = _CLOSERS.match(text, start, end)
            if closing and (closing.end() == len(text) or text[closing.end()].isspace()):
                out[-1] = (out[-1][0], closing.end())
                start = closing.end()
        first, last = _strip(text, start, end)
        if first >= last:
            continue
        if out and _goes_on(text, out[-1], first):
            out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    whole = [piece for span in out for piece in _split_parenthesis(text, *span)]
    return [piece for span in whole for piece in _split_words(text, *span)]


def _opens_next(text: str, start: int, end: int) -> bool:
    """Is the last character of the piece a mark that opens what follows: `Two. '|Tis three.`?"""
    return (
        start < end - 1
        and end < len(text)
        and text[end - 1] in "\"'\u2018\u201c([\u00ab"
        and text[end - 2].isspace()
        and text[end].isalnum()
    )


def _goes_on(text: str, before: tuple[int, int], start: int) -> bool:
    """Is the text from `start` still the sentence `before`, which the segmenter ended too early?"""
    first, last = before
    following = text[start]
    if text[last - 1] == "." and last == start and following.isascii() and following.isalnum():
        return True  # foo.Bar, .NET, example.com
    if text[last - 1] in _CJK_CLOSERS and last == start and "\u3041" <= following <= "\u309f":
        return True  # a Japanese sentence goes on behind what it quotes: `hai.` to itta
    if len(text[first:last]) <= 8 and _NUMBERING.match(text[first:last]):
        return True  # "1." "(a)" before what they number
    word = _LAST_WORD.search(text, max(first, last - 12), last)
    if word is None or (word.start() > 0 and text[word.start() - 1].isalnum()):
        return False
    name = word.group(1).lower()
    if name in _ALWAYS:
        return True
    if name in _BEFORE_NUMBER and (following.isdigit() or following in "(#\u00a7" or _opaque(text, start)):
        return True
    return (name in _BEFORE_LOWER or name in _BEFORE_NUMBER) and following.islower()


def _opaque(text: str, start: int) -> bool:
    return text.startswith(_STAND_IN, start)


def _split_parenthesis(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """`(A whole sentence.) Another one.` is two sentences, which the segmenter takes for one."""
    if text[start] not in "([":
        return [(start, end)]
    closing = _PARENTHESIS.search(text, start, end)
    if closing is None or _depth(text, start, closing.start(1)) != 0:
        return [(start, end)]
    return [(start, closing.start(1)), *_split_parenthesis(text, closing.end(1), end)]


def _split_words(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """`The answer is no. Five left.` is two sentences, whose border the segmenter misses."""
    out = []
    for border in _WORDS_TOO.finditer(text, start, end):
        if not _NUMBERING.match(text[start : border.start(1)]):
            out.append((start, border.start(1)))
            start = border.end(1)
    out.append((start, end))
    return out


def _depth(text: str, start: int, end: int) -> int:
    """Parentheses open at `end`; -1 when the one at `start` closes before it."""
    depth = 0
    for at in range(start, end):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            depth -= 1
            if depth == 0 and at + 2 < end:
                return -1
    return depth


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _clean(text: str) -> tuple[str, list[tuple[int, int, int, bool]]]:
    """Prose without markup, opaque runs as a word, and pieces (clean start, start, end, verbatim)."""
    pieces: list[tuple[int, int, int, bool]] = []
    out: list[str] = []
    at = length = 0
    for run in _RUN.finditer(text):
        if run.start() > at:
            pieces.append((length, at, run.start(), True))
            out.append(text[at : run.start()])
            length += run.start() - at
        if run.group()[0] == OPAQUE:
            pieces.append((length, run.start(), run.end(), False))
            out.append(_STAND_IN)
            length += len(_STAND_IN)
        at = run.end()
    if at < len(text):
        pieces.append((length, at, len(text), True))
        out.append(text[at:])
    return "".join(out), pieces


def _without_indent(source: str, block: ProseBlock, start: int, end: int) -> tuple[int, int]:
    """Markup at the ends that is the line's own and not the sentence's: indentation and a quote's `> `."""
    while start < end and (
        source[block.start + start].isspace() or (block.text[start] == MARKUP and source[block.start + start] == ">")
    ):
        start += 1
    while start < end and source[block.start + end - 1].isspace():
        end -= 1
    return start, end


def _with_closing_marks(source: str, block: ProseBlock, start: int, end: int, final: bool) -> int:
    """`end` moved past the markup right after the sentence, where that markup closes with it."""
    text = block.text
    after = end
    while after < len(text) and text[after] == MARKUP:
        after += 1
    if after == end or final or text[after].isspace():
        return after
    marks = source[block.start + end : block.start + after]
    if marks.startswith("[^"):
        return end + marks.find("]") + 1
    inside = source[block.start + start : block.start + end]
    return after if inside.count(marks) % 2 else end
