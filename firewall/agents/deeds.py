"""From what a shell command says it will do to the proposals that this makes: which guarded files, by name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from firewall.agents import shell
from firewall.agents.naming import LONGEST, Names
from firewall.agents.shell import Act
from firewall.values import TYPE_CHECKING
from firewall.writes import disk, protection, used_names
from firewall.writes.proposal import Proposal

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy


def proposals(proxy: WriteProxy, acts: Sequence[Act], start: Path) -> tuple[list[Proposal], dict[str, str]]:
    """What the acts together would do to guarded files that are there, each file once; and those that they move to a
    name that is not guarded, with that name as the command has it. `start` is where the shell begins."""
    stands, called = _after(proxy, acts, start)
    found: dict[str, Proposal] = {}
    out: dict[str, str] = {}
    moved_to: dict[str, str] = {}
    for place, file in stands.items():
        if file is not None:
            moved_to.setdefault(str(file), place)
    for place, file in stands.items():
        old = _guarded(proxy, Path(place))
        if file is not None and str(file) != place:
            if old or (_takes(proxy, place) and not os.path.lexists(place) and _is_taken(proxy, file, stands)):
                data = disk.read(Path(os.path.realpath(file)), proxy.limits.max_bytes).data
                found.setdefault(proxy.target(Path(place)).relative, Proposal(Path(place), data))
        elif old and file is None:
            new = moved_to.get(place, "")
            if new and _takes(proxy, new) and not os.path.exists(new):  # noqa: PTH110 - as below
                for one in used_names.proposals(proxy, Path(place), Path(new)):
                    found.setdefault(proxy.target(one.path).relative, one)
                continue
            found.setdefault(old, Proposal(Path(place), None))
            if new and not _takes(proxy, new):
                out[old] = called[new]
    return list(found.values()), out


def _after(proxy: WriteProxy, acts: Sequence[Act], start: Path) -> tuple[dict[str, Path | None], dict[str, str]]:
    """The places that the acts change: which file of now stands there after all of them, None for none; and what the
    command calls each place that something is moved to."""
    stands: dict[str, Path | None] = {}
    called: dict[str, str] = {}
    names = Names(proxy)
    for act in acts:
        here = Path(os.path.normpath(start / os.path.expanduser(act.folder)))  # noqa: PTH111 - may be no user's
        if act.does == shell.DELETE:
            named = [str(proxy.root / name) for name in _named(proxy, names, act, here)]
            again = [_place(proxy, path) for word in act.words if not word.pattern for path in names.paths(word, here)]
            stands |= dict.fromkeys([*named, *(place for place in again if place in stands)])
        elif act.does == shell.MOVE:
            for path, target in _moves(proxy, names, act, here):
                old, new = _place(proxy, path), _place(proxy, target)
                file = stands[old] if old in stands else path if os.path.isfile(path) else None  # noqa: PTH113
                if old != new and file is not None:
                    stands |= {new: file, old: None}
                    called[new] = act.target
    return stands, called


def _place(proxy: WriteProxy, path: Path) -> str:
    """One word for a place, whichever way a command names it; a link is a place of its own."""
    target = proxy.target(path)
    inside = not target.problem and not os.path.islink(path)  # noqa: PTH114 - as below
    return str(proxy.root / target.relative if inside else path)


def _takes(proxy: WriteProxy, place: str) -> bool:
    """Is a file guarded that stands there?"""
    target = proxy.target(Path(place))
    return not target.problem and protection.is_protected(target.relative, proxy.protection)


def _is_taken(proxy: WriteProxy, file: Path, stands: Mapping[str, Path | None]) -> bool:
    """Is it a guarded file whose name another has by then?"""
    return bool(_guarded(proxy, file)) and stands.get(_place(proxy, file)) is not None


def _named(proxy: WriteProxy, names: Names, act: Act, here: Path) -> list[str]:
    """Guarded files that the words name, those in named folders included where the act is recursive."""
    out: list[str] = []
    for word in act.words:
        for path in names.paths(word, here):
            if _is_folder(path):
                inside = names.below(path) if act.recursive else []
                out += [n for n in inside if _fits(n, act.names)]
            else:
                name = _guarded(proxy, path)
                if name and _fits(name, act.names):
                    out.append(name)
    return out


def _fits(name: str, patterns: Sequence[str]) -> bool:
    last = name.rsplit("/", 1)[-1]
    return all(len(p) <= LONGEST and fnmatchcase(last.lower(), p.lower()) for p in patterns)


def _guarded(proxy: WriteProxy, path: Path) -> str:
    """The guarded file's name below the project, '' for anything else. A link to one is not the file."""
    if os.path.islink(path):  # noqa: PTH114 - as below
        return ""
    target = proxy.target(path)
    if target.problem or not protection.is_protected(target.relative, proxy.protection):
        return ""
    return target.relative if os.path.isfile(target.real) else ""  # noqa: PTH113 - as below


def _is_folder(path: Path) -> bool:
    """No link to one. A Path's own questions raise where the path is longer than the system takes."""
    return os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114


def _moves(proxy: WriteProxy, names: Names, act: Act, here: Path) -> list[tuple[Path, Path]]:
    """The files that a move moves, each with the place that it gets."""
    target = Path(os.path.normpath(here / os.path.expanduser(act.target)))  # noqa: PTH111 - as above
    out: list[tuple[Path, Path]] = []
    for word in act.words:
        for path in names.paths(word, here):
            into = target / path.name if act.into or os.path.isdir(target) else target  # noqa: PTH112 - as above
            if _is_folder(path):
                inside = [proxy.root / name for name in names.below(path)]
                out += [(file, into / file.relative_to(path)) for file in inside if file.is_relative_to(path)]
            else:
                out.append((path, into))
    return out
