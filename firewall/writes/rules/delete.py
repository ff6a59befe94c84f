"""delete: an artifact may not go without a person's yes."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example, lorem

NAME = "delete"
STRUCTURAL = True


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Holds the delete of a file that has anything in it, or whose mark has."""
    if facts.proposed is not None or facts.disk is None:
        return []
    words = max(texts.disk_words, texts.mark_words)
    message = (
        f"Deleting {facts.path} would lose {words} words. It is kept, and the request waits for a person; "
        "go on with the other work."
    )
    return [Finding(NAME, Outcome.HOLD, message, {"words": words})]


EXAMPLES = (
    example("a chapter", lorem(1200), None, True),
    example("a note", "Buy lamps.", None, True),
    example("an empty file is still somebody's", "", None, True),
    example("a write is no delete", "one", "two", False),
    example("nothing there", None, None, False),
)
