"""stet operator: the passphrase that proves a person."""

from __future__ import annotations

import time
from pathlib import Path

import click

from firewall.writes import person
from firewall.writes.proxy import WriteProxy


@click.group("operator")
def command() -> None:
    """Set up what proves that a person is answering."""


@command.command("init")
def init() -> None:
    """Set the operator passphrase, once, at a terminal. Only a scrypt hash of it is kept."""
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        person.set_passphrase(proxy.ledger, time.time())
    click.echo("The passphrase is set; reset, accept and the other answers ask for it from now on.")
