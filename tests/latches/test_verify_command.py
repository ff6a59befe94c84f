# ruff: noqa: E501 (cases stand side by side)
"""`stet verify`: anyone's Markdown against a shape, an element, a blueprint, or what always must hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from latches.blueprint import to_json
from latches.commands.verify import command
from latches.structure import ChapterSpec, SectionSpec, StructureSpec, assign

FAQ = "### Can I stop it?\n\nYes, at any time you like.\n\n### Does it cost?\n\nNo, it costs nothing at all.\n"
TIMES = "- 14:02 the alarm rings\n- 14:05 the pager goes off\n- 14:30 the fix is out\n"


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


def stet(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    code = "from pipeline.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "verify", *map(str, arguments)], capture_output=True, check=False
    )


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.md"
    path.write_text("# Title\n\nWords.\n\n## Part\n\n[there](#title)\n")
    return path


def test_a_good_document_passes(good: Path) -> None:
    out = verify(good)
    assert out.exit_code == 0
    assert "passes (8 checks)" in out.output


def test_what_is_wrong_is_listed_with_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    path.write_text("# T\n\n### Deep\n\n[x](gone.md)\n\n```json\n{,}\n```\n")
    out = verify(path)
    assert out.exit_code == 1
    assert "does not pass" in out.output
    for words in ("Line 3", "Line 5", "Line 8", "gone.md"):
        assert words in out.output


def test_a_shape_is_asked_of_the_whole_file(good: Path, tmp_path: Path) -> None:
    out = verify(good, "--shape", "post_mortem", "--json")
    report = json.loads(out.output)
    assert out.exit_code == 1
    assert report["outcome"] == "hold"
    whole, shape = report["documents"]
    assert (whole["outcome"], shape["outcome"]) == ("allow", "hold")
    assert {f["evidence"]["element"] for f in shape["findings"]} == {
        "timeline_steps",
        "root_cause_analysis",
        "safeguard_bullets",
    }
    assert all(f["message"].startswith(f"{f['evidence']['element']} is missing.") for f in shape["findings"])


def test_an_element_with_parameters(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# Title\n\n{TIMES}")
    assert verify(path, "--element", "timeline_steps").exit_code == 0
    assert verify(path, "--element", "timeline_steps:items=3").exit_code == 0
    assert verify(path, "--element", "timeline_steps:items=4").exit_code == 1
    assert verify(path, "--element", "timeline_steps", "--element", "faq_block").exit_code == 1
    assert verify(path, "--element", "timeline_steps", "--words", 10).exit_code == 0
    assert verify(path, "--element", "timeline_steps", "--words", 100).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--shape", "post_morten"], "does not exist"),
        (["--element", "faq_blok"], "Did you mean 'faq_block'?"),
        (["--element", "faq_block:question=3"], "Did you mean 'questions'?"),
        (["--element", "faq_block:questions=x"], "whole number"),
        (["--element", "faq_block:questions"], "KEY=VALUE"),
        (["--words", "100"], "--words goes with"),
        (["--blueprint", "gone.json"], "cannot be read"),
        (["gone.md"], "no file or folder"),
    ],
)
def test_usage_errors_say_the_right_word(good: Path, arguments: list[str], words: str) -> None:
    out = stet(good, *arguments)
    assert out.returncode == 2, out.stderr
    assert words in out.stderr.decode()
    assert b"Traceback" not in out.stderr


@pytest.fixture
def planned(tmp_path: Path) -> Path:
    def section(title: str, shape: str) -> SectionSpec:
        return SectionSpec(title, words=30, shape=shape)

    spec = StructureSpec(
        "Book",
        (
            ChapterSpec("One", (section("Alarm", "post_mortem"), section("Ideas", "conceptual_breakdown"))),
            ChapterSpec("Two", (section("Alarm", "deep_code"),)),
        ),
    )
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({**to_json(assign(spec)), "locked": True, "changes": []}))
    return path


def test_sections_of_a_blueprint_are_found_by_their_headings(planned: Path, tmp_path: Path) -> None:
    cause = "**Root cause:** the job had no limit on the rows it read, so that one large customer was enough to fill the memory.\n"
    guards = (
        "**Safeguards**\n\n- Rotate the logs every night\n- Alert at eighty percent full\n- Keep a spare volume ready\n"
    )
    (tmp_path / "one.md").write_text(f"# One\n\n## Alarm\n\n{TIMES}\n{cause}\n{guards}\n## Ideas\n\n{FAQ}")
    out = verify(tmp_path / "one.md", "--blueprint", planned, "--json")
    report = json.loads(out.output)
    told = {(d["path"].rpartition("/")[2], d["section"]): d for d in report["documents"]}
    assert told["one.md", "Alarm"]["outcome"] == "allow", told
    ideas = told["one.md", "Ideas"]["findings"]
    assert {f["evidence"]["element"] for f in ideas if f["rule"] == "missing-element"} == {
        "mermaid_diagram",
        "formal_definition",
    }
    lost = told["(no file)", "Alarm"]["findings"][0]
    assert lost["rule"] == "missing-section"
    assert "'Two'" in lost["message"]


def test_8_a_whole_answer_with_sections_missing_does_not_pass(planned: Path, tmp_path: Path) -> None:
    """A gateway said "stop" though sections were missing: coverage is counted."""
    path = tmp_path / "one.md"
    path.write_text("# One\n\n## Ideas\n\nWords.\n")
    report = json.loads(verify(path, "--blueprint", planned, "--json").output)
    missing = [d["section"] for d in report["documents"] if d["path"] == "(no file)"]
    assert missing == ["Alarm", "Alarm"]


def test_places_of_a_section_are_places_of_the_file(planned: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.md"
    path.write_text("# Two\n\nWords é.\n\n## Alarm\n\nWords.\n\n```python\nx = (\n```\n")
    report = json.loads(verify(path, "--blueprint", planned, "--json").output)
    section = next(d for d in report["documents"] if d["section"] == "Alarm" and d["path"] != "(no file)")
    finding = next(f for f in section["findings"] if f["rule"] == "code")
    assert finding["evidence"]["fence_line"] == 9
    assert path.read_text()[finding["start"] :].startswith("```python")
    assert verify(path, "--blueprint", planned).output.count(finding["message"]) == 1, "people are told once"


def test_a_blueprint_that_was_edited_is_refused(planned: Path, good: Path) -> None:
    planned.write_text(planned.read_text().replace("deep_code", "post_mortem"))
    out = stet(good, "--blueprint", planned)
    assert out.returncode == 2
    assert b"edited" in out.stderr


def test_links_may_lead_anywhere_under_the_root(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "top.md").write_text("# Top\n\n## There\n")
    path = tmp_path / "part" / "a.md"
    path.write_text("# A\n\n[x](../top.md#there)\n")
    assert verify(path).exit_code == 1
    assert verify(path, "--root", tmp_path).exit_code == 0
    path.write_text("# A\n\n[x](../top.md#ther)\n")
    out = verify(path, "--root", tmp_path)
    assert out.exit_code == 1
    assert "Did you mean 'there'?" in out.output


def test_a_folder_is_its_markdown_and_limits_of_rhythm_come_from_the_style(tmp_path: Path) -> None:
    bullets = "# T\n\n" + "".join(f"- **Thing {n}:** words\n" for n in range(9))
    (tmp_path / "a.md").write_text(bullets)
    (tmp_path / "b.md").write_text("# B\n")
    assert "rhythm: 100% of the bullets" in verify(tmp_path).output
    (tmp_path / "stet-style.toml").write_text("max_bold_bullets = 1.0\n")
    assert verify(tmp_path).exit_code == 0


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff")
    out = verify(tmp_path / "a.md", "--json")
    assert out.exit_code == 1
    assert json.loads(out.output)["outcome"] == "block"
