"""An agent at work in a guarded folder: it runs shell commands, and the disk is looked at after each."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Self

from stet_kit import Book

from firewall.agents import turns
from firewall.agents.sweep import Swept, sweep
from firewall.agents.turns import Turn

SESSION = "s1"


class Agent:
    """A turn of an agent, opened and closed."""

    def __init__(self, book: Book, session: str = SESSION) -> None:
        self.book = book
        self.root = book.root
        self.session = session

    def __enter__(self) -> Self:
        self.proxy = self.book.open(session=self.session)
        turns.open_turn(self.proxy, self.session)
        return self

    def __exit__(self, *_: object) -> None:
        self.proxy.__exit__(None, None, None)

    @property
    def turn(self) -> Turn | None:
        """The turn that is open."""
        return turns.current(self.proxy.ledger, self.proxy.ledger.root_id, self.proxy.origin().at)

    def runs(self, command: str) -> dict[str, Swept]:
        """What became of the files that a command changed, by path."""
        self.shell(command)
        return self.look()

    def shell(self, command: str) -> None:
        """Run it; nobody looks."""
        subprocess.run(["/bin/bash", "-c", command], cwd=self.root, check=False, capture_output=True, timeout=60)

    def look(self) -> dict[str, Swept]:
        """Look at the disk, as after a tool call."""
        turn = self.turn
        assert turn is not None
        swept = sweep(self.proxy, turn, self.session)
        assert len({s.path for s in swept}) == len(swept)
        return {s.path: s for s in swept}

    def path(self, name: str) -> Path:
        """A file of the folder."""
        return self.root / name


def git(root: Path, *words: str) -> str:
    """Run git as a person would, and say what it said."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def committed(root: Path, message: str = "work") -> str:
    """Commit all that is there; the commit's id."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")
