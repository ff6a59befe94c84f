"""The same guard for programs that drive Claude Code through the Claude Agent SDK: its hooks as Python callbacks.

    from claude_agent_sdk import ClaudeAgentOptions
    from firewall.agents.sdk import hooks

    options = ClaudeAgentOptions(cwd="my-book", hooks=hooks("my-book"))

Built to claude-agent-sdk 0.2.189 (`HookMatcher`, `HookCallback`, `SyncHookJSONOutput`); nothing of it is imported
before `hooks` is called. The SDK tells of no batch, so an edit that Claude Code refuses by itself (its old text is not
in the file) is not counted as an attempt. Nobody sits at an SDK's terminal: what would be asked waits in
`stet pending`.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import threading
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from firewall.agents import claude, events, guard, hook
from firewall.agents.events import Answer, Event
from firewall.errors import UsageError
from firewall.writes import project
from firewall.writes.proxy import WriteProxy

EVENTS = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop")
SECONDS = 60.0
"""A callback's time limit: longer than the wait for a lock."""
Callback = Callable[[Any, "str | None", Any], Awaitable[dict[str, Any]]]


class NoSdk(UsageError):
    """The SDK is not installed."""

    code = "no-agent-sdk"
    template = "`hooks` needs the claude-agent-sdk package, which is not installed."
    next_step = "Install it: pip install 'claude-agent-sdk>=0.2.177'; or give `hooks` a matcher of your own."


def hooks(folder: Path | str = ".", *, matcher: Callable[..., Any] | None = None) -> dict[str, list[Any]]:
    """What ClaudeAgentOptions takes as `hooks`: every event that concerns the guarded folder, each with `callback`.

    A callback that fails blocks (`on_failure`). `matcher` makes a matcher from keywords, the SDK's HookMatcher where
    none is given. Raises NoProject, StateBroken or StorageError where the folder is not guarded, and NoSdk.
    """
    if matcher is None:
        try:
            matcher = importlib.import_module("claude_agent_sdk").HookMatcher
        except ImportError:
            raise NoSdk from None
        assert matcher is not None
    one = callback(folder)
    return {
        name: [matcher(matcher=None, hooks=[one], timeout=SECONDS, **_strict(name))] for name in EVENTS
    }  # without a matcher every tool is meant


def callback(folder: Path | str = ".") -> Callback:
    """The callback for one guarded folder: a HookCallback of the SDK, for any event. It never raises."""
    with WriteProxy(project.load(Path(folder)), source="sdk") as proxy:  # what is wrong is said now
        root, state = proxy.root, proxy.state
    busy = threading.Lock()

    def judged(given: Any) -> dict[str, Any]:
        with busy:
            return answer(root, state, given)

    async def stet(given: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:  # noqa: ARG001 - the SDK's shape
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # another library's loop
            return judged(given)
        return await asyncio.to_thread(judged, given)

    return stet


def answer(root: Path, state: Path, given: Any) -> dict[str, Any]:
    """What the SDK is answered to one hook input, {} for nothing to say. Whatever cannot be judged is refused."""
    event = Event(claude.NAME, events.OTHER)
    try:
        event = claude.read(json.dumps(given).encode(), {})
        if event.kind == events.OTHER and not event.problem:
            return {}
        if event.problem:
            said = hook.refusal(event, f"Stet refuses what it cannot understand: {event.problem}.")
        else:
            with hook.opened(root, state, event) as proxy:
                said = guard.Guard(proxy).answer(event)
        return _output(event, said)
    except Exception as error:  # the SDK would take a callback's failure for no opinion
        return _output(event, hook.refusal(event, f"Stet refuses, since it cannot judge: {hook.named(error)}"))


def _output(event: Event, said: Answer) -> dict[str, Any]:
    """The answer under the SDK's own names; one that no event's form can say is a denial."""
    value = claude.write(event, said)
    if not value and said.decision:
        value = {"decision": "block", "reason": said.reason}
        value["hookSpecificOutput"] = {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": said.reason,
        }  # fmt: skip
    return {"continue_" if key == "continue" else key: item for key, item in value.items()}


def _strict(name: str) -> Mapping[str, str]:
    """Stop events know no `on_failure`."""
    return {} if name in ("Stop", "SubagentStop") else {"on_failure": "block"}
