"""Runs the real Claude Code, headless, in a guarded folder, against a scripted API on loopback."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from agent_clients import Client, program
from fake_messages import Block, FakeMessages, Turns, told
from stet_kit import Done, Home, chapter

TOOLS = "Read,Write,Edit,Bash"


class Ran(NamedTuple):
    """A finished run: exit status, what it printed, and what the model was told after each of its answers."""

    status: int
    out: str
    err: str
    told: list[str]


class Guarded:
    """A git repository with long chapters and a short note, guarded, with Claude Code's hooks installed."""

    started_in: Path | None = None
    """Where a session is started, if not in the guarded folder."""

    def __init__(self, folder: Path, client: Client, *install: str, more: Sequence[str] = ()) -> None:
        """`more` are names of chapters beside chapter.md."""
        self.user = Home(folder)
        self.root = folder / "my book"
        self.root.mkdir()
        self.claude = program(client)
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "claude").symlink_to(self.claude)
        self.path = f"{bin_folder}:{os.environ.get('PATH', os.defpath)}"
        self.chapter = self.root / "chapter.md"
        self.chapter.write_bytes(chapter(2500))
        for at, name in enumerate(more):
            (self.root / name).write_bytes(chapter(1500, seed=20 + at))
        self.note = self.root / "note.md"
        self.note.write_bytes(chapter(80, seed=7))
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "the book")
        self.stet_ok("init")
        self.stet_ok("install", "claude", *install)

    def git(self, *words: str) -> str:
        """Run git in the folder; what it printed."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.user.environment(), capture_output=True, text=True, check=True
        )
        return done.stdout

    def stet(self, *words: str, data: bytes = b"") -> Done:
        """Run `stet` in the folder, with `claude` on PATH."""
        return self.user.quick(*words, cwd=self.root, data=data, env={"PATH": self.path})

    def stet_ok(self, *words: str) -> Done:
        """The same, and it must succeed."""
        done = self.stet(*words)
        assert done.status == 0, done
        return done

    def run(
        self,
        script: Turns | Mapping[str, Turns],
        *,
        mode: str = "acceptEdits",
        more: Sequence[str] = (),
        env: Mapping[str, str | None] | None = None,
    ) -> Ran:
        """One headless run of the scripted model."""
        with FakeMessages(script) as api:
            words = [
                str(self.claude), "-p", "do it", "--permission-mode", mode, "--allowedTools", TOOLS, *more,
            ]  # fmt: skip
            done = subprocess.run(
                words,
                cwd=self.started_in or self.root,
                env=self.user.environment(
                    **{
                        "PATH": self.path,
                        "ANTHROPIC_BASE_URL": api.url,
                        "ANTHROPIC_API_KEY": "dummy",
                        "DISABLE_TELEMETRY": "1",
                        "DISABLE_AUTOUPDATER": "1",
                        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                        "CLAUDE_CODE_TMPDIR": str(self.user.folder / "tmp"),
                        **(env or {}),
                    }
                ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=600,
            )
            heard = [told(body) for body in api.requests[1:]]
        return Ran(done.returncode, done.stdout, done.stderr, heard)

    def staging(self) -> list[str]:
        """Names of staging branches."""
        return self.git("for-each-ref", "--format=%(refname:short)", "refs/heads/stet/staging/").split()


def answers(*blocks: Block) -> list[list[Block]]:
    """Turns with one block each."""
    return [[block] for block in blocks]
