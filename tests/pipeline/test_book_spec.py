"""book.toml: what it may hold, and what a mistake in it is told."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import book
from pipeline.book import load_book, parse_book
from pipeline.errors import BookError, NoBook
from pipeline.plan import structure_of

EXAMPLE = textwrap.dedent((inspect.getdoc(book) or "").split("::\n", 1)[1].split("\n`query`")[0])


def test_the_documented_example_is_a_book() -> None:
    spec = parse_book(EXAMPLE)
    assert spec.title == "The Night Shift"
    assert [len(chapter.sections) for chapter in spec.chapters] == [2, 1]
    assert spec.chapters[0].sections[0].title == "What the night is for"
    assert spec.chapters[0].sections[1].shape == "post_mortem"
    assert spec.sources[1].lane == "medical"
    assert spec.shapes[0].options == {"timeline_steps": {"items": 4}}
    assert structure_of(spec).chapters, "its shapes can be used"


def test_line_ends_and_a_byte_order_mark_make_no_difference() -> None:
    assert parse_book("\ufeff" + EXAMPLE.replace("\n", "\r\n")) == parse_book(EXAMPLE)


def refused(old: str, new: str) -> BookError:
    assert old in EXAMPLE
    with pytest.raises(BookError) as caught:
        parse_book(EXAMPLE.replace(old, new, 1))
    return caught.value


def line_with(text: str, changed: str) -> int:
    return next(n for n, line in enumerate(changed.splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "key", "near"),
    [
        ('title = "The Night Shift"', 'titel = "The Night Shift"', "titel", "title"),
        ("[models]", "[model]", "model", "models"),
        ('draft = "offline"', 'drafd = "offline"', "models.drafd", "models.draft"),
        ("shape =", "shap =", "chapters[1].sections[2].shap", "chapters[1].sections[2].shape"),
        (
            'query = "hand-over',
            'qery = "hand-over',
            "chapters[2].sections[1].qery",
            "chapters[2].sections[1].query",
        ),
        ('files = ["notes/clinic', 'file = ["notes/clinic', "sources[2].file", "sources[2].files"),
        ("seed = 0", "sead = 0", "structure.sead", "structure.seed"),
    ],
)
def test_an_unknown_key_is_refused_with_its_line_and_the_right_name(old: str, new: str, key: str, near: str) -> None:
    error = refused(old, new)
    assert error.fields["line"] == line_with(new, EXAMPLE.replace(old, new, 1))
    assert f"unknown key {key!r}" in error.message
    assert error.hint == f"Did you mean {near!r}?"


def test_a_key_of_the_book_that_stands_in_a_table_is_told_its_place() -> None:
    error = refused('files = ["notes/clinic', 'out = "x"\nfiles = ["notes/clinic')
    assert "unknown key 'sources[2].out'" in error.message
    assert error.hint == "'out' stands above the first line in brackets: move it there."


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('title = "The Night Shift"', 'title = ""', "it is empty"),
        ('title = "The Night Shift"', 'title = "a\\nb"', "a line break"),
        ('title = "The Night Shift"', 'title = "a\\u200bb"', "invisible character"),
        ('title = "The Night Shift"', 'title = "a #"', "#"),
        ('out = "out"', 'out = "../elsewhere"', "below the book's folder"),
        ('out = "out"', 'out = "/tmp/x"', "below the book's folder"),
        ('out = "out"', 'out = "."', "below the book's folder"),
        ('files = ["notes/*.md"]', 'files = ["../*.md"]', "below the book's folder"),
        ('files = ["notes/*.md"]', "files = []", "at least 1"),
        ('lane = "medical"', "lane = 3", "string"),
        ('draft = "offline"', 'draft = "two words"', "pattern"),
        ('"What the night is for",', '"The first alarm",', "titles must differ"),
        ('"What the night is for",', "7,", "a section is its title"),
        ("words = 400", "words = 1", "greater than or equal to 10"),
        ("words = 400", 'words = "400"', "integer"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line_and_what_would_do(old: str, new: str, told: str) -> None:
    error = refused(old, new)
    assert told in error.message
    assert 1 <= int(str(error.fields["line"])) <= len(EXAMPLE.splitlines())
    assert error.hint


@pytest.mark.parametrize("value", ["true", "1.5", "[]"])
def test_a_wrong_parameter_of_a_shape_is_named_as_it_is_written(value: str) -> None:
    error = refused("items = 4", f"items = {value}")
    assert "shapes[1].options.timeline_steps.items = " in error.message
    assert "'shapes[1].options.timeline_steps.items'" in error.hint


def test_what_is_missing_is_named() -> None:
    error = refused('title = "The Night Shift"', "")
    assert "'title' is missing" in error.message
    assert 'Add `title = "…"` (the book\'s title, one line).' in error.hint


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('title = "x"\n', '`[[sources]]` with `files = ["…"]` and `lane = "…"` (the notes the book is written from)'),
        (
            'title = "x"\nsources = [{ files = ["a"] }]\nchapters = [{ title = "y", sections = ["z"] }]\n',
            '`lane = "…"` to sources[1] (the lane of these notes)',
        ),
        (
            'title = "x"\n[[sources]]\nfiles = ["a"]\nlane = "a"\n',
            '`[[chapters]]` with `title = "…"` and `sections = ["…"]`',
        ),
        (
            'title = "x"\n[[sources]]\nfiles = ["a"]\nlane = "a"\n[[chapters]]\ntitle = "y"\n',
            '`sections = ["…"]` to chapters[1]',
        ),
    ],
)
def test_the_line_that_is_missing_is_shown(text: str, line: str) -> None:
    with pytest.raises(BookError) as caught:
        parse_book(text)
    assert f"Add {line}" in caught.value.hint


def test_text_that_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BookError) as caught:
        parse_book('title = "x"\nlane = = 3\n')
    assert caught.value.fields["line"] == 2


def test_a_folder_without_a_book_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoBook):
        load_book(tmp_path)
    with pytest.raises(NoBook):
        load_book(tmp_path / "nowhere")


def test_bytes_that_are_no_utf_8_are_refused_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "book.toml").write_bytes(b'title = "x"\n# caf\xe9\n')
    with pytest.raises(BookError) as caught:
        load_book(tmp_path)
    assert caught.value.fields["line"] == 2


@given(st.text(max_size=80), st.integers(min_value=0, max_value=len(EXAMPLE)))
def test_no_text_at_all_gives_a_traceback(junk: str, at: int) -> None:
    try:
        parse_book(EXAMPLE[:at] + junk + EXAMPLE[at:])
    except BookError as error:
        assert error.message
        assert error.hint
