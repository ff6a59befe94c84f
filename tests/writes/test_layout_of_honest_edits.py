"""Layout that an honest edit changes and that is no loss: a slip of one column mended, a list moved to another file."""

from __future__ import annotations

import pytest
from stet_kit import Book, prose

from firewall.text.embeds import stands
from firewall.text.layout import unindented
from firewall.text.shown import outline_of
from firewall.text.touched import touched_parts
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
        ("  if a:\n   if b:\n    c = 1", "if a:\nif b:\nc = 1", True),
        ("\tif a:\n\t\tb = 1", "if a:\nb = 1", True),
        ("    if a:\n      b = 1\n      if c:\n        d = 1", "if a:\n  b = 1\n  if c:\n  d = 1", True),
    ],
)
def test_a_depth_is_more_than_a_column(old: str, new: str, lost: bool) -> None:
    assert bool(unindented(old, new)) == lost


ADOC = "= Git\n\nFirst of all, what git is.\n\n== Logs\n\n  $ git log\n  one\n\n  $ git show\n\nAnd so on.\n"


def test_code_may_be_fenced_and_blocks_of_it_become_one(book: Book) -> None:
    old = f"{ADOC}\n{prose(300)}"
    new = old.replace(
        "  $ git log\n  one\n\n  $ git show\n", "[source,shell]\n----\n$ git log\none\n\n$ git show\n----\n"
    )
    assert new != old
    page = book.put("git.adoc", old.encode())
    with book.open() as proxy:
        proxy.adopt([page])
        assert proxy.write(page, new.encode()).committed
        gone = old.replace("  $ git log\n  one\n\n  $ git show\n", "Look at the log.\n")
        assert "structure-loss" in proxy.check(page, gone.encode()).verdict.rules


@pytest.mark.parametrize(
    ("path", "text", "gone", "has"),
    [
        ("a.adoc", ADOC, [4], (("Logs",), 0)),
        ("a.adoc", ADOC, [6, 7], ((), 1)),
        ("a.adoc", "= T\n\n----\nls\n\npwd\n----\n\n== H\n\nend\n", [3, 8], (("H",), 1)),
        ("a.rst", "T\n=\n\nSo::\n\n   ls\n\n   pwd\n\nend\n", [5], ((), 1)),
        ("a.tex", "\\section{A}\n\\begin{verbatim}\nx\ny\n\\end{verbatim}\n", [2], ((), 1)),
        ("a.org", "* H\n#+begin_src sh\nls\n#+end_src\n", [0, 2], (("H",), 1)),
    ],
)
def test_what_an_editor_took_a_line_from_is_named_whole(
    path: str, text: str, gone: list[int], has: tuple[tuple[str, ...], int]
) -> None:
    named = outline_of(path, touched_parts(path, text, gone))
    assert (named.headings, named.fences) == has


def test_code_that_stood_more_often_does_not_stand() -> None:
    block = "lamp on\nlamp off\n"
    assert stands(block * 6, f"Words.\n\n{block * 6}")
    assert not stands(block * 6, f"Words.\n\n{block}")
