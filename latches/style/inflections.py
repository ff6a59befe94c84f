"""Forms of an English word that a reader takes for the same word: plurals, tenses, participles.

Rules make more forms than English has ("leaded", "planed" beside "planned"). That is harmless: they are
looked for, never written, and a form that nobody writes finds nothing. What would do harm is a rule that
makes another word out of one, so there is none for -er, -est, -ly.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiou")

_IRREGULAR_SETS = """
analysis analyses|axis axes|basis bases|crisis crises|hypothesis hypotheses|thesis theses|
parenthesis parentheses|matrix matrices|index indexes indices|vertex vertices|appendix appendices|
criterion criteria|phenomenon phenomena|datum data|medium media|schema schemas schemata|
child children|man men|woman women|person persons people|foot feet|tooth teeth|mouse mice|
leaf leaves|life lives|knife knives|half halves|shelf shelves|self selves|proof proofs|
be is are am was were been being|have has had having|do does did done doing|go goes went gone going|
arise arises arose arisen arising|become becomes became becoming|begin begins began begun beginning|
bind binds bound binding|break breaks broke broken breaking|bring brings brought bringing|
build builds built building|buy buys bought buying|catch catches caught catching|
choose chooses chose chosen choosing|come comes came coming|cost costs costing|cut cuts cutting|
deal deals dealt dealing|dig digs dug digging|draw draws drew drawn drawing|
drive drives drove driven driving|eat eats ate eaten eating|fall falls fell fallen falling|
feed feeds fed feeding|feel feels felt feeling|fight fights fought fighting|find finds found finding|
fly flies flew flown flying|forget forgets forgot forgotten forgetting|get gets got gotten getting|
give gives gave given giving|grow grows grew grown growing|hear hears heard hearing|
hide hides hid hidden hiding|hit hits hitting|hold holds held holding|keep keeps kept keeping|
know knows knew known knowing|lay lays laid laying|lead leads led leading|leave leaves left leaving|
lend lends lent lending|let lets letting|lose loses lost losing|make makes made making|
mean means meant meaning|meet meets met meeting|pay pays paid paying|put puts putting|
read reads reading|ride rides rode ridden riding|rise rises rose risen rising|run runs ran running|
say says said saying|see sees saw seen seeing|seek seeks sought seeking|sell sells sold selling|
send sends sent sending|set sets setting|shake shakes shook shaken shaking|
shine shines shone shining|shoot shoots shot shooting|show shows showed shown showing|
shut shuts shutting|sink sinks sank sunk sinking|sit sits sat sitting|speak speaks spoke spoken speaking|
spend spends spent spending|spin spins spun spinning|split splits splitting|spread spreads spreading|
stand stands stood standing|steal steals stole stolen stealing|stick sticks stuck sticking|
strike strikes struck striking|swim swims swam swum swimming|take takes took taken taking|
teach teaches taught teaching|tell tells told telling|think thinks thought thinking|
throw throws threw thrown throwing|understand understands understood understanding|
underpin underpins underpinned underpinning|wake wakes woke woken waking|wear wears wore worn wearing|
win wins won winning|wind winds wound winding|write writes wrote written writing|
overcome overcomes overcame overcoming|undergo undergoes underwent undergone undergoing|
undertake undertakes undertook undertaken undertaking
"""
_IRREGULAR: dict[str, frozenset[str]] = {}
for _group in _IRREGULAR_SETS.replace("\n", "").split("|"):
    _forms = _group.split()
    _IRREGULAR[_forms[0]] = frozenset(_forms)

CLOSED = frozenset(
    "a an the this that these those and or but nor so yet if of in on at by for from to with into onto over "
    "under up out off as than then not no very just only also more most much many such its it he she they we "
    "you i my your our their his her can could may might must shall should will would even ever able".split()
)
"""Words of closed classes: they have no other forms, and every text is full of them."""


def forms(word: str) -> frozenset[str]:
    """All forms of `word`, itself included, in lower case. A word with other than a-z has only itself."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not (word.isascii() and word.isalpha()) or len(word) < 3 or word in CLOSED:
        return frozenset((word,))
    if word.endswith(("ous", "less")) and word != "bless":  # adjectives all; other endings hide nouns and verbs:
        return frozenset((word,))  # a table, to enable, to reply, to need, a string, a directive
    return frozenset((word, *_plural(word), *_past_and_participle(word)))


def _plural(word: str) -> tuple[str, ...]:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (word + "es",)
    if word.endswith("y") and word[-2] not in _VOWELS:
        return (word[:-1] + "ies",)
    if word.endswith("o") and word[-2] not in _VOWELS:
        return (word + "s", word + "es")
    return (word + "s",)


def _past_and_participle(word: str) -> tuple[str, ...]:
    if word.endswith("ie"):
        return (word + "d", word[:-2] + "ying")
    if word.endswith("ee"):
        return (word + "d", word + "ing")
    if word.endswith("e"):
        return (word + "d", word[:-1] + "ing")
    if word.endswith("y") and word[-2] not in _VOWELS:
        return (word[:-1] + "ied", word + "ing")
    out = [word + "ed", word + "ing"]
    if word[-1] not in "aeiouwxy" and word[-2] in _VOWELS and (word[-3] not in _VOWELS or word[-3:-1] == "ui"):
        out += [word + word[-1] + "ed", word + word[-1] + "ing"]
    if word.endswith("c"):
        out += [word + "ked", word + "king"]
    return tuple(out)
