"""Number of nouns: which a word is, and what its other form is."""

from __future__ import annotations

from pipeline.inflect.closed import PREPOSITIONS, is_adverb
from pipeline.inflect.lexicon import third_person

_IRREGULAR = dict(
    pair.split(":")
    for pair in (
        "analysis:analyses axis:axes basis:bases crisis:crises diagnosis:diagnoses hypothesis:hypotheses "
        "synthesis:syntheses thesis:theses parenthesis:parentheses emphasis:emphases child:children "
        "criterion:criteria phenomenon:phenomena foot:feet goose:geese man:men mouse:mice person:people "
        "tooth:teeth woman:women half:halves knife:knives leaf:leaves life:lives loaf:loaves shelf:shelves "
        "thief:thieves wolf:wolves self:selves matrix:matrices vertex:vertices appendix:appendices "
        "quiz:quizzes hero:heroes echo:echoes potato:potatoes tomato:tomatoes veto:vetoes bacterium:bacteria "
        "stimulus:stimuli nucleus:nuclei radius:radii index:indexes bus:buses gas:gases lens:lenses "
        "bias:biases atlas:atlases canvas:canvases alias:aliases iris:irises virus:viruses status:statuses "
        "process:processes ox:oxen datum:data"
    ).split()
)
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items() if plural != "data"}
_SINGULAR |= {"indices": "index", "movies": "movie", "cookies": "cookie", "caches": "cache", "axes": "axis"}
_SINGULAR |= {"bytes": "byte", "shoes": "shoe", "toes": "toe", "pies": "pie", "ties": "tie", "lies": "lie"}
_SINGULAR |= {"calories": "calorie", "selfies": "selfie", "headaches": "headache", "niches": "niche"}
_SINGULAR |= {
    "zombies": "zombie",
    "rookies": "rookie",
    "bookies": "bookie",
    "species": "species",
    "dies": "die",
}
_SAME = frozenset("series species means aircraft sheep deer fish offspring headquarters crossroads".split())
_PLURAL_ICS = frozenset(
    "metrics topics basics critics fabrics clinics graphics characteristics relics heuristics".split()
)
"""One form for both numbers: the number cannot be told."""
_LOOKS_PLURAL = frozenset(
    "news physics mathematics economics electronics statistics analytics logistics mechanics robotics "
    "ethics politics semantics kudos chaos cosmos bias gas bus plus lens atlas canvas alias christmas "
    "kubernetes this thus us yes always perhaps besides across towards afterwards sometimes nowadays "
    "whereas its his hers ours theirs yours as is was has does goes less unless versus alas dns https sms "
    "gps tls aws ios os nas sas rss css js has-been".split()
)
"""Words in -s that are no plural noun."""
MASS = frozenset(
    "paperwork teamwork guesswork legwork groundwork rainfall livestock luggage homework advice air "
    "attention baggage behaviour behavior bandwidth capacity code coffee compute content cooling copper "
    "data documentation downtime electricity energy equipment evidence feedback fuel furniture gear "
    "ground guidance hardware heat help information infrastructure input insight instrumentation "
    "knowledge latency light load logging luck machinery maintenance memory metadata middleware money "
    "monitoring music noise observability output oversight paper performance power pressure progress rain "
    "research safety sand security sleep smoke software sound space staff steel storage stuff telemetry "
    "throughput time traffic training transport trust uptime voltage water weather work".split()
)
"""Nouns commonly used without an article and without a plural."""
_MASS_ENDINGS = ("ness", "ship", "hood", "ism", "ware", "dom")


def number(phrase: str) -> str | None:
    """sg or pl for a noun phrase, by its last word; "?" where its form does not tell, None for no noun."""
    words = phrase.split()
    if not words:
        return None
    if len(words[-1]) > 1 and words[-1].isupper():
        return "sg"  # an acronym in -S is no plural: UPS, DNS
    if len(words[-1]) > 2 and words[-1][:-1].isupper() and words[-1].endswith("s"):
        return "pl"  # APIs
    word = words[-1].lower()
    if word in PREPOSITIONS or is_adverb(word) or (len(words) > 1 and third_person(words[0].lower()) == "verb"):
        return None
    if len(words) > 2 and words[-2].lower() in ("of", "for", "in", "to", "with", "from"):
        return number(" ".join(words[:-2]))
    if word in _SAME:
        return "?"
    if word in _SINGULAR or word in _PLURAL_ICS or word in ("people", "media"):
        return "pl"
    if word in _IRREGULAR or word in _LOOKS_PLURAL or word in MASS:
        return "sg"
    if word.endswith("ics"):
        return "?"
    if word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return "sg"
    return "pl"


def is_mass(phrase: str) -> bool:
    """Is the noun one that needs no article: water, data, traffic?"""
    words = phrase.lower().split()
    return bool(words) and (words[-1] in MASS or words[-1].endswith(_MASS_ENDINGS))


def plural(phrase: str) -> str | None:
    """The plural of a singular noun phrase, by its last word; None where it has none."""
    head, _, word = phrase.rpartition(" ")
    low = word.lower()
    if not word or low in MASS or low in _SAME or (low in _LOOKS_PLURAL and low not in _IRREGULAR):
        return None
    made = _IRREGULAR.get(low) or _plural(low)
    made = word + "s" if word.isupper() and len(word) > 1 else _like(word, made)
    return f"{head} {made}" if head else made


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("sis"):
        return word[:-2] + "es"
    return word + "s"


def is_irregular(word: str) -> bool:
    """Has the singular noun an irregular plural?"""
    return word.lower() in _IRREGULAR


def singular(phrase: str) -> str | None:
    """The singular of a plural noun phrase, by its last word; None where that is not certain."""
    head, _, word = phrase.rpartition(" ")
    low = word.lower()
    if low in _SAME or number(word) != "pl":
        return None
    if word[:-1].isupper() and word.endswith("s"):
        made = word[:-1]
    else:
        one = _SINGULAR.get(low) or _singular(low)
        if one is None:
            return None
        made = _like(word, one)
    return f"{head} {made}" if head else made


def _singular(word: str) -> str | None:
    if not word.endswith("s"):
        return None
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else None
    if word.endswith(("sses", "shes", "xes", "zzes", "tches", "nches", "rches", "uses")):
        if word.endswith("uses") and not word.endswith(("buses", "viruses", "statuses", "bonuses", "campuses")):
            return word[:-1]  # causes, uses, pauses
        return word[:-2]
    if word.endswith("ches"):
        return word[:-2]
    if word.endswith(("ves", "oes")):
        return word[:-1] if word.endswith(("aves", "eves", "ives", "oves", "rves", "lves")) else None
    return word[:-1]


def _like(model: str, word: str) -> str:
    return word[0].upper() + word[1:] if model[:1].isupper() else word
