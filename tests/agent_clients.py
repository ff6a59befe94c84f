"""The real programs of agents, installed once from the npm registry and shared by the tests that drive them.

`program(…)` gives a program's path or skips the test, saying why: no npm, no network, another machine. They are
kept in `.clients/` of the repository, or in the folder that STET_TEST_CLIENTS names.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

_HOME = os.environ.get("HOME", "")  # before the tests get a home of their own: npm's settings are there
_FOLDER = Path(os.environ.get("STET_TEST_CLIENTS") or Path(__file__).parent.parent / ".clients")
_SECONDS = 300


class Client(NamedTuple):
    """One release of one agent: its npm package and the program in it, below node_modules."""

    package: str
    version: str
    program: str
    needs: str = ""  # a program that runs it, such as node


CLAUDE_OLD = Client("@anthropic-ai/claude-code-linux-x64", "2.1.197", "@anthropic-ai/claude-code-linux-x64/claude")
CLAUDE = Client("@anthropic-ai/claude-code-linux-x64", "2.1.332", "@anthropic-ai/claude-code-linux-x64/claude")
CODEX = Client(
    "codex-linux@npm:@openai/codex", "0.171.0-linux-x64", "codex-linux/vendor/x86_64-unknown-linux-musl/bin/codex"
)
GEMINI = Client("@google/gemini-cli", "0.61.0", "@google/gemini-cli/bundle/gemini.js", "node")
OPENCODE = Client("opencode-linux-x64", "1.18.33", "opencode-linux-x64/bin/opencode")
QWEN = Client("@qwen-code/qwen-code", "0.15.10", "@qwen-code/qwen-code/cli.js", "node")
INSPECTOR = Client("@modelcontextprotocol/inspector", "2.12.0", ".bin/mcp-inspector", "node")


def program(client: Client) -> Path:
    """The installed program; skips the test where it cannot be had."""
    if client.needs and not shutil.which(client.needs):
        pytest.skip(f"{client.package} needs {client.needs}, which is not here")
    if "linux-x64" in f"{client.package}{client.version}" and (platform.system(), platform.machine()) != (
        "Linux",
        "x86_64",
    ):
        pytest.skip(f"{client.package} is for Linux on x86-64; this is {platform.system()} on {platform.machine()}")
    folder = _FOLDER / f"{client.package.replace('/', '+').replace(':', '+')}@{client.version}"
    found = folder / "node_modules" / client.program
    with _lock(folder):
        failed = folder / "failed"
        if not (folder / "whole").exists() and not failed.exists():
            problem = _install(client, folder)
            (failed if problem else folder / "whole").write_text(problem, "utf-8")
        if failed.exists():
            problem = failed.read_text("utf-8")
            pytest.skip(f"{client.package}@{client.version} could not be installed: {problem}")
    assert found.exists(), f"{client.package} no longer holds {client.program}"
    return found


def _install(client: Client, folder: Path) -> str:
    """Install a package; '' or why it could not be. A failure is remembered for the rest of the run."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not here"
    words = [
        npm, "install", "--force", "--silent", "--no-audit", "--no-fund", "--ignore-scripts",
        "--prefix", str(folder), f"{client.package}@{client.version}",
    ]  # fmt: skip
    try:
        done = subprocess.run(
            words, env={**os.environ, "HOME": _HOME}, capture_output=True, text=True, timeout=_SECONDS, cwd=folder
        )
    except subprocess.TimeoutExpired:
        return f"npm took longer than {_SECONDS} seconds"
    return "" if done.returncode == 0 else f"npm ended with {done.returncode}: {done.stderr.strip()[-300:]}"


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """One process installs; the others wait."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
