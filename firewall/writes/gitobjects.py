"""What commits and the index change, read from git's objects alone: no work tree, no filter, no network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from firewall.errors import UsageError
from firewall.values import NamedTuple
from firewall.writes.git import GitFailed, Repository

REGULAR = ("100644", "100755", "100664")
"""Modes of plain files; links, submodules and folders are nobody's prose."""
AT_ONCE = 50
"""Commits whose blobs are read together."""


class BadRange(UsageError):
    """A range that is none."""

    code = "bad-range"
    template = "{text!r} is no range of commits."
    next_step = "Say A..B: the commits that B has and A has not, each judged against its parent."


class ParentMissing(GitFailed):
    """A commit at the edge of a shallow clone: what it changed cannot be known."""

    code = "parent-missing"
    template = "The parent of commit {commit} is not in this clone, so nobody can say what the commit changed."
    next_step = "Fetch more history first: `git fetch --unshallow`, or fetch-depth: 0 in a CI checkout."


class HistoryMissing(ParentMissing):
    """A range, or a merge, whose history a shallow clone cuts off."""

    code = "history-missing"
    template = "Commit {commit} is not in this clone, so nobody can say which commits there are to judge."


class Change(NamedTuple):
    """One path that a commit changes: before and after, with blob ids ('' for no plain file there).

    `old_path` differs from `path` for a rename. `status` is git's letter: A, D, M, R, T or U.
    """

    old_path: str
    path: str
    old_blob: str
    new_blob: str
    status: str


class Commit(NamedTuple):
    """A commit with what it changes against its first parent; '' as the id stands for the index.

    `others` are the further parents of a merge.
    """

    id: str
    parent: str
    subject: str
    changes: tuple[Change, ...]
    others: tuple[str, ...] = ()


def resolve(repository: Repository, revision: str) -> str:
    """The id of the commit that a revision names. Raises GitFailed."""
    found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if not found:
        reason = f"{revision!r} names no commit here"
        raise GitFailed(action=f"find {revision!r}", reason=reason, command="log --oneline")
    return found


def ends(repository: Repository, text: str) -> tuple[str, str]:
    """The ids of both ends of `A..B`; an empty end is HEAD. Raises BadRange, GitFailed."""
    first, dots, last = text.partition("..")
    if not dots or last.startswith("."):
        raise BadRange(text=text)
    return resolve(repository, first or "HEAD"), resolve(repository, last or "HEAD")


def commits_between(repository: Repository, first: str, last: str) -> list[str]:
    """The commits that `last` has and `first` has not, parents before children. Raises ParentMissing, GitFailed."""
    try:
        out = repository.run("rev-list", "--reverse", "--topo-order", last, f"^{first}", action="list the commits")
    except GitFailed as error:
        cut = _CUT.search(str(error))
        if cut:
            raise HistoryMissing(commit=cut[1][:12]) from None
        raise
    return out.decode("ascii").split()


_CUT = re.compile(r"Could not read ([0-9a-f]{12,})")


def read_commits(repository: Repository, idents: Sequence[str]) -> Iterator[Commit]:
    """The commits with what each changes. Raises ParentMissing, GitFailed."""
    for start in range(0, len(idents), AT_ONCE):
        yield from _read(repository, idents[start : start + AT_ONCE])


def _read(repository: Repository, idents: Sequence[str]) -> list[Commit]:
    known = objects(repository, idents)
    heads = {ident: _head(known[ident] or b"") for ident in idents}
    there = sizes(repository, sorted({parent for parents, _ in heads.values() for parent in parents}))
    for ident, (parents, _) in heads.items():
        if any(there[parent] is None for parent in parents):
            raise ParentMissing(commit=ident[:12])
    lines = "".join(" ".join((ident, *heads[ident][0][:1])) + "\n" for ident in idents)
    out = _compared(repository, ["diff-tree", "--stdin", "--root", *_RAW], lines.encode("ascii"))
    changed = _parse(repository, out, idents)
    made = []
    for ident, (parents, subject) in heads.items():
        made.append(Commit(ident, parents[0] if parents else "", subject, changed[ident], parents[1:]))
    return made


def changes_between(repository: Repository, old: str, new: str) -> tuple[Change, ...]:
    """What is different in the commit `new` ('' for the index) from the commit `old`. Raises GitFailed."""
    if not new:
        return _staged_against(repository, old)
    out = _compared(repository, ["diff-tree", *_RAW, old, new], None)
    return _parse(repository, out, [""])[""]


def merge_bases(repository: Repository, one: str, other: str) -> list[str]:
    """The best common ancestors of two commits, none for histories that never met. Raises ParentMissing."""
    status, out, err = repository.answer("merge-base", "--all", one, other)
    if status > 1:
        cut = _CUT.search(err)
        raise HistoryMissing(commit=cut[1][:12] if cut else other[:12])
    return out.decode("ascii").split()


def policies(repository: Repository, commit: str, name: str) -> list[str]:
    """The paths, from the top of the repository, of all files of this name in a commit."""
    out = repository.run("ls-tree", "-r", "-z", "--full-tree", "--name-only", commit, action="list the files")
    paths = (path.decode("utf-8", "surrogateescape") for path in out.split(b"\0"))
    return [path for path in paths if path.rsplit("/", 1)[-1] == name]


def _compared(repository: Repository, words: list[str], data: bytes | None) -> bytes:
    try:
        return repository.run(*words[:1], "-M", *words[1:], data=data, action="compare the commits")
    except GitFailed:  # a clone without its large files: renames by content alone, which reads no file
        return repository.run(*words[:1], "-M100%", *words[1:], data=data, action="compare the commits")


_RAW = ("-r", "-z", "-l2000", "--raw", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=none")


def _head(data: bytes) -> tuple[tuple[str, ...], str]:
    """(parents, subject) of a commit object. Its own words count, not a shallow clone's edge."""
    header, _, message = data.partition(b"\n\n")
    parents = tuple(line[7:].decode("ascii") for line in header.split(b"\n") if line.startswith(b"parent "))
    return parents, message.strip().split(b"\n", 1)[0].decode("utf-8", "replace")


def parents(repository: Repository, commits: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The parents that each of the commits names, there or not; those that are no commits are left out."""
    out = (
        repository.run("cat-file", "--batch-check=%(objectname) %(objecttype)", data=_lines(commits), action="look")
        if commits
        else b""
    )
    names = [line.split(" ")[0] for line in out.decode("ascii", "replace").split("\n") if line.endswith(" commit")]
    return {name: _head(data)[0] for name, data in objects(repository, names).items() if data is not None}


def staged(repository: Repository) -> Commit:
    """What the index would commit, as a merge where one is under way. A hook's own index (GIT_INDEX_FILE) counts: it
    is what is being committed."""
    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    against = head or repository.run("hash-object", "-t", "tree", "--stdin", data=b"").decode("ascii").strip()
    merging = repository.top / repository.ask("rev-parse", "--git-path", "MERGE_HEAD")
    others = tuple(merging.read_text("ascii", "replace").split()) if merging.is_file() else ()
    return Commit("", head, "", _staged_against(repository, against), others)


def _staged_against(repository: Repository, against: str) -> tuple[Change, ...]:
    environment = {}
    named = os.environ.get("GIT_INDEX_FILE")
    if named:
        environment["GIT_INDEX_FILE"] = str(repository.top / named)
    words = [
        "diff-index",
        "--cached",
        "--ita-invisible-in-index",
        "-M",
        *_RAW,
        against,
    ]  # `git add -N` adds nothing yet
    out = repository.run(*words, environment=environment, action="compare the index with HEAD")
    return _parse(repository, out, [""])[""]


def _parse(repository: Repository, out: bytes, idents: Iterable[str]) -> dict[str, tuple[Change, ...]]:
    """Raw diff output under commit headers, paths cut to those below the project."""
    changed: dict[str, list[Change]] = {ident: [] for ident in idents}
    fields = iter(out.split(b"\0"))
    current = ""
    for field in fields:
        if not field.startswith(b":"):
            current = field.decode("ascii").strip() or current
            continue
        old_mode, new_mode, old_blob, new_blob, status = field[1:].decode("ascii").split(" ")
        first = next(fields).decode("utf-8", "surrogateescape")
        last = next(fields).decode("utf-8", "surrogateescape") if status[0] in "RC" else first
        change = Change(
            _below(repository, first),
            _below(repository, last),
            old_blob if old_mode in REGULAR and status[0] != "C" else "",
            new_blob if new_mode in REGULAR else "",
            status[0],
        )
        changed[current].append(change)
    return {ident: tuple(changes) for ident, changes in changed.items()}


def _below(repository: Repository, path: str) -> str:
    """A path below the project; '' for one outside of it."""
    return path.removeprefix(repository.prefix) if path.startswith(repository.prefix) else ""


def objects(repository: Repository, names: Sequence[str]) -> Mapping[str, bytes | None]:
    """Objects by id or `commit:path`, None for what is not there."""
    if not names:
        return {}
    out = repository.run("cat-file", "--batch", data=_lines(names), action="read the commits")
    found: dict[str, bytes | None] = {}
    place = 0
    for name in names:
        end = out.index(b"\n", place)
        size = _size(out[place:end])
        place = end + 1
        found[name] = None if size is None else out[place : place + size]
        place += 0 if size is None else size + 1
    return found


def sizes(repository: Repository, names: Sequence[str]) -> Mapping[str, int | None]:
    """How many bytes each object has, None for what is not there. Reads none of them."""
    if not names:
        return {}
    out = repository.run("cat-file", "--batch-check", data=_lines(names), action="read the commits")
    return {name: _size(line) for name, line in zip(names, out.splitlines(), strict=True)}


def _lines(names: Sequence[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")


def _size(header: bytes) -> int | None:
    """The size that git says an object has, in the line before its content."""
    words = header.rsplit(b" ", 2)
    return int(words[2]) if len(words) == 3 and words[2].isdigit() else None
