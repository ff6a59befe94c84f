"""Has what stands for the target the form and the capitals that its place asks for? Pure.

The knowledge is that of the rule-based editor (`pipeline.inflect`): what that would not write for certain reasons is
refused from others too. Where the rules cannot tell, the answer passes.
"""

from __future__ import annotations

from firewall.text.markdown import MARKUP, OPAQUE
from latches.style.written import read_as
from pipeline.inflect.asked import unasked
from pipeline.inflect.clash import around
from pipeline.inflect.formed import misformed
from pipeline.inflect.nouns import number
from pipeline.inflect.tokens import Token, tokens
from pipeline.micropass.in_place import Word
from pipeline.micropass.window import Window


class InForm:
    """Judges what is laid where the target stands. `reason` is why the last of it was refused, or empty.

    `zones` counts the places of the target: where there is more than one, what changed around each is not told.
    """

    def __init__(self, window: Window, prose: str, zones: int) -> None:
        self._window, self._prose, self._zones = window, prose, zones
        self._named = tuple(_low(text) for text in window.task.alternatives)
        self._old: list[Token] | None = None
        self._new: list[Token] = []
        self._known: dict[tuple[int, int, int, bool], str] = {}
        self.reason = ""

    def fits(self, start: int, end: int, named: int, words: list[Word], *, opening: bool, leads: bool) -> bool:
        """May `words`, forms of alternative number `named`, stand for the target at `start` to `end`?

        `opening`: does the target open the sentence; `leads`: do the words open the answer?
        """
        if named < 0 or not words:
            return True
        key = (start, words[0].start, named, leads)
        if key not in self._known:
            self._known[key] = self._judged(start, end, named, words, opening=opening, leads=leads)
        self.reason = self._known[key] or self.reason
        return not self._known[key]

    def _judged(self, start: int, end: int, named: int, words: list[Word], *, opening: bool, leads: bool) -> str:
        surface = self._window.prose[start:end]
        given = [word.text.removesuffix("'s").removesuffix("\u2019s") for word in words]
        spelled = self._window.task.alternatives[named].split()
        if len(spelled) != len(given):
            return ""
        reason = self._capitals(surface, given, spelled, opening=opening, leads=leads)
        if reason or read_as(surface) != surface or not surface.isascii() or any(c in surface for c in MARKUP + OPAQUE):
            return reason
        if self._old is None:
            self._old, self._new = tokens(self._window.prose), tokens(self._prose)
        span, at = _span(self._old, start, end), _span(self._new, words[0].start, words[-1].start + 1)
        if span is None or at is None:
            return ""
        made = _low(" ".join(given))
        reason = misformed(self._old, *span, made, self._named, named)
        if reason:
            return reason
        said = dict(self._window.task.number).get(self._window.task.alternatives[named])
        acronym = spelled[-1].isupper() or not given[-1].isupper()  # a word in capitals is none for that
        which = {"singular": "sg", "plural": "pl"}[said] if said else number(" ".join(given) if acronym else made)
        if made not in self._named:  # those that are named as they stand are looked at with the whole answer
            reason = around(self._new, *at, which)
        return reason or ("" if self._zones > 1 else unasked(self._old, span, self._new, at, which))

    def _capitals(self, surface: str, given: list[str], spelled: list[str], *, opening: bool, leads: bool) -> str:
        high, shouted = surface[:1].isupper(), len(surface) > 1 and surface.isupper()
        title = high and not (opening or shouted or self._window.cased)
        for place, (word, plain) in enumerate(zip(given, spelled, strict=True)):
            if word.casefold() != plain.casefold():
                if plain != plain.lower():
                    continue
                plain = word.lower()
            capital = plain[:1].upper() + plain[1:]
            allowed = {capital} if title and not place else {plain, plain.lower()}
            if high or (leads and not place):
                allowed.add(capital)
            if shouted:
                allowed.add(plain.upper())
            if word not in allowed:
                return f"{word!r} has other capitals than its place asks for"
        return ""


def _low(text: str) -> str:
    return " ".join(text.lower().replace("\u2019", "'").split())


def _span(toks: list[Token], start: int, end: int) -> tuple[int, int] | None:
    """The first and the last of the tokens from `start` to `end`; None where they do not begin there."""
    inside = [n for n, token in enumerate(toks) if start <= token.start < end]
    return (inside[0], inside[-1]) if inside and toks[inside[0]].start == start else None
