"""stet write: judge a proposal and commit it, or refuse it and say why."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.content import proposal_options, proposed
from firewall.commands.output import emit_result
from firewall.writes.proxy import WriteProxy


@click.command("write")
@click.argument("path", type=click.Path(path_type=Path, readable=False))
@proposal_options
@click.option("--json", "as_json", is_flag=True, help="The verdict as JSON on standard output.")
@click.pass_context
def command(
    context: click.Context,
    path: Path,
    content: Path | None,
    delete: bool,
    edit: tuple[Path, Path] | None,
    base: str | None,
    stop_reason: str | None,
    session: str,
    as_json: bool,
) -> None:
    """Judge a proposal and commit it, or refuse it and say why.

    The new content comes from standard input unless an option says otherwise. Exit status: 0 allowed,
    1 refused or held, 4 latched.
    """
    with WriteProxy.open(Path.cwd(), session=session) as proxy:
        what = proposed(proxy, path, content, delete, edit, base)
        if what.failed:
            result = proxy.attempt(path, what.failed)
        else:
            result = proxy.write(path, what.data, base=what.base, stop_reason=stop_reason, declared=what.declared)
    emit_result(result, as_json, "written:", policy_pending=proxy.is_policy_pending)
    context.exit(result.exit_status)
