"""path: where no proposal may go, whatever its content.

Outside the project, into `.git`, over `stet.toml` or the state folder, over something that is no regular
file. The shell (writes/paths.py) finds the problem; this rule makes it a verdict.
"""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example

NAME = "path"
STRUCTURAL = False


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks whatever `path_problem` names."""
    if not facts.path_problem:
        return []
    message = f"{facts.path}: {facts.path_problem}"
    return [Finding(NAME, Outcome.BLOCK, message, {"path": facts.path, "problem": facts.path_problem})]


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("outside", None, "x", True, path_problem="is outside the project"),
        example("inside", None, "x", False),
    )
