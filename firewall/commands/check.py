"""stet check: judge a proposal, or git's commits, without writing or counting anything."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.content import proposal_options, proposed
from firewall.commands.output import emit_result
from firewall.digest import by_hash
from firewall.errors import UsageError
from firewall.verdict import judge
from firewall.writes.proxy import WriteProxy


class CheckWhat(UsageError):
    """check without something to judge, or with several."""

    code = "check-what"
    template = "Name one thing to judge: a PATH, --commit REV, --range A..B or --staged."
    next_step = "`stet check --help` shows them."


@click.command("check")
@click.argument("path", required=False, type=click.Path(path_type=Path, readable=False))
@proposal_options
@click.option("--commit", "revision", metavar="REV", help="Judge what a commit changes, against its first parent.")
@click.option("--range", "span", metavar="A..B", help="Judge each commit that B has and A has not, one by one.")
@click.option("--staged", is_flag=True, help="Judge what `git commit` would commit now.")
@click.option("--json", "as_json", is_flag=True, help="The verdict as JSON on standard output; a line for each commit.")
@click.pass_context
def command(
    context: click.Context,
    path: Path | None,
    content: Path | None,
    delete: bool,
    edit: tuple[Path, Path] | None,
    base: str | None,
    stop_reason: str | None,
    session: str,
    revision: str | None,
    span: str | None,
    staged: bool,
    as_json: bool,
) -> None:
    """Judge a proposal for PATH, or git's commits, without writing or counting anything.

    The new content comes from standard input unless an option says otherwise. Commits are judged as change sets
    from git's objects alone. Exit status: 0 allowed, 1 refused or held, 4 latched.
    """
    if sum((path is not None, revision is not None, span is not None, staged)) != 1:
        raise CheckWhat
    if path is None:
        context.exit(_commits(revision, span, as_json))
    with WriteProxy.open(Path.cwd(), session=session) as proxy:
        what = proposed(proxy, path, content, delete, edit, base)
        if what.failed:
            verdict = judge([what.failed], [what.failed.rule])
            result = proxy.check(path, b"")._replace(verdict=verdict, hashed=by_hash(""))
        else:
            result = proxy.check(path, what.data, base=what.base, stop_reason=stop_reason, declared=what.declared)
    emit_result(result, as_json, "would be written:", policy_pending=proxy.is_policy_pending)
    context.exit(result.exit_status)


def _commits(revision: str | None, span: str | None, as_json: bool) -> int:
    from firewall.commands.checking import emit_checked
    from firewall.writes import git, gitcheck

    git.be_patient()
    with WriteProxy.open(Path.cwd()) as proxy:
        if revision is not None:
            return emit_checked([gitcheck.check_commit(proxy, revision)], as_json)
        if span is not None:
            return emit_checked(gitcheck.check_range(proxy, span), as_json)
        return emit_checked([gitcheck.check_staged(proxy)], as_json)
