"""The runtimes that Stet can be installed into, each with the module that knows how."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Final

from firewall.errors import UsageError

RUNTIMES: Final = {
    "claude": "Claude Code",
    "codex": "Codex CLI",
    "gemini": "Gemini CLI",
    "opencode": "opencode",
    "qwen": "Qwen Code",
    "cursor": "Cursor",
    "cline": "Cline",
    "windsurf": "Windsurf",
    "copilot": "GitHub Copilot",
    "kimi": "Kimi CLI",
}


class UnknownRuntime(UsageError):
    """A runtime that there is no installer for."""

    code = "unknown-runtime"
    template = "There is no installer for {name!r}."
    next_step = "Known: {known}. For anything else that writes files, `stet watch` keeps guard."


def module(name: str) -> ModuleType:
    """The installer of a runtime. Raises UnknownRuntime."""
    if name not in RUNTIMES:
        raise UnknownRuntime(name=name, known=", ".join([*RUNTIMES, "git"]))
    return importlib.import_module(f"firewall.agents.install.{name}")
