"""What a person can do: reset a latch, accept a file or the policy as it stands, put a version back."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from firewall.digest import by_hash
from firewall.errors import NeedsPerson, NotFound, PolicyError, StateBroken, StetError, UsageError
from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.text.words import count_words
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import alerts, cases, commit, disk, paths, person, pinned
from firewall.writes.assess import is_latched
from firewall.writes.claims import Claims
from firewall.writes.commit import Step
from firewall.writes.disk import Reading
from firewall.writes.ledger import GENESIS, chain
from firewall.writes.paths import POLICY_FILE, Target
from firewall.writes.prose import text_of
from firewall.writes.proxy import WordCounts, WriteProxy, WriteResult
from firewall.writes.records import Artifact, Case, Entry
from firewall.writes.renewal import renewed

VERSIONS = ("adopt", "outside", "commit", "delete", "restore", "approve", "edit", "reset", "accept")
"""Kinds of journal entries that leave a version on the disk."""
REFUSED = ("refuse", "hold", "refused-latched", "left", "put-back")
"""Kinds whose version was proposed, or found on the disk, and is kept: a person can have it by its number."""


class ChangedMeanwhile(StetError):
    """The file changed while a person was asked about it."""

    code = "changed-meanwhile"
    template = "{path} changed while you were asked about it, so nothing was done."
    next_step = "Look at it again, then run the command again."


class NothingToReset(StetError):
    """A file that is open."""

    code = "nothing-to-reset"
    template = "{path} is not latched, and no failed attempt counts against it. Nothing was done."
    next_step = "`stet alerts` lists latched files; `stet accept {path}` makes what is on disk the baseline."


class NoEarlierVersion(UsageError):
    """Nothing to go back to."""

    code = "no-earlier-version"
    template = "Stet keeps no version of {path} from before the present one."
    next_step = "`stet log {path}` lists what it keeps; `stet gc` lets old versions go."


class NotAFile(UsageError):
    """An id where a file's name belongs."""

    code = "id-for-a-file"
    template = "{id} is the id of what waits, and here a file is meant: {path}."
    next_step = "`stet reset {path}` opens that file; `stet show {id}` gives the other answers."


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
    """Open a latched artifact again; what is on disk becomes the baseline, and what was held of the proposals that
    tripped it is turned down with them."""
    target, known = artifact_of(proxy, path)
    name = printable(target.relative)
    failed = amount(known.attempts, "failed attempt")
    what = f"This opens {name} to writers again" + (f", after {failed}" if known.attempts else "")
    if known.attempts and not is_latched(known, proxy.limits):
        what = f"This forgets {failed} for {name}, which is open"
    waits = _held_with_its_alerts(proxy, known)
    also = f" It turns down {', '.join(case.id for case in waits)}, held with it." if waits else ""
    shown = disk.read(target.real)
    how = person.require(proxy.ledger, "reset", f"{what}; what is on disk is its baseline then.{also}")
    done = _renew(proxy, target, known, "reset", how, shown)
    with proxy.ledger.transaction():
        for case in waits:
            cases.move(proxy.ledger, case.id, cases.PENDING, "rejected", proxy.origin().at, how)
    return done


def must_count(proxy: WriteProxy, path: Path) -> None:
    """Raises NothingToReset for a file that is open and has no failed attempt; NotFound."""
    target, known = artifact_of(proxy, path)
    if not (is_latched(known, proxy.limits) or known.attempts):
        raise NothingToReset(path=printable(target.relative))


def named_no_case(proxy: WriteProxy, path: Path) -> None:
    """Raises NotAFile where a person gave the id of what waits instead of a file's name."""
    case = cases.get(proxy.ledger, str(path))
    if case is not None and not path.exists():
        raise NotAFile(id=case.id, path=alerts.quoted(case.path))


def _held_with_its_alerts(proxy: WriteProxy, known: Artifact) -> list[Case]:
    """What waits of the artifact from the same proposals as its open alerts."""
    sets = {case.change_set for case in cases.of_artifact(proxy.ledger, known.id, ("trip", "staged"))} - {""}
    return [case for case in cases.of_artifact(proxy.ledger, known.id, ("hold",)) if case.change_set in sets]


def accept(proxy: WriteProxy, path: Path) -> Artifact:
    """Take a file as it is on disk as what a person wants: the new baseline."""
    target = paths.resolve(path, proxy.root, proxy.state)
    seen = proxy.ledger.artifact(target.relative)
    if not target.problem and not target.real.exists() and not (seen and (seen.disk or seen.mark)):
        fix = "See that the name is right; the folder is that of the command."
        raise NotFound(what="file", name=printable(str(path)), fix=fix)
    if seen is None:
        proxy.check(path, b"")  # first sight: a look is enough to know it
    target, known = artifact_of(proxy, path)
    shown = disk.read(target.real)
    size = amount(count_words(text_of(known.path, shown.data)), "word") if shown.data is not None else "gone"
    waits = [case.id for case in cases.of_artifact(proxy.ledger, known.id, ("hold",))]
    also = f" What waits for it ({', '.join(waits)}) is closed." if waits else ""
    what = f"This accepts {printable(target.relative)} as it is on disk now ({size}).{also}"
    how = person.require(proxy.ledger, "accept", what)
    done = _renew(proxy, target, known, "accept", how, shown)
    with proxy.ledger.transaction():
        cases.expire_others(proxy.ledger, known.id, proxy.origin().at, "the file was accepted as it is")
    return done


def accept_policy(proxy: WriteProxy) -> None:
    """Pin stet.toml as it stands."""
    from firewall.policy import parse_policy
    from firewall.policy.merge import looser_keys

    data = (proxy.root / POLICY_FILE).read_bytes()
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    policy = parse_policy(text, POLICY_FILE)
    if policy.project.id != proxy.policy.project.id:
        raise PolicyError(path=POLICY_FILE, line=1, problem="the project id changed", fix="Put the old id back.")
    looser = looser_keys(parse_policy(pinned.read(proxy.ledger) or text, "the accepted stet.toml"), policy)
    what = f" It is looser than before in {', '.join(looser)}." if looser else ""
    if policy.alerts.command:
        what += f" Alerts will run {printable(' '.join(policy.alerts.command))}."
    how = person.require(proxy.ledger, "accept", f"This puts stet.toml as it is on disk into force.{what}")
    origin = proxy.origin()
    with proxy.ledger.transaction():
        pinned.pin(proxy.ledger, text, person=True)
        proxy.ledger.save(disk.sha256(data), data)  # an agent's turn may be open, in which the file is guarded
        proxy.ledger.change(
            "UPDATE kept SET sha=? WHERE root=? AND path=?", (disk.sha256(data), proxy.ledger.root_id, POLICY_FILE)
        )
        proxy.ledger.append("policy", origin.at, session=origin.session, source=origin.source, data={"by": how})


def _renew(proxy: WriteProxy, target: Target, known: Artifact, kind: str, how: str, shown: Reading) -> Artifact:
    """What is on disk becomes the baseline, if it is still what the person was asked about."""
    with proxy.lock(target):
        reading = disk.read(target.real)
        if reading.sha256 != shown.sha256:
            raise ChangedMeanwhile(path=target.relative)
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


def versions(proxy: WriteProxy, known: Artifact, kinds: Sequence[str] = VERSIONS) -> list[Version]:
    """Every version of an artifact that the store keeps, oldest first."""
    rows = proxy.ledger.query(
        "SELECT j.seq FROM journal j JOIN blobs b ON b.sha = j.new WHERE j.artifact=?", (known.id,)
    )
    kept = {int(row[0]) for row in rows}
    entries = proxy.ledger.journal(known.id)
    return [Version(e.seq, e.at, e.kind, e.new) for e in entries if e.kind in kinds and e.seq in kept]


def restore(proxy: WriteProxy, path: Path, number: int | None) -> WriteResult:
    """Put a version back: the one numbered, or the one before what is on disk.

    With a person it is done; without one it is judged like any write. The current bytes are saved first.
    """
    target, known = artifact_of(proxy, path)
    seen = disk.read(target.real)
    proxy.check(path, b"")  # a version from outside is saved before it is replaced; an agent's may be put back by this
    reading = disk.read(target.real)
    kept = versions(proxy, known, VERSIONS if number is None else (*VERSIONS, *REFUSED))
    if number is None:
        earlier = [v for v in kept if v.sha256 != seen.sha256]
        chosen = earlier[-1] if earlier else None
    else:
        chosen = next((v for v in kept if v.number == number), None)
    if chosen is None:
        if number is None:
            raise NoEarlierVersion(path=printable(target.relative))
        fix = f"`stet log {shlex.quote(str(path))}` lists the versions; `stet gc` lets old ones go."
        raise NotFound(what=f"version of {printable(target.relative)} numbered", name=str(number), fix=fix)
    data = proxy.ledger.load(chosen.sha256)
    if data is None:
        raise StateBroken(detail=f"version {chosen.number} has no bytes", fix="Choose another version.")
    what = f"This puts version {chosen.number} of {printable(target.relative)} back."
    if is_latched(known, proxy.limits):
        what += f" It opens the file to writers again, after {amount(known.attempts, 'failed attempt')}."
    try:
        how = person.require(proxy.ledger, "restore", what)
    except person.NotConfirmed:
        raise  # there is a person, and the answer is no
    except NeedsPerson:
        result = proxy.write(path, data, base=reading.sha256)
        if not result.committed:
            return result
        done = judge([*result.verdict.findings, _put_back(result.path, chosen.number)], result.verdict.checks)
        return result._replace(verdict=done)
    with proxy.lock(target):
        again = disk.read(target.real)
        if again.sha256 != reading.sha256:
            raise ChangedMeanwhile(path=target.relative)
        origin = proxy.origin()
        note = {"version": chosen.number, "by": how}
        columns = {**renewed(known.path, data, origin.at), "alert": ""}
        closes = tuple(case.id for case in cases.of_artifact(proxy.ledger, known.id, ("trip", "staged")))
        step = Step(known, target.real, again, data, "restore", columns, note, claims=Claims((), closes, (), how))
        if again.sha256 != chosen.sha256:
            try:
                commit.commit(proxy.ledger, [step], origin)
            except disk.Replaced:
                raise ChangedMeanwhile(path=target.relative) from None
    if again.sha256 == chosen.sha256:  # it is there already, and a person says that it is right
        _renew(proxy, target, known, "restore", how, again)
    now = proxy.ledger.artifact(known.path) or known
    counts = WordCounts(count_words(text_of(known.path, again.data)), now.disk_words, now.mark_words)
    verdict = judge([_put_back(now.path, chosen.number)], ["restore"])
    return WriteResult(now.path, verdict, True, False, 0, proxy.limits.attempts, counts, None, by_hash(chosen.sha256))


def _put_back(path: str, number: int) -> Finding:
    message = f"{path}: version {number} is back; what it replaced is kept."
    return Finding("restore", Outcome.ALLOW, message, {"version": number})


def verify_journal(entries: list[Entry]) -> int | None:
    """The number of the first journal entry that does not fit the chain, or None when all do."""
    previous = GENESIS
    for expected, entry in enumerate(entries, 1):
        if entry.seq != expected or entry.hash != chain(previous, tuple(entry)[:-1]):
            return expected
        previous = entry.hash
    return None
