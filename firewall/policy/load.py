"""Reading and writing the text of stet.toml. Pure: text in, value or PolicyError out."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from firewall.errors import PolicyError
from firewall.policy.model import Policy

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(
    r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)")
_AT_LINE = re.compile(r"at line (\d+)")


def parse_policy(text: str, name: str = "stet.toml") -> Policy:
    """The policy that `text` says. `name` is what errors call the file.

    Raises PolicyError with the line, the key, and for an unknown key the nearest right name.
    """
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at.group(1)) if at else text.count("\n") + 1
        problem = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise PolicyError(
            path=name, line=line, problem=f"not TOML: {problem}", fix="Fix that line."
        ) from None
    try:
        return Policy.model_validate(raw)
    except ValidationError as error:
        raise _policy_error(error, text, name) from None


def _policy_error(error: ValidationError, text: str, name: str) -> PolicyError:
    """The first thing wrong, in the order of the file."""
    problems = sorted(error.errors(), key=lambda e: line_of(text, e["loc"]))
    first = problems[0]
    where = tuple(str(part) for part in first["loc"])
    key = ".".join(where)
    line = line_of(text, first["loc"])
    if first["type"] == "extra_forbidden":
        near = nearest(where)
        problem = f"unknown key {key!r}"
        fix = f"Did you mean {near!r}?" if near else "`stet init` in an empty folder shows every key."
    elif first["type"] == "missing":
        problem = f"{key!r} is missing"
        fix = f"Add it; `stet init` writes one. ({_described(where)})"
    else:
        value = json.dumps(first.get("input"), ensure_ascii=False, default=str)
        problem = f"{key} = {value[:80]} is not usable: {first['msg'][:1].lower()}{first['msg'][1:]}"
        fix = f"Change the value of {key!r}. ({_described(where)})"
    return PolicyError(path=name, line=line, problem=problem, fix=fix)


def line_of(text: str, path: tuple[int | str, ...]) -> int:
    """The line (from 1) where the key at `path` stands, or its table's header, or 1."""
    wanted = [str(p) for p in path if not isinstance(p, int)]
    table: list[str] = []
    best, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header:
            table = _parts(header.group(1))
            here = table
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
    return best


def _parts(dotted: str) -> list[str]:
    return ["".join(groups) for groups in _PART.findall(dotted)]


def _model_at(path: tuple[str, ...]) -> tuple[type[BaseModel] | None, FieldInfo | None]:
    """The section that holds the last part of `path`, and that part's field if there is one."""
    model: type[BaseModel] | None = Policy
    field: FieldInfo | None = None
    for part in path[:-1]:
        if model is None:
            return None, None
        field = model.model_fields.get(part)
        if field is None:  # a name the user chose, as in [lanes.NAME]: stay in the model it holds
            continue
        model = _section_in(field.annotation)
    return model, model.model_fields.get(path[-1]) if model else None


def _section_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in get_args(annotation):
        found = _section_in(inner)
        if found:
            return found
    return None


def nearest(path: tuple[str, ...]) -> str | None:
    """The right name closest to the unknown key at `path`, dotted, or None."""
    model, _ = _model_at(path)
    if model is None:
        return None
    names = list(model.model_fields)
    near = difflib.get_close_matches(path[-1], names, n=1, cutoff=0.5)
    if near:
        return ".".join((*path[:-1], near[0]))
    for section, field in Policy.model_fields.items():  # right key, wrong table
        inner = _section_in(field.annotation)
        if inner and path[-1] in inner.model_fields and field.annotation is inner:
            return f"{section}.{path[-1]}"
    return None


def _described(path: tuple[str, ...]) -> str:
    _, field = _model_at(path)
    return (field.description if field and field.description else "see the README").strip()


def policy_text(project_id: str) -> str:
    """A fresh stet.toml: the project id, and every default commented out with what it means."""
    lines = [
        "# Stet's policy for this folder. Every key below shows its default; take the # away to change it.",
        "# The rules in force are this file as a person last accepted it.",
        "",
        "[project]",
        f"# {Policy.model_fields['project'].annotation.model_fields['id'].description}",  # type: ignore[union-attr]
        f'id = "{project_id}"',
    ]
    for section, field in Policy.model_fields.items():
        model = _section_in(field.annotation)
        if model is None or section == "project":
            continue
        named = field.annotation is not model
        title = f"[{section}.public]" if named else f"[{section}]"
        about = " ".join((model.__doc__ or "").split())
        lines += ["", f"# {about}", f"# {title}" if named else title]
        for key, inner in model.model_fields.items():
            default = inner.get_default(call_default_factory=True)
            value = "[]" if default is None or default is PydanticUndefined else _toml(default)
            lines.append(f"# {key} = {value}  # {inner.description or ''}".rstrip())
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A TOML value for the plain types that defaults have."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)
