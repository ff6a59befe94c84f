"""`tomllib.loads` for text that anybody may have written.

The standard reader takes memory with the square of a key's parts, one stack frame for each bracket, and answers a
number of thousands of digits, or too many brackets, with other errors than its own. Where its text is an agent's, that
would end the process that has to put the text back.
"""

from __future__ import annotations

import re

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

LARGEST = 1_000_000
"""Characters of a text that is read."""
_MOST_PARTS = 40
"""Parts of a dotted key."""
_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)
_NO_KEY = re.compile(r"[^A-Za-z0-9_\-. \t]+")
_AT_LINE = re.compile(r"\s*\(at line (\d+)[^)]*\)$|\s*\(at end of document\)$")


class Unreadable(ValueError):
    """Not TOML, or TooMuch. `line` counts from 1; `problem` says what is wrong there."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"{problem} (line {line})")
        self.line = line
        self.problem = problem


class TooMuch(Unreadable):
    """It may be TOML, but is larger, deeper or longer in a key or number than is read."""


def loads(text: str) -> dict[str, Any]:
    """The value of a TOML text. Raises Unreadable, a ValueError, and nothing else."""
    import tomllib

    last = text.count("\n") + 1
    if len(text) > LARGEST:
        raise TooMuch(last, f"longer than {LARGEST:,} characters")
    if any(line.count(".") >= _MOST_PARTS for line in text.split("\n")):
        for number, line in enumerate(_STRING_OR_COMMENT.sub(_blank, text).split("\n"), 1):
            if _parts(line) > _MOST_PARTS:
                raise TooMuch(number, f"a key of more than {_MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        problem = _AT_LINE.sub("", str(error))
        raise Unreadable(int(at[1]) if at and at[1] else last, problem) from None
    except RecursionError:
        raise TooMuch(last, "nested too deep") from None
    except ValueError:  # the one that the interpreter will not make
        raise TooMuch(last, "a number of thousands of digits") from None


def _blank(found: re.Match[str]) -> str:
    """A comment is nothing, a string one word, which it may be in a key; the lines stay."""
    token = found.group()
    return "" if token[0] == "#" else "q" + "\n" * token.count("\n")


def _parts(line: str) -> int:
    """Parts of the longest run of words between dots. No key in the line has more."""
    longest = 0
    for piece in _NO_KEY.split(line):
        run = 0
        for part in piece.split("."):
            run = run + 1 if part.strip() else 0
            longest = max(longest, run)
    return longest
