"""What TeX prints of a source: no comments, no branch that is never taken, nothing behind the end. Pure, linear time.

Conditionals are those that a reader of the source can decide: `\\iffalse`, `\\iftrue`, those of `\\newif`, which begin
as false, and those that compare numbers or letters. Of others both branches count as printed.
"""

from __future__ import annotations

from firewall.text import verbatim
from firewall.text.pattern import Pattern

_TOKEN = Pattern(
    rf"\\begin[ \t]*\{{[ \t]*(?P<raw>[A-Za-z@]+)\*?[ \t]*\}}|{verbatim.OPENS}"
    r"|\\(?P<name>[A-Za-z@]+)"
    r"|\\(?s:.)"
    r"|%.*"
)
_ENDS = {
    "end": Pattern(r"\s*\{document\}"),
    "csname": Pattern(r"\s*(?:@@end|end|stop|bye|enddocument)\s*\\endcsname\b"),
}
_HANDLED = Pattern(r"\\(?:let\s*(?:\\[A-Za-z@]{1,40}\s*=?)?|[gx]?def|renewcommand\*?\s*\{?)\s*\Z")
"""What names the command behind it without running it."""
_LET = Pattern(r"\s*\\(if[A-Za-z@]+)\s*=?\s*\\if(true|false)(?![A-Za-z@])")
_NEW = Pattern(r"\s*\\if([A-Za-z@]+)")
_EXCLUDED = Pattern(r"\s*\{\s*([A-Za-z@]+)\s*\}")
_NUMBERS = Pattern(r"\s*(-?\d+(?:\.\d+)?)[ \t]*(?:[a-z]{2})?[ \t]*([<=>])[ \t]*(-?\d+(?:\.\d+)?)")
_NUMBER = Pattern(r"\s*(-?\d+)")
_LETTERS = Pattern(r"[ \t]*([^\s\\{}#%$&])([^\\{}#%$&])")
_DROPPED = frozenset("comment filecontents lrbox".split())
_DROPS = Pattern(
    r"\\(?:re)?newenvironment\*?\s*\{([A-Za-z@]{1,40})\}(?:\[[^\]]{0,40}\])*\s*\{[^{}]{0,40}"
    r"\\(?:begin\{(?:lrbox|comment)\}|setbox)|\\(?:Re)?[nN]ewEnviron\s*\{([A-Za-z@]{1,40})\}\s*\{\s*\}"
)
"""Environments that print nothing of what they hold."""
_LAST = ("end", "endinput", "stop", "bye", "enddocument", "csname")
_NO_CONDITIONALS = frozenset(
    "iff ifthenelse ifdefstring ifstrequal ifstrempty ifblank ifnotblank iftoggle ifbool ifboolexpr ifpackageloaded "
    "ifclassloaded ifdefempty ifundef ifcsdef ifdefequal IfFileExists".split()
)
"""Commands named like conditionals that take their branches in braces."""


def _constant(name: str, text: str, at: int) -> bool | None:
    """Is a conditional of numbers or letters true, None where that is not in the source?"""
    if name in ("ifnum", "ifdim"):
        found = _NUMBERS.made.match(text, at)
        if found is None:
            return None
        one, other = float(found[1]), float(found[3])
        return {"<": one < other, "=": one == other, ">": one > other}[found[2]]
    if name in ("ifodd", "ifcase"):
        found = _NUMBER.made.match(text, at)
        return None if found is None else int(found[1]) % 2 == 1 if name == "ifodd" else int(found[1]) == 0
    if name in ("if", "ifx", "ifcat"):
        found = _LETTERS.made.match(text, at)
        return None if found is None or (name == "ifcat" and found[1] != found[2]) else found[1] == found[2]
    return None


def typeset(text: str) -> str:
    """`text` (LF line ends) less what TeX passes over, whose line ends are kept: a line is the same line still."""
    if "%" not in text and "\\" not in text:
        return text
    kept: list[tuple[int, int]] = []
    raws = verbatim.code_environments(text)
    letters = verbatim.Letters(text)
    known: dict[str, bool] = {"iffalse": False, "iftrue": True}
    branches: list[bool | None] = []  # of each open conditional: is this branch taken, None where nobody knows
    dropped = _DROPPED
    if "nviron" in text:
        dropped = dropped.union(name for found in _DROPS.finditer(text) if (name := found[1] or found[2]))
    skipped = 0
    unless = False
    at = start = 0
    while True:
        found = _TOKEN.made.search(text, at)
        if found is None:
            break
        at = end = found.end()
        name, raw, letter = found["name"], found["raw"], found["letter"]
        drop = text[found.start()] == "%"
        if letter:
            at = letters.end(at, letter) if not skipped else at
            continue
        if raw and (raw in raws or raw in dropped) and not skipped:
            closer = text.find(f"\\end{{{raw}", at)
            at = len(text) if closer < 0 else closer
            end, drop = at, raw in dropped
        elif name in _LAST and not skipped and _is_last(name, text, found.start()):
            last_of = _ENDS["end"].made.match(text, at) if name == "end" else None
            kept.append((start, last_of.end() if last_of else found.start()))
            return _joined(text, kept)
        elif name == "newif" and (new := _NEW.made.match(text, at)):
            known["if" + new[1]] = False
            at = end = new.end()
        elif name == "let" and (let := _LET.made.match(text, at)):
            known[let[1]] = let[2] == "true"
            at = end = let.end()
        elif name and name.endswith(("true", "false")) and not skipped:
            stem = "if" + name.removesuffix("true").removesuffix("false")
            if stem in known:
                known[stem] = name.endswith("true")
        elif name == "excludecomment" and (excluded := _EXCLUDED.made.match(text, at)):
            dropped |= {excluded[1]}
        elif name == "unless":
            unless = True
            continue
        if name and (name == "else" or name == "fi" or (name.startswith("if") and name not in _NO_CONDITIONALS)):
            if not skipped:
                kept.append((start, found.start()))
            last = branches.pop() if branches and name in ("fi", "else") else None
            skipped -= last is False
            if name == "else" and last is not None:
                branches.append(not last)
            elif name == "else":
                branches.append(None)
            elif name != "fi":
                taken = known.get(name, _constant(name, text, at))
                branches.append((not taken) if unless and taken is not None else taken)
            unless = False
            skipped += name != "fi" and branches[-1] is False
            start = found.start() if not skipped else end
            continue
        if drop and not skipped:
            kept.append((start, found.start()))
            start = end
        elif skipped:
            start = end
    if not skipped:
        kept.append((start, len(text)))
    return _joined(text, kept)


def _is_last(name: str, text: str, start: int) -> bool:
    """Does the command that begins here end the text?"""
    if name in _ENDS:
        return _ENDS[name].made.match(text, start + 1 + len(name)) is not None
    return name != "enddocument" or not _HANDLED.search(text[max(0, start - 60) : start])


def _joined(text: str, kept: list[tuple[int, int]]) -> str:
    """What is kept of a text, with the line ends of what is not."""
    out: list[str] = []
    at = 0
    for start, end in (*kept, (len(text), len(text))):
        out += ["\n" * text.count("\n", at, start), text[start:end]]
        at = end
    return "".join(out)
