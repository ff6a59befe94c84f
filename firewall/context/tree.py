"""Where an element stands among its siblings, as `:nth-child()` and its kin ask."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from firewall.context.elements import BODY_GOES, CLOSES, VOID
from firewall.context.tags import Tag
from firewall.values import NamedTuple


class Place(NamedTuple):
    """From 1, among all siblings and among those of the same name, from the first and from the last."""

    child: int
    of_type: int
    last_child: int
    last_of_type: int


_HEAD = frozenset("base head link meta noscript script style template title".split())
"""Elements that a browser moves into the head while nothing else has come."""
_Children = list[tuple[str, int]]


def places(tags: Sequence[Tag]) -> dict[int, Place]:
    """The place of each element of a page, by where its tag begins."""
    out: dict[int, Place] = {}
    top: _Children = []
    stack: list[tuple[str, _Children]] = [("", top)]
    counts: Counter[str] = Counter()
    skipped = ""  # the element whose body holds no elements

    def pop() -> None:
        name, children = stack.pop()
        counts[name] -= 1
        _number(children, out)

    for tag in tags:
        if skipped:
            skipped = "" if tag.kind == "close" and tag.name == skipped else skipped
            continue
        if tag.kind == "open":
            while stack[-1][0] in CLOSES.get(tag.name, ()):
                pop()
            parent, children = stack[-1]
            if children or parent not in ("", "html", "body") or tag.name not in _HEAD:
                children.append((tag.name, tag.start))
            if tag.name in BODY_GOES:
                skipped = tag.name
            elif tag.name not in VOID:
                stack.append((tag.name, []))
                counts[tag.name] += 1
        elif tag.kind == "close" and counts[tag.name] > 0:
            while stack[-1][0] != tag.name:
                pop()
            pop()
    while stack:
        pop()
    return out


def _number(children: _Children, out: dict[int, Place]) -> None:
    whole = Counter(name for name, _ in children)
    seen: Counter[str] = Counter()
    for at, (name, start) in enumerate(children, 1):
        seen[name] += 1
        out[start] = Place(at, seen[name], len(children) - at + 1, whole[name] - seen[name] + 1)


_FORMULA = re.compile(r"([+-]?\d*)n(?:([+-])(\d+))?|([+-]?\d+)")


def stands(asked: str, place: Place) -> bool | None:
    """Does `place` meet `asked`: a colon, a field of Place and in brackets a formula? None: the formula is none."""
    kind, _, formula = asked[1:-1].partition("(")
    text = {"odd": "2n+1", "even": "2n"}.get(formula.strip(), formula.replace(" ", ""))
    match = _FORMULA.fullmatch(text)
    if match is None or len(text) > _LONGEST:
        return None
    at: int = getattr(place, kind)
    step, sign, offset, alone = match.groups()
    if alone is not None:
        return at == int(alone)
    every = int(step + "1") if step in ("", "+", "-") else int(step)
    left = at - int((sign or "") + (offset or "0"))
    return left == 0 if every == 0 else left % every == 0 and left // every >= 0


_LONGEST = 24
