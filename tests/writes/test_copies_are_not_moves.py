"""Text that stands in two files is not moved by deleting one: only what arrived elsewhere counts."""

from __future__ import annotations

import pytest
from stet_kit import STUB, Book, chapter, prose, reword

CHAPTER = prose(1200)
HALF = CHAPTER[: CHAPTER.index("\n\n", len(CHAPTER) // 2) + 2]
REST = CHAPTER[len(HALF) :]


def test_a_file_with_the_same_text_all_along_does_not_excuse_a_wipe(book: Book) -> None:
    for name in ("a.md", "b.md", "c.md"):
        book.put(name, CHAPTER.encode())
        assert book.write(name, reword(CHAPTER.encode())).committed
    for name in ("a.md", "b.md", "c.md"):
        assert not book.write(name, STUB).committed
        assert (book.root / name).read_bytes() == reword(CHAPTER.encode())


def test_a_chapter_is_split_into_a_new_file(book: Book) -> None:
    book.put("a.md", CHAPTER.encode())
    assert book.write("part.md", REST.encode()).committed
    assert book.write("a.md", HALF.encode()).committed


def test_what_stood_there_all_along_did_not_come_with_what_did(book: Book) -> None:
    moved, rest = REST.split("\n\n", 1)
    book.put("a.md", CHAPTER.encode())
    book.put("b.md", HALF.encode())
    with book.open() as proxy:
        proxy.adopt([book.root / "a.md", book.root / "b.md"])
    assert book.write("b.md", f"{HALF}{moved}\n".encode()).committed
    assert not book.write("a.md", rest.encode()).committed


@pytest.mark.parametrize("between", [False, True], ids=["in a row", "interleaved"])
def test_refusals_go_with_the_text_to_another_name(book: Book, between: bool) -> None:
    book.put("c0.md", chapter(1200))
    name, text, tripped = "c0.md", chapter(1200), 0
    for turn in range(6):
        for stub in range(2):
            result = book.write(name, f"Gone {turn} {stub}.".encode())
            assert not result.committed
            tripped += result.tripped
        if tripped:
            break
        if between:  # so that none is in a row
            text = reword(text, f"lamp{turn}".encode())
            assert book.write(name, text).committed
        other = f"c{turn + 1}.md"
        assert book.write(other, text).committed
        assert book.write(name, None).committed
        name = other
    assert tripped
    assert turn == (4 if between else 1)
