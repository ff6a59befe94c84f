"""Parts that are put into comments, and comments that are taken out: examples of the rule structure-loss. Pure data."""

from __future__ import annotations


def _indented(text: str) -> str:
    return "".join(f"   {line}".rstrip() + "\n" for line in text.rstrip("\n").split("\n"))


def _block(before: str, after: str) -> tuple[str, str]:
    return before + "\n", "\n" + after


_RST = ("..\n", None)
_ADOC = _block("////", "////\n")
_ADOC_STYLE = _block("[comment]\n--", "--\n")
_ORG = _block("#+begin_comment", "#+end_comment\n")
_TREE = ("* Old :noexport:\n", "")
_TEX = _block("\\iffalse", "\\fi\n")
_TEX_ENV = _block("\\begin{comment}", "\\end{comment}\n")
_TYP = _block("/*", "*/\n")
_NESTED = _block("/* /* a note */", "*/\n")
_MD = _block("<!--", "-->\n")
_DIV = _block("<div hidden>\n", "\n</div>\n")
_PARTS = (
    ("a.rst", _RST, ".. code-block:: sh\n\n   lamp on\n"),
    ("a.rst", _RST, "Run it::\n\n   lamp on\n"),
    ("a.rst", _RST, ".. image:: lamp.png\n   :alt: lamp\n"),
    ("a.rst", _RST, ".. toctree::\n   :maxdepth: 2\n\n   part1\n"),
    ("a.rst", _RST, ".. include:: part1.txt\n"),
    ("a.rst", _RST, ".. math::\n\n   x = y\n"),
    ("a.rst", _RST, "=====  =====\na      b\n=====  =====\n"),
    ("a.rst", _RST, "Oil\n---\n"),
    ("a.adoc", _ADOC, "[source,sh]\n----\nlamp on\n----\n"),
    ("a.adoc", _ADOC, "image::lamp.png[lamp]\n"),
    ("a.adoc", _ADOC, "include::part1.adoc[]\n"),
    ("a.adoc", _ADOC, "|===\n|a |b\n|===\n"),
    ("a.adoc", _ADOC, "[stem]\n++++\nx = y\n++++\n"),
    ("a.adoc", _ADOC, "== Oil\n"),
    ("a.adoc", _ADOC_STYLE, "image::lamp.png[lamp]\n"),
    ("a.adoc", ("[.hidden]\n====\n", "\n====\n"), "----\nlamp on\n----\n"),
    ("a.adoc", ("// ", ""), "image::lamp.png[lamp]\n"),
    ("a.org", _ORG, "#+begin_src sh\nlamp on\n#+end_src\n"),
    ("a.org", _ORG, "| a | b |\n|---+---|\n| 1 | 2 |\n"),
    ("a.org", _ORG, "[[file:lamp.png]]\n"),
    ("a.org", _ORG, '#+INCLUDE: "part1.org"\n'),
    ("a.org", _ORG, "\\[ x = y \\]\n"),
    ("a.org", _TREE, "#+begin_src sh\nlamp on\n#+end_src\n"),
    ("a.org", ("# ", ""), "[[file:lamp.png]]\n"),
    ("a.org", ("#+begin_src sh :exports none\n", None), "#+begin_src sh\nlamp on\n#+end_src\n"),
    ("a.tex", _TEX, "\\begin{lstlisting}\nlamp on\n\\end{lstlisting}\n"),
    ("a.tex", _TEX_ENV, "\\begin{minted}{sh}\nlamp on\n\\end{minted}\n"),
    ("a.tex", _TEX, "\\begin{tabular}{ll}\na & b\n\\end{tabular}\n"),
    ("a.tex", _TEX, "\\section{Oil}\n"),
    ("a.tex", ("% ", ""), "\\includegraphics{lamp.png}\n"),
    ("a.tex", ("% ", ""), "\\input{part1}\n"),
    ("a.tex", ("% ", ""), "\\[ x = y \\]\n"),
    ("a.tex", _TEX, "\\begin{align*}\nx &= y\n\\end{align*}\n"),
    ("a.typ", _TYP, "```sh\nlamp on\n```\n"),
    ("a.typ", _NESTED, "```sh\nlamp on\n```\n"),
    ("a.typ", _TYP, "#table(columns: 2, [a], [b])\n"),
    ("a.typ", ("#if false [\n", "\n]\n"), '#image("lamp.png")\n'),
    ("a.typ", ("#hide[\n", "\n]\n"), '#image("lamp.png")\n'),
    ("a.typ", ("// ", ""), '#include "part1.typ"\n'),
    ("a.typ", ("// ", ""), "$ x = y $\n"),
    ("a.md", _MD, "$$\nx = y\n$$\n"),
    ("a.md", _DIV, "![lamp](lamp.png)\n"),
    ("a.md", _DIV, "```sh\nlamp on\n```\n"),
    ("a.md", _DIV, "$$\nx = y\n$$\n"),
    ("a.md", ("{% comment %}\n", "\n{% endcomment %}\n"), "$$\nx\n$$\n"),
    ("a.md", ("::: {.hidden}\n", "\n:::\n"), "![lamp](lamp.png)\n"),
    ("a.md", (":::{comment}\n", "\n:::\n"), "## Oil\n"),
)


def _hidden(how: tuple[str, str | None], part: str) -> str:
    before, after = how
    if before == "..\n":
        return before + _indented(part)
    if after is None:
        return before + part.split("\n", 1)[1]
    return before + part + after.removeprefix("\n")


HIDINGS = (
    *((f"in a comment: {part[:40]!r}", f"\n{part}", f"\n{_hidden(how, part)}", True, path)
      for path, how, part in _PARTS),
    *((f"no comment any more: {part[:40]!r}", f"\n{_hidden(how, part)}", "\n", False, path)
      for path, how, part in _PARTS),
    ("a comment sign in code", "\n----\nlamp on\n----\n", "\n----\n// lamp on\n----\n", False, "a.adoc"),
    ("a formula that is code now", "\n$$\nx = y\n$$\n", "\n```math\nx = y\n```\n", False, "a.md"),
    ("a formula in a line now", "\n$$\nx = y\n$$\n", "\nWhere $x=y$ holds.\n", False, "a.md"),
    ("a formula with a number", "\n\\[ x = y \\]\n", "\n\\begin{equation}\nx = y\n\\end{equation}\n", False, "a.tex"),
    ("two formulas in one", "\n\\[ x = y \\]\n\\[ y = z \\]\n", "\n\\begin{align}\nx &= y\\\\ y &= z\n\\end{align}\n",
     False, "a.tex"),
    ("another formula", "\n\\[ x = y \\]\n", "\n\\[ x = y + 1 \\]\n", False, "a.tex"),
    ("a line of a table that is broken", "\na \\\\[2pt] b\n", "\na b\n", False, "a.tex"),
    ("a file taken in by another command", "\n\\input{part1.tex}\n", "\n\\include{part1}\n", False, "a.tex"),
    ("a file taken in by another name", "\ninclude::a.adoc[]\n", "\ninclude::b.adoc[]\n", False, "a.adoc"),
    ("a file taken over", "\n\\input{part1}\n", "\n" + "The lamps are lit at dusk. " * 8 + "\n", False, "a.tex"),
    ("a file taken in no more", "\n\\input{part1}\n", "\nThe lamps.\n", True, "a.tex"),
    ("a folder taken in", "\n.. toctree::\n\n   a\n   b\n", "\n.. toctree::\n   :glob:\n\n   *\n", False, "a.rst"),
    ("a preamble taken in", "\n\\input{macros}\n\\begin{document}\n", "\n\\usepackage{macros}\n\\begin{document}\n",
     False, "a.tex"),
)  # fmt: skip
"""What a text ends in before and after, whether that is a loss, and the name of the file."""
