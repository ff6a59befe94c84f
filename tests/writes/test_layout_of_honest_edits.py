"""Layout that an honest edit changes and that is no loss: a slip of one column mended, a list moved to another file."""

from __future__ import annotations

import pytest
from stet_kit import Book, prose

from firewall.text.layout import unindented
from firewall.writes.proxy import Proposal

ITEMS = "\n".join(f"* `{word}`" for word in ("abstract as box break const crate do else enum extern fn for if".split()))


def test_a_list_may_move_to_an_appendix(book: Book) -> None:
    old = f"# Anatomy\n\n{prose(400)}\nThe keywords are:\n\n{ITEMS}\n\nThat is all of them here.\n"
    new = f"# Anatomy\n\n{prose(400)}\nThe keywords are in the appendix.\n\nThat is all of them here.\n"
    chapter, appendix = book.put("ch.md", old.encode()), book.root / "appendix.md"
    with book.open() as proxy:
        proxy.adopt([chapter])
        assert not proxy.check(chapter, new.encode()).verdict.allowed
        moved = [Proposal(chapter, new.encode()), Proposal(appendix, f"# Keywords\n\n{ITEMS}\n".encode())]
        done = proxy.write_set(moved)
        assert all(r.committed for r in done), [r.verdict for r in done]


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("        //No.\n       panic!();", "        // No.\n        panic!();", False),
        ("\tif a:\n\t b = 1", "\tif a:\n\tb = 1", False),
        ("  if a:\n      b = 1", "if a:\nb = 1", True),
        ("\tif a:\n\t\tb = 1", "if a:\nb = 1", True),
        ("    if a:\n      b = 1\n      if c:\n        d = 1", "if a:\n  b = 1\n  if c:\n  d = 1", True),
    ],
)
def test_a_depth_is_more_than_a_column(old: str, new: str, lost: bool) -> None:
    assert bool(unindented(old, new)) == lost
