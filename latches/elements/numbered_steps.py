"""numbered_steps: what to do, in order.

Satisfied by one numbered list of `items` items or more, numbered upwards without a gap as written in the
source, each of `words` words or more.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, items, number, own_text, plain_words, plural

NAME = "numbered_steps"
OPTIONS: Options = {"items": 3, "words": 3}
_MARKER = re.compile(r"\s*(\d{1,9})[.)]")


def _fault(doc: Document, node: Node, least: int, length: int) -> str | None:
    if not node.attrs["ordered"]:
        return "the list has bullets; steps are numbered"
    steps = items(node)
    if len(steps) < least:
        return f"the list has {plural(len(steps), 'step')}; {least} are needed"
    for place, step in enumerate(steps, 1):
        if plain_words(own_text(step)) < length:
            return f"step {place} has fewer than {length} words"
    marks = [int(found.group(1)) for step in steps if (found := _MARKER.match(doc.text(step)))]
    same = len(set(marks)) == 1
    if not same and marks != list(range(marks[0], marks[0] + len(steps))):
        return f"the steps are numbered {', '.join(map(str, marks[:6]))}"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return f"a numbered list of {plural(number(options, 'items'), 'step')} of {number(options, 'words')} words or more"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("list", "lists")
    for node in doc.find("list"):
        tries.look(node, _fault(doc, node, number(options, "items"), number(options, "words")))
    return tries.detection(doc, "there is no list")


PASS = (
    "1. Stop the old worker\n2. Copy the data over\n3. Start the new one\n",
    "1) Stop the old worker\n2) Copy the data over\n3) Start the new one\n",
    "1. Stop the old worker\n1. Copy the data over\n1. Start the new one\n",
    "3. Stop the old worker\n4. Copy the data over\n5. Start the new one\n",
    "> 1. Stop the old worker\n> 2. Copy the data over\n> 3. Start the new one\n",
    "1. Stop the old worker\n\n   It takes a while.\n\n2. Copy the data over\n\n3. Start the new one\n",
    "- Before\n  1. Stop the old worker\n  2. Copy the data over\n  3. Start the new one\n",
    "Text.\n\n1. Stop the **old** worker\n2. Copy `data` over there\n3. Start the [new](u) one\n4. Go to bed\n",
)
FAIL = (
    "",
    "- Stop the old worker\n- Copy the data over\n- Start the new one\n",
    "1. Stop the old worker\n2. Copy the data over\n",
    "1. Stop\n2. Copy\n3. Start\n",
    "1. Stop the old worker\n3. Copy the data over\n4. Start the new one\n",
    "1. Stop the old worker. 2. Copy the data over. 3. Start the new one.\n",
    "1.Stop the old worker\n2.Copy the data over\n3.Start the new one\n",
    "```\n1. Stop the old worker\n2. Copy the data over\n3. Start the new one\n```\n",
    "1\\. Stop the old worker\n2\\. Copy the data over\n3\\. Start the new one\n",
    "## 1. Stop the old worker\n\n## 2. Copy the data over\n\n## 3. Start the new one\n",
)
