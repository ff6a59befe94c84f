"""Orders that nobody gives: prose quotes them, tells of them or asks for the opposite. They are reported and left."""

from __future__ import annotations

import re

_ABOUT = re.compile(
    r"""\b(?:attack\w*|inject\w*|phrases?|strings?|jailbreak\w*|examples?|e\.g\.|such as|like|payloads?|patterns?
    |classif\w+|detect\w*|filter\w*|flag(?:s|ged)?|block(?:s|ed)?|adversar\w+|malicious|trick\w*|attempt\w*|wording|lines?
    |sentences?|contain(?:s|ed|ing)?|says?|said|reads?|words?|called|known\ as|ask(?:s|ed)?|typed?|wrote|writes?|tells?
    |told|instruct(?:s|ed|ions?)|messages?|commands?|text|comments?|requests?|term|named|section|titled|heading|chapter
    |rule|test(?:s|ed)?|evaluated|compared|paper|query|queries|hid(?:es?|den|ing)?|attackers?|insert\w*|plac(?:es?|ed|ing)|embed\w*|beginning
    |variants?|famous|classic|canonical|typical|prompts?)\b""",
    re.VERBOSE,
)
_TOLD = re.compile(
    r"""\b(?:tell|ask|instruct|trick|persuad|convinc|caus|get|got|tr[yi]|attempt|command|coax|forc|mak|made|told|urg|fool|want
    |lead|led|push|direct|order|allow|prompt|manipulat|steer|induc|influenc|let|mislead|hijack|dup|goad|caused)\w*\s
    (?:[\w'-]+\s){0,6}(?:to|into|that|it|them)\s(?:[\w'-]+\s){0,2}$""",
    re.VERBOSE,
)
# What somebody else does, or what happens if: "the key will abandon the command", "if you do not follow the rules".
_OTHERS = re.compile(
    r"\b(?!(?:you|i|ai|assistant|model|llm|chatbot|bot|gpt|and|or|must|please)\b)[a-z][\w-]*\s"
    r"(?:will|would|may|might|could|can|cannot|does|did|do)\s(?:\w+ly\s|then\s|also\s|just\s|not\s){0,2}$"
)
_IF = re.compile(
    r"\b(?:if|unless|when|whenever|because|since|once)\s(?:you|they|we|he|she|one|people|users?|someone|anyone|readers?)"
    r"\s(?:\w+ly\s)?$"
)
# What something is for: "to override the system prompt, pass --system"; "you can override it".
_PURPOSE = re.compile(
    r"(?:(?:^|[.!?:;\n,(`]\s*|\b(?:used|order|how|ways?|wish|possible|able|tr(?:y|ies|ied|ying)|attempts?|designed|intended"
    r"|easy|options?|flags?|settings?|allows?\s(?:you|users?|people)|users?|need|want)\s)to|\blets?\s(?:you|users?))"
    r"\s(?:\w+ly\s)?$"
)
_RELATIVE = re.compile(r"\b(?:that|which|who)\s(?:\w+\s(?:or|and)\s)?$")
_DOING = re.compile(r"[a-z]+ing\b")
_URGED = re.compile(r"\b(?:begin|start|stop|keep|continue|please|now|answer|response|reply)\b|[\"']$")
# The opposite of an order to drop something: "do not ignore the instructions above", "n'oubliez pas les consignes".
_NEGATED = re.compile(
    r"(?:\b(?:do not|don't|dont|never|not|no|nao|non|ne|nicht|niet|nie|cannot|can't)\s|\bn'|\u043d\u0435\s)(?:ever\s)?$"
)
_NOT_FORGOTTEN = re.compile(
    r"(?:vergiss|vergesst|vergessen sie) nicht\b|(?:oublie|oubliez|ignore|ignorez|neglige|negligez) pas\b"
)
_KEPT = re.compile(r"\b(?:not to|never|do not|don't|cannot|can't|must not|should not)\s$")
"""What stands before words that say what is to be kept: "training it not to reveal its system prompt"."""
_CAN = re.compile(r"\byou\s(?:can|may|could)\s(?:also\s)?$")
_NEGLECTS = re.compile(r"(?:do not|don't|dont|never|no longer|fail)\b")
_TERMINAL = re.compile(r"\b(?:shell|command|command-line|bash|login|password|dos|root|terminal)\W+prompts?\W*$")
# What stands behind or around an order that is none: a question, a name, a noun that reads like a verb.
_ASKS = re.compile(
    r"(?:^|[(.:;!?\n])\s*(?:does|do|did|can|could|would|will)\s"
    r"(?!(?:[\w'-]+\s){0,3}(?:you|i|we|ai|assistant|model|llm|chatbot|bot|chatgpt|gpt|please)\b)(?:[\w'-]+\s){1,4}$"
)
_QUESTION = re.compile(r"[^.!?\n]{0,80}\?")
_EXPANDED = re.compile(r"\)[\s-](?:prompts?|jailbreaks?|attacks?|personas?|style)\b")
_PROGRAM = re.compile(r"\w\((?s:.){0,100}\s=\s")  # a call and an assignment
_OF_OUTPUT = re.compile(r"\s(?:file|filename|directory|folder|path|stream|line|format|name|device|channel)s?\b")
_OF_INPUT = re.compile(r"\s(?:is|are|was|were|gets?)\s")
_GIVEN = re.compile(r"\s(?:the|an?)\s(?:specified|given|matching|named|selected|supplied|provided)\b")
_NAMED_THING = re.compile(
    r"[\"'`](?!(?:previous|prior|above|earlier|system|safety|initial|original|user|developer|content)\b)[\w-]{1,40}[\"'`]\s\w+$"
)
_TAG_IN_CODE = re.compile(r"</?[a-z_-]{1,40}>`")
_TAG = re.compile(
    r"<[a-z_-]{1,40}>\s(?:tags?|elements?|fields?|sections?|nodes?)\s(?:in|of|is|are|names?|holds?|has|sets?|within)\b"
)
_SENT = re.compile(r"\b(?:send|sends|sending|sent|posts?|writes?|forwards?|pass(?:es)?|gives?)\s(?:[\w'-]+\s){0,3}$")
# An exercise, the history of a shell, a ruling of somebody's, and what a sentence says that names its speaker last.
_COUNTED = re.compile(
    r"\s(?:the|this|each|every|a)\s\w+\s(?:aloud|out loud|twice|again and again"
    r"|(?:\d{1,2}|two|three|four|five|ten|several|a few)\s(?:more\s)?times)\b"
)
_RECORDED = re.compile(
    r"\s(?:in|from)\s(?:the\s|your\s|its\s)?(?:[\w-]+\s)?(?:history|log|logs|buffer|queue|scrollback)\b"
)
_RULING = re.compile(
    r"\b(?:polic(?:y|ies)|regulations?|directives?|circulars?|memos?|editions?|standards?|laws?|acts?|guidelines?|bulletins?"
    r"|manuals?|releases?|agreements?|contracts?|clauses?|amendments?|decrees?|resolutions?|statutes?|ordinances?|notices?|orders?)\s$"
)
_OF_SOMEBODY = re.compile(
    r"\s(?:(?:issued|given|sent|made|published)\s)?(?:of|by|from|on|for|about)\s(?!(?:[\w-]+\s){0,2}"
    r"(?:systems?|developers?|users?|operators?|ai|assistants?|models?|llm|admin\w*|you|anyone|anybody|everyone)\b)[a-z]"
)
_SAYS = re.compile(
    r"[^.!?\n,]{0,120}[\"']?,[\"']?\s(?:the|an?|its|our)\s(?!(?:[\w-]+\s){0,2}(?:system|developer|user|operator|admin\w*|owner|boss)"
    r"\s)(?:[\w-]+\s){1,3}(?:says?|said|reads?|states?|demands?|requires?|replied|insists?)[.;]"
)
# A title, a noun that reads like a verb, a condition, a name that is told, and what software has to do.
_TITLED = re.compile(r":\s(?:attacks?|attack techniques|techniques|methods|a survey|defen[cs]es)\b")
_NOUN = re.compile(r"(?:override|disregard|neglect|bypass)\sof\b")
_CONDITION = re.compile(
    r"\b(?:so that|such that|way that|if|when|whether|where|until|once|before)\s(?:the\s|an?\s|its\s)?$"
)
_NAMED_AS = re.compile(
    r"\b(?:called|named|known as|character|persona|anomenat|namens|llamado|appele|chiamato|chamado|nimelta)"
    r"\s[^.!?\n]{0,6}\($"
)
_SOFTWARE = re.compile(
    r"\b(?:servers?|clients?|receivers?|requestors?|requesters?|senders?|implementations?|hosts?|applications?|endpoints?"
    r"|services?|handlers?|gateways?|prox(?:y|ies)|librar(?:y|ies)|apis?|sdks?|providers?)\W+(?:(?:must|should|shall|may)\W+)?$"
)
_WAS_OUTPUT = re.compile(r"outputs?\s(?:was|is|were)\b")
_PART_OF_CODE = re.compile(r"(?:[\"'`][\w./:-]{1,60}[\"'`]\s|\s{4,})\w+$")  # blanks stand where code is
_YOU_GIVE = re.compile(r"\b(?:text|anything|instructions?|prompts?|what|inputs?|data|context)\syou\s$")
_LISTED = re.compile(r"lists?[*_]{0,3}:")
_NAME_ENDS = re.compile(r"\s?=|[(\[:.]\S|\(\)")
_PARAGRAPH_ENDS = re.compile(r"[\s*_]*(?:\n\s*\n|$)")
_ABBREVIATED = ("e.g.", "i.e.")
_MENTION = re.compile(r"\b(?:you|your|now|please|must|i|me|my)\b")


def negated(text: str, start: int, rule: str) -> str:
    """Why the order at `text[start:]`, found by `rule`, asks for its opposite, or an empty text."""
    if rule.startswith("override") and _NEGATED.search(text, max(start - 12, 0), start):
        return "negated"
    if rule == "prompt-leak" and _KEPT.search(text, max(start - 14, 0), start):
        return "negated"
    return "negated" if _NOT_FORGOTTEN.match(text, start) else ""


def spoken_of(text: str, start: int, end: int, rule: str) -> str:
    """Why the match of `rule` at `text[start:end]` is a question, a name or a noun and no order, or an empty text."""
    before, match = text[max(start - 100, 0) : start], text[start:end]
    if rule == "chat-markup":
        one = before.endswith(("the ", "a ", "an ", "each ")) and _TAG.match(text, start)
        return "mentioned" if one or (before.endswith("`") and _TAG_IN_CODE.match(text, start, end)) else ""
    if _SAYS.match(text, start):
        return "told of"
    if "_" in match and match.count("_") < 3 and " " not in match and _NAME_ENDS.match(text, end):
        return "a name"
    if rule == "persona-dan":
        if not before.endswith("("):
            return ""
        named = _NAMED_AS.search(before) is not None and not _MENTION.search(before)
        return "told of" if named or _EXPANDED.match(text, end) else ""
    if rule == "no-limits":
        return "told of" if before.endswith("non-") else ""
    if rule == "force-output":
        if _SOFTWARE.search(before) or _PART_OF_CODE.search(match) or _WAS_OUTPUT.match(text, start):
            return "told of"
        if match.endswith(("output", "outputs")) and _OF_OUTPUT.match(text, end):
            return "told of"
        return "told of" if match.endswith((" input", " request")) and _OF_INPUT.match(text, end) else ""
    if rule == "to-the-model":
        return "told of" if _SENT.search(before) and _PARAGRAPH_ENDS.match(text, end) else ""
    if rule.endswith("prompt-leak") and _PROGRAM.search(match):
        return "a program's"
    if rule == "prompt-leak" and match.endswith("above") and _COUNTED.match(text, end):
        return "told of"
    if rule == "prompt-leak" and (_YOU_GIVE.search(before) or _LISTED.match(text, start)):
        return "told of"
    if not rule.startswith("override"):
        return ""
    if _TITLED.match(text, end):
        return "a title"
    if _NOUN.match(text, start) or (rule == "override-void" and _CONDITION.search(before)):
        return "told of"
    if match.endswith(("command", "commands", "messages", "input", "inputs")) and _RECORDED.match(text, end):
        return "told of"
    if rule == "override-supersede" and _RULING.search(before) and _OF_SOMEBODY.match(text, end):
        return "told of"
    if match.endswith(("before", "above", "prior")) and _GIVEN.match(text, end):
        return "told of"
    if _NAMED_THING.search(match):
        return "told of"
    if match.startswith("overriding") and before.endswith((", ", ",\n")) and not _MENTION.search(before):
        return "told of"
    return "asked" if _ASKS.search(before) and _QUESTION.match(text, end) else ""


def told_of(text: str, start: int, end: int) -> str:
    """Why the instruction at `text[start:end]` is one that prose speaks of, or an empty text.

    Quoted, in a sentence that speaks of such things; or the infinitive of somebody else's doing ("tricks
    the model into ignoring its instructions").
    """
    far = max(start - 240, 0)
    low = max(_stop(text, far, start), text.rfind("\n\n", far, start), far - 1) + 1
    before = text[low:start]
    opened = max(before.rfind('"'), _single_quote(before))
    if opened >= 0:
        mark = before[opened]
        inside = before[opened + 1 :]
        closes = text.find(mark, min(start + 15, end), end + 200)  # a greedy match may go on behind the quotation
        after = text[closes + 1 : closes + 120].split("\n\n")[0] if closes >= 0 else ""
        quoted = closes >= 0 and mark not in inside and before.count('"') % 2 == (mark == '"')
        if quoted and (_ABOUT.search(before[:opened]) or _ABOUT.search(after.split(".")[0])):
            return "quoted"
    lead = before[-100:]
    if _RELATIVE.search(lead) and not _MENTION.search(lead[-30:]):
        return "told of"
    if _DOING.match(text, start) and lead[-2:-1].isalpha() and not _URGED.search(lead):
        return "told of"
    if _CAN.search(lead) and text.startswith("overrid", start):
        return "told of"
    if _OTHERS.search(lead) or _PURPOSE.search(lead) or (_IF.search(lead) and _NEGLECTS.match(text, start)):
        return "told of"
    if _TERMINAL.search(text, start, end):
        return "of a terminal"
    if _NAMES.search(lead) and _GOES_ON.match(text, end):
        return "told of"
    told = _TOLD.search(lead)
    if told and not _MENTION.search(lead, max(told.start() - _NEAR, 0)):
        return "told of"
    return ""


_NAMES = re.compile(
    r"\b(?:start(?:ing|s)?|begin(?:ning|s)?|open(?:ing|s)?|phrases?|prompts?|such as)\s(?:with\s|like\s|as\s)?[\"']?$"
)
_GOES_ON = re.compile(r"[\"']?\s(?:are|is|was|were|can|could|should|may|might|do|does|have|has)\b")
"""What "ignore previous instructions" is in "prompts starting with ignore previous instructions are dangerous"."""
_NEAR = 12
"""Characters before somebody is told something in which nobody may be spoken to."""


def _stop(text: str, far: int, start: int) -> int:
    """The last full stop of `text[far:start]` that is not an abbreviation's, or -1."""
    at = text.rfind(".", far, start)
    while at >= 3 and text[at - 3 : at + 1] in _ABBREVIATED:
        at = text.rfind(".", far, at - 2)
    return at


def _single_quote(before: str) -> int:
    """Where a single quote opens (after a blank), or -1."""
    at = before.rfind("'")
    while at > 0 and before[at - 1].isalnum():
        at = before.rfind("'", 0, at)
    return at
