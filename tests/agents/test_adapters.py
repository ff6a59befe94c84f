"""What each runtime sends becomes the right event, and what Stet answers is exactly what that runtime needs.

The inputs of Codex, Gemini CLI, opencode, Qwen Code and Cline's command line are what those programs sent in real runs,
with other paths; the others are from their documentation.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import Book

from firewall.agents import cline as cline_adapter
from firewall.agents import codex, copilot, cursor, events, fields, gemini, hook, kimi, opencode, qwen, windsurf
from firewall.agents.events import Answer, Edit, Event, ToolCall
from firewall.agents.install.setup import GOES_ON, Setup

ALL: list[ModuleType] = [codex, gemini, opencode, qwen, cursor, cline_adapter, windsurf, copilot, kimi]
PATCH = "*** Begin Patch\n*** Update File: a.md\n@@\n one\n-two\n+TWO\n*** End Patch\n"
COMMON = {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/w/proj"}
COMMAND_LINE = {"taskId": "conv_1", "workspaceRoots": ["/w/proj"], "hookName": "tool_call", "clineVersion": ""}


def tool(name: str, kind: str, **more: Any) -> ToolCall:
    """The call that is expected; its raw arguments are not compared."""
    return ToolCall(more.pop("id", ""), name, kind, **more)


BEFORE: list[tuple[ModuleType, dict[str, Any], ToolCall]] = [
    (
        codex,
        {**COMMON, "turn_id": "t", "hook_event_name": "PreToolUse", "model": "gpt-5.5",
         "permission_mode": "bypassPermissions", "tool_name": "apply_patch", "tool_input": {"command": PATCH},
         "tool_use_id": "call_1_0"},
        tool("apply_patch", events.PATCH, id="call_1_0", patch=PATCH),
    ),
    (
        codex,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a.md"},
         "tool_use_id": "c"},
        tool("Bash", events.SHELL, id="c", command="rm a.md"),
    ),
    (
        codex,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "Bash",
         "tool_input": {"command": f"cd sub && apply_patch <<'EOF'\n{PATCH}EOF"}},
        tool("Bash", events.PATCH, patch=f"cd sub && apply_patch <<'EOF'\n{PATCH}EOF", workdir="sub"),
    ),
    (
        codex,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "shell", "tool_input": {"command": ["rm", "a b.md"]}},
        tool("shell", events.SHELL, command="rm 'a b.md'"),
    ),
    (
        codex,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "mcp__tiny__write_note",
         "tool_input": {"path": "/w/proj/n.md", "text": "hey"}, "tool_use_id": "call_6_0"},
        tool("mcp__tiny__write_note", events.UNKNOWN, id="call_6_0"),
    ),
    (
        gemini,
        {**COMMON, "hook_event_name": "BeforeTool", "timestamp": "2026-11-30T02:46:38.733Z", "tool_name": "write_file",
         "tool_input": {"file_path": "new.md", "content": "fresh\n"}},
        tool("write_file", events.WRITE, path="new.md", content="fresh\n"),
    ),
    (
        gemini,
        {**COMMON, "hook_event_name": "BeforeTool", "tool_name": "replace",
         "tool_input": {"file_path": "/w/proj/a.md", "instruction": "x", "old_string": "two", "new_string": "TWO"}},
        tool("replace", events.EDIT, path="/w/proj/a.md", edits=(Edit("two", "TWO"),)),
    ),
    (
        gemini,
        {**COMMON, "hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
         "tool_input": {"command": "ls", "description": "x", "dir_path": "sub"}},
        tool("run_shell_command", events.SHELL, command="ls", workdir="sub"),
    ),
    (
        gemini,
        {**COMMON, "hook_event_name": "BeforeTool", "tool_name": "mcp_tiny_write_note",
         "tool_input": {"path": "x"}, "mcp_context": {"server_name": "tiny", "tool_name": "write_note"}},
        tool("mcp__tiny__write_note", events.UNKNOWN),
    ),
    (
        opencode,
        {"hook": "tool.execute.before", "input": {"tool": "write", "sessionID": "ses_1", "callID": "toolu_2_0"},
         "output": {"args": {"filePath": "/w/proj/new.md", "content": "fresh\n"}}, "cwd": "/w/proj"},
        tool("write", events.WRITE, id="toolu_2_0", path="/w/proj/new.md", content="fresh\n"),
    ),
    (
        opencode,
        {"hook": "tool.execute.before", "input": {"tool": "edit", "sessionID": "s", "callID": "c"},
         "output": {"args": {"filePath": "a.md", "oldString": "two", "newString": "TWO", "replaceAll": True}},
         "cwd": "/w"},
        tool("edit", events.EDIT, id="c", path="a.md", edits=(Edit("two", "TWO", True),)),
    ),
    (
        opencode,
        {"hook": "tool.execute.before", "input": {"tool": "bash", "sessionID": "s", "callID": "c"},
         "output": {"args": {"command": "echo", "workdir": "/w/proj/sub", "description": "x"}}, "cwd": "/w"},
        tool("bash", events.SHELL, id="c", command="echo", workdir="/w/proj/sub"),
    ),
    (
        opencode,
        {"hook": "tool.execute.before", "input": {"tool": "apply_patch", "sessionID": "s", "callID": "c"},
         "output": {"args": {"patchText": PATCH}}, "cwd": "/w"},
        tool("apply_patch", events.PATCH, id="c", patch=PATCH),
    ),
    (
        qwen,
        {**COMMON, "hook_event_name": "PreToolUse", "timestamp": "x", "permission_mode": "yolo",
         "tool_name": "write_file", "tool_input": {"file_path": "/w/proj/new.md", "content": "fresh\n"},
         "tool_use_id": "toolu_1"},
        tool("write_file", events.WRITE, id="toolu_1", path="/w/proj/new.md", content="fresh\n"),
    ),
    (
        cursor,
        {"hook_event_name": "preToolUse", "conversation_id": "c", "workspace_roots": ["/w/proj"], "tool_name": "Write",
         "tool_input": {"file_path": "a.md", "content": "x"}, "tool_use_id": "t"},
        tool("Write", events.WRITE, id="t", path="a.md", content="x"),
    ),
    (
        cursor,
        {"hook_event_name": "preToolUse", "conversation_id": "c", "tool_name": "StrReplace",
         "tool_input": {"path": "a.md", "old_string": "x", "new_string": "y"}},
        tool("StrReplace", events.EDIT, path="a.md", edits=(Edit("x", "y"),)),
    ),
    (
        cursor,
        {"hook_event_name": "beforeShellExecution", "conversation_id": "c", "command": "rm a.md", "cwd": "/w"},
        tool("Shell", events.SHELL, command="rm a.md"),
    ),
    (
        cursor,
        {"hook_event_name": "preToolUse", "tool_name": "Delete", "tool_input": {"file_path": "a.md"}},
        tool("Delete", events.DELETE, path="a.md"),
    ),
    (
        cline_adapter,
        {**COMMAND_LINE, "tool_call": {"id": "call_1_0", "name": "editor",
                                       "input": {"path": "/w/proj/new.md", "new_text": "fresh\n"}},
         "preToolUse": {"toolName": "editor", "parameters": {"path": "/w/proj/new.md", "new_text": "fresh\n"}}},
        tool("editor", events.WRITE, id="call_1_0", path="/w/proj/new.md", content="fresh\n"),
    ),
    (
        cline_adapter,
        {**COMMAND_LINE, "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": ["rm a.md", "ls"]}}},
        tool("run_commands", events.SHELL, id="c", command="rm a.md\nls"),
    ),
    (
        cline_adapter,
        {"hookName": "PreToolUse", "taskId": "t", "workspaceRoots": ["/w"],
         "preToolUse": {"toolName": "replace_in_file", "parameters": {
             "path": "a.md", "diff": "------- SEARCH\nold\n=======\nnew\nlines\n+++++++ REPLACE\n"}}},
        tool("replace_in_file", events.EDIT, path="a.md", edits=(Edit("old\n", "new\nlines\n"),)),
    ),
    (
        windsurf,
        {"agent_action_name": "pre_write_code", "trajectory_id": "t", "execution_id": "e", "timestamp": "x",
         "tool_info": {"file_path": "/w/a.md", "edits": [{"old_string": "x", "new_string": "y"}]}},
        tool("write_code", events.EDIT, path="/w/a.md", edits=(Edit("x", "y"),)),
    ),
    (
        windsurf,
        {"agent_action_name": "pre_run_command", "trajectory_id": "t",
         "tool_info": {"command_line": "rm a.md", "cwd": "/w"}},
        tool("run_command", events.SHELL, command="rm a.md", workdir="/w"),
    ),
    (
        copilot,
        {"timestamp": 1, "cwd": "/w", "toolName": "create", "toolArgs": json.dumps({"path": "a.md", "file_text": "x"})},
        tool("create", events.WRITE, path="a.md", content="x"),
    ),
    (
        copilot,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "edit",
         "tool_input": {"path": "a.md", "old_str": "x", "new_str": "y"}},
        tool("edit", events.EDIT, path="a.md", edits=(Edit("x", "y"),)),
    ),
    (
        kimi,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "WriteFile", "tool_call_id": "k",
         "tool_input": {"path": "a.md", "file_path": "b.md", "content": "x"}},
        tool("WriteFile", events.WRITE, id="k", path="a.md", content="x"),
    ),
    (
        kimi,
        {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "StrReplaceFile",
         "tool_input": {"path": "a.md",
                        "edit": [{"old": "x", "new": "y"}, {"old": "p", "new": "q", "replace_all": True}]}},
        tool("StrReplaceFile", events.EDIT, path="a.md", edits=(Edit("x", "y"), Edit("p", "q", True))),
    ),
]  # fmt: skip
ENVIRONMENT = {"STET_EVENT": "preToolUse"}  # Copilot's command line does not name the event itself


def read(module: ModuleType, value: object) -> Event:
    """The event of a JSON value."""
    event: Event = module.read(json.dumps(value).encode(), ENVIRONMENT)
    return event


@pytest.mark.parametrize(("module", "value", "wanted"), BEFORE)
def test_what_a_tool_would_do(module: ModuleType, value: dict[str, Any], wanted: ToolCall) -> None:
    event = read(module, value)
    assert event.problem == ""
    assert event.kind == events.BEFORE
    assert event.call is not None
    assert event.call._replace(given={}) == wanted
    assert not event.person, "none of these is asked: a question hangs or passes there"


CLAUDES = (
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}'
)
DENIED: list[tuple[ModuleType, str, str, int]] = [
    (codex, CLAUDES, "", 0),
    (gemini, '{"decision":"deny","reason":"why"}', "", 0),
    (opencode, "", "why", 2),
    (qwen, CLAUDES, "", 0),
    (cursor, '{"permission":"deny","user_message":"why","agent_message":"why"}', "why", 2),
    (cline_adapter, '{"cancel":true,"errorMessage":"why"}', "", 0),
    (windsurf, "", "why", 2),
    (copilot, '{"permissionDecision":"deny","permissionDecisionReason":"why"}', "", 0),
    (kimi, "", "why", 2),
]  # fmt: skip


@pytest.mark.parametrize(("module", "out", "err", "status"), DENIED)
def test_a_refusal_is_what_the_runtime_needs(module: ModuleType, out: str, err: str, status: int) -> None:
    assert tuple(module.reply(Event(module.NAME, events.BEFORE), Answer("deny", "why"))) == (out, err, status)


@pytest.mark.parametrize("module", ALL)
def test_a_refusal_never_lacks_its_reason(module: ModuleType) -> None:
    for answer in (Answer("deny"), Answer("ask"), Answer("deny", "  ")):
        reply = module.reply(Event(module.NAME, events.BEFORE), answer)
        assert "Stet refused it." in reply.out + reply.err


@pytest.mark.parametrize("module", ALL)
@pytest.mark.parametrize("kind", [events.BEFORE, events.AFTER, events.PROMPT, events.STOP, events.END, events.OTHER])
def test_an_allowed_call_is_silent(module: ModuleType, kind: str) -> None:
    reply = module.reply(Event(module.NAME, kind), Answer())
    silent = {"cursor": "{}", "cline": '{"cancel":false}'}.get(module.NAME, "")
    assert tuple(reply) == (silent, "", 0)


def test_codex_gets_no_key_beside_its_one_object() -> None:
    reply = codex.reply(Event("codex", events.BEFORE), Answer("deny", "why", notice="a person should look", stop=True))
    assert list(json.loads(reply.out)) == ["hookSpecificOutput"]


def test_a_trip_ends_the_run_where_that_can_be_said_beside_a_refusal() -> None:
    answer = Answer("deny", "why", notice="look", stop=True)
    for module in (gemini, qwen):
        said = json.loads(module.reply(Event(module.NAME, events.BEFORE), answer).out)
        assert said["continue"] is False
        assert "deny" in json.dumps(said)


@pytest.mark.parametrize("runtime", hook.RUNTIMES)
def test_each_runtime_says_truly_whether_the_run_ends(runtime: str) -> None:
    """Seen running: Claude Code and Gemini CLI end the run; so does Cline, with any refusal. The others go on, and
    their models are told so."""
    module = import_module(f"firewall.agents.{runtime}")
    reply = module.reply(Event(runtime, events.BEFORE), Answer("deny", "why", "look", stop=True))
    said = reply.out + reply.err
    ends = runtime in ("claude", "gemini", "cline")
    assert ("The run ends here" in said) is ends
    assert ("Go on with other work" in said) is not ends
    installer = import_module(f"firewall.agents.install.{runtime}")
    setup = Setup(Path("/w"), Path("/s"), Path("/h"), "/b/stet-hook", "project", python="/b/python")
    assert (GOES_ON in installer.gaps(setup)) is not ends, "doctor says it as well"
    again = module.reply(Event(runtime, events.BEFORE), Answer("deny", "why", "look"))
    assert "The run ends here" not in again.out + again.err


def test_the_end_of_a_long_answer_is_said_all_the_same() -> None:
    said = fields.reason(Answer("deny", "w" * 20_000, stop=True))
    assert said.endswith(fields.GO_ON)
    assert len(said) <= fields.MOST


def test_vs_code_gets_the_nested_form() -> None:
    value = {
        **COMMON,
        "hook_event_name": "PreToolUse",
        "tool_name": "edit",
        "tool_input": {"path": "a", "old_str": "x"},
    }
    event = read(copilot, value)
    said = json.loads(copilot.reply(event, Answer("deny", "why")).out)
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"


BROKEN = [b"", b"null", b"[]", b"{", b'"x"', b"\xff", b"[" * 50_000, b'{"tool_input": 1}']


@pytest.mark.parametrize("module", ALL)
@pytest.mark.parametrize("data", BROKEN)
def test_what_is_not_understood_has_a_problem(module: ModuleType, data: bytes) -> None:
    event = module.read(data, ENVIRONMENT)
    assert event.problem or event.kind == events.OTHER


@pytest.mark.parametrize(("module", "value", "wanted"), BEFORE)
def test_wrong_types_are_a_problem_of_the_same_kind(
    module: ModuleType, value: dict[str, Any], wanted: ToolCall
) -> None:
    """Each field in turn becomes a number: never another call, never a traceback."""
    for path in _leaves(value):
        changed = _with(value, path, 7)
        event = read(module, changed)
        if event.problem:
            assert event.kind in (events.BEFORE, events.OTHER)
        else:
            assert event.call is None or event.call.kind in (wanted.kind, events.UNKNOWN, events.NOTHING, events.WRITE)


def _leaves(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in _leaves(inner, (*path, key))]
    return [path]


def _with(value: Any, path: tuple[Any, ...], leaf: object) -> Any:
    if not path:
        return leaf
    return {**value, path[0]: _with(value[path[0]], path[1:], leaf)}


NAMES = ("hook_event_name", "hook", "hookName", "agent_action_name", "tool_name", "tool_input", "toolName", "toolArgs",
         "tool_call", "preToolUse", "tool_info", "input", "output", "session_id", "cwd", "error",
         "tool_response")  # fmt: skip
KINDS = (
    "PreToolUse",
    "BeforeTool",
    "AfterTool",
    "PostToolUse",
    "tool.execute.before",
    "tool_call",
    "pre_write_code",
    "Stop",
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(KINDS) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(value=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8))
def test_no_input_is_a_traceback(value: dict[str, Any]) -> None:
    for module in ALL:
        event = read(module, value)
        assert event.problem or event.kind not in (events.BEFORE, events.AFTER) or event.call is not None


def test_failed_calls_are_told() -> None:
    failed = read(
        gemini,
        {**COMMON, "hook_event_name": "AfterTool", "tool_name": "replace",
         "tool_input": {"file_path": "a.md", "old_string": "x", "new_string": "y"},
         "tool_response": {"llmContent": "…", "error": {"message": "0 occurrences found", "type": "x"}}},
    )  # fmt: skip
    assert failed.kind == events.FAILED
    assert failed.call is not None
    assert failed.call.failed == "0 occurrences found"
    failed = read(
        qwen,
        {**COMMON, "hook_event_name": "PostToolUseFailure", "tool_name": "edit", "error": "not found",
         "tool_input": {"file_path": "a.md", "old_string": "x", "new_string": "y"}},
    )  # fmt: skip
    assert failed.call is not None
    assert failed.call.failed == "not found"


def test_turns_are_told() -> None:
    told = [
        (codex, {**COMMON, "hook_event_name": "UserPromptSubmit"}, events.PROMPT),
        (codex, {**COMMON, "hook_event_name": "Stop"}, events.STOP),
        (gemini, {**COMMON, "hook_event_name": "BeforeAgent", "prompt": "x"}, events.PROMPT),
        (gemini, {**COMMON, "hook_event_name": "AfterAgent"}, events.STOP),
        (opencode, {"hook": "chat.message", "input": {"sessionID": "s"}, "cwd": "/w/proj"}, events.PROMPT),
        (opencode, {"hook": "session.idle", "input": {"sessionID": "s"}, "cwd": "/w/proj"}, events.STOP),
        (opencode, {"hook": "session.deleted", "input": {"info": {"id": "s"}}, "cwd": "/w/proj"}, events.END),
        (qwen, {**COMMON, "hook_event_name": "UserPromptSubmit"}, events.PROMPT),
        (cursor, {"hook_event_name": "beforeSubmitPrompt", "conversation_id": "s", "cwd": "/w/proj"}, events.PROMPT),
        (cline_adapter, {"hookName": "TaskStart", "taskId": "s", "workspaceRoots": ["/w/proj"]}, events.PROMPT),
        (kimi, {**COMMON, "hook_event_name": "Stop"}, events.STOP),
    ]
    for module, value, kind in told:
        event = read(module, value)
        assert (event.kind, event.session, event.cwd, event.problem) == (kind, "s", "/w/proj", "")


READS = [
    (gemini, {**COMMON, "hook_event_name": "AfterTool", "tool_name": "read_file",
              "tool_input": {"file_path": "a.md", "offset": 10, "limit": 16}}, (11, 16, -1)),
    (gemini, {**COMMON, "hook_event_name": "AfterTool", "tool_name": "read_file",
              "tool_input": {"file_path": "a.md", "start_line": 3, "end_line": 5}}, (3, 3, -1)),
    (qwen, {**COMMON, "hook_event_name": "PostToolUse", "tool_name": "read_file",
            "tool_input": {"file_path": "a.md"}}, (1, 2000, -1)),
    (opencode, {"hook": "tool.execute.after", "cwd": "/w", "output": {},
                "input": {"tool": "read", "args": {"filePath": "a.md", "offset": 5, "limit": 2}}}, (5, 2, -1)),
    (copilot, {"cwd": "/w", "toolName": "view", "toolArgs": {"path": "a.md", "view_range": [4, 6]}}, (4, 3, -1)),
    (kimi, {**COMMON, "hook_event_name": "PostToolUse", "tool_name": "ReadFile",
            "tool_input": {"path": "a.md", "line_offset": 1, "n_lines": 16}}, (1, 16, -1)),
]  # fmt: skip


@pytest.mark.parametrize(("module", "value", "lines"), READS)
def test_a_read_says_which_lines_it_showed(module: ModuleType, value: dict[str, Any], lines: tuple[int, ...]) -> None:
    event = read(module, value)
    assert event.problem == ""
    assert event.call is not None
    assert event.call.kind == events.READ
    assert event.call.seen == lines


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "0.5", "-1", "true", '"3"'])
def test_a_number_of_lines_that_is_none_is_a_problem(number: str) -> None:
    for module, event, tool_name, key in (
        (kimi, "PostToolUse", "ReadFile", "line_offset"),
        (qwen, "PostToolUse", "read_file", "offset"),
        (gemini, "AfterTool", "read_file", "end_line"),
        (cursor, "postToolUse", "Read", "limit"),
    ):
        text = f'{{"hook_event_name": "{event}", "tool_name": "{tool_name}",'
        text += f' "tool_input": {{"path": "a.md", "{key}": {number}}}}}'
        assert "number of lines" in module.read(text.encode(), {}).problem
        whole = module.read(text.replace(number, "3.0").encode(), {})
        assert whole.problem == ""


@pytest.mark.parametrize("runtime", [*hook.RUNTIMES])
@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{", b"\xff", b'{"hook_event_name": 1}', b'{"tool_name": "x"}'])
def test_what_nobody_understands_is_refused_in_every_way_there_is(book: Book, runtime: str, data: bytes) -> None:
    """By exit status and words, and in the runtime's own form: what came may have been a write."""
    with book.open():
        pass
    reply = hook.respond(runtime, data, state=str(book.state_folder), root=str(book.root), environment={})
    assert reply.status == 2
    assert "Stet refuses" in reply.err
    if runtime == "cline":  # whose exit statuses refuse nothing
        assert json.loads(reply.out)["cancel"] is True


def test_a_list_of_commands_with_something_else_in_it_is_no_event_that_passes() -> None:
    given = {**COMMAND_LINE, "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": [["rm", "a.md"]]}}}
    event = cline_adapter.read(json.dumps(given).encode(), {})
    assert event.problem
    assert "no text" in event.problem
