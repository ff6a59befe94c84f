"""[alerts]: how the operator hears of a trip."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section


class Alerts(Section):
    """Where alerts go besides the state folder and standard error."""

    command: list[str] = Field(default=[], description="a program run with the alert as JSON on standard input")
    include_text: bool = Field(False, description="put the artifact's text into alerts that leave the machine")
