"""The metronome measures of a chapter: does every sentence, paragraph, list and heading follow one beat?

All are plain shares and ratios of what a reader sees, so that a person can check them by hand. Limits come
from the policy ([style]); each measure needs enough of what it measures, else it is None and judges nothing.
The defaults are far from what people write and near what a model writes when left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from statistics import fmean, pstdev
from typing import NamedTuple

from firewall.policy.style import Style
from firewall.text.markdown import MARKUP, OPAQUE, Document, Node, ProseBlock, prose_blocks
from firewall.text.sentences import block_sentences
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from latches.elements.base import items, line_of

SENTENCES = 12
PARAGRAPHS = 8
LISTS = 4
BULLETS = 8
HEADINGS = 5
"""Least number of each that a measure needs."""

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
    template, and `template` says which.
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


def measure(doc: Document) -> Measures:
    """Measure a document. Quotations, cells, headings and code have no part in sentences and paragraphs."""
    blocks = [b for b in prose_blocks(doc) if b.kind == "paragraph" and not b.quoted]
    lengths: list[int] = []
    openers: list[tuple[str, int]] = []
    paragraphs: list[int] = []
    firsts: list[str] = []
    for block in blocks:
        found = block_sentences(doc.source, block)
        if not found:
            continue
        for sentence in found:
            text = _seen(block, sentence.start, sentence.end)
            lengths.append(count_words(text))
            first = None if text.startswith(OPAQUE) else _WORD.search(text)
            openers.append((first.group().casefold() if first else "", sentence.start))
        text = _seen(block, block.start, block.end)
        paragraphs.append(count_words(text))
        firsts.append(" ".join(word.casefold() for word in _WORD.findall(text)[:2]))
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
    return out


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
