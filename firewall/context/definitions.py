"""Link definitions of Markdown that no reader of the page sees: its comments, and titles of links that nobody uses.

`[//]: # (so)`, `[comment]: <> "so"` and `[x]: <so it goes>` show nothing, so they go like HTML comments. A definition
with a real address may be wanted later: it stays, and is reported if its title says more than a few words.
"""

from __future__ import annotations

import re

from firewall.context.code import OPAQUE
from firewall.context.spans import gone
from firewall.verdict import Finding, Outcome

_MORE = r"\\.|\n(?![ \t]*\n)"  # an escaped sign; a line's end, but no blank line
_TITLE = rf"(?:\"(?:[^\"\\\n]|{_MORE})*\"|'(?:[^'\\\n]|{_MORE})*'|\((?:[^()\\\n]|{_MORE})*\))"
_DEFINITION = re.compile(
    rf"""^(?P<lead>[ \t>]*)\[(?P<label>(?:[^\[\]\\\n]|\\.){{1,200}})\]:[ \t]*(?:\n[ \t>]*)?
    (?P<to><[^<>\n]*>|[^\s<][^\s{OPAQUE}]*)(?:(?:[ \t]+|[ \t]*\n[ \t>]*)(?P<title>{_TITLE}))?[ \t]*(?:\r?\n|\Z)""",
    re.VERBOSE | re.MULTILINE,
)
_MAYBE = re.compile(r"\]:[ \t]*\n?[ \t>]*(?:<|\S+\s+[\"'(])")
_LABEL = re.compile(r"\[((?:[^\[\]\\\n]|\\.){1,200})\]")
_OPEN = re.compile(r"[ \t>]*(?:$|#|\[[^\[\]\n]{1,200}\]:|(?:[-*_] ?){3,}$|[`~]{3})")
"""What a line may be that a definition stands below: it cannot interrupt a paragraph, which shows it."""
_NOWHERE = frozenset(("#", "<>", "<#>", "/", "//", "."))
_COMMENTS = frozenset(("//", "comment", "#", "_", "-", "*", "!"))
_FEW = 4
"""Words that a title may have unreported; an address of more is none."""

_COMMENT = "A comment of Markdown's, which no reader of the page sees, was removed."
_UNUSED = "Text that no reader of the page sees was kept: the title of a link that nothing uses."


def maybe(text: str) -> bool:
    """Is there anything like a definition with a title in `text`, code or no code?"""
    return "]:" in text and _MAYBE.search(text) is not None


def find(masked: str) -> tuple[list[Finding], list[Finding]]:
    """The comments in `masked`, whose code is masked, and the definitions that are only reported."""
    goes: list[Finding] = []
    stays: list[Finding] = []
    if not maybe(masked):
        return goes, stays
    defined = [m for m in _DEFINITION.finditer(masked) if m["label"][0] != "^" and _stands(masked, m.start())]
    own = {m.start("label") for m in defined}
    used = {_plain(m[1]) for m in _LABEL.finditer(masked) if m.start(1) not in own} if defined else set()
    for match in defined:
        label, to, title = _plain(match["label"]), match["to"], match["title"] or ""
        if label in used:
            continue
        said = len(to.split())
        comment = said > _FEW or (said > 1 and label in _COMMENTS)
        if comment or (title and (to in _NOWHERE or label in _COMMENTS)):
            goes.append(gone(match.start(), match.end(), "markdown-comment", _COMMENT))
        elif len(title.split()) > _FEW:
            stays.append(Finding("markdown-unseen", Outcome.ALLOW, _UNUSED, {}, *match.span("title")))
    return goes, stays


def _stands(text: str, start: int) -> bool:
    """May a definition begin at `start`, the start of a line?"""
    if start == 0:
        return True
    before = text.rfind("\n", 0, start - 1) + 1
    return _OPEN.match(text[before : start - 1].rstrip("\r")) is not None


def _plain(label: str) -> str:
    return " ".join(label.split()).casefold()
