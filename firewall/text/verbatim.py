r"""What TeX takes to the letter: `\verb|%|`, `\lstinline{x % y}`, `\url{a%20b}`, `\string{`, environments of code.
Pure, linear time.

A percent sign there begins no comment, and a brace there opens no group. The one place that knows these commands.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern

OPENS = r"\\(?P<letter>[vV]erb|spverb|lstinline|mintinline|mint|path|url|nolinkurl|href|string)(?![A-Za-z@])"
"""The commands, as part of a pattern: `Letters` says where what they take to the letter ends."""
NAMES = frozenset("verb Verb spverb lstinline mintinline mint path url nolinkurl href string".split())
"""The names of the commands."""
CODE = frozenset(
    "verbatim Verbatim BVerbatim LVerbatim SaveVerbatim spverbatim alltt lstlisting minted tcblisting".split()
)
"""Environments that print what they hold to the letter."""
_STRING = Pattern(r"[ \t]*(?:\\(?:[A-Za-z@]+|(?s:.))|[^\s%\\])")
_OPTIONS = Pattern(r"\*?(?:[ \t]*\[[^\]\n]{0,500}\])?")
_LANGUAGE = Pattern(r"(?:\[[^\]\n]{0,500}\])?[ \t]*\{[^{}\n]{1,60}\}")
_BAR = Pattern(r"(?P<bar>[^A-Za-z\s*{\\]).{0,400}?(?P=bar)")
_BRACE = Pattern(r"(?s)\\.|[{}]|\n[ \t]*\n")
_RAW_BRACE = Pattern(r"[{}]|\n[ \t]*\n")
_DEFINED = Pattern(
    r"\\(?:lstnewenvironment|DefineVerbatimEnvironment|newtcblisting|newverbatim)\*?[ \t]*\{([A-Za-z]{1,60})\}"
    r"|\\newminted(?:\[([A-Za-z]{1,60})\]|\{([A-Za-z]{1,60})\})"
)


class Letters:
    """Where in a text what is taken to the letter ends. Braces are paired once for the whole text, so that many
    commands whose groups never end cost no more than their number."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pairs: dict[bool, dict[int, int]] = {}

    def end(self, at: int, name: str) -> int:
        """Where the argument ends that the command of this name (of `NAMES`) takes to the letter, `at` being behind
        its name; `at` where it has none that ends."""
        text = self._text
        if name == "string":
            token = _STRING.made.match(text, at)
            return token.end() if token else at
        if name in ("mint", "mintinline"):
            language = _LANGUAGE.made.match(text, at)
            opens = language.end() if language else at
        else:
            options = _OPTIONS.made.match(text, at)
            opens = options.end() if options else at
        if text[opens : opens + 1] == "{":
            return max(at, self._group_end(opens, escapes=name != "verb"))
        if name == "href" or (name == "path" and text[opens : opens + 1] == "("):  # the latter is TikZ
            return at
        bar = _BAR.made.match(text, opens)
        return bar.end() if bar else at

    def _group_end(self, at: int, *, escapes: bool) -> int:
        """Behind the group that opens here; -1 where it does not end in the paragraph. An escaped brace is none, but
        where the group would not end then."""
        closed = self._paired(escapes=True).get(at, -1) if escapes else -1
        return closed if closed >= 0 else self._paired(escapes=False).get(at, -1)

    def _paired(self, *, escapes: bool) -> dict[int, int]:
        """The end of each group by its start."""
        if escapes not in self._pairs:
            pairs = self._pairs[escapes] = {}
            stack: list[int] = []
            for found in (_BRACE if escapes else _RAW_BRACE).finditer(self._text):
                sign = found.group()
                if sign == "{":
                    stack.append(found.start())
                elif sign == "}" and stack:
                    pairs[stack.pop()] = found.end()
                elif sign[0] == "\n":
                    stack = []
        return self._pairs[escapes]


def code_environments(text: str) -> frozenset[str]:
    """The names of environments that print to the letter, those that the text defines among them."""
    if "nvironment" not in text and "newtcblisting" not in text and "newminted" not in text and "newverb" not in text:
        return CODE
    names = {found[1] or found[2] or f"{found[3]}code" for found in _DEFINED.finditer(text)}
    return CODE | names if names else CODE
