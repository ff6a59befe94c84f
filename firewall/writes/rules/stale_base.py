"""stale-base: the writer worked from bytes that are no longer on the disk."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example, sha256

NAME = "stale-base"
STRUCTURAL = False


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Blocks when a base was given and it is not the sha256 of what is on disk."""
    if facts.base is None or facts.base == facts.disk_sha:
        return []
    now = facts.disk_sha or "no file"
    message = (
        f"{facts.path} changed since you read it: you worked from {facts.base[:12] or 'no file'}, "
        f"on disk is {now[:12]}. Read it again and make the change there."
    )
    return [Finding(NAME, Outcome.BLOCK, message, {"base": facts.base, "disk": facts.disk_sha})]


EXAMPLES = (
    example("another base", "one", "two", True, base=sha256(b"zero")),
    example("base gone", None, "two", True, base=sha256(b"zero")),
    example("right base", "one", "two", False, base=sha256(b"one")),
    example("no base said", "one", "two", False),
)
