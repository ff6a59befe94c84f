"""What template languages and dialects of Markdown take out of a Markdown text. Pure, linear time.

Liquid, Jinja, Hugo, Handlebars and EJS run before the text is shown: their tags are no prose, and what stands between
the tags of a condition is seen only by running them. Obsidian, kramdown, Pandoc, MyST and CriticMarkup have comments,
attributes and divisions of their own. What stands in code is shown, and untouched here.
"""

from __future__ import annotations

import bisect
import re

from firewall.text.code_spans import Code, in_hidden, less
from firewall.text.pattern import Pattern
from firewall.text.sight import is_hidden_by
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNS = {
    "{": ("{%", "{#", "{{", "{:", "{>>", "{/*", "+++ {"),
    "%": ("%%", "<%", "\n%"),
    "[": ("*[", "[["),
    ":": (":::",),
}
"""One of these, or a `%` at the start, is in all that is found here but lists of attributes; by a character of each,
which is looked for in a tenth of the time."""
_COMMENT = Pattern(
    r"(?P<liquid>\{%-?\s{0,9}(?:comment|doc)\b[^{}%\n]{0,200}%\})|(?P<jinja>\{#)|(?P<hugo>\{\{-?[ \t]?/\*)"
    r"|(?P<block>\{\{[<%] ?comment ?[>%]\}\})|(?P<bars>\{\{!--)|(?P<kramdown>\{::comment\})|(?P<critic>\{>>)"
    r"|(?P<ejs><%#)|(?P<docusaurus>\{/\*)|(?P<obsidian>(?<![\w%])%%(?!%))"
)
_COMMENT_ENDS = {
    "liquid": Pattern(r"\{%-?\s{0,9}end(?:comment|doc)\s{0,9}-?%\}"),
    "jinja": Pattern(r"#\}"),
    "hugo": Pattern(r"\*/[ \t]?-?\}\}"),
    "block": Pattern(r"\{\{[<%] ?/ ?comment ?[>%]\}\}"),
    "bars": Pattern(r"--\}\}"),
    "kramdown": Pattern(r"\{:/(?:comment)?\}"),
    "critic": Pattern(r"<<\}"),
    "ejs": Pattern(r"%>"),
    "docusaurus": Pattern(r"\*/\}"),
    "obsidian": Pattern(r"%%"),
}
_TAG = Pattern(r"(?P<liquid>\{%)|(?P<bars>\{\{)|(?P<ejs><%)|(?P<kramdown>\{::)")
_TAG_ENDS = {"liquid": Pattern(r"%\}"), "bars": Pattern(r"\}\}+"), "ejs": Pattern(r"%>"), "kramdown": Pattern(r"\}")}
_OPENS = Pattern(
    r"\{%-?\s{0,9}(if|unless|case|for|capture|macro|set|ifversion|ifnotversion|schema|javascript|stylesheet)\b"
    r"|\{\{~?([#^])\s{0,9}(?:[\w.-]+)|\{::(nomarkdown|options)\b"
)
_CLOSES = Pattern(r"\{%-?\s{0,9}end(\w+)|\{\{~?(/)\s{0,9}[\w.-]+|\{:(/)")
_LINES = Pattern(r"(?m)^ {0,3}(?:%(?!%).*|\*\[[^\]\n]{0,200}\]:.*|\+\+\+[ \t]+\{.*)")
"""Comments of MyST, its breaks of cells, and definitions of abbreviations."""
_WIKI = Pattern(r"\[\[[^\[\]|\n]{1,1000}\|(?=[^\[\]\n]{0,1000}\]\])")
_DIV = Pattern(r"(?m)^[ \t>]*(:{3,})[ \t]*(.*)$")
_DIRECTIVE = Pattern(r"\{([A-Za-z][\w:+.-]*)\}(.*)")
_ATTRIBUTES = Pattern(r"\{:?[ \t]{0,9}([^{}\n]{1,400})\}")
_ATTRIBUTE = Pattern(r"\.([\w:-]+)|([\w:-]+)=(\"[^\"]*\"|'[^']*'|[^\s\"']+)|([\w-]+)")
_RAW = Pattern(r"`\{=([\w-]{1,40})\}")
"""The end of a piece of raw text of Pandoc, which other formats than the one that is named leave out."""
_TOLD = Pattern(r"(?:(?<=[\]\)`*_~^}])\{:?|(?m:^)[ \t>]{0,20}(?:\{:|#.{1,1000}\{))[^{}\n=]{0,200}=[\"']")
"""Where a list of attributes begins that has a value in quotes: behind a piece of text, in a heading, on a line of its
own."""
_VALUE = Pattern(r"[^{}\n=\"']{0,200}=(\"[^\"\n]{0,9999}\"|'[^'\n]{0,9999}')")
_MAY_HIDE = ("hid", "style", "sr-only", "none", "invisible", "screen-reader", "popover", "color")
_ROUNDS = 3
_UNSEEN_DIVS = frozenset("comment only ifconfig raw meta index toctree content-hidden hidden notes".split())


def may_have(text: str) -> bool:
    """Is there a sign of any of this in the text? Cheap."""
    for character, signs in SIGNS.items():
        if character in text and any(sign in text for sign in signs):
            return True
    return text.startswith("%") or "`{=" in text or may_have_attributes(text) or _tells(text)


def _tells(text: str) -> bool:
    """May a list of attributes hold text in quotes?"""
    return "{" in text and ('="' in text or "='" in text) and _TOLD.search(text) is not None


def may_have_attributes(text: str) -> bool:
    """Is there a list of attributes that may hide what it belongs to?"""
    return "{" in text and any(sign in text for sign in _MAY_HIDE)


def without_comments(text: str) -> str:
    """The text less the comments of template languages and dialects."""
    return _cut(text, _COMMENT, _COMMENT_ENDS) if _COMMENT.search(text) else text


def without_unseen(text: str, *, braces: bool = True) -> str:
    """The text less what is seen only by running something, or by nobody: tags, what stands between those of a
    condition, lines that are comments, hidden divisions and paragraphs with hiding attributes, targets of links.
    Without `braces`, what stands in them is not looked at: it is JavaScript."""
    if braces and any(sign in text for sign in ("{%", "{{", "<%", "{::")):
        text = _cut(_without_blocks(text), _TAG, _TAG_ENDS)
    code = Code(text)
    text = _LINES.sub(lambda m: m.group() if code.has(m.start()) else "", text)
    if "[[" in text:
        text = _WIKI.sub("[[", text)
    if "`{=" in text:
        text = _without_raw(text)
    if ":::" in text:
        text = _without_divisions(text)
    if braces and may_have_attributes(text):
        text = _without_hidden_blocks(text)
    return _without_values(text) if braces and _tells(text) else text


def _cut(text: str, opener: Pattern, ends: dict[str, Pattern]) -> str:
    """The text less what stands from an opener outside of code to the next end of its kind.

    A comment may hold half a fence, so the code is looked for anew in what is left; the last round takes no code for
    an excuse. An end that was looked for in vain is looked for no more.
    """
    for number in range(_ROUNDS):
        code = Code(text) if number < _ROUNDS - 1 else None
        out: list[str] = []
        start = at = 0
        vain: set[str] = set()
        left = False
        while found := opener.made.search(text, at):
            at = found.end()
            name = found.lastgroup or ""
            if name in vain:
                continue
            if code is not None and code.has(found.start()):
                left = True
                continue
            end = ends[name].made.search(text, at)
            if end is None:
                vain.add(name)
                continue
            out.append(text[start : found.start()])
            start = at = end.end()
        if not start:
            return text
        text = "".join([*out, text[start:]])
        if not left or number == _ROUNDS - 2:
            return text
    return text


def _without_blocks(text: str) -> str:
    """Less what stands between the tags of a condition, a loop or a value; a tag that is never closed hides nothing."""
    code = Code(text)
    marks = sorted(
        (found.start(), found.end(), sign, found)
        for sign, pattern in ((1, _OPENS), (-1, _CLOSES))
        for found in pattern.finditer(text)
        if not code.has(found.start())
    )
    stack: list[tuple[int, str]] = []
    spans: list[tuple[int, int]] = []
    open_names: dict[str, int] = {}
    for begin, end, sign, found in marks:
        name = found[1] or found[2] or found[3]
        name = "/" if name in ("#", "^", "/") or text.startswith("{:", begin) else name
        name = "if" if name in ("ifversion", "ifnotversion") else name
        if sign > 0:
            stack.append((begin, name))
            open_names[name] = open_names.get(name, 0) + 1
        elif open_names.get(name):
            while stack:
                opened, top = stack.pop()
                open_names[top] -= 1
                if top == name:
                    spans.append((opened, end))
                    break
    return less(text, spans)


def _without_raw(text: str) -> str:
    """Less pieces of raw text, of which the block form is code; HTML is left as HTML."""
    code = Code(text)
    out: list[str] = []
    at = 0
    for found in _RAW.finditer(text):
        if code.has(found.start()) and not code.has(found.start() + 1):
            start = code.start_of(found.start())
            piece = text[start : found.start()].strip("`") if "html" in found[1] else ""
            if ("<!--" in piece) != ("-->" in piece):  # it opens a comment, or ends one: no HTML that stands in a line
                piece = piece.replace("<!--", "<template>").replace("-->", "</template>")
            out += [text[at:start], piece]
            at = found.end()
    return "".join([*out, text[at:]])


def _without_values(text: str) -> str:
    """Less the values in quotes of lists of attributes: tips, labels, what scripts read."""
    code = Code(text)
    spans = []
    for found in _TOLD.finditer(text):
        if code.has(found.end() - 1):
            continue
        at = text.rindex("{", found.start(), found.end()) + 1
        while value := _VALUE.match(text, at):
            spans.append(value.span(1))
            at = value.end()
    return less(text, spans)


def _without_divisions(text: str) -> str:
    """Less fenced divisions that are hidden, of Pandoc and Quarto (`::: {.hidden}`), and directives that show nothing
    of what they hold, of MyST (`:::{comment}`)."""
    code = Code(text)
    stack: list[tuple[int, int, bool]] = []
    spans: list[tuple[int, int]] = []
    for found in _DIV.finditer(text):
        if code.has(found.start()):
            continue
        rest = found[2].strip(" \t:")
        if rest:
            stack.append((found.start(), len(found[1]), _hides(rest)))
        elif stack:
            begin, _, hides = stack.pop()
            if hides:
                spans.append((begin, found.end()))
    spans += [(begin, len(text)) for begin, _, hides in stack if hides]
    return in_hidden(text, spans)


def _hides(rest: str) -> bool:
    """Does a division with this behind its colons hide what it holds?"""
    directive = _DIRECTIVE.match(rest)
    if directive and "=" not in directive[1]:
        return directive[1] in _UNSEEN_DIVS and not (directive[1] == "raw" and "html" in directive[2])
    names = {word.lstrip(".") for word in rest.strip("{} ").split()}
    return not _UNSEEN_DIVS.isdisjoint(names) or _hiding(rest.strip("{} "))


def _hiding(attributes: str) -> bool:
    """Do these attributes (`.class #id key="value"`) hide what has them?"""
    given: dict[str, str] = {}
    classes = []
    for found in _ATTRIBUTE.finditer(attributes):
        if found[1]:
            classes.append(found[1])
        elif found[2]:
            given.setdefault(found[2].lower(), found[3].strip("\"'"))
        elif found[4].lower() == "hidden":
            given["hidden"] = ""
    if classes:
        given["class"] = " ".join([given.get("class", ""), *classes])
    return is_hidden_by(given)


def _without_hidden_blocks(text: str) -> str:
    """Less paragraphs that hold a list of attributes which hides, or stand before or behind one that stands alone."""
    hiding = [
        found
        for found in _ATTRIBUTES.finditer(text)
        if any(sign in found[1] for sign in _MAY_HIDE) and _hiding(found[1])
    ]
    if not hiding:
        return text
    code = Code(text)
    blocks = list(_blocks(text))
    starts = [start for start, _ in blocks]
    spans = []
    for found in hiding:
        if code.has(found.start()):
            continue
        number = bisect.bisect_right(starts, found.start()) - 1
        start, end = blocks[number]
        if text[start:end].strip() == found.group():  # it belongs to the block beside it
            start, end = blocks[max(0, number - 1)][0], blocks[min(len(blocks) - 1, number + 1)][1]
        spans.append((start, end))
    return in_hidden(text, spans)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of text between blank lines."""
    at = 0
    for gap in re.finditer(r"\n(?:[ \t]*\n)+", text):
        yield at, gap.start()
        at = gap.end()
    yield at, len(text)
