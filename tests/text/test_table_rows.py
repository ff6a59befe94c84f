"""Rows of a table as they are written, however wide its header is."""

from __future__ import annotations

import pytest

from firewall.text.markdown import parse


def rows(source: str) -> list[list[str]]:
    doc = parse(source)
    return [[doc.text(cell).strip() for cell in row.children] for row in doc.find("table_row")]


@pytest.mark.parametrize(
    ("source", "cells"),
    [
        ("| a | b | c |\n|---|---|---|\n| x |\n", [["x"]]),
        ("| a | b | c |\n|---|---|---|\n| x | |\n", [["x", ""]]),
        ("| a | b | c |\n|---|---|---|\n| x |  | y |\n", [["x", "", "y"]]),
        ("| a | b |\n|---|---|\n| x", [["x"]]),
        ("| a | b |\n|---|---|\n| x ||", [["x", ""]]),
        ("| a | b |\n|---|---|\n| x | y | z |\n", [["x", "y"]]),
        ("> | é | b |\n> |---|---|\n> | ü |\n> | 🚪 | y |\n", [["ü"], ["🚪", "y"]]),
        ("| a | b |\r\n|---|---|\r\n| x |\r\n| y | z |\r\n\r\nText.\r\n", [["x"], ["y", "z"]]),
    ],
)
def test_a_row_has_the_cells_that_are_written(source: str, cells: list[list[str]]) -> None:
    assert rows(source) == cells


def test_what_follows_a_short_row_stands_where_it_stood() -> None:
    source = "| a | b | c |\n|---|---|---|\n| x |\n\nAfter **it**.\n"
    doc = parse(source)
    assert [doc.text(node) for node in doc.find("strong")] == ["**it**"]
    assert [node.kind for node in doc.blocks] == ["table", "paragraph"]


def test_short_rows_under_a_wide_header_cost_what_they_hold() -> None:
    """Nodes grow with the text, not with rows times columns."""
    columns, short = 3_000, 60
    source = "|" + "a|" * columns + "\n|" + "---|" * columns + "\n" + "| b |\n" * short
    nodes = sum(1 for _ in parse(source).walk())
    assert nodes == 1 + (1 + 2 * columns) + short * 3
