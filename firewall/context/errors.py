"""What stops a source on its way to a prompt. No message ever holds the passage's own text."""

from __future__ import annotations

from firewall.errors import StetError, UsageError


class LaneViolation(StetError):
    """A passage may not reach a prompt of this lane.

    Fields: term, lane, source, line (from 1), offset (characters into the raw text, from 0).
    """

    code = "lane-violation"
    template = "The term {term!r} is banned in lane {lane!r}: source {source!r}, line {line}, offset {offset}."
    next_step = "Take the source out of what lane {lane!r} retrieves, or change the lane's `banned` in stet.toml."


class LaneClosed(LaneViolation):
    """The reader's lane may not read the source's lane. Fields as above, and `origin`, the source's lane."""

    code = "lane-closed"
    template = "Lane {lane!r} may not read sources of lane {origin!r}: source {source!r}, line {line}, offset {offset}."
    next_step = "Take the source out of the retrieval, or add {origin!r} to `reads` of [lanes.{lane}] in stet.toml."


class UnknownLane(LaneViolation):
    """The policy has no such lane, so nothing says what it may read. Fields as for LaneViolation."""

    code = "unknown-lane"
    template = "There is no [lanes.{lane}] in the policy: source {source!r}, line {line}, offset {offset}."
    next_step = "Add a table [lanes.{lane}] to stet.toml, or name a lane that it has."


class PassageBlocked(StetError):
    """What was found in a passage forbids its use. Fields: rule, reason, lane, source, line, offset."""

    code = "passage-blocked"
    template = "{reason} Source {source!r}, line {line}, offset {offset}; lane {lane!r} blocks it."
    next_step = "Read the source there. Take it out of the retrieval, or change what [lanes.{lane}] does with it."


class PassageHeld(PassageBlocked):
    """The lane quarantines such a passage until a person has read it. Fields as for PassageBlocked."""

    code = "passage-held"
    template = "{reason} Source {source!r}, line {line}, offset {offset}; lane {lane!r} sets it aside."
    next_step = "A person reads the source there and takes it out, or changes what [lanes.{lane}] does with it."


class NoSuchLane(UsageError):
    """`--lane` names a lane that stet.toml does not have. Fields: lane, known."""

    code = "no-such-lane"
    template = "There is no lane {lane!r} in stet.toml."
    next_step = "Lanes that it has: {known}."


class LaneNotAccepted(UsageError):
    """`--lane` names a lane that stands in stet.toml and is not yet in force. Fields: lane."""

    code = "lane-not-accepted"
    template = "Lane {lane!r} stands in stet.toml, but nobody has accepted that file since, so it is not in force."
    next_step = "Read stet.toml, then run `stet accept stet.toml`."
