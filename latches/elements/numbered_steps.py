"""numbered_steps: what to do, in order.

Satisfied by one numbered list of `items` items or more, numbered upwards without a gap as written in the
source, each of `words` words or more; or by as many headings of one level that are numbered so ("Step 1: Open it"),
with what to do under each.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, items, number, own_text, plain_words, plural, sections

NAME = "numbered_steps"
OPTIONS: Options = {"items": 3, "words": 3}
_STEP = re.compile(r"(?:step\s+)?(\d{1,3})\s*[:.)\u2014\u2013-]\s*\S", re.IGNORECASE)
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
    least, length = number(options, "items"), number(options, "words")
    for series in sections(doc) if not tries.found else ():
        steps = [(int(found[1]), one) for one in series if (found := _STEP.match(one.heading.plain().strip()))]
        if len(steps) < least:
            continue
        marks = [mark for mark, _ in steps]
        words = [(mark, plain_words(one.said), plain_words(one.heading.plain())) for mark, one in steps]
        short = next((mark for mark, said, named in words if not said or said + named < length), None)
        miss = f"nothing is said under step {short}" if short is not None else None
        if marks != list(range(marks[0], marks[0] + len(marks))):
            miss = f"the steps are numbered {', '.join(map(str, marks[:6]))}"
        tries.look(Node("section", steps[0][1].heading.start, steps[-1][1].end, {}), miss)
    return tries.detection(doc, "there is no list")


PASS = (
    "1. Stop the old worker\n2. Copy the data over\n3. Start the new one\n",
    "1) Stop the old worker\n2) Copy the data over\n3) Start the new one\n",
    "1. Stop the old worker\n1. Copy the data over\n1. Start the new one\n",
    "3. Stop the old worker\n4. Copy the data over\n5. Start the new one\n",
    "> 1. Stop the old worker\n> 2. Copy the data over\n> 3. Start the new one\n",
    "1. Stop the old worker\n\n   It takes a while.\n\n2. Copy the data over\n\n3. Start the new one\n",
    "## Step 1: Open\n\nOpen the lid.\n\n## Step 2: Pour\n\nPour the oil.\n\n## Step 3: Light\n\nLight the wick.\n",
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
    "## Step 1: Open\n\nOpen the lid.\n\n## Step 3: Pour\n\nPour the oil.\n\n## Step 4: Light\n\nLight the wick.\n",
    "1\\. Stop the old worker\n2\\. Copy the data over\n3\\. Start the new one\n",
    "## 1. Stop the old worker\n\n## 2. Copy the data over\n\n## 3. Start the new one\n",
)
