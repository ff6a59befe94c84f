"""stet.toml: every default is shown, and a wrong key or value is refused with line, key and the right name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.errors import PolicyError
from firewall.policy import parse_policy, policy_text
from firewall.policy.merge import in_force, looser_keys
from firewall.policy.rules import Rules

ID = 'id = "abcdefgh12"'
HEAD = f"[project]\n{ID}\n"


def refused(text: str) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        parse_policy(text)
    return caught.value


def test_a_fresh_policy_is_all_defaults() -> None:
    text = policy_text("abcdefgh12")
    assert parse_policy(text) == parse_policy(HEAD)
    live = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert [line for line in live if not line.startswith("[")] == [ID]


def test_every_default_can_be_uncommented_and_changes_nothing() -> None:
    text = policy_text("abcdefgh12")
    uncommented = re.sub(r"(?m)^# (\w+ = .*|\[lanes.public\])$", r"\1", text)
    assert tomllib.loads(uncommented)
    assert parse_policy(uncommented.replace('reads = ["public"]', "")) == parse_policy(HEAD + "[lanes.public]\n")
    for name in Rules.model_fields:
        assert re.search(rf"(?m)^# {name} = ", text), name


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + "[rules]\nword_flor = 1.0\n", 4, ["rules.word_flor", "rules.word_floor"]),
        (HEAD + "\n\n[rule]\nword_floor = 1.0\n", 5, ["'rule'", "'rules'"]),
        (HEAD + "[protect]\nword_floor = 0.5\n", 4, ["protect.word_floor", "rules.word_floor"]),
        (HEAD + '[rules]\nattempts = 3\nword_floor = "high"\n', 5, ["rules.word_floor", "high"]),
        (HEAD + "[rules]\nword_floor = 2.0\n", 4, ["rules.word_floor"]),
        (HEAD + "[rules]\nattempts = 0\n", 4, ["rules.attempts"]),
        (HEAD + '[rules]\nattempts = "3"\n', 4, ["rules.attempts"]),
        (HEAD + '[lanes.public]\nband = ["x"]\n', 4, ["lanes.public.band", "lanes.public.banned"]),
        ("[project]\nid = 7\n", 2, ["project.id"]),
        ("[rules]\n", 1, ["project"]),
        ("not toml\n", 1, ["TOML"]),
        (HEAD + "[rules\n", 3, ["TOML"]),
    ],
)
def test_a_mistake_is_named_with_its_line_and_the_right_word(text: str, line: int, words: list[str]) -> None:
    error = refused(text)
    assert error.fields["line"] == line, error.message
    for word in words:
        assert word in f"{error.message} {error.hint}"
    assert error.exit_status == 2


def test_a_byte_order_mark_and_crlf_are_no_mistake() -> None:
    assert parse_policy("\ufeff" + HEAD.replace("\n", "\r\n")) == parse_policy(HEAD)


@given(floor=st.floats(0.01, 1.0), cap=st.integers(1, 5000), attempts=st.integers(1, 20), keep=st.floats(0.01, 1.0))
def test_a_changed_policy_only_tightens(floor: float, cap: int, attempts: int, keep: float) -> None:
    pinned = parse_policy(HEAD)
    rules = f"[rules]\nword_floor = {floor}\ndelta_cap = {cap}\nattempts = {attempts}\nsurvival = {keep}\n"
    force = in_force(pinned, parse_policy(HEAD + rules)).rules
    assert force.word_floor == max(floor, pinned.rules.word_floor)
    assert force.delta_cap == min(cap, pinned.rules.delta_cap)
    assert force.attempts == min(attempts, pinned.rules.attempts)
    assert force.survival == max(keep, pinned.rules.survival)


def test_what_is_protected_can_only_grow() -> None:
    pinned = parse_policy(HEAD)
    current = parse_policy(HEAD + '[protect]\nextensions = ["rst"]\nexclude = ["**"]\n[alerts]\ncommand = ["rm"]\n')
    force = in_force(pinned, current)
    assert set(pinned.protect.extensions) <= set(force.protect.extensions)
    assert force.protect.exclude == []
    assert force.alerts == pinned.alerts, "a changed file starts no program"
    assert "protect.exclude" in looser_keys(pinned, current)


def test_the_article_preset_is_looser_so_it_must_be_accepted() -> None:
    current = parse_policy(HEAD + '[rules]\npreset = "article"\n')
    assert in_force(parse_policy(HEAD), current).rules.preset == "full"
    assert in_force(current, current).rules.preset == "article"


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_no_number_in_a_policy_is_endless_or_none(value: str) -> None:
    made = parse_policy(HEAD)
    floats = [
        (table, key)
        for table in type(made).model_fields
        for key, kept in (getattr(made, table).__dict__.items() if hasattr(getattr(made, table), "__dict__") else ())
        if isinstance(kept, float)
    ]
    assert {("store", "keep_days"), ("rules", "window_days"), ("agents", "turn_hours")} <= set(floats)
    for table, key in floats:
        refused(f"{HEAD}[{table}]\n{key} = {value}\n")


def test_the_sample_s_policy_shows_every_key_and_default_as_a_fresh_one_does() -> None:
    sample = (Path(__file__).parent.parent.parent / "samples/night-shift/stet.toml").read_text("utf-8").splitlines()
    fresh = policy_text(parse_policy("\n".join(sample)).project.id).splitlines()
    assert len(sample) == len(fresh)
    for ours, theirs in zip(sample, fresh, strict=True):
        key = theirs.removeprefix("# ").split(" = ")[0]
        assert ours in (theirs, theirs.removeprefix("# ")) or ours.startswith(f"{key} = ")
