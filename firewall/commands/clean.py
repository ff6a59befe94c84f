"""stet clean: the context firewall on a file or on standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.errors import EXIT_OK, EXIT_REFUSED, UsageError

if TYPE_CHECKING:
    from firewall.verdict import Finding


class Unreadable(UsageError):
    """The text to clean cannot be read."""

    code = "unreadable"
    template = "Could not read {path}: {reason}."
    next_step = "Give a readable UTF-8 file, or - for standard input."


@click.command(name="clean")
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--lane", metavar="LANE", help="Check it for a prompt of this lane of stet.toml.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(file: str, lane: str | None, as_json: bool) -> None:
    """Take hidden and noisy text out of FILE; clean text to stdout, findings to stderr."""
    from firewall.context.clean import sanitize
    from firewall.verdict import Outcome

    raw = _read(file)
    findings: tuple[Finding, ...]
    text, findings = sanitize(raw)
    if lane is not None:
        findings += _lane_findings(raw, file, lane)
    outcome = max((f.outcome for f in findings), default=Outcome.ALLOW)
    blocked = outcome >= Outcome.HOLD
    if as_json:
        click.echo(
            json.dumps(
                {
                    "outcome": outcome.label,
                    "source": file,
                    "text": "" if blocked else text,
                    "findings": [f.to_json() for f in findings],
                },
                ensure_ascii=True,
            )
        )
    else:
        if not blocked:
            sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        for f in findings:
            line = raw.count("\n", 0, max(f.start, 0)) + 1
            click.echo(f"{file}:{line}: {f.outcome.label}: {f.rule}: {f.message}", err=True)
    raise SystemExit(EXIT_REFUSED if blocked else EXIT_OK)


def _read(file: str) -> str:
    """The text, byte for byte: no line end is translated, and bytes that are no UTF-8 become surrogates."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise Unreadable(path=file, reason=error.strerror or str(error)) from None
    return data.decode("utf-8", "surrogateescape")


def _lane_findings(raw: str, file: str, lane: str) -> tuple[Finding, ...]:
    """What the lane's rules say of the text, judged as a source of that lane's own."""
    from firewall.context.errors import LaneViolation, NoSuchLane
    from firewall.context.lanes import make_passage
    from firewall.policy import parse_policy
    from firewall.verdict import Finding, Outcome
    from firewall.writes.project import find_root

    lanes = parse_policy(_read(str(find_root(Path.cwd()) / "stet.toml"))).lanes
    if lane not in lanes:
        raise NoSuchLane(lane=lane, known=", ".join(sorted(lanes)) or "none")
    try:
        make_passage(raw, source=file, lane=lane, index_version="", reader=lane, policy=lanes)
    except LaneViolation as error:
        place = int(str(error.fields["offset"]))
        evidence = {key: error.fields[key] for key in ("term", "lane", "source", "line", "offset")}
        return (Finding(error.code, Outcome.BLOCK, error.message, evidence, place, place),)
    return ()
