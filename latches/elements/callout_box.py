"""callout_box: the one thing that must not be overlooked, in a box.

Satisfied by a block quote that is a GitHub alert (`> [!NOTE]`, TIP, IMPORTANT, WARNING or CAUTION on a line
of its own), or one that begins with a bold label (`> **Note:** …`): note, tip, hint, important, warning,
caution, danger, attention, remember, takeaway, key takeaway, key point, rule of thumb; or with a picture such as
that of a warning or a lamp; or one with a title as Obsidian has it (`> [!note]- Title`). It says `words` words or more
after that. The option `kind` asks for one of them ("warning").

Not a box: a plain block quote, a bold label outside a quote, `!!! note` and `:::note`, which are not
CommonMark and show as text, and an alert word that GitHub does not know.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, key, number, plain_words, plural, word

NAME = "callout_box"
OPTIONS: Options = {"kind": "", "words": 5}

_LABELS = frozenset(
    "note|tip|hint|info|important|warning|caution|danger|attention|remember|takeaway|key takeaway|key point|"
    "rule of thumb".split("|")
)
_MARK = re.compile(r"^\[!(\w+)\]")
_KINDS = _LABELS | frozenset("abstract summary todo success question failure bug example".split())
_TITLED = re.compile(r"\[!(\w+)\][-+]?[ \t]*(?=\S)")
"""The mark of a box with a title behind it, as Obsidian has them; what it says stands on the next lines."""
_SIGNS = {
    "\u26a0": "warning", "\u2139": "info", "\U0001f4a1": "tip", "\U0001f6a8": "danger", "\u2757": "important",
    "\U0001f4dd": "note", "\U0001f6d1": "caution",
}  # fmt: skip
"""Pictures that a box may begin with, and the kind that they stand for."""
_OTHER = re.compile(r"^(?:!!!|\?\?\?|:::)\s*\w+")


def _label(quote: Node) -> tuple[str, int]:
    """(kind of the box, words after its label), or ("", 0) for a plain quote."""
    if not quote.children:
        return "", 0
    if quote.attrs.get("callout"):
        return str(quote.attrs["callout"]), _words(quote)
    first = quote.children[0]
    if first.kind == "paragraph" and first.children and first.children[0].kind == "strong":
        label = key(first.children[0].plain())
        if label in _LABELS:
            return label, _words(quote) - plain_words(label)
    if first.kind == "paragraph":
        text = first.plain().lstrip()
        if text[:1] in _SIGNS:
            return _SIGNS[text[:1]], _words(quote)
        titled = _TITLED.match(text)
        lines = next((n for n, child in enumerate(first.children) if child.kind.endswith("_break")), None)
        if titled and titled[1].casefold() in _KINDS:
            said = first.children[lines:] if lines is not None else []
            return titled[1].casefold(), sum(plain_words(n.plain()) for n in (*said, *quote.children[1:]))
    return "", 0


def _words(quote: Node) -> int:
    return sum(plain_words(child.plain()) for child in quote.children)


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    kind = word(options, "kind").upper() or "NOTE"
    return (
        f"a block quote whose first line is `> [!{kind}]` and whose next lines say "
        f"{plural(number(options, 'words'), 'word')} or more"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("block quote", "block quotes")
    wanted, least = word(options, "kind").casefold(), number(options, "words")
    for node in doc.find("block_quote"):
        kind, count = _label(node)
        miss = None
        if not kind:
            first = node.children[0] if node.children and node.children[0].kind == "paragraph" else None
            unknown = _MARK.match(first.plain().lstrip()) if first else None
            miss = (
                f"GitHub knows no alert [!{unknown.group(1)}], or text stands on the line of the mark"
                if unknown
                else "the quote has neither an alert mark ([!NOTE]) nor a bold label (**Note:**)"
            )
        elif wanted and kind != wanted:
            miss = f"the box is a {kind}, not a {wanted}"
        elif count < least:
            miss = f"the box says {plural(count, 'word')}; {least} are needed"
        tries.look(node, miss)
    for node in doc.find("paragraph"):
        if _OTHER.match(doc.text(node)):
            tries.also(node.start, "this admonition is not CommonMark and shows as text; use `> [!NOTE]`")
    return tries.detection(doc, "there is no block quote")


PASS = (
    "> [!NOTE]\n> Keep the old key for a day.\n",
    "> [!WARNING]\n>\n> Never delete the lock by hand.\n",
    "> **Note:** keep the old key for a day.\n",
    "> **Key takeaway.** Small steps are safe steps.\n",
    "Text.\n\n> [!TIP]\n> - one thing at a time\n> - then the next\n\nMore.\n",
    "> \u26a0\ufe0f Do not turn it off while it is writing.\n",
    "> [!note]- A title\n> Do not turn it off now.\n",
    "> **Important**\n>\n> The order of the two calls matters.\n",
    "- item\n\n  > [!CAUTION]\n  > This cannot be undone at all.\n",
    "> just a quote\n\n> [!IMPORTANT]\n> Read this before you start anything.\n",
)
FAIL = (
    "",
    "> Keep the old key for a day.\n",
    "**Note:** keep the old key for a day.\n",
    "> [!NOTE]\n",
    "> [!NOTE]\n> Keep the key.\n",
    "> [!FOO]\n> Keep the old key for a day.\n",
    "> [!NOTE] Keep the old key for a day.\n",
    "!!! note\n    Keep the old key for a day.\n",
    ":::note\nKeep the old key for a day.\n:::\n",
    "> **Keys** should be kept for a day or two.\n",
    "```\n> [!NOTE]\n> Keep the old key for a day.\n```\n",
    "[!NOTE]\nKeep the old key for a day.\n",
)
