"""What can go wrong with a book's structure, a shape or a section, as errors that users meet."""

from __future__ import annotations

from firewall.errors import StetError, UsageError


class PlanRefused(StetError):
    """No layout satisfies the book's shapes, pins and exclusions. Fields: reason, fix."""

    code = "plan-refused"
    template = "The book cannot be laid out: {reason}."
    next_step = "{fix}"


class BadShape(UsageError):
    """A shape that cannot be used. Fields: shape, problem, fix."""

    code = "bad-shape"
    template = "The shape {shape!r} cannot be used: {problem}."
    next_step = "{fix}"


class BadBlueprint(UsageError):
    """A blueprint that cannot be read or whose hash is wrong. Fields: detail."""

    code = "bad-blueprint"
    template = "The blueprint cannot be used: {detail}."
    next_step = "Make it anew with `stet plan`, or put back the file that Stet wrote."
