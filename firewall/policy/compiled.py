"""The policy in force as plain values, and as JSON text that is kept beside the pinned policy.

To read stet.toml takes tomllib and pydantic, which cost an agent's hook more than the judgement does. So what the
write firewall and the agents' adapters need of it is compiled once. The JSON has the trust of the ledger it lies
in; one that is not exactly of this form is no policy, and is compiled anew. No pydantic here.
"""

from __future__ import annotations

from firewall import jsons
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes.limits import Limits
from firewall.writes.protection import Protection

if TYPE_CHECKING:
    from typing import Any

    from firewall.policy.model import Policy


class Alerting(NamedTuple):
    """What of [alerts] is needed before there is anything to tell."""

    held: bool
    escalate_after_hours: float
    hold_days: float


class Tool(NamedTuple):
    """A tool that writes; see firewall/policy/agents.py."""

    name: str
    does: str
    path: str = "path"
    content: str = "content"
    edits: str = "edits"
    old: str = "old_text"
    new: str = "new_text"
    target: str = "destination"


class Agents(NamedTuple):
    """[agents] as plain values."""

    turn_hours: float = 24.0
    tools: tuple[Tool, ...] = ()


class Compiled(NamedTuple):
    """The policy in force. `project` is the project's id."""

    project: str
    limits: Limits
    protection: Protection
    alerts: Alerting
    agents: Agents


def compile_policy(policy: Policy) -> Compiled:
    """The plain values of a policy."""
    rules, p, alerts, agents = policy.rules, policy.protect, policy.alerts, policy.agents
    limits = Limits(**{name: getattr(rules, name) for name in Limits._fields})
    extensions = tuple(e.lower().lstrip(".") for e in p.extensions)
    protection = Protection(extensions, tuple(p.include), tuple(p.exclude), tuple(p.delete_only))
    tools = tuple(Tool(**{name: getattr(tool, name) for name in Tool._fields}) for tool in agents.tools)
    told = Alerting(alerts.held, alerts.escalate_after_hours, alerts.hold_days)
    return Compiled(policy.project.id, limits, protection, told, Agents(agents.turn_hours, tools))


def dump(compiled: Compiled) -> str:
    """The JSON text of it."""
    agents = compiled.agents
    value = {
        "project": compiled.project,
        "limits": compiled.limits._asdict(),
        "protection": compiled.protection._asdict(),
        "alerts": compiled.alerts._asdict(),
        "agents": {"turn_hours": agents.turn_hours, "tools": [tool._asdict() for tool in agents.tools]},
    }
    return jsons.dumps(value, ordered=True, compact=True)


def read(text: str) -> Compiled | None:
    """What `dump` wrote, or None for anything else: a field missing, one too many, or of another type."""
    try:
        value = jsons.loads(text)
        _keys(value, Compiled._fields)
        limits = _like(value["limits"], Limits())
        protection = {name: tuple(_texts(given)) for name, given in value["protection"].items()}
        _keys(protection, Protection._fields)
        alerts = _like(value["alerts"], Alerting(False, 0.0, 0.0))
        _keys(value["agents"], Agents._fields)
        tools = [_like(tool, Tool("", "")) for tool in value["agents"]["tools"]]
        hours = value["agents"]["turn_hours"]
        _texts([value["project"]])
        if type(hours) is not float or type(value["agents"]["tools"]) is not list:
            return None
        agents = Agents(hours, tuple(Tool(**tool) for tool in tools))
        return Compiled(value["project"], Limits(**limits), Protection(**protection), Alerting(**alerts), agents)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _keys(value: Any, names: tuple[str, ...]) -> None:
    if set(value) != set(names):
        raise ValueError


def _like(value: Any, model: Any) -> dict[str, Any]:
    """An object with exactly the model's fields, each of exactly its type."""
    _keys(value, model._fields)
    for name in model._fields:
        if type(value[name]) is not type(getattr(model, name)):
            raise TypeError
    return dict(value)


def _texts(value: Any) -> list[str]:
    if type(value) is not list or any(type(item) is not str for item in value):
        raise TypeError
    return value
