# ruff: noqa: E501 (examples stand one a line)
"""faq_block: questions a reader asks next, with their answers.

Satisfied by `questions` questions or more, each with an answer of `words` words or more. A question is a
heading, or a paragraph or list item that begins with bold text or with "Q:", and ends with a question mark
(for bold text the mark is the last character of the bold); or it is the `<summary>` of a `<details>`. The answer is the rest of that paragraph and the
paragraphs and lists after it, up to the next question or heading of the same rank or a higher one.

Not a FAQ: one question, questions with nothing after them, questions in running text, and headings that ask
nothing.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, key, number, plain_words, plural, sequences

NAME = "faq_block"
OPTIONS: Options = {"questions": 2, "words": 5}

_ASKED = re.compile(r"^\s*Q(?:uestion)?\s?\d*\s*[:.)]\s*(?P<question>[^?]{3,}\?)\s*(?P<rest>.*)$", re.DOTALL)
_ANSWER = re.compile(r"^\s*A(?:nswer)?\s?\d*\s*[:.)]\s*")
_SUMMARY = re.compile(r"<summary[^>]*>(.*?)</summary>(.*)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_MARKS = "?\uff1f"


_LATER = re.compile(r"\W*(?:TBD|TBA|TODO|FIXME|to be (?:written|done|added))\b")
"""An answer that is none yet."""


def _told(node: Node) -> str:
    """What a question asks, without what differs in how it is written."""
    return key(node.plain().partition("?")[0]) if node.kind != "html_block" else str(node.start)


class _Question:
    def __init__(self, node: Node, rank: int, rest: str) -> None:
        self.node = node
        self.rank = rank
        self.answer = [rest]
        self.end = node.end


def _question(doc: Document, node: Node) -> tuple[int, str] | None:
    """(rank, rest of the paragraph) of a question: headings rank by level, paragraphs below them."""
    if node.kind == "heading":
        return (int(node.attrs["level"]), "") if node.plain().rstrip().endswith(tuple(_MARKS)) else None
    if node.kind == "html_block":
        summary = _SUMMARY.search(doc.source, node.start, node.end)
        if summary and _TAG.sub("", summary[1]).rstrip().endswith(tuple(_MARKS)):
            return 7, _TAG.sub(" ", summary[2])
        return None
    if node.kind != "paragraph" or not node.children:
        return None
    asked = _ASKED.match(node.plain())
    if asked:
        return 7, asked.group("rest")
    first = node.children[0]
    if first.kind == "strong" and first.plain().rstrip().endswith(tuple(_MARKS)):
        return 7, "".join(" " if c.kind.endswith("_break") else c.plain() for c in node.children[1:])
    return None


def _questions(doc: Document, run: list[Node]) -> list[_Question]:
    out: list[_Question] = []
    current: _Question | None = None
    for node in run:
        asked = _question(doc, node)
        if asked is not None:
            if node.kind == "heading" or current is None or current.rank == 7 or plain_words("".join(current.answer)):
                current = _Question(node, *asked)
                out.append(current)
                continue
        elif node.kind == "heading" and current is not None and int(node.attrs["level"]) <= current.rank:
            current = None
        if current is not None and node.kind in ("paragraph", "list", "block_quote"):
            current.answer.append(_ANSWER.sub("", node.plain()))
            current.end = node.end
    return out


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        f"{plural(number(options, 'questions'), 'question')} as bold paragraphs or headings that end with a "
        f"question mark, each followed by an answer of {plural(number(options, 'words'), 'word')} or more"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("question", "questions")
    least, length = number(options, "questions"), number(options, "words")
    answered: list[_Question] = []
    for run in sequences(doc):
        for question in _questions(doc, run):
            tries.seen.append(question.node.start)
            count = plain_words(" ".join(question.answer))
            asked = _told(question.node)
            if asked in (_told(other.node) for other in answered):
                tries.also(question.node.start, "the same is asked twice")
            elif _LATER.match(" ".join(question.answer)):
                tries.also(question.node.start, "the answer is put off")
            elif count >= length:
                answered.append(question)
            else:
                tries.also(question.node.start, f"the answer has {plural(count, 'word')}; {length} are needed")
    if len(answered) >= least:
        tries.found.append((min(q.node.start for q in answered), max(q.end for q in answered)))
    elif answered and not tries.misses:
        tries.also(answered[0].node.start, f"{plural(len(answered), 'question')} is answered; {least} are needed")
    return tries.detection(doc, "no heading, bold text or Q: asks a question")


PASS = (
    "### Can I stop it?\n\nYes, at any time you like.\n\n### Does it cost?\n\nNo, it costs nothing at all.\n",
    "**Can I stop it?**\n\nYes, at any time you like.\n\n**Does it cost?**\n\nNo, it costs nothing at all.\n",
    "**Can I stop it?** Yes, at any time you like.\n\n**Does it cost?** No, it costs nothing at all.\n",
    "Q: Can I stop it?\nA: Yes, at any time you like.\n\nQ: Does it cost?\nA: No, it costs nothing at all.\n",
    "- **Can I stop it?** Yes, at any time you like.\n- **Does it cost?** No, it costs nothing at all.\n",
    "## FAQ\n\n### Can I stop it?\n\n- yes, at any time\n- and at no cost\n\n### Does it cost?\n\nNo, nothing at all, ever.\n",
    (
        "<details><summary>Can I stop it?</summary>\n\nYes, at any time you like.\n\n</details>\n\n"
        "<details>\n<summary>Does it <b>cost</b>?</summary>\nNo, it costs nothing at all.\n</details>\n"
    ),
    "> **Can I stop it?**\n> Yes, at any time you like.\n>\n> **Does it cost?**\n> No, it costs nothing at all.\n",
    "**Q1: Can I stop it?**\nYes, at any time you like.\n\n**Q2: Does it cost?**\nNo, it costs nothing at all.\n",
    "### Can I stop it?\n\nYes, at any time you like.\n\n#### How?\n\nPress the red button twice.\n",
)
FAIL = (
    "",
    "### Can I stop it?\n\nYes, at any time you like.\n",
    "### Can I stop it?\n\n### Does it cost?\n",
    (
        "<details><summary>Stopping</summary>\n\nYes, at any time you like.\n\n</details>\n\n"
        "<details><summary>Cost</summary>\n\nNo, it costs nothing at all.\n\n</details>\n"
    ),
    "### Stopping\n\nYes, at any time you like.\n\n### Cost\n\nNo, it costs nothing at all.\n",
    "Can I stop it? Yes, at any time you like. Does it cost? No, it costs nothing at all.\n",
    "**Can I stop it?** Yes, at any time you like.\n\n**Can I stop it?** Yes, at any time you like.\n",
    "**Can I stop it?** TBD to be written later on.\n\n**Does it cost?** TODO to be written later on.\n",
    "**Can I stop it?** Yes.\n\n**Does it cost?** No.\n",
    "- Can I stop it?\n- Does it cost?\n- Will it last for ever?\n",
    "```\n### Can I stop it?\n\nYes, at any time you like.\n\n### Does it cost?\n\nNo, it costs nothing at all.\n```\n",
    "**Can I stop it? Yes,** at any time you like.\n\n**Does it cost? No,** it costs nothing at all.\n",
    "### Can I stop it?\n\nYes, at any time you like.\n\n### Does it cost?\n\n## Next\n\nNo, it costs nothing at all.\n",
    "## FAQ\n\nThere are questions that readers ask again and again.\n",
    "### Can I stop it?\n\n```\nyes at any time you like\n```\n\n### Does it cost?\n\n| a |\n|---|\n| no it costs nothing |\n",
)
