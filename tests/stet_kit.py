"""What the tests of the write firewall share: a project of one's own, the installed `stet`, honest prose.

Every helper keeps to the public face (the command line, `WriteProxy`, `Ledger`, `disk`), so that a test
says what must hold and not how it is done.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from fork_server import forks, import_everything, in_child

from firewall.writes import person, project
from firewall.writes.alerts import Alert
from firewall.writes.database import ONLY, Database
from firewall.writes.ledger import Ledger
from firewall.writes.proxy import WriteProxy, WriteResult

STET = Path(sys.executable).with_name("stet")
"""The installed command of the environment that runs the tests."""

STUB = b"# Notes\n\nTo be continued.\n"
"""What nobody wants in place of a chapter."""


class Done(NamedTuple):
    """A finished command: exit status, standard output and standard error."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


class Home:
    """A user's own home with nothing in it, and the command run from there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.state = folder / "state"
        self.config = folder / "config"
        self.home.mkdir(parents=True, exist_ok=True)

    def environment(self, **more: str | None) -> dict[str, str]:
        """A small environment: no agent, no git variables; None takes a variable away."""
        values: dict[str, str | None] = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.state),
            "XDG_CONFIG_HOME": str(self.config),
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            **more,
        }
        return {key: value for key, value in values.items() if value is not None}

    def stet(
        self,
        *words: str | bytes | Path,
        cwd: Path,
        data: bytes = b"",
        env: Mapping[str, str | None] | None = None,
        prefix: Sequence[str] = (),
    ) -> Done:
        """Run the installed `stet` with `data` on standard input."""
        done = subprocess.run(
            [*prefix, str(STET), *(os.fsdecode(w) for w in words)],
            cwd=cwd,
            env=self.environment(**(env or {})),
            input=data,
            capture_output=True,
            timeout=60,
        )
        out, err = (os.fsdecode(data) for data in (done.stdout, done.stderr))
        return Done(done.returncode, out, err)

    def quick(
        self, *words: str | Path, cwd: Path, data: bytes = b"", env: Mapping[str, str | None] | None = None
    ) -> Done:
        """As `stet`, in a fork of a process that has imported everything: ten times as fast.

        For what does not depend on how the interpreter starts.
        """
        return self._run(forks().run, words, cwd, data, env)

    def forked(
        self, *words: str | Path, cwd: Path, data: bytes = b"", env: Mapping[str, str | None] | None = None
    ) -> Done:
        """As `quick`, in a fork of this process: the command meets what the test has changed in it."""
        return self._run(_fork_here, words, cwd, data, env)

    def _run(
        self,
        run: Callable[[list[str], str, dict[str, str], Sequence[IO[bytes]]], int],
        words: Sequence[str | Path],
        cwd: Path,
        data: bytes,
        env: Mapping[str, str | None] | None,
    ) -> Done:
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(data)
            given.seek(0)
            spoken = [os.fspath(w) for w in words]
            status = run(spoken, os.fspath(cwd), self.environment(**(env or {})), (given, out, err))
            for file in (out, err):
                file.seek(0)
            return Done(status, os.fsdecode(out.read()), os.fsdecode(err.read()))

    def beside(self, *words: str | Path, cwd: Path) -> tuple[int, IO[bytes], IO[bytes]]:
        """As `quick`, and the command goes on beside the test, in a fork of this process: its process, its input to
        write, its output to read."""
        import_everything()
        (given, to), (back, out) = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                os.close(to)
                os.close(back)
                with open(given, "rb") as read, open(out, "wb") as write:
                    status = in_child(
                        [os.fspath(w) for w in words], cwd, self.environment(), (read.fileno(), write.fileno())
                    )
            finally:
                os._exit(status)
        os.close(given)
        os.close(out)
        return pid, open(to, "wb"), open(back, "rb")


def _fork_here(words: list[str], cwd: str, env: dict[str, str], files: Sequence[IO[bytes]]) -> int:
    """Run a command in a fork of this process; its status."""
    import_everything()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            status = in_child(words, cwd, env, [file.fileno() for file in files])
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def at_terminal(
    user: Home,
    cwd: Path,
    *words: str | Path,
    answer: str | None = None,
    passphrase: str = "",
    prefix: Sequence[str] = (),
    program: Sequence[str] = (str(STET),),
    env: Mapping[str, str | None] | None = None,
) -> tuple[int, str]:
    """Run the installed `stet` as a person does, at a terminal: the exit status, and what was shown.

    Types the word asked for, or `answer`; and the passphrase where one is asked for.
    """
    spec = _terminal(user, cwd, [*prefix, *program, *map(os.fspath, words)], answer, passphrase, env)
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(Path(__file__).with_name("terminal.py")), json.dumps(spec)],
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.stdout, done.stderr
    told = json.loads(done.stdout)
    return told["status"], told["out"]


def quick_terminal(
    user: Home,
    cwd: Path,
    *words: str | Path,
    answer: str | None = None,
    passphrase: str = "",
    env: Mapping[str, str | None] | None = None,
) -> tuple[int, str]:
    """As `at_terminal`, in a fork: see `Home.quick`."""
    told = forks().at_terminal(_terminal(user, cwd, list(map(os.fspath, words)), answer, passphrase, env))
    return told["status"], told["out"]


def _terminal(
    user: Home,
    cwd: Path,
    words: list[str],
    answer: str | None,
    passphrase: str,
    env: Mapping[str, str | None] | None,
) -> dict[str, Any]:
    """What terminal.py is told."""
    return {
        "argv": words,
        "env": user.environment(TERM="xterm", **(env or {})),
        "cwd": os.fspath(cwd),
        "answer": answer,
        "passphrase": passphrase,
        "apart": bool(person.agent_above()),
    }


class _Empty(Ledger):
    """A record of no folder yet: its tables and their guards, which take longer to make than most tests."""

    def __init__(self, path: Path) -> None:
        Database.__init__(self, path, 10.0)
        self.folder = path.parent
        self._prepare(expected=False)


@functools.cache
def _empty_record() -> bytes:
    """The bytes of a record as `Ledger` makes it where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger.db")
        _Empty(path).close()
        return path.read_bytes()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class Book:
    """A guarded folder with its own home, used in this process; the clock stands still until told."""

    def __init__(self, folder: Path, rules: Mapping[str, object] | None = None) -> None:
        self.user = Home(folder)
        self.root = folder / "work"
        self.now = time.time()
        self.alerts: list[Alert] = []
        self.root.mkdir(parents=True, exist_ok=True)
        self._rules = rules

    def found(self) -> project.Project:
        """The project, made at first use. The environment must point at this book's home."""
        if not (self.root / "stet.toml").exists():
            project.create(self.root)
            if self._rules:
                set_rules(self.root, self._rules)
        return project.load(self.root)

    def open(self, *, session: str = "") -> WriteProxy:
        """A new proxy, as a new process would have."""
        found = self.found()
        if not found.recorded:  # else a record that is gone would be there again
            with contextlib.suppress(FileExistsError), open(found.state / "ledger.db", "xb", opener=_private) as file:
                file.write(_empty_record())
        return WriteProxy(found, session=session, clock=lambda: self.now, notify=self.alerts.append)

    def write(self, name: str | Path, content: bytes | None, **options: Any) -> WriteResult:
        """One proposal by a proxy of its own."""
        with self.open() as proxy:
            return proxy.write(self.root / name, content, **options)

    def put(self, name: str, content: bytes) -> Path:
        """A person's own file: written past Stet."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    @property
    def state_folder(self) -> Path:
        """Where this project's state is."""
        ident = tomllib.loads((self.root / "stet.toml").read_text("utf-8"))["project"]["id"]
        return self.user.state / "stet" / ident


def edit_record(state: Path, sql: str, values: Sequence[object] = ()) -> None:
    """Change a record as Stet would: what it writes is signed."""
    record = Database(state / "ledger.db", 10.0)
    with record.transaction():
        record.change(sql, values)
    record.close()


def edit_past_stet(state: Path, script: str, *, before: str = "", as_stet: bool = False) -> str:
    """Change a record by a program of one's own, which brings Stet's function along or does not; what SQLite says to
    that. Statements are made one by one, `before` first."""
    said = ""
    with contextlib.closing(sqlite3.connect(state / "ledger.db", isolation_level=None)) as db:
        if as_stet:
            db.create_function(ONLY, 0, int, deterministic=True)
        if before:
            db.execute(before)
        statement = ""
        for part in f"{script};".split(";"):
            statement += f"{part};"
            if sqlite3.complete_statement(statement):
                try:
                    db.execute(statement)
                except sqlite3.Error as error:
                    said += f"{error}\n"
                statement = ""
    return said


def make_older(state: Path, script: str) -> None:
    """Make a record what a version of before would have left, which counted nothing that was written."""
    with sqlite3.connect(state / "ledger.db") as db:
        made = "SELECT type, name FROM sqlite_master WHERE type='trigger' OR name GLOB '*_guard'"
        for kind, name in db.execute(made).fetchall():
            db.execute(f"DROP {kind} {name}")
        db.executescript(f"DROP TABLE writes; UPDATE meta SET value='6' WHERE key='version'; {script}")
    db.close()


class NewBook(Protocol):
    """Makes a guarded folder; rules are keys of [rules]."""

    def __call__(self, name: str = "book", rules: Mapping[str, object] | None = None) -> Book: ...


def set_rules(root: Path, rules: Mapping[str, object]) -> None:
    """Set keys of [rules] in a fresh stet.toml."""
    path = root / "stet.toml"
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in rules.items())
    path.write_text(path.read_text("utf-8").replace("[rules]\n", f"[rules]\n{lines}", 1), "utf-8")


_WORDS = """
harbour ledger copper winter signal garden engine letter bridge window market river carbon shelter paper
lantern meadow anchor valley orchard granite whistle compass furnace barrel cradle ribbon thistle quarry
beacon mortar saddle kettle timber mirror canvas pepper feather hammer basket collar ferry tunnel gravel
turbine archive witness surgeon tenant pilot farmer clerk baker mason weaver
""".split()
_VERBS = "carries follows measures repairs answers divides returns gathers protects observes records".split()


def prose(words: int, seed: int = 1) -> str:
    """Exactly `words` words in sentences and paragraphs with headings; the same text for the same seed."""
    pick = random.Random(seed)
    parts: list[str] = ["# Field notes\n"]
    left = words - 3
    while left > 0:
        lines = []
        for _ in range(5):
            size = min(left, 12)
            if size <= 0:
                break
            body = [pick.choice(_WORDS) for _ in range(size)]
            if size > 4:
                body[1] = pick.choice(_VERBS)
            body[0] = body[0].capitalize()
            lines.append(" ".join(body) + ".")
            left -= size
        parts.append("\n" + "\n".join(lines) + "\n")
    return "".join(parts)


def chapter(words: int = 1200, seed: int = 1) -> bytes:
    """The bytes of `prose`."""
    return prose(words, seed).encode()


def reword(text: bytes, word: bytes = b"today") -> bytes:
    """An honest small edit: the last sentence gets one more word."""
    cut = text.rstrip().rfind(b".")
    return text[:cut] + b" " + word + text[cut:]


def files_below(folder: Path) -> dict[str, bytes]:
    """Every regular file below a folder with its bytes, links as their targets."""
    out = {}
    waits = [""] if folder.is_dir() else []
    while waits:
        above = waits.pop()
        with os.scandir(folder / above) as entries:
            for entry in entries:
                name = f"{above}{entry.name}"
                if entry.is_symlink():
                    out[name] = b"-> " + os.fsencode(os.readlink(entry.path))
                elif entry.is_dir():
                    waits.append(f"{name}/")
                elif entry.is_file():
                    out[name] = Path(entry.path).read_bytes()
    return dict(sorted(out.items()))


def no_leftovers(folder: Path) -> list[str]:
    """Names below a folder that look like temporary files; must be empty."""
    return [name for name in files_below(folder) if name.endswith(".tmp") or ".stet-" in name]


def is_killed(status: int) -> bool:
    """Did the process die of SIGKILL?"""
    return status == -signal.SIGKILL


def bound_by_permissions() -> list[str]:
    """What to put before a command so that file permissions bind it; skips where root cannot do that."""
    import pytest

    if os.geteuid() != 0:
        return []
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
    try:
        probe = subprocess.run([*drop, "true"], capture_output=True, check=False)
    except OSError as error:
        pytest.skip(f"root without setpriv: {error}")
    if probe.returncode != 0:
        pytest.skip("root, and setpriv cannot drop its privilege here")
    return drop
