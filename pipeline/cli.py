"""The `stet` command: finds the subcommand, runs it, and turns every ending into an exit status.

Subcommands live one a file in firewall/commands, latches/commands and pipeline/commands, and are
imported only when named, so that `stet write` never pays for the pipeline.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from firewall.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_OK, EXIT_REFUSED, EXIT_USAGE, StetError, UsageError
from pipeline import streams

COMMANDS = {
    "init": ("firewall", "Make a folder a guarded project."),
    "check": ("firewall", "Judge a proposal without writing."),
    "write": ("firewall", "Judge a proposal and commit it."),
    "log": ("firewall", "What happened, to one file or to all."),
    "restore": ("firewall", "Put a version of a file back."),
    "gc": ("firewall", "Let old versions go from the store."),
    "stats": ("firewall", "What each rule refused, and what a person then allowed."),
    "alerts": ("firewall", "Alerts that wait for a person."),
    "pending": ("firewall", "Held proposals that wait for a person."),
    "show": ("firewall", "The whole context of what waits."),
    "approve": ("firewall", "Apply what was proposed (a person)."),
    "edit": ("firewall", "Edit what was proposed, then apply it (a person)."),
    "reject": ("firewall", "Turn down what was proposed (a person)."),
    "escalate": ("firewall", "Tell of what waits once more (a person)."),
    "allow": ("firewall", "Lift rules for a path ahead of a write (a person)."),
    "reset": ("firewall", "Open a latched file again (a person)."),
    "accept": ("firewall", "Take a file or stet.toml as it stands (a person)."),
    "operator": ("firewall", "Set the operator passphrase."),
    "install": ("firewall", "Put Stet's hooks into an agent's settings."),
    "serve": ("firewall", "Answer hooks over HTTP on this machine."),
    "doctor": ("firewall", "Is this folder really guarded? Fires a canary."),
    "hook": ("firewall", "Answer an event of an agent's runtime (for runtimes)."),
    "clean": ("firewall", "Clean retrieved text before it reaches a prompt."),
    "watch": ("firewall", "Keep guard over a folder where there are no hooks."),
    "mcp": ("firewall", "Serve the guarded files to an MCP client."),
    "lint": ("latches", "Find overused words and banned phrases in prose."),
    "verify": ("latches", "Check a document against a shape."),
    "fix": ("pipeline", "Repair style one sentence at a time."),
    "plan": ("pipeline", "Show a book's locked plan."),
    "run": ("pipeline", "Generate a book through every gate."),
    "status": ("pipeline", "How far a book is."),
}


class NoWorkingFolder(UsageError):
    """The shell stands in a folder that was removed."""

    code = "no-working-folder"
    template = "The working folder is gone."
    next_step = "Change to a folder that is there."


class Commands(click.Group):
    """The commands of the table above, imported when used."""

    def list_commands(self, context: click.Context) -> list[str]:
        """All names, in the order of the table."""
        return list(COMMANDS)

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; for one that there is not, the nearest that there is."""
        try:
            return super().resolve_command(context, words)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(words[0].casefold(), list(COMMANDS), n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", context) from None

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"{COMMANDS[name][0]}.commands.{name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="stet-firewall", prog_name="stet")
@click.pass_context
def stet(context: click.Context) -> None:
    """Let it stand: a deterministic firewall between text a model wrote and files people keep.

    Exit status: 0 allowed, 1 refused, 2 usage, 3 a bug of ours, 4 latched, 130 interrupted.
    """
    if os.environ.get("NO_COLOR"):
        context.color = False


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    streams.make_patient()
    status = run(words)
    lost = streams.failure()
    if lost:
        click.echo(f"stet: the answer could not be written ({lost}); `stet log` shows what was done.", err=True)
        status = status or EXIT_REFUSED
    sys.exit(status)


def run(words: list[str]) -> int:
    """The exit status of a command line; everything a user sees has been printed when it returns."""
    try:
        result = stet.main(args=words, prog_name="stet", standalone_mode=False)
    except click.exceptions.Exit as end:
        return int(end.exit_code)
    except SystemExit as end:  # of a command that ends by itself: what it said may still be unwritten
        if end.code is None or isinstance(end.code, int):
            return end.code or EXIT_OK
        click.echo(str(end.code), err=True)
        return EXIT_USAGE
    except click.Abort:
        print("Interrupted; nothing was left half done.", file=sys.stderr)  # noqa: T201
        return EXIT_INTERRUPTED
    except KeyboardInterrupt:
        print("Interrupted; nothing was left half done.", file=sys.stderr)  # noqa: T201
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        if "--json" in words:
            _emit({"outcome": "error", "code": "usage", "message": error.format_message(), "next": "See --help."})
        error.show()
        return EXIT_USAGE
    except StetError as error:
        _say(error, "--json" in words)
        return error.exit_status
    except FileNotFoundError as error:
        if _has_working_folder():
            return _bug(error, words)
        _say(NoWorkingFolder(), "--json" in words)
        return NoWorkingFolder.exit_status
    except Exception as error:
        return _bug(error, words)
    return result if isinstance(result, int) else EXIT_OK


def _say(error: StetError, as_json: bool) -> None:
    if as_json:
        _emit(error.to_json())
    click.echo(f"stet: {error.message} [{error.code}]", err=True)
    if error.hint:
        click.echo(f"      {error.hint}", err=True)


def _emit(value: dict[str, object]) -> None:
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _has_working_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _bug(error: Exception, words: list[str]) -> int:
    """A report that can be pasted into an issue: versions, the command, the traceback."""
    import platform
    import traceback
    from importlib.metadata import version

    click.echo("stet: this is a bug in Stet. `stet log` shows what was done. Please report what follows.", err=True)
    click.echo(
        f"--- stet {version('stet-firewall')}, Python {platform.python_version()}, {platform.platform()}",
        err=True,
    )
    click.echo(f"--- stet {' '.join(words[:1])} ({len(words)} words)", err=True)
    click.echo("".join(traceback.format_exception(error)), err=True)
    return EXIT_BUG
