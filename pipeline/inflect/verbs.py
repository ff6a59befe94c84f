"""Forms of verbs, with a table of our own for the irregular ones."""

from __future__ import annotations

import re

_IRREGULAR = """
be was been|become became become|begin began begun|bend bent bent|bind bound bound|bleed bled bled
|blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built
|burst burst burst|buy bought bought|catch caught caught|choose chose chosen|come came come
|cost cost cost|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk
|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought
|find found found|flee fled fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten
|freeze froze frozen|get got got|give gave given|go went gone|grow grew grown|hang hung hung|have had had
|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept
|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let|lie lay lain
|lose lost lost|make made made|mean meant meant|meet met met|mistake mistook mistaken
|oversee oversaw overseen|pay paid paid|put put put|read read read|rebuild rebuilt rebuilt
|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen
|seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|shine shone shone
|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk
|sit sat sat|sleep slept slept|slide slid slid|speak spoke spoken|spend spent spent|spin spun spun
|split split split|spread spread spread|spring sprang sprung|stand stood stood|steal stole stolen
|stick stuck stuck|strike struck struck|swim swam swum|swing swung swung|take took taken
|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown
|undergo underwent undergone|understand understood understood|undertake undertook undertaken
|wake woke woken|wear wore worn|win won won|wind wound wound|withdraw withdrew withdrawn
|write wrote written|overwrite overwrote overwritten|rewrite rewrote rewritten|reset reset reset
|forecast forecast forecast|broadcast broadcast broadcast
"""
PAST: dict[str, str] = {}
PARTICIPLE: dict[str, str] = {}
for _row in _IRREGULAR.replace("\n", "").split("|"):
    _base, _past, _participle = _row.split()
    PAST[_base], PARTICIPLE[_base] = _past, _participle

_DOUBLES = frozenset(
    "admit allot abet acquit bar beg begin chat chop clap clip commit compel confer control crop cut "
    "deter drag drip drop emit equip excel expel fit flag flip forbid forget fret get grab grip hit hop "
    "hug incur infer input jam jog knit knot lag lap let log map nod occur omit patrol permit pin plan "
    "plot plug pop prefer propel put quit rebut recur refer regret remit reset rub run scan scrap set "
    "shed ship shop shut sit skip slam slap slip slot snap spin split spot stem step stop strip stun "
    "submit sum swap swim tag tap thin throb tip top transfer transmit trap trim trip unplug upset wed "
    "whip win wrap zip dim jot dot fan hum mop net pad pet pit rap rid rig rip rot sag sap sin skim slim "
    "sob spur star stir strap strum tan tug vet wag".split()
)
"""Verbs that double their last letter before -ed and -ing, beside those of one short syllable."""
_SHORT = re.compile(r"(?:[^aeiou]*|[^aeiou]*qu)[aeiou][bdfgklmnprtvz]")
"""One syllable with one vowel, which ends in one consonant: it doubles, as in `digging`."""
_KEEPS_E = frozenset(
    ("dye", "singe", "canoe", "hoe", "see", "flee", "free", "agree", "foresee", "oversee", "guarantee")
)
_ING_WORDS = frozenset(
    "thing string ring king spring during bring sing swing wing sling ceiling morning evening".split()
)
_ED_WORDS = frozenset("need speed feed seed embed bed red shed wed heed weed proceed exceed succeed hundred".split())
_IN_CHE = frozenset(("cache", "ache"))


def third(base: str) -> str:
    """shows, passes, carries, has."""
    if base in ("be", "have"):
        return {"be": "is", "have": "has"}[base]
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + ("zes" if base == "quiz" else "es")
    return base + "s"


def past(base: str) -> str:
    """showed, carried, planned, made."""
    return PAST.get(base) or _add_ed(base)


def participle(base: str) -> str:
    """shown, carried, planned, made."""
    return PARTICIPLE.get(base) or _add_ed(base)


def ing(base: str) -> str:
    """showing, making, planning, lying."""
    if base in _KEEPS_E or base == "be":
        return base + "ing"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    if base in _DOUBLES or _SHORT.fullmatch(base):
        return base + base[-1] + "ing"
    return base + ("king" if base.endswith("ic") else "ing")


def _add_ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    if base in _DOUBLES or _SHORT.fullmatch(base):
        return base + base[-1] + "ed"
    return base + ("ked" if base.endswith("ic") else "ed")


def base_of_third(word: str) -> str | None:
    """show for shows, pass for passes, carry for carries; None for what is no such form."""
    if word in ("is", "has", "does", "goes"):
        return {"is": "be", "has": "have", "does": "do", "goes": "go"}[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return None
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "xes", "zzes", "oes")):
        return word[:-2] if word not in ("shoes", "hoes", "canoes") else word[:-1]
    if word.endswith("ches"):
        return word[:-1] if word[:-1] in _IN_CHE else word[:-2]
    if word in ("focuses", "biases", "gases", "buses"):
        return word[:-2]
    return word[:-1]


def irregular_base(form: str) -> str | None:
    """The verb of which `form` is an irregular past or participle, where there is but one."""
    bases = {base for base in PAST if form in (PAST[base], PARTICIPLE[base])}
    return bases.pop() if len(bases) == 1 else None


def looks_ing(word: str) -> bool:
    """Is the lower-case word an -ing form?"""
    return word.endswith("ing") and len(word) > 4 and word not in _ING_WORDS


def looks_ed(word: str) -> bool:
    """Is the lower-case word a regular past form?"""
    return word.endswith("ed") and len(word) > 3 and word not in _ED_WORDS
