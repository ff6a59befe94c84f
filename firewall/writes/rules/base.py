"""What rules share: the form of a rule, and building example facts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from firewall.verdict import Finding
from firewall.writes.facts import Facts, Texts
from firewall.writes.limits import Limits


class Rule(NamedTuple):
    """A named check. `lifted` is true when a structural proposal lifts it."""

    name: str
    lifted: bool
    check: Callable[[Facts, Texts], list[Finding]]


class Example(NamedTuple):
    """Facts with what the rule must say: `fires` is true where it must find something."""

    about: str
    facts: Facts
    fires: bool


def example(
    about: str,
    old: str | bytes | None,
    new: str | bytes | None,
    fires: bool,
    *,
    mark: str | bytes | None = None,
    base: str | None = None,
    stop_reason: str | None = None,
    path_problem: str = "",
) -> Example:
    """An example from two texts; the mark is the old text unless given."""
    disk = _encode(old)
    return Example(
        about,
        Facts(
            path="chapter.md",
            disk=disk,
            proposed=_encode(new),
            mark=disk if mark is None else _encode(mark),
            disk_sha=sha256(disk),
            limits=Limits(),
            base=base,
            stop_reason=stop_reason,
            path_problem=path_problem,
        ),
        fires,
    )


def sha256(data: bytes | None) -> str:
    """The hex sha256 of the bytes, or the empty string where there is no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _encode(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def lorem(words: int) -> str:
    """A text of exactly `words` different words in lines of ten, for examples."""
    return "".join(f"word{i}" + ("\n" if i % 10 == 9 else " ") for i in range(words))
