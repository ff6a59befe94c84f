"""Where in a text a rule of injection.toml could match, by the literal texts that each match must hold (needs.py).

One scan finds the rarest of each rule; the rule is tried only where the others stand near. So honest prose, however
varied, costs a scan and not a run of every rule.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from firewall.context.needs import Need, branches, cost, needs_of

# The flat form of a text: a blank for all but ASCII letters and digits, and one more at each end.
_FLAT = bytes(code if chr(code).isalnum() and code < 0x80 else 0x20 for code in range(256))
_SELDOM = 250.0
"""Cost up to which a rule's second need is worth scanning for."""

_ROW = 30
"""Characters within which one place is looked at for all, or a row of the same word would cost too much."""


class Needles:
    """The needs of all rules. A rule is a pattern's outermost alternative; `owner[rule]` is that pattern's place.

    `reach` is how many characters one match may span.
    """

    def __init__(self, patterns: Sequence[str], reach: int) -> None:
        import ahocorasick_rs

        self._reach = reach
        self.rules: list[str] = []
        self.owner: list[int] = []
        self._scanned: dict[
            int, list[tuple[int, int]]
        ] = {}  # rules by the number of their rarest need, and the second's
        self._others: list[tuple[tuple[bytes, ...], ...]] = []  # and the others
        self._signs: list[str] = []  # the sign that a rule begins with
        numbers: dict[Need, int] = {}
        for index, pattern in enumerate(patterns):
            for branch in branches(pattern):
                needs = needs_of(branch)
                scanned = needs[: 1 + (len(needs) > 1 and cost(needs[1]) < _SELDOM)]
                others = sorted((need for need in needs[len(scanned) :] if all(map(str.isascii, need))), key=len)
                first, second = (*(numbers.setdefault(need, len(numbers)) for need in scanned), -1)[:2]
                self._scanned.setdefault(first, []).append((len(self.rules), second))
                self._others.append(tuple(tuple(t.encode() for t in sorted(need, key=len)) for need in others))
                self._signs.append(_sign(branch))
                self.rules.append(branch)
                self.owner.append(index)
        plain: dict[bytes, list[int]] = {}  # the needs that a text meets
        wide: dict[str, list[int]] = {}
        for need, number in numbers.items():
            for text in need:
                if text.isascii():
                    plain.setdefault(text.encode(), []).append(number)
                else:
                    wide.setdefault(text, []).append(number)
        self._needs = [*plain.values(), *wide.values()]
        self._plain = len(plain)
        dfa = ahocorasick_rs.Implementation.DFA
        self._of_plain: Any = ahocorasick_rs.BytesAhoCorasick(list(plain), implementation=dfa)
        self._of_wide: Any = ahocorasick_rs.AhoCorasick(list(wide))

    def regions(self, text: str) -> list[tuple[int, int, int]]:
        """(rule, start, end) of each stretch of `text`, which has no lone surrogates, where a rule could match.

        A match of up to `reach` characters that holds what it must lies inside one.
        """
        flat = b" " + text.encode("ascii", "replace").translate(_FLAT) + b" "
        found = self._of_plain.find_matches_as_indexes(flat, overlapping=True)
        present = {index for index, _, _ in found}
        wide: list[tuple[int, int, int]] = []
        if not text.isascii():  # texts of other scripts are counted after the plain ones
            wide = self._of_wide.find_matches_as_indexes(text, overlapping=True)
            present |= {index + self._plain for index, _, _ in wide}
        texts: dict[int, list[int]] = {}  # by which texts each need is met
        for index in present:
            for need in self._needs[index]:
                texts.setdefault(need, []).append(index)
        rules = [
            (rule, first, second)
            for first in texts.keys() & self._scanned.keys()
            for rule, second in self._scanned[first]
            if (second < 0 or second in texts) and self._signs[rule] in text
        ]
        wanted = {need for _, first, second in rules for need in (first, second) if need >= 0}
        hits: dict[int, list[int]] = {index: [] for need in wanted for index in texts[need]}
        for index, start, _ in found if hits else ():
            if index in hits:
                hits[index].append(start)
        for index, start, _ in wide if hits else ():
            if index + self._plain in hits:
                hits[index + self._plain].append(start)
        places = {need: sorted(at for index in texts[need] for at in hits[index]) for need in wanted}
        out: list[tuple[int, int, int]] = []
        for rule, first, second in rules:
            if second < 0:
                self._near(rule, places[first], None, flat, out)
            else:
                rarer, other = sorted((places[first], places[second]), key=len)
                self._near(rule, rarer, other, flat, out)
        return out

    def _near(
        self, rule: int, rarer: list[int], other: list[int] | None, flat: bytes, out: list[tuple[int, int, int]]
    ) -> None:
        """Add to `out` the stretches around the places of the rarer need that hold the rule's others as well."""
        reach, further = self._reach, self._reach + _ROW
        done = -1
        for place in rarer:
            if place <= done:
                continue
            if other is not None:
                near = bisect_left(other, place - reach)
                if near == len(other) or other[near] > place + further:
                    continue
            done = place + _ROW
            low, high = max(place - reach, 0), place + further
            for need in self._others[rule]:
                for text in need:
                    if flat.find(text, low, high + 2) >= 0:
                        break
                else:
                    break
            else:
                out.append((rule, low, min(high, len(flat) - 2)))


def _sign(pattern: str) -> str:
    """The `<` or `[` that `pattern` begins with, or an empty text."""
    if pattern.startswith("\\[") and pattern[2:3] not in ("?", "*", "{"):
        return "["
    return "<" if pattern.startswith("<") and pattern[1:2] not in ("?", "*", "{") else ""
