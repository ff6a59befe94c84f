"""Refusals in words: for the model, for the person who is asked, for the person who is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from firewall.agents.fields import GO_ON
from firewall.agents.settings_sweep import SWITCHED
from firewall.agents.sweep import DROPPED, LEFT, Swept
from firewall.text.amounts import amount
from firewall.verdict import Outcome
from firewall.writes.proposal import WriteResult

MOST = 12
"""Files that are named; of more, only how many."""
LATCHED = "every further proposal for it is refused until a person resets it"


def refused(results: Sequence[WriteResult], *, stops: bool = False) -> str:
    """For the model: what was refused, why, and what it may do instead.

    `stops`: the run is to end. Whether it does only the runtime's adapter knows, which says that (fields.py).
    """
    bad = [r for r in results if not r.verdict.allowed]
    lines = [_one(r) for r in bad[:MOST]]
    if len(bad) > MOST:
        more = len(bad) - MOST
        lines.append(f"{amount(more, 'more file')} {'was' if more == 1 else 'were'} refused with them.")
    if any(r.tripped for r in bad) and not stops:
        lines.append(GO_ON)
    return "\n".join(lines)


def _one(result: WriteResult) -> str:
    held = result.verdict.outcome is Outcome.HOLD
    findings = [f for f in result.verdict.findings if f.outcome >= Outcome.HOLD]
    lines = [f"Stet {'held' if held else 'refused'} this; {result.path} is as it was."]
    lines += [f"- {f.rule}: {f.message}" for f in findings]
    if result.alert:
        lines.append(f"The file is latched now: {LATCHED}.")
    elif result.attempt and not result.tripped:
        lines.append(f"Failed attempt {result.attempt}; {result.attempts_left} left before the file is latched.")
    if result.held:
        lines.append(
            f"The proposal waits for a person as {result.held}. Go on with other work; do not try the same by another "
            "way."
        )
    return "\n".join(lines)


def moves(results: Sequence[WriteResult], moved: Mapping[str, str]) -> list[WriteResult]:
    """The results with what is true of a file that a move takes out of the guard; to the rules it is a delete."""
    out = []
    for result in results:
        new = moved.get(result.path)
        if new is not None:
            said = f"Moving {result.path} to {new} would take it out of the guard. Only a person's yes does that."
            found = [f._replace(message=said) if f.rule == "delete" else f for f in result.verdict.findings]
            result = result._replace(verdict=result.verdict._replace(findings=tuple(found)))
        out.append(result)
    return out


def question(results: Sequence[WriteResult], moved: Mapping[str, str] = MappingProxyType({})) -> str:
    """For the person whom the runtime asks: what was measured."""
    bad = [r for r in results if not r.verdict.allowed]
    lines = ["Stet asks, since a person might want this:"]
    for result in bad[:MOST]:
        lines += [f"- {f.message}" for f in result.verdict.findings if f.outcome >= Outcome.HOLD]
    if len(bad) > MOST:
        lines.append(f"- and {amount(len(bad) - MOST, 'more file')}.")
    gone = [r.path for r in bad if not r.sha256]
    yes = "Yes makes it the accepted version."
    if gone:
        left = moved.keys() & set(gone)
        what = "deletes" if not left else "moves" if len(left) == len(set(gone)) else "lets go of"
        yes = f"Yes {what} {', '.join(gone[:MOST])}; Stet keeps the last version."
        if len(gone) < len(bad):
            yes += " The rest becomes the accepted version."
    lines.append(f"{yes} No leaves everything as it is.")
    return "\n".join(lines)


def counted(results: Sequence[WriteResult], *, stops: bool = False) -> str:
    """For the model: calls that failed without Stet, and count as failed attempts all the same."""
    lines = []
    for result in results[:MOST]:
        lines += [f.message for f in result.verdict.findings if f.outcome >= Outcome.HOLD]
        if result.alert:
            lines.append(f"Stet counts it as a failed attempt; {result.path} is latched now: {LATCHED}.")
        elif result.attempt and not result.tripped:
            lines.append(
                f"Stet counts it as failed attempt {result.attempt}; {result.attempts_left} left before the file is "
                "latched."
            )
    if any(r.tripped for r in results) and not stops:
        lines.append(GO_ON)
    return "\n".join(lines)


def put_back(swept: Sequence[Swept], *, stops: bool = False) -> str:
    """For the model: what was found on the disk and put back."""
    undone = [s for s in swept if s.refused and s.message]
    left = [s for s in swept if s.fate == LEFT and s.message]
    dropped = [s for s in swept if s.fate == DROPPED and s.message]
    switched = [s for s in swept if s.fate == SWITCHED and s.message]
    told = [*undone, *left, *dropped, *switched]
    if not told:
        return ""
    lines = _listed("Stet found changes that it refuses, and undid them at once:", undone)
    lines += _listed("Stet found files that it does not accept:", left)
    lines += _listed("Git keeps no more what it took from these files; tell the person:", dropped)
    lines += _listed("Git changed files that keep the guard in place:", switched)
    for result in (s.result for s in told if s.result is not None):
        if result.alert:
            lines.append(f"{result.path} is latched now: {LATCHED}.")
        elif result.attempt and not result.tripped:
            rest = result.attempts_left
            lines.append(f"{result.path}: failed attempt {result.attempt}; {rest} left before the file is latched.")
    if any(s.result.tripped for s in told if s.result is not None) and not stops:
        lines.append(GO_ON)
    return "\n".join(lines)


def maybe_a_persons(swept: Sequence[Swept]) -> str:
    """For the person who asks for something: what stood on the disk since the agent was last heard of, and was put
    back. It may be their own."""
    undone = [s for s in swept if s.refused and s.message]
    left = [s for s in swept if s.fate == LEFT and s.message]
    lines = _listed("Stet found changes that it refuses, made before you asked, and undid them:", undone)
    held = [s.result.held for s in undone if s.result is not None and s.result.held]
    if held:
        lines.append(
            f"If they were yours: `stet approve {held[0]}` puts that in place as it was, `stet show {held[0]}"
            " --content` prints it; `stet pending` lists them. They count as nobody's attempt."
        )
    lines += _listed("Stet found files that it does not accept:", left)
    dropped = [s for s in swept if s.fate == DROPPED and s.message]
    return "\n".join([*lines, *_listed("Git keeps no more what it took from these files:", dropped)])


def _listed(head: str, swept: Sequence[Swept]) -> list[str]:
    if not swept:
        return []
    lines = [head, *(f"- {s.message}" for s in swept[:MOST])]
    if len(swept) > MOST:
        lines.append(f"- and {amount(len(swept) - MOST, 'more file')}.")
    return lines


def notice(results: Sequence[WriteResult]) -> str:
    """For the person: the alerts that were raised, and how to answer them."""
    lines = []
    for result in results:
        if result.alert is not None:
            branch = result.alert.staged.branch
            kept = f" Its work is on the branch {branch}." if branch else " Its work is in Stet's store."
            lines.append(
                f"Stet latched {result.path} ({result.alert.reason}): nothing is written to it until a person "
                f"answers.{kept} `stet show {result.alert.id}` shows it and how to answer."
            )
    return "\n".join(lines)


def insists(latched: Sequence[str], count: int) -> str:
    """For the person: a session that asks again and again for files that are latched."""
    named = ", ".join(latched[:MOST])
    return (
        f"The agent was refused {count} times in this turn because of files that are latched, now {named}. Each "
        "waits for a person's answer: `stet alerts`."
    )
