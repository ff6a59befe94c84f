"""stet edit: a person edits a proposal in their editor, and what they save is applied."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import click

from firewall.commands.answering import emit_answer
from firewall.errors import StetError
from firewall.writes import answers
from firewall.writes.proxy import WriteProxy


class EditorFailed(StetError):
    """No editor, or one that did not end well."""

    code = "editor-failed"
    template = "The editor {detail}. Nothing was done."
    next_step = "Set VISUAL or EDITOR to a program that opens a file and waits until you have closed it."


@click.command("edit")
@click.argument("ident", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="What came of it as JSON.")
@click.pass_context
def command(context: click.Context, ident: str, as_json: bool) -> None:
    """Edit the proposal ID in $VISUAL or $EDITOR, and apply what you save. Needs a person.

    It is judged as `stet approve` would; the result is the new baseline. What was proposed together with it is
    applied as it was proposed.
    """
    copy = _Copy(Path(tempfile.mkdtemp(prefix="stet-edit-")))
    done = False
    try:
        with WriteProxy.open(Path.cwd(), source="operator") as proxy:
            answer = answers.edit(proxy, ident, copy.edit)
        done = answer.done
        status = emit_answer(answer, as_json)
    finally:  # whatever happened, what a person typed is theirs
        if not done and copy.changed():
            click.echo(f"  What you saved is kept in {copy.file}", err=True)
        else:
            shutil.rmtree(copy.folder, ignore_errors=True)
    context.exit(status)


class _Copy:
    """A private copy of a proposal, for an editor."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "proposal"
        self._start = b""

    def edit(self, name: str, data: bytes) -> bytes:
        """Let the editor at it; the bytes it leaves."""
        self.file = self.folder / (Path(name).name or "proposal")
        self._start = data
        self.file.write_bytes(data)
        words = _editor()
        try:
            status = subprocess.run([*words, str(self.file)], check=False).returncode
        except OSError as error:
            raise EditorFailed(detail=f"`{words[0]}` could not be run: {error.strerror or error}") from None
        if status:
            raise EditorFailed(detail=f"`{words[0]}` ended with status {status}")
        try:
            return self.file.read_bytes()
        except OSError as error:
            raise EditorFailed(detail=f"left no file behind: {error.strerror or error}") from None

    def changed(self) -> bool:
        """Is there anything that a person typed?"""
        try:
            return self.file.read_bytes() != self._start
        except OSError:
            return False


def _editor() -> list[str]:
    """The words of $VISUAL, else $EDITOR, else vi."""
    for variable in ("VISUAL", "EDITOR"):
        text = os.environ.get(variable, "")
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise EditorFailed(detail=f"named by {variable} cannot be read: {error}") from None
        if words:
            return words
    found = shutil.which("vi")
    if found is None:
        raise EditorFailed(detail="is not known: neither VISUAL nor EDITOR is set, and there is no vi")
    return [found]
