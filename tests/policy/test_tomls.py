"""TOML that anybody may have written is read, or refused with one kind of error, whatever it is made of."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall import tomls
from firewall.errors import PolicyError
from firewall.policy import parse_policy

SMALL = (
    "a = 1\n",
    "a.b.c = [1.0, 2.0]\n",
    "x = [" + ", ".join(["1.5"] * 100) + "]\n",
    "x = '''\n" + "." * 100 + "\n'''\n",
    'x = "' + "a." * 100 + '"\n',
    "# " + "a." * 100 + "\n",
    ".".join(["a"] * 40) + " = 1\n",
)
TOO_MUCH = {
    "nested too deep": "a = " + "[" * 100_000,
    "a number of thousands of digits": "a = " + "9" * 5_000,
    "a key of more than 40 parts": ".".join(["a"] * 41) + " = 1\n",
    "longer than 1,000,000 characters": "#" * 1_000_001,
}


@pytest.mark.parametrize("text", SMALL)
def test_what_people_write_is_read(text: str) -> None:
    assert tomls.loads(text) == tomllib.loads(text)


@pytest.mark.parametrize(("problem", "text"), TOO_MUCH.items())
def test_what_would_end_the_reader_is_refused(problem: str, text: str) -> None:
    with pytest.raises(tomls.TooMuch) as caught:
        tomls.loads(text)
    assert caught.value.problem == problem


@pytest.mark.parametrize("key", ["a . " * 100_000 + "a", "'a'." * 100_000 + "a", '"a.b"\t.' * 100_000 + "c"])
def test_a_key_of_many_parts_is_refused_however_it_is_written(key: str) -> None:
    for text in (f"{key} = 1\n", f"[{key}]\n", f"x = {{ {key} = 1 }}\n", f"y = 2 #\n{key} = 1\n"):
        with pytest.raises(tomls.TooMuch):
            tomls.loads(text)


BEFORE = (r'"\" #"', "'''\n# '''", '"""\n"# \\""""', "'\"'", "'#'", '""""a"""""', "# it's \"\n1")


@pytest.mark.parametrize("before", BEFORE)
def test_no_string_or_comment_before_a_key_hides_it(before: str) -> None:
    long, short = (".".join(["a"] * parts) for parts in (41, 40))
    assert tomls.loads(f"x = [{before}, {{ {short} = 1 }}]") == tomllib.loads(f"x = [{before}, {{ {short} = 1 }}]")
    with pytest.raises(tomls.TooMuch):
        tomls.loads(f"x = [{before}, {{ {long} = 1 }}]")


@given(st.text("ab.=[]{}\"'#\n1_- ,", max_size=60))
def test_the_answer_is_the_standard_reader_s(text: str) -> None:
    try:
        want = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        with pytest.raises(tomls.Unreadable) as caught:
            tomls.loads(text)
        assert str(error).startswith(caught.value.problem)
        assert 1 <= caught.value.line <= text.count("\n") + 1
    else:
        assert tomls.loads(text) == want


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_such_a_policy_is_a_mistake_like_any_other(text: str) -> None:
    with pytest.raises(PolicyError):
        parse_policy(text)


def test_the_size_is_the_same_where_a_policy_s_file_is_read() -> None:
    from firewall.writes import project

    assert project._LARGEST == tomls.LARGEST


def test_no_other_module_reads_toml_that_others_wrote() -> None:
    """Our own data files are read with the standard reader."""
    root = Path(tomls.__file__).parent.parent
    users = {
        str(path.relative_to(root))
        for package in ("firewall", "latches", "pipeline")
        for path in (root / package).rglob("*.py")
        if "tomllib.loads" in path.read_text("utf-8")
    }
    assert users == {"firewall/tomls.py", "firewall/context/secrets.py", "firewall/context/injection.py"}
