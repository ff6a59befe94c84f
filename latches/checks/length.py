"""Length against the plan."""

from __future__ import annotations

from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome

SHORTEST = 0.5
LONGEST = 2.0
"""Shares of the target length below and above which a section is not what was asked for."""
NEAR = 0.25
"""A deviation up to this share is not worth a word; up to the limits it is a note that refuses nothing."""


def length(text: str, target: int) -> list[Finding]:
    """A finding when `text`, in words of firewall.text.words, is far from `target`. 0 asks for no length."""
    if target <= 0:
        return []
    count = count_words(text)
    least, most = round(target * SHORTEST), round(target * LONGEST)
    evidence: dict[str, object] = {"words": count, "target": target, "least": least, "most": most}
    if least <= count <= most:
        if abs(count - target) <= target * NEAR:
            return []
        message = f"{count} words; the plan asks for about {target}."
        return [Finding("length", Outcome.ALLOW, message, evidence)]
    ask = f"Write {least - count} words more." if count < least else f"Take {count - most} words out."
    message = f"{count} words; the plan asks for {target}, and {least} to {most} pass. {ask}"
    return [Finding("length", Outcome.HOLD, message, evidence)]
