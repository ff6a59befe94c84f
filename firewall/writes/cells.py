"""What a notebook loses besides its text: attached images, its kernel, cells that run. Pure.

Outputs are no loss: to clear them is common, and running the notebook brings them back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from firewall.text.notebooks import attachments, is_idle, kernel, programs, uncommented
from firewall.text.units import units
from firewall.text.words import words
from firewall.writes.facts import Facts, Words
from firewall.writes.prose import NotANotebook, fenced, parsed

_LEAST_WORDS = 3
"""Words of old code that a comment has at least where it is that code, taken out of use."""


def lost(facts: Facts) -> dict[str, tuple[int, list[str]]]:
    """What the proposal has fewer of than the disk, by kind: how many, and their names. An edit that names it has
    declared it."""
    if facts.disk is None or facts.proposed is None:
        return {}
    try:
        old, new = parsed(facts.disk), parsed(facts.proposed)
    except NotANotebook:
        return {}  # of which the rule notebook tells
    declared = facts.declared or b""
    out: dict[str, tuple[int, list[str]]] = {}
    gone = attachments(old) - attachments(new)
    images = [name for name in sorted(gone.elements()) if name.encode() not in declared]
    if images:
        out["attachments"] = (len(images), images)
    if kernel(old) and not kernel(new) and b"kernelspec" not in declared:
        out["kernelspecs"] = (1, [kernel(old)])
    fewer = _fewer(programs(old), programs(new), facts.elsewhere) - declared.count(b'"cell_type"')
    if fewer > 0:
        out["cells that run"] = (fewer, [])
    return out


def _fewer(old: list[str], new: list[str], elsewhere: Mapping[Words, int]) -> int:
    """How many cells fewer do anything. One that stands in another notebook, or here a second time, is none of them;
    nor is one whose code became a comment, as long as others run."""
    ran, runs = ([text for text in some if not is_idle(text)] for some in (old, new))
    stands, stood = set(runs), set(ran)
    missing = [text for text in ran if text not in stands and not _is_moved(text, elsewhere)]
    joined = {text for text in runs if text not in stood and any(_is_in(some, text) for some in missing)}
    missing = [text for text in missing if not any(_is_in(text, some) for some in joined)]
    fresh = sum(text not in stood and text not in joined for text in runs)
    if len(missing) <= fresh or not runs:
        return len(missing) - fresh
    had = Counter(word for text in missing for word in words(text))
    idle = (words(uncommented(text)) for text in new if is_idle(text))
    return len(missing) - fresh - sum(_is_of(some, had) for some in idle)


def _is_in(cell: str, other: str) -> bool:
    """Are the lines of a cell in another one, one after the other?"""
    return f"\n{cell.strip()}\n" in f"\n{other.strip()}\n"


def _is_moved(program: str, elsewhere: Mapping[Words, int]) -> bool:
    return bool(elsewhere) and all(elsewhere.get(unit.words) for unit in units(fenced(program)))


def _is_of(some: list[str], had: Counter[str]) -> bool:
    same = sum(word in had for word in some)
    return same >= _LEAST_WORDS and 2 * same >= len(some)
