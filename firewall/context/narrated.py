"""Orders in prose that tells, in the third person, what an attack makes a model do. They are reported and left.

"The attacker asks the model to ignore its earlier instructions" gives no order, in any language. Three things have to
come together: the paragraph has spoken of an attack before; the order stands in the middle of a sentence, behind a
word that does not open one; and nobody is spoken to around it.
"""

from __future__ import annotations

import re

from firewall.context.views import WORDS as FOLDS


def _folded(pattern: str) -> re.Pattern[str]:
    """A pattern, folded like the view of a text that it looks at."""
    return re.compile("".join(c if c.isascii() else FOLDS[ord(c)] or "" for c in pattern).replace("\n", ""))


_ATTACK = _folded(
    r"""\b(?:attackers?|adversar(?:y|ies|ial)|malicious|hackers?|exploits?|injections?|injecting|vulnerabilit(?:y|ies)|jailbreaks?|
manipulat(?:es?|ing|ed)|angreifer\w*|bosartig\w*|manipulier\w+|eingefugt|attaquants?|malveillant\w*|injectant|atacantes?|malicios[oa]s?|
mal-?intencionad[oa]s?|inyec\w+|injec\w+|injetando|manipula\w*|attaccant[ei]|malevol[oi]|malintenzionat[oi]|iniezion[ei]|iniettando)\b|
злоумышленник|инъекци|атакующ|攻击|攻擊|恶意|惡意|注入|越狱|劫持|攻撃|悪意|インジェクション|공격|인젝션|주입|हमला|दुर्भावनापूर्ण|इंजेक्शन"""
)
_SPOKEN_TO = _folded(
    r"""\b(?:you|your|yours|please|i|me|my|du|dein\w*|dich|dir|euch|tu|toi|ton|tes|vous|votre|vos|tuo|tua|tuoi|voce|
ты|тебя|твои\w*|вы|вас|ваши\w*)\b|[你您]|あなた|君|당신|너는|आप(?:को|के|की|का)?\s|तुम"""
)
_OPENS = _folded(
    r"""\b(?:and|or|then|now|but|so|must|also|first|next|und|oder|dann|jetzt|et|ou|puis|y|o|e|ed|entao|ahora|ora|adesso|и|
или|теперь)$"""
)
_MADE = re.compile(
    r"\b(?:instruct|trick|tell|ask|caus|mak|forc|get|convinc|manipulat|command|lead)\w*\s+(?:the|an?|their|its|this|that)\s+"
    r"(?:[\w-]+\s+){0,3}(?:llm|model|ai|agent|assistant|chatbot|bot|application|plugin)\b"
)
_FAR = 400
"""Characters before an order in which its paragraph may have spoken of an attack."""
_NEAR = 60
"""Characters before an order in which nobody may be spoken to."""


def narrated(text: str, start: int, end: int) -> str:
    """Why the order at `text[start:end]` is one that an account of an attack tells of, or an empty text."""
    low = max(start - _FAR, text.rfind("\n\n", 0, start) + 1, 0)
    before = text[low:start]
    if not _ATTACK.search(before) or _SPOKEN_TO.search(before[-_NEAR:]) or _SPOKEN_TO.search(text, start, end):
        return ""
    opened = before.rfind('"')
    if opened >= 0 and before.count('"') % 2 and _ATTACK.search(before[:opened]):
        return "quoted" if '"' in text[start : end + _NEAR] and not before[opened + 1 :].strip() else ""
    words = before.rstrip()
    if not words[-1:].isalnum():
        return ""
    if _OPENS.search(words):
        sentence = max(words.rfind(stop) for stop in ".!?")
        return "told of" if _MADE.search(words, sentence + 1) else ""
    return "told of"
