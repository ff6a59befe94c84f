"""The whole policy of a project."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.agents import Agents
from firewall.policy.alerts import Alerts
from firewall.policy.base import Section
from firewall.policy.lanes import Lane
from firewall.policy.protect import Protect
from firewall.policy.rules import Rules
from firewall.policy.store import Store
from firewall.policy.style import Style


class Project(Section):
    """[project]: who this is, whatever folder it is in."""

    id: str = Field(
        pattern=r"^[a-z0-9][a-z0-9-]{7,63}$",
        description="a random id: a moved folder and git worktrees keep one state. Do not change it",
    )


class Policy(Section):
    """stet.toml as a value."""

    project: Project
    protect: Protect = Field(default_factory=Protect)
    rules: Rules = Field(default_factory=Rules)
    alerts: Alerts = Field(default_factory=Alerts)
    agents: Agents = Field(default_factory=Agents)
    store: Store = Field(default_factory=Store)
    lanes: dict[str, Lane] = Field(default_factory=dict)
    style: Style = Field(default_factory=Style)
