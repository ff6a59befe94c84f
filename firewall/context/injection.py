"""Instructions aimed at the model, found by rules on the MATCH view. Honest about what that can do:

a rule set finds the sentences it knows and their disguises; it understands nothing. So what it finds is
blocked or set aside by policy, and what it does not find still stands in an envelope (envelope.py). A story that asks
a model to play somebody, and gives no order that a rule knows, is such text: no rule tells it from other fiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from firewall.context import scan
from firewall.context.among_people import between_people
from firewall.context.narrated import narrated
from firewall.context.needles import Needles
from firewall.context.reported import negated, spoken_of, told_of
from firewall.context.templates import mentioned
from firewall.context.views import WORDS as FOLDS
from firewall.values import NamedTuple


class Order(NamedTuple):
    """Rule `rule` found an instruction at `text[start:end]` of the view's text.

    `severity` is high, medium or low; low is an instruction that prose quotes or tells of, as `how` says.
    """

    rule: str
    severity: str
    start: int
    end: int
    how: str


LONGEST = 130
"""Characters of the view that one instruction may span."""

_GAP = r"[^a-z0-9.!?]+"
_SPACES = re.compile(r"\[(?:[^\]\\]|\\.)*\]| ([*?]?)")


class Rule(NamedTuple):
    """One rule of injection.toml. `finds` is an example that it must find."""

    ident: str
    severity: str
    pattern: str
    finds: str


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """The rule set, with its patterns in RE2's own language."""
    import tomllib
    from importlib.resources import files

    data = tomllib.loads(files("firewall.context").joinpath("injection.toml").read_text("utf-8"))
    words = {name: _joined(pattern) for name, pattern in data["words"].items()}
    return tuple(
        Rule(rule["id"], rule["severity"], expand(_joined(rule["pattern"]), words), rule["finds"])
        for rule in data["rule"]
    )


def _joined(lines: str) -> str:
    return "".join(lines.split("\n"))


def expand(pattern: str, words: Mapping[str, str]) -> str:
    """A rule's pattern in RE2's own language, folded like the text it looks at."""
    for name, alternatives in words.items():
        pattern = pattern.replace("{" + name + "}", alternatives)
    pattern = pattern.replace("…", r"(?:[^.!?\n]|\n[^.!?\n])*?")  # an order does not go on in the next paragraph
    pattern = "".join(c if c.isascii() else FOLDS[ord(c)] or "" for c in pattern)
    pattern = pattern.replace("\\_", "\x00").replace("_?", "\x01").replace("_", _GAP)
    pattern = pattern.replace("\x01", f"(?:{_GAP})?").replace("\x00", "_")
    pattern = re.sub(r"<(\d+)>", lambda m: rf"(?:[a-z0-9.'-]*[a-z0-9']{_GAP}){{0,{m.group(1)}}}", pattern)
    pattern = _SPACES.sub(lambda m: m.group() if m.group()[0] == "[" else f"\\s{m.group(1) or '+'}", pattern)
    return re.sub(r"\((?!\?)", "(?:", pattern.replace("\\(", "\x00")).replace("\x00", "\\(")


_LETTERS = "spelled-out"
_SPELLED = r"\b(?:[a-z0-9][\s.\-_*|/]{1,3}){9,}[a-z0-9]\b"
_JOINED = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any)?(?:of)?(?:the|your|my|these)?(?:previous|prior|above|earlier"
    r"|other|system)?(?:instructions?|rules|prompts?|guidelines|directives|messages)|systemprompt|jailbreak|youarenow"
    r"|developermode|doanythingnow"
)
_LEET = str.maketrans("013457@$", "oieastas")
_BACKWARDS = ("erongi", "snoitcurtsni", "noitcurtsni", "tpmorp", "dragersid", "suoiverp", "tegrof", "edirrevo")
"""Words of orders written backwards; none of them stands inside a word of prose."""
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_TURNED = tuple(word.translate(_ROT13) for word in ("ignore", "instruction", "previous", "disregard", "system prompt"))
_DOT = re.compile(r"(?<=[a-z])(?:_|\.{1,3})(?=[a-z])")
NUMBERED = r"\n[ \t>]{0,20}[0-9]{1,3}[.)][ \t]"
"""Items of a numbered list, which an order may go on across."""
_HAS_DIGIT = re.compile(r"[013457@$]")


def _leet() -> str:
    """The words that orders are made of, with at least one digit for a letter."""
    digits = {"o": "0", "i": "1", "e": "3", "a": "[4@]", "s": "[5$]", "t": "7"}
    forms = []
    for word in ("ignore", "disregard", "forget", "instruct", "previous", "prompt", "bypass", "override", "system"):
        either = [f"(?:{c}|{digits[c]})" if c in digits else c for c in word]
        for place, char in enumerate(word):
            if char in digits:
                forms.append(word[:place] + digits[char] + "".join(either[place + 1 :]))
    return r"(?:" + "|".join(forms) + ")"


@lru_cache(maxsize=1)
def _needles() -> Needles:
    return Needles([rule.pattern for rule in rules()], LONGEST + 10)


def find(text: str, *, even: bool = False) -> Iterator[Order]:
    """The instructions in `text`, the text of a view for phrases, in order; disguised and reversed ones last.

    `even`: it is known already that neither ODD nor NUMBERED is in it.
    """
    regions = _needles().regions(text)
    yield from _matches(text, regions)
    if even:
        return
    odd = scan.has(ODD, text)
    if odd:
        yield from _spelled(text)
        if scan.has(_LEETED, text):
            other = text.translate(_LEET)
            for order in _matches(other, _needles().regions(other)):
                if _HAS_DIGIT.search(text, order.start, order.end):
                    yield order._replace(rule="disguised-" + order.rule)
    for name, other, backwards in _readings(text, odd):
        if name in ("dotted-", "listed-"):  # the same words at the same places
            again = [region for region in regions if text[region[1] : region[2]] != other[region[1] : region[2]]]
        else:
            again = _needles().regions(other)
        for order in _matches(other, again):
            low, high = order.start, order.end
            if backwards:
                low, high = len(text) - high, len(text) - low
            if text[low:high] != other[order.start : order.end]:
                yield order._replace(rule=name + order.rule, start=low, end=high)


def _spelled(text: str) -> Iterator[Order]:
    for match in scan.compiled(_SPELLED).finditer(text):
        if _JOINED.search(re.sub(r"[^a-z0-9]", "", match.group()).translate(_LEET)):
            yield Order(_LETTERS, "high", match.start(), match.end(), "")
    for match in scan.compiled(_GLUED).finditer(text):
        yield Order("without-blanks", "high", match.start(), match.end(), "")


_DOTTED = r"[a-z]\.{1,3}[a-z]{2,20}\.{1,3}[a-z]{2,20}\.{1,3}[a-z]|[a-z]_[a-z]{2,20}_[a-z]{2,20}_[a-z]"
_GLUED = (
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|every)?(?:of)?(?:the|your|my|these)?(?:previous|prior|above|earlier)"
    r"(?:instructions?|rules|prompts?|guidelines|directives|messages)"
)
"""An order without blanks, as `IgnoreAllPreviousInstructions` or with a stroke for each."""
_LEETED = _leet()
ODD = "|".join((_SPELLED, _LEETED, _DOTTED, _GLUED, *_BACKWARDS, *_TURNED))
"""One scan for what asks for another reading."""


def _readings(text: str, odd: bool) -> Iterator[tuple[str, str, bool]]:
    """Other ways to read `text`, each of its length, where something says that one is meant."""
    if odd and any(map(text.__contains__, _BACKWARDS)):
        yield "reversed-", text[::-1], True
        yield "reversed-", re.sub(r"[a-z]+", lambda m: m.group()[::-1], text), False
    if odd and any(map(text.__contains__, _TURNED)):
        yield "rot13-", text.translate(_ROT13), False
    if odd and scan.has(_DOTTED, text):
        yield "dotted-", _DOT.sub(lambda m: " " * (m.end() - m.start()), text), False
    if "\n" in text and scan.has(NUMBERED, text):
        yield "listed-", re.sub(NUMBERED, lambda m: "\n" + " " * (len(m.group()) - 1), text), False


WINDOW = 1000
"""Characters that are searched at once: a hostile text has a match at every word."""


def _matches(text: str, regions: list[tuple[int, int, int]]) -> Iterator[Order]:
    """The instructions in `regions` of `text`, in order; of two that overlap the one that begins first."""
    needles = _needles()
    found: list[tuple[int, int, int]] = []
    for rule, low, high in regions:
        finder = scan.compiled(needles.rules[rule])
        found += [(start, needles.owner[rule], end) for start, end in _in_region(finder, text, low, high)]
    found.sort()
    done = 0
    for start, which, end in found:
        if start >= done:
            order = _order(text, start, end, which)
            if order:
                done = end
                yield order


def _in_region(finder: Any, text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Where `finder` matches in `text[low:high]`, no further than one instruction goes."""
    at = low
    while True:
        far = min(at + WINDOW, high)
        edge = max(at - 1, 0)  # one character more, so that a word's edge is seen as what it is
        piece = text[edge:far]
        next_at = at - edge
        while True:
            match = finder.search(piece, next_at)
            if match is None:
                break
            start, end = match.span()
            fits = end - start <= LONGEST + 2 and (start >= at - edge)
            if fits:
                yield edge + start, edge + end
            next_at = max(end, start + 1) if fits else start + 1
        if far >= high:
            return
        at = max(edge + next_at, far - LONGEST - 20)


_URGES = re.compile(
    r"[.!,\"']{0,4}\s+(?:now\s|so\s|then\s|please\s)?(?:do\s(?:it|so|that|exactly that)|obey|comply)"
    r"(?:\s(?:now|anyway|at once|immediately))?\s?(?:[.!]|$|\n)"
    r"|[^.!?\n]{0,40}\b(?:and|so)\s(?:now\s)?you\s(?:must|should|shall|will|have to)"
    r"\s(?:do|obey|follow)\s(?:it|so|that|this|them)\b"
    r"|\s(?:is|are)\s(?:now\s)?your\s(?:duty|task|job|goal|role|order|mission)\b"
)


def _order(text: str, start: int, end: int, which: int) -> Order | None:
    """What match of rule `which` at `text[start:end]` is, if it is short enough to be one instruction."""
    while start < end and text[start] in ' \n\t.!?:;,"':  # a rule may begin with the end of the sentence before
        start += 1
    if end - start > LONGEST:
        return None
    known = rules()[which]
    how = told_of(text, start, end) or negated(text, start, known.ident) or spoken_of(text, start, end, known.ident)
    if not how and between_people(text, start, end, known.ident):
        how = "between people"
    how = how or narrated(text, start, end)
    if how and _URGES.match(text, end):  # told of, and then asked for
        how = ""
    if not how and known.ident == "chat-markup" and mentioned(text, start, end):
        how = "mentioned"
    return Order(known.ident, "low" if how else known.severity, start, end, how)
