"""What a section must be before it is written: the locked plan that every later step reads."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from latches.errors import BadBlueprint

FORMAT = 1
"""Version of the blueprint's JSON. A reader refuses every other."""


class SectionPlan(NamedTuple):
    """One section of the blueprint.

    `number` counts over the whole book from 1. `chapter` and `position` count from 1 inside the book and
    the chapter. `shape` is a shape's name, `elements` its mandatory element names in the shape's order,
    `target_words` the length aimed at, `opener` the way the first paragraph begins (a name of
    `latches.shapes.OPENERS`). `options` are the shape's parameters as (element, parameter, value).
    """

    number: int
    chapter: int
    position: int
    chapter_title: str
    title: str
    shape: str
    elements: tuple[str, ...]
    target_words: int
    opener: str = ""
    options: tuple[tuple[str, str, int | str], ...] = ()

    def options_of(self, element: str) -> dict[str, int | str]:
        """The parameters that the shape gives to `element`."""
        return {key: value for name, key, value in self.options if name == element}


class Blueprint(NamedTuple):
    """The locked list of shapes for a book. `hash` is sha256 of its canonical JSON without the hash.

    `relaxed` says, in sentences, which wish could not be met for a book of this form; the rules that may
    never be broken are never in it.
    """

    book: str
    sections: tuple[SectionPlan, ...]
    hash: str
    relaxed: tuple[str, ...] = ()


def lock(book: str, sections: tuple[SectionPlan, ...], relaxed: tuple[str, ...] = ()) -> Blueprint:
    """The blueprint with its hash."""
    return Blueprint(book, sections, _hash(_body(book, sections, relaxed)), relaxed)


def to_json(blueprint: Blueprint) -> dict[str, object]:
    """The blueprint as a JSON object. `from_json` gives the same value back."""
    return {**_body(blueprint.book, blueprint.sections, blueprint.relaxed), "hash": blueprint.hash}


def from_json(raw: object) -> Blueprint:
    """The blueprint in a JSON object. Raises BadBlueprint when it is not one, or was edited."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise BadBlueprint(detail=f"it is not a blueprint of format {FORMAT}")
    try:
        sections = tuple(_section(item) for item in raw["sections"])
        relaxed = tuple(str(line) for line in raw["relaxed"])
        blueprint = lock(_typed(raw["book"], str), sections, relaxed)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadBlueprint(detail=f"a field is missing or of the wrong kind ({error})") from None
    if set(raw) != {"format", "book", "sections", "relaxed", "hash"}:
        raise BadBlueprint(detail="it has fields that a blueprint does not have")
    if blueprint.hash != raw["hash"]:
        raise BadBlueprint(detail="its hash does not fit its content, so it was edited after it was locked")
    return blueprint


def _body(book: str, sections: tuple[SectionPlan, ...], relaxed: tuple[str, ...]) -> dict[str, object]:
    return {
        "format": FORMAT,
        "book": book,
        "sections": [
            {
                **section._asdict(),
                "elements": list(section.elements),
                "options": [list(option) for option in section.options],
            }
            for section in sections
        ],
        "relaxed": list(relaxed),
    }


def _hash(body: dict[str, object]) -> str:
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _section(item: dict[str, Any]) -> SectionPlan:
    if set(item) != set(SectionPlan._fields):
        raise KeyError(", ".join(sorted(set(item) ^ set(SectionPlan._fields))))
    numbers = ("number", "chapter", "position", "target_words")
    texts = ("chapter_title", "title", "shape", "opener")
    values: dict[str, Any] = {key: _typed(item[key], int) for key in numbers}
    values |= {key: _typed(item[key], str) for key in texts}
    values["elements"] = tuple(_typed(name, str) for name in item["elements"])
    values["options"] = tuple(
        (_typed(name, str), _typed(key, str), value if isinstance(value, int) else _typed(value, str))
        for name, key, value in item["options"]
    )
    return SectionPlan(**values)


def _typed(value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


class Difference(NamedTuple):
    """One thing that a new blueprint changes. `kind` is added, removed, moved or changed."""

    kind: str
    chapter_title: str
    title: str
    field: str = ""
    old: object = None
    new: object = None

    def __str__(self) -> str:
        where = f"{self.chapter_title} / {self.title}"
        if self.kind in ("added", "removed"):
            return f"{where}: {self.kind}"
        return f"{where}: {self.field} {self.old} -> {self.new}"


def differences(old: Blueprint, new: Blueprint) -> tuple[Difference, ...]:
    """What `new` would change, section by section. Sections are the same when chapter and title are.

    The first of two sections of one title in one chapter is paired with the first, and so on.
    """
    before, after = keyed(old), keyed(new)
    out: list[Difference] = []
    for key, section in after.items():
        was = before.get(key)
        if was is None:
            out.append(Difference("added", section.chapter_title, section.title))
            continue
        here, there = (section.chapter, section.position), (was.chapter, was.position)
        if here != there:
            places = (f"{there[0]}.{there[1]}", f"{here[0]}.{here[1]}")
            out.append(Difference("moved", section.chapter_title, section.title, "place", *places))
        for field in ("shape", "elements", "options", "target_words", "opener"):
            was_value, value = getattr(was, field), getattr(section, field)
            if was_value != value:
                out.append(Difference("changed", section.chapter_title, section.title, field, was_value, value))
    for key, was in before.items():
        if key not in after:
            out.append(Difference("removed", was.chapter_title, was.title))
    if old.book != new.book:
        out.append(Difference("changed", "book", "", "title", old.book, new.book))
    return tuple(out)


def keyed(blueprint: Blueprint) -> dict[tuple[str, str, int], SectionPlan]:
    """Sections by (chapter title, title, turn among those of one title in the chapter, from 0)."""
    out: dict[tuple[str, str, int], SectionPlan] = {}
    for section in blueprint.sections:
        turn = 0
        while (section.chapter_title, section.title, turn) in out:
            turn += 1
        out[section.chapter_title, section.title, turn] = section
    return out
