"""Text that stands in two files is not moved by deleting one: only what arrived elsewhere counts."""

from __future__ import annotations

from stet_kit import STUB, Book, prose, reword

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
