# ruff: noqa: E501 (pieces stand side by side)
"""Parsing only the top-level blocks around given offsets: the same nodes, and none besides."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firewall.text.markdown import Node, parse

PIECES = st.sampled_from(
    ["# A\n\n", "text é **b** `c`\n\n", "> q\n> 日本\n\n", "- a\n- b\n  - c\n\n", "```py\nx\n```\n\n", "| a | é |\n|---|---|\n| 1 | 2 |\n\n", "[^1] note\n\n[^1]: é\n\n", "<div>\nx\n</div>\n\n", "***\n\n", "\r\n\r\n", "tail", "\ud800 lone\n\n", "😀 face\n\n", "---\nt: x\n---\n\n"]
)  # fmt: skip


def dump(node: Node) -> Any:
    return (node.kind, node.start, node.end, node.attrs, [dump(child) for child in node.children])


@given(st.lists(PIECES, max_size=12).map("".join), st.data())
@settings(max_examples=200, deadline=None)
def test_blocks_near_an_offset_are_those_of_the_whole_parse(source: str, data: st.DataObject) -> None:
    offsets = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=5)))
    whole = [b for b in parse(source).blocks if any(b.start <= at < b.end for at in offsets)]
    assert [dump(b) for b in parse(source, offsets).blocks] == [dump(b) for b in whole]


@given(st.lists(PIECES, max_size=12).map("".join), st.data())
@settings(max_examples=200, deadline=None)
def test_the_others_are_there_with_nothing_in_them(source: str, data: st.DataObject) -> None:
    offsets = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=5)))
    wanted = []
    for block in parse(source).blocks:
        if not any(block.start <= at < block.end for at in offsets):
            block.children.clear()
        wanted.append(dump(block))
    assert [dump(b) for b in parse(source, offsets, others=True).blocks] == wanted


def test_no_offset_is_no_block() -> None:
    assert parse("# A\n\ntext\n", []).blocks == ()
