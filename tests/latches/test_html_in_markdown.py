"""Links, pictures, headings and anchors that are written as HTML count like those of Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.markdown import parse
from latches.checks.anchors import names
from latches.checks.headings import document_headings, section_headings
from latches.checks.html import html_headings, tags
from latches.checks.links import Shelf, links, targets

SHELF = Shelf("a.md", {"b.md": frozenset({"there"})}, frozenset({"b.md", "p q.png", "x/y.md"}))


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ('<a href="gone.md">x</a>', "no file of the book"),
        ("See <a class=k HREF='gone.md'>x</a>.", "no file of the book"),
        ("<p>\n<img alt=x src=gone.png>\n</p>", "no file of the book"),
        ('<picture><source src="gone.webp"><img src="p q.png"></picture>', "gone.webp"),
        ('<a href="b.md#ther">x</a>', "Did you mean 'there'?"),
        ('<a href="#her">x</a>', "Did you mean 'here'?"),
        ('> <a href="../out.md">x</a>', "out of the book"),
        ('| a |\n|---|\n| <img src="gone.png"> |', "gone.png"),
        ('<a href="b.md&#35;ther">x</a>', "Did you mean 'there'?"),
        ('<link href="gone.css">', "gone.css"),
        ('<script src="gone.js"></script>', "gone.js"),
        ('<img srcset="p%20q.png 1x, gone.png 2x">', "gone.png"),
        ('<img srcset="gone.png">', "gone.png"),
        ('<video poster="gone.png"></video>', "gone.png"),
        ('<object data="gone.svg"></object>', "gone.svg"),
    ],
)
def test_a_link_that_leads_nowhere_is_found_with_its_line(html: str, words: str) -> None:
    (finding,) = links(parse(f"# Here\n\n{html}\n"), SHELF)
    assert words in finding.message


@pytest.mark.parametrize(
    "html",
    [
        '<a href="b.md#there">x</a>', '<img src="p%20q.png">', '<a href="#here">x</a>', '<a href="#">top</a>',
        '<a href="https://a.b">x</a>', '<a href="//a.b">x</a>', '<a name="k">x</a>',
        '<img src="data:image/png;base64,x">',
        '<!-- <a href="gone.md"> -->', '<script>\nvar a = "<a href=gone.md>";\n</script>', '`<a href="gone.md">`',
        '```\n<a href="gone.md">\n```', '<a href="{{ page.url }}">x</a>', "<img src={logo} />", '<a href="x/">x</a>',
        '<link href="https://a.b/style.css">', "1 <a and b> 2", '<img srcset="p%20q.png 1x,p%20q.png 2x">',
        '<img srcset="data:image/png;base64,x 1x">', '<video poster="p%20q.png"></video>', '<a href="b.md#L3-L9">x</a>',
    ],
)  # fmt: skip
def test_what_leads_somewhere_or_is_no_link_passes(html: str) -> None:
    assert links(parse(f"# Here\n\n{html}\n"), SHELF) == []


def test_the_files_that_html_links_name_are_looked_for() -> None:
    assert targets(parse('<a href="b.md#x">x</a> <img src="i/p.png">\n'), "a.md") == {"b.md", "i/p.png"}


@pytest.mark.parametrize(
    "anchor", ['<a id="k"></a>', "<a name=k>x</a>", "<div\n  id='k'>\n</div>", "x <span id=k>y</span>"]
)
def test_an_anchor_may_be_given_in_html(anchor: str) -> None:
    assert links(parse(f"# T\n\n{anchor}\n\n[x](#k)\n")) == []
    assert "k" not in names(parse(f"# T\n\n<!-- {anchor} -->\n"))


def test_an_html_heading_has_the_anchor_of_its_words() -> None:
    source = "<h1 align=center>The <b>lamp</b> &amp; I</h1>\n\n## A\n\n<h2>A</h2>\n"
    assert {"the-lamp--i", "a", "a-1"} <= names(parse(source))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("# T\n\n<h1>Second</h1>\n", "second H1 after line 1"),
        ("<h1>First</h1>\n\n# T\n", "second H1 after line 1"),
        ("<h1>First</h1>\n\n<h1\n>Second</h1>\n", "“Second” is a second H1"),
        ("<h1>First</h1>\n\n### A\n", "H3 right under H1"),
        ("## A\n\n<h1>First</h1>\n", "before the H1"),
    ],
)
def test_one_title_whichever_way_it_is_written(source: str, words: str) -> None:
    (finding,) = document_headings(parse(source))
    assert words in finding.message


@pytest.mark.parametrize(
    "source",
    [
        '<h1 align="center"><img src="x.png"></h1>\n<h4 align="center">What it is</h4>\n\n## A\n',
        "# T\n\n<!-- <h1>no</h1> -->\n\n`<h1>no</h1>`\n",
        "# T\n\n<h1>never closed\n",
        "<details><summary><h3>More</h3></summary>\n\n#### A\n\n</details>\n",
    ],
)
def test_headings_of_a_page_s_own_pass(source: str) -> None:
    assert document_headings(parse(source)) == []


def test_a_section_holds_no_title() -> None:
    (finding,) = section_headings(parse("words\n\n<h1>A</h1>\n"))
    assert "H1 inside a section that is H2" in finding.message


PIECES = [*"<>/=\"' h1ab\n-!&;", "<h1>", "</h1>", "<a href=", "<script>", "\r\n", "\u00e9", "<!--"]
HTML = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(HTML)
def test_places_are_those_of_the_tags(source: str) -> None:
    doc = parse(source)
    for tag in tags(doc):
        assert source[tag.start] == "<"
        assert source[tag.end - 1] == ">"
        assert tag.name in source[tag.start : tag.end].lower()
    for node in html_headings(doc):
        assert source[node.start : node.end].lower().startswith("<h")
