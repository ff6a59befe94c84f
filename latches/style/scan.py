"""The style scanner: words over their ceilings and banned phrases, found in prose and nowhere else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import ahocorasick_rs

from firewall.policy.style import Style
from firewall.text.markdown import MARKUP, Document, ProseBlock, parse, prose_blocks
from firewall.text.words import count_words
from latches.style.hit import StyleHit
from latches.style.silence import covers, silences
from latches.style.terms import Term, fold, lower, terms_of
from latches.style.usage import is_use


class Use(NamedTuple):
    """A use of a term in prose, at `source[start:end]`."""

    term: str
    start: int
    end: int


class Scanner:
    """A style made ready to scan many documents. Make one a style, not one a document."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.terms = terms_of(style)
        anchors: dict[str, list[int]] = {}
        for number, term in enumerate(self.terms):
            for anchor in term.anchors:
                anchors.setdefault(anchor, []).append(number)
        self._owners = list(anchors.values())
        self._automaton = ahocorasick_rs.AhoCorasick(list(anchors)) if anchors else None

    def scan(self, source: str, *, honour_off: bool = True) -> list[StyleHit]:
        """All findings in `source`, in order of place.

        `honour_off` false ignores `stet: off` comments: for text that a model wrote and no person read.
        """
        return self.scan_document(parse(source), honour_off=honour_off)

    def scan_document(self, doc: Document, *, honour_off: bool = True) -> list[StyleHit]:
        """The same for a document that is parsed already."""
        hits, _ = self.scan_both(doc, honour_off=honour_off)
        return hits

    def scan_both(self, doc: Document, *, honour_off: bool = True) -> tuple[list[StyleHit], list[StyleHit]]:
        """(findings, findings that a `stet: off` comment silenced)."""
        blocks = self._blocks(doc)
        uses = list(self._uses(doc.source, blocks))
        return _judged(self.style, doc, blocks, uses, honour_off=honour_off)

    def _blocks(self, doc: Document) -> list[ProseBlock]:
        return [
            block
            for block in prose_blocks(doc)
            if (self.style.headings or block.kind != "heading") and (self.style.quotes or not block.quoted)
        ]

    def _uses(self, source: str, blocks: list[ProseBlock]) -> Iterator[Use]:
        """Every use of every term, block by block."""
        if self._automaton is None or not blocks:
            return
        starts = [block.start for block in blocks]
        wanted: dict[int, set[int]] = {}
        lowered = lower(fold(source))
        if not lowered.isascii():
            lowered = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in lowered)
        for anchor, start, _ in self._automaton.find_matches_as_indexes(lowered, overlapping=True):
            wanted.setdefault(bisect_right(starts, start) - 1, set()).update(self._owners[anchor])
        for number in sorted(wanted):
            if number < 0:
                continue
            block = blocks[number]
            folded = fold(block.text)
            lowered = lower(folded)
            for index in sorted(wanted[number]):
                term = self.terms[index]
                yield from _uses_of(term, block, folded, lowered)


def _uses_of(term: Term, block: ProseBlock, folded: str, lowered: str) -> Iterator[Use]:
    for match in term.pattern.finditer(folded if term.exact_case else lowered):
        start, end = match.span()
        if is_use(block.text, folded, start, end, exact_case=term.exact_case):
            yield Use(term.name, block.start + start, block.start + end)


def scan(source: str, style: Style, *, honour_off: bool = True) -> list[StyleHit]:
    """All findings of `style` in the Markdown text `source`, in order of place."""
    return Scanner(style).scan(source, honour_off=honour_off)


def _judged(
    style: Style, doc: Document, blocks: list[ProseBlock], uses: list[Use], *, honour_off: bool
) -> tuple[list[StyleHit], list[StyleHit]]:
    """Findings from uses: silenced uses count for nothing."""
    off = silences(doc) if honour_off else None
    hits: list[StyleHit] = []
    silenced: list[StyleHit] = []
    used: set[int] = set()
    rules = _rules_by_term(style)
    left: dict[tuple[str, str], list[Use]] = {}
    for use in sorted(uses, key=lambda u: (u.start, u.end, u.term)):
        for rule in rules.get(use.term, ()):
            by = [n for n, s in enumerate(off.active) if covers(s, rule, use.term, use.start)] if off else []
            if by:
                used.update(by)
                silenced.append(StyleHit(rule, use.term, use.start, use.end, off.active[by[0]].reason))  # type: ignore[union-attr]
            else:
                left.setdefault((rule, use.term), []).append(use)
    total = _prose_words(blocks) if style.per_thousand else 0
    for (rule, term), found in left.items():
        alternatives = tuple(style.alternatives.get(term, ()))
        if rule == "banned":
            hits += [_banned(use, alternatives) for use in found]
        elif rule == "ceiling":
            limit = style.ceilings[term]
            hits += [
                StyleHit(
                    rule, term, use.start, use.end,
                    f'"{term}" is used {len(found)} times; at most {limit} may stand.',
                    alternatives, len(found), limit,
                )
                for use in found[limit:]
            ]  # fmt: skip
        elif rule == "density":
            rate = style.per_thousand[term]
            limit = max(1, int(rate * total / 1000)) if rate > 0 else 0
            hits += [
                StyleHit(
                    rule, term, use.start, use.end,
                    f'"{term}" is used {len(found)} times in {total} words; at {rate:g} in 1,000 words '
                    f"at most {limit} may stand.",
                    alternatives, len(found), limit,
                )
                for use in found[limit:]
            ]  # fmt: skip
    hits += _apart(style, blocks, left)
    if off:
        hits += _about_comments(
            doc, off.without_reason, [s.place for n, s in enumerate(off.active) if n not in used]
        )
    hits.sort(key=lambda h: (h.start, h.end, h.rule, h.term))
    return hits, silenced


def _rules_by_term(style: Style) -> dict[str, tuple[str, ...]]:
    out: dict[str, list[str]] = {}
    for rule, names in (
        ("banned", style.banned),
        ("ceiling", style.ceilings),
        ("density", style.per_thousand),
    ):
        for name in names:
            out.setdefault(name, []).append(rule)
    for pair in style.apart:
        for name in pair.words:
            out.setdefault(name, []).append("apart")
    return {name: tuple(dict.fromkeys(rules)) for name, rules in out.items()}


def _banned(use: Use, alternatives: tuple[str, ...]) -> StyleHit:
    instead = f" Write {_or(alternatives)}." if alternatives else ""
    message = f'"{use.term}" may not stand in prose.{instead}'
    return StyleHit("banned", use.term, use.start, use.end, message, alternatives, 1, 0)


def _or(names: tuple[str, ...]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _apart(style: Style, blocks: list[ProseBlock], left: dict[tuple[str, str], list[Use]]) -> list[StyleHit]:
    """Uses of the second of a pair that stand too near the one of the other before it."""
    out: list[StyleHit] = []
    for pair in style.apart:
        one, two = pair.words
        both = [*left.get(("apart", one), ()), *left.get(("apart", two), ())]
        both.sort(key=lambda u: u.start)
        last: dict[str, Use] = {}
        for use in both:
            other = last.get(two if use.term == one else one)
            if other is not None:
                between = _words_between(blocks, other.end, use.start)
                if between < pair.within:
                    message = (
                        f'"{use.term}" stands {between} words after "{other.term}"; '
                        f"{pair.within} or more must be between them."
                    )
                    names = tuple(style.alternatives.get(use.term, ()))
                    out.append(
                        StyleHit("apart", use.term, use.start, use.end, message, names, between, pair.within)
                    )
            last[use.term] = use
    return out


def _words_between(blocks: list[ProseBlock], start: int, end: int) -> int:
    first = bisect_right([block.start for block in blocks], start) - 1
    count = 0
    for block in blocks[first:]:
        if block.start >= end:
            break
        count += count_words(block.text[max(0, start - block.start) : end - block.start].replace(MARKUP, ""))
    return count


def _prose_words(blocks: list[ProseBlock]) -> int:
    return sum(count_words(block.text.replace(MARKUP, "")) for block in blocks)


def _about_comments(
    doc: Document, bad: tuple[tuple[int, int], ...], unused: list[tuple[int, int]]
) -> list[StyleHit]:
    out = []
    for start, end in bad:
        message = "This comment gives no reason, so it has no effect. Say why in two words or more."
        out.append(StyleHit("off-without-reason", doc.source[start:end], start, end, message))
    for start, end in unused:
        message = "This comment silences nothing. Take it out."
        out.append(StyleHit("off-unused", doc.source[start:end], start, end, message))
    return out
