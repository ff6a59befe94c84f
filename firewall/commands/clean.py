"""stet clean: the context firewall on a file, on standard input, or as a report on a folder."""

from __future__ import annotations

import json
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
    if file != "-" and Path(file).is_dir():
        raise SystemExit(_folder(Path(file), rules, lane or "", as_json))
    from firewall.context.report import judge_text

    judged = judge_text(_read(file), file, rules, lane or "")
    if as_json:
        click.echo(json.dumps(judged.to_json(with_text=True)))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(judged.text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        _tell(judged)
    raise SystemExit(EXIT_REFUSED if judged.refused else EXIT_OK)


def _tell(judged: Judged) -> None:
    """The findings, one a line. A dropped byte order mark is not worth a person's line."""
    for f in judged.findings:
        if f.rule == "byte-order-mark":
            continue
        line = judged.raw.count("\n", 0, max(f.start, 0)) + 1
        click.echo(f"{judged.source}:{line}: {f.outcome.label}: {f.rule}: {f.message}", err=True)
    if judged.refused:
        click.echo(f"{judged.source}: refused; no text was printed.", err=True)


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


def _read(file: str) -> str:
    """The text, byte for byte: no line end is translated, and bytes that are no UTF-8 become surrogates."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise Unreadable(path=file, reason=error.strerror or str(error)) from None
    return data.decode("utf-8", "surrogateescape")


def _lane(name: str) -> Lane:
    """The rules of a lane of the project that the working directory is in."""
    from firewall.context.errors import NoSuchLane
    from firewall.policy import parse_policy
    from firewall.writes.project import find_root

    lanes = parse_policy(_read(str(find_root(Path.cwd()) / "stet.toml"))).lanes
    if name not in lanes:
        raise NoSuchLane(lane=name, known=", ".join(sorted(lanes)) or "none")
    return lanes[name]
