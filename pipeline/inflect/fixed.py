"""Fixed phrases: a word in one is no use of that word, and another in its place breaks it. Pure."""

from __future__ import annotations

from pipeline.inflect.tokens import Token

_TEXT = """
for example|for instance|in the event of|in the event that|in other words|each other|one another|every other
other than|on the other hand|the other way|in case|in any case|as a result|as a rule|as a whole|on the whole
as a matter of fact|in fact|in order|out of order|in addition|in general|in particular|in detail|in place
take place|takes place|took place|taking place|in effect|in terms of|in turn|in time|on time|at the same time
from time to time|at times|all the time|by default|by hand|by means of|by way of|by the way|in a way
on behalf of|in front of|in favor of|in favour of|in line with|in light of|in charge of|on top of|on demand
on purpose|on average|in question|out of date|up to date|out of the box|under way|with respect to|in respect of
in regard to|with regard to|in spite of|as long as|as soon as|as well as|as far as|so far|such that|so that
kind of|sort of|at least|at most|at first|at last|at once|at all|at hand|at large|at work|at risk|no longer
no matter|make sense|makes sense|made sense|make sure|makes sure|making sure|made sure|make use of|makes use of
made use of|making use of|take care|takes care|taking care|take advantage|takes advantage|taking advantage
take effect|takes effect|take into account|takes into account|take part|takes part|keep track|keeps track
keeping track|keep in mind|bear in mind|pay attention|give rise to|gives rise to|point of view|state of the art
rule of thumb|subject to|prior to|according to|able to|about to|likely to|close to|next to|a great deal
on the fly|under the hood|in the long run|in the first place|for the most part|for sure|of course|in practice
in theory|in principle|in advance|in common|in full|in part|in short|in sum|in use|of use|for free|per se|no use
a bit|a little|at the expense of|at the end of the day|in the middle of|in the case of|in case of|in the form of
in the course of
"""
PHRASES = tuple(tuple(phrase.split()) for line in _TEXT.split("\n") for phrase in line.split("|") if phrase)
"""The words of each phrase. Our own list, of those that technical prose uses often."""
_PLACES: dict[str, list[tuple[tuple[str, ...], int]]] = {}
for _words in PHRASES:
    for _at, _word in enumerate(_words):
        _PLACES.setdefault(_word, []).append((_words, _at))


def is_fixed(toks: list[Token], first: int, last: int) -> bool:
    """Does `toks[first..last]` stand in a fixed phrase of more words?"""
    low = [t.low for t in toks]
    size = last - first + 1
    for words, place in _PLACES.get(low[first], ()):
        begin = first - place
        around = begin >= 0 and len(words) > size and begin + len(words) >= first + size
        if around and tuple(low[begin : begin + len(words)]) == words:
            return True
    return False
