"""A document whose text is no text is refused by name; the others of its batch are judged."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest

from firewall.context.errors import LaneViolation, PassageBlocked
from firewall.context.lanes import make_passage
from firewall.context.retriever import GuardedRetriever, guarded
from firewall.policy.lanes import Lane

LANES = {"public": Lane()}


@pytest.mark.parametrize("text", [None, b"secret words", 7, ["secret words"]])
def test_a_text_that_is_none_is_refused_and_the_batch_goes_on(text: Any) -> None:
    documents = [("One.", "a.md", "public"), (text, "b.md", "public"), ("Three.", "c.md", "public")]
    found = guarded(documents, reader="public", policy=LANES, index_version="1")
    assert [p.text for p in found.passages] == ["One.", "Three."]
    (refused,) = found.refused
    assert refused.source == "b.md"
    assert isinstance(refused.error, PassageBlocked)
    assert type(text).__name__ in str(refused.error)
    assert "secret words" not in str(refused.error)


def test_a_source_that_is_no_name_is_refused() -> None:
    source: Any = None
    with pytest.raises(PassageBlocked):
        make_passage("One.", source=source, lane="public", index_version="1", reader="public", policy=LANES)


class _Document:
    def __init__(self, page_content: str, metadata: dict[str, Any]) -> None:
        self.page_content, self.metadata = page_content, metadata


class _Retriever:
    def __init__(self, metadata: dict[str, Any]) -> None:
        self.metadata = metadata

    def invoke(self, query: str) -> list[_Document]:
        return [_Document(query, {"source": "a.md", **self.metadata})]


class _Telling(int):
    def __repr__(self) -> str:
        return "zephyr"


class _Named(IntEnum):
    ZEPHYR = 1


@pytest.mark.parametrize("value", [_Telling(3), _Named.ZEPHYR])
def test_a_number_that_says_a_banned_term_of_itself_is_refused(value: int) -> None:
    with pytest.raises(LaneViolation):
        _metadata(value)


@pytest.mark.parametrize("value", [3, 2.5, True, None, date(2026, 1, 2), Decimal("1.5"), UUID(int=1), Fraction(1, 2)])
def test_a_number_or_a_date_stays_what_it_is(value: object) -> None:
    assert _metadata(value) is value


def _metadata(value: object) -> object:
    retriever = GuardedRetriever(
        _Retriever({"n": value}),
        reader="public",
        policy={"public": Lane(banned=["zephyr"])},
        lane_of=lambda _: "public",
        index_version="1",
    )
    (document,) = retriever.invoke("One.")
    return document.metadata["n"]
