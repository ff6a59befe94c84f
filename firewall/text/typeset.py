"""What TeX prints of a source: no comments, no branch that is never taken, nothing behind the end. Pure, linear time.

Conditionals are those that a reader of the source can decide: `\\iffalse`, `\\iftrue`, `\\if0`, and those of `\\newif`,
which begin as false. Of others both branches count as printed.
"""

from __future__ import annotations

import re

from firewall.text.pattern import Pattern

_TOKEN = Pattern(
    r"\\begin[ \t]*\{(?P<raw>verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?\}"
    r"|\\(?:[vV]erb|lstinline|mintinline\{\w+\}|path)\*?(?:\[[^\]\n]{0,200}\])?(?P<bar>[^A-Za-z\s*{]).{0,400}?(?P=bar)"
    r"|\\(?P<name>[A-Za-z@]+)"
    r"|\\(?s:.)"
    r"|%.*"
)
_DOCUMENT = Pattern(r"\s*\{document\}")
_LET = Pattern(r"\s*\\(if[A-Za-z@]+)\s*=?\s*\\if(true|false)(?![A-Za-z@])")
_NEW = Pattern(r"\s*\\if([A-Za-z@]+)")
_DROPPED = ("comment", "filecontents")
_NO_CONDITIONALS = frozenset(
    "iff ifthenelse ifdefstring ifstrequal ifstrempty ifblank ifnotblank iftoggle ifbool ifboolexpr ifpackageloaded "
    "ifclassloaded ifdefempty ifundef ifcsdef ifdefequal IfFileExists".split()
)
"""Commands named like conditionals that take their branches in braces."""


def typeset(text: str) -> str:
    """`text` (LF line ends) less what TeX passes over."""
    if "%" not in text and "\\" not in text:
        return text
    out: list[str] = []
    known: dict[str, bool] = {"iffalse": False, "iftrue": True}
    branches: list[bool | None] = []  # of each open conditional: is this branch taken, None where nobody knows
    skipped = 0
    at = start = 0
    while True:
        found = _TOKEN.made.search(text, at)
        if found is None:
            break
        at = end = found.end()
        name, raw = found["name"], found["raw"]
        drop = text[found.start()] == "%"
        if raw and not skipped:
            closer = text.find(f"\\end{{{raw}", at)
            at = len(text) if closer < 0 else closer
            end, drop = at, raw in _DROPPED
        elif name in ("end", "endinput") and not skipped and (name == "endinput" or _DOCUMENT.made.match(text, at)):
            out.append(text[start : found.start()])
            return "".join(out)
        elif name == "newif" and (new := _NEW.made.match(text, at)):
            known["if" + new[1]] = False
            at = end = new.end()
        elif name == "let" and (let := _LET.made.match(text, at)):
            known[let[1]] = let[2] == "true"
            at = end = let.end()
        elif name and name.endswith(("true", "false")) and not skipped:
            stem = "if" + name.removesuffix("true").removesuffix("false")
            known = {**known, stem: name.endswith("true")} if stem in known else known
        if name and (name == "else" or name == "fi" or (name.startswith("if") and name not in _NO_CONDITIONALS)):
            if not skipped:
                out.append(text[start : found.start()])
            last = branches.pop() if branches and name in ("fi", "else") else None
            skipped -= last is False
            if name == "else" and last is not None:
                branches.append(not last)
            elif name == "else":
                branches.append(None)
            elif name == "if" and re.match(r"[ \t]*0[^0]", text[at : at + 20]):
                branches.append(False)
            elif name != "fi":
                branches.append(known.get(name))
            skipped += name != "fi" and branches[-1] is False
            start = found.start() if not skipped else end
            continue
        if drop and not skipped:
            out.append(text[start : found.start()])
            start = end
        elif skipped:
            start = end
    if not skipped:
        out.append(text[start:])
    return "".join(out)


_MACRO = Pattern(
    r"\\(?:[hv]?phantom|(?:re)?newcommand|providecommand|[gex]?def|sbox|savebox|pdfinfo|hypersetup|@gobble|label|index|glossary|"
    r"href|color|textcolor)(?![A-Za-z@])\*?|\\setbox[^{}\n]{0,60}(?=\{)"
)
_WHITE = Pattern(r"\s*(?:\[[^\]{}]{0,40}\])?\s*\{\s*(?:white|#?[fF]{6}|1(?:\.0*)?(?:,1(?:\.0*)?)*)\s*\}")
_NAMED = Pattern(r"\s*(?:\{\s*\\[A-Za-z@]+\s*\}|\\[A-Za-z@]+)?\s*(?:\[[^\]]{0,200}\]|#\d|\s)*")


def printed(text: str) -> str:
    """What of a typeset source a reader sees as text: no preamble, no definitions, nothing that only takes its space or
    has the colour of the paper."""
    begin = text.find("\\begin{document}")
    if begin >= 0:
        text = text[begin + len("\\begin{document}") :]
    out: list[str] = []
    start = at = 0
    while True:
        found = _MACRO.made.search(text, at)
        if found is None:
            break
        at = end = found.end()
        if found.group().startswith(("\\color", "\\textcolor")):
            white = _WHITE.made.match(text, at)
            if white is None:
                continue
            end = _group_end(text, white.end(), 1 if found.group().startswith("\\color") else 0)
        else:
            named = _NAMED.made.match(text, at)
            opens = named.end() if named else at
            if text[opens : opens + 1] != "{":
                continue
            end = _group_end(text, opens, 0)
        out.append(text[start : found.start()])
        start = at = end
    out.append(text[start:])
    return "".join(out)


def _group_end(text: str, at: int, depth: int) -> int:
    """Where the group ends that is open at `at` (`depth` 1), or that opens there."""
    for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at):
        if found.group() == "{":
            depth += 1
        elif found.group() == "}":
            depth -= 1
            if depth <= 0:
                return found.end()
    return len(text)
