"""stet clean: the context firewall on a file, on standard input, or as a report on a folder."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.errors import EXIT_OK, EXIT_REFUSED, UsageError

if TYPE_CHECKING:
    from firewall.context.report import Judged
    from firewall.policy.lanes import Lane


class Unreadable(UsageError):
    """The text to clean cannot be read. Fields: path, reason."""

    code = "unreadable"
    template = "Could not read {path}: {reason}."
    next_step = "Give a readable file or folder, or - for standard input."


@click.command(name="clean")
@click.argument("file", default="-", metavar="[FILE|FOLDER|-]")
@click.option("--lane", metavar="LANE", help="Check it for a prompt of this lane of stet.toml.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(file: str, lane: str | None, as_json: bool) -> None:
    """Take hidden and noisy text out of FILE; clean text to stdout, findings to stderr.

    A text that may not be used prints nothing but its findings, and the exit status is 1. A FOLDER gives a
    report on its files and writes none of them.
    """
    rules = _lane(lane) if lane is not None else None
    if file != "-" and os.path.isdir(file):  # noqa: PTH112 - a Path's own raises where the path is too long
        raise SystemExit(_folder(Path(file), rules, lane or "", as_json))
    from firewall.context.report import judge_bytes

    judged = judge_bytes(_read(file), file, rules, lane or "")
    if as_json:
        click.echo(json.dumps(judged.to_json(with_text=True)))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(judged.text.encode("utf-8", "surrogatepass"))
        sys.stdout.buffer.flush()
        _tell(judged)
    raise SystemExit(EXIT_REFUSED if judged.refused else EXIT_OK)


def _tell(judged: Judged) -> None:
    """The findings, one a line. A dropped byte order mark is not worth a person's line."""
    from firewall.text.printable import printable

    source = printable(judged.source)
    for f, line in zip(judged.findings, judged.lines(), strict=True):
        if f.rule == "byte-order-mark":
            continue
        click.echo(f"{source}:{line}: {f.outcome.label}: {f.rule}: {printable(f.message)}", err=True)
    if judged.refused:
        click.echo(f"{source}: refused; no text was printed.", err=True)


def _folder(root: Path, rules: Lane | None, lane: str, as_json: bool) -> int:
    from firewall.context.report import Judged, folder, totals
    from firewall.verdict import Outcome

    judged: list[Judged] = []
    skipped: list[tuple[str, str]] = []
    for one in folder(root, rules, lane):
        if isinstance(one, Judged):
            judged.append(one)
        else:
            skipped.append(one)
    refused = [one for one in judged if one.refused]
    if as_json:
        report = {
            "outcome": max((one.outcome for one in judged), default=Outcome.ALLOW).label,
            "files": [one.to_json(with_text=False) for one in judged],
            "skipped": [{"source": path, "reason": reason} for path, reason in skipped],
            "totals": totals(judged),
        }
        click.echo(json.dumps(report))
    else:
        for one in judged:
            _tell(one)
        for rule, count in totals(judged).items():
            click.echo(f"{count:6}  {rule}")
        click.echo(
            f"{len(judged)} files read, {len(refused)} refused, {sum(not one.findings for one in judged)} with "
            f"nothing to say, {len(skipped)} skipped."
        )
    return EXIT_REFUSED if refused else EXIT_OK


def _read(file: str) -> bytes:
    """The bytes of a file or of standard input, as they are and no more than a text may have."""
    from firewall.context.limits import MAX_BYTES
    from firewall.context.report import read_bytes

    try:
        if file != "-":
            return read_bytes(Path(file))
        if sys.stdin is None or sys.stdin.closed:
            raise Unreadable(path="standard input", reason="there is none")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(path=file, reason=getattr(error, "strerror", None) or str(error)) from None


def _lane(name: str) -> Lane:
    """The rules of a lane of the project that the working directory is in: those in force, as for every other gate.

    A stet.toml that differs from the accepted one counts only where it is stricter.
    """
    from firewall.context.errors import LaneNotAccepted, NoSuchLane
    from firewall.policy.merge import in_force
    from firewall.writes import project

    here = project.load(Path.cwd())
    policy = here.policy
    if here.recorded:
        policy = in_force(project.as_pinned(here.root, here.state).policy, policy)
    if name not in policy.lanes:
        if name in here.policy.lanes:
            raise LaneNotAccepted(lane=name)
        raise NoSuchLane(lane=name, known=", ".join(sorted(policy.lanes)) or "none")
    return policy.lanes[name]
