"""Text that git took in an agent's turn and keeps no more: its last commit was dropped. It waits for a person.

What a person drops between turns is theirs to drop, but for a text of theirs that only an agent's commit had: what the
agent left running may have dropped that one.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.agents import provenance, taken
from firewall.agents.taken import Taken
from firewall.digest import by_hash
from firewall.errors import StetError
from firewall.text.amounts import amount
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import holding
from firewall.writes.git import GitFailed, GitSilent, find_repository

if TYPE_CHECKING:
    from firewall.agents.sweep import Swept
    from firewall.writes.git import Repository
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

RULE = "git-dropped"
PERSONS = ("adopt", "outside", "renew", "accept", "approve", "edit", "restore", "reset")
"""The journal's words for what a person put on the disk or accepted."""


def between(proxy: WriteProxy) -> list[Swept]:
    """No turn is open: forget what a person has dropped, and what is back. What only stands in a commit of people's
    stays known: an agent's next turn may drop that. A person's text that only an agent's commit had waits for a person:
    what the agent left running may have dropped that one as well."""
    rows, before = taken.read(proxy)
    if not rows:
        return []
    open_turns = proxy.ledger.query(
        "SELECT refs FROM turns WHERE root=? AND closed_at IS NULL ORDER BY id", (proxy.ledger.root_id,)
    )
    if open_turns:  # of a session that died
        provenance.note_made(proxy, [str(row[0]) for row in open_turns])
    try:
        asked = _asked(proxy, rows, before)
        if asked is None:
            return []
        now, repository, tips, left = asked
        kept = set(left)
        missing = [row for row in rows if row not in kept and _is_a_persons(proxy, row)]
        missing = [row for row in missing if not _survives(proxy, repository, tips, row)]
        missing = [row for row in missing if repository is None or not _was_kept(proxy, repository, row)]
        back = _back(proxy, repository, left) if repository else set()
    except (StetError, ValueError, OSError):
        return []
    left = [row for row in left if row not in back]
    taken.write(proxy, left, now if left else "")
    return _offered(proxy, missing) if missing else []


def _back(proxy: WriteProxy, repository: Repository, rows: Sequence[Taken]) -> set[Taken]:
    """Those whose file has the text again, or is as a person's HEAD has it, in whose history the text stands."""
    artifacts = {row: _artifact(proxy, row) for row in rows}
    out = {row for row, artifact in artifacts.items() if artifact is not None and artifact.disk == row.sha}
    asked = [row for row, artifact in artifacts.items() if row not in out and artifact is not None and artifact.disk]
    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if asked else ""
    if not head or proxy.ledger.query("SELECT 1 FROM made WHERE root=? AND id=?", (proxy.ledger.root_id, head)):
        return out
    there = provenance.blobs_at(repository, head, {row.at for row in asked})
    hasher = provenance.hash_name(repository)
    known = provenance.reachable(repository, [head], [(row.at, row.blob) for row in asked if there.get(row.at)])
    for row in asked:
        artifact = artifacts[row]
        data = proxy.ledger.load(artifact.disk) if artifact is not None and (row.at, row.blob) in known else None
        if there.get(row.at) in provenance.blobs(hasher, data):
            out.add(row)
    return out


def _is_a_persons(proxy: WriteProxy, row: Taken) -> bool:
    """Was it once what a person had put there or accepted?"""
    marks = ", ".join("?" * len(PERSONS))
    rows = proxy.ledger.query(
        f"SELECT 1 FROM journal WHERE artifact=? AND new=? AND kind IN ({marks}) LIMIT 1",  # noqa: S608
        (row.artifact, row.sha, *PERSONS),
    )
    return bool(rows)


def _was_kept(proxy: WriteProxy, repository: Repository, row: Taken) -> bool:
    """Did a commit have it that was there when the last turn began? Then it was a person's to drop."""
    turns = proxy.ledger.query(
        "SELECT refs FROM turns WHERE root=? ORDER BY id DESC LIMIT 1", (proxy.ledger.root_id,)
    )  # fmt: skip
    data = (proxy.ledger.load(str(turns[0][0])) if turns and turns[0][0] else b"") or b""
    then = data.decode("ascii").split()
    try:
        return (row.at, row.blob) in provenance.reachable(repository, then, [(row.at, row.blob)])
    except GitSilent:
        raise
    except GitFailed:
        return False  # git has let go of it


def look(proxy: WriteProxy) -> list[Swept]:
    """Texts that are neither in git nor in the work tree any more, since this turn or an earlier one. Each waits for a
    person, who is told; so is the agent. Where git cannot be asked, the next look finds them."""
    rows, before = taken.read(proxy)
    try:
        asked = _asked(proxy, rows, before)
        if asked is None:
            return []
        now, repository, tips, kept = asked
        sure = not [row for row in rows if row not in kept]
        missing = [row for row in rows if row not in kept and not _survives(proxy, repository, tips, row)]
    except (StetError, ValueError, OSError):
        return []
    left = [row for row in rows if row not in missing]
    taken.write(proxy, left, now if sure or not left else "")
    return _offered(proxy, missing) if missing else []


def _asked(
    proxy: WriteProxy, rows: Sequence[Taken], before: str
) -> tuple[str, Repository | None, list[str], list[Taken]] | None:
    """How git's refs stand, the repository, its tips, and those of the rows that it keeps; None where the refs are as
    they were `before`. Raises StetError, ValueError, OSError where it cannot be asked."""
    now = taken.refs(proxy)
    if now == before:
        return None
    repository = find_repository(proxy.root)
    if repository is None:
        return now, None, [], []
    tips = provenance.heads(repository)
    return now, repository, tips, _in_git(repository, tips, rows)


def _in_git(repository: Repository, tips: Sequence[str], rows: Sequence[Taken]) -> list[Taken]:
    """Those that stand in a commit reachable from the tips."""
    there = {commit for commit in {row.commit for row in rows if row.commit} if _has(repository, tips, commit)}
    asked = [(row.at, row.blob) for row in rows if row.commit not in there]
    found = provenance.reachable(repository, tips, asked)  # of a history that was cut off, in what is left
    return [row for row in rows if row.commit in there or (row.at, row.blob) in found]


def _has(repository: Repository, tips: Sequence[str], commit: str) -> bool:
    try:
        return commit in tips or not provenance.missing_from(repository, tips, [commit])
    except GitSilent:
        raise
    except GitFailed:
        return False  # git let go of the commit itself


def _survives(proxy: WriteProxy, repository: Repository | None, tips: Sequence[str], row: Taken) -> bool:
    """Is the text still there in other words: in the file as it is, and in the versions that commits have of it? By
    the same floors as a change of a file."""
    from firewall.text.units import units
    from firewall.writes import gitobjects
    from firewall.writes.decide import decide
    from firewall.writes.facts import Facts
    from firewall.writes.gains import gains, total, with_gains
    from firewall.writes.measures import Measures
    from firewall.writes.owed import KEEPING
    from firewall.writes.prose import text_of

    try:
        data = proxy.ledger.load(row.sha) or b""
    except StetError:
        return True  # a damaged store: there is nothing to offer, and the others are not to wait for it
    artifact = _artifact(proxy, row)
    here = (proxy.ledger.load(artifact.disk) if artifact else None) or b""
    texts = [here]
    if repository is not None:
        found = {provenance.blobs_at(repository, tip, [row.at])[row.at] for tip in tips[: provenance.MOST_TIPS]} - {""}
        texts += [blob for blob in gitobjects.objects(repository, sorted(found)).values() if blob]
    wanted = {unit.words for unit in units(text_of(row.path, data))}
    limits = proxy.limits if here.strip() else proxy.limits._replace(small_from=1)
    facts = Facts(row.path, data, here, data, "", limits, high=data, baseline=data)
    facts = with_gains(facts, total(gains(row.path, text_of(row.path, text), wanted) for text in texts))
    return decide(facts, Measures(facts), KEEPING).allowed


def _artifact(proxy: WriteProxy, row: Taken) -> Artifact | None:
    """The artifact by the name it has now; one whose name another took is that one's."""
    rows = proxy.ledger.query("SELECT path FROM artifacts WHERE id=?", (row.artifact,))
    path = str(rows[0][0]) if rows else row.path
    return proxy.ledger.artifact(row.path if "\0" in path else path)


# -- telling ---------------------------------------------------------------------------------------------------


def _offered(proxy: WriteProxy, missing: Sequence[Taken]) -> list[Swept]:
    from firewall.agents.sweep import DROPPED, Swept
    from firewall.writes.notify import held_alerts
    from firewall.writes.proposal import WordCounts, WriteResult

    out: list[Swept] = []
    newest = {row.artifact: row for row in missing}
    for row in [*newest.values(), *(row for row in missing if row not in newest.values())]:
        artifact = _artifact(proxy, row) or _made(proxy, row.path)
        words = _words(proxy, artifact.path, row.sha)
        message = (
            f"{artifact.path}: {amount(words, 'word')} that git took from the work tree stand in no branch, tag or "
            "stash any more, nor in the file."
        )
        finding = Finding(RULE, Outcome.HOLD, message, {"words": words, "commit": row.commit, "blob": row.blob})
        counts = WordCounts(_words(proxy, artifact.path, artifact.disk), words, artifact.mark_words)
        left = max(0, proxy.limits.attempts - artifact.attempts)
        verdict = judge([finding], [RULE])
        result = WriteResult(
            artifact.path, verdict, False, False, artifact.attempts, left, counts, None, by_hash(row.sha)
        )
        held = holding.offer(proxy, result)
        if held:
            said = f"{message} They wait for a person as {held}; `stet approve {held}` brings them back."
            out.append(Swept(artifact.path, DROPPED, result._replace(held=held), said))
    ids = [one.result.held for one in out if one.result]
    holding.together(proxy, ids[: len(newest)])  # a change set has a file once; earlier versions wait each for itself
    for alert in held_alerts(proxy.ledger, ids):
        proxy.tell(alert._replace(reason="the last commit with text that git took from the work tree was dropped"))
    return out


def _made(proxy: WriteProxy, path: str) -> Artifact:
    """An artifact for a name that has none."""
    from firewall.writes import disk, observe

    window = proxy.limits.window_days
    return observe.look(proxy.ledger, path, disk.MISSING, window, proxy.origin(), judged=True).artifact


def _words(proxy: WriteProxy, path: str, sha: str) -> int:
    from firewall.text.words import count_words
    from firewall.writes.prose import text_of

    return count_words(text_of(path, proxy.ledger.load(sha)))
