"""The table of .ci/mutate is true to the source: each mutant still applies, and names tests that exist."""

from __future__ import annotations

import ast
import functools
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from firewall.writes.limits import Limits
from firewall.writes.rules import ALL

ROOT = Path(__file__).parents[2]
TABLE = ROOT / ".ci" / "mutants.toml"
if not TABLE.exists():
    pytest.skip("this is no checkout: .ci is not in the source distribution", allow_module_level=True)
MUTANTS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))["mutant"]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m["name"])
def test_it_applies_once_and_leaves_a_program(mutant: dict[str, Any]) -> None:
    assert mutant["disables"]
    texts: dict[str, str] = {}
    for edit in mutant["edit"]:
        assert edit["old"] != edit["new"]
        text = texts.get(edit["file"]) or (ROOT / edit["file"]).read_text("utf-8")
        assert text.count(edit["old"]) == 1, f"in {edit['file']}: {edit['old']!r}"
        texts[edit["file"]] = text.replace(edit["old"], edit["new"])
    for name, text in texts.items():
        compile(text, name, "exec")


@functools.cache
def functions(name: str) -> set[str]:
    """Those of a test module."""
    tree = ast.parse((ROOT / name).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_its_tests_are_there() -> None:
    for mutant in MUTANTS:
        assert mutant["tests"]
        for test in mutant["tests"]:
            name, _, function = test.partition("::")
            assert function in functions(name) if function else (ROOT / name).is_file(), test


def test_nothing_is_left_out() -> None:
    names = [mutant["name"] for mutant in MUTANTS]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert {f"rule {rule.name}" for rule in ALL} <= set(names)
    limits = {name.split()[1] for name in names if name.startswith(("limit ", "preset "))} | {"preset"}
    assert set(Limits._fields) <= limits
    for number in range(1, 11):
        assert any(name.startswith(f"invariant {number}: ") for name in names), number
