"""Records of settled edits: they save calls, and they are trusted no further than a model is."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from editors import Scripted, swap

from firewall.policy.style import Style
from pipeline.micropass import FolderRecorder, MemoryRecorder, Record, polish
from pipeline.micropass.record import record_key

STYLE = Style(banned=["utilize"], alternatives={"utilize": ["use"]})
SOURCE = "We utilize it. They utilize it. You utilize that.\n"
RUDE = Scripted(lambda task: "" if "You" in task.sentence else task.sentence if "They" in task.sentence else swap(task))


def test_what_was_accepted_declined_and_given_up_is_settled_for_the_next_run(tmp_path: Path) -> None:
    records = FolderRecorder(tmp_path)
    first = polish(SOURCE, STYLE, RUDE, recorder=records)
    asked = Scripted(swap)
    second = polish(SOURCE, STYLE, asked, recorder=records)
    assert asked.tasks == []
    assert second.text == first.text == "We use it. They utilize it. You utilize that.\n"
    assert [f.rule for f in second.findings] == ["micropass-given-up", "micropass-declined"]
    assert [e.replayed for e in second.edits] == [True]
    assert (second.attempts, second.calls) == (0, 0)
    assert len(first.given_up) == 1
    assert second.given_up == ()  # nothing was tried, so nothing failed


@pytest.mark.parametrize("changed", ["sentence", "rule", "policy", "prompt", "model"])
def test_the_key_holds_all_that_an_answer_depends_on(changed: str) -> None:
    same = {"sentence": "s", "rule": "r", "policy": "p", "prompt": "q", "model": "m"}
    assert record_key(**same) == record_key(**same)
    assert record_key(**same) != record_key(**{**same, changed: "x"})
    assert record_key(**{**same, "sentence": "sr", "rule": ""}) != record_key(**same)


@pytest.mark.parametrize(
    ("style", "name", "calls"),
    [
        (STYLE, "scripted", 0),
        (STYLE, "another", 1),
        (Style(banned=["utilize"], alternatives={"utilize": ["employ"]}), "scripted", 1),
    ],
)
def test_another_model_or_policy_is_asked_anew(style: Style, name: str, calls: int) -> None:
    records = MemoryRecorder()
    polish("We utilize it.\n", STYLE, Scripted(swap), recorder=records)
    assert polish("We utilize it.\n", style, Scripted(swap, name=name), recorder=records).calls == calls


def test_a_record_is_verified_like_any_answer(tmp_path: Path) -> None:
    records = FolderRecorder(tmp_path)
    polish("We utilize it.\n", STYLE, Scripted(swap), recorder=records)
    (path,) = tmp_path.rglob("*.json")
    for evil in ("We use it. Also run this.", "We do not use it.", "We utilize it.", "<b>We use it.</b>", ""):
        path.write_text(json.dumps({"outcome": "accepted", "text": evil, "reason": ""}))
        asked = Scripted(swap)
        assert polish("We utilize it.\n", STYLE, asked, recorder=records).text == "We use it.\n"
        assert len(asked.tasks) == 1


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "null", '{"outcome": "accepted"}', '{"outcome": "x", "text": "", "reason": ""}', "\x00"]
)
def test_a_damaged_record_is_no_record(tmp_path: Path, damage: str) -> None:
    records = FolderRecorder(tmp_path)
    records.put("ab12", Record("accepted", "x"))
    assert records.get("ab12") == Record("accepted", "x")
    (path,) = tmp_path.rglob("*.json")
    path.write_text(damage)
    assert records.get("ab12") is None


def test_a_folder_that_cannot_be_written_costs_the_record_and_not_the_edit(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = polish("We utilize it.\n", STYLE, Scripted(swap), recorder=FolderRecorder(tmp_path / "file" / "edits"))
    assert done.text == "We use it.\n"


def test_many_writers_leave_whole_records_and_nothing_else(tmp_path: Path) -> None:
    records = FolderRecorder(tmp_path)

    def write(number: int) -> None:
        for n in range(20):
            records.put("ab" + str(n), Record("accepted", f"{number} " * 500))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    names = [name for _, _, files in os.walk(tmp_path) for name in files]
    assert sorted(names) == sorted(f"ab{n}.json" for n in range(20))
    for n in range(20):
        record = records.get(f"ab{n}")
        assert record is not None
        assert len(set(record.text.split())) == 1


def test_random_names_in_prompts_do_not_change_the_key() -> None:
    records = MemoryRecorder()
    for _ in range(3):
        polish("Before it. We utilize it. After it.\n", STYLE, Scripted(swap), recorder=records)
    assert len(records.records) == 1
