"""Citations: footnotes that name each passage by note and line, with labels unique in a book."""

from __future__ import annotations

import re
from collections.abc import Sequence

from firewall.context.passage import Passage
from pipeline.compose.labels import SOURCE
from pipeline.compose.piece import Part

_LABELS = re.compile(r"\[\^s\d+-(\d+)\]")


class Citer:
    """Collects the parts of one section in order and prints them with their citations.

    Labels are `s<section>-<n>`, unique in a book. Paragraphs in a row from one passage share one mark,
    behind the last of them; a table or fence is cited by the paragraph above it where that is from the same
    passage.
    """

    def __init__(self, section: int, passages: Sequence[Passage], draft: str = "") -> None:
        self._section = section
        self._passages = passages
        self._first = max((int(n) for n in _LABELS.findall(draft)), default=0)
        self._parts: list[Part | str] = []
        self._labels: dict[str, str] = {}

    def heading(self, text: str) -> None:
        """Begin a part of the section under a heading of its own."""
        self._parts.append(f"### {text}")

    def add(self, part: Part) -> None:
        """Print a part."""
        self._parts.append(part)

    def text(self) -> str:
        """All of it, with the sources below."""
        out: list[str] = []
        for at, item in enumerate(self._parts):
            if isinstance(item, str):
                out.append(item)
                continue
            after = self._parts[at + 1] if at + 1 < len(self._parts) else None
            before = self._parts[at - 1] if at else None
            out.append(self._cited(item, before, after))
        if not out:
            return ""
        notes = [f"[^{label}]: `{source}`" for source, label in self._labels.items()]
        return "\n\n".join(out) + "\n\n" + "\n".join(notes) + "\n"

    def _cited(self, item: Part, before: Part | str | None, after: Part | str | None) -> str:
        text = item.text
        if item.kind == "figure":
            told = isinstance(before, Part) and before.kind == "prose" and before.passage == item.passage
            return text if told else f"{text}\n\n{SOURCE}{self._mark(item.passage)}"
        same = isinstance(after, Part) and item.kind == "prose" and after.passage == item.passage
        if same and isinstance(after, Part):
            told_later = after.kind == "prose" or (after.kind == "list" and text.endswith(":"))
            if told_later:
                return text
        if text.endswith("$$"):  # a mark behind a formula of its own would end up inside it
            return f"{text}\n\n{SOURCE}{self._mark(item.passage)}"
        return text + self._mark(item.passage)

    def _mark(self, passage: int) -> str:
        source = " ".join(self._passages[passage].source.replace("`", "'").split())
        if source not in self._labels:
            self._labels[source] = f"s{self._section}-{self._first + len(self._labels) + 1}"
        return f"[^{self._labels[source]}]"
