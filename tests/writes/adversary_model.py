"""What a person may rely on, in naive code of its own: no part of the program is used here.

A text counts as kept word by word: a paragraph that stands whole in a protected file, else as many of its words as
one paragraph has in order, or as the artifact's own file has in order. Texts of the adversary tests have no word
twice (apart from whole paragraphs), so nothing is found by chance.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

Words = tuple[str, ...]

DAY = 86_400.0
WINDOW = 7 * DAY
LONG, LONG_FLOOR, LONG_SURVIVAL = 1000, 0.85, 0.7
SMALL, SMALL_FLOOR, SMALL_SURVIVAL = 50, 0.5, 0.4

_TOKEN = re.compile(r"[\u4e00-\u9fff]。?|[^\s\u4e00-\u9fff]+")
_BLANK = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+")


def text_of(name: str, data: bytes | None) -> str:
    """What a reader sees of a file: the sources of a notebook, else the text."""
    if data is None:
        return ""
    if name.endswith(".ipynb"):
        try:
            cells = json.loads(data)["cells"]
            return "\n\n".join("".join(cell["source"]) for cell in cells)
        except (ValueError, KeyError, TypeError):
            pass
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def tokens(text: str) -> list[str]:
    """The words of a text; letters of Chinese are words."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=512)
def paragraphs(text: str) -> tuple[Words, ...]:
    """Paragraphs, list items and table rows, each by its words, without list markers."""
    out = []
    for block in _BLANK.split(text):
        piece: list[str] = []
        for line in block.split("\n"):
            item = _ITEM.match(line)
            if (item or line.lstrip().startswith("|")) and piece:
                out.append(tuple(piece))
                piece = []
            piece += tokens(line[item.end() :] if item else line)
        if piece:
            out.append(tuple(piece))
    return tuple(out)


def in_order(old: Iterable[str], new: Iterable[str]) -> int:
    """The longest common subsequence (Hunt and Szymanski)."""
    places: dict[str, list[int]] = {}
    for i, word in enumerate(new):
        places.setdefault(word, []).append(i)
    ends: list[int] = []
    for word in old:
        for i in reversed(places.get(word, [])):
            at = bisect_left(ends, i)
            if at == len(ends):
                ends.append(i)
            else:
                ends[at] = i
    return len(ends)


class Kept:
    """How much of a text is there, in words: `kept` of `words`, and `size` in its place."""

    def __init__(self, accepted: str, own: str, others: Iterable[str], taken: Sequence[Words] = ()) -> None:
        here, there = paragraphs(own), [p for text in others for p in paragraphs(text)]
        self.words = len(tokens(accepted))
        markers = self.words - sum(map(len, paragraphs(accepted)))  # of lists: layout, never lost
        whole, rest, left_here = _take(paragraphs(accepted), here)
        theirs, rest, _ = _take(rest, taken)
        found, rest, left_there = _take(rest, there)
        elsewhere = size = sum(map(len, [*found, *theirs]))
        near_here, near_there = _Index(left_here), _Index(left_there)
        stays: list[Words] = []
        apart = 0
        for words in rest:
            own_near, other = near_here.best(words), near_there.best(words)
            if other[0] > own_near[0]:
                elsewhere += other[0]
                size += min(len(words), other[1])
            else:
                stays.append(words)
                apart += own_near[0]
        together = in_order([w for p in stays for w in p], [w for p in left_here for w in p])
        self.kept = markers + sum(map(len, whole)) + elsewhere + max(apart, together)
        self.size = len(tokens(own)) + size

    def problem(self) -> str:
        """Which floor is broken, or ''."""
        if not self.words:
            return ""
        if not self.size:
            return f"nothing left of {self.words} words"
        floor, survival = (LONG_FLOOR, LONG_SURVIVAL) if self.words >= LONG else (SMALL_FLOOR, SMALL_SURVIVAL)
        if self.words < SMALL:
            return ""
        if self.size < floor * self.words:
            return f"{self.words} words are {self.size} now"
        if self.kept < survival * self.words:
            return f"of {self.words} words {self.kept} survive"
        return ""


def _take(wanted: Sequence[Words], have: Sequence[Words]) -> tuple[list[Words], list[Words], list[Words]]:
    spare = Counter(have)
    found, rest = [], []
    for words in wanted:
        if spare[words] > 0:
            spare[words] -= 1
            found.append(words)
        else:
            rest.append(words)
    return found, rest, list(spare.elements())


class _Index:
    def __init__(self, given: list[Words]) -> None:
        self.given = given
        self.places: dict[str, set[int]] = {}
        for i, words in enumerate(given):
            for word in words:
                self.places.setdefault(word, set()).add(i)

    def best(self, words: Words) -> tuple[int, int]:
        """(words in order, words in all) of the paragraph that has most of these in order."""
        near = {i for word in words for i in self.places.get(word, ())}
        if not near:
            return 0, 0
        return max((in_order(words, self.given[i]), len(self.given[i])) for i in near)


class Art:
    """One artifact as the model knows it: its name, bytes, what a person accepted last and when, its versions."""

    def __init__(self, name: str, data: bytes | None, at: float) -> None:
        self.name = name
        self.data = data
        self.accepted = text_of(name, data)
        self.at = at
        self.taken: list[Words] = []
        """Paragraphs of it that others held when a person accepted them: the person's there, and not owed here."""
        self.versions: list[bytes] = [] if data is None else [data]
        self.attempts = 0
        self.unseen = False
        self.failed: list[float] = []
        self.latched = False
        self.loss_only = name.endswith(".html")
        self._alone: tuple[str, bytes | None, bool] = ("", None, True)

    def accept(self, data: bytes | None, at: float) -> None:
        """A person made or accepted this."""
        self.accepted, self.at, self.taken = text_of(self.name, data), at, []
        self.wrote(data)

    def opened(self) -> None:
        """A person opened its latch."""
        self.latched, self.attempts, self.failed = False, 0, []

    def wrote(self, data: bytes | None) -> None:
        """This is on the disk now."""
        self.data = data
        if data is not None:
            self.versions.append(data)

    def stands_alone(self) -> bool:
        """Are the floors kept by its own file, whatever others hold? Known once for each state."""
        if self._alone[:2] != (self.accepted, self.data):
            problem = Kept(self.accepted, text_of(self.name, self.data), ()).problem()
            self._alone = (self.accepted, self.data, not problem)
        return self._alone[2]

    def expired(self, now: float) -> bool:
        """Is the accepted text so old that what is on the disk counts, from the next look on?"""
        return now - self.at > WINDOW

    def seen(self, now: float) -> None:
        """Somebody looked at it through the firewall."""
        self.unseen = False
        if self.expired(now):
            self.accepted, self.at, self.taken = text_of(self.name, self.data), now, []


def floors(arts: list[Art], now: float) -> list[str]:
    """Every accepted text that is below its floors, taken over all files."""
    texts = {id(art): text_of(art.name, art.data) for art in arts}
    out = []
    for art in arts:
        if art.loss_only:
            if art.accepted and not art.data:
                out.append(f"{art.name} is gone or empty")
            continue
        if not art.accepted or art.expired(now):
            continue
        own = texts[id(art)]
        if own == art.accepted or art.stands_alone():
            continue
        others = [text for key, text in texts.items() if key != id(art)]
        problem = Kept(art.accepted, own, others, art.taken).problem()
        if problem:
            out.append(f"{art.name}: {problem}")
    return out


def release(arts: list[Art], holder: Art) -> None:
    """A person accepts `holder` as it is or will be: text of other artifacts that it holds is its own now."""
    held = text_of(holder.name, holder.data)
    if not held:
        return
    near = _Index(paragraphs(held))
    for art in arts:
        if art is holder or not art.accepted:
            continue
        own = text_of(art.name, art.data)
        if own == art.accepted:
            continue
        _, missing, _ = _take(paragraphs(art.accepted), paragraphs(own))
        _, missing, _ = _take(missing, art.taken)
        art.taken += [words for words in missing if near.best(words)[0]]
