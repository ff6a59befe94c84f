"""`stet watch` with real processes: what stays, what is put back, how it begins and ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STUB, Book, at_terminal, chapter, no_leftovers, prose, reword
from watch_kit import Watching

from firewall.agents import hook
from firewall.agents.rounds import Rounds
from firewall.agents.watch import PATIENCE, Burst, Trouble, Watch, _Handler
from firewall.writes import disk


def pending(book: Book) -> list[dict[str, object]]:
    """What waits for a person."""
    found = book.user.quick("pending", "--json", cwd=book.root).json()
    assert isinstance(found, list)
    return found


def test_a_stub_and_a_delete_are_put_back_and_wait_for_a_person(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    with Watching(book) as watch:
        path.write_bytes(STUB)
        back = watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == text
        assert back["words"] == {"before": 1200, "after": 5}
        assert "word-floor" in back["rules"]
        waits = pending(book)
        assert [(c["id"], c["change"]) for c in waits] == [(back["held"], "text")]
        path.unlink()
        gone = watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == text
        assert gone["rules"] == ["delete"]
        fresh = book.put("new.md", b"Sure, here is the file you asked for:\n\n```markdown\n# T\n\nText.\n```\n")
        assert "stet accept new.md" in watch.await_event("left", "new.md")["message"]
        assert fresh.exists(), "it may be somebody's only copy"
        assert {c["id"] for c in pending(book)} == {back["held"], gone["held"]}
        # A person says yes: the answer is a commit of Stet's own, and the watch leaves it alone.
        status, out = at_terminal(book.user, book.root, "approve", str(gone["held"]))
        assert status == 0, out
        assert watch.said() == []
        assert not path.exists()
    assert any("STET ALERT" in line for line in watch.err), "a person is told at once"
    assert not no_leftovers(book.root)


def test_a_persons_saves_stay_however_an_editor_saves(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)

    def in_place(data: bytes) -> None:
        with path.open("r+b") as file:
            file.truncate(0)
            file.write(data)

    def slowly(data: bytes) -> None:
        with path.open("wb") as file:
            file.flush()
            time.sleep(1.2)  # empty on the disk, longer than changes are left to settle
            for start in range(0, len(data), 2000):
                file.write(data[start : start + 2000])
                file.flush()
                time.sleep(0.05)

    def by_rename(data: bytes) -> None:
        temp = path.with_name(".chapter.md.a1B2c3")
        temp.write_bytes(data)
        temp.replace(path)

    def with_a_backup(data: bytes) -> None:
        probe = path.with_name("4913")
        probe.touch()
        probe.unlink()
        swap = path.with_name(".chapter.md.swp")
        swap.write_bytes(b"swap")
        path.rename(path.with_name("chapter.md~"))
        time.sleep(0.15)  # no chapter on the disk
        path.write_bytes(data)
        path.with_name("chapter.md~").unlink()
        swap.unlink()

    def like_emacs(data: bytes) -> None:
        lock = path.with_name(".#chapter.md")
        os.symlink("someone@host.1:2", lock)
        path.with_name("#chapter.md#").write_bytes(data)
        shutil.copy2(path, path.with_name("chapter.md~"))
        path.write_bytes(data)
        lock.unlink()
        path.with_name("#chapter.md#").unlink()
        path.with_name("chapter.md~").unlink()

    def through_a_guarded_name(data: bytes) -> None:
        temp = path.with_name("chapter.tmp.md")
        temp.write_bytes(data)
        path.unlink()
        temp.rename(path)

    now = text
    with Watching(book) as watch:
        for number, save in enumerate((in_place, slowly, by_rename, with_a_backup, like_emacs, through_a_guarded_name)):
            now = reword(now, f"then{number}".encode())
            save(now)
            seen = watch.await_event("accepted", "chapter.md")
            assert seen["words"] == {"before": 1200 + number, "after": 1201 + number}, save
            assert path.read_bytes() == now
        assert watch.said() == []
    assert pending(book) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vim", ["-N", "-u", "NONE", "-es", "-c", "set backup backupdir=.", "-c", "%s/zebra/horse/", "-c", "wq"]),
        ("vim", ["-N", "-u", "NONE", "-es", "-c", "set backupcopy=yes", "-c", "%s/zebra/horse/", "-c", "wq"]),
        ("sed", ["-i", "s/zebra/horse/"]),
        ("perl", ["-pi", "-e", "s/zebra/horse/"]),
        ("emacs", ["--batch", "chapter.md", "--eval", '(progn (replace-string "zebra" "horse") (save-buffer))']),
    ],
    ids=["vim", "vim-copy", "sed", "perl", "emacs"],
)  # fmt: skip
def test_real_editors_save(book: Book, name: str, words: list[str]) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not here")
    path = book.put("chapter.md", chapter(600) + b"\nA zebra came by that night.\n")
    with Watching(book) as watch:
        file = [] if name == "emacs" else ["chapter.md"]
        subprocess.run(
            [program, *words, *file], cwd=book.root, env=book.user.environment(TERM="dumb"), timeout=60,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip
        watch.await_event("accepted", "chapter.md")
        assert path.read_bytes().endswith(b"\nA horse came by that night.\n")


def test_a_burst_is_one_change_set(book: Book) -> None:
    first, second = prose(1200, 1), prose(1200, 2)
    cut = first.index("\n\n", len(first) // 2) + 2
    book.put("one.md", first.encode())
    book.put("two.md", second.encode())
    with Watching(book) as watch:
        (book.root / "one.md").write_text(first[:cut])  # alone it would lose half of its words
        time.sleep(0.1)
        (book.root / "two.md").write_text(second + "\n" + first[cut:])
        said = {line["path"]: line["event"] for line in watch.said()}
        assert said == {"one.md": "accepted", "two.md": "accepted"}


def test_renames_of_files_and_folders_are_seen(book: Book) -> None:
    text = chapter(1200)
    book.put("one.md", text)
    book.put("two.md", chapter(600, seed=2))
    with Watching(book) as watch:
        os.makedirs(book.root / "part" / "deep")
        (book.root / "one.md").rename(book.root / "part" / "deep" / "one.md")
        moved = watch.said()
        assert {(line["event"], line["path"]) for line in moved} == {("accepted", "part/deep/one.md")}
        (book.root / "part").rename(book.root / "teil")
        again = watch.said()
        assert {(line["event"], line["path"]) for line in again} == {("accepted", "teil/deep/one.md")}
        (book.root / "teil" / "deep" / "one.md").write_bytes(STUB)
        watch.await_event("restored", "teil/deep/one.md")
        assert (book.root / "teil" / "deep" / "one.md").read_bytes() == text
        (book.root / "two.md").replace(book.root / "teil" / "deep" / "one.md")
        said = {line["path"]: line["event"] for line in watch.said()}
        assert said["teil/deep/one.md"] == "restored", "another text in its place"
        assert (book.root / "teil" / "deep" / "one.md").read_bytes() == text
        assert (book.root / "two.md").read_bytes() == chapter(600, seed=2)


def test_stets_own_commits_are_its_own(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    with Watching(book) as watch:
        for number in range(5):
            text = reword(text, f"then{number}".encode())
            done = book.user.stet("write", "chapter.md", cwd=book.root, data=text)
            assert done.status == 0, done.err
        assert watch.said() == []
        assert path.read_bytes() == text


def test_a_latched_files_changes_are_kept_though_unread(book: Book) -> None:
    path = book.put("chapter.md", chapter(1200))
    with Watching(book) as watch:
        for number in range(3):
            path.write_bytes(STUB + b"%d\n" % number)
            last = watch.await_event("restored", "chapter.md")
        assert last["alert"], "the third in a row trips"
        unread = chapter(1300, seed=9)
        path.write_bytes(unread)
        after = watch.await_event("restored", "chapter.md")
        assert after["rules"] == ["latched"]
        with book.open() as proxy:
            case = next(c for c in pending(book) if c["id"] == after["held"])
            assert proxy.ledger.load(str(case["proposal"])) == unread


def test_the_policy_is_a_persons_and_cannot_be_lost(book: Book) -> None:
    policy = book.root / "stet.toml"
    before = policy.read_text()
    path = book.put("chapter.md", chapter(1200))
    with Watching(book) as watch:
        policy.unlink()
        watch.await_event("put-back", "stet.toml")
        assert policy.read_text() == before
        policy.write_text(before.replace("[rules]", "[rules]\nword_floor = 0.1\nblock_below = 0.1", 1))
        assert [line for line in watch.said() if line["event"] != "error"] == []
        assert "word_floor = 0.1" in policy.read_text(), "a person may edit it; it is not in force"
        path.write_bytes(STUB)
        watch.await_event("restored", "chapter.md")
        policy.write_text("not toml at all = = =")
        assert watch.await_event("error")["code"] == "bad-policy"
        path.write_bytes(STUB)
        watch.await_event("restored", "chapter.md")
        policy.write_text(before)


@pytest.mark.parametrize("command", ["watch", "mcp"])
@pytest.mark.parametrize("name", ["chapters", "chapter.md", "no\x1bfolder"])
def test_a_folder_that_is_none_is_said(book: Book, command: str, name: str) -> None:
    """The project above it would be watched or served instead, and nobody would know."""
    book.put("chapter.md", chapter(100))
    done = book.user.quick(command, name, "--json", cwd=book.root)
    assert done.status == 2
    assert done.json()["code"] == "not-found"
    assert "Name a folder that is guarded" in done.err
    assert "\x1b" not in done.err


def test_one_watcher_a_folder(book: Book) -> None:
    book.put("chapter.md", chapter(100))
    with Watching(book):
        second = book.user.stet("watch", "--json", cwd=book.root)
        assert second.status == 1
        assert second.json()["code"] == "already-watched"
        assert "Ctrl-C" in second.err
    with Watching(book) as third:
        assert third.end(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGHUP, 0)], ids=["int", "term", "hup"]
)
def test_after_the_end_a_change_is_a_persons(book: Book, number: int, status: int) -> None:
    """However it is ended: by Ctrl-C, by a service manager, or with its terminal."""
    path = book.put("chapter.md", chapter(1200))
    with Watching(book) as watch:
        assert watch.end(number) == status
    path.write_bytes(STUB)
    with Watching(book) as again:
        assert again.said() == []
        assert path.read_bytes() == STUB, "nobody watched: it is the baseline"


def test_who_said_not_to_heed_a_closed_terminal_is_not_ended_by_it(book: Book) -> None:
    path = book.put("chapter.md", chapter(600))
    with Watching(book, prefix=["nohup"]) as watch:
        watch.process.send_signal(signal.SIGHUP)
        path.write_bytes(STUB)
        watch.await_event("restored", "chapter.md")
        assert watch.end(signal.SIGTERM) == 0


def test_what_happens_while_a_killed_watcher_is_missing_is_judged(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    with Watching(book) as watch:
        assert watch.end(signal.SIGKILL) == -signal.SIGKILL
    path.write_bytes(STUB)
    with Watching(book) as again:
        assert [(line["event"], line["path"]) for line in again.early] == [("restored", "chapter.md")]
        assert path.read_bytes() == text


def test_events_that_the_system_loses_delay_a_look_and_no_more(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its queue overflows where very much changes at once."""
    monkeypatch.setattr(_Handler, "dispatch", lambda *_: None)
    text = chapter(600)
    path = book.put("chapter.md", text)
    with Rounds(book.root) as rounds:
        watch = Watch(rounds, every=0.2)

        def changed() -> None:
            path.write_bytes(STUB)

        looks = watch.run(changed)
        seen = next(looks)
        assert isinstance(seen, list)
        watch.stop()
        assert list(looks) == []
    assert [(told.fate, told.path) for told in seen] == [("restored", "chapter.md")]
    assert path.read_bytes() == text


def test_an_agents_hook_tells_it_what_the_watch_put_back(book: Book) -> None:
    """The hook finds the file as it was: the agent would take its change for done."""
    text = chapter(600)
    path = book.put("chapter.md", text)
    call = {"tool_name": "Bash", "tool_input": {"command": "python3 x.py"}, "tool_use_id": "t1"}

    def hears(name: str, **more: object) -> str:
        event = {"session_id": "s1", "cwd": str(book.root), "hook_event_name": name, "permission_mode": "default"}
        given = {"state": str(book.state_folder), "root": str(book.root), "environment": {}}
        return hook.respond("claude", json.dumps({**event, **more}).encode(), **given).out  # type: ignore[arg-type]

    with Rounds(book.root) as rounds:
        assert hears("UserPromptSubmit", prompt="go on") == ""
        assert hears("PreToolUse", **call) == ""
        path.write_bytes(STUB)
        (told,), trouble = rounds.look()
        assert (told.fate, trouble) == ("restored", None)
        said = json.loads(hears("PostToolUse", **call, tool_response={"stdout": ""}))
        assert said["decision"] == "block"
        assert "chapter.md was put back as it was before" in said["reason"]
        assert hears("PreToolUse", **{**call, "tool_use_id": "t2"}) == "", "it is told once"
        assert hears("PostToolUse", **{**call, "tool_use_id": "t2"}, tool_response={"stdout": ""}) == ""
        assert hears("Stop") == ""
        path.write_bytes(STUB)
        rounds.look()
        assert hears("UserPromptSubmit", prompt="again") == "", "a person's own save is not the agent's to hear of"
    assert path.read_bytes() == text


def test_a_fault_in_a_look_does_not_end_the_watch(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    text = chapter(600)
    path = book.put("chapter.md", text)
    with Rounds(book.root) as rounds:
        watch = Watch(rounds)
        path.write_bytes(STUB)
        with monkeypatch.context() as patch:
            patch.setattr(rounds, "look", lambda: 1 // 0)
            (trouble,) = watch._look()
            assert list(watch._look()) == [], "the same is told of once"
        assert isinstance(trouble, Trouble)
        assert trouble.error.code == "look-failed"
        assert "ZeroDivisionError: integer division or modulo by zero (watch.py line" in trouble.error.message
        assert "each look tries again" in trouble.error.hint
        ((told,),) = watch._look()
        assert (told.fate, told.path) == ("restored", "chapter.md")
    assert path.read_bytes() == text


def test_what_a_killed_watcher_put_back_waits_all_the_same(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ended in the middle of putting files back: the first is back, of the second there is a file beside it."""
    texts = {f"part{number}.md": chapter(600, seed=number) for number in range(3)}
    for name, text in texts.items():
        book.put(name, text)
    real = disk.replace
    asked: list[Path] = []

    def ended(path: Path, *rest: Any) -> None:
        asked.append(path)
        if len(asked) > 1:
            (path.parent / f"{disk._temp_prefix(path)}0123456789abcdef.tmp").write_bytes(b"half")
            raise SystemExit  # nothing of what would follow is done
        real(path, *rest)

    with Rounds(book.root) as rounds:
        for name in texts:
            (book.root / name).write_bytes(STUB)
        with monkeypatch.context() as patch:
            patch.setattr(disk, "replace", ended)
            with pytest.raises(SystemExit):
                rounds.look()
        back = asked[0].name
        assert (book.root / back).read_bytes() == texts[back]
        assert back in {case["path"] for case in pending(book)}, "nobody else has what stood there"
        rounds.look()
        assert {case["path"] for case in pending(book)} == set(texts)
    assert {path.name: path.read_bytes() for path in book.root.glob("*.md")} == texts
    assert no_leftovers(book.root) == []


def test_a_folder_that_is_gone_ends_it(book: Book) -> None:
    book.put("chapter.md", chapter(100))
    with Watching(book) as watch:
        shutil.rmtree(book.root)
        assert watch.process.wait(60) == 1
        assert watch.said()[-1]["code"] == "folder-gone"
    assert "is gone: it was removed, moved" in "".join(watch.err)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify's limits are Linux's")
def test_a_limit_of_the_system_is_named(book: Book) -> None:
    for number in range(20):
        (book.root / f"part{number}").mkdir()
    lower = 'echo 10 > /proc/sys/user/max_inotify_watches && exec "$@"'
    prefix = ["unshare", "--user", "--map-root-user", "sh", "-c", lower, "sh"]
    probe = subprocess.run([*prefix, "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        pytest.skip(f"no user namespace with limits of its own here: {probe.stderr.strip()}")
    done = book.user.stet("watch", "--json", cwd=book.root, prefix=prefix)
    assert done.status == 1
    said = done.json()
    assert said["code"] == "cannot-watch"
    assert "max_user_watches" in said["next"]


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_settles_waits_for_writers_and_never_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    from watchdog.events import FileClosedEvent, FileCreatedEvent, FileModifiedEvent

    from firewall.agents import watch

    monkeypatch.setattr(watch, "_CLOSES", True)
    clock = Clock()
    burst = Burst(clock)
    assert burst.due(0.4) == float("inf")
    burst.add(FileCreatedEvent("a.md"))
    assert burst.due(0.4) == pytest.approx(0.4)
    clock.now += 0.3
    burst.add(FileCreatedEvent("b.md"))
    assert burst.due(0.4) == pytest.approx(0.4), "another change begins the wait anew"
    burst.add(FileModifiedEvent("a.md"))
    assert burst.due(0.4) == pytest.approx(PATIENCE - 0.3), "a writer holds it open"
    burst.add(FileClosedEvent("a.md"))
    assert burst.due(0.4) == pytest.approx(0.4)
    for _ in range(100):
        clock.now += 0.3
        burst.add(FileModifiedEvent("c.md"))
    assert burst.due(0.4) == 0.0, "one that never ends hides nothing"
    burst.clear()
    assert burst.due(0.4) == float("inf")
