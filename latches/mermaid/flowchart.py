"""flowchart and graph: nodes, links, subgraphs, styles."""

from __future__ import annotations

import re

from latches.mermaid.lines import ACCESSIBLE, IDENTIFIER, Line, Refused

_DIRECTIONS = frozenset(("TB", "TD", "BT", "RL", "LR"))
_NAME = re.compile(IDENTIFIER)
_CLASS = re.compile(r":::[A-Za-z_][\w-]*")
_SHAPES = (  # longest opener first
    ("(((", ")))"), ("([", "])"), ("[[", "]]"), ("[(", ")]"), ("((", "))"), ("{{", "}}"),
    ("[/", "/]"), ("[/", "\\]"), ("[\\", "\\]"), ("[\\", "/]"), ("[", "]"), ("(", ")"),
    ("{", "}"), (">", "]"),
)  # fmt: skip
_BARE_LINK = re.compile(
    r"(?:<|[ox](?=-))?(?:-{2,}(?:>|-|[ox](?=\s|\|))|-\.+-(?:>|[ox](?=\s|\|))?)|<?={2,}(?:>|=)|~{3,}"
)
_WORDED_LINK = re.compile(
    r"(?:<|[ox])?(?:--\s+(?P<solid>[^|\n]+?)\s+-{2,}[->ox]|-\.\s+(?P<dotted>[^|\n]+?)\s+\.+-[>ox]?"
    r"|==\s+(?P<thick>[^|\n]+?)\s+={2,}[=>])(?=\s|\w)"
)
_SUBGRAPH = re.compile(
    rf"^subgraph(?:\s+(?:\"[^\"]+\"|{IDENTIFIER}\s*\[(?:\"[^\"]+\"|[^\"\[\](){{}}|]+)\]|[\w\s,.:!?&-]+?"
    r"(?:\s*\[(?:\"[^\"]+\"|[^\"\[\](){}|]+)\])?))?$"
)
_STYLES = re.compile(
    rf"^(?:classDef\s+[\w,-]+\s+[\w-]+:\S.*|class\s+{IDENTIFIER}(?:\s*,\s*{IDENTIFIER})*\s+[\w-]+|style\s+{IDENTIFIER}"
    rf"\s+[\w-]+:\S.*|linkStyle\s+(?:default|\d+(?:\s*,\s*\d+)*)\s+[\w-]+:\S.*|click\s+{IDENTIFIER}\s+\S.*)$"
)


def check(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line that mermaid would refuse."""
    head = lines[0]
    rest = rest.rstrip("; ")
    if rest and rest not in _DIRECTIONS:
        raise Refused(head.number, f"the direction {rest[:20]!r} is none of TB, TD, BT, RL, LR")
    depth: list[int] = []
    links = 0
    for line in lines[1:]:
        for part in _statements(line.text):
            if part == "end":
                if not depth:
                    raise Refused(line.number, "this end closes no subgraph")
                depth.pop()
            elif part.startswith("subgraph"):
                if not _SUBGRAPH.match(part):
                    raise Refused(line.number, 'write the subgraph as subgraph name ["Its title"]')
                depth.append(line.number)
            elif part.startswith("direction "):
                if part.split()[1:] not in [[d] for d in _DIRECTIONS]:
                    raise Refused(line.number, "the direction is none of TB, TD, BT, RL, LR")
            elif not _STYLES.match(part) and not ACCESSIBLE.match(part):
                links += _chain(part, line.number)
    if depth:
        raise Refused(depth[-1], "the subgraph has no end")
    if not links:
        raise Refused(head.number, "the chart has no link between two nodes")


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
        at = _node(text, _skip(text, after + 1), line)


def _node(text: str, at: int, line: int) -> int:
    name = _NAME.match(text, at)
    if name is None:
        raise Refused(line, f"a node's name is expected at {text[at : at + 20]!r}" if at < len(text) else
                      "the link leads to no node")  # fmt: skip
    if name.group() == "end":
        raise Refused(line, 'a node may not be called "end"; write End')
    at = name.end()
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
            )
    styled = _CLASS.match(text, at)
    return styled.end() if styled else at


def _label(text: str, at: int, closer: str) -> int | None:
    """Just after the closer of a node's text, or None when the text does not fit it."""
    after = _skip(text, at)
    if text.startswith('"', after):
        close = text.find('"', after + 1)
        if close < 0:
            return None
        close = _skip(text, close + 1)
        return close + len(closer) if text.startswith(closer, close) else None
    end = text.find(closer, at)
    if end < 0 or not text[at:end].strip() or any(c in text[at:end] for c in '[](){}|"'):
        return None
    return end + len(closer)


def _link(text: str, at: int, line: int) -> int:
    worded = _WORDED_LINK.match(text, at)
    if worded and not _BARE_LINK.match(text, at):
        words = next(group for group in worded.groups() if group)
        _link_text(words, line)
        return worded.end()
    bare = _BARE_LINK.match(text, at)
    if bare is None:
        if text.startswith("--|", at) or text.startswith("-.|", at) or text.startswith("==|", at):
            raise Refused(line, "the text of a link comes after its arrow: A -->|text| B")
        raise Refused(line, f"a link such as --> is expected at {text[at : at + 20]!r}")
    at = _skip(text, bare.end())
    if text.startswith("|", at):
        close = text.find("|", at + 1)
        if close < 0:
            raise Refused(line, "the text of the link is not closed with |")
        _link_text(text[at + 1 : close], line)
        at = close + 1
    return at


def _link_text(words: str, line: int) -> None:
    words = words.strip()
    if len(words) >= 2 and words[0] == words[-1] == '"' and '"' not in words[1:-1]:
        return
    if not words or any(c in words for c in '[](){}|"') or "--" in words or "==" in words:
        raise Refused(line, 'the text of the link has brackets, quotes or dashes; write -->|"text"|')


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
