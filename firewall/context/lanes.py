"""From a source to a `Passage`: the only way from retrieval to a prompt."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from firewall.context import encoded, patterns, terms
from firewall.context.clean import Result, clean
from firewall.context.errors import LaneClosed, LaneViolation, PassageBlocked, PassageHeld, UnknownLane
from firewall.context.passage import MAKER, Passage
from firewall.context.screen import screen_of
from firewall.policy.lanes import Lane
from firewall.verdict import Outcome


def make_passage(
    raw: str, *, source: str, lane: str, index_version: str, reader: str, policy: Mapping[str, Lane]
) -> Passage:
    """The clean passage of `raw` for a prompt of lane `reader`.

    `source`, `lane` and `index_version` are the retriever's own, never read from the text; `policy` is
    `[lanes]` of stet.toml. Raises LaneViolation when the reader may not have it, PassageBlocked or PassageHeld
    when what was found in it forbids; the error names term or rule, lane, source and place, and holds none of
    the text.
    """
    if reader not in policy:
        raise UnknownLane(term="", lane=reader, source=source, line=1, offset=0)
    rules = policy[reader]
    readable = [reader] if rules.reads is None else rules.reads
    if lane not in readable:
        raise LaneClosed(term="", lane=reader, origin=lane, source=source, line=1, offset=0)
    result = clean(raw, screen_of(rules))
    hit = next(violations(result, rules), None)
    if hit is not None:
        raise LaneViolation(term=hit.term, lane=reader, source=source, line=_line(raw, hit.start), offset=hit.start)
    _judge_name(source, reader, rules)
    worst = max(result.findings, key=lambda f: f.outcome, default=None)
    if worst is not None and worst.outcome >= Outcome.HOLD:
        offset = max(worst.start, 0)
        error = PassageHeld if worst.outcome is Outcome.HOLD else PassageBlocked
        raise error(
            rule=str(worst.evidence.get("id", worst.rule)),
            reason=worst.message,
            lane=reader,
            source=source,
            line=_line(raw, offset),
            offset=offset,
        )
    return Passage(
        MAKER,
        text=result.text,
        source=source,
        lane=lane,
        sha256=hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest(),
        index_version=index_version,
        findings=result.findings,
    )


def _judge_name(source: str, reader: str, rules: Lane) -> None:
    """The name goes into the prompt beside the text, so it may hold no more than the text may."""
    words = re.sub(r"[-_/.]+", " ", source)
    for name in (source, words):
        hit = next(banned(name, rules), None)
        if hit is not None:
            raise LaneViolation(term=hit.term, lane=reader, source="(a source's own name)", line=1, offset=hit.start)
        worst = max(clean(name, screen_of(rules)).findings, key=lambda f: f.outcome, default=None)
        if worst is not None and worst.outcome >= Outcome.HOLD:
            raise PassageBlocked(
                rule=str(worst.evidence.get("id", worst.rule)),
                reason=worst.message,
                lane=reader,
                source="(a source's own name)",
                line=1,
                offset=max(worst.start, 0),
            )


def violations(result: Result, rules: Lane) -> Iterator[terms.Hit]:
    """Where the lane's terms and patterns stand in a cleaned text, with raw offsets: as it stands, as it is shown."""
    said: set[terms.Hit] = set()
    for hit in banned(result.text, rules):
        said.add(hit)
        yield terms.Hit(hit.term, *result.kept.raw(hit.start, hit.end))
    if result.shown is not None:
        for hit in banned(result.shown.text, rules):
            seen = terms.Hit(hit.term, *result.shown.place(hit.start, hit.end))
            if seen not in said:
                yield terms.Hit(hit.term, *result.kept.raw(seen.start, seen.end))


def banned(text: str, rules: Lane) -> Iterator[terms.Hit]:
    """Where the lane's terms and patterns stand in `text`, in what it shows and in what it encodes."""
    text = terms.no_surrogates(text)
    prepared = terms.prepare(tuple(rules.banned), rules.inflected)
    yield from terms.find(text, prepared, rules.homoglyphs)
    yield from patterns.find(text, tuple(rules.patterns))
    if rules.banned or rules.patterns:
        said: set[terms.Hit] = set()
        for run in (*encoded.find(text), *encoded.short(text)):
            for hit in (
                *terms.find(run.said, prepared, rules.homoglyphs),
                *patterns.find(run.said, tuple(rules.patterns)),
            ):
                there = terms.Hit(hit.term, run.start, run.end)
                if there not in said:
                    said.add(there)
                    yield there


def _line(raw: str, offset: int) -> int:
    return raw.count("\n", 0, offset) + 1
