"""Cleaning structured content: every string is cleaned where it stands, and the shape stays as it is."""

from __future__ import annotations

from typing import Any

from firewall.context.clean import sanitize
from firewall.context.screen import DEFAULT, Screen
from firewall.verdict import Finding, Outcome

MAX_DEPTH = 200
"""Lists and objects inside each other."""


def sanitize_value(value: Any, screen: Screen = DEFAULT) -> tuple[Any, tuple[Finding, ...]]:
    """`value`, made of dicts, lists, tuples and plain values, with its strings cleaned, and all findings.

    Offsets of a finding point into its own string; its evidence names the path to it. Keys are left as
    they are, so a key with something to remove in it is held; no path repeats it. Raises ValueError for content
    nested deeper than MAX_DEPTH.
    """
    findings: list[Finding] = []
    return _clean(value, screen, "$", findings, 0), tuple(findings)


def _clean(value: Any, screen: Screen, path: str, findings: list[Finding], depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError(f"content nested deeper than {MAX_DEPTH}")
    if isinstance(value, str):
        text, found = sanitize(value, screen)
        findings += (f._replace(evidence={**f.evidence, "path": path}) for f in found)
        return text
    if isinstance(value, dict):
        cleaned = {}
        for at, (key, inner) in enumerate(value.items()):
            name = f"{path}.{key}"
            found = sanitize(key, screen).findings if isinstance(key, str) else ()
            if any(f.outcome >= Outcome.REDACT for f in found):
                name = f"{path}.(key {at})"
            for f in found:
                outcome = max(f.outcome, Outcome.HOLD) if f.outcome >= Outcome.REDACT else f.outcome
                findings.append(f._replace(outcome=outcome, evidence={**f.evidence, "path": name, "in": "key"}))
            cleaned[key] = _clean(inner, screen, name, findings, depth + 1)
        return cleaned
    if isinstance(value, (list, tuple)):
        items = [_clean(v, screen, f"{path}[{i}]", findings, depth + 1) for i, v in enumerate(value)]
        return type(value)(items) if type(value) in (list, tuple) else items
    return value
