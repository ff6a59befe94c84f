"""The script that measures agreement with html5lib's tokenizer tests, on tests of our own, and the kinds it found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from firewall.context import sanitize

SCRIPT = Path(__file__).parents[2] / ".ci" / "html5lib"


def case(source: str, *tokens: list[str], double: bool = False, states: tuple[str, ...] = ("Data state",)) -> object:
    return {
        "description": source,
        "input": source,
        "output": tokens,
        "doubleEscaped": double,
        "initialStates": states,
    }


def run(folder: Path, *cases: object) -> subprocess.CompletedProcess[str]:
    (folder / "own.test").write_text(json.dumps({"tests": cases}), encoding="utf-8")
    return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)


GOOD = case("a<b>c&amp;d", ["Character", "ac&d"])
UNKNOWN = case("x<foo-bar>y", ["Character", "xy"])
CONTROL = case("a\\u0007b", ["Character", "a\\u0007b"], double=True)
NAMELESS = case("a</>b", ["Character", "ab"])
WRONG = case("a<b>c", ["Character", "abc"])


def test_differences_are_counted_by_the_rule_that_makes_them(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD, UNKNOWN, CONTROL, NAMELESS, case("<b>", states=("RCDATA state",)))
    assert done.returncode == 0
    assert "4 cases; strict 1 (25.00%), with the exceptions 4 (100.00%)" in done.stdout
    assert "no element of this name: 1\n" in done.stdout
    assert "without a name, as JSX has it: 1\n" in done.stdout
    assert "also as references: 1\n" in done.stdout


def test_one_difference_without_a_reason_in_less_than_a_hundred_cases_fails(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD, WRONG)
    assert done.returncode == 1
    assert "wrong: 1\n    'a<b>c': 'abc' expected, 'ac' left" in done.stdout
    assert run(tmp_path, *[GOOD] * 100, WRONG).returncode == 0


@pytest.mark.parametrize("arguments", [[], ["/nowhere"], [str(Path(__file__).parent)]])
def test_a_folder_without_tests_is_wrong_usage(arguments: list[str]) -> None:
    assert subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, check=False).returncode == 2


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a <\0 b", "a < b"),
        ("<\0", "<"),
        ("<?\r\n", ""),
        ("<?\n\n", ""),
        ("<?\r\n\r\nA document.\r\n", "<?\r\n\r\nA document.\r\n"),
        ("<?\n \nA document.\n", "<?\n \nA document.\n"),
        ("<!x\r\ny", ""),
        ("a <b class='x\r\ny", "a <b class='x\r\ny"),
        ("<b class='x\r\ny", ""),
        ("<b class='x\r\n\r\ny", "<b class='x\r\n\r\ny"),
    ],
)
def test_what_never_ends_goes_within_its_paragraph_whatever_ends_a_line(raw: str, text: str) -> None:
    assert sanitize(raw).text == text
    assert sanitize(raw.replace("\r\n", "\n")).text == text.replace("\r\n", "\n")


def test_a_formula_ends_with_its_paragraph_whatever_ends_a_line() -> None:
    raw = "costs $a\n\nthen [cite: 1] b$ and \\text{c"
    for ends in (raw, raw.replace("\n", "\r\n")):
        assert "[cite" not in sanitize(ends).text
    torn = "a \\text{b\n\nc} d"
    for ends in (torn, torn.replace("\n", "\r\n")):
        assert sanitize(ends).text == ends
