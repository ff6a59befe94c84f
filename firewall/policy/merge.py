"""The policy in force: what a person last accepted, and of a differing file only what is stricter.

An agent that can edit stet.toml can so tighten the rules, never loosen them.
"""

from __future__ import annotations

from firewall.policy.model import Policy
from firewall.policy.protect import Protect
from firewall.policy.rules import Rules


def in_force(pinned: Policy, current: Policy) -> Policy:
    """`pinned`, tightened by `current` wherever `current` is stricter. House style is the current file's."""
    if pinned == current:
        return pinned
    lanes = {
        name: lane.tightened(current.lanes[name]) if name in current.lanes else lane
        for name, lane in pinned.lanes.items()
    }
    return pinned.model_copy(
        update={
            "protect": _protect(pinned.protect, current.protect),
            "rules": _rules(pinned.rules, current.rules),
            "lanes": lanes,
            "style": current.style,
        }
    )


def looser_keys(pinned: Policy, current: Policy) -> list[str]:
    """Dotted keys whose value in `current` does not count: it is not stricter than the accepted one."""
    force = in_force(pinned, current)
    keys = []
    for section in ("protect", "rules", "alerts", "agents", "lanes"):
        ours, theirs = getattr(force, section), getattr(current, section)
        if ours == theirs:
            continue
        if isinstance(ours, dict):
            names = [n for n in {**ours, **theirs} if ours.get(n) != theirs.get(n)]
        else:
            names = [n for n in type(ours).model_fields if getattr(ours, n) != getattr(theirs, n)]
        keys += [f"{section}.{name}" for name in names]
    return sorted(keys)


def _rules(pinned: Rules, current: Rules) -> Rules:
    values: dict[str, object] = {}
    for name, field in Rules.model_fields.items():
        extra = field.json_schema_extra
        direction = extra.get("stricter") if isinstance(extra, dict) else None
        ours, theirs = getattr(pinned, name), getattr(current, name)
        if name == "preset":  # the article's rules are fewer
            values[name] = "full" if "full" in (ours, theirs) else ours
            continue
        pick = {"higher": max, "lower": min}.get(str(direction))
        values[name] = pick(ours, theirs) if pick else ours
    return Rules.model_validate(values)


def _protect(pinned: Protect, current: Protect) -> Protect:
    return Protect(
        extensions=_union(pinned.extensions, current.extensions),
        include=_union(pinned.include, current.include),
        delete_only=pinned.delete_only,  # it lifts the rules for prose, so only a person names files there
        exclude=[glob for glob in pinned.exclude if glob in current.exclude],
    )


def _union(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))
