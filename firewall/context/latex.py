r"""LaTeX wrappers around words (`\text{word}`) outside math. Prices and `$HOME` are no math."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.context.spans import Removal
from firewall.text.markdown import OPAQUE

_WRAPPER = re.compile(r"\\(?:text(?:rm|bf|it|sf|tt|normal)?|math(?:rm|bf|it|sf|tt)|mbox)\s?\{")
# Pandoc's rule for a dollar: the opener has no blank to its right, the closer none to its left and no
# digit after it. `$50 to $100` and `$HOME` fail it.
_MATH = re.compile(
    r"""\$\$(?:[^$\\]|\\.){1,4000}?\$\$
    | (?<![\\$\w])\$(?![\s$])(?:[^$\\\n]|\\.|\n(?!\s*\n)){0,1000}?(?<![\s\\])\$(?![\d$])
    | \\\((?:[^\\\n]|\\[^)]|\n(?!\s*\n)){1,1000}?\\\)
    | \\\[(?:[^\\]|\\[^\]]){1,4000}?\\\]
    | \\begin\{(equation|align|gather|multline|eqnarray|math|displaymath)(\*?)\}.{0,8000}?\\end\{\1\2\}
    """,
    re.VERBOSE | re.DOTALL,
)


def math_spans(masked: str) -> list[tuple[int, int]]:
    """Where `masked` is math, delimiters included."""
    if "$" not in masked and "\\" not in masked:
        return []
    return [m.span() for m in _MATH.finditer(masked)]


def find(masked: str) -> Iterator[Removal]:
    """The command and its two braces of every wrapper in `masked`, whose code and math are masked."""
    if "\\" not in masked:
        return
    if "\\begin{document}" in masked or "\\documentclass" in masked:  # TeX source: the commands are the text
        return
    for wrapper in _WRAPPER.finditer(masked):
        close = _closing(masked, wrapper.end())
        if close < 0:
            continue
        message = f"The LaTeX wrapper {wrapper.group().rstrip('{ ')} was removed; its words stay."
        yield Removal(*wrapper.span(), "latex", message)
        yield Removal(close, close + 1, "latex", message)


def _closing(text: str, start: int) -> int:
    """Where the brace that opens just before `start` closes, within a paragraph; -1 if nowhere."""
    depth = 1
    for at in range(start, min(len(text), start + 2000)):
        c = text[at]
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if not depth:
                return at
        elif c == OPAQUE or text.startswith("\n\n", at):
            return -1
    return -1
