"""checklist: things to tick off.

Satisfied by one list of `items` items or more that all begin with a check box (`- [ ]` or `- [x]`) and say
something after it.
"""

from __future__ import annotations

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, items, number, own_text, plain_words, plural

NAME = "checklist"
OPTIONS: Options = {"items": 3}


def _has_box(item: Node) -> bool:
    """A box of the item itself, not of one nested in it."""
    stack = list(item.children)
    while stack:
        child = stack.pop()
        if child.kind == "task_marker":
            return True
        if child.kind == "paragraph":
            stack.extend(child.children)
    return False


def _fault(node: Node, least: int) -> str | None:
    entries = items(node)
    boxes = [item for item in entries if _has_box(item)]
    if not boxes:
        return "the items have no check boxes (- [ ])"
    if len(boxes) < len(entries):
        return f"{plural(len(entries) - len(boxes), 'item')} has no check box"
    if len(boxes) < least:
        return f"the list has {plural(len(boxes), 'item')}; {least} are needed"
    if not all(plain_words(own_text(item)) for item in entries):
        return "an item has nothing after its box"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return f"a list of {plural(number(options, 'items'), 'item')} that each begin with a check box: - [ ] text"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("list", "lists")
    for node in doc.find("list"):
        tries.look(node, _fault(node, number(options, "items")))
    return tries.detection(doc, "there is no list")


PASS = (
    "- [ ] read\n- [ ] write\n- [ ] sleep\n",
    "* [x] read\n* [X] write\n* [ ] sleep\n",
    "1. [ ] read\n2. [ ] write\n3. [ ] sleep\n",
    "- [ ] read\n\n- [ ] write\n\n- [ ] sleep\n",
    "> - [ ] read\n> - [ ] write\n> - [ ] sleep\n",
    "- [ ] **read** it\n- [ ] `write` it\n- [ ] [sleep](u)\n",
    "- Night\n  - [ ] read\n  - [ ] write\n  - [ ] sleep\n",
    "- [ ] read\n  - more\n- [ ] write\n- [ ] sleep\n- [x] wake\n",
)
FAIL = (
    "",
    "- read\n- write\n- sleep\n",
    "- [ ] read\n- [ ] write\n",
    "- [ ] read\n- write\n- [ ] sleep\n",
    "- [] read\n- [] write\n- [] sleep\n",
    "[ ] read\n[ ] write\n[ ] sleep\n",
    "```\n- [ ] read\n- [ ] write\n- [ ] sleep\n```\n",
    "- [read](u)\n- [write](u)\n- [sleep](u)\n",
    "- read [ ]\n- write [ ]\n- sleep [ ]\n",
    "- read\n  - [ ] a\n- write\n  - [ ] b\n- sleep\n  - [ ] c\n",
)
