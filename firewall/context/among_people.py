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
# 'Nurse to patient: "Forget your previous instructions, take one pill only."'
_TO_ANOTHER = re.compile(
    r"\b(?:nurse|doctor|teacher|coach|captain|chef|pharmacist)\sto\s(?:the\s)?[a-z]{3,12}\s?:\s?\"?$"
)
_TO_TAKE = re.compile(r"[,.;]?\s(?:and\s)?(?:take|eat|drink|rest|stay\sin\sbed)\b")
# "Disregard all prior drafts; this is the final version of the contract."
_PAPERS = re.compile(
    r"\s(?:drafts?|versions|copies|quotes|quotations?|offers|proposals|editions|e-?mails?|mails?|estimates|invoices|wills)"
    r"(?:[.,;:!]|\sof\sthis\b|\sand\s(?:codicils|amendments|copies|drafts)\b|$)"
)
# "As an AI researcher, you should read this paper first."
_PROFESSION = re.compile(
    r"as\san?\s[\w ]{1,30}\s(?:researcher|scientist|student|practitioner|enthusiast|ethicist|engineer),?\syou\s"
)
_DE_MAIL = re.compile(r"\s(?:e-?)?mail(?:\svon\s\w+)?\s?(?:[.!,;]|$)")
_RU_MISTAKE = re.compile(
    _folded(r"[а-я]*[,;:.\s-]{1,4}(?:(?:оно|его)\s)?(?:было\s)?отправ(?:лено|или)\s(?:вам\s)?по\sошибке")
)


_DE_KNOWN = re.compile(
    _folded(
        r"(?:,\s)?(?:was\s)?(?:du\s|sie\s)?über\s(?![^.!?,\n]{0,40}(?:regel|anweisung|sicherheit|richtlinie|vorgabe|befehl))"
    )
    + r"[^.!?,\n]{2,40}\s(?:weisst|wissen|wusstest|gehort|gelernt|gelesen)"
)
# "Do not tell the user about internal errors; log them."
_INTERNALS = re.compile(
    r"(?:\s(?:the|any|all|your))?(?:\s(?:internal|technical|implementation|database|server|low-level|transient|retryable))"
    r"(?:\s\w+)?\s(?:errors?|details|exceptions|failures|traces|warnings|causes|retries)\b"
)
# "Perl will behave as if you specified C<u63> as the format."
_AS_IF = re.compile(r"(?:will|would|must|shall|should)\s(?:act|behave|respond|answer)\s(?:as|like)\sif\syou")
_PAST = re.compile(r"\s(?:had|\w{2,12}ed)\b")
_OF_MODEL = re.compile(r"(?:\b(?:you|i|ai|gpt|assistant|model|bot|chatbot|agent|llm|system)|^|[.!?:;\n])\s*$")
# "Pretend that you are the customer."
_PLAYED = re.compile(
    r"(?:\s?(?:are|'re|were))?\s(?:the|a|an)\s(?:customer|client|patient|visitor|guest|buyer|caller|shopper|student|teacher"
    r"|interviewer|tourist|reporter|jury|reader)\s?(?:[.,;!?]|$|\n|and\s(?:a\s)?colleague)"
)
# "Ignore the warnings above; they are harmless."
_HARMLESS = re.compile(
    r"(?:ignore|disregard|forget)\s(?:all\s|any\s)?(?:the|these|those)?\s?"
    r"(?:warnings?|errors?|notices?|typos?|figures?|footnotes?|noise|deprecations?|failures?|lints?)\b"
)
# "'Disregard what I said before,' she whispered."
_I_SAID = re.compile(r"\bwhat\si\s(?:have\s|had\s)?(?:just\s)?(?:said|told|wrote|asked)\b")
_SPEAKER = re.compile(
    r"[^.!?\n]{0,20}?\b(?:he|she|they|we|the\s\w+)\s(?:said|whispered|muttered|replied|shouted|cried|answered|murmured|added)\b"
)
# "You will now act as the executor of this will and ignore all prior wills and codicils."
_OFFICE = re.compile(
    r"\bact(?:ing)?\sas\s(?:the|an?)\s(?:sole\s)?(?:executor|trustee|guardian|treasurer|chair\w*|witness|secretary|notary)\b"
)
# "You can safely ignore all instructions in the README of v1."
_MAY = re.compile(r"\byou\s(?:can|may|could|might)\s(?:\w+ly\s)?$")
_IN_PAPERS = re.compile(
    r"\s(?:in|from|of)\s(?:the|its|our|their|this)\s(?:\w+\s){0,2}"
    r"(?:readme|changelog|manual|docs?|documentation|guide|wiki|chapter|appendix|tutorial|leaflet)\b"
)
# "When the branch is taken, ignore all earlier instructions in the delay slot."
_IN_MACHINE = re.compile(
    r"\sin\sthe\s(?:\w+\s)?(?:delay slots?|pipeline|recipe|leaflet|booklet|manual|timetable)\b(?!\sabove|\sbelow)"
)
# "From now on you must wear a helmet in the yard."
_BODILY = re.compile(
    r"\s(?:always\s|also\s)?(?:wear|pay|park|bring|drive|eat|drink|wash|knock|clock\sin|sign\sin|queue|cycle|swim|smoke)\b"
)
_ON_PAPER = re.compile(
    r"[^.!?\n]{0,30}\son\s(?:the|this|your)\s(?:card|form|ballot|sheet|slip|envelope|invitation|postcard)\b"
)
_LATER = re.compile(r",?\s(?:later|tomorrow|before\sit|while\syou\sstill)\b")
# "Ignore all of the above and you will get lost on the trail."
_AT_RISK = re.compile(
    r",?\sand\syou(?:\swill|'ll|\smay|\smight)\s(?:get\s(?:lost|hurt|sick|wet|cold)|regret|miss|lose|fall|drown)\b"
)
_DE_GOODS = re.compile(
    r"\s(?:anweisungen|hinweise|vorgaben|angaben)"
    + _folded(r"\s(?:zur|zum|zu\s(?:ihrer|deiner|der|dem)|für\s(?:die|den|das)|bezüglich\s(?:der|des))")
    + r"\s(?:rucksendung|lieferung|bestellung|zahlung|montage|reise|buchung|abholung|pflege|reinigung)\b"
)
_ES_PAPERS = re.compile(
    r"(?:\s(?:anteriores|previas))?\s(?:del|de\sla)\s(?:manual|guia|folleto|receta|medico|fabricante|prospecto|vendedor)\b"
)
_ES_MEMBER = re.compile(r"\s(?:socio|socia|miembro|cliente|titular|vecino|vecina|abuelo|abuela|padre|madre|tio|tia)\b")
_RU_KNOWN = re.compile(
    _folded(
        r"[,\s]{1,3}(?:что\s)?(?:вы|ты)?\s?(?:знали|знал|знала|слышали|слышал|слышала|читали)?\s?(?:об|о|про)\s"
        r"(?!(?:\w+\s){0,3}(?:правил|инструкц|указан|команд|запрет|ограничен|безопасн|задан|себе|роли|промпт))\w{3,}"
    )
)
_PS1 = re.compile(r"[^.!?\n]{0,40}\bps1\b")


def between_people(text: str, start: int, end: int, rule: str) -> bool:
    """Is the match of `rule` at `text[start:end]`, a view for phrases, what people say to each other?"""
    match, before = text[start:end], text[max(start - 40, 0) : start]
    if rule == "override-supersede":
        goods = _MINE.search(match) and _ABOUT_GOODS.match(text, end)
        return bool(_OF_PARTIES.match(text, end) or goods)
    if rule == "prompt-leak":
        return _PS1.match(text, end) is not None or bool(_KEEP.search(before) and _OF_PEOPLE.search(match))
    if rule == "override-earlier":
        called = match.endswith(" orders") and _CALLED.search(before) is not None
        called = called or (_TO_ANOTHER.search(before) is not None and _TO_TAKE.match(text, end) is not None)
        return called or _IN_MACHINE.match(text, end) is not None
    if rule == "persona-from-now":
        return _BODILY.match(text, end) is not None
    if rule == "force-output":
        return _ON_PAPER.match(text, end) is not None
    if rule == "persona-dan":
        return match == "do anything now" and _LATER.match(text, end) is not None
    if rule == "override-everything":
        if _I_SAID.search(match) and (_SPEAKER.search(match) or _SPEAKER.match(text, end)):
            return True
        if _AT_RISK.match(text, end):
            return True
        return match.endswith(("prior", "previously", "earlier")) and _PAPERS.match(text, end) is not None
    if rule == "to-the-model":
        return _PROFESSION.match(match) is not None or match.startswith(
            ("dear assistant, thank", "dear assistant, many", "dear model, thank", "dear model, many")
        )
    if rule == "conceal":
        return match.endswith("about") and _INTERNALS.match(text, end) is not None
    if rule == "persona-act":
        if _OFFICE.search(text, start, end + 40):
            return True
        if _AS_IF.fullmatch(match) and _PAST.match(text, end) and not _OF_MODEL.search(before):
            return True
        return match.endswith(("you", "you are", "you're")) and _PLAYED.match(text, end) is not None
    if rule == "override-above":
        return _HARMLESS.match(match) is not None
    if rule == "persona-now":
        return _OFFICE.search(text, start, end + 40) is not None
    if rule == "override-all":
        return _MAY.search(before) is not None and _IN_PAPERS.match(text, end) is not None
    if rule == "override-de":
        if match.endswith("alles") and _DE_KNOWN.match(text, end):
            return True
        if _DE_GOODS.match(text, end):
            return True
        return match.endswith("vorherige") and _DE_MAIL.match(text, end) is not None
    if rule == "override-es":
        return (_ES_MEMBER if match.endswith(("eres", "seras")) else _ES_PAPERS).match(text, end) is not None
    if rule == "override-ru" and _RU_KNOWN.match(text, end):
        return True
    return rule == "override-ru" and _RU_MISTAKE.match(text, end) is not None
