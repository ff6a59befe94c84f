"""The hook as a process: whatever goes wrong it refuses, outside a guarded folder it is silent, and it starts lean."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hook_kit import with_chapter
from stet_kit import Book, chapter, reword

from firewall.agents import events, hook
from firewall.agents.events import Event, Reply

HOOK = [sys.executable, "-m", "firewall.agents.hook"]
HEAVY = (
    "pydantic", "pydantic_core", "click", "tomllib", "dataclasses", "asyncio", "git", "rich", "inspect", "logging",
    "subprocess", "tempfile", "regex", "tree_sitter", "watchdog", "anthropic", "random", "secrets",
    "importlib.metadata", "typing", "urllib.parse",
)  # fmt: skip
"""What one honest write must not import."""


@pytest.fixture
def path(book: Book) -> Path:
    return with_chapter(book)


def event(book: Book, name: str = "PreToolUse", **fields: object) -> bytes:
    """The JSON of an event in the book's folder."""
    return json.dumps({"session_id": "s", "cwd": str(book.root), "hook_event_name": name, **fields}).encode()


def answered(book: Book, data: bytes) -> Reply:
    """The hook's answer, in this process."""
    return hook.respond("claude", data, state=str(book.state_folder), root=str(book.root))


def writing(book: Book, path: Path, content: bytes) -> bytes:
    """PreToolUse of a Write."""
    given = {"file_path": str(path), "content": content.decode()}
    return event(book, tool_name="Write", tool_input=given, tool_use_id="t1")


def where(book: Book) -> list[str]:
    """The options that tie the hook to its record."""
    return ["--state", str(book.state_folder), "--root", str(book.root)]


def run(
    book: Book,
    data: bytes,
    words: Sequence[str] | None = None,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    program: Sequence[str] = HOOK,
) -> subprocess.CompletedProcess[bytes]:
    """The hook's process."""
    return subprocess.run(
        [*program, *(["claude", *where(book)] if words is None else words)],
        input=data,
        capture_output=True,
        cwd=cwd or book.root,
        env=dict(os.environ if env is None else env),
        timeout=120,
    )


def denied(done: subprocess.CompletedProcess[bytes] | Reply) -> str:
    """The reason of a refusal: deny with status 0, or status 2 with text on standard error."""
    if isinstance(done, Reply):
        status, out, err = done.status, done.out, done.err
    else:
        status, out, err = done.returncode, done.stdout.decode(), done.stderr.decode()
    if status == 0:
        said = json.loads(out)["hookSpecificOutput"]
        assert said["permissionDecision"] == "deny"
        assert said["permissionDecisionReason"]
        return str(said["permissionDecisionReason"])
    assert status == 2, (status, out, err)
    assert err.strip(), "an empty standard error lets the call through in some runtimes"
    assert not out
    return err


# -- nothing fails open ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"", b"null", b"[]", b"7", b'"x"', b"{", b"{}", b"\xff\xfe{}", b"[" * 100_000, b'{"hook_event_name": null}',
        b'{"hook_event_name": 3}', b'{"hook_event_name": ["PreToolUse"]}', b"not json",
        b'{"hook_event_name": "PreToolUse"}', b'{"hook_event_name": "PreToolUse", "tool_name": "Write"}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": null}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a.md"}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": 3, "content": "x"}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a", "content": null}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": ["Write"], "tool_input": {"file_path": "a", "content": ""}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a", "old_string": "x"}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "MultiEdit", "tool_input": {"file_path": "a", "edits": 3}}',
        b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": ["rm", "x"]}}',
        b'{"hook_event_name": "PreToolUse", "session_id": 3, "tool_name": "Bash", "tool_input": {"command": "ls"}}',
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused(book: Book, path: Path, data: bytes) -> None:
    assert "not understood" in denied(answered(book, data))


def test_a_missing_record_refuses(book: Book, path: Path) -> None:
    data, words = writing(book, path, reword(chapter(2500))), ["claude", *where(book)]
    (book.state_folder / "ledger.db").rename(book.state_folder / "ledger.away")
    assert "was there and is gone" in denied(run(book, data, words))
    assert not (book.state_folder / "ledger.db").exists(), "no fresh record is made"


@pytest.mark.parametrize("spoilt", [b"", b"not a database, but long enough to look like one at first sight" * 20])
def test_a_broken_record_refuses(book: Book, path: Path, spoilt: bytes) -> None:
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (book.state_folder / name).unlink(missing_ok=True)
    (book.state_folder / "ledger.db").write_bytes(spoilt)
    denied(run(book, writing(book, path, reword(chapter(2500)))))


@pytest.mark.parametrize("name", ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"])
def test_a_broken_record_is_told_to_the_person_and_blocks_no_prompt_or_stop(book: Book, path: Path, name: str) -> None:
    (book.state_folder / "ledger.db").write_bytes(b"x" * 5000)
    done = run(book, event(book, name))
    assert done.returncode == 0
    assert set(json.loads(done.stdout)) == {"systemMessage"}


def test_a_closed_standard_output_refuses(book: Book, path: Path) -> None:
    words = " ".join(["exec", *HOOK, "claude", *where(book)])
    for shell in (f"{words} >&-", f"{words} >/dev/full"):
        done = run(book, writing(book, path, b"stub\n"), ["-c", shell], program=["/bin/sh"])
        assert done.returncode == 2, done
        assert b"cannot be written" in done.stderr
    silent = run(book, writing(book, path, chapter(2500)), ["-c", f"{words} >&- 2>&-"], program=["/bin/sh"])
    assert silent.returncode == 0, "an allowed call has nothing to say"


def test_no_closed_file_number_is_taken_for_the_record(book: Book, path: Path) -> None:
    words = " ".join(["exec", *HOOK, "claude", *where(book)])
    for closed in (">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"):
        run(book, writing(book, path, b"stub\n"), ["-c", f"{words} {closed}"], program=["/bin/sh"])
    with book.open() as proxy:
        assert proxy.ledger.artifact("chapter.md") is not None


def test_a_closed_standard_input_refuses(book: Book) -> None:
    words = " ".join(["exec", *HOOK, "claude", *where(book)])
    said = denied(run(book, b"", ["-c", f"{words} <&-"], program=["/bin/sh"]))
    assert "standard input, where its event comes in, is closed" in said


def test_what_has_run_and_cannot_be_judged_is_told_as_that() -> None:
    before, after = (hook.refusal(Event("claude", kind), "No.") for kind in (events.BEFORE, events.AFTER))
    assert (before.decision, before.reason) == ("deny", "No.")
    assert (after.decision, after.reason) == (
        "block", "No. What has run is not judged yet: it is as soon as that can be done."
    )  # fmt: skip


def test_a_pipe_that_never_ends_or_is_never_read_refuses_in_time(book: Book, path: Path) -> None:
    """The event may come in slowly; it must come to an end, and the answer be taken."""
    start = (
        f"from firewall.agents import hook; hook.PIPE_SECONDS = 1; hook.sys.argv[1:] = {['claude', *where(book)]!r}; "
    )
    cut = start + "hook.main()"
    data = writing(book, path, b"stub\n")
    with subprocess.Popen([sys.executable, "-c", cut], stdin=-1, stdout=-1, stderr=-1, cwd=book.root) as slow:
        assert slow.stdin is not None
        slow.stdin.write(data[:20])
        slow.stdin.flush()
        assert slow.wait(60) == 2
        assert slow.stderr is not None
        assert b"kept it waiting" in slow.stderr.read()
    long = (
        start + "hook.respond = lambda *a, **k: hook_reply('x' * 9_000_000); from firewall.agents.events import Reply; "
    )
    long += "hook_reply = Reply; hook.main()"
    with subprocess.Popen([sys.executable, "-c", long], stdin=-1, stdout=-1, stderr=-1, cwd=book.root) as unread:
        assert unread.stdin is not None
        unread.stdin.write(data)
        unread.stdin.close()
        assert unread.wait(60) == 2


@pytest.mark.parametrize(
    "words",
    [
        [], ["claude", "--state"], ["claude", "--state", "x"], ["claude", "--root", "x"], ["claude", "--nosuch"],
        ["nosuch"], ["claude", "codex"], ["../claude"], ["claude", "--state=", "--root=x"],
    ],
)  # fmt: skip
def test_a_wrong_command_line_refuses(book: Book, path: Path, words: list[str]) -> None:
    assert denied(run(book, writing(book, path, b"x"), words))


def test_an_error_of_our_own_refuses(book: Book, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from firewall.agents import guard

    def broken(*_: object) -> None:
        raise ZeroDivisionError("our own fault")

    monkeypatch.setattr(guard.Guard, "answer", broken)
    assert "our own fault" in denied(answered(book, writing(book, path, chapter(2500))))
    after = answered(book, event(book, "PostToolUse", tool_name="Bash", tool_input={"command": "x"}))
    assert json.loads(after.out)["decision"] == "block"


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit, RecursionError])
def test_even_what_ends_a_process_refuses(
    book: Book,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    error: type[BaseException],
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(hook, "respond", broken)
    with open(os.devnull, "rb") as empty:
        assert hook.main(["claude", *where(book)], empty) == 2
    assert error.__name__ in capfd.readouterr().err


# -- the record it is tied to ------------------------------------------------------------------------------


def test_a_changed_environment_brings_no_fresh_record(book: Book, path: Path, tmp_path: Path) -> None:
    other = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "s"),
        "XDG_CONFIG_HOME": str(tmp_path / "c"),
    }
    for number in range(3):
        denied(run(book, writing(book, path, b"stub %d\n" % number), env=other))
    assert "latched" in denied(run(book, writing(book, path, reword(chapter(2500)))))
    assert not (tmp_path / "s").exists()


def test_another_folder_is_still_this_project(book: Book, path: Path, tmp_path: Path) -> None:
    value = json.loads(writing(book, path, b"stub\n"))
    value["cwd"] = str(tmp_path)
    denied(run(book, json.dumps(value).encode(), cwd=tmp_path))


def test_without_options_the_project_is_that_of_the_folder(book: Book, path: Path) -> None:
    denied(run(book, writing(book, path, b"stub\n"), ["claude"]))
    inside = book.root / "deep" / "er"
    inside.mkdir(parents=True)
    value = {**json.loads(writing(book, path, b"stub 2\n")), "cwd": str(inside)}
    denied(run(book, json.dumps(value).encode(), ["claude"], cwd=inside))


def test_outside_of_any_project_it_is_silent(book: Book, tmp_path: Path) -> None:
    data = json.dumps({
        "session_id": "s", "cwd": str(tmp_path), "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": str(tmp_path / "a.md"), "content": "x"}, "tool_use_id": "t",
    }).encode()  # fmt: skip
    done = run(book, data, ["claude"], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_stet_hook_is_the_same(book: Book, path: Path) -> None:
    program = [sys.executable, "-c", "from pipeline.cli import main; main()", "hook"]
    assert "word-floor" in denied(run(book, writing(book, path, b"stub\n"), program=program))


# -- lean --------------------------------------------------------------------------------------------------

TELLS = """import json, os, sys, firewall.agents.hook as h
os._exit = lambda status: None
status = h.main()
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
sys.exit(status)
"""


def imported(done: subprocess.CompletedProcess[bytes]) -> set[str]:
    """What the hook had imported when it ended, and a Python that does nothing has not."""
    bare = subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1])) - set(bare.stdout.decode().split())


def modules(book: Book, data: bytes) -> set[str]:
    """What the hook has imported when it ends."""
    done = run(book, data, program=[sys.executable, "-c", TELLS])
    assert done.returncode == 0, done
    assert not done.stdout, done.stdout
    return imported(done)


def test_one_honest_write_imports_nothing_heavy(book: Book, path: Path) -> None:
    run(book, event(book, "UserPromptSubmit", prompt="@chapter.md"))
    used = modules(book, writing(book, path, reword(chapter(2500))))
    assert "firewall.writes.proxy" in used, "it was judged"
    assert not used & set(HEAVY), used & set(HEAVY)


def test_nor_does_a_command_that_changes_nothing(book: Book, path: Path) -> None:
    run(book, event(book, "UserPromptSubmit", prompt="x"))
    data = event(book, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t")
    used = modules(book, data)
    assert "firewall.agents.manifest" in used
    assert not used & set(HEAVY), used & set(HEAVY)


PATHS = """import sys, firewall.agents.hook as h
before = "urllib.parse" in sys.modules
h._import_paths()
assert ("urllib.parse" in sys.modules) == before
from pathlib import Path
before = Path("/a b/c").as_uri()
import urllib.parse
assert urllib.parse.unquote(before) == "file:///a b/c"
assert urllib.parse.urlsplit(before).path == "/a%20b/c"
assert before == Path("/a b/c").as_uri()
"""


def test_paths_and_addresses_are_whole_without_what_was_left_out() -> None:
    subprocess.run([sys.executable, "-c", PATHS], check=True, timeout=60)


JUDGING = (
    "firewall.text.outline", "pyromark", "firewall.writes.assess", "firewall.writes.rules", "firewall.writes.commit",
)  # fmt: skip
"""What is for a text that is judged."""


def test_what_changes_nothing_brings_nothing_in_that_judges(book: Book, path: Path) -> None:
    run(book, event(book, "UserPromptSubmit", prompt="x"))
    used = modules(book, event(book, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t"))
    assert not used & set(JUDGING), used & set(JUDGING)
    assert "_hashlib" not in used, "OpenSSL is for more than that"
    used = modules(book, writing(book, path, chapter(2500)))
    assert set(JUDGING) - used == {"firewall.writes.commit"}, "a commit is for what is written"


VALUES = """import json, os, sys, firewall.agents.hook as h
os._exit = lambda status: None
status = h.main()
values = {c for m in list(sys.modules.values()) if m.__name__.startswith("firewall.") for c in vars(m).values()
          if isinstance(c, type) and issubclass(c, tuple) and hasattr(c, "_fields")}
dear = [f"{c.__module__}.{c.__name__}" for c in values if c.__bases__[0].__module__ != "firewall.values"]
print(json.dumps([len(values), sorted(dear)]), file=sys.stderr)
sys.exit(status)
"""


def test_every_value_of_the_hook_is_made_at_little_cost(book: Book, path: Path) -> None:
    """One of `typing` costs ten times as much, and the hook makes sixty."""
    run(book, event(book, "UserPromptSubmit", prompt="x"))
    data = event(book, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t")
    done = run(book, data, program=[sys.executable, "-c", VALUES])
    count, dear = json.loads(done.stderr.splitlines()[-1])
    assert count > 20
    assert dear == []


def test_outside_of_any_project_nothing_of_the_proxy_is_opened(book: Book, tmp_path: Path) -> None:
    data = json.dumps({"cwd": str(tmp_path), "hook_event_name": "Stop", "session_id": "s"}).encode()
    done = run(book, data, ["claude"], program=[sys.executable, "-c", TELLS], cwd=tmp_path)
    assert done.returncode == 0
    assert not imported(done) & set(HEAVY)
