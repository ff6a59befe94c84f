"""The runtimes that Stet can be installed into, each with the module that knows how."""

from __future__ import annotations

import difflib
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


def scopes(runtime: ModuleType) -> tuple[str, ...]:
    """Whose settings a runtime's hooks can go to: `project`, `local` (the project's, on this machine only), `user`."""
    found: tuple[str, ...] = getattr(runtime, "SCOPES", ("project", "user"))
    return found


class UnknownRuntime(UsageError):
    """A runtime that there is no installer for."""

    code = "unknown-runtime"
    template = "There is no installer for {name!r}."
    next_step = "{meant}Known: {known}. For anything else that writes files, `stet watch` keeps guard."


def module(name: str) -> ModuleType:
    """The installer of a runtime. Raises UnknownRuntime."""
    if name not in RUNTIMES:
        known = [*RUNTIMES, "git"]
        near = difflib.get_close_matches(name.casefold(), known, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UnknownRuntime(name=name, meant=meant, known=", ".join(known))
    return importlib.import_module(f"firewall.agents.install.{name}")
