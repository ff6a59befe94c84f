"""Where a section goes in its chapter: outside its own range not one byte moves."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.markdown import parse
from pipeline.chapter import (
    Change,
    body_fault,
    file_name,
    find_section,
    own_footnotes,
    put,
    section_text,
    without_own_heading,
)

TITLES = ["One *first*", "Two", "Three & more", "四番目"]
BODIES = {t: f"Text of {n}.\n\n### Inside\n\n```sh\n# not a heading\n## nor this\n```" for n, t in enumerate(TITLES)}


def add(old: bytes | None, title: str, body: str | None = None) -> Change:
    return put(old, "A chapter", TITLES, title, BODIES[title] if body is None else body)


def outside(old: bytes, change: Change) -> bool:
    assert change.span is not None
    start, end = change.span
    tail = old[end:]
    return change.content.startswith(old[:start]) and change.content.endswith(tail)


def test_the_first_section_makes_the_file() -> None:
    change = add(None, "Two")
    assert change.span is None
    assert change.content.decode() == f"# A chapter\n\n## Two\n\n{BODIES['Two']}\n"


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_order_of_writing_the_chapter_ends_up_the_same(seed: int) -> None:
    order = TITLES[:]
    random.Random(seed).shuffle(order)
    old: bytes | None = None
    for title in order:
        change = add(old, title)
        if old is not None:
            assert outside(old, change)
        old = change.content
    assert old is not None
    expected = "# A chapter\n\n" + "\n".join(section_text(t, BODIES[t]) for t in TITLES)
    assert old.decode() == expected


def whole() -> bytes:
    return ("# A chapter\n\n" + "\n".join(section_text(t, BODIES[t]) for t in TITLES)).encode()


@pytest.mark.parametrize("title", TITLES)
def test_replacing_a_section_touches_its_own_range_alone(title: str) -> None:
    change = add(whole(), title, "New text.")
    assert outside(whole(), change)
    text = change.content.decode()
    there = find_section(text, title)
    assert there is not None
    assert text[slice(*there)].strip() == section_text(title, "New text.").strip()
    for other in TITLES:
        if other != title:
            found = find_section(text, other)
            assert found is not None
            assert text[slice(*found)].strip() == section_text(other, BODIES[other]).strip()


@pytest.mark.parametrize("title", TITLES)
def test_a_section_that_stands_already_changes_nothing(title: str) -> None:
    change = add(whole(), title)
    assert change.same
    assert change.content == whole()


def test_what_a_person_wrote_between_is_carried_through() -> None:
    mine = b"# My own title\r\n\r\nForeword.\r\n\r\n## Two\r\n\r\nOld.\r\n\r\n# Aside\r\n\r\nMine."
    change = add(mine, "Two", "New.\n\nMore.")
    assert change.content == (
        b"# My own title\r\n\r\nForeword.\r\n\r\n## Two\r\n\r\nNew.\r\n\r\nMore.\r\n\r\n# Aside\r\n\r\nMine."
    )
    assert outside(mine, change)


def test_a_file_that_does_not_end_its_last_line_keeps_that_line() -> None:
    change = add(b"# A chapter\n\nForeword", "Two")
    assert change.content.startswith(b"# A chapter\n\nForeword\n\n## Two\n\n")


def test_headings_in_code_and_quotes_are_no_sections() -> None:
    text = "# A\n\n```\n## Two\n```\n\n> ## Two\n\n    ## Two\n"
    assert find_section(text, "Two") is None


def test_a_heading_is_found_with_its_markup_and_in_either_form() -> None:
    assert find_section("One *first*\n---\n\nx\n", "One *first*") == (0, len("One *first*\n---\n\nx\n"))
    assert find_section("## One _first_ ##\n\nx\n", "One *first*") is not None
    assert find_section("## One first more\n", "One *first*") is None


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200), st.sampled_from(TITLES))
def test_nothing_outside_the_range_changes_whatever_stands_there(text: str, title: str) -> None:
    old = text.encode()
    change = add(old, title)
    if not change.same:
        assert outside(old, change)
    again = put(change.content, "A chapter", TITLES, title, BODIES[title])
    found = find_section(change.content.decode(), title)
    if found is not None:  # unless an open fence of the person's swallows what comes after it
        assert again.same


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("", "empty"),
        (" \n\n ", "empty"),
        ("Text.\n\n## A section", "level 2"),
        ("# Title\n\nText.", "level 1"),
        ("Text\n====\n", "level 1"),
        ("```sh\nls", "left open"),
        ("Text.\n\n~~~\nls\n~~\n", "left open"),
        ("Text.\n\n<!-- and so", "left open"),
        ("Text.\n\n<script>\nx", "left open"),
        ("<!-- stet: off because I say so -->\n\nText.", "stet:"),
        ("Text <!--stet:next it is fine--> more.", "stet:"),
        ("Text.\n\n<!--\nstet: off because I say so\n-->", "stet:"),
    ],
)
def test_what_cannot_be_a_section_is_told_why(body: str, told: str) -> None:
    assert told in body_fault(body)


@pytest.mark.parametrize(
    "body",
    [
        "Text.",
        "### Fine\n\nText.\n\n#### Finer",
        "```md\n# not a heading\n<!-- stet: off shown as code -->\n```",
        "- a list\n\n  ```\n  x\n  ```",
        "> ## quoted",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Text.[^1]\n\n[^1]: A note.",
    ],
)
def test_what_can_be_a_section_passes(body: str) -> None:
    assert body_fault(body) == ""


@given(st.text(alphabet=st.sampled_from("ab#`~<>!-=\n *|_[]:$\\"), max_size=60))
def test_a_body_that_passes_never_swallows_or_becomes_a_section(body: str) -> None:
    if body_fault(body):
        return
    text = put(whole(), "A chapter", TITLES, "Two", body).content.decode()
    levels = [
        (b.attrs["level"], " ".join(b.plain().split()))
        for b in parse(text).blocks
        if b.kind == "heading" and b.attrs["level"] <= 2
    ]
    assert levels == [(1, "A chapter"), *((2, t.replace("*", "")) for t in TITLES)]


NOTED = "One[^a] and two[^b], again[^A].\n\n[^b]: `n/b.md:1`\n[^a]: `n/a.md:1` says `[^a]` [^b]\n"


def test_footnotes_are_called_after_their_section() -> None:
    assert own_footnotes(NOTED, 3, "") == (
        "One[^s3-1] and two[^s3-2], again[^s3-1].\n\n[^s3-2]: `n/b.md:1`\n[^s3-1]: `n/a.md:1` says `[^a]` [^s3-2]\n"
    )


def test_renaming_footnotes_twice_is_renaming_them_once() -> None:
    once = own_footnotes(NOTED, 3, "")
    assert own_footnotes(once, 3, "") == once


def test_names_that_the_chapter_has_already_are_not_taken() -> None:
    rest = "## Other\n\nText[^s3-1].\n\n[^s3-1]: `n/c.md:1`\n"
    assert "[^s3b-1]: `n/a.md:1`" in own_footnotes(NOTED, 3, rest)


@pytest.mark.parametrize("text", ["No notes.", "Not one[^a].", "`[^a]` in code\n\n```\n[^a]: x\n```", ""])
def test_what_is_no_footnote_is_left_alone(text: str) -> None:
    assert own_footnotes(text, 3, "") == text


@given(st.lists(st.sampled_from(["a[^1] ", "b[^x y] ", "c[^é] ", "`[^1]` ", "\n\n[^1]: one\n\n", "[^é]: two\n\n"])))
def test_every_footnote_keeps_what_it_says(parts: list[str]) -> None:
    body = "".join(parts)

    def said(text: str) -> list[str]:
        """What each reference points to, in order."""
        doc = parse(text)
        notes = {str(n.attrs["label"]): n.plain().strip() for n in doc.find("footnote_definition")}
        return [notes[str(r.attrs["label"])] for r in doc.find("footnote_reference")]

    assert said(own_footnotes(body, 7, "")) == said(body)


def test_the_sections_own_heading_is_taken_off() -> None:
    assert without_own_heading("Two", "## Two\n\nText.") == ("Text.", True)
    assert without_own_heading("Two", "\n# two #\nText.") == ("Text.", True)
    assert without_own_heading("Two", "## Three\n\nText.") == ("## Three\n\nText.", False)
    assert without_own_heading("Two", "Two\n\nText.") == ("Two\n\nText.", False)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Before the pager", "03-before-the-pager.md"),
        ("C++ & Co.: what/why?", "03-c-co-what-why.md"),
        ("夜勤", "03-夜勤.md"),
        ("???", "03-chapter.md"),
        ("../../etc", "03-etc.md"),
        ("x" * 200, f"03-{'x' * 60}.md"),
    ],
)
def test_a_file_is_named_for_its_chapter(title: str, name: str) -> None:
    assert file_name(3, title) == name
