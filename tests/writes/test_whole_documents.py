"""What happens to whole documents of many formats: a part moved with its headings and listings, a copy made and the
original deleted, TeX judged by all that it holds."""

from __future__ import annotations

import pytest
from stet_kit import NewBook, prose

PARTS = {
    "md": ("## The `run` command", "```sh\nrun it\n```", "Notes:", "1. Oil"),
    "adoc": ("== The `run` command", "----\nrun it\n----", "Notes:", ". Oil"),
    "rst": ("The run command\n===============", ".. code-block:: sh\n\n   run it", "Notes:", "1. Oil"),
    "org": ("** The =run= command", "#+BEGIN_SRC sh\nrun it\n#+END_SRC", "Notes:", "1. Oil"),
    "tex": ("\\section{The \\emph{run} command}", "\\begin{verbatim}\nrun it\n\\end{verbatim}", "Notes:", "\\item Oil"),
}


def part(kind: str, seed: int) -> str:
    """A section with a heading, a listing of a few words, short lines, and prose around them."""
    title, listing, line, item = PARTS[kind]
    paragraphs = "\n\n".join(p.replace("# ", "") for p in prose(300, seed).split("\n\n")[1:])
    return f"{title}\n\n{paragraphs}\n\n{listing}\n\n{line}\n\n{item}\n\nSo it ends, as all of them do in the end.\n\n"


@pytest.mark.parametrize("kind", PARTS)
def test_a_section_moves_to_another_file_with_all_that_is_short_in_it(new_book: NewBook, kind: str) -> None:
    book = new_book()
    parts = [part(kind, seed) for seed in (1, 2, 3, 4)]
    path = book.put(f"a.{kind}", "".join(parts).encode())
    with book.open() as proxy:
        proxy.check(path, path.read_bytes())
        assert proxy.write(book.root / f"b.{kind}", parts[3].encode()).committed
        done = proxy.write(path, "".join(parts[:3]).encode())
        assert done.committed, done.verdict.findings


@pytest.mark.parametrize("kind", PARTS)
def test_a_file_that_was_copied_to_the_letter_may_be_deleted(new_book: NewBook, kind: str) -> None:
    book = new_book()
    text = "".join(part(kind, seed) for seed in (1, 2, 3, 4)).encode()
    path = book.put(f"a.{kind}", text)
    with book.open() as proxy:
        proxy.check(path, text)
        assert proxy.write(book.root / f"b.{kind}", text).committed
        done = proxy.write(path, None)
        assert done.committed, done.verdict.findings


@pytest.mark.parametrize("kind", PARTS)
def test_short_lines_alone_are_no_copy(new_book: NewBook, kind: str) -> None:
    """A list of two hundred words that stands elsewhere word by word has not moved there."""
    book = new_book()
    text = "\n\n".join(f"Lamp {n} out." for n in range(70))
    path = book.put(f"a.{kind}", text.encode())
    with book.open() as proxy:
        proxy.check(path, text.encode())
        assert proxy.write(book.root / f"b.{kind}", (text + "\n").encode()).committed
        assert not proxy.write(path, None).committed


def test_all_of_a_tex_file_counts_and_not_only_what_is_printed(new_book: NewBook) -> None:
    """What stands behind a shown `\\end{document}`, and in comments, is text that somebody wrote."""
    book = new_book()
    shown = prose(1200) + "\nIt ends with \\verb|\\end{document}| at last.\n\n" + prose(1300, 2)
    notes = "\n".join(f"% {line}" for line in prose(1500, 3).split("\n"))
    whole = (
        f"\\documentclass{{book}}\n\\begin{{document}}\n{shown}\n\\ltx|\\end{{document}}|\n{notes}\n\\end{{document}}\n"
    )
    path = book.put("a.tex", whole.encode())
    with book.open() as proxy:
        proxy.check(path, whole.encode())
        assert not proxy.write(path, whole.replace(notes, "").encode()).committed
        half = whole.split("\\ltx")[0] + "\\end{document}\n"
        assert not proxy.write(path, half.encode()).committed
        paragraph = notes.split("% \n")[3]
        cut = proxy.write(path, whole.replace(paragraph, "% ... rest unchanged ...\n").encode())
        assert "placeholder" in cut.verdict.rules


def test_an_honest_sentence_about_the_end_of_tex_passes(new_book: NewBook) -> None:
    book = new_book()
    whole = f"\\begin{{document}}\n{prose(1200)}\n\\end{{document}}\n"
    path = book.put("a.tex", whole.encode())
    with book.open() as proxy:
        proxy.check(path, whole.encode())
        at = whole.index("\n\n", 3000) + 2
        more = "Each ends with \\lstinline!\\end{document}! alone.\n\n"
        done = proxy.write(path, (whole[:at] + more + whole[at:]).encode())
        assert done.committed, done.verdict.findings


def test_an_edit_takes_the_line_ends_of_the_file(new_book: NewBook) -> None:
    book = new_book()
    path = book.put("a.md", b"One two three.\r\nFour five.\r\n\r\nSix.\r\n")
    old, new = book.put("old.txt", b"three.\nFour"), book.put("new.txt", b"3.\nFour")
    done = book.user.stet("write", "a.md", "--edit", str(old), str(new), cwd=book.root)
    assert done.status == 0, done.err
    assert path.read_bytes() == b"One two 3.\r\nFour five.\r\n\r\nSix.\r\n"


def test_a_delete_of_nothing_says_so(new_book: NewBook) -> None:
    book = new_book()
    done = book.user.stet("write", "no-such.md", "--delete", cwd=book.root)
    assert (done.status, done.out) == (2, "")
    assert "There is no no-such.md to delete. [nothing-to-delete]" in done.err
