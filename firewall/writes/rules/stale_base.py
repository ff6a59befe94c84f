"""stale-base: the writer worked from bytes that are no longer on the disk."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, sha256
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example

NAME = "stale-base"
STRUCTURAL = False


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks when the base given, or else what the session last saw, is not what is on disk."""
    base = facts.base if facts.base is not None else facts.seen
    if base is None or base == facts.disk_sha:
        return []
    now = facts.disk_sha or "no file"
    message = (
        f"{facts.path} changed since you read it: you worked from {base[:12] or 'no file'}, "
        f"on disk is {now[:12]}. Read it again and make the change there."
    )
    return [Finding(NAME, Outcome.BLOCK, message, {"base": base, "disk": facts.disk_sha})]


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("another base", "one", "two", True, base=sha256(b"zero")),
        example("base gone", None, "two", True, base=sha256(b"zero")),
        example("a person edited since", "one", "two", True, seen=sha256(b"zero")),
        example("right base", "one", "two", False, base=sha256(b"one")),
        example("right base, though seen otherwise", "one", "two", False, base=sha256(b"one"), seen="x"),
        example("no base said", "one", "two", False),
    )
