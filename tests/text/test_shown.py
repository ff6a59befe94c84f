"""What a reader sees of a text, by the kind of its file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text import templates
from firewall.text.shown import _OF_TEMPLATES, code, kind, outline_of, shown
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
        "{% if false %}\nP\n{% endif %}",
        "{% if false %}{% if true %}b{% endif %}\n\nP\n\n{% endif %}",
        "{% unless true %}P{% endunless %}",
        "{%- comment -%}P{%- endcomment -%}",
        "{% comment %}\n```\n{% endcomment %}{% comment %}P{% endcomment %}",
        "{% assign x = 'P' %}",
        "{% capture x %}P{% endcapture %}",
        "{# P #}",
        "{{/* P */}}",
        "{{< comment >}}\nP\n{{< /comment >}}",
        "{{!-- P --}}",
        "{{#if no}}P{{/if}}",
        "{{ x 'P' }}",
        "{::comment}\nP\n{:/comment}",
        "{::options x='P' /}",
        "{>>P<<}",
        "{/* P */}",
        "<%# P %>",
        "<% P %>",
        "b %% P %% b",
        "%% b\n\nP\n\n%%",
        "% P",
        "*[x]: P",
        "[[P|x]]",
        "P\n{: .hidden}",
        "{: style='display:none'}\nP",
        "[P]{.sr-only}",
        "# P {style='display:none'}",
        "::: {.hidden}\nP\n:::",
        "::: {.content-hidden when-format='html'}\n\n::: note\nb\n:::\n\nP\n:::",
        ":::{comment}\nP\n:::",
        "$\\phantom{P}$",
        "<div v-if='false'>\n\nP\n\n</div>",
        "<div x-show='no'>\n\nP\n\n</div>",
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
        "export const Old = () => (\n<div>\n\nP\n\n</div>\n)\n",
        "export function Old() {\n  return <div>\n\nP\n\n</div>\n}\n",
        "export const x = {\n\nP",
        "<X a={`P`} />",
        "<X a={`b\n\nP`} />",
        "{x /* } */ P}",
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
        "\\begin{ comment }P\\end{ comment }",
        "\\begin{lrbox}{\\x}P\\end{lrbox}",
        "\\excludecomment{old}\\begin{old}\nP\n\\end{old}",
        "\\stop P",
        "\\ifnum0=1 P\\fi",
        "\\ifnum 2<1 b\\ifx aa c\\fi P\\fi",
        "\\ifdim1pt>2pt P\\fi",
        "\\ifodd 2 P\\fi",
        "\\ifcase 1 P\\fi",
        "\\if ab P\\fi",
        "\\unless\\iftrue P\\fi",
        "\\typeout{P}",
        "\\message{P}",
        "\\immediate\\write18{P}",
        "\\GenericWarning{x}{P}",
        "\\NewDocumentCommand{\\x}{m}{P}",
        "\\DeclareRobustCommand\\x[1]{P}",
        "\\newenvironment{x}[1]{P}{b}",
        "\\csdef{x}{P}",
        "\\expandafter\\def\\csname x\\endcsname{P}",
        "\\newcommand{\\gone}[1]{}\\gone{P}",
        "\\def\\gone#1#2{}\\gone{b}{P}",
        "\\let\\gone\\@gobble \\gone{P}",
        "\\newcommand{\\gone}[1]{}\\begin{document}\\gone{P}\\end{document}",
        "\\title{P}",
        "\\maketitle\\title{P}",
        "\\section[P]{b}",
        "\\todo[disable]{P}",
        "\\pdftooltip{b}{P}",
        "\\nocite{P}",
        "\\scalebox{0}{P}",
        "\\textcolor[rgb]{1,1,1}{P}",
        "{\\fontsize{0.01pt}{0pt}\\selectfont P}",
        "\\ifthenelse{1=2}{P}{b}",
    ),
    "a.rst": (
        ".. unknown::\n\n   P",
        ".. testsetup::\n\n   P",
        ".. sectionauthor:: P",
        ".. highlight:: P",
        ".. container:: hidden\n\n   P",
        ".. image:: x.png\n   :alt: b\n      P",
        ".. py:module:: x\n   :synopsis: P",
        ".. |x| replace:: P",
        ":about: P\n\nb",
        "Title\n=====\n\n:about: b\n  P",
        ":ref:`b <P>`",
        ".. role:: h(raw)\n   :format: html\n\n:h:`<!-- P -->`",
        ".. role:: h(raw)\n\n:h:`<!--` P :h:`-->`",
        ".. P",
        "..\n   P",
        ".. only:: never\n\n   P",
        ".. code-block:: sh\n\n   P",
    ),
    "a.adoc": (
        ":x: b \\\nP",
        ":x: b \\\nb \\\nP",
        "ifeval::[1 == 2]\nP\nendif::[]",
        "ifdef::never[P]",
        "{set:x:P}",
        "indexterm:[P]",
        "anchor:x[P]",
        '[quote,"P"]\nb',
        '[#x,reftext="P"]\nb',
        "[pass]\n<!-- P -->",
        "[.hidden]\nP",
        "pass:[<!-- P -->]",
        "+++<!--+++ P +++-->+++",
        "<<P,b>>",
        "// P",
        "////\nP\n////",
        "[comment]\nP",
        "ifdef::never[]\nP\nendif::[]",
        "----\nP\n----",
    ),
    "a.org": (
        "@@comment:P@@",
        "@@html:<!--@@ P @@html:-->@@",
        "[fn:1] P",
        "[fn:1] b [fn:2]\n[fn:2] P",
        "<<P>>",
        "{{{x(P)}}}",
        "%%(P)",
        "\\begin{comment}\nP\n\\end{comment}",
        "#+EXCLUDE_TAGS: zap\n* b :zap:\nP",
        "* b :export:\nb\n* c\nP",
        "# P",
        "* COMMENT b\nP",
        "* b :noexport:\nP",
        "#+begin_comment\nP\n#+end_comment",
        ":x:\nP\n:end:",
    ),
    "a.typ": (
        "// P",
        "/* P */",
        "#hide[P]",
        "#hide[P #emph[b]]",
        "#hide[b #emph[b] P]",
        "#let x = [P]",
        "#let x = [\n\nP\n\n]\nb",
        "#if 1 == 2 [P]",
        "#if false [b #emph[b] P]",
        '#metadata("P")',
        "#text(size: 0pt)[P]",
        "#text(white)[P]",
        "#set text(size: 0pt)\nP",
        "#show par: none\n\nP",
        "#show: it => []\nP",
        '#{ "P" }',
        "#place(hide([P]))",
        "#scale(0%)[P]",
        "#let gone(x) = none\n#gone[P]",
    ),
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
        "`{% if %}` P `{% endif %}`",
        "```\n{% comment %}\n```\n\nP\n\n```\n{% endcomment %}\n```",
        "{% hint style='info' %}\nP\n{% endhint %}",
        "{% if open %} P",
        "{{< note >}}\nP\n{{< /note >}}",
        "# b {#one}\n\nP {#two}",
        "{: .lead}\nP",
        "[P]{.mark}",
        "::: {.callout-note}\nP\n:::",
        ":::{note}\nP\n:::",
        ":::tip[b]\nP\n:::",
        "::: {.hidden}\nb\n:::\n\nP",
        "[[b|P]]",
        "100%% P 5%%",
        "$\\alpha$ P",
        "<div v-bind:x='y'>\n\nP\n\n</div>",
    ),
    "a.mdx": (
        "export const x = {\n\na: 1 }\n\nP",
        "import x from 'y'\n\nP",
        "<X a={`b`}>\n\nP\n\n</X>",
        "src/* P src/*",
        "a { b\n\nP",
        "```js\nf() {\n```\n\nP\n\n```js\n}\n```",
        "<div style={{color: 'red'}}>\n\nP\n\n</div>",
    ),
    "a.tex": (
        "b \\% P",
        "\\iff P",
        "\\ifx\\a\\b P\\else b\\fi",
        "\\newif\\ifd \\dtrue \\ifd P \\fi",
        "\\begin{verbatim}\n\\end{document} %\n\\end{verbatim}\nP",
        "\\verb|%| P",
        "\\textcolor{red}{P}",
        "\\ifnum1=1 P\\fi",
        "\\unless\\iffalse P\\fi",
        "\\if aa P\\fi",
        "\\newcommand{\\x}[1]{#1}\\x{P}",
        "\\title{P}\\maketitle",
        "\\href{b}{P}",
        "\\section{P}",
        "\\footnote{P}",
        "\\includecomment{b}\\begin{b}P\\end{b}",
        "\\scalebox{2}{P}",
        "\\begin{itemize}\\item[b] P\\end{itemize}",
    ),
    "a.rst": (
        ".. note::\n   :class: b\n\n   P",
        ".. py:function:: b\n\n   P",
        ".. function:: b\n\n   :returns: P",
        ".. container:: wide\n\n   P",
        ".. figure:: x.png\n   :alt: b\n\n   P",
        ".. versionadded:: 1.0 P",
        "b\n\n:about: P",
        ":ref:`P <b>`",
        ".. role:: h(raw)\n\n:h:`<b>`P :h:`</b>`",
        "P",
        ".. note:: P",
        "..\n\n   P",
        ".. [1] P",
    ),
    "a.adoc": (
        ":x: b\nP",
        "ifdef::b[]\nb\nendif::[]\nP",
        "[NOTE]\nP",
        "link:b[P]",
        "<<b,P>>",
        "pass:[<u>P</u>]",
        "+++<b>+++P+++</b>+++",
        "C+++ P",
        "P",
        "/// P",
    ),
    "a.org": (
        "b[fn:1]\n\n[fn:1] P",
        "@@html:<b>@@P@@html:</b>@@",
        "<<<P>>>",
        "* b :work:\nP",
        "* b\n* c :export:\nP",
        "* b\nP",
        "#hash P",
    ),
    "a.typ": (
        "#emph[P]",
        "#text(red)[P]",
        '#figure(image("x"), caption: [P])',
        "#quote(block: true)[b #emph[b] P]",
        "#let x = 1\nP",
        "#set text(size: 10pt)\nP",
        "#show heading: it => emph(it)\nP",
        "(see [P])",
        "P",
        "https://b.org P",
    ),
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
    assert kind(path) == "html" or outline_of(path, text).shown == shown(path, text)


@given(st.lists(st.sampled_from(["one", "two", "three", "four,", "five."]), min_size=1, max_size=30))
def test_plain_prose_is_shown_as_it_is(given_words: list[str]) -> None:
    text = " ".join(given_words)
    for path in (*HIDDEN, "a.txt"):
        assert words(shown(path, text)) == words(text)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_a_comment_around_it_all_hides_it_all(text: str) -> None:
    inside = text.replace("-->", "").replace("<", "")
    assert words(shown("a.md", f"<!--\n{inside}\n-->\n")) == []


@given(st.text("{}%[]*:|-!#=`.hid \n", max_size=30))
def test_what_needs_no_module_of_templates_has_none(text: str) -> None:
    has_sign = any(sign in text for sign in _OF_TEMPLATES)
    assert has_sign or not templates.may_have(text)
    assert all(any(sign in found for sign in _OF_TEMPLATES) for many in templates.SIGNS.values() for found in many)
