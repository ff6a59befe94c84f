"""TOML text -> a checked pydantic model, with errors that name the line, the key and the right name.

Pure. `stet.toml` and `book.toml` are read by it; the caller says which error the user meets.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from firewall import tomls
from firewall.errors import StetError

M = TypeVar("M", bound=BaseModel)
Refuse = Callable[[int, str, str], StetError]
"""Makes the error from a line (from 1), what is wrong there, and what to do."""

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)")


def read_toml(text: str, model: type[M], refuse: Refuse, *, where_to_look: str) -> M:
    """`text` as a `model`. A byte-order mark and CRLF are no part of it.

    Raises what `refuse` makes, for the first thing wrong in the order of the file. `where_to_look` says,
    as a sentence, where the user finds every key.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        raw = tomls.loads(text)
    except tomls.Unreadable as error:
        raise refuse(error.line, f"not TOML: {error.problem}", "Fix that line.") from None
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = _first(error, text, model)
        if first["type"] != "missing":
            first["loc"] = _as_written(raw, first["loc"])
        raise refuse(*_explained(first, text, model, where_to_look)) from None


def _first(error: ValidationError, text: str, model: type[BaseModel]) -> dict[str, Any]:
    """The first problem in the order of the file. A misspelt key is one problem, not a missing one too."""
    problems: list[dict[str, Any]] = [dict(problem) for problem in error.errors()]
    misspelt = {nearest(model, p["loc"]) for p in problems if p["type"] == "extra_forbidden"}
    told = [p for p in problems if p["type"] != "missing" or dotted(p["loc"]) not in misspelt]
    return min(told or problems, key=lambda p: line_of(text, p["loc"]))


def _explained(problem: dict[str, Any], text: str, model: type[BaseModel], where_to_look: str) -> tuple[int, str, str]:
    """The line, what is wrong, and what to do, for one of pydantic's problems."""
    loc: tuple[int | str, ...] = problem["loc"]
    line = line_of(text, loc)
    key = dotted(loc)
    about = f" ({described(model, loc)})" if loc and described(model, loc) else ""
    if problem["type"] == "extra_forbidden":
        near = nearest(model, loc)
        if near == loc[-1]:  # right name, and a table above it took it in
            return line, f"unknown key {key!r}", f"{near!r} stands above the first line in brackets: move it there."
        return line, f"unknown key {key!r}", f"Did you mean {near!r}?" if near else where_to_look
    if problem["type"] == "missing":
        where = f" to {dotted(loc[:-1])}" if len(loc) > 1 else ""
        return line, f"{key!r} is missing", f"Add {_line_for(model, loc)}{where}{about}. {where_to_look}"
    message = str(problem["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    if not loc:
        return line, message, f"Change it. {where_to_look}"
    value = json.dumps(problem.get("input"), ensure_ascii=False, default=str)
    return line, f"{key} = {value[:80]} is not usable: {message}", f"Change the value of {key!r}.{about}"


def _as_written(raw: Any, loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """The place without what the model adds to it: the kind of value it tried, where there are several."""
    at: Any = raw
    for depth, part in enumerate(loc):
        try:
            at = at[part]
        except (KeyError, IndexError, TypeError):
            return loc[:depth] or loc
    return loc


def _line_for(model: type[BaseModel], loc: tuple[int | str, ...]) -> str:
    """The line that is missing, as people write it, with what must stand in it left open."""
    _, field = _model_at(model, loc)
    annotation = field.annotation if field else str
    inner = section_in(annotation)
    is_list = get_origin(annotation) is list
    if inner is None or len(loc) > 1:
        return f"`{loc[-1]} = " + ('["…"]`' if is_list else '"…"`')
    needed = [_line_for(model, (*loc, name)) for name, one in inner.model_fields.items() if one.is_required()]
    return (f"`[[{loc[-1]}]]`" if is_list else f"`[{loc[-1]}]`") + " with " + " and ".join(needed)


def dotted(loc: tuple[int | str, ...]) -> str:
    """The key as people write it; places in arrays count from 1: `chapters[2].title`."""
    out = ""
    for part in loc:
        if isinstance(part, int):
            out += f"[{part + 1}]"
        else:
            out += f".{part}" if out else part
    return out


def line_of(text: str, path: tuple[int | str, ...]) -> int:
    """The line (from 1) where the key at `path` stands, or its table's header, or 1."""
    wanted = list(path)
    table: list[int | str] = []
    counts: dict[tuple[int | str, ...], int] = {}
    best, depth = 1, 0
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line)
        if header:
            table = here = _table_path(_parts(header.group(2)), header.group(1) == "[[", counts)
        else:
            key = _KEY.match(line)
            if not key:
                continue
            here = table + _parts(key.group(1))
        common = 0
        while common < min(len(here), len(wanted)) and here[common] == wanted[common]:
            common += 1
        if common > depth and common == min(len(here), len(wanted)):
            best, depth = number, common
    return _inside(lines, best, wanted[depth:])


def _table_path(names: list[int | str], is_array: bool, counts: dict[tuple[int | str, ...], int]) -> list[int | str]:
    """A header's path with the places of arrays of tables put in; `counts` holds the last place of each."""
    path: list[int | str] = []
    for i, name in enumerate(names):
        path.append(name)
        key = tuple(path)
        if is_array and i == len(names) - 1:
            counts[key] = counts.get(key, -1) + 1
        if key in counts:
            path.append(counts[key])
    return path


def _inside(lines: list[str], best: int, rest: list[int | str]) -> int:
    """Where an inline table's key stands: the one line of the value that begins on line `best` with it."""
    if not rest or not isinstance(rest[-1], str) or not isinstance(rest[0], int):
        return best
    key = re.compile(rf"(?<![\w-])[\"']?{re.escape(rest[-1])}[\"']?\s*=")
    found = []
    for number in range(best, len(lines) + 1):
        if number > best and (_HEADER.match(lines[number - 1]) or _KEY.match(lines[number - 1])):
            break
        if key.search(lines[number - 1]):
            found.append(number)
    return found[0] if len(found) == 1 else best


def _parts(dotted_name: str) -> list[int | str]:
    return ["".join(groups) for groups in _PART.findall(dotted_name)]


def _model_at(root: type[BaseModel], path: tuple[int | str, ...]) -> tuple[type[BaseModel] | None, FieldInfo | None]:
    """The section that holds the last part of `path`, and that part's field if there is one."""
    names = [part for part in path if isinstance(part, str)]
    if not names:
        return root, None
    model: type[BaseModel] | None = root
    for part in names[:-1]:
        if model is None:
            return None, None
        field = model.model_fields.get(part)
        if field is None:  # a name the user chose, as in [lanes.NAME]: stay in the model it holds
            continue
        model = section_in(field.annotation)
    return model, model.model_fields.get(names[-1]) if model else None


def section_in(annotation: Any) -> type[BaseModel] | None:
    """The model that a field's type is, or holds (list[Chapter], dict[str, Lane]), or None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in get_args(annotation):
        found = section_in(inner)
        if found:
            return found
    return None


def nearest(root: type[BaseModel], path: tuple[int | str, ...]) -> str | None:
    """The right name closest to the unknown key at `path`, as people write it, or None."""
    model, _ = _model_at(root, path)
    if model is None:
        return None
    wrong = str(path[-1])
    near = difflib.get_close_matches(wrong, list(model.model_fields), n=1, cutoff=0.5)
    if near:
        return dotted((*path[:-1], near[0]))
    for section, field in root.model_fields.items():  # right key, wrong table
        inner = section_in(field.annotation)
        if inner and wrong in inner.model_fields and field.annotation is inner:
            return f"{section}.{wrong}"
    return wrong if wrong in root.model_fields and model is not root else None


def described(root: type[BaseModel], path: tuple[int | str, ...]) -> str:
    """What the key at `path` is for, or an empty text."""
    _, field = _model_at(root, path)
    return (field.description or "").strip() if field else ""
