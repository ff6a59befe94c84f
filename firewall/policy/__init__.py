"""stet.toml -> Policy: frozen, unknown keys refused with the nearest right name.

What needs pydantic is imported when it is first named: the agents' hook reads a compiled policy and never pays
for it.
"""

from __future__ import annotations

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.policy.load import parse_policy, policy_text
    from firewall.policy.model import Policy

__all__ = ["Policy", "parse_policy", "policy_text"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from firewall.policy import load, model

    return model.Policy if name == "Policy" else getattr(load, name)
