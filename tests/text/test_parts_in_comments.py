"""What stands in a comment is no part of a text, in any format; what stands in code is no comment."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.comment_cases import HIDINGS
from firewall.text.formats import parts
from firewall.text.formulas import formulas
from firewall.text.shown import outline_of, seen_code, shown
from firewall.text.touched import code_lines

KINDS = ("adoc", "rst", "org", "tex", "typ")
CODE = {
    "adoc": "----\n// lamp\n////\n[comment]\n----\n",
    "rst": ".. code-block:: sh\n\n   .. lamp\n   ..\n   on\n",
    "org": "#+begin_src sh\n# lamp\n#+begin_comment\n:x:\n#+end_src\n",
    "tex": "\\begin{lstlisting}\n% lamp\n\\iffalse\n\\end{document}\n\\end{lstlisting}\n",
    "typ": "```sh\n// lamp\n/*\n#hide[\n```\n",
}


@pytest.mark.parametrize("made", KINDS)
def test_signs_of_comments_in_code_are_code(made: str) -> None:
    found = parts(f"a.{made}", f"One.\n\n{CODE[made]}\nTwo.\n")
    assert found
    assert found.blocks == 1
    assert len([line for line in found.code if line.strip()]) == 3
    assert shown(f"a.{made}", f"One.\n\n{CODE[made]}\nTwo.\n").split()[-1] == "Two."
    assert seen_code(f"a.{made}", f"One.\n\n{CODE[made]}\nTwo.\n").split() == " ".join(found.code).split()


def test_code_in_a_condition_is_counted_and_not_seen() -> None:
    for path, text in (
        ("a.adoc", "ifdef::x[]\n----\nlamp on\n----\nendif::[]\n"),
        ("a.rst", ".. only:: html\n\n   .. code-block:: sh\n\n      lamp on\n"),
        ("a.typ", "#let x = [\n```sh\nlamp on\n```\n]\n"),
    ):
        found = parts(path, text)
        assert found
        assert found.blocks == 1, "it is there for whoever meets the condition"
        assert seen_code(path, text) == ""


def test_a_mark_of_ours_in_a_text_shows_no_code() -> None:
    text = "\ue0003\ue001\n\n..\n   .. code-block:: sh\n\n      lamp on\n\n::\n\n   oil\n"
    assert seen_code("a.rst", text).split() == ["oil"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (".. toctree::\n   :maxdepth: 2\n\n   a\n   The b <b>\n\nText.\n", ["a", "b"]),
        (".. toctree::\n\n   a\n\n.. toctree::\n\n   b\n\n   c\n", ["a", "b", "c"]),
        (".. toctree: \n\n   a\n", []),
    ],
)
def test_tables_of_contents_take_files_in(text: str, names: list[str]) -> None:
    found = parts("a.rst", text)
    assert found
    assert sorted(found.includes) == names


@pytest.mark.parametrize(
    ("made", "text", "count"),
    [
        ("tex", r"\[ a \] $$b$$ \begin{align*} c \\[2pt] d \end{align*} \\[3pt] $e$ \$$f$", 3),
        ("tex", "\\[ a", 0),
        ("tex", "\\begin{equation}\\begin{gather}a\\end{gather}\\end{equation}", 1),
        ("org", "\\begin{equation}\na\n\\end{equation}\n\\[ b \\]", 2),
        ("typ", "$ a $ and $b$ for 5\\$ `$ c $` $ d\n$", 2),
        ("typ", "It is $5.\n\nAnd $ a $", 1),
    ],
)
def test_displayed_formulas(made: str, text: str, count: int) -> None:
    assert len(formulas(made, text)) == count


def test_lines_of_a_diagram_that_are_not_drawn() -> None:
    text = "```mermaid\ngraph TD\n%% a --> b\nc --> d\n```\n\n```sh\n%% e\n```\n"
    found = outline_of("a.md", text)
    assert "a -->" not in found.seen_code
    assert "c -->" in found.seen_code
    assert "%% e" in found.seen_code
    assert found.fences == 2
    assert outline_of("a.md", "```{mermaid}\n%% a\n```\n").fences == 0


PIECES = st.sampled_from(
    [line + "\n" for _, old, new, _, _ in HIDINGS for line in (old + new).split("\n") if line] + ["word ", "\n", "   "]
)


@given(st.sampled_from(KINDS), st.lists(PIECES, max_size=30).map("".join))
def test_every_line_is_something(made: str, text: str) -> None:
    path = f"a.{made}"
    found = parts(path, text)
    assert found
    assert len(found.lines) == text.count("\n") + 1
    assert code_lines(path, text) == found.code_lines
    for line, source in zip(found.lines, text.split("\n"), strict=True):
        assert set(line.text.split()) <= set(source.split()) or line.text in source or made in ("tex", "typ")
    seen = seen_code(path, text).split("\n")
    assert seen == [""] or set(seen) <= set(found.code)
