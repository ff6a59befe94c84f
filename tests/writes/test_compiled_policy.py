"""A compiled policy is what was compiled, of exactly these texts, or it is compiled anew."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import Book, set_rules

from firewall.errors import PolicyError, StateBroken
from firewall.policy import compiled, parse_policy
from firewall.policy.compiled import Compiled, compile_policy
from firewall.writes import force, project
from firewall.writes.proxy import WriteProxy

HEAD = '[project]\nid = "abcdefgh12"\n'
POLICY = compile_policy(parse_policy(HEAD))


def lean(book: Book) -> WriteProxy:
    """The project, opened as a hook opens it."""
    return WriteProxy.recorded(book.root, book.state_folder)


def stored(book: Book) -> str:
    with book.open() as proxy:
        return proxy.ledger.meta("compiled") or ""


@given(
    floor=st.floats(0.01, 1.0),
    cap=st.integers(1, 5000),
    globs=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8), max_size=3),
    hours=st.integers(1, 100),
)
def test_what_is_read_is_what_was_dumped(floor: float, cap: int, globs: list[str], hours: int) -> None:
    text = (
        f"{HEAD}[rules]\nword_floor = {floor}\ndelta_cap = {cap}\n"
        f"[protect]\ninclude = {json.dumps(globs, ensure_ascii=False)}\n"
        f'[agents]\nturn_hours = {hours}\ntools = [{{ name = "mcp__x__*", does = "edit", old = "a.b" }}]\n'
    )
    made = compile_policy(parse_policy(text))
    assert compiled.read(compiled.dump(made)) == made
    assert made.limits.word_floor == floor
    assert made.protection.include == tuple(globs)
    assert made.agents.tools[0].old == "a.b"


def _spoilt(change: str) -> str:
    value = json.loads(compiled.dump(POLICY))
    exec(change, {"v": value})  # the tests' own words
    return json.dumps(value)


@pytest.mark.parametrize(
    "change",
    [
        "v['limits']['word_floor'] = 0", "v['limits']['word_floor'] = '0.1'", "v['limits']['attempts'] = 3.0",
        "v['limits']['attempts'] = True", "del v['limits']['survival']", "v['limits']['more'] = 1", "del v['project']",
        "v['more'] = 1", "v['protection']['exclude'] = '**'", "v['protection']['exclude'] = [1]",
        "v['protection']['exclude'] = None", "del v['protection']['extensions']", "v['agents']['turn_hours'] = '1'",
        "v['agents']['tools'] = [{'name': 'x'}]", "v['agents']['tools'] = {}", "v['alerts'] = []", "v['project'] = 3",
    ],
)  # fmt: skip
def test_anything_else_is_no_policy(change: str) -> None:
    assert compiled.read(_spoilt(change)) is None


@given(st.text(max_size=50))
def test_no_text_is_a_policy_by_chance(text: str) -> None:
    assert compiled.read(text) is None
    assert compiled.read(json.dumps(text)) is None


def test_a_lean_opening_enforces_the_same_rules(book: Book) -> None:
    set_rules(book.root, {"word_floor": 0.91, "attempts": 2})
    with book.open() as full:
        first: Compiled = full.force
    with lean(book) as proxy:
        assert proxy.force == first == compile_policy(proxy.policy)
        assert proxy.limits.word_floor == 0.91
        assert proxy.limits.attempts == 2


def test_a_policy_that_was_compiled_is_not_read_again(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    with book.open():
        pass

    def never(*_: object) -> None:
        raise AssertionError("read with pydantic")

    monkeypatch.setattr(force, "parsed", never)
    with lean(book) as proxy:
        assert proxy.limits.attempts == 3
    with WriteProxy.open(book.root) as proxy:  # nor by a command
        assert proxy.limits.attempts == 3


def test_a_command_waits_as_the_file_says_for_the_record_too(book: Book) -> None:
    with book.open():
        pass
    set_rules(book.root, {"lock_seconds": 3.5})
    found = project.load(book.root)
    assert found.known is not None
    assert found.known.rules.lock_seconds == 3.5


def test_a_folder_that_is_not_as_it_was_noted_is_looked_at_closely(book: Book) -> None:
    with book.open():
        pass
    assert project.load(book.root).known is None
    moved = book.root.with_name("moved")
    book.root.rename(moved)
    assert project.load(moved).known is not None
    with WriteProxy.open(moved):
        pass
    assert project.load(moved).known is None, "it is noted at its new place"


def test_a_changed_file_is_compiled_anew_and_only_tightens(book: Book) -> None:
    with book.open():
        pass
    set_rules(book.root, {"word_floor": 0.5, "attempts": 1})
    with lean(book) as proxy:
        assert proxy.limits.attempts == 1
        assert proxy.limits.word_floor == 0.85


@pytest.mark.parametrize("kind", ["loosened", "no json", "null", "half", "another key"])
def test_a_damaged_one_is_compiled_anew(book: Book, kind: str) -> None:
    before = stored(book)
    key, sha, text = json.loads(before)
    loose = text.replace('"word_floor":0.85', '"word_floor":0.01')
    assert loose != text
    spoilt = {
        "loosened": json.dumps([key, sha, loose]),
        "no json": "{",
        "null": "null",
        "half": json.dumps([key, sha]),
        "another key": json.dumps(["0" * 64, sha, text]),
    }[kind]
    with book.open() as proxy, proxy.ledger.transaction():
        proxy.ledger.set_meta("compiled", spoilt)
    with lean(book) as proxy:
        assert proxy.limits.word_floor == 0.85
    assert stored(book) == before


def test_another_version_of_the_program_compiles_anew(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    with book.open():
        pass
    calls = []
    real = force.parsed
    monkeypatch.setattr(force, "parsed", lambda f: calls.append(f) or real(f))
    monkeypatch.setattr(force, "_program", lambda: "another")
    with lean(book):
        pass
    assert calls


def test_a_bad_file_is_an_error_each_time(book: Book) -> None:
    with book.open():
        pass
    state = book.state_folder
    text = (book.root / "stet.toml").read_text()
    for bad in ("nonsense", text + "\n[nosuch]\n", text.replace('id = "', 'id = "x')):
        (book.root / "stet.toml").write_text(bad)
        for _ in range(2):
            with pytest.raises((PolicyError, StateBroken)):
                WriteProxy.recorded(book.root, state)
            with pytest.raises((PolicyError, StateBroken)):
                WriteProxy.open(book.root)
    (book.root / "stet.toml").unlink()
    with pytest.raises(StateBroken):
        WriteProxy.recorded(book.root, state)
    with WriteProxy.as_pinned(book.root, state) as proxy:
        assert proxy.limits.attempts == 3, "the accepted one is known without the file"


def test_the_policys_package_brings_no_pydantic_by_itself() -> None:
    import subprocess

    code = (
        "import sys, firewall.policy, firewall.policy.compiled, firewall.writes.proxy; print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
