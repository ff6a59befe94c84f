"""stet lint: house style in prose, for people, programs and CI."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from firewall.errors import EXIT_OK, EXIT_REFUSED, EXIT_USAGE


@click.command("lint")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False), metavar="FILE…")
@click.option(
    "--config", type=click.Path(path_type=Path, readable=False), help="Style file, in place of the nearest one."
)
@click.option("--json", "as_json", is_flag=True, help="The findings as JSON on standard output.")
@click.option("--sarif", is_flag=True, help="A SARIF 2.1.0 log on standard output, for CI annotations.")
@click.pass_context
def command(context: click.Context, paths: tuple[Path, ...], config: Path | None, as_json: bool, sarif: bool) -> None:
    """Find overused words and banned phrases in the prose of FILEs, or of all Markdown in folders.

    Code, links, URLs, front matter, HTML, math and a term in quotation marks are not prose, nor are block
    quotes unless the style says `quotes = true`. The style is that of the nearest stet-style.toml or
    stet.toml, beside a document or above it. `-` reads standard input. What is no Markdown is not read.
    Exit status: 0 nothing found, 1 findings, 2 usage.
    """
    from latches.documents import missing
    from latches.lint import lint
    from latches.report import as_lines, as_sarif, to_json

    if as_json and sarif:
        raise click.UsageError("Give --json or --sarif, not both.")
    gone = missing(paths)
    if len(gone) == len(paths):
        raise gone[0]
    data = sys.stdin.buffer.read() if Path("-") in paths else b""
    absent = {error.fields["name"] for error in gone}
    files = lint(
        [path for path in paths if str(path) not in absent],
        config,
        data,
        tell=lambda note: click.echo(f"note: {note}", err=True),
    )
    if as_json or sarif:
        import json
        from importlib.metadata import version

        out = as_sarif(files, version("stet-firewall"), str(Path.cwd())) if sarif else to_json(files)
        click.echo(json.dumps(out, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(as_lines(files)))
    for error in gone:  # the others are checked all the same
        click.echo(f"stet: {error.message} [{error.code}]\n      {error.hint}", err=True)
    if gone:
        context.exit(EXIT_USAGE)
    context.exit(EXIT_OK if all(file.clean for file in files) else EXIT_REFUSED)
