"""JSON without the modules of `json` is the same JSON."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall import jsons

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.booleans(), st.booleans(), st.booleans())
def test_it_writes_and_reads_what_json_does(value: object, ascii_only: bool, ordered: bool, compact: bool) -> None:
    separators = (",", ":") if compact else None
    text = json.dumps(value, ensure_ascii=ascii_only, sort_keys=ordered, separators=separators)
    assert jsons.dumps(value, ascii_only=ascii_only, ordered=ordered, compact=compact) == text
    assert jsons.loads(f" \n{text}\t") == value


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "[1,]", "1 2", "nul", "'a'", '"\n"', '{"a":1,}', "\ufeff1", "01", '{"a" 1}', '["\\u12"]', "-"],
)  # fmt: skip
def test_it_refuses_what_json_refuses(text: str) -> None:
    with pytest.raises(ValueError) as theirs:
        json.loads(text)
    with pytest.raises(ValueError) as ours:
        jsons.loads(text)
    assert type(ours.value) is type(theirs.value)
    assert str(ours.value) == str(theirs.value)


def test_it_refuses_so_too_where_json_was_never_imported() -> None:
    """As in an agent's hook, whose input it reads."""
    code = "from firewall import jsons\ntry:\n jsons.loads('{')\nexcept ValueError as error:\n print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)\n"


def test_what_is_no_json_is_as_in_json() -> None:
    assert math.isnan(jsons.loads("NaN"))
    assert jsons.loads("[-Infinity, 1e400]") == [-math.inf, math.inf]
    assert jsons.dumps([math.inf, (1, True)]) == "[Infinity, [1, true]]"
    assert jsons.dumps("\ud800") == '"\\ud800"'
    around: list[object] = []
    around.append(around)
    for value, error in ((object(), TypeError), ({1: 2, "a": 3}, TypeError), (around, ValueError)):
        with pytest.raises(error):
            jsons.dumps(value, ordered=True)
    with pytest.raises(RecursionError):
        jsons.loads("[" * 100_000)


def test_where_the_c_code_is_another_json_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsons, "_json", sys)
    assert jsons.loads(' {"a": [1.5]}') == {"a": [1.5]}
    assert jsons.dumps({"b": 1, "a": "é"}, ascii_only=False, ordered=True, compact=True) == '{"a":"é","b":1}'
