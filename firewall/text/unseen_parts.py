"""Formulas and files taken in that a text has no more: gone from its source, or put into a comment there. Pure."""

from __future__ import annotations

from collections import Counter

from firewall.text.outline import Outline
from firewall.text.pattern import Pattern

LEAST_TAKEN_IN = 30
"""Words that a text must have got for each file that it takes in no more, where it took over what stood there."""

_LOOKED_FOR = 200
"""Formulas that are looked for in other places; more would cost the square of their number."""
_NUMBERED = Pattern(r"\\(?:label|tag\*?)\{[^{}]{0,200}\}|\\(?:nonumber|notag)\b")
_NAME = Pattern(r"[^\s{}()\[\]<>\"'|:,;]+")


def taken_out(
    old: Outline, new: Outline, declared: Outline | None, named: str, seen: str, source: str, grown: int
) -> dict[str, tuple[int, list[str]]]:
    """Displayed formulas, and files taken in, that a text has no more, by kind: how many, and which. Less those that
    an edit has `declared`, in a text that `named` them or their names; `seen` is what a reader sees of the new text, of
    this `source`, which has `grown` by so many words."""
    out: dict[str, tuple[int, list[str]]] = {}
    gone, told = lost_formulas(old, new, seen), len(declared.formulas) if declared else 0
    if len(gone) > told:
        out["formulas"] = (len(gone) - told, gone[told:])
    gone = lost_includes(old, new, source, grown)
    if gone and declared:  # whole, or a line of a list of files
        names = {_bare(name) for name in _NAME.findall(named)}
        gone = [name for name in gone if _bare(name) not in names and name not in declared.includes]
    if gone:
        out["included files"] = (len(gone), gone)
    return out


def _bare(name: str) -> str:
    return name.removeprefix("./").removesuffix(".tex")


def lost_formulas(old: Outline, new: Outline, seen: str) -> list[str]:
    """The displayed formulas that are gone, and neither replaced by others nor in what is `seen` of the new text, as
    where one became part of another or of a line; a mere letter or number stands anywhere."""
    lost = Counter(old.formulas) - Counter(new.formulas)
    fresh = (Counter(new.formulas) - Counter(old.formulas)).total()
    if lost.total() <= fresh:
        return []
    there, lines = _plain(seen), {"".join(line.split()) for line in new.seen_code.split("\n")}
    gone = []
    for number, formula in enumerate(lost.elements()):
        plain = _plain(formula)
        if number >= _LOOKED_FOR or (plain not in lines if plain.isalnum() else plain not in there):
            gone.append(formula)
    return gone[: max(0, len(gone) - fresh)]


def _plain(formula: str) -> str:
    """A formula less what only places its parts or gives it a number."""
    return "".join(_NUMBERED.sub("", formula.replace("\\\\", "").replace("&", "")).split())


def lost_includes(old: Outline, new: Outline, source: str, grown: int) -> list[str]:
    """The files that are taken in no more: no others are in their place (a second time of one stands for no other),
    and the text, of this `source`, has not `grown` by words enough to be what stood there."""
    lost = old.includes - new.includes
    fresh = Counter({name: count for name, count in new.includes.items() if name not in old.includes})
    if any("*" in name for name in fresh):  # all of a folder
        return []
    gone = sorted(lost.elements())
    there = {_bare(name) for name in _NAME.findall(source)} if gone else set()
    still = [name for name in gone if name in there]  # in a comment, as a rule: nothing took its place
    moved = [name for name in gone if name not in there]
    moved = moved[max(0, grown) // LEAST_TAKEN_IN :]
    gone = [*still, *moved]
    return gone[: max(0, len(gone) - fresh.total())]
