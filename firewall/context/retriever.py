"""The firewall around a retriever, for programs that are not Stet's own pipeline.

`guarded` is a plain function over documents; `GuardedRetriever` has the shape LangChain's retrievers have
(`invoke`, `get_relevant_documents`) and needs no part of LangChain. Lane and source id come from the
configuration given here, never from a document's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from numbers import Number
from typing import Any, Protocol
from uuid import UUID

from firewall.context.errors import LaneViolation, PassageBlocked
from firewall.context.lanes import make_passage
from firewall.context.passage import Passage
from firewall.errors import StetError
from firewall.policy.lanes import Lane
from firewall.values import NamedTuple


class Document(Protocol):
    """What a retriever returns: text, and metadata of which `source` is read."""

    page_content: str
    metadata: dict[str, Any]


class Refused(NamedTuple):
    """A document that may not be used, and why. The error holds none of its text."""

    source: str
    error: StetError


class Guarded(NamedTuple):
    """Passages that may be used, and what was refused."""

    passages: tuple[Passage, ...]
    refused: tuple[Refused, ...]


def guarded(
    documents: Iterable[tuple[str, str, str]], *, reader: str, policy: Mapping[str, Lane], index_version: str
) -> Guarded:
    """Judge `documents`, each (raw text, source id, lane of that source), for a prompt of lane `reader`."""
    passages: list[Passage] = []
    refused: list[Refused] = []
    for raw, source, lane in documents:
        try:
            passages.append(
                make_passage(raw, source=source, lane=lane, index_version=index_version, reader=reader, policy=policy)
            )
        except (LaneViolation, PassageBlocked) as error:
            refused.append(Refused(source, error))
    return Guarded(tuple(passages), tuple(refused))


class GuardedRetriever:
    """A retriever that returns only what the firewall lets through.

    `lane_of` says from a document's source id which lane it is of; a source it does not know must raise.
    `retriever` is anything with `invoke(query)`. With `on_refusal` each refusal is handed over; without it
    the first one is raised, so nothing is dropped in silence.
    """

    def __init__(
        self,
        retriever: Any,
        *,
        reader: str,
        policy: Mapping[str, Lane],
        lane_of: Callable[[str], str],
        index_version: str,
        on_refusal: Callable[[Refused], None] | None = None,
    ) -> None:
        self._retriever = retriever
        self._reader = reader
        self._policy = policy
        self._lane_of = lane_of
        self._index_version = index_version
        self._on_refusal = on_refusal

    def invoke(self, query: str, config: Any = None, **kwargs: Any) -> list[Any]:
        """The documents for `query`, cleaned with their metadata: copies of the retriever's own, and their provenance.

        The texts in the metadata, keys too, are judged as the document is. Lists, dicts, numbers and dates stay what
        they are; a value of another type becomes the name of its type, since nobody can say what text it holds.
        """
        found = (
            self._retriever.invoke(query, **kwargs)
            if config is None
            else self._retriever.invoke(query, config, **kwargs)
        )
        out = []
        for document in found:
            source = str(document.metadata.get("source", ""))
            lane = self._lane_of(source)
            try:
                passage = self._passage(document.page_content, source, lane)
                metadata = self._pairs(document.metadata, source, lane, 0)
            except (LaneViolation, PassageBlocked) as error:
                if self._on_refusal is None:
                    raise
                self._on_refusal(Refused(source, error))
            else:
                out.append(_with(document, metadata, passage))
        return out

    def _passage(self, raw: str, source: str, lane: str) -> Passage:
        return make_passage(
            raw, source=source, lane=lane, index_version=self._index_version, reader=self._reader, policy=self._policy
        )

    def _judged(self, value: Any, source: str, lane: str, depth: int) -> Any:
        """What a document says of itself may go into a prompt as well, so its texts are judged like the document."""
        if isinstance(value, str):
            return self._passage(value, source, lane).text
        if depth < _DEPTH and isinstance(value, dict):
            return self._pairs(value, source, lane, depth + 1)
        if depth < _DEPTH and isinstance(value, list | tuple):
            return [self._judged(inner, source, lane, depth + 1) for inner in value]
        if not isinstance(value, _PLAIN):
            return str(type(value))
        if type(value).__module__ not in _EXACT:  # an IntEnum, or any class that says how it is written
            self._passage(f"{value!s} {value!r}", source, lane)
        return value

    def _pairs(self, given: Mapping[Any, Any], source: str, lane: str, depth: int) -> dict[Any, Any]:
        """The keys are judged as the values are. Two that read alike once they are clean: one value would be lost."""
        pairs = [
            (self._judged(key, source, lane, _DEPTH), self._judged(value, source, lane, depth))
            for key, value in given.items()
        ]
        out = dict(pairs)
        if len(out) < len(pairs):
            reason = "Two keys of its metadata read alike once they are clean."
            raise PassageBlocked(
                rule="metadata-keys", reason=reason, lane=self._reader, source=source, line=1, offset=0
            )
        return out

    get_relevant_documents = invoke


_DEPTH = 8
_PLAIN = (Number, type(None), date, UUID)
_EXACT = frozenset(("builtins", "datetime", "uuid", "decimal", "fractions"))
"""Values that hold no text, and the modules whose classes write no more of them. Any other becomes its type's name."""


def _with(document: Document, metadata: Mapping[str, Any], passage: Passage) -> Any:
    """A document of the same class with the clean text, and where it came from."""
    made = {
        **metadata,
        "source": passage.source,
        "lane": passage.lane,
        "sha256": passage.sha256,
        "index_version": passage.index_version,
    }
    make: Any = type(document)
    return make(page_content=passage.text, metadata=made)
