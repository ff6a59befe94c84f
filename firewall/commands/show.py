"""stet show: the whole context of an alert or a held proposal."""

from __future__ import annotations

import difflib
import json
import shutil
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from firewall.commands.output import emit_json, local_time
from firewall.errors import NotFound, StateBroken, StorageError
from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.values import NamedTuple
from firewall.writes import alerts, cases, disk, waiting
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Case

MOST_LINES = 400
"""Lines of diff shown; the whole of it is on the staging branch and in --json."""
_LABEL = 10
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class File(NamedTuple):
    """One file of what waits: its case, the diff from the disk, whether the disk changed since, and how the file
    stands now: latched or not, failed attempts in a row."""

    case: Case
    diff: list[str]
    stale: bool
    latched: bool
    attempts: int


@click.command("show")
@click.argument("ident", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON, with the whole diff.")
@click.option("--content", is_flag=True, help="Nothing but the bytes that were proposed, or of that version.")
def command(ident: str, as_json: bool, content: bool) -> None:
    """Show what waits under ID: what was proposed, measures against limits, the diff, how to answer.

    With --content, ID may be the number of a version in `stet log` as well.
    """
    if content and as_json:
        raise click.UsageError("--content and --json are two answers; give one.")
    with WriteProxy.open(Path.cwd()) as proxy:
        if content:
            click.echo(kept_bytes(proxy, ident), nl=False)
            return
        case = cases.get(proxy.ledger, ident)
        if case is None:
            fix = "`stet alerts --all` and `stet pending` list them."
            raise NotFound(what="alert or held proposal", name=ident, fix=fix)
        rows = [case, *(c for c in cases.together(proxy.ledger, case) if c.artifact != case.artifact)]
        files = [_file(proxy, c) for c in rows]
    if as_json:
        emit_json(_value(files))
        return
    _describe(files)
    _print_diffs(files, ident)
    _print_answers(files[0])


def kept_bytes(proxy: WriteProxy, ident: str) -> bytes:
    """The bytes that were proposed under an id, or that a numbered version has. Raises NotFound, StateBroken."""
    case = cases.get(proxy.ledger, ident)
    data = None
    if case is not None:
        data = None if case.change in ("rename", "none") else proxy.ledger.load(case.proposal)
    elif ident.isascii() and ident.isdigit():
        rows = proxy.ledger.query(
            "SELECT j.kind, j.old, j.new FROM journal j LEFT JOIN artifacts a ON a.id=j.artifact WHERE j.seq=?"
            " AND (j.artifact IS NULL OR a.root=?)",
            (int(ident), proxy.ledger.root_id),
        )
        if rows:
            kind, old, new = rows[0]
            data = proxy.ledger.load(str(old if kind == "settings" else new))
    if data is None:
        raise NotFound(what="kept text under", name=ident, fix="`stet pending` and `stet log` list them.")
    return data


def _file(proxy: WriteProxy, case: Case) -> File:
    """What waits against what is on disk now; what was answered against what was there then, if it is kept."""
    where = "on disk" if case.pending else "as it was"
    try:
        before = disk.read(proxy.root / case.path).data
    except StorageError as error:  # a folder or a link stands there now
        before = None
        where = f"cannot be read now ({error})"
    after = before
    try:
        if not case.pending:
            before = after = proxy.ledger.load(case.disk)
        if case.change not in ("rename", "none"):
            after = proxy.ledger.load(case.proposal)
    except StateBroken:
        if case.pending:
            raise
        before = after = None  # `stet gc` let it go
    diff = difflib.unified_diff(
        (before or b"").decode("utf-8", "replace").splitlines(),
        (after or b"").decode("utf-8", "replace").splitlines(),
        f"{case.path} {where}",
        "deleted" if case.change == "delete" else f"{case.target or case.path} proposed",
        lineterm="",
    )
    known = proxy.ledger.artifact(case.path)
    latched, attempts = (known.latched, known.attempts) if known else (False, 0)
    return File(case, list(diff), waiting.is_stale(proxy, case), latched, attempts)


def _value(files: list[File]) -> dict[str, Any]:
    first = files[0]
    case = first.case
    data = json.loads(case.data)
    return {
        **data,
        "id": case.id,
        "at": alerts.when(case.at),
        "kind": case.kind,
        "state": case.state,
        "answered_by": case.answered_by or None,
        "path": case.path,
        "change": case.change,
        "target": case.target or None,
        "change_set": case.change_set,
        "proposal": case.proposal,
        "stale": first.stale,
        "latched": first.latched,
        "commands": alerts.commands(case.id, case.path, case.kind, case.change),
        "diff": first.diff,
        "files": [
            {"id": f.case.id, "path": f.case.path, "change": f.case.change, "state": f.case.state, "stale": f.stale,
             "diff": f.diff}
            for f in files
        ],
    }  # fmt: skip


# -- for people --------------------------------------------------------------------------------------------


def _describe(files: list[File]) -> None:
    first = files[0]
    case = first.case
    data = json.loads(case.data)
    what = {"trip": "a trip", "staged": "work put aside", "hold": "a held proposal"}[case.kind]
    click.secho(f"{case.id}: {what}, {case.state}", bold=True)
    if case.answered_by:
        when = f", {local_time(case.answered_at)}" if case.answered_at else ""
        _line("answered", f"{case.answered_by}{when}")
    _line("file", printable(case.path) + (" (latched: nothing is read until you answer)" if first.latched else ""))
    _line("proposed", _proposed(case, data))
    if data.get("reason"):
        _line("why", data["reason"])
    session = printable(str(data.get("session") or "-"))
    _line("when", f"{local_time(case.at)}, session {session}, by {data.get('source') or '-'}")
    _line("attempts", f"{first.attempts} in a row now")
    for finding in data.get("findings", ()):
        _line(finding["outcome"], f"{finding['rule']}: {printable(finding['message'])}")
        measured = _measures(finding["evidence"])
        if measured:
            _line("", measured)
    staging = data.get("staging")
    if staging and staging["branch"]:
        _line("staged", staging["branch"], whole=True)
        _line("", f"git diff {staging['disk_commit'][:12]} {staging['proposal_commit'][:12]}", whole=True)
    elif staging:
        _line("staged", f"nowhere but in the store: {staging['problem']}")
    if len(files) > 1:
        _line("together", f"with {len(files) - 1} more, answered as one:")
        for other in files[1:]:
            _line("", f"{printable(other.case.path)}: {_proposed(other.case, json.loads(other.case.data))}")
    stale = [printable(f.case.path) for f in files if f.stale and f.case.pending]
    if stale:
        message = f"{', '.join(stale)} changed since; this can be rejected, and no longer be approved."
        _line("stale", message)


def _proposed(case: Case, data: Mapping[str, Any]) -> str:
    words = data.get("words") or {}
    counts = f"{words.get('before', 0)} -> {amount(words.get('after', 0), 'word')}, {words.get('mark', 0)} in the mark"
    return {
        "text": counts,
        "new": f"a new file of {amount(words.get('after', 0), 'word')}",
        "delete": f"to delete it ({amount(words.get('before', 0), 'word')})",
        "rename": f"to rename it to {printable(case.target)}",
        "none": "an edit that could not be made",
    }[case.change]


def _measures(evidence: Mapping[str, Any]) -> str:
    """The numbers of a finding: what was measured, and the limit."""
    numbers = [(k, v) for k, v in evidence.items() if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return ", ".join(f"{key} {value:g}" for key, value in numbers)


def _print_diffs(files: list[File], ident: str) -> None:
    left = MOST_LINES
    hidden = 0
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    for file in files:
        if file.diff:
            click.echo()
        for line in file.diff:
            left -= 1
            if left < 0:
                hidden += 1
                continue
            shown = printable(line.expandtabs(4))
            mark = shown[:1] if shown[:1] in "+-" and shown[:3] not in ("---", "+++") else " "
            for row in rows_of(shown, mark, width):
                click.secho(row, fg=_COLOURS.get(shown[:1]))
    if hidden:
        click.echo(f"… {amount(hidden, 'more line')}; `stet show {ident} --json` has them all.")


def rows_of(line: str, mark: str, width: int) -> list[str]:
    """A line of a diff as rows of at most `width` columns, broken between words where that can be, each with the
    line's mark. Below 20 columns, and without a terminal (0), it stays whole."""
    from rich.cells import cell_len, chop_cells

    if width <= 20 or cell_len(line) <= width:
        return [line]
    rows = []
    rest = line[1:] if line[:1] == mark else line
    while rest:
        row = chop_cells(rest, width - len(mark))[0]
        space = row.rfind(" ") + 1
        if len(row) < len(rest) and space > 1 and rest[len(row)] != " ":
            row = row[:space]
        rows.append(mark + row.rstrip())
        rest = rest[len(row) :].lstrip(" ")
    return rows


def _print_answers(file: File) -> None:
    case = file.case
    if not case.pending:
        return
    click.echo()
    given = alerts.commands(case.id, case.path, case.kind, case.change)
    given = {n: w for n, w in given.items() if n != "show" and not (file.stale and n in ("approve", "edit"))}
    for name, words in given.items():
        _line(name, words, whole=True)
    for row in alerts.meaning(given, max(20, min(shutil.get_terminal_size().columns, 100))):
        click.echo(row)


def _line(label: str, text: str, *, whole: bool = False) -> None:
    """A labelled line, wrapped to the terminal unless it must stay `whole` to be copied."""
    width = min(shutil.get_terminal_size().columns, 100)
    rows = [text] if whole else textwrap.wrap(text, max(20, width - _LABEL), break_on_hyphens=False) or [""]
    for place, row in enumerate(rows):
        click.echo(click.style(f"{label if not place else '':<{_LABEL}}", dim=True) + row)
