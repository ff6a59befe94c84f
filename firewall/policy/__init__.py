"""stet.toml -> Policy: frozen, unknown keys refused with the nearest right name."""

from firewall.policy.load import parse_policy, policy_text
from firewall.policy.model import Policy

__all__ = ["Policy", "parse_policy", "policy_text"]
