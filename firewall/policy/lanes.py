"""[lanes.NAME]: labelled domains of context, with banned terms and the lanes they may read."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section


class Lane(Section):
    """A lane. Without `reads` it sees its own sources only; `reads = []` sees nothing."""

    banned: list[str] = Field(default=[], description="terms that may not reach a prompt of this lane")
    reads: list[str] | None = Field(
        default=None, description="lanes whose sources may reach a prompt of this lane"
    )
