# ruff: noqa: E501 (examples stand one a line)
"""root_cause_analysis: why it happened, said outright.

Satisfied by any of
  - a label with "root cause", "underlying cause", "cause", "causes", "contributing factors", "why it
    happened" or "five whys" (a heading, or a paragraph beginning with those words in bold), and under it or
    after it `words` words or more of prose or list;
  - a paragraph that says "the root cause was …" (or "is", "lay in", "turned out to be") and has `words`
    words or more;
  - a list of three items or more that each begin with "Why" and have an answer, `words` words in all.
In the first two the text names a cause with a causal word: because, caused, cause was, due to, since, led
to, so that, as a result, resulted, which meant, triggered, came from, without.

Not an analysis: a cause that is unknown, not yet found or under investigation, and a label with nothing to
say under it.
"""

from __future__ import annotations

import re

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
)

NAME = "root_cause_analysis"
OPTIONS: Options = {"words": 20}

_LABEL = re.compile(
    r"\b(?:root|underlying|contributing|proximate|primary|real|actual|deeper) (?:causes?|factors?)\b"
    r"|^(?:the )?causes?$|\bcause analysis$|^why (?:it|this|that|they|we)\b|^(?:the )?(?:five|5) whys$|^what caused\b"
)
_SAID = re.compile(
    r"\b(?:root|underlying|real|actual) cause (?:was|is|were|lay|turned|proved|came|of [^.]{1,80}? (?:was|is))\b",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    r"\b(?:because|caus(?:e|ed|es|ing)|due to|since|led to|leads to|so that|as a result|result(?:s|ed|ing)|"
    r"which meant|meaning|trigger(?:s|ed|ing)?|came from|comes from|traced to|without|therefore|why)\b",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\bcauses? (?:\w+ ){0,6}?(?:unknown|unclear|undetermined|not (?:yet )?(?:been )?(?:known|found|identified|"
    r"understood|established|clear|determined)|never (?:found|identified|established)|under investigation|"
    r"to be (?:determined|found|established)|tbd)\b|\bno (?:root )?cause (?:was|has been|could be)\b"
    r"|\b(?:do not|don['\u2019]t|cannot|can['\u2019]t|can not|(?:have|has) (?:not|never)|haven['\u2019]t|hasn['\u2019]t|will (?:most "
    r"likely |probably )?never|nobody|no one) (?:yet |really |been able to )?(?:know[ns]?|find|found|establish(?:ed)?|"
    r"determined?|identif(?:y|ied)|tell|say|explain) (?:out )?(?:(?:\w+ ){0,4}?causes?|why|what (?:caused|happened|went))\b",
    re.IGNORECASE,
)


def _fault(text: str, least: int, label: str = "") -> str | None:
    count = plain_words(text)
    if _UNKNOWN.search(label + text.lstrip()):
        return "the text says that the cause is not known"
    if count < least:
        return f"the cause is told in {plural(count, 'word')}; {least} are needed"
    if not _CAUSAL.search(text):
        return "nothing says what led to what (because, due to, led to …)"
    return None


def _whys_fault(texts: list[str], least: int) -> str | None:
    count = sum(plain_words(text) for text in texts)
    if any(plain_words(text) < 5 for text in texts):
        return "a why has no answer"
    return f"the whys have {plural(count, 'word')}; {least} are needed" if count < least else None


def _body_text(body: tuple[Node, ...]) -> str:
    return " ".join(node.plain() for node in body if node.kind not in ("code_block", "html_block", "table"))


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        "a paragraph that begins with **Root cause:** and says in "
        f"{plural(number(options, 'words'), 'word')} or more what led to what, with a word like because"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    least = number(options, "words")
    tries = Tries("passage about a cause", "passages about a cause")
    taken: set[int] = set()
    for label in labelled(doc):
        if not _LABEL.search(key(label.label)):
            continue
        text = f"{label.rest} {_body_text(label.body)}"
        end = label.body[-1].end if label.body else label.node.end
        miss = _fault(text, least, "cause ")
        taken.add(label.node.start)
        tries.look(_span(label.node.start, end), miss)
    for node in doc.find("paragraph"):
        text = node.plain()
        if node.start not in taken and _SAID.search(text):
            tries.look(node, _fault(text, least))
    for node in doc.find("list"):
        texts = [own_text(item) for item in items(node)]
        if len(texts) >= 3 and all(re.match(r"why\b", text, re.IGNORECASE) for text in texts):
            tries.look(node, _whys_fault(texts, least))
    return tries.detection(doc, "nothing speaks of a cause")


def _span(start: int, end: int) -> Node:
    return Node("span", start, end, {})


_WHY = (
    "The job had no limit on how many rows it read, so that a single large customer was enough to fill the "
    "memory and stop everything else."
)
PASS = (
    "**Root cause:** The operator did not know what the switch does, because its label was gone, and so he turned the pump off at night.\n",
    f"### Root cause\n\n{_WHY}\n",
    f"**Root cause:** {_WHY[0].lower()}{_WHY[1:]}\n",
    f"The root cause was simple. {_WHY}\n",
    f"**Cause**\n\n{_WHY}\n",
    "- Why did it stop? The disk was full.\n- Why was it full? No log was rotated.\n- Why not? The timer was off.\n",
    f"## Why it happened\n\n{_WHY}\n",
    (
        "#### Underlying causes\n\n- The lock was held too long because the write was slow and nobody had measured it.\n"
        "- Alerts were sent to a list that no one on the night shift reads.\n"
    ),
    f"## Root cause analysis\n\nFirst the facts.\n\n{_WHY}\n\n## Next\n\nText.\n",
    f"> **Root cause.** {_WHY}\n",
)
FAIL = (
    "**Root cause:** We do not know what the cause is because the logs were lost, and we will most likely never find it out at all.\n",
    "**Root cause:** Nobody knows why it fell over, because the logs were lost in the night, and we can only guess at it from here.\n",
    "**Root cause:** We have not found the cause so far, because the logs of that night were lost and the disk has been replaced.\n",
    "",
    "### Root cause\n\nA full disk.\n",
    "### Root cause\n",
    (
        "The root cause is not yet known, and so the team goes on with its search because nobody may rest before it "
        "has been found at last.\n"
    ),
    (
        "**Root cause:** unknown at this time, and we would rather wait than guess, because a guess that is wrong "
        "sends people the wrong way for days.\n"
    ),
    (
        "### Root cause\n\nThe room is large and the racks are blue. On the left is the door to the hall and on the "
        "right is the window over the yard.\n"
    ),
    f"### What happened\n\n{_WHY}\n",
    f"```\n### Root cause\n\n{_WHY}\n```\n",
    "- Why did it stop?\n- Why was it full?\n- Why not?\n",
    (
        "We talked about the root cause for a long time because everybody had another idea of what it could have "
        "been, and in the end we went home.\n"
    ),
    (
        "### Rooting for causes\n\nShe gave her time to good ends because she liked to, and she told all of her "
        "friends that they should do the same.\n"
    ),
    f"### Root cause\n\n## Next\n\n{_WHY}\n",
)
