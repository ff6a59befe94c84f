"""fenced_code_block: code that a reader can copy.

Satisfied by one fenced block that is closed, names a programming, shell, data or query language after
the opening fence, and has `lines` lines or more that are not blank. With the option `language` it must be
that language (`py` is `python`, `bash` is `sh`, and so on).

Not code: prose in a fence (text, markdown), diagrams (mermaid, plantuml), indented code, which names no
language, and a fence that is never closed, which swallows the rest of the section.
"""

from __future__ import annotations

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, number, plural, word

NAME = "fenced_code_block"
OPTIONS: Options = {"language": "", "lines": 3}

_SAME = {
    "py": "python", "python3": "python", "py3": "python", "bash": "sh", "shell": "sh", "zsh": "sh",
    "js": "javascript", "node": "javascript", "jsx": "javascript", "ts": "typescript", "tsx": "typescript",
    "yml": "yaml", "rs": "rust", "golang": "go", "rb": "ruby", "c++": "cpp", "cs": "csharp", "c#": "csharp",
    "jsonc": "json", "json5": "json", "kt": "kotlin", "ps1": "powershell", "pwsh": "powershell",
}  # fmt: skip
_PROSE = frozenset("text txt plain plaintext none markdown md mdx rst asciidoc quote".split())
_DIAGRAMS = frozenset("mermaid plantuml puml graphviz dot d2 ditaa".split())


def info_word(node: Node) -> str:
    """The first word after a fence's opener, lower case, without decoration: `{.Rust}` is rust."""
    info = str(node.attrs["info"]).strip()
    name = info.split()[0].split(",")[0].strip("{}").lstrip(".").lower() if info else ""
    return "" if name.startswith("class=") else name.split("{")[0].split(":")[0]


def language_of(node: Node) -> str:
    """The language a fence names, by its usual name, or empty."""
    name = info_word(node)
    return _SAME.get(name, name)


def code_of(node: Node) -> str:
    """The text inside a code block."""
    return "".join(str(child.attrs["literal"]) for child in node.children if child.kind == "text")


def fence_fault(node: Node) -> str | None:
    """What keeps a code block from being code in a named language, or None."""
    if not node.attrs["fenced"]:
        return "indented code names no language; put it in a fence"
    if not node.attrs["closed"]:
        return "the fence is never closed, so it takes in everything to the end"
    language = language_of(node)
    if not language:
        return "the fence names no language"
    if language in _PROSE:
        return f"a fence of {language!r} is quoted text, not code"
    if language in _DIAGRAMS:
        return f"a fence of {language!r} is a diagram, not code"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    language = word(options, "language")
    name = f"`{language}`" if language else "the language"
    lines = plural(number(options, "lines"), "line")
    return f"one closed code fence with {name} after the opening backticks and {lines} of code or more"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("code block", "code blocks")
    wanted = word(options, "language").lower()
    wanted = _SAME.get(wanted, wanted)
    least = number(options, "lines")
    for node in doc.find("code_block"):
        miss = fence_fault(node)
        lines = sum(1 for line in code_of(node).splitlines() if line.strip())
        if miss is None and wanted and language_of(node) != wanted:
            miss = f"the code is {language_of(node)}, not {wanted}"
        elif miss is None and lines < least:
            miss = f"the code has {plural(lines, 'line')}; {least} are needed"
        tries.look(node, miss)
    return tries.detection(doc, "there is no code")


PASS = (
    "```python\nimport os\n\nprint(os.name)\nprint(os.sep)\n```\n",
    "~~~sh\nset -e\ncd build\nmake\n~~~\n",
    "Text.\n\n````js\nconst fence = '```'\nlet n = 1\nrun(fence, n)\n````\n\nMore.\n",
    "- step\n\n  ```yaml\n  a: 1\n  b: 2\n  c: 3\n  ```\n",
    "> ```go\n> x := 1\n> y := 2\n> f(x, y)\n> ```\n",
    '```python title="run.py" {1,3}\na = 1\nb = 2\nc = a + b\n```\n',
    "```{.rust}\nlet a = 1;\nlet b = 2;\nrun(a, b);\n```\n",
    "```text\nnot code\n```\n\n```sql\nSELECT 1;\nSELECT 2;\nSELECT 3;\n```\n",
    "```python\ndef f():\n    '''\n    ~~~\n    '''\n    return 1\n```\n",
)
FAIL = (
    "",
    "Only `inline` code, and `more of it`.\n",
    "```\na = 1\nb = 2\nc = 3\n```\n",
    "```python\na = 1\nb = 2\nc = 3\n",
    "```python\na = 1\n\n\nb = 2\n```\n",
    "    a = 1\n    b = 2\n    c = 3\n",
    "```text\none\ntwo\nthree\n```\n",
    "```mermaid\nflowchart TD\n  A --> B\n  B --> C\n```\n",
    "~~~python\na = 1\nb = 2\nc = 3\n```\n",
    "````python\na = 1\nb = 2\nc = 3\n```\n",
    "<pre><code>\na = 1\nb = 2\nc = 3\n</code></pre>\n",
    "``python\na = 1\nb = 2\nc = 3\n``\n",
)
