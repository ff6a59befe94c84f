"""safeguard_bullets: what stops it from happening again.

Satisfied by one bullet list (or check list, not a numbered one) of `items` items or more of `words` words or
more each, alike ones counted once, under a label about prevention:
a heading above it with nothing but paragraphs between, or the
paragraph just before it. The label has a word that begins with safeguard, guard, prevent, protect,
mitigat, countermeasure, precaution, correct, hardening, defence, remed, or says "action items", "never
again", "from happening again", "follow-up", "what we changed", "what changed", "keep this from",
"next time", "stops it".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.text.markdown import Document, Node
from latches.elements.base import (
    Detection,
    Options,
    Tries,
    items,
    key,
    number,
    own_text,
    plain_words,
    plural,
    sequences,
)

NAME = "safeguard_bullets"
OPTIONS: Options = {"items": 3, "words": 4}

_LABEL = re.compile(
    r"\b(?:safeguard|safety net|guard|prevent|protect|mitigat|countermeasure|counter-measure|precaution|correcti|"
    r"harden|defen[cs]|remed)\w*|\baction items?\b|\bnever again\b|\bfrom happening again\b|\bfollow-?ups?\b|"
    r"\bwhat (?:we|has|have)? ?changed\b|\bkeeps? (?:this|it) from\b|"
    r"\bnext time\b|\bstops? (?:it|this)\b"
)


def _lists(doc: Document) -> Iterator[tuple[Node, list[str]]]:
    """Every list with the labels it stands under: the paragraph before it and the heading above."""
    for run in sequences(doc):
        heading = ""
        broken = True
        before: Node | None = None
        for node in run:
            if node.kind == "heading":
                heading, broken = node.plain(), False
            elif node.kind == "list":
                labels = [heading] if not broken else []
                if before is not None and before.kind == "paragraph":
                    labels.append(before.plain())
                yield node, labels
                broken = True
            elif node.kind != "paragraph":
                broken = True
            before = node


def _fault(node: Node, labels: list[str], least: int, length: int) -> str | None:
    if not any(_LABEL.search(key(label)) for label in labels):
        return "no heading or paragraph above the list says that it is about safeguards"
    if node.attrs["ordered"]:
        return "the list is numbered; safeguards are bullets, since none comes first"
    texts = [own_text(item) for item in items(node)]
    whole = {key(text) for text in texts if plain_words(text) >= length}
    if len(whole) < least:
        return f"{plural(len(whole), 'bullet')} of {length} words or more, each counted once; {least} are needed"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        f"a bullet list of {plural(number(options, 'items'), 'item')} of {number(options, 'words')} words or "
        "more, right under the heading or paragraph **Safeguards**"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("list", "lists")
    for node, labels in _lists(doc):
        tries.look(node, _fault(node, labels, number(options, "items"), number(options, "words")))
    return tries.detection(doc, "there is no list")


_THREE = "- Rotate the logs every night\n- Alert at eighty percent full\n- Keep a spare volume ready\n"
PASS = (
    f"### Safeguards\n\n{_THREE}",
    f"**Safeguards**\n\n{_THREE}",
    f"To prevent this from happening again:\n\n{_THREE}",
    f"## Preventive measures\n\nThree things were done.\n\n{_THREE}",
    (
        "### Action items\n\n- [x] Rotate the logs every night\n- [ ] Alert at eighty percent full\n"
        "- [ ] Keep a spare volume ready\n"
    ),
    f"What guards us now is short.\n\n{_THREE}",
    (
        "> **Mitigations**\n>\n> - Rotate the logs every night\n> - Alert at eighty percent full\n"
        "> - Keep a spare volume ready\n"
    ),
    (
        "### Safeguards\n\n* **Rotation**: the logs go every night\n\n* **Alert**: at eighty percent full\n\n"
        "* **Spare**: one volume is ready\n"
    ),
    f"## What stops it next time\n\n{_THREE}",
    f"## Follow-up\n\n{_THREE}",
)
FAIL = (
    "",
    _THREE,
    f"### Symptoms\n\n{_THREE}",
    "### Safeguards\n\n- Rotate the logs every night\n- Alert at eighty percent full\n",
    "### Safeguards\n\n- Rotate\n- Alert\n- Spare\n",
    "### Safeguards\n\n- Rotate logs every night\n- Rotate logs every night\n- Rotate logs every **night**\n",
    "### Safeguards\n\n1. Rotate the logs every night\n2. Alert at eighty percent full\n3. Keep a spare volume ready\n",
    "### Safeguards\n\nRotate the logs every night. Alert at eighty percent full. Keep a spare volume ready.\n",
    f"### Safeguards\n\n```sh\nls\n```\n\n{_THREE}",
    f"```\n### Safeguards\n\n{_THREE}```\n",
    f"### Safeguards\n\n### Symptoms\n\n{_THREE}",
    "### Safeguards\n\n-Rotate the logs every night\n-Alert at eighty percent full\n-Keep a spare volume ready\n",
    "### Safeguards\n\n| a | b |\n|---|---|\n| Rotate the logs | every night |\n",
)
