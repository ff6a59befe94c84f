"""What a text loses though all its words stay: the indentation of code, the lines of a list, paragraphs, and the
balance of what must be closed in TeX and MDX. Pure, linear time.
"""

from __future__ import annotations

from collections import Counter

from firewall.text import verbatim
from firewall.text.mdx import open_braces
from firewall.text.pattern import Pattern
from firewall.text.typeset import typeset

LEAST_ITEMS = 5
"""Items of lists that are gone while their words are not, from which on it is a loss."""
LEAST_GAPS = 8
"""Blank lines between paragraphs, of which most are gone while the words are not, from which on it is a loss."""
LEAST_LONG = 1000
"""Characters of a change that may take the breaks from between paragraphs."""
_ITEM = Pattern(r"(?m)^[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_TEX = Pattern(rf"\\(begin|end)[ \t]*\{{([^{{}}\n]{{1,100}})\}}|{verbatim.OPENS}|\\(?s:.)|%.*|[{{}}]")
_DROPPED = frozenset("comment filecontents".split())
_BRACED = frozenset({"alltt"})
"""Environments of code in which braces are braces."""
_ENDS_ANYWHERE = ("{", "}", ";", ",", ">", ")", "]")
"""How lines of code end whose indentation means nothing."""


def unindented(old: str, new: str) -> list[str]:
    """The first of those lines of code that came back with the same letters in the same order, and all at one depth
    where there were several, or on half as many lines: Python, YAML and the like mean something else then."""
    had, has = Counter(old.split("\n")), Counter(new.split("\n"))
    gone = [line for line in old.split("\n") if line.strip() and had[line] > has[line]]
    came = [line for line in new.split("\n") if line.strip() and has[line] > had[line]]
    if not came or not gone or "".join("".join(gone).split()) != "".join("".join(came).split()):
        return []
    if any(line.rstrip().endswith(_ENDS_ANYWHERE) for line in gone[:-1]):
        return []
    levels = _levels(gone)
    if levels > 1 and (_levels(came) < levels or 2 * len(came) <= len(gone)):
        return [gone[0].strip()]
    return []


def _levels(lines: list[str]) -> int:
    """At how many depths the lines stand; two that are one column apart are a slip of the hand."""
    depths = sorted({len(line[: len(line) - len(line.lstrip())].expandtabs()) for line in lines})
    return 1 if len(depths) == 2 and depths[1] - depths[0] == 1 else len(depths)


def faults(path: str, text: str) -> dict[str, int]:
    """What does not build in a text of TeX or MDX, by what it lacks, with how often."""
    name = path.lower()
    if name.endswith(".tex"):
        return _tex(text)
    if name.endswith(".mdx"):
        count = open_braces(text)
        return {"closing braces": count} if count else {}
    return {}


def _tex(text: str) -> dict[str, int]:
    """What is open in TeX: a brace in a branch that is never taken counts or not, as TeX reads it at its place, so
    what is balanced by either reading is."""
    found = _open(text)
    return found if found and _open(typeset(text)) else {}


def _open(text: str) -> dict[str, int]:
    depth = at = 0
    open_: Counter[str] = Counter()
    raws = verbatim.code_environments(text) - _BRACED | _DROPPED
    letters = verbatim.Letters(text)
    while found := _TEX.made.search(text, at):
        at = found.end()
        name = found[2]
        if name:
            bare = name.rstrip("*")
            if found[1] == "begin" and bare in raws:
                closer = text.find(f"\\end{{{name}}}", at)
                if closer < 0:
                    open_[name] += 1
                    break
                at = closer + len(name) + len("\\end{}")
            else:
                open_[name] += 1 if found[1] == "begin" else -1
        elif found["letter"]:
            at = letters.end(at, found["letter"])
        elif found.group() == "{":
            depth += 1
        elif found.group() == "}":
            depth -= 1
    out = {
        f"\\end{{{name}}}" if count > 0 else f"\\begin{{{name}}}": abs(count) for name, count in open_.items() if count
    }
    if depth:
        out["closing braces" if depth > 0 else "opening braces"] = abs(depth)
    return out


def flattened(old: str, new: str) -> int:
    """How many breaks between paragraphs are gone, where most are, and with them the lines: it all stands on a few."""
    gaps, left = old.count("\n\n"), new.count("\n\n")
    if gaps < LEAST_GAPS or 4 * left > gaps:
        return 0
    return gaps - left if 4 * sum(1 for line in new.split("\n") if line.strip()) <= gaps + 4 else 0


def lost_items(old: str, new: str) -> int:
    """How many lines are no items of a list any more, where most are not."""
    if not any(sign in old for sign in ("\n- ", "\n* ", "\n+ ", "\n1")):
        return 0
    items, left = len(_ITEM.findall(old)), len(_ITEM.findall(new))
    return items - left if items - left >= LEAST_ITEMS and 2 * left < items else 0


def preamble(path: str, text: str) -> frozenset[str]:
    """Those lines without which TeX prints nothing that a text has."""
    if not path.lower().endswith(".tex"):
        return frozenset()
    return frozenset(line for line in ("\\documentclass", "\\begin{document}") if line in text)
