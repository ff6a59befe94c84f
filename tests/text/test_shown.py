"""What a reader sees of a text, by the kind of its file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.shown import code, kind, outline_of, shown
from firewall.text.typeset import typeset
from firewall.text.words import words

PROSE = "the keeper lights eleven lamps at dusk and counts them"


def seen(path: str, text: str) -> str:
    """What is seen of a file with this text, as the rules read it."""
    return " ".join(shown(path, typeset(text) if kind(path) == "tex" else text).split())


HIDDEN = {
    "a.md": (
        "<!-- P -->",
        "b\n\n<!--\n\nP\n\n-->\n\nb",
        "<div><!--\n\nP\n\n--></div>",
        "```\nP\n```",
        "b\n\n    P",
        "---\nnote: P\n---\n\nb",
        "![P](x.png)",
        "[^1]: P",
        "[^1]: P [^1]",
        "[^1]: P[^2]\n\n[^2]: P[^1]",
        "b[^1]\n\n[^1]: b\n\n[^1]: P",
        "[//]: # (P)",
        'a [b](u "P")',
        "$$P$$",
        'a <a title="P">b</a>',
        '<div title="\n\nP\n\n">',
        "<div hidden>\n\nP\n\n</div>",
        "<details hidden>\n\nP\n\n</details>",
        "b <SPAN HIDDEN>P</SPAN>",
        "<div style=display:none>\n\nP\n\n</div>",
        '<div style="display&#58;none">\n\nP\n\n</div>',
        '<div style="display:/**/none">\n\nP\n\n</div>',
        '<div style="position:absolute;left:-9999px">\n\nP\n\n</div>',
        '<div style="height:0;overflow:hidden">\n\nP\n\n</div>',
        '<div style="color:transparent">\n\nP\n\n</div>',
        '<style>.x{display:none}</style>\n\n<div class="x">\n\nP\n\n</div>',
        '<div class="sr-only">\n\nP\n\n</div>',
        "<div popover>\n\nP\n\n</div>",
        *(
            f"<{name}>\n\nP\n\n</{name}>"
            for name in "dialog datalist select noframes canvas video audio template script textarea svg meter".split()
        ),
    ),
    "a.mdx": (
        "{/* P */}",
        "{/*\n\nP\n\n*/}",
        "{false && <div>P</div>}",
        '<div style={{display: "none"}}>\n\nP\n\n</div>',
        '<div className="hidden">\n\nP\n\n</div>',
    ),
    "a.tex": (
        "% P",
        "b \\\\% P",
        "b \\end{document} P",
        "\\endinput P",
        "\\iffalse P \\fi",
        "\\iffalse \\iftrue \\fi P \\fi b",
        "\\iftrue b \\else P \\fi",
        "\\if0 P \\fi",
        "\\newif\\ifd \\ifd P \\fi",
        "\\let\\ifd\\iffalse \\ifd P \\fi",
        "\\begin{comment}\nP\n\\end{comment}",
        "\\phantom{P {b}}",
        "\\textcolor{white}{P}",
        "{\\color{white} P}",
        "\\newcommand{\\x}[1]{P}",
        "\\begin{verbatim}\nP\n\\end{verbatim}",
    ),
    "a.rst": (".. P", "..\n   P", ".. only:: never\n\n   P", ".. code-block:: sh\n\n   P"),
    "a.adoc": ("// P", "////\nP\n////", "[comment]\nP", "ifdef::never[]\nP\nendif::[]", "----\nP\n----"),
    "a.org": ("# P", "* COMMENT b\nP", "* b :noexport:\nP", "#+begin_comment\nP\n#+end_comment", ":x:\nP\n:end:"),
    "a.typ": ("// P", "/* P */", "#hide[P]"),
    "a.html": ("<!-- P -->", "<p hidden>P</p>"),
}
SHOWN = {
    "a.md": (
        "P",
        "- b\n- P",
        "> P",
        "| b | P |\n|---|---|\n| 1 | 2 |",
        "b[^1]\n\n[^1]: P",
        "b[^1]\n\n[^1]: b[^2]\n\n[^2]: P",
        "<div>\nP\n</div>",
        "<div>\n\nP\n\n</div>",
        "<div hidden>b</div>\n\nP",
        "<details>\n<summary>b</summary>\n\nP\n\n</details>",
        "<dialog open>\n\nP\n\n</dialog>",
        "<!-- b -->\n\nP",
        "<img alt=b>\n\nP",
    ),
    "a.mdx": ("a { b\n\nP", "```js\nf() {\n```\n\nP\n\n```js\n}\n```", "<div style={{color: 'red'}}>\n\nP\n\n</div>"),
    "a.tex": (
        "b \\% P",
        "\\iff P",
        "\\ifx\\a\\b P\\else b\\fi",
        "\\newif\\ifd \\dtrue \\ifd P \\fi",
        "\\begin{verbatim}\n\\end{document} %\n\\end{verbatim}\nP",
        "\\verb|%| P",
        "\\textcolor{red}{P}",
    ),
    "a.rst": ("P", ".. note:: P", "..\n\n   P", ".. [1] P"),
    "a.adoc": ("P", "/// P"),
    "a.org": ("* b\nP", "#hash P"),
    "a.typ": ("P", "https://b.org P"),
    "a.txt": ("<!-- P -->", "% P"),
    "a.html": ("<p>P</p>",),
    "README": ("<!-- P -->",),
}


@pytest.mark.parametrize(("path", "text"), [(path, text) for path, texts in HIDDEN.items() for text in texts])
def test_what_is_hidden_is_not_shown(path: str, text: str) -> None:
    assert PROSE not in seen(path, text.replace("P", PROSE))
    assert PROSE not in seen(path.upper(), text.replace("P", PROSE)), "a name in capitals is of the same kind"


@pytest.mark.parametrize(("path", "text"), [(path, text) for path, texts in SHOWN.items() for text in texts])
def test_what_a_reader_sees_is_shown(path: str, text: str) -> None:
    assert PROSE in seen(path, text.replace("P", PROSE))


PIECES = st.sampled_from(
    ["word ", "\n\n", "\n", "<!--", "-->", "<div hidden>", "</div>", "```\n", "{", "}", "/*", "*/", "[^1]", "[^1]: ",
     "![", "](x)", "- ", "| a |", "    ", "$$", "<p ", '"', ">", "\\iffalse ", "\\fi", "%", "\\phantom{", "// ", ".. ",
     "[comment]\n", "* COMMENT ", "<style>.a{display:none}</style>", "\\end{document}", "---\n"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from([*HIDDEN, "a.txt"]))
def test_no_word_is_shown_that_is_not_there(text: str, path: str) -> None:
    assert shown(path, text).count("word") <= text.count("word")
    assert code(path, text).count("word") <= text.count("word")
    assert outline_of(path, text).shown == (
        shown(path, text) if kind(path) in ("plain", "markdown", "mdx") else ""
    ) or (kind(path) == "html")


@given(st.lists(st.sampled_from(["one", "two", "three", "four,", "five."]), min_size=1, max_size=30))
def test_plain_prose_is_shown_as_it_is(given_words: list[str]) -> None:
    text = " ".join(given_words)
    for path in (*HIDDEN, "a.txt"):
        assert words(shown(path, text)) == words(text)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_a_comment_around_it_all_hides_it_all(text: str) -> None:
    inside = text.replace("-->", "").replace("<", "")
    assert words(shown("a.md", f"<!--\n{inside}\n-->\n")) == []
