"""What every runtime's installer is given and gives back."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from firewall.errors import UsageError
from firewall.values import NamedTuple
from firewall.writes.lock import FileLock

SCOPES = ("project", "local", "user")
SECONDS = 30.0
"""How long one install waits for another."""
GOES_ON = "At a trip the run is not ended: the file stays refused, and the model is told to go on with other work."
"""What `gaps` says of a runtime that no hook can stop."""


class NoHookProgram(UsageError):
    """The hook's own program cannot be found."""

    code = "no-hook-program"
    template = "The program stet-hook is not beside this Python ({folder}) and not on PATH."
    next_step = "Install stet-firewall into an environment that stays, and run its own `stet install`."


class Setup(NamedTuple):
    """Whose settings get which hook.

    `root` is the guarded folder, `state` its record; `home` the user's home. `scope` says whose settings: the
    project's, the project's on this machine only, or the user's. `program` is the absolute path of stet-hook.
    `version` is the runtime's, () when it is not known. `python` runs the program, where it is a script. `url` and
    `token` name a running `stet serve`.

    Settings of a project hold Stet's hooks for that project alone. Those of the user hold a group for every project
    that was installed there, each for its own folder: such a command says `--user`, and keeps silent in sessions
    that have nothing to do with its folder.
    """

    root: Path
    state: Path
    home: Path
    program: str
    scope: str = "project"
    version: tuple[int, ...] = ()
    url: str = ""
    token: str = ""
    python: str = ""

    def command(self, runtime: str) -> str:
        """The hook's command line for a shell. It carries the record's path, so that no changed HOME brings another."""
        isolated = [self.python, "-I"] if self.python else []  # no PYTHON* variable of the agent's counts in the hook
        words = [*isolated, self.program, runtime, "--state", str(self.state), "--root", str(self.root)]
        return shlex.join([*words, "--user"] if self.scope == "user" else words)

    def owns(self, command: object) -> bool:
        """Is this command line one that Stet put into settings of this scope, for this folder?

        In the user's settings one for this folder by an older name counts as well: it is gone, and the record is ours.
        """
        if not is_ours(command):
            return False
        root, state = named(str(command))
        if self.scope != "user" or root == str(self.root):
            return True
        return state == str(self.state) and not os.path.lexists(root)


class Done(NamedTuple):
    """What an installer did: files written or removed, and what a person should know."""

    files: tuple[Path, ...] = ()
    said: tuple[str, ...] = ()


class Hook(NamedTuple):
    """A hook found in settings: the file, the event it is for, its command line or address, and whose settings they
    are: one of SCOPES, or `plugin`."""

    file: Path
    event: str
    command: str
    scope: str = "project"


def alone(setup: Setup) -> FileLock:
    """To be held while settings are read, changed and written: of two projects that are installed at once into the same
    file, one would be lost and told that it is in. Entering it raises Busy."""
    return FileLock(setup.state.parent / "install.lock", SECONDS, "A settings file of your agents")


def hook_program() -> str:
    """The absolute path of stet-hook: beside the running Python, else on PATH. Raises NoHookProgram."""
    beside = Path(sys.executable).parent / "stet-hook"
    found = str(beside) if beside.is_file() else shutil.which("stet-hook")
    if not found:
        raise NoHookProgram(folder=beside.parent)
    return str(Path(found).absolute())


def interpreter(program: str) -> str:
    """The Python that a script of pip's is run with, '' where the program is none."""
    try:
        with open(program, "rb") as file:  # noqa: PTH123 - two bytes and a line
            first = file.readline(4096)
    except OSError:
        return ""
    words = first[2:].decode("utf-8", "replace").strip()
    is_python = first.startswith(b"#!") and Path(words).name.startswith("python") and Path(words).is_file()
    return words if is_python else ""


def places(
    setup: Setup, file: Callable[[Setup], Path], scopes: Sequence[str] = ("project", "user")
) -> tuple[Path, ...]:
    """Where a settings file may be: the project's, the user's."""
    return tuple(dict.fromkeys(file(setup._replace(scope=scope)) for scope in scopes))


def scoped(
    setup: Setup, file: Callable[[Setup], Path], scopes: Sequence[str] = ("project", "user")
) -> Iterator[tuple[Setup, Path]]:
    """Each place of a settings file with the setup of its scope. In a project that is the user's home they are one
    file, and the user's."""
    found: dict[Path, Setup] = {}
    for scope in scopes:
        found[file(setup._replace(scope=scope))] = setup._replace(scope=scope)
    for path, one in found.items():
        yield one, path


def missing(runtime: str, events: Sequence[str], hooks: Sequence[Hook]) -> tuple[str, ...]:
    """Where the settings lack Stet's hook for some of the events: a sentence saying so."""
    there = {hook.event for hook in hooks}
    lacking = [event for event in events if event not in there]
    if not lacking:
        return ()
    return (f"The settings lack Stet's hook for {', '.join(lacking)}; run `stet install {runtime}` again.",)


def is_ours(command: object) -> bool:
    """Is this command line one that Stet put there? Known by its program's name."""
    if not isinstance(command, str):
        return False
    words = _words(command)
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words.pop(0)
    if len(words) > 2 and words[1] == "-I":
        words = words[2:]
    return bool(words) and Path(words[0]).name in ("stet-hook", "stet-hook.exe")


def named(command: str) -> tuple[str, str]:
    """The guarded folder and the record that a hook's command line names, '' where it names none."""
    words = _words(command)
    given = dict(itertools.pairwise(words))
    return given.get("--root", ""), given.get("--state", "")


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []
