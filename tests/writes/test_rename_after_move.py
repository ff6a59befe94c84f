"""A file whose text went elsewhere may still get another name: what it answers for is where it was."""

from __future__ import annotations

from stet_kit import Book, prose

from firewall.writes.proxy import Proposal


def test_half_of_it_went_to_another_file(book: Book) -> None:
    parts = prose(2400).split("\n\n")
    first, second = "\n\n".join(parts[: len(parts) // 2]) + "\n", "\n\n".join(parts[len(parts) // 2 :])
    one = book.put("one.md", "\n\n".join(parts).encode())
    two = book.root / "two.md"
    with book.open() as proxy:
        proxy.adopt([one])
        done = proxy.write_set([Proposal(one, first.encode()), Proposal(two, second.encode())])
        assert all(r.committed for r in done), done
        result = proxy.rename(one, book.root / "first.md")
        assert result.committed, result.verdict
        assert not proxy.write(two, b"# Gone\n").committed
        assert not proxy.write(two, None).committed


def test_a_rename_makes_up_for_no_loss(book: Book) -> None:
    one = book.put("one.md", prose(2400).encode())
    with book.open() as proxy:
        proxy.adopt([one])
        proxy.rename(one, book.root / "first.md")
        assert not proxy.write(book.root / "first.md", prose(900).encode()).committed
