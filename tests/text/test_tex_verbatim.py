"""What TeX takes to the letter: a percent sign there is no comment, a brace there opens nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.layout import faults
from firewall.text.shown import shown
from firewall.text.typeset import typeset
from firewall.text.words import words

TO_THE_LETTER = (
    r"\href{https://x.org/a%20b}{here}",
    r"\href[page=2]{https://x.org/a%20b?x={1}}{here}",
    r"\url{https://de.wikipedia.org/wiki/K%C3%B6ln}",
    r"\url{https://x.y/%7Ez{}}",
    r"\url|a%b|",
    r"\nolinkurl{http://a/%7Eb}",
    r"\path{C:\temp\100%}",
    r"\path{C:\}",
    r"\verb|%{|",
    r"\verb*!\begin{x}!",
    r"\Verb[fontsize=\small]{x % y}",
    r"\verb|\index{|",
    r"\lstinline{x % y}",
    r"\lstinline[language=C]{if (x) { % }}",
    r"\lstinline|}|",
    r"\mintinline{c}{x % y}",
    r"\mintinline{c++}|if (x) {|",
    r"\mintinline[breaklines]{html+jinja}|{% if|",
    r"\texttt{\string{}",
    r"\texttt{\string\fi}",
    r"\char`\{",
    "\\begin{lstlisting}\n% {\n\\end{lstlisting}",
    "\\begin{BVerbatim}\n% {\n\\end{BVerbatim}",
    "\\begin{alltt}\n50% of it\n\\end{alltt}",
    "\\lstnewenvironment{code}{}{}\\begin{code}\n% {\n\\end{code}",
    "\\newminted{c}{}\\begin{ccode}\n% {\n\\end{ccode}",
    r"\iffalse } \fi",
)


@pytest.mark.parametrize("piece", TO_THE_LETTER)
def test_nothing_behind_it_is_hidden_and_nothing_is_open(piece: str) -> None:
    text = f"\\begin{{document}}\nOne {piece} two.\n\nThree four.\n\\end{{document}}\n"
    seen = words(shown("a.tex", text))
    assert seen[-4:-1] == ["two.", "Three", "four."]
    assert faults("a.tex", text) == {}


@pytest.mark.parametrize(
    "piece", ["\\emph{x", "x}", "\\url{a%b} {", "\\begin{b}", "\\verb|}| {", "\\begin{verbatim}\n"]
)
def test_what_is_open_is_still_found(piece: str) -> None:
    assert faults("a.tex", f"One {piece} two.\n")


@pytest.mark.parametrize(
    "piece",
    ["% P", "\\% %P", "\\url{a} % P", "\\emph{a % P\n}", "\\urlx{a % P\n}", "\\string% P", "\\verb % P", "\\url % P"],
)
def test_a_comment_is_still_one(piece: str) -> None:
    assert "P" not in shown("a.tex", f"One {piece}\n\ntwo.\n")


def test_an_address_that_never_ends_hides_and_shows_nothing_else() -> None:
    assert words(shown("a.tex", "\\url{a % gone\n\ntwo.\n"))[-1] == "two."
    assert "gone" not in shown("a.tex", "\\url{a % gone\n\ntwo.\n")


@given(
    st.lists(
        st.sampled_from(
            ["\\url{", "\\verb|", "|", "{", "}", "%", "\n", "x ", "\\iffalse ", "\\fi ", "\\string", "\\\\"]
        ),
        max_size=30,
    ).map("".join)
)
def test_lines_keep_their_numbers(text: str) -> None:
    assert typeset(text).count("\n") == text.count("\n")
    faults("a.tex", text)


def test_many_that_never_end_cost_no_more_than_their_number() -> None:
    for piece in ("\\url{", "\\url{{}", "\\verb|", "\\mintinline{c}{", "\\lstinline[", "\\string", "\\begin{verbatim}"):
        text = piece * 8_000
        assert words(shown("a.tex", text)) == words(text)
        faults("a.tex", text)
