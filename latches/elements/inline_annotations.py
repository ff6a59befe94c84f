# ruff: noqa: E501 (examples stand one a line)
"""inline_annotations: comments that explain code where it stands.

Satisfied by one closed code fence in a named language (as in fenced_code_block) that has `comments`
comments or more of `words` words or more each, and at least as many lines of code as comments. A comment
is a line, or the end of a line, in the language's own comment syntax; `/* … */` and `<!-- … -->` count
once however long. Which marks begin a comment goes by the language: `#` for Python, shell, YAML, TOML,
Ruby …; `//` and `/*` for the C family, Go, Rust, JavaScript …; `--` for SQL, Lua and Haskell; `;` for Lisp
and INI; `%` for TeX and Erlang; `<!--` for HTML and XML. Other languages may use `#` or `//`.

Not annotations: comments around the fence, a mark inside a string, `#!` lines, orders to tools (`noqa`,
`type: ignore`, `eslint-disable`), code that was commented out, one word over and over, and JSON, which has no comments.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document
from latches.elements.base import Detection, Options, Tries, number, plain_words, plural
from latches.elements.fenced_code_block import code_of, fence_fault, language_of

NAME = "inline_annotations"
OPTIONS: Options = {"comments": 2, "words": 3}

_HASH = frozenset(
    "python sh ruby perl r yaml toml dockerfile docker makefile make nginx julia elixir powershell hcl "
    "terraform cmake graphql nix awk sed tcl conf properties dotenv env gitignore fish coffee".split()
)
_SLASHES = frozenset(
    "c cpp csharp java javascript typescript go rust swift kotlin scala dart php css scss less zig proto groovy "
    "solidity objectivec d v jsonnet json".split()
)
_DASHES = frozenset("sql postgresql psql mysql plsql sqlite lua haskell hs ada vhdl elm".split())
_SEMICOLONS = frozenset("lisp clojure scheme elisp ini asm nasm racket".split())
_PERCENTS = frozenset("tex latex erlang prolog matlab octave".split())
_ANGLES = frozenset("html xml svg vue markdown xhtml".split())
_TO_TOOLS = re.compile(
    r"^(?:!|-\*-|noqa|type:|pylint:|pragma:?|mypy:|ruff:|fmt:|isort:|eslint|prettier|@ts-|ts-|nolint|noinspection"
    r"|shellcheck|region|endregion|vim:|coding[:=])",
    re.IGNORECASE,
)

_PROGRAM = re.compile(
    r"(?:[\w.\[\]\"']+\s*(?:[-+*/|&%]|\*\*|//|<<|>>|:)?=(?!=)\s*\S|(?:import|use|using|#?include)\s+[\w.:<>/\"{}*]+(?:\s+as\s+\w+)?;?$"
    r"|from\s+[\w.]+\s+import\s|(?:return|assert|raise|throw|del|yield|await|var|let|const)\b.*[;()\[\]=]"
    r"|(?:def|fn|func|function|class|struct)\s+\w+.*[:{(]|(?:if|for|while|with|elif|else|try)\b.*[:{]$"
    r"|[\w.]+\([^()]*(?:\([^()]*\)[^()]*)*\)\s*[;{]?$|.*[;{}]$)"
)
"""A comment that is itself a line of a program."""


def _marks(language: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """(marks of comments to the end of the line, pairs around block comments)."""
    if language in _HASH:
        return ("#",), ()
    if language in _SLASHES:
        return (() if language in ("css", "json") else ("//",)), (() if language == "json" else (("/*", "*/"),))
    if language in _DASHES:
        return ("--",), (("/*", "*/"), ("{-", "-}"))
    if language in _SEMICOLONS:
        return (";", "#") if language == "ini" else (";",), ()
    if language in _PERCENTS:
        return ("%",), ()
    if language in _ANGLES:
        return (), (("<!--", "-->"),)
    return ("#", "//"), (("/*", "*/"),)


def comments(code: str, language: str) -> tuple[list[str], int]:
    """(texts of the comments in `code`, lines that hold code)."""
    ends, pairs = _marks(language)
    found: list[str] = []
    code_lines = 0
    until = ""  # the mark that closes the string or comment we are in
    parts: list[str] | None = None  # the block comment so far, None inside a string
    for line in code.splitlines():
        at = 0
        has_code = False
        while at < len(line):
            if until:
                close = line.find(until, at)
                if parts is not None:
                    parts.append(line[at : close if close >= 0 else len(line)])
                else:
                    has_code = True
                if close < 0:
                    break
                if parts is not None:
                    found.append(" ".join(parts))
                at, until, parts = close + len(until), "", None
                continue
            pair = next((p for p in pairs if line.startswith(p[0], at)), None)
            if pair is not None:
                until, parts, at = pair[1], [], at + len(pair[0])
                continue
            fresh = at == 0 or line[at - 1] in " \t;{})],"
            mark = next((m for m in ends if fresh and line.startswith(m, at)), None)
            if mark is not None:
                found.append(line[at:].lstrip("".join(ends) + "/!*"))
                if line.startswith("#!", at):
                    found.pop()
                break
            char = line[at]
            if char in "\"'`":
                tripled = line.startswith(char * 3, at)
                if tripled and language == "python":
                    until, parts, at = char * 3, None, at + 3
                else:
                    close = _string_end(line, at)
                    at = close if close > 0 else at + 1
                has_code = True
                continue
            has_code = has_code or not char.isspace()
            at += 1
        code_lines += has_code
    return [text.strip() for text in found if not _TO_TOOLS.match(text.strip())], code_lines


def _string_end(line: str, at: int) -> int:
    """Just after the end of the string that opens at `at`, or 0 when it does not end on the line."""
    quote = line[at]
    at += 1
    while at < len(line):
        if line[at] == "\\":
            at += 2
        elif line[at] == quote:
            return at + 1
        else:
            at += 1
    return 0


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        f"{plural(number(options, 'comments'), 'comment')} of {number(options, 'words')} words or more inside "
        "one closed code fence with a language, in that language's comment syntax"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("code block", "code blocks")
    least, length = number(options, "comments"), number(options, "words")
    for node in doc.find("code_block"):
        miss = fence_fault(node)
        if miss is None:
            texts, lines = comments(code_of(node), language_of(node))
            telling = [text for text in texts if plain_words(text) >= length and not _PROGRAM.match(text)]
            telling = [text for text in telling if len(set(text.casefold().split())) > 1]
            if len(telling) < least:
                short = f", {len(texts) - len(telling)} more too short" if len(texts) > len(telling) else ""
                miss = (
                    f"the code has {plural(len(telling), 'comment')} of {length} words or more{short}; "
                    f"{least} are needed"
                )
            elif lines < len(telling):
                miss = f"{plural(len(telling), 'comment')} stand beside {plural(lines, 'line')} of code"
        tries.look(node, miss)
    return tries.detection(doc, "there is no code to annotate")


PASS = (
    "```python\n# read the whole log\nlog = open('log').read()\nprint(len(log))  # length in characters here\n```\n",
    "```sh\n# stop on errors early\nset -e\n# build into a folder\nmake all\n```\n",
    "```go\nx := 1 // the first of two\ny := 2 // and the second one\n```\n",
    "```c\n/* keep the lock\n   while we write */\nlock();\nwrite(); // now it lands\nint a = 1; // third one is here\n```\n",
    "```sql\n-- newest rows come first\nSELECT a FROM b\nORDER BY c DESC; -- uses the index\n```\n",
    "```yaml\n# how long to wait\ntimeout: 3\nretries: 2 # then give it up\n```\n",
    "```html\n<!-- the page begins here -->\n<main>\n<!-- and it ends here -->\n</main>\n```\n",
    '```python\nurl = "http://a.b/#c"  # the anchor stays inside\nget(url)  # ask for the page\n```\n',
    "```rust\n// borrow it for a while\nfn f<'a>(x: &'a str) -> &'a str { x } // and give it back\nfn g() {}\n```\n",
    "```ini\n; where the data lives\npath = /srv\n# read it only once\nonce = true\n```\n",
)
FAIL = (
    "",
    "# a heading with words\n\n# another heading with words\n",
    "```python\nlog = read()\nprint(log)\n```\n\n# read the whole log\n\n# length in characters here\n",
    "```python\n# read\nlog = read()\n# print it\nprint(log)\n```\n",
    '```python\na = "# not a comment here"\nb = "# nor is this one"\n```\n',
    "```python\n# read the whole log\nlog = read()\nprint(log)\n```\n",
    "```\n# read the whole log\nlog = read()\n# length in characters here\nprint(log)\n```\n",
    "```python\n# read the whole log\nlog = read()\n# length in characters here\nprint(log)\n",
    '```json\n{"a": 1, "//": "a comment of sorts", "#": "one more of them"}\n```\n',
    "```python\nimport a  # noqa: F401 because of this\nimport b  # type: ignore[import] for now it is\n```\n",
    "```python\n# first we think hard\n# then we think again\n# and nothing is done\nx = 1\n```\n",
    "```python\n# total = count + 1 here\n# print(total, file=sys.stderr, end=x)\nz = 3\ny = 4\n```\n",
    "```python\nx = 1  # x x x\ny = 2  # x x x\n```\n",
    "```sh\n#!/usr/bin/env bash -e -u\ncurl http://a/#one two three\ncurl http://a/#four five six\n```\n",
)
