"""Closed classes of English: the words whose part in a sentence can be known without a dictionary."""

from __future__ import annotations

DETERMINERS = frozenset(
    "the a an this that these those each every another either neither some any no all both many much few "
    "fewer little less more most several enough such what which whose my your his her its our their one "
    "other various certain numerous countless".split()
)
SINGULAR_ONLY = frozenset("a an each every another either neither one".split())
"""Determiners after which a head noun is singular and countable."""
TO_PLURAL = {"this": "these", "that": "those", "much": "many", "little": "few", "less": "fewer"}
TO_SINGULAR = {"these": "this", "those": "that", "many": "much", "few": "little", "fewer": "less"}
"""Determiners by number; the singular ones go with a mass noun."""
PLURAL_ONLY = frozenset("these those many few fewer several both various numerous countless".split())

BE_HAVE_DO = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't"}
BE_HAVE_DO |= {"hasn't": "haven't", "doesn't": "don't"}
TO_SINGULAR_VERB = {plural: singular for singular, plural in BE_HAVE_DO.items()}

MODALS = frozenset(
    "can could may might must shall should will would cannot can't couldn't mustn't shouldn't won't wouldn't "
    "had did didn't hadn't needn't".split()
)
"""Verbs that do not show number."""
PREPOSITIONS = frozenset(
    "about above across against along alongside amid among around at behind below beneath beside between "
    "beyond by concerning despite down during from in inside into near of off on onto out over per "
    "regarding through throughout to toward towards under underneath unlike up upon via with within "
    "without".split()
)
"""Words that take a noun phrase and cannot open a clause."""
EITHER_WAY = frozenset("after before since until till for like than as but except besides".split())
"""Prepositions that also open a clause."""
CLAUSE_OPENERS = frozenset(
    "and or nor if when whenever while whilst because although though unless whether where wherever why "
    "how once lest so yet then whereas provided".split()
)
SUBJECT_PRONOUNS = frozenset("i you he she we they it who there".split())
PRONOUNS = SUBJECT_PRONOUNS | frozenset(
    "me him her us them itself themselves himself herself something anything".split()
)
BACK_REFERENCES = frozenset("it its itself".split())
"""Pronouns that may stand for a singular noun replaced elsewhere in the sentence."""
PLURAL_BACK_REFERENCES = frozenset("they them their theirs themselves".split())

ADVERBS = frozenset(
    "also always already again ago almost alone altogether anyway away back directly early either else "
    "elsewhere even ever everywhere far fast first forever further hence here how however indeed instead "
    "just last late later long maybe meanwhile merely more mostly much never nevertheless next not now "
    "often once only otherwise out perhaps quite rarely rather really seldom sideways simply sometimes "
    "soon still then there therefore thus today together tomorrow tonight too twice usually very well "
    "yesterday yet down up".split()
)
QUESTION_WORDS = frozenset("when where why how what which who".split())
PLURAL_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve twenty thirty dozen hundred".split()
)
QUANTITIES = frozenset(
    "amount amounts bit bits deal piece pieces item items unit units kind sort type form body".split()
)
"""Nouns before `of` that choose by number what may follow: "amount of" is no "number of"."""

_NOT_ADVERBS = frozenset(
    "ally anomaly apply assembly belly bully butterfly comply costly daily deadly early elderly family "
    "fly folly friendly hourly imply italy july jelly likely lively lonely lovely monopoly monthly "
    "multiply only orderly ply quarterly rally rely reply rely sly supply tally timely ugly unlikely "
    "weekly yearly".split()
)


def is_adverb(word: str) -> bool:
    """Is the lower-case `word` an adverb, by list or by its -ly?"""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _NOT_ADVERBS)
