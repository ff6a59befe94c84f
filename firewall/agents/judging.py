"""Judging the changed files of one look together, while an agent's turn is open.

What git brings passes (adopting.py). Of the rest, those that the rules refuse are put back at once, and the others are
judged again without them, and recorded like any commit if they pass.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from firewall.agents import reach
from firewall.agents.sweep import ACCEPTED, ADOPTED, Item, Swept
from firewall.values import TYPE_CHECKING
from firewall.verdict import Outcome
from firewall.writes import disk, protection
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal

if TYPE_CHECKING:
    from firewall.agents.restoring import Refused
    from firewall.agents.turns import Turn
    from firewall.writes.bench import Assessed
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact


def judge(proxy: WriteProxy, turn: Turn, names: Sequence[str], *, counted: bool) -> tuple[list[Swept], list[str]]:
    """Judge these files together; what became of each, and those that changed again meanwhile."""
    from firewall.agents import adopting, fetched, left, own_files, precaution, restoring, unmerged
    from firewall.writes.assess import assess

    with proxy.holding(names):
        found = [item for item in items(proxy, names) if not left.is_left(proxy, item)]
        gits = adopting.brought(proxy, turn, found)
        out = [Swept(path, ADOPTED, None, "") for path in gits]
        refused: list[Refused] = []
        of_head: dict[str, str] = {}
        again: list[str] = []
        asked = [item for item in found if item.path not in gits]
        unread = precaution.endless(proxy, asked)
        out += [precaution.refused(proxy, item) for item in asked if item.path in unread]
        todo = _with_renames(proxy, [item for item in asked if item.path not in unread])
        put = precaution.first(proxy, turn, todo)
        while todo:
            judged = assess(proxy.bench(), [wanted(proxy, item) for item in todo])
            pairs = list(zip(todo, judged, strict=True))
            bad = [pair for pair in pairs if not pair[1].verdict.allowed]
            if not bad:
                own_files.note(proxy, turn, pairs)
                try:
                    precaution.stand(proxy, todo, put)
                    results = proxy.land(judged)
                except disk.Replaced:
                    out += precaution.stayed(todo, put)
                    again += [name for item in todo for name in (item.path, item.moved_to) if name]
                else:
                    out += [Swept(i.moved_to or i.path, ACCEPTED, r, "") for i, r in zip(todo, results, strict=True)]
                break
            kept = unmerged.stay(proxy, bad)
            out += kept
            bad = [pair for pair in bad if pair[0].path not in {one.path for one in kept}]
            of_head |= fetched.find(proxy, turn, [item for item, _ in bad])
            refused += _refused(proxy, bad, of_head, counted=counted)
            todo = [item for item, a in pairs if a.verdict.allowed]
        stay = [one for one in refused if left.stays(one[0], one[2]) or own_files.stays(proxy, one, put)]
        own_files.note(proxy, turn, [(item, a) for item, a, _ in stay])
        out += left.leave(proxy, stay)
        back = restoring.waiting(proxy, turn, [one for one in refused if one not in stay])
        restored = restoring.restore(proxy, back, put)
        precaution.end(proxy)
        again += restored.late
        restored = restoring.offered(proxy, restored, of_head if counted else None)
        fetched.together(proxy, restored, of_head)
    out += [fetched.told(one, of_head) for one in restoring.staged(proxy, restored.done)]
    if restored.failed:
        raise restored.failed
    return out, again


def _refused(
    proxy: WriteProxy, bad: Sequence[tuple[Item, Assessed]], of_head: Mapping[str, str], *, counted: bool
) -> list[Refused]:
    """Refuse in change sets: a person answers for what may be wanted by itself, and for what git fetched by itself."""
    out: list[Refused] = []
    sets = [(outcome, whose) for whose in (True, False) for outcome in (Outcome.HOLD, Outcome.BLOCK)]
    for outcome, whose in sets:
        some = [(i, a) for i, a in bad if a.verdict.outcome is outcome and (i.path in of_head) is whose]
        if some:
            own = counted and not whose  # what others committed is no attempt of this agent's
            results = proxy.refuse([a for _, a in some]) if own else [proxy.result(a) for _, a in some]
            out += [(item, a, r) for (item, a), r in zip(some, results, strict=True)]
    return out


def items(proxy: WriteProxy, names: Sequence[str]) -> list[Item]:
    """The files that differ indeed, now that nobody else writes them."""
    from firewall.agents import seal

    out = []
    straight: dict[str, bool] = {}
    for name in names:
        artifact = proxy.ledger.artifact(name)
        if artifact is not None and not seal.follows(proxy.ledger, artifact):
            raise seal.tampered(artifact)
        reading = reach.read(proxy, name, straight)
        before = artifact.disk if artifact else ""
        if reading is not None and reading.sha256 == before and not _unsettled(proxy, artifact):
            continue
        if reading is None and not before:
            continue  # something that is no file where no file was
        out.append(Item(name, artifact, reading))
    return out


def _unsettled(proxy: WriteProxy, artifact: Artifact | None) -> bool:
    return artifact is not None and bool(proxy.ledger.intents(artifact.id))


def _with_renames(proxy: WriteProxy, items: list[Item]) -> list[Item]:
    """A file that is gone and a new one of the same bytes are a rename, if the name may be changed so, and is nobody
    else's (firewall/writes/used_names.py)."""
    gone = {i.path: i for i in items if i.reading is not None and i.data is None and i.artifact}
    new = [i for i in items if i.data is not None and i.artifact is None]
    taken: dict[str, Item] = {}
    for item in new:
        assert item.reading is not None
        same = [i for i in gone.values() if i.artifact and i.artifact.disk == item.reading.sha256]
        same = [i for i in same if _same_kind(proxy, i.path, item.path)]
        if same:
            base = os.path.basename(item.path)  # noqa: PTH119 - names, not paths
            chosen = min(same, key=lambda i: (os.path.basename(i.path) != base, i.path))  # noqa: PTH119
            taken[item.path] = gone.pop(chosen.path)._replace(moved_to=item.path, reading=item.reading)
    left = {i.path for i in taken.values()}
    return [taken.get(i.path, i) for i in items if i.path not in left]


def _same_kind(proxy: WriteProxy, old: str, new: str) -> bool:
    from firewall.text.shown import kind

    rules = proxy.protection
    kinds = [(protection.is_loss_only(p, rules), kind(p) == "notebook") for p in (old, new)]
    return kinds[0] == kinds[1]


def wanted(proxy: WriteProxy, item: Item) -> tuple[Proposal, Target, Target | None]:
    """The change as a proposal for exactly this name: a link there is no way to another file."""
    target = _target(proxy, item.path)
    if item.moved_to:
        new = _target(proxy, item.moved_to)
        return Proposal(target.real, None, rename_to=new.real, there=True), target, new
    return Proposal(target.real, item.data, there=True), target, None


def _target(proxy: WriteProxy, name: str) -> Target:
    return Target(Path(proxy.root) / name, name, "")
