"""What stands between retrieved text and a prompt: cleaning, lanes, and an envelope.

    from firewall.context import sanitize, make_passage, as_data

Names load their module when first used, so a program that never cleans a text pays for nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.context.clean import Cleaned, sanitize
    from firewall.context.envelope import as_data, as_fenced_data
    from firewall.context.errors import LaneViolation, PassageBlocked, PassageHeld
    from firewall.context.lanes import make_passage
    from firewall.context.passage import Passage
    from firewall.context.retriever import GuardedRetriever, guarded
    from firewall.context.screen import Screen, screen_of
    from firewall.context.stream import guarded_stream
    from firewall.context.structured import sanitize_value

__all__ = [
    "Cleaned",
    "GuardedRetriever",
    "LaneViolation",
    "Passage",
    "PassageBlocked",
    "PassageHeld",
    "Screen",
    "as_data",
    "as_fenced_data",
    "guarded",
    "guarded_stream",
    "make_passage",
    "sanitize",
    "sanitize_value",
    "screen_of",
]

_HOME = {
    "Cleaned": "clean",
    "GuardedRetriever": "retriever",
    "LaneViolation": "errors",
    "Passage": "passage",
    "PassageBlocked": "errors",
    "PassageHeld": "errors",
    "Screen": "screen",
    "as_data": "envelope",
    "as_fenced_data": "envelope",
    "guarded": "retriever",
    "guarded_stream": "stream",
    "make_passage": "lanes",
    "sanitize": "clean",
    "sanitize_value": "structured",
    "screen_of": "screen",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"firewall.context.{_HOME[name]}"), name)
