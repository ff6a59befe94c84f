# ruff: noqa: E501 (a case is one line)
"""Python in fences: one verdict whatever interpreter runs, and that of `ast.parse` where versions agree."""

from __future__ import annotations

import ast
import json
import random
import re
import textwrap
import warnings
from pathlib import Path

import pytest

from firewall.text.markdown import parse
from latches.checks.code import code
from latches.checks.python_code import fault

SOURCES = sorted((Path(__file__).parents[2] / "latches").rglob("*.py"))

NEWER = [
    "type Pair[T] = tuple[T, T]", "def first[T](items: list[T]) -> T: ...", "class Box[T: int, *Ts, **P]: ...",
    'print(f"{names["first"]}")', "print(f'{x!r:>{width}}')", "hello = t'{name}'", "try:\n    go()\nexcept A, B:\n    pass",
    "try:\n    go()\nexcept* A:\n    pass", "def f(*args: *Ts): ...", "x = [*a][*b]",
]  # fmt: skip
"""Syntax of 3.11 to 3.14, which one of these versions or another would refuse."""


@pytest.mark.parametrize("text", NEWER)
def test_syntax_of_any_version_from_3_11_to_3_14_is_python(text: str) -> None:
    assert fault(text) is None


GOOD = [
    "", "# only a remark", "...", "x = 1; y = 2;", "if a: b; c", "class A: x = 1", "try: a\nfinally: b", "print (a), b",
    "if x:\n\ty\n\tz", "if x:\n        y\n        z", "if a:\n    pass\n  # odd\nelse:\n    pass", "\ufeffx = 1", "x = 0o17 + 00 + 0777j",
    "def f():\n    '''d\n  e'''\n    return 1", "@a.b(c)\nasync def f():\n    await x", "f(a, *b, c, d=1, *e, **g)", "def f(a=1, *b, c): ...",
    "def f(a, /, b=1, *, c, **d): ...", "match x:\n    case {'a': [1, *r]} if r: a\n    case P(x=1) | None:\n        b", "del a, b[0], (c, d.e)",
    "x = {\n 'a': lambda:\n 1}", "变量 = 2", "x = 'a' b'c'", "match = type = case = _ = 1", "(a, [b, *c]) = d", "x = y if z else\\\n w",
    "def f():\r\n    return 1\r\n", "while 1:\n    break\nelse:\n    pass", "with (open(a) as b, open(c) as d):\n    pass", "(y := 1)",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_what_is_python(text: str) -> None:
    assert fault(text) is None


BAD = [
    ("print 'x'", 1, "Python 2"), ("exec 'x'", 1, "Python 2"), ("x <> y", 1, "Python 2"), ("x = 1L", 1, "Python 2"), ("x = 0777", 1, "Python 2"),
    ("raise A, 'b'", 1, "Python 2"), ("x = `y`", 1, "Python 2"), ("lambda (a, b): 1", 1, "Python 2"), ("[x for x in 1, 2]", 1, "Python 2"),
    ("x = ur'y'", 1, "prefix"), ("def f():\n# nothing\nx = 1", 1, "empty"), ("class A:\n", 1, "empty"), ("match x:\n", 1, "empty"),
    ("if x:\n    a\n   b", 3, "indentation"), ("if x:\n    a\n      b", 3, "indentation"), ("x = 1\n  y = 2", 2, "indentation"),
    ("if x:\n\ty\n        z", 3, "indentation"), ("if a:\n    b\n  else:\n    c", 3, "'else'"), ("if a: b\n  c", 2, "indentation"),
    ("@d\n  def f(): pass", 2, "indentation"), ("try:\n    x\ny = 1", 1, "`except`"), ("f(a=1, b)", 1, "positional"), ("f(**a, *b)", 1, "`**`"),
    ("def f(a=1, b): pass", 1, "default"), ("def f(*): pass", 1, "bare"), ("def f(**a, b): pass", 1, "`**`"), ("def f(/, a): pass", 1, "`/`"),
    ("def f(*a, *b): pass", 1, "`*`"), ("x := 1", 1, "`:=`"), ("del f()", 1, "deleted"), ("await", 1, "keyword"), ("f'{a!x}'", 1, "conversion"),
    ("x: a: b", 1, "at"), ("raiseexcept:\n    f()", 1, "at"), ("lambda x:\n    1", 1, "at"), ("def f(:\n    pass", 1, "missing"),
    ("x = [1,\n2", 1, "at"), ("$ pip install x", 1, "at"), ("f() = 1", 1, "at"), ("x = 'abc", 1, "at"), ("a\0b", 1, "NUL"), ("5x = 1", 1, "at"),
    ("x = f()return x", 1, "return x"), ("x = a && b", 1, "at"), ("function f() {}", 1, "at"), ("else:\n  y", 1, "at"), ("a b", 1, "at"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "told"), BAD)
def test_what_is_none_is_told_with_its_line(text: str, line: int, told: str) -> None:
    found = fault(text)
    assert found is not None
    assert found[0] == line
    assert told in found[1]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_code_that_runs_parses(path: Path) -> None:
    assert fault(path.read_text("utf-8")) is None


_CALLED_ANNOTATION = re.compile(r"(?m)^\s*\w+:\s*[\w.]+\[.*\]\s*\(")
"""`x: t[int]()`: Python that the grammar does not know; see the module."""


def refused_by_the_interpreter(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError:
            return True
    return False


def test_broken_code_is_refused_where_the_interpreter_refuses_it_and_nowhere_else() -> None:
    """Code without f-strings, whose grammar changed in 3.12, with a piece taken out, put in or moved."""
    random_ = random.Random(5)
    pieces = []
    for path in SOURCES:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        for node in ast.parse("".join(lines)).body:
            text = "".join(lines[node.lineno - 1 : node.end_lineno])
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and 4 < text.count("\n") < 25 and 'f"' not in text:
                pieces.append(text)
    verdicts = {True: 0, False: 0}
    for text in pieces[::2]:
        for _ in range(4):
            token = random_.choice(list(re.finditer(r"[()\[\]{}:,=.\"]|\b(?:def|if|else|for|in|return)\b|\n +", text)))
            put = random_.choice(["", token.group() * 2, "def", "  ", "\n ", "="])
            broken = text[: token.start()] + put + text[token.end() :]
            if _CALLED_ANNOTATION.search(broken):
                continue
            refused = refused_by_the_interpreter(broken)
            assert (fault(broken) is not None) == refused, broken
            verdicts[refused] += 1
    assert min(verdicts.values()) > 20


@pytest.mark.parametrize(
    "text", ["(" * 5_000, "x" + "[0]" * 5_000, "f(" * 3_000 + ")" * 3_000, "x = '\ud800'", "-" * 9_000 + "1"]
)
def test_nothing_is_too_deep_or_too_odd_to_be_judged(text: str) -> None:
    assert fault(text) == fault(text)


def problem(language: str, text: str) -> tuple[int, str]:
    (found,) = code(parse(f"```{language}\n{text}\n```\n"))
    line = found.evidence["line"]
    assert isinstance(line, int)
    return line, str(found.evidence["problem"])


def test_what_is_said_of_json_is_no_words_of_the_interpreter() -> None:
    # 3.13 points at the comma, earlier versions at what stands behind it; their messages differ, too
    assert problem("json", '{"a": 1,\n}') == (3, "at '}'")
    assert problem("json", '{"a": 1') == (2, "it ends too soon")
    assert problem("json", "[1,\n\n]") == (4, "at ']'")


@pytest.mark.parametrize(
    ("language", "text"), [("json", "[" * 101 + "]" * 101), ("toml", "a = " + "[" * 101 + "]" * 101)]
)
def test_depth_is_bounded_by_a_number_and_not_by_a_stack(language: str, text: str) -> None:
    assert problem(language, text) == (2, "it is nested too deep to be read")
    shallow = textwrap.dedent(text.replace("[[", "[", 1).replace("]]", "]", 1))
    assert code(parse(f"```{language}\n{shallow}\n```\n")) == []


def test_brackets_in_strings_are_not_deep_and_long_numbers_are_numbers() -> None:
    assert code(parse(f"```json\n{json.dumps('[' * 500)}\n```\n")) == []
    assert code(parse(f"```json\n{'9' * 5_000}\n```\n")) == []
    assert code(parse(f"```toml\na = {'9' * 5_000}\n```\n")) == []
