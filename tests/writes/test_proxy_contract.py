"""What a write through the proxy promises, whichever rules judge it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stet_kit import STUB, Book, NewBook, chapter, files_below, no_leftovers, reword

from firewall.errors import EXIT_LATCHED, EXIT_OK, EXIT_REFUSED
from firewall.writes import disk
from firewall.writes.operator import versions
from firewall.writes.proxy import WriteProxy


def test_a_new_file_an_edit_and_a_stub(book: Book) -> None:
    first = chapter()
    made = book.write("ch.md", first)
    assert (made.committed, made.exit_status) == (True, EXIT_OK)
    assert (book.root / "ch.md").read_bytes() == first

    edited = book.write("ch.md", reword(first))
    assert edited.committed
    assert edited.words.after == edited.words.before + 1

    refused = book.write("ch.md", STUB)
    assert (refused.committed, refused.exit_status) == (False, EXIT_REFUSED)
    assert (refused.attempt, refused.attempts_left) == (1, 2)
    assert (book.root / "ch.md").read_bytes() == reword(first)


def test_the_result_as_json_has_the_keys_that_scripts_depend_on(book: Book) -> None:
    book.write("ch.md", chapter())
    for result in (book.write("ch.md", reword(chapter())), book.write("ch.md", STUB)):
        value = json.loads(json.dumps(result.to_json()))
        assert {
            "outcome", "path", "committed", "tripped", "attempt", "attempts_left",
            "words", "findings", "alert",
        } <= set(value)  # fmt: skip
        assert set(value["words"]) == {"before", "after", "mark"}
        for finding in value["findings"]:
            assert {"rule", "message", "evidence"} <= set(finding)


def test_a_refusal_says_what_was_measured_the_limit_and_what_would_pass(book: Book) -> None:
    text = chapter(1200)
    book.write("ch.md", text)
    message = " ".join(f.message for f in book.write("ch.md", b"Gone now.").verdict.findings)
    assert "1200" in message
    assert "1020" in message
    assert "in place" in message
    for way_round in ("--force", "stet allow", "stet reset", "stet.toml", "grant", "--stop-reason"):
        assert way_round not in message


def test_check_changes_nothing_and_counts_nothing(book: Book) -> None:
    text = chapter()
    book.put("ch.md", text)
    for _ in range(5):
        with book.open() as proxy:
            looked = proxy.check(book.root / "ch.md", STUB)
        assert looked.exit_status == EXIT_REFUSED
        assert looked.attempt == 0
    assert (book.root / "ch.md").read_bytes() == text
    assert book.write("ch.md", reword(text)).committed
    assert not book.alerts


def test_a_passing_commit_that_changes_the_file_sets_the_count_to_zero(book: Book) -> None:
    text = chapter()
    book.write("ch.md", text)
    for word in (b"one", b"two", b"three"):
        book.write("ch.md", STUB + word)
        book.write("ch.md", STUB + word + word)
        text = reword(text, word)
        assert book.write("ch.md", text).committed
    assert not book.alerts


def test_writing_the_same_bytes_back_clears_no_attempt(book: Book) -> None:
    text = chapter()
    book.write("ch.md", text)
    book.write("ch.md", STUB + b"a")
    book.write("ch.md", STUB + b"b")
    same = book.write("ch.md", text)
    assert same.committed
    assert book.write("ch.md", STUB + b"c").tripped
    assert len(book.alerts) == 1


def test_three_failures_trip_and_then_nothing_passes_not_even_what_is_good(book: Book) -> None:
    text = chapter()
    book.write("ch.md", text)
    last = [book.write("ch.md", STUB + bytes([97 + n])) for n in range(3)][-1]
    assert (last.tripped, last.exit_status, last.attempts_left) == (True, EXIT_LATCHED, 0)
    assert last.alert is not None
    assert last.alert.attempts == 3
    for good in (reword(text), text + b"\nMore.\n", None):
        fourth = book.write("ch.md", good)
        assert (fourth.committed, fourth.exit_status) == (False, EXIT_LATCHED)
        assert fourth.alert is None, "the alert is raised once"
    assert (book.root / "ch.md").read_bytes() == text
    assert len(book.alerts) == 1


def test_the_latch_belongs_to_the_artifact_alone(book: Book) -> None:
    for name in ("a.md", "b.md"):
        book.write(name, chapter())
    for n in range(3):
        book.write("a.md", STUB + bytes([97 + n]))
    assert book.write("a.md", reword(chapter())).tripped
    assert book.write("b.md", reword(chapter())).committed


@pytest.mark.parametrize("spelling", ["./ch.md", "sub/../ch.md", "link.md", "linked/ch.md"])
def test_every_spelling_of_a_file_is_one_artifact(book: Book, spelling: str) -> None:
    text = chapter()
    book.write("ch.md", text)
    (book.root / "sub").mkdir()
    (book.root / "link.md").symlink_to("ch.md")
    (book.root / "linked").symlink_to(".")
    book.write("ch.md", STUB + b"a")
    book.write(spelling, STUB + b"b")
    assert book.write(spelling, STUB + b"c").tripped
    assert book.write("ch.md", reword(text)).tripped
    assert (book.root / "link.md").is_symlink()
    assert (book.root / "ch.md").read_bytes() == text


def test_two_open_sessions_share_the_counter_and_the_latch(book: Book) -> None:
    text = chapter()
    book.write("ch.md", text)
    with book.open(session="one") as one, book.open(session="two") as two:
        path = book.root / "ch.md"
        assert one.write(path, STUB + b"a").attempt == 1
        assert two.write(path, STUB + b"b").attempt == 2
        assert one.write(path, STUB + b"c").tripped
        assert two.write(path, reword(text)).exit_status == EXIT_LATCHED
    assert len(book.alerts) == 1


def test_a_base_that_is_no_longer_on_the_disk_is_refused(book: Book) -> None:
    text = chapter()
    book.write("ch.md", text)
    base = disk.sha256(text)
    assert book.write("ch.md", reword(text, b"first"), base=base).committed
    late = book.write("ch.md", reword(text, b"second"), base=base)
    assert not late.committed
    assert "stale-base" in late.verdict.rules
    assert b"first" in (book.root / "ch.md").read_bytes()


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "model_context_window_exceeded", "", "because"])
def test_a_model_that_was_cut_off_writes_nothing(book: Book, reason: str) -> None:
    text = chapter()
    book.write("ch.md", text)
    result = book.write("ch.md", text + b"\nAnd then the", stop_reason=reason)
    assert not result.committed
    assert "truncated" in result.verdict.rules
    assert (book.root / "ch.md").read_bytes() == text


def test_bytes_that_are_no_text_are_refused(book: Book) -> None:
    for n, data in enumerate((b"caf\xe9\n", b"one\0two\n", "hello".encode("utf-16"), b"\xff\xfe\xfa")):
        result = book.write(f"{n}.md", data)
        assert not result.committed
        assert "bytes" in result.verdict.rules
        assert not (book.root / f"{n}.md").exists()


def test_a_file_with_words_is_not_emptied_whatever_its_size(book: Book) -> None:
    for n, nothing in enumerate((b"", b" \n\t\n", "\u200b\ufeff\u2060".encode())):
        book.put(f"{n}.md", b"Buy lamps.\n")
        assert not book.write(f"{n}.md", nothing).committed
        assert (book.root / f"{n}.md").read_bytes() == b"Buy lamps.\n"


def test_a_delete_is_held_and_a_file_outside_the_project_cannot_be_written(book: Book, tmp_path: Path) -> None:
    text = chapter()
    book.write("ch.md", text)
    gone = book.write("ch.md", None)
    assert (gone.committed, gone.verdict.outcome.label) == (False, "hold")
    assert (book.root / "ch.md").read_bytes() == text

    outside = tmp_path / "elsewhere.md"
    outside.write_bytes(text)
    (book.root / "out.md").symlink_to(outside)
    (book.root / "up").symlink_to(tmp_path)
    for way in (outside, "../../elsewhere.md", "out.md", "up/elsewhere.md", "up/new.md"):
        refused = book.write(way, text + b"x")
        assert not refused.committed
        assert "path" in refused.verdict.rules
    assert outside.read_bytes() == text
    assert not (tmp_path / "new.md").exists()


@pytest.mark.parametrize(
    "name",
    [
        ".git/config",
        ".git/hooks/x.md",
        ".GIT/x.md",
        "sub/.git/a.md",
        "stet.toml",
        "Stet.TOML",
        "sub/stet.toml",
    ],
)
def test_git_and_the_policy_are_out_of_reach(book: Book, name: str) -> None:
    before = files_below(book.root)
    assert "path" in book.write(name, b"[project]\nid = 'mine-mine'\n").verdict.rules
    assert files_below(book.root) == before


def test_the_state_folder_is_out_of_reach_even_inside_the_project(
    new_book: NewBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = new_book("outer")
    inner = book.root / "state-inside"
    monkeypatch.setenv("XDG_STATE_HOME", str(inner))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(book.root / "config-inside"))
    with WriteProxy.open(book.root) as proxy:
        for path in (proxy.state / "alerts.jsonl", proxy.state / "x.md", proxy.state):
            assert "path" in proxy.write(path, b"words\n").verdict.rules
        assert not (proxy.state / "alerts.jsonl").exists()
        assert not (proxy.state / "x.md").exists()


def test_every_accepted_version_can_be_loaded_again(book: Book) -> None:
    texts = [chapter()]
    book.write("ch.md", texts[0])
    for n in range(6):
        texts.append(reword(texts[-1], f"w{n}".encode()))
        assert book.write("ch.md", texts[-1]).committed
    with book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        assert [proxy.ledger.load(v.sha256) for v in versions(proxy, known)] == texts


def test_nothing_but_the_artifact_changes_in_the_project(book: Book) -> None:
    book.put("other.md", b"other words\n")
    before = files_below(book.root)
    book.write("deep/er/ch.md", chapter())
    book.write("deep/er/ch.md", STUB)
    after = files_below(book.root)
    assert after.pop("deep/er/ch.md") == chapter()
    assert after == before
    assert no_leftovers(book.root) == []
