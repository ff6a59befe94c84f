"""The write rules, one a file. Each names itself, judges `Facts` by `Measures`, and ships examples both ways.

A rule module has NAME, `check(facts, measures) -> list[Finding]`, and `examples()`: facts with whether the
rule must find something, which the tests run. STRUCTURAL says whether a structural proposal lifts the rule.
"""

from __future__ import annotations

from firewall.writes.rules import (
    delete,
    delta_cap,
    emptied,
    encoding,
    growth_cap,
    hidden,
    notebook,
    path,
    placeholder,
    read_artifact,
    small_floor,
    stale_base,
    structure_loss,
    survival,
    truncated,
    word_floor,
)
from firewall.writes.rules.base import Rule

_ARTICLE = (
    "path",
    "stale-base",
    "delete",
    "bytes",
    "notebook",
    "truncated",
    "emptied",
    "word-floor",
    "delta-cap",
)
"""What stays on under `preset = "article"`: the article's two rules, and those that guard bytes, not style."""
_LOSSY = ("path", "stale-base", "delete", "emptied")
"""What guards files named by [protect] delete_only."""

ALL: tuple[Rule, ...] = tuple(
    Rule(module.NAME, module.STRUCTURAL, module.NAME in _ARTICLE, module.NAME in _LOSSY, module.check)
    for module in (
        path,
        stale_base,
        delete,
        encoding,
        notebook,
        truncated,
        emptied,
        word_floor,
        small_floor,
        delta_cap,
        growth_cap,
        survival,
        hidden,
        structure_loss,
        placeholder,
        read_artifact,
    )
)
