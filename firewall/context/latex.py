r"""LaTeX wrappers around words (`\text{word}`) outside math. Prices and `$HOME` are no math."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.context.code import OPAQUE
from firewall.context.spans import gone
from firewall.verdict import Finding

_WRAPPER = re.compile(r"\\(?:text(?:rm|bf|it|sf|tt|normal)?|math(?:rm|bf|it|sf|tt)|mbox)\s?\{")
# Every branch begins with a character of its own, so that the engine skips to the next one.
_SOURCE = re.compile(
    r"\\(?:(?:sub)*section|chapter|paragraph|label|cite[pt]?|(?:auto|page|eq)?ref|footnote|emph|enquote|caption|index|input"
    r"|include|usepackage|newcommand|bibliography\w*|begin|end)\*?[\[{]|\\(?:item|par|noindent|maketitle)\b"
)
_OPENER = re.compile(r"\$\$(?<!\\\$\$)|\$(?<![\\\w$]\$)(?![\s$])|\\[(\[]|\\begin\{[a-z]{4,12}\*?\}")
# Pandoc's rule for a dollar: the opener has no blank to its right, the closer none to its left and no
# digit after it. `$50 to $100` and `$HOME` fail it.
_DOLLAR = re.compile(r"(?<![\s\\])\$(?![\d$])")
_ENVIRONMENTS = ("equation", "align", "gather", "multline", "eqnarray", "math", "displaymath")
_LONGEST = {"$": 1000, "\\(": 2000}
_PARAGRAPH = re.compile(r"\n\r?\n")
_LONG = 8000  # characters of one formula; a delimiter whose partner is further away is none


def math_spans(masked: str) -> list[tuple[int, int]]:
    """Where `masked` is math, delimiters included. Linear: each partner is looked for once."""
    if "$" not in masked and "\\(" not in masked and "\\[" not in masked and "\\begin" not in masked:
        return []
    spans: list[tuple[int, int]] = []
    partner: dict[str, int] = {}  # the next closer of each kind, or the length where there is none
    done = 0
    for opener in _OPENER.finditer(masked):
        kind, start, inside = opener.group(), opener.start(), opener.end()
        if start < done:
            continue
        if kind.startswith("\\begin") and kind[7:-1].rstrip("*") not in _ENVIRONMENTS:
            continue
        if partner.get(kind, -1) < inside:
            partner[kind] = _partner(masked, kind, inside)
        close = partner[kind]
        if close - start > _LONGEST.get(kind, _LONG) or close >= len(masked):
            continue
        if kind in _LONGEST and _PARAGRAPH.search(masked, start, close):
            continue
        done = close + (1 if kind == "$" else 2 if len(kind) == 2 else len(kind) - 2)
        spans.append((start, done))
    return spans


def _partner(masked: str, kind: str, at: int) -> int:
    if kind == "$":
        match = _DOLLAR.search(masked, at)
        return match.start() if match else len(masked)
    closer = {"$$": "$$", "\\(": "\\)", "\\[": "\\]"}.get(kind, kind.replace("begin", "end"))
    found = masked.find(closer, at)
    return found if found >= 0 else len(masked)


def maybe(text: str) -> bool:
    """Is there anything like a wrapper in `text`, code or no code?"""
    return "\\" in text and _WRAPPER.search(text) is not None


def find(masked: str) -> Iterator[Finding]:
    """The command and its two braces of every wrapper in `masked`, whose code and math are masked."""
    if "\\" not in masked:
        return
    if "\\begin{document}" in masked or "\\documentclass" in masked or len(_SOURCE.findall(masked)) > 1:
        return  # TeX source: the commands are the text
    pairs: dict[int, int] | None = None
    for wrapper in _WRAPPER.finditer(masked):
        start, inside = wrapper.span()
        simple = _SIMPLE.match(masked, inside)
        if simple:
            close = simple.end() - 1
        else:
            pairs = _pairs(masked) if pairs is None else pairs
            close = pairs.get(inside - 1, -1)
        if close >= 0:
            yield gone(start, inside, "latex", _MESSAGE)
            yield gone(close, close + 1, "latex", _MESSAGE)


_SIMPLE = re.compile(rf"[^{{}}\n{OPAQUE}]{{0,200}}\}}")
_MESSAGE = "A LaTeX wrapper was removed; its words stay."


def _pairs(text: str) -> dict[int, int]:
    """Where the brace at each offset closes, within a paragraph and across no code."""
    pairs: dict[int, int] = {}
    open_braces: list[int] = []
    for match in _BRACES.finditer(text):
        char = match.group()
        if char == "{":
            open_braces.append(match.start())
        elif char != "}":
            open_braces.clear()
        elif open_braces:
            pairs[open_braces.pop()] = match.start()
    return pairs


_BRACES = re.compile(rf"[{{}}{OPAQUE}]|\n\r?\n")
