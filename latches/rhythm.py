"""The metronome measures of a chapter: does every sentence, paragraph, list and heading follow one beat?

All are plain shares and ratios of what a reader sees, so that a person can check them by hand. Limits come
from the policy ([style]); each measure needs enough of what it measures, else it is None and judges nothing.
The defaults are far from what people write and near what a model writes when left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from statistics import fmean, pstdev
from typing import NamedTuple

from firewall.policy.style import Style
from firewall.text.markdown import MARKUP, OPAQUE, Document, Node, ProseBlock, prose_blocks
from firewall.text.sentences import block_sentences
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from latches.beat import BEAT, BEAT_SENTENCES, beat_of
from latches.elements.base import items, line_of, own_text

SENTENCES = 12
PARAGRAPHS = 8
LISTS = 4
BULLETS = 8
HEADINGS = 5
"""Least number of each that a measure needs."""

_HTML_PARAGRAPH = re.compile(r"<p(?:\s[^>]*)?>(.*?)(?=</p>|<p[\s>]|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_STOP = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_NUMBERS = re.compile(
    r"^(?:(?:(?:chapter|section|part|appendix)\s+)?(?:\d+[a-z]?(?:[.\-]\d+)*|[ivxlc]+|[a-z](?:\.\d+)+)[.):]?\s+)",
    re.IGNORECASE,
)


class Measures(NamedTuple):
    """What a chapter's beat is like. Where there is too little to measure a value is None (or 0 and -1).

    `sentence_variation` and `paragraph_variation` are standard deviation by mean of lengths in words.
    `opener_run` is the most sentences in a row that begin with the same word, at offset `run_at`.
    `same_openers` is the share of paragraphs whose first two words begin another paragraph too.
    `same_lists` is the share of lists with the most frequent number of items, `bold_bullets` that of bullets
    that begin with a bold label. `same_headings` is the share of headings made after the most frequent
    template, and `template` says which. `same_bullets` are the share of bullets that begin with the most frequent two
    words, and the variation of their lengths. A beat is the number of sentences or paragraphs after which their lengths
    come again (0 where they do not) and the share of lengths for which that holds.
    """

    sentences: int
    paragraphs: int
    sentence_variation: float | None
    paragraph_variation: float | None
    opener_run: int
    opener: str
    run_at: int
    same_openers: float | None
    same_lists: float | None
    bold_bullets: float | None
    same_headings: float | None
    template: str
    same_bullets: tuple[float, float] | None
    sentence_beat: tuple[int, float]
    paragraph_beat: tuple[int, float]


def measure(doc: Document) -> Measures:
    """Measure a document. Quotations, cells, headings and code have no part in sentences and paragraphs."""
    lengths: list[int] = []
    openers: list[tuple[str, int]] = []
    paragraphs: list[int] = []
    firsts: list[str] = []
    for text, sentences in _running(doc):
        for sentence, start in sentences:
            lengths.append(count_words(sentence))
            first = None if sentence.startswith(OPAQUE) else _WORD.search(sentence)
            openers.append((first.group().casefold() if first else "", start))
        paragraphs.append(count_words(text))
        firsts.append(_first_two(text))
    run, opener, run_at = _longest_run(openers)
    same, template = _heading_template(doc)
    return Measures(
        len(lengths),
        len(paragraphs),
        _variation(lengths, SENTENCES),
        _variation(paragraphs, PARAGRAPHS),
        run,
        opener,
        run_at,
        _shared(firsts, PARAGRAPHS),
        _same_lists(doc),
        _bold_bullets(doc),
        same,
        template,
        _same_bullets(doc),
        beat_of(lengths, BEAT_SENTENCES),
        beat_of(paragraphs, PARAGRAPHS),
    )


def rhythm(doc: Document, style: Style) -> list[Finding]:
    """A finding for each measure beyond its limit in the policy."""
    m = measure(doc)
    out: list[Finding] = []

    def hold(measure_name: str, measured: float, limit: float, message: str, at: int = -1) -> None:
        evidence: dict[str, object] = {"measure": measure_name, "measured": round(measured, 3), "limit": limit}
        if at >= 0:
            evidence["line"] = line_of(doc.source, at)
        out.append(Finding("rhythm", Outcome.HOLD, message, evidence, at, at))

    for name, what, value, least, count in (
        ("sentence_variation", "sentences", m.sentence_variation, style.min_sentence_variation, m.sentences),
        ("paragraph_variation", "paragraphs", m.paragraph_variation, style.min_paragraph_variation, m.paragraphs),
    ):
        if value is not None and value < least:
            hold(
                name, value, least,
                f"{count} {what} are almost of one length: they deviate by {_percent(value)} of their mean; "
                f"{_percent(least)} or more passes. Make some much shorter and some longer.",
            )  # fmt: skip
    if m.opener_run > style.max_opener_run:
        hold(
            "opener_run", m.opener_run, style.max_opener_run,
            f'{m.opener_run} sentences in a row begin with "{m.opener}"; {style.max_opener_run} may. '
            "Begin one of them otherwise.", m.run_at,
        )  # fmt: skip
    shares = (
        ("same_openers", m.same_openers, style.max_same_openers, "paragraphs begin with the same two words as another"),
        ("same_lists", m.same_lists, style.max_same_lists, "lists have the same number of items"),
        ("bold_bullets", m.bold_bullets, style.max_bold_bullets, "bullets begin with a bold label"),
        ("same_headings", m.same_headings, style.max_same_headings, f"headings follow one template ({m.template})"),
    )
    for name, value, most, text in shares:
        if value is not None and value > most:
            hold(name, value, most, f"{_percent(value)} of the {text}; at most {_percent(most)} may. Vary them.")
    for name, what, beat, off in (
        ("sentence_beat", "sentence", m.sentence_beat, not style.min_sentence_variation),
        ("paragraph_beat", "paragraph", m.paragraph_beat, not style.min_paragraph_variation),
    ):
        if beat[0] and not off:
            hold(
                name, beat[1], BEAT,
                f"every {what} is as long as the one {beat[0]} before it, for {_percent(beat[1])} of them; less than "
                f"{_percent(BEAT)} passes. Break the pattern.",
            )  # fmt: skip
    if (
        m.same_bullets
        and m.same_bullets[0] > style.max_same_openers
        and m.same_bullets[1] < style.min_sentence_variation
    ):
        share, variation = m.same_bullets
        hold(
            "same_bullets", share, style.max_same_openers,
            f"{_percent(share)} of the bullets begin with the same two words and all are almost of one length "
            f"(they deviate by {_percent(variation)} of their mean); at most "
            f"{_percent(style.max_same_openers)} may. Vary them.",
        )  # fmt: skip
    return out


def _running(doc: Document) -> list[tuple[str, list[tuple[str, int]]]]:
    """Each paragraph of running text and its sentences with their places, as a reader sees them.

    A list item of one paragraph is a bullet, whatever blank lines stand around it. Quotations are somebody else's
    words, unless they are most of the text.
    """
    short = [
        (item.start, item.end)
        for item in doc.find("item")
        if sum(child.kind == "paragraph" for child in item.children) == 1
    ]
    starts = [start for start, _ in short]
    kept: list[ProseBlock] = []
    for block in prose_blocks(doc):
        number = bisect_right(starts, block.start) - 1
        if block.kind == "paragraph" and not (number >= 0 and block.end <= short[number][1]):
            kept.append(block)
    own = [block for block in kept if not block.quoted]
    out: list[tuple[int, str, list[tuple[str, int]]]] = []
    for block in own if 2 * len(own) >= len(kept) else kept:
        sentences = [(_seen(block, s.start, s.end), s.start) for s in block_sentences(doc.source, block)]
        if sentences:
            out.append((block.start, _seen(block, block.start, block.end), sentences))
    for node in doc.find("html_block"):
        for found in _HTML_PARAGRAPH.finditer(doc.source, node.start, node.end):
            text = " ".join(_TAG.sub("", found[1]).split())
            parts = [part for part in _STOP.split(text) if part]
            if parts:
                out.append((found.start(), text, [(part, found.start()) for part in parts]))
    return [(text, sentences) for _, text, sentences in sorted(out, key=lambda each: each[0])]


def _first_two(text: str) -> str:
    return " ".join(word.casefold() for word in _WORD.findall(text)[:2])


def _same_bullets(doc: Document) -> tuple[float, float] | None:
    """(share of bullets that begin with the most frequent two words, variation of their lengths in words)."""
    texts = [own_text(item) for node in doc.find("list") for item in items(node)]
    texts = [text for text in texts if text]
    if len(texts) < BULLETS:
        return None
    firsts = Counter(_first_two(text) for text in texts)
    del firsts[""]
    variation = _variation([count_words(text) for text in texts], BULLETS)
    return (max(firsts.values(), default=0) / len(texts), variation) if variation is not None else None


def _seen(block: ProseBlock, start: int, end: int) -> str:
    """The words of a stretch of a block; code and the like count as one word each."""
    text = block.text[start - block.start : end - block.start].replace(MARKUP, "")
    return re.sub(f"{OPAQUE}+", OPAQUE, text).strip()


def _percent(share: float) -> str:
    return f"{share * 100:.0f}%"


def _variation(lengths: list[int], least: int) -> float | None:
    lengths = [length for length in lengths if length]
    if len(lengths) < least:
        return None
    return pstdev(lengths) / fmean(lengths)


def _longest_run(openers: list[tuple[str, int]]) -> tuple[int, str, int]:
    best, word, at = 0, "", -1
    run, start = 0, -1
    before = ""
    for opener, offset in openers:
        run, start = (run + 1, start) if opener and opener == before else (1, offset)
        before = opener
        if run > best:
            best, word, at = run, opener, start
    return best, word, at


def _shared(firsts: list[str], least: int) -> float | None:
    """Share of entries that are not the only one of their kind."""
    if len(firsts) < least:
        return None
    counts = Counter(firsts)
    return sum(count for first, count in counts.items() if first and count > 1) / len(firsts)


def _same_lists(doc: Document) -> float | None:
    sizes = [len(items(node)) for node in doc.find("list")]
    if len(sizes) < LISTS:
        return None
    return max(Counter(sizes).values()) / len(sizes)


def _bold_bullets(doc: Document) -> float | None:
    """Share of bullets that begin with bold words and a colon, full stop or dash."""
    bullets = [item for node in doc.find("list") if not node.attrs["ordered"] for item in items(node)]
    if len(bullets) < BULLETS:
        return None
    return sum(_bold_label(item) for item in bullets) / len(bullets)


def _bold_label(item: Node) -> bool:
    nodes = item.children
    if nodes and nodes[0].kind == "paragraph":
        nodes = nodes[0].children
    if not nodes or nodes[0].kind != "strong":
        return False
    after = str(nodes[1].attrs.get("literal", "")) if len(nodes) > 1 else ""
    return nodes[0].plain().rstrip().endswith((":", ".")) or after.lstrip().startswith((":", "\u2014", "\u2013", "-"))


def _heading_template(doc: Document) -> tuple[float | None, str]:
    """(share of the most frequent template, the template): first word, "X: Y", or ending in a question."""
    texts = [_NUMBERS.sub("", node.plain().strip()) for node in doc.find("heading") if node.attrs["level"] > 1]
    if len(texts) < HEADINGS:
        return None, ""
    templates: Counter[str] = Counter()
    for text in texts:
        words = _WORD.findall(text)
        if len(words) > 1:
            templates[f"{words[0].capitalize()} …"] += 1
        if re.search(r"\S:\s+\S", text):
            templates["… : …"] += 1
        if text.endswith("?"):
            templates["… ?"] += 1
        templates[text.casefold()] += 1
    template, count = templates.most_common(1)[0]
    return (count / len(texts) if count > 1 else 0.0), template
