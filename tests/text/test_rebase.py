"""A change made from an older text comes to the text as it is now, or nowhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firewall.text.rebase import inserted, rebase

HEAD = b"# Garden\n"
COMPOST = b"\n## Compost\n\nTurn it weekly.\n"
WATER = b"\n## Water\n\nIn the evening.\n"
BEANS = b"\n## Beans\n\nSow in May.\n"


def test_sections_staged_from_nothing_come_one_after_the_other() -> None:
    first, second = HEAD + COMPOST, HEAD + WATER
    now = rebase(b"", first, b"")
    assert now == first
    now = rebase(b"", second, first)
    assert now == HEAD + COMPOST + WATER


def test_the_earlier_one_goes_before_the_later_one_whichever_was_approved_first() -> None:
    now = HEAD + WATER
    assert rebase(b"", HEAD + COMPOST, now, [inserted(HEAD, HEAD + WATER)]) == HEAD + COMPOST + WATER


def test_a_section_goes_between_its_neighbours() -> None:
    base = HEAD + COMPOST + BEANS
    proposed = HEAD + COMPOST + WATER + BEANS
    now = base.replace(b"weekly", b"every week").replace(b"Garden", b"My garden")
    assert rebase(base, proposed, base) == proposed
    assert rebase(base, proposed, now) is None, "the neighbour above is another text now"
    now = base.replace(b"Garden", b"My garden") + b"\nThe end.\n"
    assert rebase(base, proposed, now) == proposed.replace(b"Garden", b"My garden") + b"\nThe end.\n"


def test_replaced_lines_are_replaced_where_they_stand_once() -> None:
    base = HEAD + COMPOST + WATER
    proposed = base.replace(b"In the evening.", b"At dawn.")
    assert rebase(base, proposed, base + BEANS) == proposed + BEANS
    assert rebase(base, proposed, base + WATER) is None
    assert rebase(base, proposed, HEAD + COMPOST) is None


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c c\n", b"d\n"]), max_size=8).map(b"".join)


@given(base=LINES, proposed=LINES)
def test_on_the_same_text_it_is_the_proposal(base: bytes, proposed: bytes) -> None:
    done = rebase(base, proposed, base)
    if base and done is not None and b"".join(base.split()) != b"":
        assert [line for line in done.splitlines() if line] == [line for line in proposed.splitlines() if line]


@given(base=LINES, put=LINES, at=st.integers(0, 8), now=LINES)
def test_nothing_that_stands_is_lost_by_putting_in(base: bytes, put: bytes, at: int, now: bytes) -> None:
    lines = base.splitlines(keepends=True)
    proposed = b"".join([*lines[:at], put, *lines[at:]])
    done = rebase(base, proposed, now)
    if done is not None and inserted(base, proposed):
        rest = iter(done.splitlines())
        assert all(line in rest for line in now.splitlines()), "every line of it, in order"
