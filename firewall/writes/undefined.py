"""Definitions that a text has no more and still uses: notes, link targets, labels. Pure."""

from __future__ import annotations

from firewall.text.outline import Outline
from firewall.text.pattern import Pattern
from firewall.text.shown import PARSED, kind
from firewall.writes.measures import Measures

_REFERENCE = Pattern(r"\[(\^(?:[^\[\]\\]|\\.){1,1000}|(?:[^\[\]\\]|\\.){1,1000}(?=\](?!\(|\[[^\]])))\]")
"""What stands between a pair of brackets and names a definition: not the words of a link that has its address or
another label behind it. A label has at most 999 characters (CommonMark 6.3)."""


def undefined(old: Outline, new: Outline, measures: Measures) -> dict[str, tuple[int, list[str]]]:
    """Definitions that are gone and still used, by kind."""
    out: dict[str, tuple[int, list[str]]] = {}
    text, made = measures.new, kind(measures.facts.path)
    if made not in PARSED and made != "plain":
        return _unlabelled(made, old, new, measures)
    used: frozenset[str] | None = None
    for name, before, after in (
        ("footnote definitions", old.notes, new.notes),
        ("link definitions", old.links, new.links),
    ):
        if before <= after:
            continue
        used = frozenset(" ".join(m.split()) for m in _REFERENCE.findall(text.casefold())) if used is None else used
        lost = [label for label in sorted(before - after) if _uses(label, name) in used]
        if lost:
            out[name] = (len(lost), lost)
    return out


def _unlabelled(made: str, old: Outline, new: Outline, measures: Measures) -> dict[str, tuple[int, list[str]]]:
    """The same of other formats: what was used before and still is. A title is a target in reStructuredText, and what
    is taken in may define anything."""
    if old.links <= new.links or (new.includes - old.includes):
        return {}
    from firewall.text.labels import used

    titles = {title.casefold() for title in new.headings}
    out: dict[str, tuple[int, list[str]]] = {}
    for one in sorted((old.links - new.links) & used(made, measures.new) & used(made, measures.disk)):
        kind, _, label = one.partition("\0")
        if label not in titles:
            count, names = out.get(kind, (0, []))
            out[kind] = (count + 1, [*names, label])
    return out


def _uses(label: str, kind: str) -> str:
    return ("^" if kind.startswith("footnote") else "") + " ".join(label.split())
