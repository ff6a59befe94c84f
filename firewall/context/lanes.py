"""From a source to a `Passage`: the only way from retrieval to a prompt."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

from firewall.context import encoded, encoded_short, notes, patterns, terms
from firewall.context.clean import Result, clean
from firewall.context.errors import LaneClosed, LaneViolation, PassageBlocked, PassageHeld, UnknownLane
from firewall.context.passage import MAKER, Passage
from firewall.context.readings import unseen
from firewall.context.screen import screen_of
from firewall.context.shown import shown_view
from firewall.context.spans import moved
from firewall.values import TYPE_CHECKING
from firewall.verdict import Outcome

if TYPE_CHECKING:
    from firewall.policy.lanes import Lane


def make_passage(
    raw: str,
    *,
    source: str,
    lane: str,
    index_version: str,
    reader: str,
    policy: Mapping[str, Lane],
    seams: Sequence[int] = (),
    also: Sequence[str] = (),
) -> Passage:
    """The clean passage of `raw` for a prompt of lane `reader`.

    Of a text that was cleaned before, `seams` are the offsets where a tag that parts words was removed (`shown.seams`):
    it is judged as a reader saw it, too, or what the removal glued would pass.

    `source`, `lane`, `index_version` and `also`, lanes that the source was written from besides its own, are the
    retriever's, never read from the text; `policy` is `[lanes]` of stet.toml. Raises LaneViolation when the reader may
    not have it, PassageBlocked or PassageHeld when what was found in it forbids; the error names term or rule, lane,
    source and place, and holds none of the text.
    """
    for what, value in (("text", raw), ("source", source)):
        if not isinstance(value, str):
            reason = f"Its {what} is of the type {type(value).__name__}, where a str is wanted."
            raise PassageBlocked(rule="no-text", reason=reason, lane=reader, source=str(source), line=1, offset=0)
    if reader not in policy:
        raise UnknownLane(term="", lane=reader, source=source, line=1, offset=0)
    rules = policy[reader]
    readable = [reader] if rules.reads is None else rules.reads
    for origin in (lane, *also):
        if origin not in readable:
            raise LaneClosed(term="", lane=reader, origin=origin, source=source, line=1, offset=0)
    result = clean(raw, screen_of(rules))
    seen = shown_view(raw, seams) if seams else None
    hit = next(violations(result, rules, raw), None)
    if hit is None and seen is not None:
        glued = next(banned(seen.text, rules), None)
        hit = glued and terms.Hit(glued.term, *seen.place(glued.start, glued.end))
    if hit is not None:
        raise LaneViolation(term=hit.term, lane=reader, source=source, line=_line(raw, hit.start), offset=hit.start)
    _judge_name(source, reader, rules)
    found = list(result.findings)
    if seen is not None:
        orders = notes.orders(seen.text, None, screen_of(rules), plain=False)
        found += (moved(f, *seen.place(f.start, f.end)) for f in orders)
    worst = max(found, key=lambda f: f.outcome, default=None)
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
        findings=tuple(result.findings),
        also=also,
    )


def _judge_name(source: str, reader: str, rules: Lane) -> None:
    """The name goes into the prompt beside the text, so it may hold no more than the text may; it cannot be cleaned."""
    where = "(a source's own name)"
    words = re.sub(r"[-_/.]+", " ", source)
    for name in (source, words):
        hit = next(banned(name, rules), None)
        if hit is not None:
            raise LaneViolation(term=hit.term, lane=reader, source=where, line=1, offset=hit.start)
        found = clean(name, screen_of(rules)).findings
        least = Outcome.REDACT if name is source else Outcome.HOLD
        worst = max(found, key=lambda f: f.outcome, default=None)
        if worst is not None and worst.outcome >= least:
            rule, offset = str(worst.evidence.get("id", worst.rule)), max(worst.start, 0)
            raise PassageBlocked(rule=rule, reason=worst.message, lane=reader, source=where, line=1, offset=offset)
    if len(source.splitlines()) > 1:
        reason = "The name has more than one line."
        raise PassageBlocked(rule="name-lines", reason=reason, lane=reader, source=where, line=1, offset=0)


def violations(result: Result, rules: Lane, raw: str) -> Iterator[terms.Hit]:
    """Where the lane's terms and patterns stand in a cleaned text, with raw offsets: as it stands, as it is shown."""
    said: set[terms.Hit] = set()
    for hit in _violations(result, rules):
        said.add(hit)
        yield hit
    if len(result.text) < len(raw) and (rules.banned or rules.patterns):
        for text, place in unseen(raw):
            for hit in banned(text, rules):
                there = terms.Hit(hit.term, *place(hit.start, hit.end))
                if there not in said:
                    yield there


def _violations(result: Result, rules: Lane) -> Iterator[terms.Hit]:
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
    yield from patterns.find(text, tuple(rules.patterns), rules.homoglyphs)
    if rules.banned or rules.patterns:
        said: set[terms.Hit] = set()
        for run in (*encoded.find(text), *encoded_short.short(text)):
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
