"""Claude Code's inputs as they were seen (paths shortened), and what each is read as; answers in the forms it takes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from stet_kit import Book

from firewall.agents import claude, events, fields, hook
from firewall.agents.events import Answer, Cell, Edit, Event, Reply, Seen

COMMON = '"session_id":"57bd23b5","transcript_path":"/w/t.jsonl","cwd":"/w/proj"'
MODE = '"prompt_id":"24e9e9a9","permission_mode":"acceptEdits","effort":{"level":"medium"}'

TWO_EDITS = (
    '{"file_path":"/w/a","edits":[{"old_string":"a","new_string":"b","replace_all":true},'
    '{"old_string":"c","new_string":""}]}'
)
NEW_CELL = '{"notebook_path":"/w/n.ipynb","cell_id":"c1","new_source":"x","cell_type":"code","edit_mode":"insert"}'


def seen(rest: str, environment: dict[str, str] | None = None) -> Event:
    event = claude.read(f"{{{COMMON},{rest}}}".encode(), environment or {})
    assert not event.problem, event.problem
    assert (event.runtime, event.session, event.cwd) == ("claude", "57bd23b5", "/w/proj")
    return event


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        ('"hook_event_name":"SessionStart","source":"startup"', events.START),
        (f'{MODE},"hook_event_name":"UserPromptSubmit","prompt":"do it"', events.PROMPT),
        ('"hook_event_name":"SessionEnd","reason":"other"', events.END),
        ('"hook_event_name":"Notification","message":"x"', events.OTHER),
        ('"hook_event_name":"ConfigChange","file_path":"/w/proj/.claude/settings.json"', events.CONFIG),
    ],
)  # fmt: skip
def test_events_without_a_tool(rest: str, kind: str) -> None:
    event = seen(rest)
    assert event.kind == kind
    assert event.file == ("/w/proj/.claude/settings.json" if kind == events.CONFIG else "")


def test_a_stop_with_and_without_work_left() -> None:
    rest = f'{MODE},"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"done",'
    assert not seen(rest + '"background_tasks":[],"session_crons":[]').background
    assert seen(rest + '"background_tasks":[{"id":"b1","type":"shell"}],"session_crons":[]').background


@pytest.mark.parametrize(
    ("tool", "given", "want"),
    [
        ("Write", '{"file_path":"/w/proj/sub_ok.txt","content":"x\\n"}',
         {"kind": events.WRITE, "path": "/w/proj/sub_ok.txt", "content": "x\n"}),
        ("Edit", '{"replace_all":false,"file_path":"/w/proj/a.txt","old_string":"nosuch","new_string":"x"}',
         {"kind": events.EDIT, "path": "/w/proj/a.txt", "edits": (Edit("nosuch", "x", False, True),)}),
        ("MultiEdit", TWO_EDITS,
         {"kind": events.EDIT, "edits": (Edit("a", "b", True, True), Edit("c", "", False, True))}),
        ("NotebookEdit", NEW_CELL,
         {"kind": events.NOTEBOOK, "path": "/w/n.ipynb", "cell": Cell("c1", "x", "code", "insert")}),
        ("NotebookEdit", '{"notebook_path":"/w/n.ipynb","new_source":"x"}',
         {"kind": events.NOTEBOOK, "cell": Cell("", "x", "", "replace")}),
        ("Bash", '{"command":"exit 3","description":"fail"}', {"kind": events.SHELL, "command": "exit 3"}),
        ("PowerShell", '{"command":"del a.md"}', {"kind": events.SHELL, "command": "del a.md"}),
        ("Glob", '{"pattern":"**"}', {"kind": events.NOTHING}),
        ("Agent", '{"description":"x","prompt":"y","subagent_type":"z"}', {"kind": events.UNKNOWN}),
        ("mcp__tiny__write_note", '{"path":"/w/proj/mcp.txt","text":"hey"}',
         {"kind": events.UNKNOWN, "given": {"path": "/w/proj/mcp.txt", "text": "hey"}}),
        ("BrandNewTool", "{}", {"kind": events.UNKNOWN}),
    ],
)  # fmt: skip
def test_tools(tool: str, given: str, want: dict[str, Any]) -> None:
    rest = f'{MODE},"hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{given},"tool_use_id":"toolu_2_0"'
    event = seen(rest + ',"mcp_server":{"name":"tiny","source":"dynamic"}')
    assert event.kind == events.BEFORE
    assert event.call is not None
    assert (event.call.id, event.call.name) == ("toolu_2_0", tool)
    assert {key: getattr(event.call, key) for key in want} == want


def test_a_subagents_call() -> None:
    event = seen(
        f'"agent_id":"ae2d669e629581fbd","agent_type":"general-purpose",{MODE},"hook_event_name":"PreToolUse",'
        '"tool_name":"Write","tool_input":{"file_path":"/w/proj/sub_ok.txt","content":"x\\n"},"tool_use_id":"toolu_2_0"'
    )
    assert event.agent == "ae2d669e629581fbd"


def test_what_a_read_showed() -> None:
    rest = f'{MODE},"hook_event_name":"PostToolUse","tool_name":"Read","tool_use_id":"t","duration_ms":3,'
    rest += '"tool_input":{"file_path":"/w/a.md","offset":5,"limit":16},"tool_response":'
    file = '{"filePath":"/w/a.md","content":"…","numLines":16,"startLine":5,"totalLines":292}'
    event = seen(rest + f'{{"type":"text","file":{file}}}')
    assert event.call is not None
    assert event.call.seen == Seen(5, 16, 292)
    for other in (
        '{"type":"file_unchanged","file":{"filePath":"/w/a.md"}}',
        '"text"',
        "null",
        '{"file":{"numLines":"x"}}',
    ):
        event = seen(rest + other)
        assert event.call is not None
        assert event.call.seen is None


def test_failures() -> None:
    rest = f'{MODE},"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{{"command":"exit 3"}},'
    rest += '"tool_use_id":"toolu_3_0","error":"Exit code 3","duration_ms":20,"is_interrupt":'
    event = seen(rest + "false")
    assert event.kind == events.FAILED
    assert event.call is not None and event.call.failed == "Exit code 3"
    event = seen(rest + "true")
    assert event.call is not None and not event.call.failed


def test_a_batch() -> None:
    event = seen(
        f'{MODE},"hook_event_name":"PostToolBatch","tool_calls":[{{"tool_name":"Edit","tool_input":{{"replace_all":false,'
        '"file_path":"/w/proj/a.txt","old_string":"nosuch","new_string":"x"},"tool_use_id":"toolu_4_0",'
        '"tool_response":"<tool_use_error>String to replace not found in file.\\nString: nosuch</tool_use_error>"},'
        '{"tool_name":"Write","tool_input":{"file_path":3},"tool_use_id":"t2","tool_response":"<tool_use_error>x'
        '</tool_use_error>"},{"tool_name":"Write","tool_input":{"file_path":"/w/a","content":""},"tool_use_id":"t3",'
        '"tool_response":"PreToolUse:Write hook error: no"}]'
    )
    assert event.kind == events.BATCH
    assert [c.failed for c in event.calls] == ["String to replace not found in file. String: nosuch", "x", ""]
    assert [c.kind for c in event.calls] == [events.EDIT, events.UNKNOWN, events.WRITE]


def test_what_a_prompt_puts_before_the_agent() -> None:
    prompt = json.dumps('see @a.md, @sub/b.md and @"c d.md"; mail me@example.org')
    event = seen(f'{MODE},"hook_event_name":"UserPromptSubmit","prompt":{prompt}')
    assert event.mentions == ("a.md", "sub/b.md", "c d.md")


@pytest.mark.parametrize(
    ("entrypoint", "mode", "person"),
    [("cli", "default", True), ("cli", "plan", True), ("claude-vscode", "acceptEdits", True),
     ("sdk-cli", "default", False), ("cli", "auto", False), ("cli", "bypassPermissions", False),
     ("cli", "dontAsk", False), ("", "default", False), ("mcp", "default", False)],
)  # fmt: skip
def test_whether_a_person_can_answer(entrypoint: str, mode: str, person: bool) -> None:
    rest = f'"permission_mode":"{mode}","hook_event_name":"Stop"'
    environment = {"CLAUDE_CODE_ENTRYPOINT": entrypoint} if entrypoint else {}
    assert seen(rest, environment).person is person


# -- answers -----------------------------------------------------------------------------------------------


def said(kind: str, answer: Answer) -> dict[str, Any]:
    reply = claude.reply(Event("claude", kind), answer)
    assert reply.status == 0 and not reply.err
    if not reply.out:
        return {}
    assert reply.out.startswith("{"), "anything before it and the answer is not read"
    value: dict[str, Any] = json.loads(reply.out)
    return value


@pytest.mark.parametrize("kind", [events.BEFORE, events.AFTER, events.BATCH, events.STOP, events.CONFIG, events.OTHER])
def test_nothing_to_say_is_nothing(kind: str) -> None:
    assert claude.reply(Event("claude", kind), Answer()) == Reply()


def test_the_forms_of_answers() -> None:
    deny = said(events.BEFORE, Answer("deny", "no"))
    inner = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}
    assert deny == {"hookSpecificOutput": inner}
    assert said(events.BEFORE, Answer("ask", "well?")) == {
        "hookSpecificOutput": {**inner, "permissionDecision": "ask", "permissionDecisionReason": "well?"}
    }
    stopped = said(events.BEFORE, Answer("deny", "no", "three times", stop=True))
    ended = {"hookSpecificOutput": {**inner, "permissionDecisionReason": f"no\n{fields.STOPPED}"}}
    assert stopped == {**ended, "continue": False, "stopReason": "three times", "systemMessage": "three times"}
    assert said(events.FAILED, Answer("block", "undone")) == {
        "hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "undone"}
    }
    assert said(events.AFTER, Answer("block", "undone")) == {"decision": "block", "reason": "undone"}
    assert said(events.STOP, Answer("block", "undone")) == {"decision": "block", "reason": "undone"}
    assert said(events.CONFIG, Answer("block", "no")) == {"decision": "block", "reason": "no"}
    assert said(events.BATCH, Answer("block", "undone")) == {
        "hookSpecificOutput": {"hookEventName": "PostToolBatch", "additionalContext": "undone"}
    }
    assert said(events.BEFORE, Answer("", "undone")) == {
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "undone"}
    }
    assert said(events.PROMPT, Answer(notice="broken")) == {"systemMessage": "broken"}


def test_a_refusal_always_has_a_reason_and_never_too_long_a_one() -> None:
    for reason in ("", "x" * 50_000):
        text = said(events.BEFORE, Answer("deny", reason))["hookSpecificOutput"]["permissionDecisionReason"]
        assert 0 < len(text) < 10_000


def test_what_has_no_known_name_is_refused_by_the_exit_status(book: Book) -> None:
    with book.open():
        pass
    told = {"state": str(book.state_folder), "root": str(book.root)}
    reply = hook.respond("claude", b'{"tool_name": "Write"}', **told)
    assert (reply.out, reply.status) == ("", 2)
    assert "hook_event_name" in reply.err


def test_an_odd_letter_in_a_reason_does_no_harm() -> None:
    assert said(events.BEFORE, Answer("deny", "half a pair \ud800"))["hookSpecificOutput"]
