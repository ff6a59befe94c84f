"""key_points: what matters, in a list.

Satisfied by one bullet list of `items` items or more, each of `words` words or more. Numbered lists are steps, and
items with check boxes are a checklist.
"""

from __future__ import annotations

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, items, number, own_text, plain_words, plural

NAME = "key_points"
OPTIONS: Options = {"items": 3, "words": 3}


def _fault(node: Node, least: int, length: int) -> str | None:
    if node.attrs["ordered"]:
        return "the list is numbered; points have bullets"
    points = items(node)
    if len(points) < least:
        return f"the list has {plural(len(points), 'item')}; {least} are needed"
    for place, point in enumerate(points, 1):
        if any(child.kind == "task_marker" for child in point.walk()):
            return f"item {place} has a check box; a checklist is another element"
        if plain_words(own_text(point)) < length:
            return f"item {place} has fewer than {length} words"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return f"a bullet list of {plural(number(options, 'items'), 'item')} of {number(options, 'words')} words or more"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("list", "lists")
    for node in doc.find("list"):
        tries.look(node, _fault(node, number(options, "items"), number(options, "words")))
    return tries.detection(doc, "there is no list")


PASS = (
    "- It runs at night\n- It stops by day\n- It costs next to nothing\n",
    "* It runs at night\n* It stops by day\n* It costs next to nothing\n",
    "- It runs at night\n\n- It stops by day\n\n- It costs next to nothing\n",
    "> - It runs at night\n> - It stops by day\n> - It costs next to nothing\n",
    "- **Night:** it runs then\n- **Day:** it stops then\n- **Cost:** next to nothing\n",
    "Text:\n\n- It runs at night\n  - very late\n- It stops by day\n- It costs next to nothing\n",
    "1. One thing\n\n   - It runs at night\n   - It stops by day\n   - It costs next to nothing\n",
    "+ It `runs` at night\n+ It [stops](u) by day\n+ It costs *next to* nothing\n+ It is ours\n",
)
FAIL = (
    "",
    "1. It runs at night\n2. It stops by day\n3. It costs next to nothing\n",
    "- It runs at night\n- It stops by day\n",
    "- night\n- day\n- cost\n",
    "- [ ] It runs at night\n- [ ] It stops by day\n- [x] It costs next to nothing\n",
    "-It runs at night\n-It stops by day\n-It costs next to nothing\n",
    "```\n- It runs at night\n- It stops by day\n- It costs next to nothing\n```\n",
    "\\- It runs at night\n\n\\- It stops by day\n\n\\- It costs next to nothing\n",
    "- It runs at night\n- \n- It costs next to nothing\n",
    "- It runs at night - It stops by day - It costs next to nothing\n",
)
