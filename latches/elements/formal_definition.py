"""formal_definition: a term and what it means, in one sentence that can stand alone.

Satisfied by a paragraph, in a block quote or not, that begins with the term in bold or italics (an article,
or the label "Definition", may come before it) and goes on with a colon, a dash, or is, are, means, denotes,
refers to, stands for, describes, or "is defined as", and then says `words` words or more before the
paragraph ends. The term has 1 to 6 words. A term on a line of its own, bold or not, and a meaning in the next one after
a colon and a space do as well: many dialects make a list of definitions of that.

Not a definition: bold labels that name no term (Note, Warning, Pros, Root cause, Step 2 …), a term in the
middle of a paragraph, a term with no words after it, a list item, and an order, a question or what it is
not in place of a meaning ("**Locks**: never delete them").
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, key, number, plain_words, plural

NAME = "formal_definition"
OPTIONS: Options = {"words": 8}

_BEFORE = re.compile(
    r"^(?:(?:formal )?definition(?: \d+(?:\.\d+)*)?\s*[:.(]?\s*)?(?:(?:a|an|the|by|formally,?)\s+)?$",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^\s*(?:\([^)]{1,60}\)\s*)?(?:[:\u2014\u2013]|-\s|is\b|are\b|means?\b|denotes?\b|refers? to\b|stands? for\b|"
    r"describes?\b|,? ?defined as\b)\s*"
)
_NO_TERMS = re.compile(
    r"^(?:note|tip|hint|info|important|warning|caution|danger|attention|remember|(?:key )?takeaways?|key points?|"
    r"pros?|cons?|advantages?|disadvantages?|benefits?|drawbacks?|strengths?|weaknesses|risks?|example|examples|"
    r"summary|conclusion|(?:root |underlying )?causes?|safeguards?|timeline|steps?(?: \d+)?|q|a|question|answer|"
    r"result|results|problem|solution|fix|impact|action items?|rule of thumb|todo|in short|bottom line|"
    r"(?:figure|table|listing|section|chapter|day|week|phase) \d+.*)$"
)
_LISTED = re.compile(r":[ \t]")
"""The mark of a meaning under its term: what many dialects of Markdown make a list of definitions of."""
_NOTS = re.compile(
    r"^(?:not|no|never|neither|nothing|nobody)\b(?!.*\b(?:but|rather|instead)\b)", re.IGNORECASE | re.DOTALL
)
"""A meaning that says only what a thing is not."""
_ORDER = re.compile(
    r"^(?:never|always|do|don't|do not|please|make sure|ensure|remember|use|avoid|keep|check|see|run|set|try|note)\b",
    re.IGNORECASE,
)


def _fault(node: Node, least: int) -> str | None:
    """None for a definition, "" for a paragraph that is no try at one, else what it lacks."""
    children = node.children
    if len(children) > 2 and children[1].kind == "soft_break" and _LISTED.match(children[2].plain()):
        rest = "".join(" " if c.kind.endswith("_break") else c.plain() for c in children[2:])
        return _term_fault(children[0].plain().strip(), rest, least)
    before = ""
    index = 0
    while index < len(children) and children[index].kind == "text" and len(before) < 40:
        before += str(children[index].attrs["literal"])
        index += 1
    if (
        index < len(children)
        and children[index].kind in ("strong", "emphasis")
        and key(children[index].plain())
        in (
            "definition",
            "formal definition",
        )
    ):
        index += 1
        while index < len(children) and children[index].kind == "text" and not before.strip(" :.("):
            before = str(children[index].attrs["literal"]).lstrip(" :.(\u2014\u2013-")
            index += 1
    if index >= len(children) or children[index].kind not in ("strong", "emphasis"):
        return ""
    term = children[index].plain().strip()
    if not _BEFORE.match(before) or not term or term.endswith(("?", "!")):
        return ""
    rest = "".join(" " if c.kind.endswith("_break") else c.plain() for c in children[index + 1 :])
    rest = rest.removeprefix(")")
    return _term_fault(term, rest, least)


def _term_fault(term: str, rest: str, least: int) -> str | None:
    """What a term and the `rest` of its paragraph lack of a definition, or None."""
    inside = term.endswith((":", "."))
    link = _LINK.match(rest)
    if _NO_TERMS.match(key(term)):
        return f"{term!r} is a label, not a term"
    if plain_words(term) > 6:
        return f"the term has {plain_words(term)} words; 6 is the most"
    if not inside and link is None:
        return f"after {term!r} comes neither a colon nor a verb like is or means"
    meaning = rest[link.end() :] if link else rest.lstrip()
    if plain_words(meaning) < least:
        return f"the meaning of {term!r} has {plural(plain_words(meaning), 'word')}; {least} are needed"
    if _ORDER.match(meaning):
        return f"{term!r} is followed by an order, not by what it means"
    if _NOTS.match(meaning):
        return f"{term!r} is followed by what it is not, and not by what it is"
    if meaning.rstrip().endswith("?"):
        return f"{term!r} is followed by a question, not by what it means"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        "a paragraph that begins with the term in bold, a colon (or is, means), and then "
        f"{plural(number(options, 'words'), 'word')} or more that say what it is"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("paragraph that begins with a term", "paragraphs that begin with a term")
    in_items = {id(child) for item in doc.find("item") for child in item.walk()}
    for node in doc.find("paragraph"):
        if id(node) in in_items:
            continue
        miss = _fault(node, number(options, "words"))
        if miss != "":
            tries.look(node, miss)
    return tries.detection(doc, "no paragraph begins with a term in bold")


_MEANING = "a guard that stops calls to a service after repeated failures"
PASS = (
    f"Circuit breaker\n: {_MEANING}.\n",
    f"**Circuit breaker**\n: {_MEANING}.\n",
    f"**Circuit breaker**: {_MEANING}.\n",
    f"A **circuit breaker** is {_MEANING}.\n",
    f"> **Circuit breaker** \u2014 {_MEANING}.\n",
    f"**Definition.** A **circuit breaker** is {_MEANING}.\n",
    f"**Circuit breaker:** {_MEANING}.\n",
    f"Definition: *circuit breaker* means {_MEANING}.\n",
    f"Text before.\n\nThe **circuit breaker** refers to {_MEANING}.\n\nText after.\n",
    f"**Circuit breaker** (CB) denotes {_MEANING}.\n",
    f"> [!NOTE]\n> **Circuit breaker**: {_MEANING}.\n",
)
FAIL = (
    "Circuit breaker\n: a guard.\n",
    "Note\n: a guard that stops calls to a service after repeated failures.\n",
    "",
    f"A circuit breaker is {_MEANING}.\n",
    f"**Note:** {_MEANING}.\n",
    "**Circuit breaker**: a guard.\n",
    "**Circuit breaker**\n",
    f"We say that a **circuit breaker** is {_MEANING}.\n",
    "**Circuit breaker** trips after the third failure and stays that way until somebody resets it by hand.\n",
    "**Locks**: never delete them by hand while a job is still running on the node.\n",
    f"- **Circuit breaker**: {_MEANING}.\n",
    f"```\n**Circuit breaker**: {_MEANING}.\n```\n",
    "**What is a circuit breaker?** It is a guard that stops calls to a service.\n",
    f"**Root cause:** {_MEANING}.\n",
    f"**The thing that we all have come to call breaker**: {_MEANING}.\n",
)
