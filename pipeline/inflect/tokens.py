"""Running text as tokens with offsets, markup left out, code and links as one opaque token each."""

from __future__ import annotations

import re
from typing import NamedTuple

from firewall.text.markdown import MARKUP, OPAQUE

_TOKEN = re.compile(
    rf"(?P<opaque>{OPAQUE}+)|(?P<number>\d[\w.,:/%]*\w|\d%?)|(?P<word>[^\W\d_](?:[\w]|['\u2019](?=[^\W\d_]))*)|(?P<punct>[^\s\w{MARKUP}{OPAQUE}])"
)


class Token(NamedTuple):
    """`kind` is word, number, opaque or punct; `low` the text in lower case with straight apostrophes."""

    kind: str
    text: str
    low: str
    start: int
    end: int


def tokens(prose: str) -> list[Token]:
    """The tokens of masked prose. A possessive 's is a word token of its own."""
    out: list[Token] = []
    for m in _TOKEN.finditer(prose):
        text, kind = m.group(), m.lastgroup or "punct"
        low = text.lower().replace("\u2019", "'")
        if kind == "word" and low.endswith("'s") and len(low) > 2:
            cut = m.end() - 2
            out.append(Token("word", text[:-2], low[:-2], m.start(), cut))
            out.append(Token("word", text[-2:], "'s", cut, m.end()))
        else:
            out.append(Token(kind, text, low, m.start(), m.end()))
    return out
