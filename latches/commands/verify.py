"""stet verify: a document against a shape, a blueprint, or what must hold in any document."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.errors import EXIT_OK, EXIT_REFUSED


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False), metavar="FILE…")
@click.option("--shape", metavar="NAME", help="A shape that the whole of each FILE must have.")
@click.option(
    "--element", "elements", multiple=True, metavar="NAME[:KEY=VALUE,…]",
    help="An element that each FILE must have; may be given again.",
)  # fmt: skip
@click.option("--words", type=click.IntRange(min=1), help="Length aimed at, with --shape or --element.")
@click.option(
    "--blueprint",
    type=click.Path(path_type=Path, readable=False),
    help="A blueprint, as `stet plan BOOK --json` prints it.",
)
@click.option(
    "--root", type=click.Path(path_type=Path, readable=False), help="Folder that links may lead into. [default: FILE's]"
)
@click.option("--config", type=click.Path(path_type=Path, readable=False), help="Style file with the limits of rhythm.")
@click.option("--json", "as_json", is_flag=True, help="The verdicts as JSON on standard output.")
@click.pass_context
def command(
    context: click.Context,
    files: tuple[Path, ...],
    shape: str | None,
    elements: tuple[str, ...],
    words: int | None,
    blueprint: Path | None,
    root: Path | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Check Markdown FILEs: elements of a shape, headings, links, anchors, code, tables, rhythm.

    Without --shape, --element or --blueprint only what must hold in any document is checked. With a
    blueprint, each planned section is found by its heading and checked against its plan. Exit status: 0 all
    passed, 1 something is missing or wrong, 2 usage.
    """
    from latches.verifying import Asked, verify_files

    if words and not (shape or elements):
        raise click.UsageError("--words goes with --shape or --element.")
    asked = Asked(shape, elements, words or 0, blueprint)
    report = verify_files(files, asked, root, config)
    if as_json:
        import json

        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(report.to_lines()))
    context.exit(EXIT_OK if report.allowed else EXIT_REFUSED)
