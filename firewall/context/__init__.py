"""What stands between retrieved text and a prompt: cleaning, lanes, and an envelope.

    from firewall.context import sanitize, make_passage, as_data

Names load their module when first used, so a program that never cleans a text pays for nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.context.clean import Cleaned, sanitize
    from firewall.context.envelope import as_data
    from firewall.context.errors import LaneViolation
    from firewall.context.lanes import make_passage
    from firewall.context.passage import Passage

__all__ = ["Cleaned", "LaneViolation", "Passage", "as_data", "make_passage", "sanitize"]

_HOME = {
    "Cleaned": "clean",
    "LaneViolation": "errors",
    "Passage": "passage",
    "as_data": "envelope",
    "make_passage": "lanes",
    "sanitize": "clean",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"firewall.context.{_HOME[name]}"), name)
