"""The write rules, one a file. Each names itself, judges `Facts`, and ships examples both ways.

A rule module has NAME, `check(facts, texts) -> list[Finding]`, and EXAMPLES: (facts, refused?) pairs
that the tests run. `STRUCTURAL` says whether a structural proposal lifts the rule.
"""

from __future__ import annotations

from firewall.writes.rules import (
    delete,
    delta_cap,
    emptied,
    path,
    stale_base,
    truncated,
    utf8,
    word_floor,
)
from firewall.writes.rules.base import Rule

ALL: tuple[Rule, ...] = tuple(
    Rule(module.NAME, module.STRUCTURAL, module.check)
    for module in (path, stale_base, delete, utf8, truncated, emptied, word_floor, delta_cap)
)
