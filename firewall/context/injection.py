"""Instructions aimed at the model, found by rules on the MATCH view. Honest about what that can do:

a rule set finds the sentences it knows and their disguises; it understands nothing. So what it finds is
blocked or set aside by policy, and what it does not find still stands in an envelope (envelope.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from firewall.context.views import WORDS as FOLDS


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
_SPACES = re.compile(r"\[(?:[^\]\\]|\\.)*\]| (\*?)")


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
    pattern = pattern.replace("…", "[^.!?]*?")
    pattern = "".join(c if c.isascii() else FOLDS[ord(c)] or "" for c in pattern)
    pattern = pattern.replace("\\_", "\x00").replace("_?", "\x01").replace("_", _GAP)
    pattern = pattern.replace("\x01", f"(?:{_GAP})?").replace("\x00", "_")
    pattern = re.sub(r"<(\d+)>", lambda m: rf"(?:[a-z0-9.'-]*[a-z0-9']{_GAP}){{0,{m.group(1)}}}", pattern)
    pattern = _SPACES.sub(lambda m: m.group() if m.group()[0] == "[" else f"\\s{m.group(1) or '+'}", pattern)
    return re.sub(r"\((?!\?)", "(?:", pattern.replace("\\(", "\x00")).replace("\x00", "\\(")


_LETTERS, _DIGITS = "spelled-out", "digits-for-letters"
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
_DOTTED = re.compile(r"[a-z]\.[a-z]{2,20}\.[a-z]{2,20}\.[a-z]")
_DOT = re.compile(r"(?<=[a-z])\.(?=[a-z])")
_NUMBERED = re.compile(r"\n[ \t>]{0,20}\d{1,3}[.)](?=[ \t])")
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
def compiled() -> Any:
    """All rules in one RE2 pattern, a group for each."""
    import re2

    options = re2.Options()
    options.max_mem = 128 << 20
    options.log_errors = False
    parts = [rule.pattern for rule in rules()]
    return re2.compile("|".join(f"({part})" for part in (*parts, _SPELLED, _leet())), options)


_ABOUT = re.compile(
    r"""\b(?:attack\w*|inject\w*|phrases?|strings?|jailbreak\w*|examples?|e\.g\.|such as|like|payloads?|patterns?
    |classif\w+|detect\w*|filter\w*|flag(?:s|ged)?|block(?:s|ed)?|adversar\w+|malicious|trick\w*|attempt\w*|wording|lines?
    |sentences?|contain(?:s|ed|ing)?|says?|said|reads?|words?|called|known\ as|ask(?:s|ed)?|typed?|wrote|writes?|tells?
    |told|instruct(?:s|ed|ions?)|messages?|commands?|text|comments?|requests?|term|named|section|titled|heading|chapter
    |rule|test|paper|query|queries|hid(?:es|den)?|embed\w*|beginning|variants?|famous|classic|canonical|typical)\b""",
    re.VERBOSE,
)
_TOLD = re.compile(
    r"""\b(?:tell|ask|instruct|trick|persuad|convinc|caus|get|got|tr[yi]|attempt|command|coax|forc|mak|made|told|urg|fool|want
    |lead|led|push|direct|order|allow|prompt|manipulat|steer|induc|influenc|let|mislead|hijack|dup|goad|caused)\w*\s
    (?:[\w'-]+\s){0,6}(?:to|into|that|it|them)\s(?:[\w'-]+\s){0,2}$""",
    re.VERBOSE,
)
_TELLS = re.compile(
    r"""\b(?:attackers?|adversar(?:y|ies)|users?|prompts?|payloads?|injections?|jailbreaks?|instructions?|attempts?|attacks?|texts?
    |pages?|documents?|sentences?|models?|llms?|assistants?|chatbots?|it|which|that|who|they|agents?|someone|anyone|people
    |can|could|may|might|would|not|how|why|whether|when|if|by|of|for|from)\s(?:[\w'-]+\s){0,2}$""",
    re.VERBOSE,
)
_MENTION = re.compile(r"\b(?:you|your|now|please|must|i|me|my)\b")


def find(text: str) -> Iterator[Order]:
    """The instructions in `text`, the text of a view for phrases, in order; disguised and reversed ones last."""
    digits = False
    for order in _matches(text):
        if order.rule == _DIGITS:
            digits = True
        elif order.rule != _LETTERS or _JOINED.search(
            re.sub(r"[^a-z0-9]", "", text[order.start : order.end]).translate(_LEET)
        ):
            yield order
    if digits:
        for order in _matches(text.translate(_LEET)):
            if order.rule not in (_DIGITS, _LETTERS) and _HAS_DIGIT.search(text, order.start, order.end):
                yield order._replace(rule="disguised-" + order.rule)
    for name, other, backwards in _readings(text):
        for order in _matches(other):
            if order.rule not in (_DIGITS, _LETTERS):
                low, high = order.start, order.end
                if backwards:
                    low, high = len(text) - high, len(text) - low
                yield order._replace(rule=name + order.rule, start=low, end=high)


@lru_cache(maxsize=1)
def _hints() -> Any:
    """One scan for what asks for another reading."""
    import re2

    options = re2.Options()
    options.log_errors = False
    dotted, numbered = r"[a-z]\.[a-z]{2,20}\.[a-z]{2,20}\.[a-z]", r"\n[ \t>]{0,20}[0-9]{1,3}[.)][ \t]"
    return re2.compile("|".join((*_BACKWARDS, *_TURNED, dotted, numbered)), options)


def _readings(text: str) -> Iterator[tuple[str, str, bool]]:
    """Other ways to read `text`, each of its length, where something says that one is meant."""
    if not _hints().search(text):
        return
    if any(map(text.__contains__, _BACKWARDS)):
        yield "reversed-", text[::-1], True
        yield "reversed-", re.sub(r"[a-z]+", lambda m: m.group()[::-1], text), False
    if any(map(text.__contains__, _TURNED)):
        yield "rot13-", text.translate(_ROT13), False
    if "." in text and _DOTTED.search(text):
        yield "dotted-", _DOT.sub(" ", text), False
    if "\n" in text and _NUMBERED.search(text):
        yield "listed-", _NUMBERED.sub(lambda m: "\n" + " " * (len(m.group()) - 1), text), False


WINDOW = 1000
"""Characters that are searched at once, from the first match on: a hostile text has a match at every word."""


def _matches(text: str) -> Iterator[Order]:
    finder = compiled()
    first = finder.search(text)
    if first is None:
        return
    done = first.start()
    low = max(done - 1, 0)  # one character more, so that a word's edge is seen as what it is
    while True:
        piece = text[low : low + WINDOW]
        at = done - low
        while True:
            match = finder.search(piece, at)
            if match is None:
                break
            start, end = match.span()
            order = _order(text, low + start, low + end, match.lastindex - 1)
            at = max(end, start + 1) if order else start + 1
            if order:
                yield order
        if low + WINDOW >= len(text):
            return
        done = low + max(at, WINDOW - LONGEST - 20)
        low = done - 1


def _order(text: str, start: int, end: int, which: int) -> Order | None:
    """What match of pattern `which` at `text[start:end]` is, if it is short enough to be one instruction."""
    known = rules()
    while start < end and text[start] in ' \n\t.!?:;,"':  # a rule may begin with the end of the sentence before
        start += 1
    if which >= len(known):
        return Order((_LETTERS, _DIGITS)[which - len(known)], "high", start, end, "")
    if end - start > LONGEST:
        return None
    how = told_of(text, start, end)
    return Order(known[which].ident, "low" if how else known[which].severity, start, end, how)


def told_of(text: str, start: int, end: int) -> str:
    """Why the instruction at `text[start:end]` is one that prose speaks of, or an empty text.

    Quoted, in a sentence that speaks of such things; or the infinitive of somebody else's doing ("tricks
    the model into ignoring its instructions").
    """
    far = max(start - 240, 0)
    low = max(text.rfind(".", far, start), text.rfind("\n\n", far, start), far - 1) + 1
    before = text[low:start]
    opened = max(before.rfind('"'), _single_quote(before))
    if opened >= 0:
        mark = before[opened]
        inside = before[opened + 1 :]
        closes = text.find(mark, end, end + 200)
        after = text[closes + 1 : closes + 120].split("\n\n")[0] if closes >= 0 else ""
        quoted = closes >= 0 and mark not in inside and before.count('"') % 2 == (mark == '"')
        if quoted and (_ABOUT.search(before[:opened]) or _ABOUT.search(after.split(".")[0])):
            return "quoted"
    lead = before[-100:]
    if _TOLD.search(lead) and not _MENTION.search(lead):
        return "told of"
    return ""


def _single_quote(before: str) -> int:
    """Where a single quote opens (after a blank), or -1."""
    at = before.rfind("'")
    while at > 0 and before[at - 1].isalnum():
        at = before.rfind("'", 0, at)
    return at
