"""One of a thing is one thing."""

from __future__ import annotations

import pytest

from firewall.text.amounts import amount


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [(1, ("snapshot",), "1 snapshot"), (0, ("snapshot",), "0 snapshots"), (1200, ("word",), "1200 words"),
     (1, ("branch", "branches"), "1 branch"), (2, ("branch", "branches"), "2 branches")],
)  # fmt: skip
def test_an_amount_agrees_with_its_number(count: int, words: tuple[str, ...], said: str) -> None:
    assert amount(count, *words) == said
