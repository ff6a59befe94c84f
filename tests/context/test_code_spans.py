"""Where code stands: the quick reading of a text must find what the parser finds, and one key makes a passage."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firewall
from firewall.context import sanitize
from firewall.context.code import Code
from firewall.text.markdown import parse

PIECES = [
    "`", "``", "word", "x ", "\n", "\n\n", "\n \n", "\n   \n", "> ", "- ", "1. ", "  ", "# ", "<b>", "</b>", "<div>",
    "</div>", "<!-- a -->", "<!--", "-->", "<pre>", "| a | b |\n|---|---|\n", "[a]: /u '", "'", "[x](", "<a href='`'>",
    "$", "$$", "\\`", "\\", "[^1]: ", "é", "字", "\ud800", "---\n", "<script>", "<?", "~~~", "```", "    ", "\t", "\r",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=250)
def test_the_quick_reading_finds_the_code_that_the_parser_finds(text: str) -> None:
    found = sorted((n.start, n.end) for n in parse(text).find("code", "code_block"))
    assert Code(text).spans == found


@pytest.mark.parametrize(
    "text",
    [
        ">     <b>kept</b> [cite: 1]\n",
        "-     <b>kept</b>\n",
        "a `<b>` b\n\nc `[cite: 1]` d\n\n\\`not code\n\ne `é <i>` f\n",
    ],
)
def test_code_in_quotes_and_lists_is_left(text: str) -> None:
    assert sanitize(text).text == text


def test_one_module_holds_the_key_that_makes_a_passage() -> None:
    root = Path(firewall.__file__).parent.parent
    holders = [
        path.relative_to(root).as_posix()
        for package in ("firewall", "latches", "pipeline")
        for path in sorted((root / package).rglob("*.py"))
        if "MAKER" in path.read_text("utf-8")
    ]
    assert holders == ["firewall/context/lanes.py", "firewall/context/passage.py"]
