"""What a person can do: reset a latch, accept a file or the policy as it stands, put a version back."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from firewall.errors import NeedsPerson, NotFound, PolicyError, StateBroken
from firewall.policy import parse_policy
from firewall.text.words import count_words
from firewall.writes import cases, commit, disk, marks, paths, person, pinned
from firewall.writes.commit import Step
from firewall.writes.ledger import GENESIS, chain
from firewall.writes.paths import POLICY_FILE, Target
from firewall.writes.prose import text_of
from firewall.writes.proxy import WriteProxy, WriteResult
from firewall.writes.records import Artifact, Entry

VERSIONS = ("adopt", "outside", "commit", "delete", "restore", "approve", "edit", "reset", "accept")
"""Kinds of journal entries that leave a version on the disk."""


class Version(NamedTuple):
    """One version an artifact had: its number (the journal entry's), when, how it came, its bytes' hash."""

    number: int
    at: float
    kind: str
    sha256: str


def artifact_of(proxy: WriteProxy, path: Path) -> tuple[Target, Artifact]:
    """The artifact a person names, known to the ledger. Raises NotFound."""
    target = paths.resolve(path, proxy.root, proxy.state)
    known = proxy.ledger.artifact(target.relative)
    if known is None:
        raise NotFound(
            what="guarded file",
            name=str(path),
            fix="`stet log` lists the files Stet has seen in this project.",
        )
    return target, known


def reset(proxy: WriteProxy, path: Path) -> Artifact:
    """Open a latched artifact again; what is on disk becomes the baseline."""
    target, known = artifact_of(proxy, path)
    held = f", {known.attempts} failed attempts" if known.attempts else ""
    how = person.require(proxy.ledger, "reset", f"This opens {target.relative} to writers again{held}.")
    return _renew(proxy, target, known, "reset", how)


def accept(proxy: WriteProxy, path: Path) -> Artifact:
    """Take a file as it is on disk as what a person wants: the new baseline."""
    target = paths.resolve(path, proxy.root, proxy.state)
    if proxy.ledger.artifact(target.relative) is None:
        proxy.check(path, b"")  # first sight: a look is enough to know it
    target, known = artifact_of(proxy, path)
    how = person.require(proxy.ledger, "accept", f"This accepts {target.relative} as it is on disk now.")
    return _renew(proxy, target, known, "accept", how)


def accept_policy(proxy: WriteProxy) -> None:
    """Pin stet.toml as it stands."""
    text = (proxy.root / POLICY_FILE).read_text("utf-8-sig")
    policy = parse_policy(text, POLICY_FILE)
    if policy.project.id != proxy.policy.project.id:
        raise PolicyError(path=POLICY_FILE, line=1, problem="the project id changed", fix="Put the old id back.")
    how = person.require(proxy.ledger, "accept", "This puts stet.toml as it is on disk into force.")
    origin = proxy.origin()
    with proxy.ledger.transaction():
        pinned.pin(proxy.ledger, text, person=True)
        proxy.ledger.append("policy", origin.at, session=origin.session, source=origin.source, data={"by": how})


def _renew(proxy: WriteProxy, target: Target, known: Artifact, kind: str, how: str) -> Artifact:
    with proxy.lock(target):
        reading = disk.read(target.real)
        origin = proxy.origin()
        with proxy.ledger.transaction():
            if reading.data is not None:
                proxy.ledger.save(reading.sha256, reading.data)
            words = count_words(text_of(known.path, reading.data))
            proxy.ledger.adopt(known.path, reading.sha256, origin.at, words)
            cases.answer_artifact(proxy.ledger, known.id, origin.at, how)
            seq = proxy.ledger.append(
                kind,
                origin.at,
                artifact=known.id,
                old=known.disk,
                new=reading.sha256,
                session=origin.session,
                source=origin.source,
                data={"by": how},
            )
            proxy.ledger.set_state(known.id, attempts=0, alert="", answered=seq)
        found = proxy.ledger.artifact(known.path)
        assert found is not None
        return found


def versions(proxy: WriteProxy, known: Artifact) -> list[Version]:
    """Every version of an artifact that the store keeps, oldest first."""
    return [Version(e.seq, e.at, e.kind, e.new) for e in proxy.ledger.journal(known.id) if e.kind in VERSIONS and e.new]


def restore(proxy: WriteProxy, path: Path, number: int | None) -> WriteResult:
    """Put a version back: the one numbered, or the one before what is on disk.

    With a person it is done; without one it is judged like any write. The current bytes are saved first.
    """
    target, known = artifact_of(proxy, path)
    proxy.check(path, b"")  # a version that came from outside is saved before it is replaced
    reading = disk.read(target.real)
    kept = versions(proxy, known)
    if number is None:
        earlier = [v for v in kept if v.sha256 != reading.sha256]
        chosen = earlier[-1] if earlier else None
    else:
        chosen = next((v for v in kept if v.number == number), None)
    if chosen is None:
        raise NotFound(
            what="version",
            name=str(number) if number else "earlier",
            fix=f"`stet log {path}` lists the versions.",
        )
    data = proxy.ledger.load(chosen.sha256)
    if data is None:
        raise StateBroken(detail=f"version {chosen.number} has no bytes", fix="Choose another version.")
    try:
        how = person.require(proxy.ledger, "restore", f"This puts version {chosen.number} of {target.relative} back.")
    except person.NotConfirmed:
        raise  # there is a person, and the answer is no
    except NeedsPerson:
        return proxy.write(path, data, base=reading.sha256)
    with proxy.lock(target):
        again = disk.read(target.real)
        if again.sha256 != reading.sha256:
            return proxy.check(path, data, base=reading.sha256)
        origin = proxy.origin()
        fresh = marks.fresh(data, count_words(text_of(known.path, data)))
        columns: dict[str, object] = dict.fromkeys(("mark", "high", "baseline"), chosen.sha256)
        columns |= {**fresh.counts, "baseline_at": origin.at, "attempts": 0, "answers": True}
        note = {"version": chosen.number, "by": how}
        step = Step(known, target.real, again, data, "restore", columns, note)
        if again.sha256 != chosen.sha256:
            commit.commit(proxy.ledger, [step], origin)
    return proxy.check(path, data)._replace(committed=True)


def verify_journal(entries: list[Entry]) -> int | None:
    """The number of the first journal entry that does not fit the chain, or None when all do."""
    previous = GENESIS
    for expected, entry in enumerate(entries, 1):
        if entry.seq != expected or entry.hash != chain(previous, tuple(entry)[:-1]):
            return expected
        previous = entry.hash
    return None
