"""A person said yes to a runtime's own question: what was asked about is on the disk, and is accepted."""

from __future__ import annotations

from firewall.agents.noes import BY, has_lapsed
from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.writes import cases, disk

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy


def accept_held(proxy: WriteProxy, held: str) -> bool:
    """Accept the held proposal if the disk holds exactly it now, over what it was made from. The locks are taken."""
    case = cases.get(proxy.ledger, held)
    if case is None or case.kind != "hold" or not (case.pending or has_lapsed(case)):
        return False
    from firewall.writes import commit, observe
    from firewall.writes.claims import Claims
    from firewall.writes.commit import Step
    from firewall.writes.renewal import renewed

    with proxy.holding([name for name in (case.path, case.target) if name]):
        artifact = proxy.ledger.artifact(case.path)
        if artifact is None or artifact.id != case.artifact or artifact.disk != case.disk:
            return False
        origin = proxy.origin()
        path = proxy.root / case.path
        try:
            reading = disk.read(path, proxy.limits.max_bytes)
            there = disk.read(proxy.root / case.target, proxy.limits.max_bytes) if case.target else reading
            if there.sha256 != (case.disk if case.target else case.proposal) or (case.target and reading.sha256):
                return False
            old = observe.as_known(proxy.ledger, artifact, reading)
            columns = {**renewed(case.path, there.data, origin.at), "alert": ""}
            note = {"case": case.id, "by": BY}
            taken = Claims(((case.id, "approved"),), (), (), BY)
            step = Step(
                artifact, path, old, there.data, "approve", columns, note, case.target, claims=taken, there=True
            )
            if has_lapsed(case):
                with proxy.ledger.transaction():
                    cases.reopen(proxy.ledger, held, case.state, "waiting")
            commit.commit(proxy.ledger, [step], origin)
            with proxy.ledger.transaction(durable=False):
                cases.expire_others(proxy.ledger, artifact.id, origin.at, "the file was changed by an answer")
        except (disk.Replaced, StetError):
            return False  # it is judged like anything else that is on the disk
    return True
