"""What can go wrong with a book's structure, a shape or a section, as errors that users meet."""

from __future__ import annotations

from firewall.errors import StetError, UsageError


class PlanRefused(StetError):
    """No layout satisfies the book's shapes, pins and exclusions. Fields: reason, fix."""

    code = "plan-refused"
    template = "The book cannot be laid out: {reason}."
    next_step = "{fix}"


class BadShape(UsageError):
    """A shape that cannot be used. Fields: shape, problem, fix."""

    code = "bad-shape"
    template = "The shape {shape!r} cannot be used: {problem}."
    next_step = "{fix}"


class BadBlueprint(UsageError):
    """A blueprint that cannot be read or whose hash is wrong. Fields: detail."""

    code = "bad-blueprint"
    template = "The blueprint cannot be used: {detail}."
    next_step = "Make it anew with `stet plan`, or put back the file that Stet wrote."


class NoStyle(UsageError):
    """Nothing says what style to check. Fields: path."""

    code = "no-style"
    template = "No style rule is set for {path}, so there is nothing to check."
    next_step = (
        "Set ceilings, per_thousand, banned or apart under [style] in stet.toml, or at the top of a "
        "stet-style.toml, in the document's folder or above it."
    )


class StyleConfigError(UsageError):
    """A style file cannot be used. Fields: path, line, problem, fix."""

    code = "bad-style"
    template = "{path}, line {line}: {problem}."
    next_step = "{fix}"


class NoDocuments(UsageError):
    """A folder without documents. Fields: path."""

    code = "no-documents"
    template = "{path} has no Markdown files in it."
    next_step = "Name files, or a folder with .md, .markdown or .mdx files; hidden folders are left out."


class UnreadableFolder(UsageError):
    """A folder whose files cannot be listed, so nothing can be said of them. Fields: path, reason."""

    code = "unreadable-folder"
    template = "{path} cannot be looked into: {reason}."
    next_step = "Make it readable, or name the files that are to be checked."
