"""No test sees the user's own home, agent or git settings; each project has its own state."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from stet_kit import Book, Home, NewBook

LONGEST = (
    "test_adversary.py", "test_same_verdict.py", "test_other_stories.py", "test_claude_stories.py",
    "test_where_sessions_start.py", "test_told_stories.py", "test_mcp_inspector.py", "test_kills.py",
    "test_run_book.py", "test_faults.py", "test_watch.py", "test_many_writers.py", "test_operator_terminal.py",
)  # fmt: skip
"""Files whose tests take longest. They begin early, so that no worker is left alone with one at the end."""

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that must be free in memory before the tests' projects go there."""

settings.register_profile("stet", deadline=None)  # the disk and two cores shared with others set the pace
settings.load_profile("stet")


def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: real agents, watchers and locks wait a lot. Each worker collects all tests,
    which takes eight seconds of processor time, and imports whatever is slow to import."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") or (os.cpu_count() or 1) + 2)


def pytest_configure(config: pytest.Config) -> None:
    """Projects of the tests lie in memory where it is large enough: each commit waits for the disk several times. Not
    those of the benchmarks, which measure that."""
    if not config.option.basetemp and config.option.markexpr != "bench" and _fits(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def _fits(folder: Path) -> bool:
    """Is there room, and may programs be run there and files have attributes as on a disk?"""
    try:
        had = os.statvfs(folder)
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            os.setxattr(file.name, "user.stet", b"x")
    except (OSError, AttributeError):
        return False
    return had.f_bavail * had.f_frsize >= ROOM and not had.f_flag & os.ST_NOEXEC


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Assertions are rewritten once for all workers: each does its share and reads what the others kept.

    A module takes a tenth of a second, and each worker needs every one. Bytecode is written even where the
    environment asks for none (it is next to the tests, and git does not see it).
    """
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        if hasattr(session.config, "workerinput"):
            _rewrite_a_share(session.config, session.config.workerinput)
        return (yield)
    finally:
        sys.dont_write_bytecode = kept


def _rewrite_a_share(config: pytest.Config, worker: Mapping[str, str | int]) -> None:
    """Import every n-th test module that is asked for, and wait until the other workers have done so."""
    asked = [Path(config.invocation_params.dir, arg.partition("::")[0]) for arg in config.args]
    files = sorted({path for one in asked for path in ([one] if one.is_file() else one.rglob("test_*.py"))})
    count, number = int(worker["workercount"]), int(str(worker["workerid"]).removeprefix("gw"))
    for path in files[number % count :: count]:
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        with contextlib.suppress(Exception, pytest.skip.Exception):  # the collector says what is wrong with it
            importlib.import_module(path.stem)
    done = Path(tempfile.gettempdir(), f"stet-tests-{worker['testrunuid']}")
    done.mkdir(exist_ok=True)
    (done / str(number)).touch()
    until = time.monotonic() + 60  # then every worker does what is missing by itself
    while len(list(done.iterdir())) < count and time.monotonic() < until:
        time.sleep(0.02)
    config.add_cleanup(lambda: _remove(done, str(number)))


def _remove(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with contextlib.suppress(OSError):  # the last one takes the folder
        folder.rmdir()


def pytest_collection_finish() -> None:
    """Modules and ten thousand tests stay to the end: nobody looks for garbage among them, in forks neither."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, each with some of the rest, so that what waits and what computes share the cores all along.

    The longest are through with half of the rest. pyproject.toml has them handed out one by one (`--maxschedchunk`).
    """
    order = {name: number for number, name in enumerate(LONGEST)}
    longest = sorted((i for i in items if i.path.name in order), key=lambda i: order[i.path.name])
    rest = [item for item in items if item.path.name not in order]
    share = len(rest) // (2 * len(longest)) if longest else 0
    items[:] = [one for n, item in enumerate(longest) for one in (item, *rest[n * share : (n + 1) * share])]
    items += rest[len(longest) * share :]


@pytest.fixture(autouse=True, scope="session")
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever runs the tests, an agent's shell or a git hook, is not what they measure."""
    from firewall.writes import person

    kept = dict(os.environ)
    folder = tmp_path_factory.mktemp("user")
    (folder / "home").mkdir()
    for name in list(os.environ):
        if name.startswith("GIT_") or name in person.AGENT_VARIABLES:
            del os.environ[name]
    os.environ["HOME"] = str(folder / "home")
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
    os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
    yield
    os.environ.clear()
    os.environ.update(kept)


@pytest.fixture
def user(tmp_path: Path) -> Home:
    """A user with an empty home, for running the installed `stet`."""
    from stet_kit import Home

    return Home(tmp_path)


@pytest.fixture
def new_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NewBook:
    """Makes guarded folders below tmp_path whose state is there as well."""

    from stet_kit import Book

    def make(name: str = "book", rules: Mapping[str, object] | None = None) -> Book:
        made = Book(tmp_path / name, rules)
        monkeypatch.setenv("HOME", str(made.user.home))
        monkeypatch.setenv("XDG_STATE_HOME", str(made.user.state))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(made.user.config))
        made.found()
        return made

    return make


@pytest.fixture
def book(new_book: NewBook) -> Book:
    """A guarded folder."""
    return new_book()
