"""flowchart and graph: nodes, links, subgraphs, styles."""

from __future__ import annotations

import re

from latches.mermaid.lines import ACCESSIBLE, IDENTIFIER, Line, Refused

_DIRECTIONS = frozenset(("TB", "TD", "BT", "RL", "LR"))
_NAME = re.compile(IDENTIFIER)
_CLASS = re.compile(r":::[A-Za-z_]\w*(?![\w.=-])")
_SHAPES = (  # longest opener first
    ("(((", ")))"), ("([", "])"), ("[[", "]]"), ("[(", ")]"), ("((", "))"), ("{{", "}}"),
    ("[/", "/]"), ("[/", "\\]"), ("[\\", "\\]"), ("[\\", "/]"), ("[", "]"), ("(", ")"),
    ("{", "}"), (">", "]"),
)  # fmt: skip
_BARE_LINK = re.compile(
    r"(?:<|[ox](?=-))?(?:-{2,}(?:>|-|[ox](?=\s|\|))|-\.+-(?:>|[ox](?=\s|\|))?)|<?={2,}(?:>|=)|~{3,}"
)
_PLAIN = r"[\w ,:!?'&%+]*[^\W_][\w ,:!?'&%+]*?"  # words on a link without bars: nothing that a link is made of
_WORDED_LINK = re.compile(
    rf"<?(?:--\s+(?P<solid>{_PLAIN})\s+-{{2,}}[->]|-\.\s+(?P<dotted>{_PLAIN})\s+\.+->?"
    rf"|==\s+(?P<thick>{_PLAIN})\s+={{2,}}[=>])(?=\s|\w)"
)
_TITLE = r"(?:\"[^\"]+\"|[^\"#\[\](){}|;/\\-][^\"#\[\](){}|;\\]*)"
_SUBGRAPH = re.compile(
    rf"^subgraph\s+(?:\"[^\"]+\"|(?P<name>{IDENTIFIER})(?:\s*\[{_TITLE}\])?|(?P<words>\w[\w .:!?&]*))$"
)
_STYLES = re.compile(
    rf"^(?:classDef\s+[A-Za-z][\w-]*(?:,[A-Za-z][\w-]*)*\s+[a-z-]+:[^;]+|class\s+{IDENTIFIER}(?:,{IDENTIFIER})*\s+[A-Za-z][\w-]*"
    rf"|style\s+{IDENTIFIER}\s+[a-z-]+:[^;]+|click\s+{IDENTIFIER}\s+(?:href\s+)?\"[^\"]+\"(?:\s+\"[^\"]+\")?)$"
)
_LINK_STYLE = re.compile(r"^linkStyle\s+(?P<which>default|\d+(?:,\d+)*)\s+[a-z-]+:[^;]+$")
_RESERVED = frozenset(
    "end class classDef style linkStyle click default graph flowchart subgraph direction interpolate href call".split()
)


_NO_LINK = re.compile(r"->(?!>)|\w+$")
_CLOSERS = {"[": "]", "(": ")", "{": "}", ">": "]"}
_BRACKETED = re.compile(r"\[(?![\[(/\\])[^\"\[\]\n`]*[(){}][^\"\[\]\n`]*\]|\{(?!\{)[^\"{}\n`]*[()\[\]][^\"{}\n`]*\}")
"""Text of a node that has brackets of another kind in it and no quotation marks around it."""


def check(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line that mermaid would refuse."""
    head = lines[0]
    rest, _, more = rest.partition(";")
    rest = rest.rstrip()
    if rest not in _DIRECTIONS:
        wrong = f"the direction {rest[:20]!r} is none of TB, TD, BT, RL, LR"
        raise Refused(head.number, wrong, sure=len(rest) > 1 and rest.isalpha() and rest.isascii())
    lines = [head, head._replace(text=more), *lines[1:]]
    depth: list[int] = []
    links = 0
    for line in lines[1:]:
        for part in _statements(line.text):
            if part == "end":
                if not depth:
                    raise Refused(line.number, "this end closes no subgraph", sure=True)
                depth.pop()
            elif part.startswith("subgraph"):
                title = _SUBGRAPH.match(part)
                if not title or _RESERVED & set((title["name"] or title["words"] or "").split()):
                    raise Refused(line.number, 'write the subgraph as subgraph name ["Its title"]')
                depth.append(line.number)
            elif part.startswith("direction "):
                if part.split()[1:] not in [[d] for d in _DIRECTIONS]:
                    raise Refused(line.number, "the direction is none of TB, TD, BT, RL, LR")
            elif part.startswith("linkStyle "):
                numbers = _LINK_STYLE.match(part)
                if numbers is None:
                    raise Refused(line.number, "write a link's style as linkStyle 0 stroke:#f00")
                if numbers["which"] != "default":
                    _styled(numbers["which"], links, line.number)
            elif not _STYLES.match(part) and not ACCESSIBLE.match(part):
                links += _chain(part, line.number)
    if depth:
        raise Refused(depth[-1], "the subgraph has no end", sure=True)
    if not links:
        raise Refused(head.number, "the chart has no link between two nodes")


def _styled(which: str, links: int, line: int) -> None:
    """A style for a link comes after the link."""
    for index in map(int, which.split(",")):
        if index >= links:
            raise Refused(line, f"there is no link {index} above; there are {links}, counted from 0", sure=True)


def _statements(text: str) -> list[str]:
    """The statements of a line: semicolons part them, outside quotation marks and brackets."""
    parts = [""]
    quoted = False
    depth = 0
    for char in text:
        if char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char in "[({") - (char in "])}")
            if char == ";" and depth <= 0:
                parts.append("")
                continue
        parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _chain(text: str, line: int) -> int:
    """Read `A & B --> C --> D`. Returns how many links there are."""
    at = _nodes(text, 0, line)
    links = 0
    while at < len(text):
        at = _skip(text, at)
        if at >= len(text):
            break
        at = _link(text, at, line)
        at = _nodes(text, at, line)
        links += 1
    return links


def _nodes(text: str, at: int, line: int) -> int:
    at = _node(text, _skip(text, at), line)
    while True:
        after = _skip(text, at)
        if not text.startswith("&", after):
            return at
        if (after == at) == text[after + 1 : after + 2].isspace():
            raise Refused(line, "put a space on both sides of the & between nodes", sure=True)
        at = _node(text, _skip(text, after + 1), line)


def _node(text: str, at: int, line: int) -> int:
    name = _NAME.match(text, at)
    if name is None:
        raise Refused(line, f"a node's name is expected at {text[at : at + 20]!r}" if at < len(text) else
                      "the link leads to no node", lacks=r"\S" if at >= len(text) else "")  # fmt: skip
    if name.group() in _RESERVED:
        raise Refused(
            line,
            f"a node may not be called {name.group()!r}; write {name.group().capitalize()}_",
            sure=name.group() == "end" and at > 0,
        )
    at = name.end()
    if name.group()[-1] in "ox" and text[at : at + 1] in ("-", "=", "."):
        raise Refused(line, "an o or x right before a link is its tail; put a space between node and link")
    if text.startswith("@{", at):
        raise Refused(line, "shapes written with @{ } cannot be checked; use brackets")
    for opener, closer in _SHAPES:
        if text.startswith(opener, at):
            end = _label(text, at + len(opener), closer)
            if end is None:
                continue
            at = end
            break
    else:
        if at < len(text) and text[at] in "[({>":
            raise Refused(
                line,
                f"the text of node {name.group()!r} is not closed, or has brackets, braces, a pipe or a "
                'quotation mark in it; put the whole text in double quotes: A["text (like this)"]',
                sure=_BRACKETED.match(text, at) is not None,
                lacks="" if _CLOSERS[text[at]] in text[at:] else re.escape(_CLOSERS[text[at]]),
            )
    styled = _CLASS.match(text, at)
    if styled is None and text.startswith(":::", at):
        raise Refused(line, "write a node's class as A:::name, a plain word with a space after it")
    return styled.end() if styled else at


def _label(text: str, at: int, closer: str) -> int | None:
    """Just after the closer of a node's text, or None when the text does not fit it."""
    if text.startswith('"', at):
        close = text.find('"', at + 1)
        if close < 0 or not text[at + 1 : close].strip():
            return None
        return close + 1 + len(closer) if text.startswith(closer, close + 1) else None
    end = text.find(closer, at)
    if end < 0 or not _plain(text[at:end]):
        return None
    return end + len(closer)


def _plain(words: str) -> bool:
    """May these words stand without quotation marks?"""
    words = words.strip()
    return (
        bool(words)
        and not any(c in words for c in '[](){}|"#;`@')
        and words[0] not in "-/\\"
        and words[-1] not in "/\\"
    )


def _link(text: str, at: int, line: int) -> int:
    worded = _WORDED_LINK.match(text, at)
    if worded and not _BARE_LINK.match(text, at):
        return worded.end()
    bare = _BARE_LINK.match(text, at)
    if bare is None:
        if text.startswith("--|", at) or text.startswith("-.|", at) or text.startswith("==|", at):
            raise Refused(line, "the text of a link comes after its arrow: A -->|text| B")
        wrong = f"a link such as --> is expected at {text[at : at + 20]!r}"
        raise Refused(line, wrong, sure=_NO_LINK.match(text, at) is not None)
    if text[bare.end() : bare.end() + 1] in ("o", "x"):
        raise Refused(line, "an o or x right after a link is its head; put a space between link and node")
    at = _skip(text, bare.end())
    if text.startswith("|", at):
        close = text.find("|", at + 1)
        if close < 0:
            raise Refused(line, "the text of the link is not closed with |")
        _link_text(text[at + 1 : close], line)
        at = close + 1
    return at


def _link_text(words: str, line: int) -> None:
    if len(words) >= 3 and words[0] == words[-1] == '"' and '"' not in words[1:-1] and words[1:-1].strip():
        return
    if not _plain(words) or "--" in words or "==" in words:
        raise Refused(
            line,
            'the text of the link has brackets, quotes or other signs; write -->|"text"|',
            sure='"' not in words and any(c in words for c in "()[]{}"),
        )


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
