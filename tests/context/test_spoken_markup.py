"""Tags that prose speaks of, placeholders and the brackets of other languages: they are words and stay."""

from __future__ import annotations

import pytest

from firewall.context import sanitize


@pytest.mark.parametrize(
    "text",
    [
        "The <script> keyword makes a mapping local.",
        "Group them in a <div> element, not in a <span>.",
        '--pretty=<style>" option to the family of commands, spelled as format:<template> before',
        "<style> tag and included files\n\nand all the text that follows",
        "    $<INSTALL_INTERFACE:$<$<CONFIG:Debug>:$<INSTALL_PREFIX>/include>>\n",
        'The arguments "<buffer>", "<script>" and "<unique>" come in any order.',
        "expand('<script>') names it, and (<title>) too",
        "list(JOIN <list> <glue> <output variable>)",
        "Press <Del> or <Enter>, then type on.",
        "An <a> tag without a place to go, and every <img>.",
        "std::vector<std::pair<int, T>> and Map<String, List<Object>> m",
        "if (a <b && c> d) return x <y;",
        "usage: x <p> <q> <s>",
        "usage: cp <s> <p>\n",
        "run <p> --all or <p> [more]",
        "p <q> r, x <a> y and <b> too",
        "Tag names like br, <br>, and <hr>",
        "Use the <br> tag, a <hr> element or (<wbr>).",
        "Void elements: <br>, <hr>; others are not.",
    ],
)
def test_what_is_spoken_of_stays(text: str) -> None:
    assert sanitize(text) == (text, ())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a <script>alert(1)", "a "),
        ("<script>\nvar x = 1;\n\nvar y;", ""),
        ("<style>\np{}", ""),
        ("x <div>hello", "x hello"),
        ("Hello <b>bold", "Hello bold"),
        ("<p>one\n<p>two", "one\ntwo"),
        ("the <b>bold</b> one", "the bold one"),
        ("the <div hidden>PAYLOAD", "the "),
        ("one <p> Two <p> Three", "one  Two  Three"),
        ("one<br>two<br/>three <br> four <BR> five<br>\n", "onetwothree  four  five\n"),
        ("one <q>two</q> <s>three</s>", "one two three"),
        ("and <br/> more, <hr> more", "and  more,  more"),
        ("one <b>two <p>\nthree", "one two \nthree"),
        ("<scr<script>x</script>y", "<scry"),
        ("an <input type=text name=q>", "an "),
    ],
)
def test_real_tags_go_all_the_same(raw: str, text: str) -> None:
    assert sanitize(raw).text == text
