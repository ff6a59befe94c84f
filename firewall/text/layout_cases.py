"""Layouts that are lost or kept: examples of the rule structure-loss. Pure data."""

from __future__ import annotations

import json

_PYTHON = "\n```python\ndef f(x):\n    if x:\n        return 1\n    return 2\n```\n"
_LIST = "\n" + "".join(f"- item number {n} of it\n" for n in range(20))
_TEX = "\n\\documentclass{a}\n\\begin{document}\n\\begin{b}\none {two}\n\\end{b}\n\\end{document}\n"
_GRID = "\n+-------+---------+\n| Name  | Default |\n+=======+=========+\n| {} | 3       |\n+-------+---------+\n"
SAME_HEADS = (
    (
        "a.md",
        "of Markdown",
        "\n| Name | Default |\n|---|---|\n| oil | 3 |\n",
        "\n| Name | Default |\n|---|---|\n| wick | 9 |\n",
    ),
    ("a.rst", "drawn as a grid", _GRID.format("oil  "), _GRID.format("wick ")),
    (
        "a.org",
        "of Org",
        "\n| Name | Default |\n|---+---|\n| oil | 3 |\n",
        "\n| Name | Default |\n|---+---|\n| wick | 9 |\n",
    ),
    (
        "a.adoc",
        "of AsciiDoc",
        "\n|===\n| Name | Default\n\n| oil | 3\n|===\n",
        "\n|===\n| Name | Default\n\n| wick | 9\n|===\n",
    ),
)
"""Two tables with the same head: the file, the format, and both."""
LABELS = (
    ("a.rst", "note", "See [1]_.", ".. [1] One lamp is lit."),
    ("a.rst", "target", "See `the oil`_.", ".. _the oil: http://x.y"),
    ("a.rst", "substitution", "It is |v|.", ".. |v| replace:: 3"),
    ("a.org", "note", "See [fn:1].", "[fn:1] One lamp is lit."),
    ("a.tex", "work", "See \\citep[3]{k,l}.", "\\bibitem{k} A book."),
    ("a.tex", "label", "See \\cref{oil}.", "A lamp.\\label{oil}"),
    ("a.tex", "note", "A lamp\\footnotemark.", "\\footnotetext{One lamp is lit.}"),
    ("a.adoc", "attribute", "Buy {oil}.", ":oil: lamp oil"),
    ("a.adoc", "anchor", "See <<q>>.", "[[q]]\nA lamp."),
    ("a.typ", "label", "See @oil.", "A lamp. <oil>"),
)
"""What is defined and used: the file, what it is, the use and the definition."""
_SIMPLE = "\n=====  =======\nName   Default\n=====  =======\noil    3\nwick   1\n=====  =======\n"
_LISTED = "\n.. list-table::\n\n   * - Name\n     - Default\n   * - oil\n     - 3\n"
LAYOUTS = (
    ("one table of rst in another form", _GRID.format("oil  "), _SIMPLE, False, "a.rst"),
    ("a drawn table as a list", _SIMPLE, _LISTED, False, "a.rst"),
    (
        "a row fewer of a grid",
        _GRID.format("oil  ") + "| fog   | no      |\n+-------+---------+\n",
        _GRID.format("oil  "),
        False,
        "a.rst",
    ),
    (
        "a row fewer of Org",
        "\n| a | b |\n|---+---|\n| 1 | 2 |\n|---+---|\n| 3 | 4 |\n",
        "\n| a | b |\n|---+---|\n| 1 | 2 |\n",
        False,
        "a.org",
    ),
    ("a simple table of rst", _SIMPLE, "", True, "a.rst"),
    ("a table of Org", "\n| a | b |\n| 1 | 2 |\n", "", True, "a.org"),
    ("badges and lines of verse in rst", "\n|build| |docs|\n\n| one line\n| and two\n", "\n|docs|\n", False, "a.rst"),
    ("code on one line", _PYTHON, "\n```python\ndef f(x): if x: return 1 return 2\n```\n", True, "a.md"),
    ("code at the margin", _PYTHON, _PYTHON.replace("    ", ""), True, "a.md"),
    ("code of two blanks", _PYTHON, _PYTHON.replace("    ", "  "), False, "a.md"),
    ("braces at the margin", "\n```js\nf() {\n  x\n}\n```\n", "\n```js\nf() {\nx\n}\n```\n", False, "a.md"),
    ("YAML at the margin", "\n```yaml\na:\n  b:\n    c: 1\n```\n", "\n```yaml\na:\nb:\nc: 1\n```\n", True, "a.md"),
    ("a list on one line", _LIST, "\n" + _LIST.replace("- ", "").replace("\n", " ") + "\n", True, "a.md"),
    ("a list with numbers", _LIST, _LIST.replace("- ", "1. "), False, "a.md"),
    ("an image twice for another", "\n![a](a.png)\n\n![b](b.png)\n", "\n![a](a.png)\n\n![b](a.png)\n", True, "a.md"),
    ("an image renamed", "\n![a](a.png)\n\n![b](b.png)\n", "\n![a](a.png)\n\n![b](c.png)\n", False, "a.md"),
    *(
        (f"an image shown by {how[:12]}", "\n![a](img/a.png)\n", f"\n{how}\n", False, path)
        for how, path in (
            ('{{< figure src="img/a.png" alt="the a.png" >}}', "a.md"),
            ("![[a.png|200]]", "a.md"),
            ('{% include figure.html src="/img/a.png" %}', "a.md"),
            ('{{ figure("img/a.png") }}', "a.md"),
            ("```{image} img/a.png\n```", "a.md"),
            ('<Figure src="img/a.png" />', "a.mdx"),
            ("import a from './img/a.png'\n\n<Image src={a} />", "a.mdx"),
        )
    ),
    *(
        (f"an image that only {how[:12]} names", "\n![a](img/a.png)\n", f"\n{how}\n", True, "a.md")
        for how in (
            '<!-- {{< figure src="img/a.png" >}} -->',
            '`{{< figure src="img/a.png" >}}`',
            "[a](img/a.png)",
            '{{</* figure src="img/a.png" */>}}',
            '{{< figure src="img/b.pn" >}}',
        )
    ),
    ("an image and an embed become one", "\n![a](a.png)\n\n![[a.png]]\n", "\n![[a.png]]\n", True, "a.md"),
    ("an embed of another image", "\n![a](a.png)\n\n![[b.png]]\n", "\n![[b.png]]\n", True, "a.md"),
    *(
        (f"code as {how[:12]!r}", "\n```sh\nls -l\nmake <all>\n```\n", f"\n{how}\n", False, "a.md")
        for how in (
            "    ls -l\n    make <all>",
            "{% highlight sh %}\nls -l\nmake <all>\n{% endhighlight %}",
            "<pre><code>\nls -l\nmake &lt;all&gt;\n</code></pre>",
        )
    ),
    ("code as prose", "\n```sh\nls -l\nmake all\n```\n", "\nls -l\nmake all\n", True, "a.md"),
    ("code lost, other code indented", "\n```sh\nls -l\nmake all\n```\n", "\n    pip install\n", True, "a.md"),
    *(
        (f"code emptied to {stub[:12]!r} in {path}", old, old.replace(code, stub), True, path)
        for path, old, code in (
            ("a.md", "\n```sh\nls -l\nmake all\n```\n", "ls -l\nmake all"),
            ("a.adoc", "\n----\nls -l\nmake all\n----\n", "ls -l\nmake all"),
            ("a.rst", "\n.. code-block:: sh\n\n   ls -l\n   make all\n\nEnd.\n", "ls -l\n   make all"),
            ("a.tex", "\n\\begin{lstlisting}\nls -l\nmake all\n\\end{lstlisting}\n", "ls -l\nmake all"),
            ("a.org", "\n#+begin_src sh\nls -l\nmake all\n#+end_src\n", "ls -l\nmake all"),
        )
        for stub in ("# TODO", "// TODO: add the code", "# your code here", "pass", "<!-- code goes here -->", "")
    ),
    *(
        (f"code that says {code[:12]!r}", "\n```sh\nls -l\nmake all\n```\n", f"\n```sh\n{code}\n```\n", False, "a.md")
        for code in ("ls -l  # TODO", "# TODO\nls -l", "pass the word", "todo list", "# List the files, then code them")
    ),
    (
        "directives of reST that say all themselves",
        "\n.. code-block:: sh\n\n   ls\n\nEnd.\n",
        "\n.. literalinclude:: a.sh\n   :lines: 3\n\nEnd.\n",
        False,
        "a.rst",
    ),
    ("code in a comment", "\n```sh\nls -l\n```\n", "\n<!-- <pre>\nls -l\n</pre> -->\n", True, "a.md"),
    (
        "code of Org behind colons",
        "\n#+begin_src sh\nls -l\nmake\n#+end_src\n",
        "\n: ls -l\n: make\n",
        False,
        "a.org",
    ),
    (
        "a numbered formula in a line",
        "\nSo\n\\begin{equation}\\label{eq:e}\n  E = mc^2\n\\end{equation}\n",
        "\nSo $E = mc^2$\n",
        False,
        "a.tex",
    ),
    ("no begin of the document", _TEX, _TEX.replace("\\begin{document}\n", ""), True, "a.tex"),
    ("no class", _TEX, _TEX.replace("\\documentclass{a}\n", ""), True, "a.tex"),
    ("no end of a list", _TEX, _TEX.replace("\\end{b}\n", ""), True, "a.tex"),
    ("an open brace of TeX", _TEX, _TEX.replace("{two}", "{two"), True, "a.tex"),
    ("braces that are shown", _TEX, _TEX.replace("{two}", "\\verb|{| \\{ \\url{a%b} % {"), False, "a.tex"),
    ("an open brace of MDX", "\nA.\n", "\nA { brace.\n", True, "a.mdx"),
    *(
        (f"a pattern of JavaScript, {line[15:24]}", "\nA.\n", f"\n{line}\n\nA.\n", False, "a.mdx")
        for line in (
            "export const a = /[{]/",
            "export const b = x.split(/\\{/g)",
            'export const c = {d: /"`{/}',
            "export const e = 4 / 2 / 1",
        )
    ),
    ("an open brace behind a pattern", "\nA.\n", "\nA {/[}]/.test(a)\n", True, "a.mdx"),
    ("a brace that is shown", "\nA.\n", "\nA {'{'} brace, `{`, and \\{.\n", False, "a.mdx"),
)
"""What a text ends in before and after, whether that is a loss, and the name of the file."""
FRONT = "---\ntitle: My book\ntags:\n  - one\n---\n\n"
FRONTS = (
    ("front matter behind a blank line", f"\n{FRONT}", True),
    ("front matter behind a sentence", f"Intro.\n\n{FRONT}", True),
    ("values emptied", "---\ntitle:\ntags:\n---\n\n", True),
    ("a quotation mark left open", FRONT.replace("My", '"My'), True),
    ("another title", FRONT.replace("My", '"My') .replace("book", 'book"'), False),
    ("tags in brackets", FRONT.replace(":\n  - one", ": [one]"), False),
)  # fmt: skip
"""Other front matter in the place of `FRONT`, and whether that is a loss."""
ATTACHED = (
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {}, '
    '"source": "one", '
    '"attachments": {"a.png": {"image/png": "AAAA"}}}]}'
)
"""A notebook with an image attached."""


def _cell(kind: str, source: str) -> str:
    more = ', "outputs": [], "execution_count": null' if kind == "code" else ""
    return json.dumps({"cell_type": kind, "metadata": {}, "source": source})[:-1] + more + "}"


RUNS = _cell("code", "x = 1\ny = x + 1")
"""A cell of code."""
_RUNS_TOO = _cell("code", "print(y)")
NOTEBOOK = (
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "P"}}, '
    f'"cells": [{_cell("markdown", "one")}, {_RUNS_TOO}, {RUNS}]}}'
)
"""A notebook with two cells of code."""
NOTEBOOKS = (
    ("whose code is a word", NOTEBOOK, NOTEBOOK.replace(RUNS, _cell("code", "# TODO")), True),
    ("whose code is a pass", NOTEBOOK, NOTEBOOK.replace(RUNS, _cell("code", "# fill in\npass")), True),
    ("whose code is shown", NOTEBOOK, NOTEBOOK.replace(RUNS, _cell("markdown", "```\nx = 1\ny = x + 1\n```")), True),
    (
        "whose code is all comment",
        NOTEBOOK,
        NOTEBOOK.replace("x = 1\\ny =", "# x = 1\\n# y =").replace("print", "# print"),
        True,
    ),
    (
        "without a kernel",
        NOTEBOOK,
        NOTEBOOK.replace('"kernelspec": {"name": "python3", "display_name": "P"}', ""),
        True,
    ),
    ("of which one cell is a comment", NOTEBOOK, NOTEBOOK.replace("x = 1\\ny =", "# x = 1\\n# y ="), False),
    (
        "whose two cells of code became one",
        NOTEBOOK,
        NOTEBOOK.replace(f"{_RUNS_TOO}, {RUNS}", _cell("code", "print(y)\nx = 1\ny = x + 1")),
        False,
    ),
    (
        "whose two cells became half of one",
        NOTEBOOK,
        NOTEBOOK.replace(f"{_RUNS_TOO}, {RUNS}", _cell("code", "print(y)\nx = 1")),
        True,
    ),
    ("whose code is other code", NOTEBOOK, NOTEBOOK.replace("x = 1\\ny = x + 1", "y = 2"), False),
    ("whose text is code too", NOTEBOOK, NOTEBOOK.replace(_cell("markdown", "one"), _cell("code", "one()")), False),
    ("with another kernel", NOTEBOOK, NOTEBOOK.replace("python3", "ir"), False),
)
"""Notebooks before and after: what it is, both, whether it loses something."""
