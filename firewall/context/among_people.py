"""Orders that people give each other in words that models are ordered with too: in contracts, mails, wards.

Each names what is dropped or kept, and by whom, so that no order to a model reads the same.
"""

from __future__ import annotations

import re

from firewall.context.views import WORDS


def _folded(pattern: str) -> str:
    """`pattern` with its letters as the view for phrases has them."""
    return "".join(c if c.isascii() else WORDS[ord(c)] or "" for c in pattern)


# "These terms supersede all prior agreements and instructions between the parties."
_OF_PARTIES = re.compile(
    r"\s(?:made\s|given\s|exchanged\s)?(?:between|among)\s(?:the\s|both\s|all\s|such\s)?part(?:ies|ners)\b"
)
# "This email supersedes my earlier instructions about the delivery address."
_MINE = re.compile(r"\bmy\s(?:earlier|previous|prior)\sinstructions$")
_ABOUT_GOODS = re.compile(
    r"\s(?:about|on|for|regarding|concerning)\s(?:the|your|our|my)\s(?:[\w-]+\s){0,3}"
    r"(?:address|delivery|order|shipment|payment|funeral|garden|house|room|menu|trip|flight|booking|invoice|appointment)\b"
)
# "Never reveal your PIN, your password or your secret questions."
_KEEP = re.compile(r"\b(?:never|do not|don't|dont)\s(?:ever\s)?$")
_OF_PEOPLE = re.compile(
    r"\b(?:pins?|passwords?|passcodes?)\b.*\bsecret\s(?:questions?|answers?|words?|numbers?|codes?)$", re.S
)
# "Nurse: disregard the earlier orders, give 5 mg instead."
_CALLED = re.compile(
    r"(?:^|[.!?\n\"]\s*)(?:nurse|doctor|sister|captain|lieutenant|sergeant|corporal|helmsman|pilot|gunner|orderly|waiter|chef)"
    r"\s?[,:]\s(?:please\s)?$"
)
# "Disregard all prior drafts; this is the final version of the contract."
_PAPERS = re.compile(
    r"\s(?:drafts?|versions|copies|quotes|quotations?|offers|proposals|editions|e-?mails?|mails?|estimates|invoices|wills)"
    r"(?:[.,;:!]|\sof\sthis\b|$)"
)
# "As an AI researcher, you should read this paper first."
_PROFESSION = re.compile(
    r"as\san?\s[\w ]{1,30}\s(?:researcher|scientist|student|practitioner|enthusiast|ethicist|engineer),?\syou\s"
)
_DE_MAIL = re.compile(r"\s(?:e-?)?mail(?:\svon\s\w+)?\s?(?:[.!,;]|$)")
_RU_MISTAKE = re.compile(
    _folded(r"[а-я]*[,;:.\s-]{1,4}(?:(?:оно|его)\s)?(?:было\s)?отправ(?:лено|или)\s(?:вам\s)?по\sошибке")
)


def between_people(text: str, start: int, end: int, rule: str) -> bool:
    """Is the match of `rule` at `text[start:end]`, a view for phrases, what people say to each other?"""
    match, before = text[start:end], text[max(start - 40, 0) : start]
    if rule == "override-supersede":
        goods = _MINE.search(match) and _ABOUT_GOODS.match(text, end)
        return bool(_OF_PARTIES.match(text, end) or goods)
    if rule == "prompt-leak":
        return bool(_KEEP.search(before) and _OF_PEOPLE.search(match))
    if rule == "override-earlier":
        return match.endswith(" orders") and _CALLED.search(before) is not None
    if rule == "override-everything":
        return match.endswith(("prior", "previously", "earlier")) and _PAPERS.match(text, end) is not None
    if rule == "to-the-model":
        return _PROFESSION.match(match) is not None
    if rule == "override-de":
        return match.endswith("vorherige") and _DE_MAIL.match(text, end) is not None
    return rule == "override-ru" and _RU_MISTAKE.match(text, end) is not None
