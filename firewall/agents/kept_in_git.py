"""What git's index and last commit have of guarded files that the work tree has not, and no person put there.

A person is told when the agent is done, so that nobody commits or pushes it unseen. What git's objects say counts, not
the marks in the index by which git leaves a file unread.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from firewall.agents import provenance
from firewall.agents.in_index import refused_at, stood, taken_out
from firewall.digest import sha256
from firewall.errors import StetError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.verdict import Outcome

if TYPE_CHECKING:
    from firewall.agents.turns import Turn
    from firewall.writes.git import Repository
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

INDEX, COMMIT = "index", "last commit"
_NAMED = 5
"""Files that are named."""
_JUDGED = 200
"""Texts that are judged anew; honest ones stood in the work tree."""


class Kept(NamedTuple):
    """What the index or the last commit has of a guarded file: `ours` is its path below the project, `blob` the text's
    id there, '' where it has the file no more."""

    where: str
    ours: str
    blob: str
    artifact: Artifact


class _Entry(NamedTuple):
    """A file in the index. `plain`: git compares it with the work tree, and finds it the same."""

    blob: str
    plain: bool


def told(proxy: WriteProxy, turn: Turn | None) -> str:
    """What a person should know of refused text in the index or the last commit when an agent is done; '' where there
    is none, or all of it was told of."""
    from firewall.agents import adopting
    from firewall.writes.git import find_repository

    if turn is None:
        return ""
    try:
        repository = find_repository(proxy.root)
        head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if repository else ""
        then = provenance.commits_then(proxy, turn)
        if repository is None or (head in ("", *then) and not adopting.index_written(proxy.root, turn.opened_at)):
            return ""
        bad = list(_refused(proxy, repository, _differing(proxy, repository, head, then)))
    except (StetError, ValueError):
        return ""
    return _said(bad) if _is_news(proxy, bad) else ""


def _said(bad: Sequence[Kept]) -> str:
    said = []
    for where, how in ((INDEX, "{} takes it out."), (COMMIT, "Commit the work tree's before you push.")):
        texts = [one.ours for one in bad if one.where == where and one.blob]
        if texts:
            what = f"Git's {where} has a refused text of {_names(texts)}; the work tree has not."
            said.append(f"{what} {how.format(taken_out(*texts[:_NAMED]))}")
    for where, how in ((INDEX, "{} gives it back."), (COMMIT, "Add and commit the work tree's before you push.")):
        gone = [one.ours for one in bad if one.where == where and not one.blob]
        if gone:
            what = f"Git's {where} has {_names(gone)} no more; the work tree has."
            said.append(f"{what} {how.format(taken_out(*gone[:_NAMED]))}")
    return " ".join(said)


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" and others" if len(names) > _NAMED else "")


def _differing(proxy: WriteProxy, repository: Repository, head: str, then: Sequence[str]) -> list[Kept]:
    """What the index has otherwise than the last commit, and that than those of when the turn began, where the work
    tree has the file, as git compares it, otherwise too."""
    index = _index(repository)
    staged = _names_of(repository, "diff-index", "--cached", "--name-only", head) if head else set(index)
    made = _made(repository, head, then) if head else set()
    paths = [path for path in sorted(staged | made) if path.startswith(repository.prefix) and "\n" not in path]
    there = provenance.blobs_at(repository, head, paths) if head and paths else {}
    out = []
    for path in paths:
        ours = path.removeprefix(repository.prefix)
        artifact = proxy.ledger.artifact(ours)
        if artifact is None or not artifact.disk:
            continue
        entry, committed = index.get(path), there.get(path, "")
        if entry is not None and not entry.plain:
            out.append(Kept(INDEX, ours, entry.blob, artifact))
        elif entry is None and committed:
            out.append(Kept(INDEX, ours, "", artifact))
        if path in made and not (entry is not None and entry.plain and entry.blob == committed):
            out.append(Kept(COMMIT, ours, committed, artifact))
    return out


def _index(repository: Repository) -> dict[str, _Entry]:
    """The project's files in the index, by path from the top of the repository; those with conflicts without a text."""
    changed = _names_of(repository, "diff-files", "--name-only")
    out = {}
    for line in _split(repository.run("ls-files", "-s", "-v", "-z", "--full-name", action="read the index")):
        head, _, path = line.partition("\t")
        mark, _, blob, stage = head.split(" ")
        conflict = stage != "0"  # judged once it is resolved (unmerged.py)
        out[path] = _Entry("" if conflict else blob, conflict or (mark == "H" and path not in changed))
    return out


def _made(repository: Repository, head: str, then: Sequence[str]) -> set[str]:
    """The paths that commits changed which the turn began without."""
    if head in then:
        return set()
    lines = "".join(f"{one}\n" for one in (head, *(f"^{one}" for one in then if one))).encode("ascii")
    new = repository.walk("rev-list", "--stdin", data=lines, action="look")
    words = ("diff-tree", "--stdin", "-r", "-m", "--root", "--no-commit-id", "--name-only", "--no-renames", "-z")
    return set(_split(repository.run(*words, data=new, action="compare the commits"))) if new else set()


def _names_of(repository: Repository, command: str, *words: str) -> set[str]:
    return set(_split(repository.run(command, "-z", "--no-renames", *words, action="compare the index")))


def _split(out: bytes) -> Iterator[str]:
    return filter(None, out.decode("utf-8", "surrogateescape").split("\0"))


def _refused(proxy: WriteProxy, repository: Repository, some: Sequence[Kept]) -> Iterator[Kept]:
    """Those that are gone there, or whose text was refused, or is by the rules as they are."""
    from firewall.writes import gitobjects

    sizes = gitobjects.sizes(repository, [one.blob for one in some if one.blob])
    read = {blob for blob, size in sizes.items() if size is not None and size <= proxy.limits.max_bytes}
    data = gitobjects.objects(repository, sorted(read))
    hasher = provenance.hash_name(repository) if some else ""
    committed = {one.ours: one.blob for one in some if one.where == COMMIT}
    judged = 0
    for one in some:
        if not one.blob:
            if one.where == COMMIT or one.ours not in committed:
                yield one
            continue
        text = data.get(one.blob)
        if text is None or one.blob in provenance.blobs(hasher, proxy.ledger.load(one.artifact.disk)):
            continue
        if one.where == INDEX and committed.get(one.ours) == one.blob:
            continue  # told of as the commit's
        sha = sha256(text)
        if refused_at(proxy.ledger, one.artifact.id, sha) is not None:
            yield one
        elif judged < _JUDGED and not stood(proxy.ledger, one.artifact.id, sha):
            judged += 1
            if _is_refused_now(proxy, one, sha, text):
                yield one


def _is_refused_now(proxy: WriteProxy, one: Kept, sha: str, text: bytes) -> bool:
    """Do the rules refuse a text that never stood in the work tree? Then it is noted in the journal, as nobody's
    attempt."""
    result = proxy.check(proxy.root / one.ours, text)
    if result.verdict.outcome < Outcome.HOLD:
        return False
    origin = proxy.origin()
    with proxy.ledger.transaction():
        proxy.ledger.save(sha, text)
        proxy.ledger.append(
            "refuse", origin.at, artifact=one.artifact.id, old=one.artifact.disk, new=sha, session=origin.session,
            source=origin.source, data={"findings": [f.to_json() for f in result.verdict.findings], "attempt": 0},
        )  # fmt: skip
    return True


def _is_news(proxy: WriteProxy, bad: Sequence[Kept]) -> bool:
    """Is there any, and was not just this told of?"""
    key = f"in-index-{proxy.ledger.root_id}"
    now, before = json.dumps([[one.where, one.ours, one.blob] for one in bad]), proxy.ledger.meta(key) or "[]"
    if now != before:
        with proxy.ledger.transaction(durable=False):
            proxy.ledger.set_meta(key, now)
    return bool(bad) and now != before
