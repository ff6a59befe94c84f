"""What commits and the index change, read from git's objects alone: no work tree, no filter, no network."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from firewall.errors import UsageError
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
    """A commit with what it changes against its first parent; '' as the id stands for the index."""

    id: str
    parent: str
    subject: str
    changes: tuple[Change, ...]


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
    """The commits that `last` has and `first` has not, parents before children."""
    out = repository.run("rev-list", "--reverse", "--topo-order", last, f"^{first}", action="list the commits")
    return out.decode("ascii").split()


def read_commits(repository: Repository, idents: Sequence[str]) -> Iterator[Commit]:
    """The commits with what each changes. Raises ParentMissing, GitFailed."""
    for start in range(0, len(idents), AT_ONCE):
        yield from _read(repository, idents[start : start + AT_ONCE])


def _read(repository: Repository, idents: Sequence[str]) -> list[Commit]:
    known = objects(repository, idents)
    heads = {ident: _head(known[ident] or b"") for ident in idents}
    there = objects(repository, sorted({parent for parent, _ in heads.values() if parent}), contents=False)
    for ident, (parent, _) in heads.items():
        if parent and there[parent] is None:
            raise ParentMissing(commit=ident[:12])
    lines = "".join(f"{ident} {heads[ident][0]}".rstrip() + "\n" for ident in idents)
    words = ["diff-tree", "--stdin", "--root", *_RAW]
    data = lines.encode("ascii")
    try:
        out = repository.run(*words, "-M", data=data, action="compare the commits")
    except GitFailed:  # a clone without its large files: renames by content alone, which reads no file
        out = repository.run(*words, "-M100%", data=data, action="compare the commits")
    changed = _parse(repository, out, idents)
    return [Commit(i, heads[i][0], heads[i][1], changed[i]) for i in idents]


_RAW = ("-r", "-z", "-l2000", "--raw", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=none")


def _head(data: bytes) -> tuple[str, str]:
    """(first parent or '', subject) of a commit object. Its own words count, not a shallow clone's edge."""
    header, _, message = data.partition(b"\n\n")
    parents = [line[7:] for line in header.split(b"\n") if line.startswith(b"parent ")]
    subject = message.strip().split(b"\n", 1)[0].decode("utf-8", "replace")
    return (parents[0].decode("ascii") if parents else ""), subject


def staged(repository: Repository) -> Commit:
    """What the index would commit. A hook's own index (GIT_INDEX_FILE) counts: it is what is being committed."""
    environment = {}
    named = os.environ.get("GIT_INDEX_FILE")
    if named:
        environment["GIT_INDEX_FILE"] = str(repository.top / named)
    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    against = head or repository.run("hash-object", "-t", "tree", "--stdin", data=b"").decode("ascii").strip()
    words = [
        "diff-index",
        "--cached",
        "--ita-invisible-in-index",
        "-M",
        *_RAW,
        against,
    ]  # `git add -N` adds nothing yet
    out = repository.run(*words, environment=environment, action="compare the index with HEAD")
    changes = _parse(repository, out, [""])[""]
    return Commit("", head, "", changes)


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


def objects(repository: Repository, names: Sequence[str], *, contents: bool = True) -> Mapping[str, bytes | None]:
    """Objects by id or `commit:path`, None for what is not there. Without `contents`, what is there is b''."""
    if not names:
        return {}
    question = "--batch" if contents else "--batch-check"
    given = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    out = repository.run("cat-file", question, data=given, action="read the commits")
    found: dict[str, bytes | None] = {}
    place = 0
    for name in names:
        end = out.index(b"\n", place)
        words = out[place:end].rsplit(b" ", 2)
        place = end + 1
        if len(words) < 3 or not words[2].isdigit():
            found[name] = None
            continue
        size = int(words[2])
        found[name] = out[place : place + size] if contents else b""
        place += size + 1 if contents else 0
    return found
