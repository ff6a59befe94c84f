"""Words that mean the contrary of one another, where a list can say so. Pure.

Where no alternative is named an editor may take another word, and a word's contrary has its grammar and its neighbours:
nothing else in the sentence tells `raise` from `lower`. The list is our own and short: what it does not know, passes.
"""

from __future__ import annotations

import re
from collections import Counter

from latches.style.inflections import forms

_PAIRS = """
accelerate slow|accept reject|accept refuse|add remove|add subtract|agree refuse|ahead behind|allow deny|allow forbid|
allow prevent|allow block|always never|appear vanish|approve reject|arrive depart|arrive leave|ascend descend|
ascending descending|ask answer|attach detach|attack defend|attract repel|backward forward|begin end|begin finish|
best worst|better worse|big small|big little|bigger smaller|biggest smallest|boost cut|boost reduce|borrow lend|
bottom top|broad narrow|build destroy|buy sell|cause prevent|cheap expensive|clean dirty|close open|cold hot|
cold warm|colder hotter|colder warmer|common rare|complex simple|complicated simple|compress expand|connect separate|
contract expand|cool warm|cooler warmer|correct false|correct wrong|create delete|create destroy|create remove|
curse bless|dangerous safe|
deadly safe|fatal safe|harmful safe|toxic safe|dark light|dark bright|
day night|decrease grow|decrease increase|decrease raise|
decrease rise|deep shallow|deeper shallower|deny grant|deny permit|difficult easy|difficult simple|download upload|
drop rise|drop raise|dry wet|dynamic static|earlier later|earliest latest|early late|easier harder|easy hard|
empty fill|empty full|enable disable|enable prevent|end start|enter exit|enter leave|exclude include|expand shrink|
expand reduce|expensive cheap|export import|expose protect|expose hide|external internal|fail pass|fail succeed|
failure success|fall grow|fall rise|false true|fast slow|faster slower|fastest slowest|fat thin|few many|finish start|
first last|for against|forbid permit|forget remember|forwards backwards|freeze melt|frequent rare|front back|
gain lose|gain loss|give take|good bad|grant revoke|grow shrink|guilty innocent|harder softer|hard soft|hate love|
head tail|healthy sick|heavier lighter|heavy light|help hinder|help harm|hide show|hide reveal|high low|higher lower|
highest lowest|hinder support|hire fire|hold release|horizontal vertical|improve worsen|in out|inbound outbound|
increase cut|increase lower|increase reduce|increase shrink|increase diminish|inner outer|input output|inside outside|
install remove|join leave|keep drop|keep remove|keep discard|large little|large small|larger smaller|largest smallest|
left right|less more|light heavy|local remote|long short|longer shorter|longest shortest|loose tight|lose win|
loss profit|lower raise|lower lift|major minor|many few|max min|maximal minimal|maximize minimize|maximum minimum|
merge split|mount unmount|much little|near far|negative positive|new old|newer older|newest oldest|noisy quiet|
north south|east west|off on|offline online|oppose support|optional mandatory|optional required|permanent temporary|
permit prohibit|permit prevent|plus minus|poor rich|praise blame|present absent|present missing|private public|
prohibit allow|promote demote|prove refute|pull push|quick slow|quicker slower|quiet loud|quickly slowly|reduce raise|
reduce grow|reduce expand|reject approve|reward punish|right wrong|rise sink|rough smooth|safe risky|same different|
save lose|save waste|send receive|sharp blunt|shrink swell|similar different|simplify complicate|singular plural|
start stop|start halt|stop continue|strengthen weaken|strong weak|stronger weaker|strongest weakest|tall short|
teach learn|thick thin|thicker thinner|tighten loosen|together apart|up down|upper lower|upward downward|
upwards downwards|upstream downstream|valid broken|verbose terse|wide narrow|wider narrower|win lose|with without|
before after|above below|over under
"""
_CONTRARIES: dict[str, set[str]] = {}
for _pair in _PAIRS.replace("\n", "").split("|"):
    _one, _two = _pair.split()
    for _a, _b in ((_one, _two), (_two, _one)):
        for _form in forms(_a):
            _CONTRARIES.setdefault(_form, set()).update(forms(_b))

_NEGATED = re.compile(r"(?:un|in|im|il|ir|non-?|dis|de|mis|anti-?)(\w{3,})")
_WITHOUT = re.compile(r"(\w{3,})less")


def turned_round(ours: Counter[str], theirs: Counter[str]) -> tuple[str, str] | None:
    """(a word that went, its contrary that came), of the words of a sentence and of its answer in small letters."""
    new = theirs - ours
    for lost in ours - theirs:
        for word in new:
            if word in _CONTRARIES.get(lost, ()) or _negates(word, lost) or _negates(lost, word):
                return lost, word
    return None


def _negates(word: str, other: str) -> bool:
    """Is `word` the other with a prefix that says no, or with -less in place of -ful?"""
    negated = _NEGATED.fullmatch(word)
    if negated and (negated[1] == other or other in forms(negated[1]) or negated[1] in forms(other)):
        return True
    without = _WITHOUT.fullmatch(word)
    return without is not None and other in (without[1] + "ful", without[1])
