"""What every match of a rule's pattern must hold: sets of literal texts, read off the pattern.

They let a scan for words decide where a rule is worth trying (needles.py). Texts are those of the flat form of a
text: every character but ASCII letters and digits is a blank there, so a text that begins or ends with a blank
begins or ends at the edge of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from firewall.values import NamedTuple

Need = frozenset[str]
"""Of these texts one stands in every match."""

_EDGE = "\x00"  # the edge of a word: a blank, unless one stands there already
_MOST = 32  # texts that one alternation may spell out before its parts are taken one by one
# How often words stand in 100,000 characters of English prose and manuals, roughly; all others seldom do.
_OFTEN = {
    word: often
    for often, words in {
        400: "the to a you r",
        200: "and s is in of no that this it for de",
        80: "with not if on are when an be as use from we by will have",
        50: "text has your all been which i data line file command",
        30: "at was do commit want only there now commands code first other files mode start version end",
        20: "what like name up e into new before word any these then message lines write user output add type about "
        "did without tool order another next each model last how character run just system need because instead they "
        "read list its re were give request test update every call return",
        10: "10 delete shell since prompt string http customer learned different plugin don take would human history "
        "should open updated words session show function over put d api content their insert include existing copy "
        "always must input context state let top process following previous whole never environment email select "
        "point notice information source original part given prefix actual",
    }.items()
    for word in words.split()
}


class Part(NamedTuple):
    """What a part of a pattern matches: one of the texts `exact`, or who knows what that holds `needs`.

    `head` and `tail` are edges of words that any match begins and ends with, if it is not empty.
    """

    exact: Need | None
    needs: tuple[Need, ...]
    head: str = ""
    tail: str = ""


_ANYTHING = Part(None, ())


def needs_of(pattern: str) -> tuple[Need, ...]:
    """The needs of `pattern`, a rule's after `injection.expand`, the rarest first. ValueError if none is known."""
    part, end = _alternatives(pattern, 0)
    if end != len(pattern):
        raise ValueError(f"unbalanced pattern at {end}: {pattern}")
    found = dict.fromkeys(map(_shortest, _all_needs(part)))
    good = sorted((need for need in found if all(map(str.strip, need))), key=cost)
    if not good:
        raise ValueError(f"nothing that every match must hold: {pattern}")
    return tuple(good)


def branches(pattern: str) -> list[str]:
    """The outermost alternatives of `pattern`."""
    start = 0
    out = []
    for at, char, depth in _signs(pattern, 0):
        if char == "|" and not depth:
            out.append(pattern[start:at])
            start = at + 1
    return [*out, pattern[start:]]


def _signs(pattern: str, at: int) -> Iterator[tuple[int, str, int]]:
    """Each parenthesis and bar of `pattern` from `at` on but what is escaped or in a class: its place, itself, and how
    many groups are open behind it."""
    depth = 0
    for match in _SIGN.finditer(pattern, at):
        char = match.group()
        if len(char) == 1:
            depth += (char == "(") - (char == ")")
            yield match.start(), char, depth


_SIGN = re.compile(r"(?s)\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[(|)]")


def cost(need: AbstractSet[str]) -> float:
    """How often one of these texts stands in prose, roughly."""
    return sum(_weight(text) for text in need)


def _weight(text: str) -> float:
    word = text.strip()
    if word in _OFTEN:
        return float(_OFTEN[word])
    whole = (text[0] == " ") + (text[-1] == " ")
    return 0.5 + 40.0 * 0.4 ** (len(word) + 2 * whole) if word.isascii() else 0.1


@lru_cache(maxsize=4096)
def _shortest(need: Need) -> Need:
    """`need` with its edges as blanks, without the texts that hold another of its texts."""
    texts = {_settled(text) for text in need}
    return frozenset(text for text in texts if not any(other != text and other in text for other in texts))


def _settled(text: str) -> str:
    """A text as it stands in the flat form; of one in another script, which has none, its longest run."""
    if _EDGE in text:
        text = re.sub(r"\x00*( +)\x00*|\x00+", lambda m: m.group(1) or " ", text)
    return text if text.isascii() else max((run for run in text.split() if not run.isascii()), key=len)


def _all_needs(part: Part) -> tuple[Need, ...]:
    if part.exact is None:
        return part.needs
    return (*part.needs, part.exact)


def _alternatives(pattern: str, at: int, *, left: bool = False, right: bool = False) -> tuple[Part, int]:
    """The part from `at` to the end of its group, and where that is. `left` and `right`: it stands at a word's edge."""
    found = []
    while True:
        branch, at = _sequence(pattern, at, left=left, right=right)
        found.append(branch)
        if at >= len(pattern) or pattern[at] == ")":
            break
        at += 1
    if len(found) == 1:
        return found[0], at
    if all(branch.exact is not None for branch in found):
        exact = frozenset(text for branch in found for text in branch.exact or ())
        if len(exact) <= 4 * _MOST:
            return Part(exact, ()), at
    head = _EDGE if all(_begins(branch) for branch in found) else ""
    tail = _EDGE if all(_ends(branch) for branch in found) else ""
    held: Need = frozenset()
    for branch in found:
        needs = [need for need in map(_shortest, _all_needs(branch)) if all(map(str.strip, need))]
        if not needs:
            return Part(None, (), head, tail), at
        held |= min(needs, key=cost)
    return Part(None, (frozenset(held),), head, tail), at


@lru_cache(maxsize=4096)
def _group(inside: str, left: bool, right: bool) -> Part:
    """The part that a group with `inside` is; the rules share their lists of words."""
    return _alternatives(inside, 0, left=left, right=right)[0]


_WORD = re.compile(r"[a-z0-9]+(?![*+?{])").match


def _begins(part: Part) -> bool:
    return bool(part.head) if part.exact is None else all(t[:1] in (" ", _EDGE) and t for t in part.exact)


def _ends(part: Part) -> bool:
    return bool(part.tail) if part.exact is None else _edged(part.exact)


def _sequence(pattern: str, at: int, *, left: bool, right: bool) -> tuple[Part, int]:
    exact: Need = frozenset((_EDGE if left else "",))
    needs: list[Need] = []
    head: str | None = None  # of the sequence, once it is more than `exact`
    while at < len(pattern) and pattern[at] not in "|)":
        word = _WORD(pattern, at) if len(exact) <= _MOST else None
        if word:  # its letters in one, which is what they come to one by one
            exact = frozenset(text + word.group() for text in exact)
            at = word.end()
            continue
        edged = _edged(exact)
        part, least, at = _repeated(pattern, at, left=edged)
        if part.exact is not None and least and len(part.exact) * len(exact) <= _MOST:
            exact = frozenset(a + b for a in exact for b in part.exact)
            continue
        before = frozenset(text + (_EDGE if least and _begins(part) else "") for text in exact)
        if head is None:
            head = _EDGE if all(text[:1] in (" ", _EDGE) and text for text in before) else ""
        needs.append(before)
        if part.exact is not None and least:
            exact = part.exact
            continue
        needs += part.needs if least else ()
        exact = frozenset((_EDGE if (least or edged) and _ends(part) else "",))
    if right:
        exact = frozenset(text + _EDGE for text in exact)
    if head is None:
        return Part(exact, tuple(needs)), at
    return Part(None, (*needs, exact), head, _EDGE if _edged(exact) else ""), at


def _edged(exact: Need) -> bool:
    """Do all these texts end at the edge of a word?"""
    return all(text[-1:] in (" ", _EDGE) and text for text in exact)


def _repeated(pattern: str, at: int, *, left: bool) -> tuple[Part, int, int]:
    """One part, how often it must stand there (0 or 1), and where the next one begins."""
    part, at = _one(pattern, at, left=left)
    least, once = 1, True
    while at < len(pattern) and pattern[at] in "*+?{":
        sign = pattern[at]
        if sign == "{":
            close = pattern.index("}", at)
            low, _, high = pattern[at + 1 : close].partition(",")
            least = min(int(low), 1)
            once = once and high == "1" and bool(high)
            at = close
        elif sign == "?":  # behind another repeat it makes that lazy
            least = 0 if once and least else least
        else:
            least, once = (0 if sign == "*" else 1), False
        at += 1
    if once and least == 0 and part.exact is not None:
        return Part(part.exact | {""}, ()), 1, at
    if not once and part.exact is not None:
        edges = (_EDGE if _begins(part) else "", _EDGE if _ends(part) else "")
        return Part(None, (part.exact,) if least else (), *edges), least, at
    return part, least, at


def _one(pattern: str, at: int, *, left: bool) -> tuple[Part, int]:
    char = pattern[at]
    if char == "(":
        first = at + 3 if pattern.startswith("(?:", at) else at + 1
        behind = _group_end(pattern, at)
        right = pattern.startswith(("[^a-z0-9", "\\s", "\\b"), behind)
        left = left and pattern[behind : behind + 1] not in ("*", "+", "{")
        return _group(pattern[first : behind - 1], left, right), behind
    if char == "[":
        end = _class_end(pattern, at)
        inside = pattern[at + 1 : end]
        if inside.startswith("^a-z0-9"):  # nothing of a word
            return Part(None, (), _EDGE, _EDGE), end + 1
        if inside.isalnum() and len(inside) <= 4:
            return Part(frozenset(inside), ()), end + 1
        return _ANYTHING, end + 1
    if char == "\\":
        char = pattern[at + 1]
        if char == "b":
            return Part(frozenset((_EDGE,)), ()), at + 2
        if char == "s":
            return Part(None, (), _EDGE, _EDGE), at + 2
        return (_ANYTHING if char.isalnum() else _literal(char)), at + 2
    if char in "^$":
        return Part(frozenset((_EDGE,)), ()), at + 1
    return (_ANYTHING if char == "." else _literal(char)), at + 1


def _literal(char: str) -> Part:
    return Part(frozenset((char if char.isalnum() else " ",)), ())


def _group_end(pattern: str, at: int) -> int:
    """Behind the parenthesis that closes the one at `at`. ValueError if none does."""
    for place, _, depth in _signs(pattern, at):
        if not depth:
            return place + 1
    raise ValueError(f"unbalanced pattern at {at}: {pattern}")


def _class_end(pattern: str, at: int) -> int:
    """Where the bracket stands that closes the class that opens at `at`."""
    end = at + 1
    if pattern[end] == "^":
        end += 1
    if pattern[end] == "]":
        end += 1
    while pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end
