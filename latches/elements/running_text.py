"""running_text: the thing told in paragraphs.

Satisfied by `paragraphs` paragraphs or more of `words` words or more each, at the top level. Text in quotes, lists,
tables and notes does not count, and neither does a paragraph that only leads into what follows with a colon.
"""

from __future__ import annotations

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, number, plain_words, plural

NAME = "running_text"
OPTIONS: Options = {"paragraphs": 2, "words": 20}


def _fault(node: Node, least: int) -> str | None:
    text = node.plain().strip()
    count = plain_words(text)
    if count < least:
        return f"the paragraph has {plural(count, 'word')}; {least} are needed"
    return "the paragraph leads into something else" if text.endswith((":", "：")) else None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    count, least = number(options, "paragraphs"), number(options, "words")
    return f"{plural(count, 'paragraph')} of {least} words or more, outside of lists, tables and quotes"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("paragraph", "paragraphs")
    for node in doc.blocks:
        if node.kind == "paragraph":
            tries.look(node, _fault(node, number(options, "words")))
    count = number(options, "paragraphs")
    if 0 < len(tries.found) < count:
        tries.misses = [(tries.found[0][0], f"of {count} that are needed only {len(tries.found)} is long enough")]
        tries.found.clear()
    return tries.detection(doc, "there is no paragraph")


_LONG = "The pump by the gate has not run since the frost came in and cracked the old housing from end to end."
_ALSO = "Two of us took it apart on the bench, and found that the motor is as good as it was when we bought it."

PASS = (
    f"{_LONG}\n\n{_ALSO}\n",
    f"# T\n\n{_LONG}\n\n## Why\n\n{_ALSO}\n",
    f"{_LONG}\n\n- a list\n\n{_ALSO}\n",
    f"Short.\n\n{_LONG}\n\nShort too.\n\n{_ALSO}\n",
    f"{_LONG}[^1]\n\n{_ALSO}\n\n[^1]: A note.\n",
    f"**Warning:** {_LONG}\n\n*{_ALSO}*\n",
    f"{_LONG}\n\n```\ncode\n```\n\n{_ALSO}\n",
    f"{_LONG}\n{_ALSO}\n\n{_ALSO}\n",
    f"{_LONG}\r\n\r\n{_ALSO}\r\n",
)
FAIL = (
    "",
    f"{_LONG}\n",
    f"{_LONG}\n{_ALSO}\n",
    f"- {_LONG}\n- {_ALSO}\n",
    f"> {_LONG}\n\n> {_ALSO}\n",
    f"{_LONG}\n\nToo short to be counted.\n",
    f"{_LONG}\n\n{_ALSO[:-1]}:\n\n- a list\n",
    f"```\n{_LONG}\n\n{_ALSO}\n```\n",
    f"# {_LONG}\n\n# {_ALSO}\n",
    f"{_LONG}\n\n[^1]: {_ALSO}\n",
    f"<p>\n{_LONG}\n</p>\n\n{_ALSO}\n",
)
