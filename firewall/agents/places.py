"""Which file a runtime's path means, and whether it is one that Stet answers for."""

from __future__ import annotations

import os
from pathlib import Path

from firewall.agents.events import Event, ToolCall
from firewall.values import TYPE_CHECKING
from firewall.writes import protection
from firewall.writes.paths import BOOK_FILE, POLICY_FILE, Target

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy


def full(proxy: WriteProxy, event: Event, call: ToolCall | None, path: str) -> Path:
    """The path as the runtime means it: below the call's working folder, else the event's, else the project."""
    start = event.cwd or str(proxy.root)
    if call is not None and call.workdir:
        start = os.path.join(start, call.workdir)  # noqa: PTH118 - text from a runtime
    return Path(os.path.join(start, os.path.expanduser(path)))  # noqa: PTH118, PTH111 - as above


def target(proxy: WriteProxy, event: Event, call: ToolCall | None, path: str) -> Target:
    """The artifact that the path names."""
    return proxy.target(full(proxy, event, call, path))


def is_ours(proxy: WriteProxy, named: Target) -> bool:
    """Is it a guarded file, a policy file, or a part of Stet's record?"""
    state = Path(os.path.realpath(proxy.state))
    if named.real == state or named.real.is_relative_to(state):
        return True
    if not named.real.is_relative_to(proxy.root) or named.real == proxy.root:
        return False
    relative = named.real.relative_to(proxy.root).as_posix()
    policy = named.real.name.lower() in (POLICY_FILE, BOOK_FILE)
    return policy or protection.is_protected(relative, proxy.protection)
