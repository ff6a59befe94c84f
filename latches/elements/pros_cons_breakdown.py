"""pros_cons_breakdown: what speaks for a thing and what against it.

Satisfied by two labelled lists, one for and one against, of `items` items or more each. A label is a
heading, a paragraph that is bold or begins with bold words and a colon, a short paragraph that ends with a
colon, or the text of an item above a nested list; it has 6 words at most and one of the words below. The
list is the first block under its label, or comes after one paragraph. Items that are alike count once, and `none` or
`n/a` not at all. Also satisfied by a table with a
column for and a column against, each with `items` filled cells or more.

For: pros, advantages, strengths, benefits, upsides, gains, arguments for. Against: cons, disadvantages,
drawbacks, weaknesses, downsides, costs, limits, limitations, risks, trade-offs, arguments against.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from firewall.text.markdown import Document, Node
from latches.elements.base import (
    Detection,
    Options,
    Tries,
    items,
    key,
    labelled,
    number,
    own_text,
    plain_words,
    plural,
    says_nothing,
)
from latches.elements.tables import tables

NAME = "pros_cons_breakdown"
OPTIONS: Options = {"items": 2}

_FOR = re.compile(
    r"\b(?:pros?|advantages?|strengths?|benefits?|upsides?|gains?|(?:arguments?|case|reasons|points) for|in favou?r)\b"
    r"|^for$"
)
_AGAINST = re.compile(
    r"\b(?:cons?|disadvantages?|drawbacks?|weakness(?:es)?|downsides?|costs?|limits?|limitations?|risks?|"
    r"trade-?offs?|(?:arguments?|case|reasons|points) against)\b|^against$"
)


def _side(label: str) -> str:
    """ "for", "against", or empty when the label is neither or both."""
    text = key(label)
    if not text or len(text.split()) > 6:
        return ""
    pro, con = bool(_FOR.search(text)), bool(_AGAINST.search(text))
    return "" if pro == con else "for" if pro else "against"


def _first_list(body: tuple[Node, ...]) -> Node | None:
    for node in body[:2]:
        if node.kind == "list":
            return node
        if node.kind != "paragraph":
            return None
    return None


def _told(texts: Iterable[str]) -> set[str]:
    """What is said, each thing once: `none` and `x` say nothing."""
    return {key(text) for text in texts if plain_words(text) and not says_nothing(text)}


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    count = plural(number(options, "items"), "item")
    return f"a list of {count} or more under the label **Pros** and a list of {count} or more under **Cons**"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    least = number(options, "items")
    tries = Tries("label for or against", "labels for or against")
    whole: dict[str, tuple[int, int]] = {}
    told: dict[str, set[str]] = {}
    for label in labelled(doc):
        side = _side(label.label)
        if not side:
            continue
        below = _first_list(label.body)
        filled = _told(own_text(item) for item in items(below)) if below else set()
        tries.seen.append(label.node.start)
        if below is None:
            tries.also(label.node.start, f"{label.label!r} has no list under it")
        elif len(filled) < least:
            tries.also(
                label.node.start,
                f"the list under {label.label!r} has {plural(len(filled), 'item')}; {least} are needed",
            )
        elif any(filled == other for name, other in told.items() if name != side):
            tries.also(label.node.start, f"the list under {label.label!r} says what the other side says")
        else:
            told.setdefault(side, filled)
            whole.setdefault(side, (label.node.start, below.end))
    if len(whole) == 2:
        spans = sorted(whole.values())
        tries.found.append((spans[0][0], max(end for _, end in spans)))
    elif whole and not tries.misses:
        other = "against" if "for" in whole else "for"
        tries.also(next(iter(whole.values()))[0], f"there is no list of what speaks {other} it")
    _in_tables(doc, least, tries)
    return tries.detection(doc, "nothing is labelled as pros or cons")


def _in_tables(doc: Document, least: int, tries: Tries) -> None:
    for table in tables(doc):
        sides = {_side(cell): column for column, cell in enumerate(table.header) if _side(cell)}
        if len(sides) < 2:
            continue
        miss = None
        told = [_told(row[column] for row in table.rows if column < len(row)) for column in sides.values()]
        if told[0] == told[1]:
            miss = "the two columns say the same"
        for column in sides.values():
            filled = _told(row[column] for row in table.rows if column < len(row))
            if len(filled) < least:
                miss = (
                    f"the column {table.header[column]!r} has {plural(len(filled), 'filled cell')}; {least} are needed"
                )
        tries.look(table.node, miss)


PASS = (
    "**Pros**\n\n- fast\n- small\n\n**Cons**\n\n- young\n- odd\n",
    "### Advantages of push\n\n- fast\n- small\n\n### Disadvantages of push\n\n- young\n- odd\n",
    "Pros:\n\n* fast\n* small\n\nCons:\n\n* young\n* odd\n",
    "- **Pros**\n  - fast\n  - small\n- **Cons**\n  - young\n  - odd\n",
    "| Pros | Cons |\n|---|---|\n| fast | young |\n| small | odd |\n",
    "#### Strengths\n\nIt has some.\n\n1. fast\n2. small\n\n#### Weaknesses\n\n1. young\n2. odd\n",
    "**Arguments for:**\n- fast\n- small\n\n**Arguments against:**\n- young\n- odd\n",
    "> **Benefits**\n>\n> - fast\n> - small\n>\n> **Risks**\n>\n> - young\n> - odd\n",
    "## Choices\n\n**Cons:** there are two.\n\n- young\n- odd\n\n**Pros:** and here two more.\n\n- fast\n- small\n",
)
FAIL = (
    "",
    "It has pros and cons, and both are many.\n",
    "## Pros and cons\n\n- fast\n- small\n- young\n- odd\n",
    "**Pros**\n\n- fast\n- small\n",
    "**Pros**\n\n- fast\n- small\n\n**Cons**\n\n- young\n",
    "**Pros:** fast, small.\n\n**Cons:** young, odd.\n",
    "**Pros**\n\n- fast\n- small\n\n**Cons**\n\nThey are young and odd.\n",
    "**Pros of the tool that we have chosen here**\n\n- fast\n- small\n\n**Cons**\n\n- young\n- odd\n",
    "| Pros | Cons |\n|---|---|\n| fast | young |\n| small | |\n",
    "**Process**\n\n- fast\n- small\n\n**Console**\n\n- young\n- odd\n",
    "```\n**Pros**\n\n- fast\n- small\n\n**Cons**\n\n- young\n- odd\n```\n",
    "**Pros**\n\n- none\n- nothing\n\n**Cons**\n\n- none\n- n/a\n",
    "**Pros**\n\n- fast\n- small\n\n**Cons**\n\n- small\n- fast\n",
    "| Pros | Cons |\n|---|---|\n| fast | fast |\n| small | small |\n",
    "**Pros**\n\n- x\n- x\n\n**Cons**\n\n- x\n- x\n",
    "| Pros | Cons |\n|---|---|\n| fast | TBD |\n| small | - |\n",
    "**Pros**\n\n- \n- \n\n**Cons**\n\n- young\n- odd\n",
)
