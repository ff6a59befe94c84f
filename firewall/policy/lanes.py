"""[lanes.NAME]: labelled domains of context, with banned terms and the lanes they may read."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator

from firewall.policy.base import Section

Injection = Literal["report", "quarantine", "block"]
Secrets = Literal["redact", "block"]
Personal = Literal["report", "redact", "block"]
Homoglyphs = Literal["off", "mixed", "any"]
_STRICTER: dict[str, tuple[str, ...]] = {  # each from the loosest to the strictest
    "injection": ("report", "quarantine", "block"),
    "secrets": ("redact", "block"),
    "personal": ("report", "redact", "block"),
    "contacts": ("report", "redact", "block"),
    "homoglyphs": ("off", "mixed", "any"),
}


class Lane(Section):
    """A lane. Without `reads` it sees its own sources only; `reads = []` sees nothing."""

    banned: list[str] = Field(default=[], description="terms that may not reach a prompt of this lane")
    inflected: bool = Field(False, description="ban a term's plural, -ed, -ing and the like with it")
    homoglyphs: Homoglyphs = Field(
        "mixed",
        description='look-alike letters of other scripts: "mixed" within a word, in "any" word, or "off"',
    )
    patterns: list[str] = Field(
        default=[], description="regular expressions that may not match; one that takes too long blocks"
    )
    reads: list[str] | None = Field(
        default=None,
        description="lanes whose sources may reach a prompt of this lane; where it is not set, its own",
        examples=[["public"]],
    )
    cleared: list[str] = Field(
        default=[], description="SHA-256 of files that other lanes had a part in and a person let this lane read"
    )
    injection: Injection = Field(
        "block", description='instructions aimed at the model: "block", "quarantine" for a person, "report"'
    )
    secrets: Secrets = Field("redact", description='keys and passwords: "redact" or "block"')
    personal: Personal = Field("redact", description='card and account numbers: "redact", "block", "report"')
    contacts: Personal = Field("report", description='e-mail addresses and phone numbers: "report", "redact", "block"')

    @field_validator("banned")
    @classmethod
    def _words(cls, terms: list[str]) -> list[str]:
        for term in terms:
            if not term.strip():
                raise ValueError("a banned term is blank; take it out")
        return terms

    @field_validator("cleared")
    @classmethod
    def _hashes(cls, hashes: list[str]) -> list[str]:
        for text in hashes:
            if not re.fullmatch("[0-9a-f]{64}", text):
                raise ValueError(f"{text!r} is no SHA-256 in 64 small hexadecimal digits")
        return hashes

    @field_validator("patterns")
    @classmethod
    def _compile(cls, patterns: list[str]) -> list[str]:
        if patterns:
            import regex  # slow to import, so only where there is something to compile

            for pattern in patterns:
                try:
                    regex.compile(pattern)
                except regex.error as error:
                    raise ValueError(f"the pattern {pattern!r} does not compile: {error}") from None
        return patterns

    def tightened(self, other: Lane) -> Lane:
        """This lane with whatever is stricter in `other`: the rules that both together would enforce.

        `reads` None means the lane's own sources, which only the table's name tells, so it is narrower
        than a list in no comparable way: where one is None the other counts only if it is empty.
        """
        update: dict[str, object] = {
            "banned": list(dict.fromkeys([*self.banned, *other.banned])),
            "patterns": list(dict.fromkeys([*self.patterns, *other.patterns])),
            "inflected": self.inflected or other.inflected,
            "cleared": [text for text in self.cleared if text in other.cleared],
        }
        for key, order in _STRICTER.items():
            update[key] = max(getattr(self, key), getattr(other, key), key=order.index)
        if other.reads == []:
            update["reads"] = []
        elif self.reads is not None and other.reads is not None:
            update["reads"] = [lane for lane in self.reads if lane in other.reads]
        return self.model_copy(update=update)
