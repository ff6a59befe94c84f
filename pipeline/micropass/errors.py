"""What can keep `stet fix` from looking at a file at all."""

from __future__ import annotations

from typing import ClassVar

from firewall.errors import UsageError


class NotMarkdown(UsageError):
    """A file of another format, where a Markdown parse would find prose in the wrong places."""

    code: ClassVar[str] = "not-markdown"
    template: ClassVar[str] = "{path} is no Markdown file, going by its ending."
    next_step: ClassVar[str] = "The micro-pass edits {endings} files."


class NotUtf8(UsageError):
    """A file that is not text in UTF-8, so no offset into it would hold."""

    code: ClassVar[str] = "not-utf8"
    template: ClassVar[str] = "{path} is not UTF-8: byte {byte} at offset {offset}."
    next_step: ClassVar[str] = "Save it as UTF-8 first; it was left as it is."
