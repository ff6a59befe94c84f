"""From what a shell command says it will do to the proposals that this makes: which guarded files, by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from firewall.agents import shell
from firewall.agents.shell import Act
from firewall.agents.shell_words import Word
from firewall.agents.walk import walk
from firewall.values import TYPE_CHECKING
from firewall.writes import disk, protection, used_names
from firewall.writes.proposal import Proposal

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy


def proposals(proxy: WriteProxy, acts: Sequence[Act], start: Path) -> list[Proposal]:
    """What the acts would do to guarded files that are there, each file once; `start` is where the shell begins."""
    found: dict[str, Proposal] = {}
    for act in acts:
        here = Path(os.path.normpath(start / os.path.expanduser(act.folder)))  # noqa: PTH111 - may be no user's
        if act.does == shell.DELETE:
            for name in _named(proxy, act, act.words, here):
                found.setdefault(name, Proposal(proxy.root / name, None))
        elif act.does == shell.MOVE:
            for proposal in _moves(proxy, act, here):
                name = proxy.target(proposal.path).relative
                found.setdefault(name, proposal)
    return list(found.values())


def moved_out(proxy: WriteProxy, acts: Sequence[Act], start: Path) -> dict[str, str]:
    """Guarded files that the acts move to a name that is not guarded, with that name as the command has it."""
    out: dict[str, str] = {}
    for act in acts:
        if act.does == shell.MOVE:
            here = Path(os.path.normpath(start / os.path.expanduser(act.folder)))  # noqa: PTH111 - as above
            for proposal in _moves(proxy, act, here):
                if proposal.content is None and proposal.rename_to is None:
                    out[proxy.target(proposal.path).relative] = act.target
    return out


def _named(proxy: WriteProxy, act: Act, words: Iterable[Word], here: Path) -> list[str]:
    """Guarded files that the words name, those in named folders included where the act is recursive."""
    out: list[str] = []
    for word in words:
        for path in _expanded(word, here):
            if _is_folder(path):
                inside = _below(proxy, path) if act.recursive else []
                out += [n for n in inside if _fits(n, act.names)]
            else:
                name = _guarded(proxy, path)
                if name and _fits(name, act.names):
                    out.append(name)
    return out


def _fits(name: str, patterns: Sequence[str]) -> bool:
    last = name.rsplit("/", 1)[-1]
    return all(fnmatchcase(last.lower(), p.lower()) for p in patterns)


def _expanded(word: Word, here: Path) -> list[Path]:
    text = os.path.expanduser(word.text)  # noqa: PTH111 - pathlib raises where there is no such user
    if not word.pattern:
        return [Path(os.path.normpath(here / text))]
    import glob

    return [here / name for name in glob.glob(text, root_dir=here, recursive=False)]  # noqa: PTH207 - relative names


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


def _below(proxy: WriteProxy, folder: Path) -> list[str]:
    """Guarded files in a folder. Of a folder above the project, all of the project's."""
    real = Path(os.path.realpath(folder))
    names = list(walk(str(proxy.root), proxy.protection).paths())
    if real == proxy.root or proxy.root.is_relative_to(real):
        return sorted(names)
    if not real.is_relative_to(proxy.root):
        return []
    prefix = real.relative_to(proxy.root).as_posix() + "/"
    return sorted(n for n in names if n.startswith(prefix))


def _moves(proxy: WriteProxy, act: Act, here: Path) -> list[Proposal]:
    """A move of guarded files, or over one: a rename where both names are guarded and the new one is free; over
    another file its new content, and what leaves the guarded files is a delete."""
    target = Path(os.path.normpath(here / os.path.expanduser(act.target)))  # noqa: PTH111 - as above
    out: list[Proposal] = []
    for word in act.words:
        for path in _expanded(word, here):
            into = target / path.name if act.into or os.path.isdir(target) else target  # noqa: PTH112 - as below
            if _is_folder(path):
                for name in _below(proxy, path):
                    if (proxy.root / name).is_relative_to(path):
                        out += _moved(proxy, proxy.root / name, into / (proxy.root / name).relative_to(path))
            else:
                out += _moved(proxy, path, into)
    return out


def _moved(proxy: WriteProxy, path: Path, target: Path) -> list[Proposal]:
    old, new = _guarded(proxy, path), proxy.target(target)
    takes = not new.problem and protection.is_protected(new.relative, proxy.protection)
    if old == new.relative:
        return []
    taken = os.path.exists(new.real)  # noqa: PTH110 - as above
    if old and takes and not taken:
        return used_names.proposals(proxy, proxy.root / old, new.real)
    out = []
    if takes and taken and os.path.isfile(path):  # noqa: PTH113 - as above
        out.append(Proposal(new.real, disk.read(Path(os.path.realpath(path)), proxy.limits.max_bytes).data))
    if old:
        out.append(Proposal(proxy.root / old, None))
    return out
