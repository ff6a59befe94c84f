"""The MCP server as a client meets it: a real process on stdio, both eras of the protocol."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_kit import said, talk
from stet_kit import STET, STUB, Book, chapter, no_leftovers

from firewall.agents.files import Files

TOOLS = {
    "read_file", "list_files", "file_history", "write_file", "edit_file", "append_file", "move_file", "request_review",
}  # fmt: skip


def last_sentence(text: bytes) -> str:
    """The last line of the text, which stands there once."""
    line = text.decode().rstrip().rsplit("\n", 1)[-1]
    assert text.decode().count(line) == 1
    return line


def pending(book: Book) -> list[dict[str, Any]]:
    """What waits for a person."""
    found = book.user.quick("pending", "--json", cwd=book.root).json()
    assert isinstance(found, list)
    return found


def test_the_tools_say_what_they_do_and_take_nothing_they_do_not_know(book: Book) -> None:
    async def story(client: Client) -> None:
        tools = {t.name: t for t in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        hints = {
            name: (t.annotations.read_only_hint, t.annotations.destructive_hint, t.annotations.idempotent_hint)
            for name, t in tools.items()
            if t.annotations
        }
        reads = (True, False, True)
        assert hints == {
            "read_file": reads, "list_files": reads, "file_history": reads, "write_file": (False, True, True),
            "edit_file": (False, True, False), "append_file": (False, False, False),
            "move_file": (False, True, False), "request_review": (False, False, True),
        }  # fmt: skip
        for tool in tools.values():
            assert tool.annotations is not None
            assert tool.annotations.open_world_hint is False, "one folder on this machine"
            assert tool.input_schema["additionalProperties"] is False
            assert "roots" not in tool.input_schema["properties"], "a client's roots are no argument of the model's"
            assert all(p.get("description") for p in tool.input_schema["properties"].values())
            assert tool.output_schema is not None
        wrong = await client.call_tool("write_file", {"path": "a.md", "content": "x", "append": True})
        assert wrong.is_error
        assert "append" in said(wrong)
        assert not (book.root / "a.md").exists(), "an argument dropped in silence would have made it an overwrite"

    talk(book, story)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_honest_work_lands_and_a_stub_does_not(book: Book, mode: str) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)

    async def story(client: Client) -> None:
        seen = await client.call_tool("read_file", {"path": "chapter.md"})
        assert seen.structured_content is not None
        assert seen.structured_content["text"].encode() == text
        assert seen.structured_content["words"] == 1200
        assert seen.structured_content["sha256"] == hashlib.sha256(text).hexdigest()

        old = last_sentence(text)
        new = old.replace(".", " today.")
        edited = await client.call_tool("edit_file", {"path": "chapter.md", "old_text": old, "new_text": new})
        assert not edited.is_error, said(edited)
        assert edited.structured_content is not None
        assert edited.structured_content["committed"]
        assert edited.structured_content["words"] == {"before": 1200, "after": 1201, "mark": 1200}
        assert path.read_text() == text.decode().replace(old, new)

        added = await client.call_tool("append_file", {"path": "chapter.md", "content": "\nOne more night passed.\n"})
        assert not added.is_error, said(added)
        landed = path.read_bytes()
        assert landed.endswith(b"today.\n\nOne more night passed.\n")

        moved = await client.call_tool("move_file", {"path": "chapter.md", "new_path": "part/one.md"})
        assert not moved.is_error, said(moved)
        assert not path.exists()
        assert (book.root / "part/one.md").read_bytes() == landed

        fresh = await client.call_tool("write_file", {"path": "notes.md", "content": "A new file of ours.\n"})
        assert not fresh.is_error, said(fresh)

        stub = await client.call_tool("write_file", {"path": "part/one.md", "content": STUB.decode()})
        assert stub.is_error
        words = said(stub)
        assert "1205 -> 5 words; the floor is" in words, "what was measured, and what would pass"
        assert "2 left before the file is latched" in words
        assert stub.structured_content is not None
        assert {f["rule"] for f in stub.structured_content["findings"]} >= {"word-floor"}
        assert (book.root / "part/one.md").read_bytes() == landed

        listed = await client.call_tool("list_files", {})
        assert listed.structured_content is not None
        rows = {f["path"]: f for f in listed.structured_content["files"]}
        assert set(rows) == {"notes.md", "part/one.md"}
        assert rows["part/one.md"]["attempts"] == 1

        told = await client.call_tool("file_history", {"path": "part/one.md"})
        assert told.structured_content is not None
        events = told.structured_content["events"]
        assert [e["kind"] for e in events] == ["refuse", "rename", "commit", "commit", "adopt"]
        assert "word-floor" in events[0]["rules"]
        assert {e["source"] for e in events} == {"mcp"}

    talk(book, story, mode=mode, real=True)
    assert not no_leftovers(book.root)


def test_three_failures_close_the_file_and_tell_the_model_to_go_on(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)

    async def story(client: Client) -> None:
        for number in range(3):
            last = await client.call_tool(
                "write_file", {"path": "chapter.md", "content": f"# Notes\n\nTo be continued {number}.\n"}
            )
        assert last.is_error
        assert last.structured_content is not None
        assert last.structured_content["tripped"]
        assert "latched" in said(last)
        assert "Go on with other work" in said(last)
        good = await client.call_tool("append_file", {"path": "chapter.md", "content": "One more.\n"})
        assert good.is_error, "latched means unread"
        asked = await client.call_tool("request_review", {"path": "chapter.md", "reason": "please", "change": "delete"})
        assert asked.is_error, "nor is a latched file a way to a person's desk"
        rows = await client.call_tool("list_files", {})
        assert "chapter.md (latched" in said(rows)

    talk(book, story)
    assert path.read_bytes() == text
    alerts = book.user.quick("alerts", "--json", cwd=book.root).json()
    assert [a["path"] for a in alerts] == ["chapter.md"]
    assert not pending(book)


def test_an_edit_must_find_its_anchor_once(book: Book) -> None:
    book.put("a.md", b"One line here.\nThe same.\nThe same.\nThe end of it.\n")
    book.put("dos.md", b"First line.\r\nSecond line.\r\nThird line.\r\n")

    async def story(client: Client) -> None:
        twice = await client.call_tool("edit_file", {"path": "a.md", "old_text": "The same.", "new_text": "x"})
        assert twice.is_error
        assert "stands in it 2 times" in said(twice)
        never = await client.call_tool(
            "edit_file", {"path": "a.md", "old_text": "The same.\nThe same!", "new_text": "x"}
        )
        assert never.is_error
        assert "its first line stands in line 2" in said(never)
        data = never.structured_content
        assert data is not None
        assert (data["attempt"], data["attempts_left"]) == (2, 1), "a failed edit is an attempt"
        right = await client.call_tool(
            "edit_file", {"path": "a.md", "old_text": "The end of it.", "new_text": "The very end of it."}
        )
        assert not right.is_error, said(right)
        dos = await client.call_tool(
            "edit_file", {"path": "dos.md", "old_text": "First line.\nSecond", "new_text": "First line.\nNext"}
        )
        assert not dos.is_error, said(dos)

    talk(book, story)
    assert (book.root / "dos.md").read_bytes() == b"First line.\r\nNext line.\r\nThird line.\r\n"


def test_what_changed_since_it_was_read_is_not_overwritten(book: Book) -> None:
    path = book.put("a.md", chapter(300))

    async def story(client: Client) -> None:
        seen = await client.call_tool("read_file", {"path": "a.md", "lines": 3})
        assert seen.structured_content is not None
        base = seen.structured_content["sha256"]
        theirs = path.read_bytes() + b"\nA person was here.\n"
        path.write_bytes(theirs)
        mine = seen.structured_content["text"] + "more\n"
        stale = await client.call_tool("write_file", {"path": "a.md", "content": mine})
        assert stale.is_error
        assert stale.structured_content is not None
        assert "stale-base" in {f["rule"] for f in stale.structured_content["findings"]}
        told = await client.call_tool("append_file", {"path": "a.md", "content": "x\n", "base": base})
        assert told.is_error, "a base that the model names counts as well"
        assert path.read_bytes() == theirs
        again = await client.call_tool("read_file", {"path": "a.md"})
        assert again.structured_content is not None
        late = await client.call_tool(
            "write_file", {"path": "a.md", "content": again.structured_content["text"] + "\nAnd so was I.\n"}
        )
        assert not late.is_error, said(late)

    talk(book, story)
    assert path.read_bytes().endswith(b"A person was here.\n\nAnd so was I.\n")


def test_calls_of_one_answer_do_not_fail_each_other(book: Book) -> None:
    """A model appends and edits in several calls at once; none is refused for what another of them did."""
    path = book.put("a.md", b"Some text of ours.\n" + b"".join(b"Part %d begins.\n" % n for n in range(8)))

    async def story(client: Client) -> None:
        calls = [("append_file", {"path": "a.md", "content": f"Line {n} is new.\n"}) for n in range(8)]
        calls += [
            ("edit_file", {"path": "a.md", "old_text": f"Part {n} begins.", "new_text": f"Part {n} opens."})
            for n in range(8)
        ]
        done = await asyncio.gather(*(client.call_tool(name, given) for name, given in calls))
        assert [said(one) for one in done if one.is_error] == []

    talk(book, story)
    text = path.read_text()
    assert [text.count(f"Line {n} is new.\n") for n in range(8)] == [1] * 8
    assert [text.count(f"Part {n} opens.\n") for n in range(8)] == [1] * 8


def test_a_long_text_is_not_written_anew_by_who_has_not_read_it(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    new = text.replace(b"harbour", b"haven")

    async def story(client: Client) -> None:
        blind = await client.call_tool("write_file", {"path": "chapter.md", "content": new.decode()})
        assert blind.is_error
        assert "you have not read it in this session" in said(blind)
        total = len(text.decode().splitlines())
        half = await client.call_tool("read_file", {"path": "chapter.md", "lines": total // 2})
        assert not half.is_error
        partly = await client.call_tool("write_file", {"path": "chapter.md", "content": new.decode() + "\nOn.\n"})
        assert partly.is_error
        assert f"you have read {total // 2} of its {total} lines" in said(partly)
        assert path.read_bytes() == text
        rest = await client.call_tool("read_file", {"path": "chapter.md", "first_line": total // 2 + 1})
        assert not rest.is_error
        now = await client.call_tool("write_file", {"path": "chapter.md", "content": new.decode()})
        assert not now.is_error, said(now)
        again = await client.call_tool("write_file", {"path": "chapter.md", "content": text.decode()})
        assert not again.is_error, "who wrote it knows it"

    talk(book, story)
    assert path.read_bytes() == text


def test_only_guarded_files_of_this_project_can_be_named(book: Book, tmp_path: Path) -> None:
    book.put("a.md", b"Some text of ours.\n")
    book.put("code.py", b"print()\n")
    book.put(".claude/settings.json", b"{}")
    (tmp_path / "outside.md").write_text("secret\n")
    os.symlink(tmp_path / "outside.md", book.root / "link.md")
    os.link(book.root / "a.md", book.root / "hard.md")
    os.mkfifo(book.root / "pipe.md")
    names = [
        "../outside.md", str(tmp_path / "outside.md"), "link.md", "hard.md", "pipe.md", "code.py", ".git/x.md",
        "stet.toml", ".claude/settings.json", "", ".", "a.md/", "a.md/b.md", "no\0name.md", "\ud800.md",
    ]  # fmt: skip

    async def story(client: Client) -> None:
        for name in names:
            for tool, more in (("read_file", {}), ("write_file", {"content": "x\n"}), ("file_history", {})):
                got = await client.call_tool(tool, {"path": name.replace("\ud800", "\ufffd") or name, **more})
                bad = name != "\ud800.md"
                assert got.is_error == (bad or tool == "read_file"), (tool, name, said(got))
        moved = await client.call_tool("move_file", {"path": "a.md", "new_path": "../outside.md"})
        assert moved.is_error
        gone = await client.call_tool("read_file", {"path": "never.md"})
        assert gone.is_error
        assert "write_file makes a new one" in said(gone)
        assert (gone.meta or {})["stet/error"]["code"] == "not-there"
        folder = await client.call_tool("list_files", {"folder": ".."})
        assert folder.is_error

    talk(book, story)
    assert (tmp_path / "outside.md").read_text() == "secret\n"
    assert (book.root / "code.py").read_bytes() == b"print()\n"
    assert (book.root / ".claude/settings.json").read_bytes() == b"{}"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_clients_roots_are_the_whole_world(book: Book, mode: str) -> None:
    book.put("in/a.md", b"Some text of ours.\n")
    book.put("out/b.md", b"Some text of others.\n")
    book.put("inside/c.md", b"A folder whose name begins alike.\n")
    os.symlink(book.root / "out", book.root / "in" / "way")

    async def story(client: Client) -> None:
        assert not (await client.call_tool("read_file", {"path": "in/a.md"})).is_error
        for name in ("out/b.md", "in/way/b.md", "in/../out/b.md", "inside/c.md"):
            got = await client.call_tool("read_file", {"path": name})
            assert got.is_error, name
            assert "outside the folders that the client has opened" in said(got)
            assert (await client.call_tool("append_file", {"path": name, "content": "x\n"})).is_error
        assert (await client.call_tool("move_file", {"path": "in/a.md", "new_path": "out/a.md"})).is_error
        assert (await client.call_tool("list_files", {})).is_error
        listed = await client.call_tool("list_files", {"folder": "in"})
        assert said(listed).split() == ["in/a.md"]

    talk(book, story, roots=[book.root / "in"], mode=mode)
    assert (book.root / "out/b.md").read_bytes() == b"Some text of others.\n"


def test_a_client_that_has_opened_no_folder_gets_nothing(book: Book) -> None:
    book.put("a.md", b"Some text of ours.\n")

    async def story(client: Client) -> None:
        got = await client.call_tool("read_file", {"path": "a.md"})
        assert got.is_error
        assert "(none)" in said(got)

    talk(book, story, roots=[])


def test_a_review_waits_for_a_person_and_costs_no_attempt(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    short = text[: len(text) // 2].rsplit(b".", 1)[0].decode() + ".\n"

    async def story(client: Client) -> None:
        asked = await client.call_tool(
            "request_review",
            {"path": "chapter.md", "reason": "The second half\nis in part two.", "change": "write", "content": short},
        )
        assert not asked.is_error, said(asked)
        assert asked.structured_content is not None
        first = asked.structured_content["held"]
        assert first in said(asked)
        again = await client.call_tool(
            "request_review",
            {"path": "chapter.md", "reason": "Please.", "change": "write", "content": short},
        )
        assert again.structured_content is not None
        assert again.structured_content["held"] == first, "the same question keeps its id"
        other = await client.call_tool("request_review", {"path": "chapter.md", "reason": "Old.", "change": "delete"})
        assert not other.is_error, said(other)
        assert other.structured_content is not None
        assert [c["id"] for c in pending(book)] == [other.structured_content["held"]], "one question a file"
        last = await client.call_tool(
            "request_review", {"path": "chapter.md", "reason": "Half.", "change": "write", "content": short}
        )
        assert last.structured_content is not None
        junk = await client.call_tool(
            "request_review", {"path": "chapter.md", "reason": "!", "change": "write", "content": "a\0b"}
        )
        assert junk.is_error, "what nobody wants does not reach a person"
        lost = await client.call_tool(
            "request_review",
            {"path": "chapter.md", "reason": "!", "change": "edit", "old_text": "No.", "new_text": "x"},
        )
        assert lost.is_error
        seen = await client.call_tool("list_files", {})
        assert seen.structured_content is not None
        assert seen.structured_content["files"][0]["attempts"] == 0

    talk(book, story)
    assert path.read_bytes() == text
    waits = pending(book)
    assert [(c["path"], c["change"]) for c in waits] == [("chapter.md", "text")]
    assert "review" in waits[0]["rules"]
    shown = book.user.quick("show", waits[0]["id"], cwd=book.root).out
    assert "whom its writer asks: Half." in shown


def test_an_approved_review_lands_as_asked(book: Book) -> None:
    from stet_kit import at_terminal

    path = book.put("chapter.md", chapter(600))

    async def story(client: Client) -> Any:
        asked = await client.call_tool("request_review", {"path": "chapter.md", "reason": "Old.", "change": "delete"})
        assert asked.structured_content is not None
        return asked.structured_content["held"]

    ident = talk(book, story)
    status, out = at_terminal(book.user, book.root, "approve", ident)
    assert status == 0, out
    assert not path.exists()


def test_text_that_looks_like_json_stays_text(book: Book) -> None:
    texts = ["null\n", '{"a": 1}\n', "[1, 2]", '"quoted"\n', "true", "12\n"]

    async def story(client: Client) -> None:
        for number, text in enumerate(texts):
            done = await client.call_tool("write_file", {"path": f"{number}.txt", "content": text})
            assert not done.is_error, said(done)

    talk(book, story)
    assert [(book.root / f"{n}.txt").read_text() for n in range(len(texts))] == texts


def test_long_files_are_shown_in_parts_that_join_up(book: Book) -> None:
    lines = [f"Line {n} of a long file with enough words in it to count.\n" for n in range(3000)]
    book.put("long.md", "".join(lines).encode())
    book.put("wide.md", b"word " * 20_000)

    async def story(client: Client) -> None:
        shown, at = "", 1
        for _ in range(10):
            part = await client.call_tool("read_file", {"path": "long.md", "first_line": at})
            data = part.structured_content
            assert data is not None
            shown += data["text"]
            if data["last_line"] == data["lines"]:
                break
            at = data["last_line"] + 1
            assert f"first_line={at}" in said(part)
        assert shown == "".join(lines)
        wide = await client.call_tool("read_file", {"path": "wide.md"})
        assert wide.structured_content is not None
        assert wide.structured_content["cut"]
        late = await client.call_tool("read_file", {"path": "long.md", "first_line": 4000})
        assert late.is_error
        assert "has 3000 lines" in said(late)

    talk(book, story)


def test_a_call_that_nobody_foresaw_says_what_to_do(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is a fork, so that what is broken here is broken there."""
    path = book.put("a.md", b"Some text of ours.\n")

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no\nsuch thing")

    monkeypatch.setattr(Files, "history", broken)

    async def story(client: Client) -> None:
        got = await client.call_tool("file_history", {"path": "a.md"})
        assert got.is_error
        assert (got.meta or {})["stet/error"]["code"] == "tool-failed"
        assert "ZeroDivisionError: no such thing (mcp_server.py line" in said(got)
        assert "look with read_file before you try again" in said(got)
        for tool, given, code, words in (
            ("list_files", {"folder": "a\0b"}, "bad-path", "has a NUL in its name"),
            ("read_file", {"path": 7}, "bad-arguments", "path: input should be a valid string"),
            ("read_file", {}, "bad-arguments", "path: field required"),
            ("read_file", {"path": "a.md", "limit": 3}, "bad-arguments", "limit: extra inputs are not permitted"),
            ("write_file", {"path": ["x" * 5000]}, "bad-arguments", "content: field required"),
            ("remove_file", {"path": "a.md"}, "no-such-tool", "append_file"),
        ):
            got = await client.call_tool(tool, given)
            assert got.is_error, tool
            error = (got.meta or {})["stet/error"]
            assert error["code"] == code, (tool, given, error)
            assert words in said(got), said(got)
            assert error["next"] in said(got)
            assert len(said(got)) < 500, "no value that was given is repeated"

    talk(book, story)
    assert path.read_bytes() == b"Some text of ours.\n"


def spoken(book: Book, *lines: bytes, answers: int) -> tuple[list[dict[str, Any]], int, list[bytes]]:
    """What a client hears that says hello and these lines, the exit status, and what was printed beside it. A
    client that waits for no answers hears nothing after hello."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    first = [{"id": 0, "method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
    with subprocess.Popen(
        [STET, "mcp"], cwd=book.root, env=book.user.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        late = threading.Timer(20, process.kill)  # an answer that never comes ends the test as well
        late.start()
        process.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n" for line in first))
        process.stdin.flush()
        process.stdout.readline()
        if not answers:
            process.stdout.close()
        process.stdin.write(b"".join(lines))
        process.stdin.flush()
        heard = [json.loads(process.stdout.readline()) for _ in range(answers)]
        process.stdin.close()
        status = process.wait(30)
        late.cancel()
        assert process.stderr
        printed = [line for line in process.stderr.read().splitlines() if b"knows nothing" not in line]
    return heard, status, printed


def call(number: int, name: str, arguments: str = "{}") -> bytes:
    """The line of a call; the arguments are JSON already."""
    return (
        f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call",'
        f' "params": {{"name": "{name}", "arguments": {arguments}}}}}\n'
    ).encode()


def test_nothing_is_printed_for_a_call_that_cannot_be_run(book: Book) -> None:
    """The SDK prints a traceback of what it does not know, on a standard error that some clients show."""
    heard, status, printed = spoken(
        book,
        call(2, "list_files", '{"folder": "a\\u0000b"}'),
        call(3, "read_file", '{"path": null}'),
        call(4, "no_such_tool"),
        answers=3,
    )
    codes = {a["id"]: a["result"]["_meta"]["stet/error"]["code"] for a in heard}
    assert codes == {2: "bad-path", 3: "bad-arguments", 4: "no-such-tool"}
    assert (status, printed) == (0, [])


def test_a_call_that_is_no_message_is_answered(book: Book) -> None:
    """The SDK drops it, and the client waits for ever; a model that spells half a character makes one."""
    path = book.put("a.md", b"Some text of ours.\n")
    heard, status, printed = spoken(
        book,
        b"no message at all\n",
        b'{"jsonrpc": "2.0", "id": 4}\n',
        call(5, "append_file", '{"path": "a.md", "content": "half of a smile: \\ud83d"}'),
        call(6, "append_file", '{"path": "a.md", "content": "a whole smile: \\ud83d\\ude00"}'),
        answers=2,
    )
    answers = {a["id"]: a for a in heard}
    assert answers[5]["error"]["code"] == -32700
    assert "nothing was done" in answers[5]["error"]["message"]
    assert "call again" in answers[5]["error"]["message"]
    assert answers[6]["result"]["isError"] is False
    assert path.read_text() == "Some text of ours.\na whole smile: \U0001f600"
    assert (status, printed) == (0, [])


def test_a_client_that_is_gone_ends_it_without_a_word(book: Book) -> None:
    assert spoken(book, *[call(n, "list_files") for n in range(1, 4)], answers=0) == ([], 0, [])


def test_a_broken_record_refuses_every_call(book: Book) -> None:
    path = book.put("a.md", b"Some text of ours.\n")

    async def story(client: Client) -> None:
        assert not (await client.call_tool("read_file", {"path": "a.md"})).is_error
        (book.state_folder / "ledger.db").write_bytes(b"no database" * 1000)
        for name in ("ledger.db-wal", "ledger.db-shm"):
            (book.state_folder / name).unlink(missing_ok=True)
        got = await client.call_tool("append_file", {"path": "a.md", "content": "x\n"})
        assert got.is_error
        assert "record" in said(got)

    talk(book, story)
    assert path.read_bytes() == b"Some text of ours.\n"


def test_the_tools_can_be_seen_without_a_client(book: Book) -> None:
    tools = book.user.stet("mcp", "--json", cwd=book.root).json()
    assert {tool["name"] for tool in tools} == TOOLS
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)


def test_outside_a_project_it_does_not_start(user: Any, tmp_path: Path) -> None:
    folder = tmp_path / "none"
    folder.mkdir()
    done = user.stet("mcp", cwd=folder)
    assert done.status == 2
    assert "stet init" in done.err
    assert done.out == ""


def test_it_ends_with_its_client_and_by_a_signal(book: Book) -> None:
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    for way in ("close", "interrupt"):
        with subprocess.Popen(
            [STET, "mcp"], cwd=book.root, env=book.user.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps(hello).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["result"]["serverInfo"]["name"] == "stet"
            if way == "interrupt":
                process.send_signal(signal.SIGINT)
            process.stdin.close()
            status = process.wait(30)
            assert process.stderr
            assert b"Traceback" not in process.stderr.read()
        assert status in ((0,) if way == "close" else (0, 130))
