"""The displayed formulas of TeX, Org and Typst, and how two formulas are compared. Pure, linear time."""

from __future__ import annotations

from collections.abc import Iterator

from firewall.text.pattern import Pattern

_ENVIRONMENTS = (
    "equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|dmath|math|subequations|IEEEeqnarray"
)
_TEX = Pattern(
    rf"\\\\|\\\[|\\\]|\$\$|\\begin\{{(?P<begin>{_ENVIRONMENTS})\*?\}}|\\end\{{(?P<end>{_ENVIRONMENTS})\*?\}}|\\\$"
)
_TYP = Pattern(r"\\.|`+[^`]*`+|\$|\n[ \t]*\n")


def bare(formula: str) -> str:
    """A formula less its blanks, which mean nothing in it."""
    return "".join(formula.split())


def formulas(made: str, text: str) -> tuple[str, ...]:
    """The displayed formulas of a text of this kind (less comments and code), bare."""
    if made == "typ":
        return tuple(_typ(text)) if "$" in text else ()
    return tuple(_tex(text)) if "$$" in text or "\\" in text else ()


def _tex(text: str) -> Iterator[str]:
    closer = ""
    start = 0
    for found in _TEX.finditer(text):
        sign = found.group()
        if sign in ("\\\\", "\\$"):
            continue
        if not closer:
            closer = "$$" if sign == "$$" else "\\]" if sign == "\\[" else found["begin"] or ""
            start = found.end()
        elif closer in (sign, found["end"]):
            yield bare(text[start : found.start()])
            closer = ""


def _typ(text: str) -> Iterator[str]:
    """Those with a blank at both ends, which stand on lines of their own."""
    start = -1
    for found in _TYP.finditer(text):
        sign = found.group()
        if sign == "$" and start < 0:
            start = found.end()
        elif sign == "$":
            inside = text[start : found.start()]
            if inside[:1].isspace() and inside[-1:].isspace() and inside.strip():
                yield bare(inside)
            start = -1
        elif sign[0] == "\n":  # no formula goes on in another paragraph
            start = -1
