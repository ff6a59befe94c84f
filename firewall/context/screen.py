"""What a lane does with what is found: the settings of `[lanes.NAME]` as outcomes."""

from __future__ import annotations

from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.verdict import Outcome

if TYPE_CHECKING:
    from firewall.policy.lanes import Lane  # pydantic takes longer to import than all the rest

_OUTCOMES = {
    "report": Outcome.ALLOW,
    "redact": Outcome.REDACT,
    "quarantine": Outcome.HOLD,
    "block": Outcome.BLOCK,
}


class Screen(NamedTuple):
    """The outcome for each kind of finding. The defaults are those of a lane without settings."""

    injection: Outcome = Outcome.BLOCK
    secrets: Outcome = Outcome.REDACT
    personal: Outcome = Outcome.REDACT
    contacts: Outcome = Outcome.ALLOW


DEFAULT = Screen()


def screen_of(lane: Lane) -> Screen:
    """The outcomes that a lane's settings stand for."""
    return Screen(*(_OUTCOMES[getattr(lane, name)] for name in Screen._fields))
