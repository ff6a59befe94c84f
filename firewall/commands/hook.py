"""stet hook: answer one event of an agent's runtime. `stet-hook` is the same and starts sooner."""

from __future__ import annotations

import click

from firewall.agents import hook


@click.command("hook", context_settings={"ignore_unknown_options": True})
@click.argument("runtime", type=click.Choice(hook.RUNTIMES))
@click.option(
    "--state", default="", metavar="FOLDER", help="The project's state folder, wherever the environment says."
)
@click.option("--root", default="", metavar="FOLDER", help="The guarded folder; without it, sought from the event's.")
@click.option("--user", is_flag=True, help="Silent in sessions that have nothing to do with --root.")
@click.option("--json", "as_json", is_flag=True, help="Accepted for uniformity: the answer is the runtime's own JSON.")
@click.pass_context
def command(context: click.Context, runtime: str, state: str, root: str, user: bool, as_json: bool) -> None:
    """Answer one event of RUNTIME, given as JSON on standard input, in the form that it needs.

    For runtimes, not for people: `stet install RUNTIME` puts it into their settings. Exit status: 0 answered (a
    refusal is an answer), 2 refused without one.
    """
    del as_json
    words = [
        runtime,
        *(["--state", state] if state else []),
        *(["--root", root] if root else []),
        *(["--user"] if user else []),
    ]
    context.exit(hook.main(words))
