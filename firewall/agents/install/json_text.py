"""A JSON text with other values, in which all that stays is as it was to the byte: order, blanks, comments, line ends.
Pure."""

from __future__ import annotations

import json
import re

from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_COMMENTS = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_Piece = tuple[str, str]
"""What stands before a member or element, and its own text."""


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


def plain(text: str) -> str:
    """The text with blanks in the place of its comments (`// …`, `/* … */`), so that every offset stays."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else re.sub(r"[^\r\n]", " ", found[0])

    return _COMMENTS.sub(blank, text)


def changed(text: str, value: dict[str, Any]) -> str:
    """The text of an object with these values. Of what is new, the indentation is the text's own. Comments stay, those
    before something that goes as well."""
    bare = plain(text)
    start = _skip(bare, 0)
    old, end = _DECODER.raw_decode(bare, start)
    found = re.match(r"[{\[]\s*\n([ \t]+)", bare[start:end])
    inner = _Text(text, bare, found[1] if found else "  ").value(start, end, old, value, 0)
    return text[:start] + inner + text[end:]


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _comment(before: str) -> str:
    """Blanks with a comment among them; '' for blanks alone."""
    return before if before.strip() else ""


def _after(comment: str, before: str) -> str:
    """Blanks behind a comment that stayed from something that went."""
    return comment.rstrip() + before if before[:1] in ("\n", "\r") else comment + before


class _Text:
    def __init__(self, text: str, bare: str, indent: str) -> None:
        self._text = text
        self._bare = bare
        self._indent = indent
        self._end = "\r\n" if "\r\n" in text else "\n"

    def value(self, start: int, end: int, old: Any, new: Any, depth: int) -> str:
        """The text of what stands from `start` to `end` once it is `new`."""
        if type(old) is type(new) and old == new and json.dumps(old) == json.dumps(new):
            return self._text[start:end]
        if isinstance(old, dict) and isinstance(new, dict):
            return self._joined(*self._members(start, new, depth), start, depth, "{}")
        if isinstance(old, list) and isinstance(new, list):
            return self._joined(*self._elements(start, new, depth), start, depth, "[]")
        return self._made(new, depth)

    def _made(self, new: Any, depth: int) -> str:
        text = json.dumps(new, ensure_ascii=False, indent=self._indent)
        return text.replace("\n", self._end + self._indent * depth)

    def _parts(self, start: int) -> list[_Part]:
        named = self._bare[start] == "{"
        out: list[_Part] = []
        at = start + 1
        while True:
            first = _skip(self._bare, at)
            if self._bare[first] in "}]":
                return out
            key, begins = "", first
            if named:
                key, begins = _DECODER.raw_decode(self._bare, first)
                begins = _skip(self._bare, _skip(self._bare, begins) + 1)
            value, end = _DECODER.raw_decode(self._bare, begins)
            after = _skip(self._bare, end)
            ends = self._bare[after] != ","
            behind = "" if ends else self._text[end:after]
            out.append(_Part(key, self._text[at:first], self._text[first:begins], begins, end, behind, value))
            at = end if ends else after + 1
            if ends:
                return out

    def _lead(self, parts: list[_Part], depth: int) -> str:
        """What stands before something new: blanks as before the last thing there."""
        if parts and not _comment(parts[-1].before):
            return parts[-1].before
        return self._end + self._indent * (depth + 1)

    def _members(self, start: int, new: dict[str, Any], depth: int) -> tuple[list[_Piece], str]:
        """The members as they are to be, and comments that nothing stands behind."""
        parts = self._parts(start)
        there = {part.key for part in parts}
        out: list[_Piece] = []
        kept = ""
        for p in parts:
            if p.key in new:
                text = self.value(p.start, p.end, p.value, new[p.key], depth + 1)
                out.append((_after(kept, p.before), p.name + text + p.behind))
                kept = ""
            else:
                kept += _comment(p.before)
        before = self._lead(parts, depth)
        for key, value in new.items():
            if key not in there:
                name = json.dumps(key, ensure_ascii=False)
                out.append((_after(kept, before), f"{name}: {self._made(value, depth + 1)}"))
                kept = ""
        return out, kept

    def _elements(self, start: int, new: list[Any], depth: int) -> tuple[list[_Piece], str]:
        """As `_members`, of a list."""
        parts = self._parts(start)
        before = self._lead(parts, depth)
        out: list[_Piece] = []
        kept = ""
        i = j = 0
        while i < len(parts) or j < len(new):
            part = parts[i] if i < len(parts) else None
            if part is not None and j < len(new) and (part.value == new[j] or len(parts) - i == len(new) - j):
                text = self.value(part.start, part.end, part.value, new[j], depth + 1)
                out.append((_after(kept, part.before), text + part.behind))
                i, j, kept = i + 1, j + 1, ""
            elif part is not None and part.value not in new[j:]:
                kept += _comment(part.before)
                i += 1
            else:
                out.append((_after(kept, before), self._made(new[j], depth + 1)))
                j, kept = j + 1, ""
        return out, kept

    def _joined(self, pieces: list[_Piece], kept: str, start: int, depth: int, brackets: str) -> str:
        parts = self._parts(start)
        last = parts[-1].end if parts else start + 1
        tail = self._text[last : _skip(self._bare, last)]
        if not parts:  # what stands between the brackets comes first
            kept, tail = _comment(tail), self._end + self._indent * depth
            if kept and pieces:
                (before, text), *rest = pieces
                pieces, kept = [(_after(kept, before), text), *rest], ""
        if not pieces:
            return brackets[0] + _after(kept, tail) + brackets[1] if kept or _comment(tail) else brackets
        return brackets[0] + ",".join(before + text for before, text in pieces) + _after(kept, tail) + brackets[1]
