"""Growth that was accepted is no part of what later edits change: a chapter can be filled, extended and then revised,
sentence by sentence, and what is no growth is still counted together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stet_kit import Book, make_older, prose

TODO = b"# The storm\n\nTODO: write this chapter.\n"


def sentences(text: str) -> Iterator[str]:
    """The text again and again, each time with one more of its sentences said with other words."""
    lines = text.split("\n")
    number = 0
    for at, line in enumerate(lines):
        if line.endswith(".") and at > 2:
            lines[at] = " ".join(f"re{number}{word}" for word in line.split())
            number += 1
            yield "\n".join(lines)


def rules(book: Book, text: str, **options: object) -> tuple[str, ...]:
    result = book.write("ch.md", text.encode(), **options)
    return () if result.committed else result.verdict.rules


def test_a_stub_that_was_filled_is_edited_on(book: Book) -> None:
    book.put("ch.md", TODO)
    text = prose(1203)
    assert rules(book, text) == ()
    for edited, _ in zip(sentences(text), range(6), strict=False):
        assert rules(book, edited) == ()
    assert rules(book, edited) == (), "the same bytes again"


@pytest.mark.parametrize("more", [280, 350, 2000])
def test_sentences_after_a_new_section(book: Book, more: int) -> None:
    text = prose(1200)
    book.put("ch.md", text.encode())
    text = next(sentences(text))
    assert rules(book, text) == ()
    text += "\n" + prose(more, 7)
    assert rules(book, text) == ()
    for edited, _ in zip(sentences(text), range(14), strict=False):
        assert rules(book, edited) == ()


def test_a_section_after_many_sentences(book: Book) -> None:
    text = prose(1200)
    book.put("ch.md", text.encode())
    for edited, _ in zip(sentences(text), range(12), strict=False):
        assert rules(book, edited) == ()
    assert rules(book, edited + "\n" + prose(400, 7)) == (), "it takes nothing away"


def test_what_is_no_growth_is_counted_together(book: Book) -> None:
    """A tenth said in other words, and each time a hundred words more than before: three times and no more."""
    text = prose(3000)
    book.put("ch.md", text.encode())
    lines = text.rstrip().split("\n")
    said = []
    for turn in range(5):
        first = 3 + turn * 12
        lines[first : first + 10] = [f"w{turn}x{n} " * 22 + "end." for n in range(10)]
        said.append(rules(book, "\n".join(lines) + "\n"))
        if said[-1]:
            break
    assert said[:2] == [(), ()]
    assert "delta-cap" in said[-1]


def test_the_article_s_rules_know_no_growth(new_book: object) -> None:
    book = new_book(rules={"preset": "article"})  # type: ignore[operator]
    book.put("ch.md", prose(1200).encode())
    assert rules(book, prose(1200) + prose(350, 7)) == ("delta-cap",)


def test_a_growth_taken_back_counts_no_more(book: Book) -> None:
    text = prose(1200)
    book.put("ch.md", text.encode())
    text = next(sentences(text))
    assert rules(book, text) == ()
    grown = text + "\n" + prose(900, 7)
    assert rules(book, grown) == ()
    assert rules(book, text) == (), "one step back"
    with book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
    assert known is not None
    assert known.grown == 0


def test_a_person_s_version_begins_anew(book: Book) -> None:
    text = prose(1200)
    book.put("ch.md", text.encode())
    text = next(sentences(text))
    assert rules(book, text) == ()
    assert rules(book, text + "\n" + prose(900, 7)) == ()
    with book.open() as proxy:
        assert proxy.ledger.artifact("ch.md").grown > 800  # type: ignore[union-attr]
    book.put("ch.md", (text + "\nA person's line.\n").encode())
    assert rules(book, text + "\nOne person's line.\n") == ()
    with book.open() as proxy:
        assert proxy.ledger.artifact("ch.md").grown == 0  # type: ignore[union-attr]


def test_a_record_made_before_learns_to_count(book: Book) -> None:
    book.put("ch.md", TODO)
    with book.open() as proxy:
        proxy.adopt([book.root / "ch.md"])
        path = proxy.state / "ledger.db"
    make_older(path.parent, "ALTER TABLE artifacts DROP COLUMN grown")
    text = prose(1203)
    assert rules(book, text) == ()
    assert rules(book, next(sentences(text))) == ()
