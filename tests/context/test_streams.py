"""Terms over the seams of a stream, and in rot13: kaito PR#2254 and #2260."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.context import LaneViolation, guarded_stream
from firewall.context.clean import clean
from firewall.context.lanes import banned, violations
from firewall.policy.lanes import Lane

LANE = Lane(banned=["banned", "exec", "Project Zephyr", "重启"])


def let_go(chunks: list[str], every: int = 256) -> tuple[str, LaneViolation | None]:
    out = []
    try:
        for piece in guarded_stream(chunks, LANE, lane="public", source="s", every=every):
            out.append(piece)
    except LaneViolation as error:
        return "".join(out), error
    return "".join(out), None


@pytest.mark.parametrize(
    "chunks",
    [
        ["ban", "ned"],
        ["it is b", "a", "n", "n", "e", "d", " here"],
        ["run ex", "\u200bec now"],
        ["the Project", "\nZephyr plan"],
        ["x " * 700 + "Proj", "ect-Zeph", "yr" + " y" * 700],
        ["我们重", "启了服务"],
        ["word " * 300 + "exec"],
        ["word " * 300 + "ban<b></b>n", "ed and", " on" * 500],
        ["x ban[ned](", "u) y"],
        ["x ban[cite: 1", "]ned y"],
        ['x ban<span class="' + "c" * 300, '">ned y</span>', " on" * 500],
        ["x ban&sh", "y;ned y"],
    ],
)
def test_a_term_split_over_chunks_is_found_and_none_of_it_let_go(chunks: list[str]) -> None:
    whole = "".join(chunks)
    for every in (1, 7, 256):
        text, error = let_go(chunks, every)
        assert error is not None
        offset = int(str(error.fields["offset"]))
        assert offset == next(violations(clean(whole), LANE, whole)).start
        assert int(str(error.fields["line"])) == whole.count("\n", 0, offset) + 1
        assert whole.startswith(text)
        assert len(text) <= offset


@pytest.mark.parametrize(
    "chunks", [["an ex", "ec", "utive"], ["exec", "utive"], ["C", "execs"], [], ["", ""], ["ban nedx"]]
)
def test_a_word_that_goes_on_in_the_next_chunk_is_no_term(chunks: list[str]) -> None:
    assert let_go(chunks, 1) == ("".join(chunks), None)


PIECES = [
    "exec",
    "ban",
    "ned",
    "ut",
    " ",
    "\n",
    "word ",
    "Project ",
    "Zephyr",
    "x" * 300,
    " y" * 200,
    "\u200b",
    "重",
    "启",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(1, 600))
def test_a_stream_is_judged_as_the_whole_text_is(chunks: list[str], every: int) -> None:
    whole = "".join(chunks)
    hits = list(banned(whole, LANE))
    text, error = let_go(chunks, every)
    assert (error is not None) == bool(hits)
    assert text == whole if not hits else whole.startswith(text) and len(text) <= min(hit.start for hit in hits)


@pytest.mark.parametrize(
    "text", ["gur Cebwrpg Mrcule cyna", "CEBWRPG-MRCULE", "Cebwrpg\nMrcule", "{'x': 'cebwrpg_mrcule'}"]
)
def test_a_term_in_rot13_is_found(text: str) -> None:
    assert [hit.term for hit in banned(text, LANE)] == ["Project Zephyr"]


def test_short_terms_are_not_looked_for_in_rot13() -> None:
    assert list(banned("a green field, nowhere", Lane(banned=["terra", "abjurer"]))) == []
