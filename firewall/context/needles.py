"""Where in a text a rule of injection.toml could match, by the literal texts that each match must hold (needs.py).

One scan finds the rarest of each rule; the rule is tried only where the others stand near. So honest prose, however
varied, costs a scan and not a run of every rule.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from firewall.context.needs import Need, branches, cost, needs_of

# The flat form of a text: a blank for all but ASCII letters and digits, and one more at each end.
_FLAT = bytes(code if chr(code).isalnum() and code < 0x80 else 0x20 for code in range(256))
_SELDOM = 250.0
"""Cost up to which a rule's second need is worth scanning for."""

_TEXT = itemgetter(0)
_FEW = 2
"""Rules for which a look at the whole text costs less than gathering their places."""

_ROW = 30
"""Characters within which one place is looked at for all, or a row of the same word would cost too much."""


class Needles:
    """The needs of all rules. A rule is a pattern's outermost alternative; `owner[rule]` is that pattern's place.

    `reach` is how many characters one match may span.
    """

    def __init__(self, patterns: Sequence[str], reach: int) -> None:
        import ahocorasick_rs

        self._reach = reach
        self._block = (reach + _ROW).bit_length()  # bits of a place in its block; what is near is no further than next
        self.rules: list[str] = []
        self.owner: list[int] = []
        self._scanned: list[tuple[int, int]] = []  # by rule: its rarest need and, where it is scanned for too, another
        self._others: list[tuple[tuple[bytes, ...], ...]] = []  # and the others
        self._signs: list[str] = []  # the signs that a rule begins with
        numbers: dict[Need, int] = {}
        for index, pattern in enumerate(patterns):
            for branch in branches(pattern):
                needs = needs_of(branch)
                scanned = needs[: 1 + (len(needs) > 1 and cost(needs[1]) < _SELDOM)]
                others = sorted((need for need in needs[len(scanned) :] if all(map(str.isascii, need))), key=len)
                first, second = (*(numbers.setdefault(need, len(numbers)) for need in scanned), -1)[:2]
                self._scanned.append((first, second))
                self._others.append(tuple(tuple(t.encode() for t in sorted(need, key=len)) for need in others))
                self._signs.append(_sign(branch))
                self.rules.append(branch)
                self.owner.append(index)
        texts = list(dict.fromkeys(text for need in numbers for text in need))
        texts.sort(key=str.isascii, reverse=True)  # texts of other scripts are counted after the plain ones
        place = {text: index for index, text in enumerate(texts)}
        self._meets: list[list[int]] = [[] for _ in texts]  # by text: the needs that it meets
        for need, number in numbers.items():
            for text in need:
                self._meets[place[text]].append(number)
        firsts, seconds = [0] * len(numbers), [0] * len(numbers)  # by need: the rules, a bit each, that have it so
        self._alone = 0  # the rules that have one need only
        for rule, (first, second) in enumerate(self._scanned):
            firsts[first] |= 1 << rule
            if second < 0:
                self._alone |= 1 << rule
            else:
                seconds[second] |= 1 << rule
        self._masks = [  # by text: the rules whose first and whose other need it meets
            (_union(firsts, met), _union(seconds, met)) for met in self._meets
        ]
        self._plain = sum(map(str.isascii, texts))
        dfa = ahocorasick_rs.Implementation.DFA
        plain, wide = texts[: self._plain], texts[self._plain :]
        self._of_plain: Any = ahocorasick_rs.BytesAhoCorasick([t.encode() for t in plain], implementation=dfa)
        self._of_wide: Any = ahocorasick_rs.AhoCorasick(wide)

    def regions(self, text: str) -> list[tuple[int, int, int]]:
        """(rule, start, end) of each stretch of `text`, which has no lone surrogates, where a rule could match.

        A match of up to `reach` characters that holds what it must lies inside one.
        """
        flat = b" " + text.encode("ascii", "replace").translate(_FLAT) + b" "
        found = self._of_plain.find_matches_as_indexes(flat, overlapping=True)
        if not text.isascii():
            wide = self._of_wide.find_matches_as_indexes(text, overlapping=True)
            found += [(index + self._plain, start, end) for index, start, end in wide]
        first, other = 0, self._alone
        for index in set(map(_TEXT, found)):
            begins, goes_on = self._masks[index]
            first |= begins
            other |= goes_on
        if not first & other:
            return []
        rules = [rule for rule in _bits(first & other) if self._signs[rule] in text]
        if len(rules) > _FEW:
            close = self._close(found, len(flat))
            rules = [rule for rule in rules if close >> rule & 1]
        if len(rules) <= _FEW and len(found) * (2 * self._reach + _ROW) > len(flat):  # places are many and rules few
            rules = [rule for rule in rules if self._holds(flat, rule)]
        if not rules:
            return []
        return self._around(rules, found, flat)

    def _close(self, found: Sequence[tuple[int, int, int]], length: int) -> int:
        """The rules, a bit each, whose two needs stand so close in a text of `length` that one match may hold both."""
        blocks = (length >> self._block) + 3  # one more at each end, so that each has two neighbours
        firsts, others = [0] * blocks, [self._alone] * blocks
        for index, start, _ in found:
            begins, goes_on = self._masks[index]
            block = (start >> self._block) + 1
            firsts[block] |= begins
            others[block] |= goes_on
        close = 0
        for block in range(1, blocks - 1):
            if firsts[block]:
                close |= firsts[block] & (others[block - 1] | others[block] | others[block + 1])
        return close

    def _around(
        self, rules: Sequence[int], found: Sequence[tuple[int, int, int]], flat: bytes
    ) -> list[tuple[int, int, int]]:
        """The stretches of `regions` for `rules`."""
        places: dict[int, list[int]] = {need: [] for rule in rules for need in self._scanned[rule] if need >= 0}
        for index, start, _ in found:
            for need in self._meets[index]:
                if need in places:
                    places[need].append(start)
        for at in places.values():
            at.sort()
        out: list[tuple[int, int, int]] = []
        for rule in rules:
            first, second = self._scanned[rule]
            if second < 0:
                self._near(rule, places[first], None, flat, out)
            else:
                rarer, other = sorted((places[first], places[second]), key=len)
                self._near(rule, rarer, other, flat, out)
        return out

    def _holds(self, flat: bytes, rule: int) -> bool:
        """Does the text hold, anywhere, what the rule needs beside what was scanned for?"""
        return all(any(map(flat.__contains__, need)) for need in self._others[rule])

    def _near(
        self, rule: int, rarer: list[int], other: list[int] | None, flat: bytes, out: list[tuple[int, int, int]]
    ) -> None:
        """Add to `out` the stretches around the places of the rarer need that hold the rule's others as well."""
        reach, further = self._reach, self._reach + _ROW
        done = -1
        if len(rarer) * (reach + further) > len(flat) and not self._holds(flat, rule):
            return  # all windows are longer than the text: so that was looked at first
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


def _union(masks: Sequence[int], places: Sequence[int]) -> int:
    """All bits that are set in one of `masks` at `places`."""
    out = 0
    for place in places:
        out |= masks[place]
    return out


def _bits(mask: int) -> list[int]:
    """The places of the bits that are set, in order."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def _sign(pattern: str) -> str:
    """The signs, such as `<|` or `![`, that every match of `pattern` begins with, or an empty text."""
    match = _SIGNS.match(pattern)
    return match.group().replace("\\", "") if match else ""


_SIGNS = re.compile(r"(?:(?:\\[^\w\s\\]|[<>!#\"'`@&%=,;:~/])(?![*?{+]))+")
