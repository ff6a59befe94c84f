"""Reading and writing the text of stet.toml. Pure: text in, value or PolicyError out."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import PydanticUndefined

from firewall.errors import PolicyError
from firewall.policy.model import Policy
from firewall.policy.toml_model import read_toml, section_in


def parse_policy(text: str, name: str = "stet.toml") -> Policy:
    """The policy that `text` says. `name` is what errors call the file.

    Raises PolicyError with the line, the key, and for an unknown key the nearest right name.
    """

    def refuse(line: int, problem: str, fix: str) -> PolicyError:
        return PolicyError(path=name, line=line, problem=problem, fix=fix)

    return read_toml(text, Policy, refuse, where_to_look="`stet init` in an empty folder writes a file with every key.")


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
        model = section_in(field.annotation)
        if model is None or section == "project":
            continue
        named = field.annotation is not model
        title = f"[{section}.public]" if named else f"[{section}]"
        about = " ".join((model.__doc__ or "").split())
        lines += ["", f"# {about}", f"# {title}" if named else title]
        for key, inner in model.model_fields.items():
            default = inner.get_default(call_default_factory=True)
            if default is None or default is PydanticUndefined:
                default = (inner.examples or [""])[0]
            lines.append(f"# {key} = {_toml(default)}  # {inner.description or ''}".rstrip())
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
