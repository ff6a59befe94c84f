# ruff: noqa: E501 (a sentence is one line)
"""The limits of rhythm in a run: found in drafts, asked for again, and told where they stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from book_kit import asked_for, fit, here, is_edit, make_book
from fake_messages_api import FakeMessagesApi, Request, Text

from firewall.policy.style import Style
from pipeline.section import worsened

MODEL = "claude-haiku-4-5"
EVEN = " ".join(f"The pump runs at night number {n} again." for n in range(14))
UNEVEN = " ".join(
    f"{'Nobody' if n % 2 else 'The crew'} listens. {'A man' if n % 3 else 'One woman'} who has heard the pump for years "
    f"hears at once that it runs at night number {n} again."
    for n in range(7)
)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    text = (
        'title = "Small Hours"\n\n[[sources]]\nfiles = ["notes/*.md"]\nlane = "public"\n\n'
        '[[chapters]]\ntitle = "Before"\nsections = ["The alarm", { title = "The pager", words = 200 }]\n'
    )
    notes = {"notes/a.md": "# Alarm and pager\n\nThe alarm rang at 02:14, at 02:20 and at 02:31.\n"}
    limits = "max_same_lists = 1.0\nmax_same_openers = 1.0\nmax_bold_bullets = 1.0\nmax_same_headings = 1.0\n"
    return make_book(tmp_path / "small", book=text, notes=notes, limits=limits)


def run(book: Path, *answers: str) -> tuple[int, dict[str, Any], list[Request]]:
    """Run the book; "The pager" is answered with the texts in turn, the last one for ever."""
    left = list(answers)

    def answer(request: Request) -> Text:
        if is_edit(request):
            return Text(json.dumps({"sentence": ""}))
        title, elements = asked_for(request)
        if title != "The pager":
            return Text(fit(title, elements))
        return Text(fit(title, elements, left.pop(0) if len(left) > 1 else left[0]))

    with FakeMessagesApi(answer) as api:
        status, out, _ = here("run", str(book), "--model", MODEL, "--base-url", api.url, "--json")
        return status, json.loads(out), [r for r in api.requests if not is_edit(r) and "Section: The pager" in r.text]


def test_a_metronome_is_asked_for_again_and_told_why(book: Path) -> None:
    status, report, asked = run(book, EVEN, UNEVEN)
    assert status == 0
    assert len(asked) == 2
    assert "almost of one length" in asked[1].text or "in a row begin with" in asked[1].text
    text = (book / "out/01-before.md").read_text()
    assert "The crew listens." in text
    assert "night number 13 again" not in text
    assert report["findings"]["style"]["rhythm"] >= 1
    assert not any("in a row begin" in note for note in report["notes"])


def test_after_the_last_attempt_the_section_stands_and_the_beat_is_a_finding(book: Path) -> None:
    status, report, asked = run(book, EVEN)
    assert status == 0
    assert len(asked) == 2  # once more, and not as often as a section that lacks something
    assert report["sections"]["written"] == 2
    assert "night number 13 again" in (book / "out/01-before.md").read_text()
    assert report["findings"]["style"]["rhythm"] >= 2
    beat = [note for note in report["notes"] if "sentences in a row begin with" in note]
    assert len(beat) == 1
    assert beat[0].startswith("out/01-before.md: 1")
    shown = json.loads(here("status", str(book), "--json")[1])
    assert beat[0] in shown["notes"]


def test_limits_are_those_of_the_policy(book: Path) -> None:
    policy = (book / "stet.toml").read_text()
    (book / "stet.toml").write_text(
        policy.replace("[style]", "[style]\nmax_opener_run = 99\nmin_sentence_variation = 0.0")
    )
    _, report, asked = run(book, EVEN)
    assert len(asked) == 1
    assert "rhythm" not in report["findings"]["style"]


def test_what_the_chapter_has_anyway_is_not_held_against_a_section() -> None:
    assert [f.evidence["measure"] for f in worsened("# C\n", "S", EVEN, Style())]
    assert worsened(f"# C\n\n## A\n\n{EVEN}\n", "S", "Short.", Style(min_sentence_variation=0.0)) == ()
    assert worsened("# C\n", "S", UNEVEN, Style()) == ()
