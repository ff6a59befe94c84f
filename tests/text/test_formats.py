"""The parts of texts that are not Markdown, and which parts an editor touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.formats import is_markdown, parts
from firewall.text.touched import code_lines, touched_parts

ADOC = """= Lamps

Text before the code.
[source,shell]
----
light --all
== no heading
----

== Oil

|===
| a | b
|===

image::lamp.png[The lamp]
"""
RST = """Lamps
=====

Text.

.. code-block:: sh

   light --all

   Oil
   ---

Oil
---

.. image:: lamp.png

=====  =====
a      b
=====  =====
"""
TEX = r"""\section{Lamps}
\begin{lstlisting}
\section{no}
\end{lstlisting}
\subsection*{Oil}
\begin{tabular}{ll} a & b \end{tabular}
\includegraphics[width=3cm]{lamp.png}
"""
ORG = "* Lamps\n#+BEGIN_SRC sh\n* no\n#+END_SRC\n** Oil\n[[file:lamp.png]]\n"
TYP = '= Lamps\n```sh\n= no\n```\n== Oil\n#table(columns: 2)[a][b]\n#image("lamp.png")\n'


@pytest.mark.parametrize(
    ("path", "text", "tables"),
    [
        ("a.adoc", ADOC, 1),
        ("a.ASC", ADOC, 1),
        ("a.rst", RST, 1),
        ("a.tex", TEX, 1),
        ("a.org", ORG, 0),
        ("a.typ", TYP, 1),
    ],
)
def test_each_format_by_its_own_marks(path: str, text: str, tables: int) -> None:
    found = parts(path, text)
    assert found
    assert found.headings[:1] == ("Lamps",) or found.headings[0].startswith("Lamps")
    assert len(found.headings) == 2
    assert found.blocks == 1
    assert found.tables == tables
    assert list(found.images) == ["lamp.png"]
    assert found.code


def test_any_other_name_is_markdown() -> None:
    for path in ("a.md", "a.txt", "notes", "a.ipynb", "x.asc/notes"):
        assert parts(path, ADOC) is None
        assert is_markdown(path)


@given(
    st.sampled_from(["adoc", "rst", "tex", "org", "typ", "md"]), st.text(alphabet="=-`*#|+.:\\{}[] \nab", max_size=200)
)
def test_no_text_is_too_odd(kind: str, text: str) -> None:
    lines = range(text.count("\n") + 1)
    assert code_lines(f"a.{kind}", text) <= set(lines)
    touched_parts(f"a.{kind}", text, set(lines))


DOC = "# One\n\nText.\n\n```sh\na\nb\n```\n\nTwo\n---\n\n| a |\n|---|\n| 1 |\n\n![x](x.png) here\n"


@pytest.mark.parametrize(
    ("gone", "named"),
    [
        ({2}, ""),
        ({0}, "# One"),
        ({5}, "```sh\na\nb\n```"),
        ({7}, "```sh\na\nb\n```"),
        ({10}, "Two\n---"),
        ({14}, "| a |\n|---|\n| 1 |"),
        ({16}, "![x](x.png) here"),
        ({0, 6}, "# One\n\n```sh\na\nb\n```"),
    ],
)
def test_a_part_is_named_whole_by_any_line_of_it(gone: set[int], named: str) -> None:
    assert touched_parts("a.md", DOC, gone) == named


def test_lines_of_code() -> None:
    assert code_lines("a.md", DOC) == {4, 5, 6, 7}
    assert code_lines("a.adoc", ADOC) == {5, 6}


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.adoc", "Run it:\n\n    light --all\n    again\n\nDone.\n", {2, 3}),
        ("a.adoc", "* an item\n  goes on\n", set()),
        ("a.rst", "Run it::\n\n   light --all\n\nDone.\n", {1, 2, 3}),
        ("a.rst", ".. note::\n\n   Not code.\n", set()),
    ],
)
def test_literal_text_is_code(path: str, text: str, lines: set[int]) -> None:
    found = parts(path, text)
    assert found is not None
    assert set(found.code_lines) == lines
    assert found.blocks == bool(lines)
    assert not found.unclosed


def test_a_block_without_its_end_is_open() -> None:
    for path, text in (("a.adoc", ADOC), ("a.tex", TEX), ("a.org", ORG), ("a.typ", TYP)):
        found, cut = parts(path, text), parts(path, text[: text.index("no")])
        assert found is not None
        assert cut is not None
        assert (found.unclosed, cut.unclosed) == (False, True)


def test_the_last_paragraph_and_whether_it_ends_the_text() -> None:
    found = parts("a.adoc", "Text.\n\n====\nThe lamps\nare lit.\n====\n")
    assert found is not None
    assert (found.last, found.ends_in_it) == ("The lamps\nare lit.", False)
    found = parts("a.rst", "Text.\n\nThe lamps\n")
    assert found is not None
    assert (found.last, found.ends_in_it) == ("The lamps", True)
