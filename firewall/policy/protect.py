"""[protect]: which files are guarded."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section

LISTS = ["requirements*.txt", "constraints*.txt", "CMakeLists.txt", "robots.txt"]
"""Text files by their ending that programs write and read."""
TEXT_EXTENSIONS = ["md", "markdown", "mdx", "rst", "adoc", "asc", "txt", "tex", "typ", "org", "ipynb"]


class Protect(Section):
    """Files that are artifacts. Patterns are globs on the path below the project, `**` for any depth."""

    extensions: list[str] = Field(default=TEXT_EXTENSIONS, description="endings of protected files, without the dot")
    include: list[str] = Field(default=[], description="globs protected besides, whatever their ending")
    exclude: list[str] = Field(
        default=[],
        description="globs never protected (.git, node_modules and virtual environments never are)",
    )
    delete_only: list[str] = Field(
        default=LISTS,
        description="globs guarded against loss but not judged as prose (images, HTML, mkdocs.yml)",
    )
