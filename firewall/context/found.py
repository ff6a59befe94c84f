"""What was found in a text, made when somebody looks: noisy text has a finding every few words.

Whoever wants the text alone, or only what came last, then pays for no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import overload

from firewall.context.limits import MAX_FINDINGS, TooMuch
from firewall.verdict import Finding, Outcome

_PLACE = itemgetter(4)


class Findings(Sequence[Finding]):
    """Findings in order. Equal to the tuple of them, and hashed as that is."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[Finding, ...]]) -> None:
        self._make = make
        self._made: tuple[Finding, ...] | None = None

    def _all(self) -> tuple[Finding, ...]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, at: int | slice) -> Finding | tuple[Finding, ...]:
        return self._all()[at]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Findings) else other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (self._all(),)


class Gathered:
    """The findings of a text while it is cleaned, those first that are not made yet."""

    __slots__ = ("_later", "_made", "count")

    def __init__(self) -> None:
        self.count = 0
        self._later: list[Callable[[], Iterable[Finding]]] = []
        self._made: list[Finding] = []

    def room(self, more: int) -> None:
        """Raises TooMuch if `more` findings are more than a text may have."""
        if self.count + more > MAX_FINDINGS:
            raise TooMuch("findings", f"There is more to find than {MAX_FINDINGS} things.", MAX_FINDINGS)

    def add(self, findings: Iterable[Finding]) -> None:
        """Take `findings` in."""
        before = len(self._made)
        self._made += findings
        self.count += len(self._made) - before

    def later(self, count: int, make: Callable[[], Iterable[Finding]]) -> None:
        """Take in the `count` findings that `make` will make."""
        if self._made:
            self._made += make()
        else:
            self._later.append(make)
        self.count += count

    def by_place(self) -> list[Finding]:
        """All of them, by place."""
        if self._later:
            self._made[:0] = _all(self._later)
            self._later = []
        return sorted(self._made, key=_PLACE)

    def ordered(self, *, told: bool = True) -> Sequence[Finding]:
        """By place; what two passes said alike of a stretch that stays is said once. Not `told`: nothing stays."""
        made, later = self._made, self._later
        if later:
            return Findings(lambda: _once(sorted([*_all(later), *made], key=_PLACE), told))
        return _once(sorted(made, key=_PLACE), told)


def _all(later: Sequence[Callable[[], Iterable[Finding]]]) -> list[Finding]:
    return [finding for make in later for finding in make()]


def _once(findings: list[Finding], told: bool) -> tuple[Finding, ...]:
    if not told:
        return tuple(findings)
    allow = Outcome.ALLOW
    out: list[Finding] = []
    said: set[tuple[int, int, str]] = set()
    for finding in findings:
        if finding[1] is allow:
            key = (finding.start, finding.end, finding.message)
            if key in said:
                continue
            said.add(key)
        out.append(finding)
    return tuple(out)
