"""From a source to a `Passage`: the only way from retrieval to a prompt."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from firewall.context import terms
from firewall.context.clean import cleaned_with_map
from firewall.context.errors import LaneClosed, LaneViolation, UnknownLane
from firewall.context.passage import _MAKER, Passage
from firewall.policy.lanes import Lane


def make_passage(
    raw: str, *, source: str, lane: str, index_version: str, reader: str, policy: Mapping[str, Lane]
) -> Passage:
    """The clean passage of `raw` for a prompt of lane `reader`.

    `source`, `lane` and `index_version` are the retriever's own, never read from the text; `policy` is
    `[lanes]` of stet.toml. Raises LaneViolation when the reader may not have it; the error names term,
    lane, source and place, and holds none of the text.
    """
    if reader not in policy:
        raise UnknownLane(term="", lane=reader, source=source, line=1, offset=0)
    rules = policy[reader]
    readable = [reader] if rules.reads is None else rules.reads
    if lane not in readable:
        raise LaneClosed(term="", lane=reader, origin=lane, source=source, line=1, offset=0)
    cleaned, kept = cleaned_with_map(raw)
    for hit in terms.find(cleaned.text, rules.banned):
        offset, _ = kept.raw(hit.start, hit.end)
        raise LaneViolation(
            term=hit.term, lane=reader, source=source, line=raw.count("\n", 0, offset) + 1, offset=offset
        )
    return Passage(
        _MAKER,
        text=cleaned.text,
        source=source,
        lane=lane,
        sha256=hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest(),
        index_version=index_version,
        findings=cleaned.findings,
    )
