"""stet serve: answer hooks over HTTP on loopback, for people who want milliseconds."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from types import FrameType

import click

from firewall.commands import endings


@click.command("serve")
@click.option("--json", "as_json", is_flag=True, help="Where it listens as one JSON object, then nothing.")
def command(as_json: bool) -> None:
    """Answer the hooks that `stet install claude --http` put in, on 127.0.0.1, until interrupted.

    Only who knows the project's token is answered. What was asked before its end is answered; a second Ctrl-C ends it
    at once. While it does not run, a Claude Code of 2.1.295 or later refuses every tool call of these hooks.
    """
    from firewall.agents import tokens
    from firewall.agents.server import Server, answering
    from firewall.writes.proxy import WriteProxy

    with WriteProxy.open(Path.cwd(), source="serve") as proxy:
        token, address = tokens.token_of(proxy), tokens.address(proxy)
        server = Server(tokens.port_of(proxy), token, answering(str(proxy.root), str(proxy.state)))

    def stop(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        threading.Thread(target=server.stop, daemon=True).start()

    for number in endings.signals():
        signal.signal(number, stop)
    os.umask(0o077)
    if as_json:
        click.echo(json.dumps({"root": str(proxy.root), "url": address}))
    else:
        click.echo(f"Answering hooks of {proxy.root} at {address}. Ctrl-C ends it.")
    answered = server.run()
    if not as_json:
        late = "a question took too long, and what it left half done is finished or undone at the next event."
        click.echo(f"Ended; {'nothing was left half done.' if answered else late}")
