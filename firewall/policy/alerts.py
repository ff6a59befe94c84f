"""[alerts]: how the operator hears of a trip."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section


class Alerts(Section):
    """Where alerts go besides the state folder and standard error; counts once a person accepted this file."""

    command: list[str] = Field(default=[], description="a program run with the alert as JSON on standard input")
    command_seconds: float = Field(default=10.0, gt=0, le=600, description="how long that program may take")
    urls: list[str] = Field(
        default=[], description="apprise URLs to tell (needs the extra `notify`); they are never logged"
    )
    include_text: bool = Field(False, description="put the artifact's text into alerts that leave the machine")
    held: bool = Field(False, description="tell of held proposals as well, not of trips and staged work only")
    escalate_after_hours: float = Field(
        default=24.0, ge=0, description="hours after which an unanswered alert is told once more; 0: never"
    )
    hold_days: float = Field(default=30.0, gt=0, description="days after which an unanswered held proposal expires")
