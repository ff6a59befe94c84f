"""book.toml -> BookSpec: what the book is, what it is written from, where it goes. Pure but for `load_book`.

A whole book.toml, with every key; only `title`, `[[sources]]` and `[[chapters]]` must be there::

    title = "The Night Shift"
    lane = "public"                  # the lane that prompts are built for; [lanes.public] in stet.toml
    out = "out"                      # below this folder; one Markdown file a chapter

    [models]
    draft = "offline"                # "offline", or a model id such as "claude-sonnet-4-6"
    edit = "offline"

    [structure]
    words = 650                      # the usual length of a section
    seed = 0                         # which of the many layouts that keep the rules
    balance = 1                      # how far apart the uses of two shapes may be

    [[shapes]]                       # shapes of your own; those of latches/shapes.py are always there
    name = "field_report"
    elements = ["timeline_steps", "callout_box"]
    about = "Tell what was seen, and what to look out for."
    options = { timeline_steps = { items = 4 } }

    [[sources]]
    files = ["notes/*.md"]           # globs below this folder, `**` for any depth
    lane = "public"                  # the lane of these notes: it comes from here, never from their text

    [[sources]]
    files = ["notes/clinic/*.md"]
    lane = "medical"

    [[chapters]]
    title = "Before the pager"
    sections = [
      "What the night is for",       # a title is enough
      { title = "The first alarm", query = "alarm pager acknowledge", shape = "post_mortem" },
    ]

    [[chapters]]
    title = "Hand-over"

    [[chapters.sections]]            # the same in long form
    title = "Words that travel"
    query = "hand-over checklist"
    exclude = ["deep_code"]
    words = 400

`query` is what the notes are searched for; without it, the titles of section and chapter are used.
`shape` pins the section's shape, which the structure latch otherwise assigns; `exclude` bars shapes.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from firewall.policy.toml_model import read_toml
from pipeline.errors import BookError, NoBook

BOOK_FILE = "book.toml"


class _Table(BaseModel):
    """A table of book.toml: frozen, no unknown keys, no silent conversions."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=True, allow_inf_nan=False)


def _one_line(text: str) -> str:
    """A title becomes a heading, so it is one line with something to read in it."""
    if not text.strip():
        raise ValueError("it is empty")
    if any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs") for c in text):
        raise ValueError("it holds a line break or an invisible character")
    if text != text.strip() or "  " in text:
        raise ValueError("it has spaces at an end or in a row, which a Markdown heading would lose")
    if text.endswith("#"):
        raise ValueError("Markdown takes a # at the end of a heading away")
    return text


def _below(path: str) -> str:
    """A path that stays below the book's folder, in POSIX form."""
    pure = PurePosixPath(path)
    if "\\" in path or "\0" in path:
        raise ValueError("write folders with /")
    if not path.strip() or pure.is_absolute() or ".." in pure.parts or not pure.parts:
        raise ValueError("it must name something below the book's folder")
    return path


Title = Annotated[str, Field(max_length=200), AfterValidator(_one_line)]
Below = Annotated[str, AfterValidator(_below)]
LaneName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
ModelName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$")]


class Models(_Table):
    """[models]: who writes and who edits."""

    draft: ModelName = Field("offline", description='writes sections: "offline" or a model id')
    edit: ModelName = Field("offline", description='rewrites one sentence: "offline" or a model id')


class Structure(_Table):
    """[structure]: what the structure latch works with."""

    words: int = Field(default=650, ge=50, le=20_000, description="the usual length of a section in words")
    seed: int = Field(default=0, description="which of the many layouts that keep the rules")
    balance: int = Field(default=1, ge=1, description="how far apart the uses of two shapes may be")


class ShapeSpec(_Table):
    """[[shapes]]: a shape of the book's own."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$", description="what sections call it")
    elements: list[str] = Field(min_length=1, description="its mandatory elements, in order")
    about: str = Field("", description="one sentence for whoever writes such a section")
    options: dict[str, dict[str, int | str]] = Field(
        default={}, description="parameters of its elements, { timeline_steps = { items = 4 } }"
    )


class SourceSpec(_Table):
    """[[sources]]: notes and the lane that this configuration gives them."""

    files: list[Below] = Field(min_length=1, description='globs below the book\'s folder, ["notes/*.md"]')
    lane: LaneName = Field(description="the lane of these notes")


class SectionSpec(_Table):
    """A section: a title, or a table with a title."""

    title: Title = Field(description="the section's heading, one line")
    query: str | None = Field(default=None, min_length=1, description="what the notes are searched for")
    shape: str | None = Field(default=None, min_length=1, description="the shape it must have")
    exclude: list[str] = Field(default=[], description="shapes it may not have")
    words: int | None = Field(default=None, ge=10, le=20_000, description="its length in words")

    @model_validator(mode="before")
    @classmethod
    def _title_alone(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"title": value}
        if not isinstance(value, dict | cls):
            raise ValueError("a section is its title, or a table with a title")
        return value


class ChapterSpec(_Table):
    """[[chapters]]: a title and its sections in order."""

    title: Title = Field(description="the chapter's heading, one line")
    sections: list[SectionSpec] = Field(min_length=1, description="section titles, or tables with a title")

    @model_validator(mode="after")
    def _titles_differ(self) -> ChapterSpec:
        seen: set[str] = set()
        for section in self.sections:
            if section.title.casefold() in seen:
                raise ValueError(f"two sections are called {section.title!r}; within a chapter titles must differ")
            seen.add(section.title.casefold())
        return self


class BookSpec(_Table):
    """book.toml as a value."""

    title: Title = Field(description="the book's title, one line")
    lane: LaneName = Field("public", description="the lane that prompts are built for")
    out: Below = Field("out", description="where the chapters go, below the book's folder")
    models: Models = Field(default_factory=Models, description="who writes and who edits")
    structure: Structure = Field(default_factory=Structure, description="what the structure latch works with")
    shapes: list[ShapeSpec] = Field(default=[], description="shapes of the book's own")
    sources: list[SourceSpec] = Field(min_length=1, description="the notes the book is written from")
    chapters: list[ChapterSpec] = Field(min_length=1, description="the chapters in order")


_WHERE = "The README has a small book, under Your own book; `python -m pydoc pipeline.book` tells of every key."


def parse_book(text: str, name: str = BOOK_FILE) -> BookSpec:
    """The spec that `text` says. `name` is what errors call the file.

    Raises BookError with the line, the key, and for an unknown key the nearest right name.
    """

    def refuse(line: int, problem: str, fix: str) -> BookError:
        return BookError(path=name, line=line, problem=problem, fix=fix)

    return read_toml(text, BookSpec, refuse, where_to_look=_WHERE)


def load_book(folder: Path) -> BookSpec:
    """The spec of the book in `folder`. Raises NoBook, BookError."""
    path = folder / BOOK_FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise NoBook(folder=folder) from None
    except OSError as error:
        raise BookError(
            path=path, line=1, problem=f"it cannot be read ({error.strerror})", fix="Make it readable."
        ) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BookError(path=path, line=line, problem="it is not UTF-8", fix="Save it as UTF-8.") from None
    return parse_book(text, str(path))
