"""truncated: the writer itself was cut off.

Stop reasons are the provider's own words. An unknown word is no proof of a whole answer, so it refuses.
"""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example

NAME = "truncated"
STRUCTURAL = False

WHOLE = frozenset({"end_turn", "stop_sequence", "stop", "tool_use", "tool_calls", "completed", "STOP"})
"""Stop reasons of the Anthropic, OpenAI and Gemini APIs that mean the model had finished."""


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Blocks a proposal whose stop reason is not one of a finished answer."""
    reason = facts.stop_reason
    if reason is None or reason in WHOLE or facts.proposed is None:
        return []
    message = (
        f"{facts.path}: the model's answer was not finished (stop reason {reason!r}), so the text may end "
        "in the middle. Write it again in smaller parts."
    )
    return [Finding(NAME, Outcome.BLOCK, message, {"stop_reason": reason})]


EXAMPLES = (
    example("token limit", "one", "one two th", True, stop_reason="max_tokens"),
    example("refusal", "one", "", True, stop_reason="refusal"),
    example("window", "one", "one two", True, stop_reason="model_context_window_exceeded"),
    example("missing from a stream", "one", "one two", True, stop_reason=""),
    example("a word nobody knows", "one", "one two", True, stop_reason="because"),
    example("finished", "one", "one two.", False, stop_reason="end_turn"),
    example("not said", "one", "one two.", False),
)
