"""What an artifact got and has, as places where text of others may have gone. Pure.

A unit counts by its words in the source; where a reader sees it as prose, by its shown words too; and as code where it
is code. Text that went into a comment is found, and is not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from firewall.text.shown import code, shown
from firewall.text.units import units
from firewall.values import NamedTuple
from firewall.writes.facts import Facts, Words

Counted = Mapping[Words, int]


class Gains(NamedTuple):
    """Units by their words, with how often each is there: of the source, of what is shown, of code."""

    found: Counted
    shown: Counted
    code: Counted

    def less(self, own: Gains) -> Gains:
        """All of it less a part."""
        return Gains(*(_less(mine, part) for mine, part in zip(self, own, strict=True)))


def _less(counted: Counted, part: Counted) -> Counted:
    if not part:
        return counted
    left = dict(counted)
    for words, copies in part.items():
        left[words] -= copies
        if not left[words]:
            del left[words]
    return left


NONE = Gains({}, {}, {})


def total(many: Iterable[Gains]) -> Gains:
    """All of them together, in the order that what looks for a unit wants them in."""
    sums: tuple[Counter[Words], ...] = (Counter(), Counter(), Counter())
    for one in many:
        for counted, part in zip(sums, one, strict=True):
            counted.update(part)
    return Gains(*map(_sorted, sums))


def with_gains(facts: Facts, elsewhere: Gains, released: Counted | None = None) -> Facts:
    """The facts, with what other artifacts hold, and what of that a person took over there."""
    return facts._replace(
        elsewhere=elsewhere.found,
        shown_elsewhere=elsewhere.shown,
        code_elsewhere=elsewhere.code,
        released=released or {},
    )


def gains(path: str, text: str, came: Collection[Words]) -> Gains:
    """The units of `text` that are among those that came."""
    if not came:
        return NONE
    return Gains(*(_counted(part, came) for part in (text, shown(path, text), code(path, text))))


def _counted(text: str, came: Collection[Words]) -> dict[Words, int]:
    return _sorted(Counter(u.words for u in units(text) if u.words in came))


def _sorted(counted: Counter[Words]) -> dict[Words, int]:
    return dict(sorted(counted.items()))


def as_shown(given: Iterable[Words]) -> tuple[Words, ...]:
    """Units of a Markdown source as a reader sees them; one without any word that is shown is none."""
    out = []
    for unit in given:
        plain = all(word.isalnum() or word.rstrip(".,;:?").isalnum() for word in unit)
        words = unit if plain else tuple(w for u in units(shown("unit.md", " ".join(unit))) for w in u.words)
        if words:
            out.append(words)
    return tuple(out)
