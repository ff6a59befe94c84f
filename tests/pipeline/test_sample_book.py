"""The sample book: notes worth reading with the noise of real retrieval, and a book that comes clean out of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from grounding_kit import bare, inventions, refs_and_notes

from firewall.policy import Policy, parse_policy
from firewall.text.markdown import parse
from firewall.text.words import count_words
from latches.checks.anchors import unique_anchors
from latches.schema import verify
from latches.style import Scanner
from pipeline.book import BookSpec, load_book
from pipeline.chapter import body_fault
from pipeline.models.offline import OfflineModel
from pipeline.plan import Models, Plan, make_plan

SAMPLE = Path(__file__).parents[2] / "samples" / "night-shift"
NOTES = sorted((SAMPLE / "notes").glob("*.md"))
PAYROLL = sorted((SAMPLE / "notes" / "payroll").glob("*.md"))


@cache
def spec() -> BookSpec:
    return load_book(SAMPLE)


@cache
def policy() -> Policy:
    return parse_policy((SAMPLE / "stet.toml").read_text(encoding="utf-8"))


@cache
def plan() -> Plan:
    return make_plan(SAMPLE, spec(), policy(), Models("offline", "offline"))


@cache
def sections() -> tuple[str, ...]:
    return tuple(OfflineModel().draft(section.task(spec())).text for section in plan().sections)


@cache
def chapters() -> dict[int, str]:
    out: dict[int, str] = {}
    for section, text in zip(plan().sections, sections(), strict=True):
        out.setdefault(section.plan.chapter, f"# {section.plan.chapter_title}\n")
        out[section.plan.chapter] += f"\n## {section.plan.title}\n\n{text}"
    return out


def test_there_is_enough_to_write_from() -> None:
    words = {path.name: count_words(path.read_text(encoding="utf-8")) for path in NOTES}
    assert len(words) >= 12
    assert sum(words.values()) >= 13_500
    assert PAYROLL


def test_no_paragraph_of_the_notes_is_there_twice() -> None:
    seen: dict[str, str] = {}
    for path in NOTES:
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            text = bare(paragraph)
            if len(text) > 60:
                assert text not in seen, f"{path.name} repeats {seen.get(text)}: {paragraph[:60]}"
                seen[text] = path.name


@pytest.mark.parametrize(
    "noise",
    [r"\[cite: \d+\]", r"\[source: [^\]]+\]", "\u3010\\d+:?\\d*\u2020[^\u3011]+\u3011", r"<script\b", r"<style\b",
     r"\\text\{", r"\\mathrm\{", r"\n[ \t]*\n[ \t]*\n[ \t]*\n", "\u200b", r"[Ii]gnore all previous instructions",
     r"<!--"],
)  # fmt: skip
def test_the_notes_have_the_noise_of_real_retrieval(noise: str) -> None:
    assert any(re.search(noise, path.read_text(encoding="utf-8")) for path in NOTES)


def test_the_code_in_the_notes_is_code() -> None:
    found = 0
    for path in NOTES:
        for body in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            compile(body, path.name, "exec")
            found += 1
    assert found >= 6


def test_the_book_has_the_size_of_a_book() -> None:
    assert len(spec().chapters) >= 4
    assert len(plan().sections) >= 12
    assert sum(count_words(text) for text in sections()) >= 7_000


def test_every_shape_is_used_and_the_layout_keeps_every_wish() -> None:
    assert {s.plan.shape for s in plan().sections} == {
        "deep_code", "comparative_analysis", "post_mortem", "conceptual_breakdown"
    }  # fmt: skip
    assert plan().blueprint.relaxed == ()


@pytest.mark.parametrize("number", range(1, 14))
def test_each_section_passes_its_latch_and_says_nothing_that_its_passages_do_not(number: int) -> None:
    section, text = plan().sections[number - 1], sections()[number - 1]
    assert [f.message for f in verify(text, section.plan).findings] == []
    assert body_fault(text) == ""
    assert inventions(text, section.passages) == []
    used, notes = refs_and_notes(text)
    assert used == notes
    assert len(notes) >= 3


def test_nothing_foreign_hidden_or_hostile_reaches_the_book() -> None:
    book = "\n".join(sections())
    for mark in (
        "[cite",
        "[source",
        "\u3010",
        "\u2020",
        "<div",
        "<p>",
        "<script",
        "telemetryQueue",
        "promo",
        "Upgrade today",
    ):
        assert mark not in book, mark
    assert not re.search(r"previous instructions|editor of this book|premium plan", book, re.IGNORECASE)
    for term in policy().lanes["public"].banned:
        assert term not in re.sub("\u200b", "", book).casefold(), term
    for number in re.findall(r"P-\d{4}|\d+\.\d\d euros", PAYROLL[0].read_text(encoding="utf-8")):
        assert number not in book, number
    assert "4471" not in book
    assert not re.search("[\u200b-\u200f\u2060\ufeff]", book)


def test_the_firewall_says_what_it_kept_out() -> None:
    said = [(f.rule, f.message) for f in plan().findings]
    for kind in ("citation", "html"):
        assert any(rule.startswith(kind) for rule, _ in said), kind
    assert any("payroll" in message and "standby-rates.md" in message for _, message in said)
    assert any("runbooks.md" in message and "door code" in message for _, message in said)


def test_no_paragraph_stands_in_the_book_twice() -> None:
    seen: dict[str, str] = {}
    for section, text in zip(plan().sections, sections(), strict=True):
        for paragraph in text.split("\n\n"):
            key = bare(paragraph)
            if len(key) > 60 and not paragraph.startswith("[^"):
                assert key not in seen, f"{section.plan.title} repeats {seen.get(key)}: {paragraph[:60]}"
                seen[key] = section.plan.title


def test_headings_and_labels_are_unique_in_a_chapter() -> None:
    for text in chapters().values():
        doc = parse(text)
        assert [f.message for f in unique_anchors(doc)] == []
        labels = [n.attrs["label"] for n in doc.find("footnote_definition")]
        assert len(labels) == len(set(labels))


def test_the_style_has_something_to_do() -> None:
    hits = [hit for text in chapters().values() for hit in Scanner(policy().style).scan(text)]
    assert len([h for h in hits if h.alternatives]) >= 8
    assert {"telemetry", "outage", "machine", "somebody"} & {h.term for h in hits}
