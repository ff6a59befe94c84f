"""A document whose text is no text is refused by name; the others of its batch are judged."""

from __future__ import annotations

from typing import Any

import pytest

from firewall.context.errors import PassageBlocked
from firewall.context.lanes import make_passage
from firewall.context.retriever import guarded
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
