"""Which shapes come into play in a book: those that its notes can fill, as far as the latch's rules allow.

The rules stay law, balance among them, so a shape that the notes fill in too few sections forces sections into
it that have nothing for it. Such a shape is left out of play, and everyday shapes come in where the notes fill
no other. All of it hangs on the spec alone.
"""

from __future__ import annotations

from typing import NamedTuple

from latches.shapes import Shape

TRIES = 6
"""Sets of shapes for which a layout is sought."""


class Play(NamedTuple):
    """Shapes to lay a book out with. `least` sections at least get one that their notes cannot fill."""

    shapes: tuple[str, ...]
    least: int


def plays(
    main: tuple[str, ...],
    spare: tuple[str, ...],
    allowed: list[list[str]],
    fills: list[frozenset[str] | None],
    balance: int,
) -> list[Play]:
    """Sets of shapes to try, the best first.

    `allowed[i]` are the shapes that section i may have by its pins and exclusions, `fills[i]` those that its notes
    can fill, or None where that is not known. `spare` shapes come into play only where they help.
    """
    pinned = {can[0] for can in allowed if len(can) == 1}

    def least(shapes: tuple[str, ...]) -> int:
        return _least(shapes, allowed, fills, balance)

    def thinned(shapes: tuple[str, ...]) -> list[Play]:
        """The set, and what is left of it when one after the other is dropped, always the one that helps most."""
        out = [Play(shapes, least(shapes))]
        while out[-1].least and len(out[-1].shapes) > 2:
            here = out[-1].shapes
            loose = [s for s in here if s not in pinned]
            if not loose:
                break
            fewer = [tuple(s for s in here if s != drop) for drop in reversed(loose)]
            best = min(fewer, key=least)
            out.append(Play(best, least(best)))
        return out

    needed = tuple(s for s in spare if s in pinned)
    tried = thinned((*main, *needed))
    if min(play.least for play in tried):
        useful = tuple(s for s in spare if s in needed or any(known and s in known for known in fills))
        tried += thinned((*main, *useful))
    named = dict.fromkeys(sorted(tried, key=lambda play: (play.least, sum(s in spare for s in play.shapes))))
    return list(named)[:TRIES]


def _least(shapes: tuple[str, ...], allowed: list[list[str]], fills: list[frozenset[str] | None], balance: int) -> int:
    """A bound from below on the sections that get a shape which their notes cannot fill.

    Those that can have no other, and for each shape the uses that balance demands beyond what notes fill; what
    pins and exclusions alone make impossible is no reason to drop a shape.
    """
    able = [
        frozenset(s for s in can if s in shapes and (known is None or s in known))
        for can, known in zip(allowed, fills, strict=True)
    ]
    may = [sum(shape in some for some in allowed) for shape in shapes]
    can = [sum(shape in some for some in able) for shape in shapes]
    forced = _by_balance(len(allowed), can, balance) - _by_balance(len(allowed), may, balance)
    return max(sum(not some for some in able), forced)


def _by_balance(count: int, able: list[int], balance: int) -> int:
    """Sections of `count` that cannot be served by shapes which `able` sections each can take.

    For each number of uses that the least used shape may have: what it must be used beyond that, or what is left
    over when no shape may be used more than `balance` times oftener.
    """
    kinds = len(able)
    worst = count
    for least in range(count // kinds + 1):
        if count > kinds * least + (kinds - 1) * balance:
            continue
        beyond = sum(max(0, least - some) for some in able)
        over = count - sum(min(least + balance, some) for some in able)
        worst = min(worst, max(beyond, over))
    return worst


def told(main: tuple[str, ...], spare: tuple[Shape, ...], play: Play) -> tuple[str, ...]:
    """What was done, in sentences for a blueprint's `relaxed`."""
    out = []
    left = [name for name in main if name not in play.shapes]
    if left:
        what = "shape {} is" if len(left) == 1 else "shapes {} are"
        out.append(f"The {what.format(', '.join(left))} left out: the notes fill too few sections that way.")
    used = [shape.name for shape in spare if shape.name in play.shapes]
    if used:
        out.append(f"Everyday shapes ({', '.join(used)}) are in play, because the notes fill too few of the others.")
    return tuple(out)
