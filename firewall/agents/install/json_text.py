"""A JSON text with other values, in which all that stays is as it was to the byte: order, blanks, line ends. Pure."""

from __future__ import annotations

import json
import re

from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class _Part(NamedTuple):
    """A member of an object, or an element of a list: its key, what stands before it, the key's own text, where its
    value is, and what stands behind it."""

    key: str
    before: str
    name: str
    start: int
    end: int
    behind: str
    value: Any


def changed(text: str, value: dict[str, Any]) -> str:
    """The text of an object with these values. Of what is new, the indentation is the text's own."""
    start = _skip(text, 0)
    old, end = _DECODER.raw_decode(text, start)
    found = re.search(r"^[{\[]\s*\n([ \t]+)", text)
    inner = _Text(text, found[1] if found else "  ").value(start, end, old, value, 0)
    return text[:start] + inner + text[end:]


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


class _Text:
    def __init__(self, text: str, indent: str) -> None:
        self._text = text
        self._indent = indent
        self._end = "\r\n" if "\r\n" in text else "\n"

    def value(self, start: int, end: int, old: Any, new: Any, depth: int) -> str:
        """The text of what stands from `start` to `end` once it is `new`."""
        if type(old) is type(new) and old == new and json.dumps(old) == json.dumps(new):
            return self._text[start:end]
        if isinstance(old, dict) and isinstance(new, dict):
            return self._joined(self._members(start, new, depth), start, depth, "{}")
        if isinstance(old, list) and isinstance(new, list):
            return self._joined(self._elements(start, new, depth), start, depth, "[]")
        return self._made(new, depth)

    def _made(self, new: Any, depth: int) -> str:
        text = json.dumps(new, ensure_ascii=False, indent=self._indent)
        return text.replace("\n", self._end + self._indent * depth)

    def _parts(self, start: int) -> list[_Part]:
        named = self._text[start] == "{"
        out: list[_Part] = []
        at = start + 1
        while True:
            first = _skip(self._text, at)
            if self._text[first] in "}]":
                return out
            key, begins = "", first
            if named:
                key, begins = _DECODER.raw_decode(self._text, first)
                begins = _skip(self._text, _skip(self._text, begins) + 1)
            value, end = _DECODER.raw_decode(self._text, begins)
            after = _skip(self._text, end)
            ends = self._text[after] != ","
            behind = "" if ends else self._text[end:after]
            out.append(_Part(key, self._text[at:first], self._text[first:begins], begins, end, behind, value))
            at = end if ends else after + 1
            if ends:
                return out

    def _members(self, start: int, new: dict[str, Any], depth: int) -> list[tuple[str, str]]:
        parts = self._parts(start)
        there = {part.key for part in parts}
        out = [
            (p.before, p.name + self.value(p.start, p.end, p.value, new[p.key], depth + 1) + p.behind)
            for p in parts if p.key in new
        ]  # fmt: skip
        before = parts[-1].before if parts else self._end + self._indent * (depth + 1)
        for key, value in new.items():
            if key not in there:
                out.append((before, f"{json.dumps(key, ensure_ascii=False)}: {self._made(value, depth + 1)}"))
        return out

    def _elements(self, start: int, new: list[Any], depth: int) -> list[tuple[str, str]]:
        parts = self._parts(start)
        before = parts[-1].before if parts else self._end + self._indent * (depth + 1)
        out: list[tuple[str, str]] = []
        i = j = 0
        while i < len(parts) or j < len(new):
            part = parts[i] if i < len(parts) else None
            if part is not None and j < len(new) and (part.value == new[j] or len(parts) - i == len(new) - j):
                text = self.value(part.start, part.end, part.value, new[j], depth + 1)
                out.append((part.before, text + part.behind))
                i, j = i + 1, j + 1
            elif part is not None and part.value not in new[j:]:
                i += 1
            else:
                out.append((before, self._made(new[j], depth + 1)))
                j += 1
        return out

    def _joined(self, pieces: list[tuple[str, str]], start: int, depth: int, brackets: str) -> str:
        parts = self._parts(start)
        if not pieces:
            return brackets
        last = parts[-1].end if parts else start + 1
        tail = self._text[last : _skip(self._text, last)] if parts else self._end + self._indent * depth
        return brackets[0] + ",".join(before + text for before, text in pieces) + tail + brackets[1]
