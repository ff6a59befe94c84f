"""stet watch: keep guard over a folder where there are no hooks."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.commands import endings
from firewall.commands.number import Number
from firewall.commands.output import local_time
from firewall.errors import EXIT_INTERRUPTED, EXIT_OK, NotFound, StetError
from firewall.text.amounts import amount
from firewall.text.printable import printable

if TYPE_CHECKING:
    from firewall.agents.rounds import Told


@click.command("watch")
@click.argument("folder", required=False, default=".", metavar="[DIR]", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--settle", type=Number(0.05, 5.0), default=0.4, show_default=True, metavar="SECONDS",
    help="How long nothing must change before a look.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def command(context: click.Context, folder: Path, settle: float, as_json: bool) -> None:
    """Judge every change that is made in DIR (this folder) past Stet, until Ctrl-C.

    A change that the rules let pass stays, and so does what git brings without a loss. What they refuse is put back
    at once and waits for you: `stet pending`. Run it where no hook tells Stet of an agent; under it your own saves
    are judged as well.
    """
    from firewall.agents.rounds import Rounds
    from firewall.agents.watch import Trouble, Watch

    def say(event: str, text: str, **more: object) -> None:
        at = time.time()
        if as_json:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
            click.echo(json.dumps({"event": event, "at": stamp, **more}, ensure_ascii=False))
        else:
            click.echo(f"{local_time(at)} {text}")

    def say_told(told: Told) -> None:
        if as_json:
            value = told.to_json()
            say(str(value.pop("event")), "", **value)
            return
        words = f" ({sizes(told)})" if told.words else ""
        waits = f" `stet show {told.held or told.alert}`" if told.held or told.alert else ""
        what = f": {printable(told.message)}" if told.message else ""
        say("", f"{told.fate} {printable(told.path)}{words}{what}{waits}")

    try:
        if not folder.is_dir():  # a project above it would be watched, and the folder that was meant would not
            raise NotFound(what="folder", name=printable(str(folder)), fix="Name a folder that is guarded, or none.")
        with Rounds(folder) as rounds:
            watch = Watch(rounds, settle)
            for number in endings.signals():
                signal.signal(number, watch.stop)
            root = str(rounds.root)
            for seen in watch.run(lambda: say("watching", f"watching {printable(root)}; Ctrl-C ends it", root=root)):
                if isinstance(seen, Trouble):
                    error = seen.error
                    say("error", f"could not look: {error.message} {error.hint}", **_of_error(error))
                    continue
                for told in seen:
                    say_told(told)
    except StetError as error:
        if not as_json:
            raise
        say("error", "", **_of_error(error))  # on a line of its own, as everything here is
        click.echo(f"stet: {error.message} [{error.code}]\n      {error.hint}", err=True)
        context.exit(error.exit_status)
    say("stopped", "stopped watching")
    context.exit(EXIT_INTERRUPTED if watch.signal == signal.SIGINT else EXIT_OK)


def sizes(told: Told) -> str:
    """What the file has now, and what the change had made of it."""
    before, after = told.words or (0, 0)
    if told.fate == "restored":
        return f"{amount(before, 'word')} again; it had {after}"
    return amount(after, "word") if told.fate == "removed" else f"{before} -> {amount(after, 'word')}"


def _of_error(error: StetError) -> dict[str, object]:
    return {key: item for key, item in error.to_json().items() if key != "outcome"}
