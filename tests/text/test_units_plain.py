"""Whether a text has list items is asked once of the whole of it: the answer must be that of each paragraph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firewall.text.units import _BLANKS, _ITEM, _is_plain, units
from firewall.writes.measures import _apart

_LINES = st.lists(
    st.sampled_from(
        (
            "one two three",
            "- item",
            " * in",
            "\t+ tab",
            "3) three",
            "٣. three",
            "| a | b |",
            "x:: y",
            "",
            " ",
            "Ａ",
            "—a",
        )
    ),
    max_size=12,
)


@given(_LINES)
def test_a_plain_text_has_no_items(lines: list[str]) -> None:
    text = "\n".join(lines)
    if _is_plain(text):
        assert not any(_ITEM.search(block) for block in _BLANKS.made.split(text))
        assert not any(unit.item for unit in units(text))


def test_what_is_plain() -> None:
    assert _is_plain("A chapter - with a dash, 3 numbers\nand lines.\n\nMore.")
    for line in ("- a", "* a", "+ a", "| a", "1. a", "٣. a", " - a", "\t- a", "term:: what", "\\item a"):
        assert not _is_plain(f"A line.\n{line}\nAnother."), line


@given(st.lists(st.sampled_from("ab "), max_size=6), st.lists(st.sampled_from("ab "), max_size=6))
def test_lines_apart_are_counted(one: list[str], other: list[str]) -> None:
    one, other = [line.strip() for line in one], [line.strip() for line in other]
    mine, theirs = (sorted(filter(None, part.split("\n"))) for part in _apart(one, other))
    for line in "ab":
        more = one.count(line) - other.count(line)
        assert mine.count(line) == max(0, more)
        assert theirs.count(line) == max(0, -more)
