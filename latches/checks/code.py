"""Code that at least parses: Python, JSON, TOML, YAML, shell and mermaid in closed fences.

Every language is read by a fixed grammar, so that a verdict never hangs on the machine; a Python session with
`>>>` is read without its prompts and output. Fences of other languages, jsonc and json5 among them, are left
alone.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from typing import Any

from firewall import tomls
from firewall.text.markdown import Document, Node
from firewall.verdict import Finding, Outcome
from latches.checks import python_code
from latches.elements.base import line_of
from latches.elements.fenced_code_block import code_of, info_word

Fault = tuple[int, str]
"""(line inside the code from 1, what is wrong there)"""

_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.)(?: |$)")
_MAGIC = re.compile(r"(?m)^([ \t]*)(?:%%?[a-z]\w*(?:[ \t].*)?|![ \t]*[\w./~].*|[\w.]+\?\??)$")
"""A line for IPython and not for Python: `%matplotlib inline`, `!ls`, `len?`."""
_BRACKET = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'|[\[\]{}]")
DEEPEST = 100
"""Brackets in brackets that are read. Our own number: what a stack holds differs from one Python to the next."""
_COPROC = re.compile(r"(?m)(?:^|[;&|])\s*coproc\s+(?:\w+\s+)?\{[^{}]*$")
"""A block of bash that the grammar does not know, open up to here."""
_RESERVED = frozenset(("fi", "done", "esac", "then", "elif", "else", "do", "}"))


def code(doc: Document) -> list[Finding]:
    """A finding for each closed fence whose code does not parse in the language that it names."""
    out = []
    for node in doc.find("code_block"):
        if not node.attrs["fenced"] or not node.attrs["closed"]:
            continue
        language = info_word(node)
        reader = _READERS.get(language)
        if reader is None:
            continue
        fault = reader(code_of(node))
        if fault is not None:
            out.append(_finding(doc, node, language, fault))
    return out


def _finding(doc: Document, node: Node, language: str, fault: Fault) -> Finding:
    opened = line_of(doc.source, node.start)
    line = opened + min(fault[0], max(1, len(code_of(node).splitlines())))  # what is missing is missing at the end
    message = (
        f"Line {line}: the {language} code of the fence on line {opened} does not parse: {fault[1]}. "
        "Mend the code, or name the fence `text` if it is not meant to run."
    )
    evidence: dict[str, object] = {"line": line, "fence_line": opened, "language": language, "problem": fault[1]}
    return Finding("code", Outcome.HOLD, message, evidence, node.start, node.end)


def _python(text: str) -> Fault | None:
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first.lstrip().startswith(">>>"):
        kept = (_PROMPT.sub("", line) if _PROMPT.match(line) else "" for line in text.splitlines())
        text = "\n".join(kept)
    text = textwrap.dedent(text)
    fault = python_code.fault(text)
    if fault is not None and _MAGIC.search(text):
        return python_code.fault(_MAGIC.sub(r"\1pass", text))
    return fault


def _json(text: str) -> Fault | None:
    if _depth(text) > DEEPEST:
        return 1, "it is nested too deep to be read"
    try:
        json.loads(text, parse_constant=_no_constant, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        at = error.pos
        if text[at : at + 1] == ",":  # versions of Python differ: the comma, or what stands behind it
            at += 1
        at += len(text[at:]) - len(text[at:].lstrip())
        there = text[at:].splitlines()[0][:40] if text[at:] else ""
        return text.count("\n", 0, at) + 1, f"at {there!r}" if there else "it ends too soon"
    except ValueError as error:
        return 1, str(error)
    return None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _toml(text: str) -> Fault | None:
    if _depth(text) > DEEPEST:
        return 1, "it is nested too deep to be read"
    try:
        tomls.loads(text)
    except tomls.TooMuch:
        return None
    except tomls.Unreadable as error:
        return error.line, error.problem
    return None


def _depth(text: str) -> int:
    """How deep brackets stand in brackets, those in strings left out."""
    deepest = depth = 0
    for found in _BRACKET.finditer(text):
        char = found.group()
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth = max(0, depth - 1)
    return deepest


def _yaml(text: str) -> Fault | None:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        named: set[str] = set()
        keys = _Keys()
        for event in yaml.parse(text, Loader=loader):  # events only: nothing is built, so aliases cannot blow up
            if isinstance(event, yaml.DocumentStartEvent):
                named.clear()
            twice = keys.twice(event)
            if twice:
                return event.start_mark.line + 1, f"the key {twice[:40]!r} stands there twice"
            name = getattr(event, "anchor", None)
            if isinstance(event, yaml.AliasEvent):
                if name not in named:
                    return event.start_mark.line + 1, f"the alias *{name} has no anchor &{name} before it"
            elif name:
                named.add(name)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return (mark.line + 1 if mark else 1), str(error.problem or error.context or "not YAML")
    except yaml.YAMLError as error:
        return 1, str(error).splitlines()[0]
    return None


class _Keys:
    """The keys of the mappings that are open in a stream of YAML's events."""

    def __init__(self) -> None:
        self._open: list[set[str] | None] = []  # of a sequence None
        self._at_key: list[bool] = []

    def twice(self, event: Any) -> str:
        """The key that this event repeats (YAML 1.2, 3.2.1.3: the keys of a mapping are unique), or an empty text."""
        kind = type(event).__name__
        if kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._open.pop()
            self._at_key.pop()
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._next()
            self._open.append(set() if kind == "MappingStartEvent" else None)
            self._at_key.append(True)
            return ""
        if kind not in ("ScalarEvent", "AliasEvent"):
            return ""
        keys = self._open[-1] if self._open else None
        is_key = bool(self._at_key and self._at_key[-1])
        self._next()
        if keys is None or not is_key or kind == "AliasEvent" or event.value == "<<":
            return ""
        if event.value in keys:
            return str(event.value)
        keys.add(event.value)
        return ""

    def _next(self) -> None:
        """A node begins: in a mapping keys and values take turns."""
        if self._at_key:
            self._at_key[-1] = not self._at_key[-1]


def _mermaid(text: str) -> Fault | None:
    from latches.mermaid import sure_fault

    return sure_fault(text)


def _shell(text: str) -> Fault | None:
    import tree_sitter
    import tree_sitter_bash

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    # The grammar's scanner asks C's tables about letters beyond them and takes the process down; rows stay the same.
    root = parser.parse("".join(c if c.isascii() else "_" for c in text).encode()).root_node
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            what = f"{node.type!r} is missing" if node.is_missing else f"at {_seen(node, text)!r}"
            return node.start_point[0] + 1, what
        if node.type == "command_name" and _seen(node, text) in _RESERVED:  # the grammar takes a stray one as a command
            word = _seen(node, text)
            if word != "}" or not _COPROC.search(text, 0, node.start_byte):
                return node.start_point[0] + 1, f"{word!r} closes nothing"
        stack.extend(reversed(node.children))
    return None


def _seen(node: Any, text: str) -> str:
    """The node's first line; a byte of the tree is a character of the text."""
    shown = text[node.start_byte : node.end_byte].strip()
    return shown.splitlines()[0][:40] if shown else ""


_READERS: dict[str, Callable[[str], Fault | None]] = {
    **dict.fromkeys(("python", "py", "python3", "py3", "pycon"), _python),
    "json": _json,
    "toml": _toml,
    **dict.fromkeys(("yaml", "yml"), _yaml),
    "mermaid": _mermaid,
    **dict.fromkeys(("sh", "bash", "shell"), _shell),
}
