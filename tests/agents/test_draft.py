"""`from firewall import guard`: what lands, what is refused, and what an exception leaves behind."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STUB, Book, chapter, no_leftovers, reword

import firewall
from firewall import Refused, guard
from firewall.draft import AnchorNotFound, NotAText, NotUtf8
from firewall.errors import NoProject


def test_a_small_change_lands_when_the_block_ends(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    with guard(path, session="s1") as draft:
        assert draft.exists
        assert draft.read().encode() == text
        draft.text = reword(text).decode()
        assert path.read_bytes() == text, "not before the end"
    assert path.read_bytes() == reword(text)
    assert draft.result is not None
    assert draft.result.committed
    with book.open() as proxy:
        last = proxy.ledger.journal()[-1]
        assert (last.kind, last.session, last.source) == ("commit", "s1", "python")


def test_a_refusal_raises_with_what_was_measured(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    with pytest.raises(Refused) as caught, guard(path) as draft:
        draft.write(STUB.decode())
    assert "the floor is 1020" in caught.value.message
    assert caught.value.result.attempt == 1
    assert caught.value.to_json()["code"] == "refused"
    assert path.read_bytes() == text
    with pytest.raises(Refused) as held, guard(path) as draft:
        draft.text = "\n".join(draft.text.splitlines()[: len(draft.text.splitlines()) * 7 // 10]) + "\n"
    assert held.value.result.held
    assert f"stet show {held.value.result.held}" in held.value.hint
    with pytest.raises(Refused) as tripped, guard(path) as draft:
        draft.text = STUB.decode() + "More.\n"
    assert tripped.value.result.tripped
    assert "stet reset chapter.md" in tripped.value.hint
    assert path.read_bytes() == text
    assert not no_leftovers(book.root)


def test_an_exception_writes_nothing_and_counts_nothing(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    with pytest.raises(RuntimeError, match="ours"), guard(path) as draft:
        draft.text = reword(text).decode()
        raise RuntimeError("ours")
    assert path.read_bytes() == text
    with guard(path) as same:
        pass
    assert same.result is None, "nothing was changed, so nothing was proposed"
    assert book.write("chapter.md", reword(text)).attempt == 0


def test_an_edit_needs_its_passage_once(book: Book) -> None:
    path = book.put("a.md", b"One.\nTwo.\nTwo.\n")
    for old, said in (("Two.", "stands 2 times"), ("Three.", "is not"), ("", "is empty")):
        with pytest.raises(AnchorNotFound, match=said), guard(path) as draft:
            draft.edit(old, "x")
    with guard(path) as draft:
        draft.edit("One.", "First of all.")
        draft.edit("First", "Foremost")
    assert path.read_bytes() == b"Foremost of all.\nTwo.\nTwo.\n"


def test_new_files_other_line_ends_and_cut_off_answers(book: Book) -> None:
    with guard(book.root / "part" / "new.md") as draft:
        assert not draft.exists
        draft.text = "A new beginning.\n"
    assert (book.root / "part" / "new.md").read_bytes() == b"A new beginning.\n"
    dos = book.put("dos.md", b"One line.\r\nTwo lines.\r\n")
    with guard(dos) as draft:
        draft.text = "One line.\nTwo lines.\nThree lines.\n"
    assert dos.read_bytes() == b"One line.\r\nTwo lines.\r\nThree lines.\r\n"
    with pytest.raises(Refused, match="max_tokens"), guard(dos, stop_reason="max_tokens") as draft:
        draft.text += "Four lines.\n"
    odd = book.put("odd.md", b"caf\xe9\n")
    with pytest.raises(NotUtf8), guard(odd):
        raise AssertionError("never entered")


def test_somebody_elses_change_meanwhile_is_not_overwritten(book: Book) -> None:
    text = chapter(300)
    path = book.put("a.md", text)
    with pytest.raises(Refused, match="changed since"), guard(path) as draft:
        path.write_bytes(reword(text, b"theirs"))
        draft.text = reword(text, b"mine").decode()
    assert path.read_bytes() == reword(text, b"theirs")
    fresh = book.root / "fresh.md"
    with pytest.raises(Refused), guard(fresh) as draft:
        fresh.write_bytes(text)
        draft.text = "Mine.\n"
    assert fresh.read_bytes() == text


def test_the_block_may_end_in_another_folder_and_thread(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book.put("chapter.md", b"Some text of ours stands here.\n")
    other = book.put("part/chapter.md", b"Another text of ours stands there.\n")
    monkeypatch.chdir(book.root)
    with guard("chapter.md") as draft:
        draft.text += "And more of it.\n"
        monkeypatch.chdir("part")
    with guard("new.md") as new:
        new.text = "A new text stands here.\n"
        monkeypatch.chdir(book.root)
    assert path.read_text() == "Some text of ours stands here.\nAnd more of it.\n"
    assert other.read_bytes() == b"Another text of ours stands there.\n"
    assert (book.root / "part/new.md").exists(), "where the block began"

    def lines() -> Iterator[str]:
        with guard(path) as draft:
            draft.text += "And the last of it.\n"
            yield draft.text

    begun = lines()
    next(begun)
    again = guard(path)
    again.__enter__().text += "Written by a thread.\n"
    failed: list[BaseException] = []

    def end() -> None:
        try:
            begun.close()  # as when it is collected: nothing is written
            again.__exit__(None, None, None)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=end)
    thread.start()
    thread.join()
    assert failed == []
    assert path.read_text().endswith("And more of it.\nWritten by a thread.\n")


def test_two_drafts_of_one_file_are_not_both_written(book: Book) -> None:
    path = book.put("chapter.md", chapter(300))
    with pytest.raises(Refused) as caught, guard(path) as outer:
        with guard(path) as inner:
            inner.text += "\nThe inner one is first.\n"
        outer.text += "\nThe outer one does not know of it.\n"
    assert caught.value.result.verdict.rules == ("stale-base",)
    assert path.read_text() == inner.text
    with outer:
        pass
    assert outer.result is None, "a draft that is used again begins anew"
    assert outer.text == inner.text


@pytest.mark.parametrize("value", [None, b"bytes", 5])
def test_what_is_no_text_is_said(book: Book, value: Any) -> None:
    path = book.put("chapter.md", b"Some text of ours.\n")
    with pytest.raises(NotAText) as caught, guard(path) as draft:
        draft.text = value
    assert "Give `draft.text` a str." in caught.value.hint
    assert path.read_bytes() == b"Some text of ours.\n"


def test_paths_outside_and_outside_of_any_project(book: Book, tmp_path: Path) -> None:
    with pytest.raises(Refused), guard(book.root / "stet.toml") as draft:
        draft.text = "x"
    with pytest.raises(Refused) as folder, guard(book.root) as draft:
        draft.text = "x"
    assert "is the project's own folder" in folder.value.message
    with pytest.raises(NoProject), guard(tmp_path / "elsewhere.md"):
        raise AssertionError("never entered")


def test_the_package_itself_imports_nothing() -> None:
    code = "import sys, firewall; print([m for m in sys.modules if m.startswith('firewall.') or m == 'pydantic'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
    with pytest.raises(AttributeError):
        _ = firewall.nothing  # type: ignore[attr-defined]
