"""Parts of a text may not go into comments unseen, whatever the format; what authors do every day passes."""

from __future__ import annotations

import pytest
from stet_kit import Book, prose

TEXT = prose(900).strip().split("\n\n")
COMMENTS = {
    "a.adoc": ("////\n", "\n////", "image::x.png[x]\n\n----\nlamp on\n----\n\ninclude::one.adoc[]"),
    "a.tex": (
        "\\iffalse\n",
        "\n\\fi",
        "\\includegraphics{x}\n\\begin{verbatim}\nlamp on\n\\end{verbatim}\n\\input{one}\n\\[ x = y \\]",
    ),
    "a.org": (
        "#+begin_comment\n",
        "\n#+end_comment",
        '[[file:x.png]]\n#+begin_src sh\nlamp on\n#+end_src\n#+INCLUDE: "one.org"',
    ),
    "a.typ": ("/*\n", "\n*/", '#image("x.png")\n\n```\nlamp on\n```\n\n#include "one.typ"\n\n$ x = y $'),
    "a.md": ("<!--\n", "\n-->", "![x](x.png)\n\n$$\nx = y\n$$"),
}


def page(*parts: str) -> bytes:
    """A chapter with these parts in its middle."""
    return ("\n\n".join([*TEXT[:8], *filter(None, parts), *TEXT[8:]]) + "\n").encode()


@pytest.mark.parametrize("name", COMMENTS)
def test_parts_in_a_comment_are_held_and_named(book: Book, name: str) -> None:
    before, after, parts = COMMENTS[name]
    book.put(name, page(parts))
    result = book.write(name, page(f"{before}{parts}{after}"))
    assert not result.committed
    assert {found.rule for found in result.verdict.findings} == {"structure-loss"}
    assert (book.root / name).read_bytes() == page(parts)


@pytest.mark.parametrize("name", COMMENTS)
def test_what_authors_do_with_comments_passes(book: Book, name: str) -> None:
    before, after, parts = COMMENTS[name]
    steps = [
        page(parts, f"{before}A note to us: ask the keeper about oil.{after}"),
        page(parts, f"{before}{parts}{after}"),
        page(parts, f"{before}{TEXT[0]}{after}"),
        page(parts),
    ]
    book.put(name, page(parts))
    for step in steps:
        result = book.write(name, step)
        assert result.committed, result.verdict


def test_a_paragraph_of_prose_may_become_a_note(book: Book) -> None:
    for name, (before, after, _) in COMMENTS.items():
        book.put(name, page())
        result = book.write(name, page().replace(TEXT[3].encode(), f"{before}{TEXT[3]}{after}".encode()))
        assert result.committed, result.verdict


def test_an_edit_that_names_what_it_comments_out_has_declared_it(book: Book) -> None:
    old, new = page("image::x.png[x]"), page("// image::x.png[x]")
    book.put("a.adoc", old)
    with book.open() as proxy:
        result = proxy.write(book.root / "a.adoc", new, declared=b"image::x.png[x]")
    assert result.committed, result.verdict


def test_a_page_of_code_may_not_go_out_of_sight_in_slices(book: Book) -> None:
    blocks = ["```sh\n" + "\n".join(f"lamp_{n}_{k} on" for k in range(20)) + "\n```" for n in range(12)]
    book.put("a.md", ("# Calls\n\n" + "\n\n".join(blocks) + "\n").encode())
    hidden = 0
    for count in range(1, 13):
        new = "\n\n".join(["# Calls", *blocks[count:], "::: {.hidden}", *blocks[:count], ":::"]) + "\n"
        with book.open() as proxy:
            if proxy.write(book.root / "a.md", new.encode(), declared=blocks[count - 1].encode()).committed:
                hidden = count
    assert 12 - hidden >= 0.4 * 12


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.adoc", "include::one.adoc[]"),
        ("a.tex", "\\input{one}"),
        ("a.org", '#+INCLUDE: "one.org"'),
        ("a.typ", '#include "one.typ"'),
    ],
)
def test_a_file_that_is_taken_in_elsewhere_now_is_none_less(book: Book, name: str, line: str) -> None:
    other = name.replace("a.", "b.")
    book.put(name, page(line))
    book.put(other, page())
    with book.open() as proxy:
        proxy.adopt([book.root / other])
        assert proxy.check(book.root / name, page()).verdict.findings[0].rule == "structure-loss"
    assert book.write(other, page(line)).committed
    assert book.write(name, page()).committed
    assert not book.write(other, page()).committed  # the last that takes it in
