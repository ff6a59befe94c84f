"""A passage of source text on its way to a prompt: the type that only the context firewall makes.

Whatever builds a prompt asks for `Passage`s, so text that was not sanitized and not checked against
its lane cannot get there by mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from firewall.verdict import Finding

MAKER: Final = object()
"""What firewall.context.lanes shows to make a passage; nothing else may hold it (a test looks)."""


class Passage:
    """Clean text with its provenance. Immutable; made by `firewall.context` alone.

    `text` is what may reach a prompt. `source` is the retriever's id of where it came from, `lane` the
    lane the retriever's configuration gave that source, `sha256` the hash of the raw text, `index_version`
    the version of the index that brought it, `findings` what was removed or noticed. `lanes` are `lane` and those that
    the text was written from besides: what is written from the passage is of all of them.
    """

    __slots__ = ("findings", "index_version", "lane", "lanes", "sha256", "source", "text")

    text: str
    source: str
    lane: str
    sha256: str
    index_version: str
    findings: tuple[Finding, ...]
    lanes: tuple[str, ...]

    def __init__(
        self,
        maker: object,
        *,
        text: str,
        source: str,
        lane: str,
        sha256: str,
        index_version: str,
        findings: tuple[Finding, ...],
        also: Sequence[str] = (),
    ) -> None:
        if maker is not MAKER:
            raise TypeError("a Passage is made by firewall.context, from text that it has judged")
        for name, value in (
            ("text", text),
            ("source", source),
            ("lane", lane),
            ("sha256", sha256),
            ("index_version", index_version),
            ("findings", findings),
            ("lanes", (lane, *(other for other in dict.fromkeys(also) if other != lane))),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Passage is immutable: {name}")

    def __repr__(self) -> str:  # the text stays out of logs and tracebacks
        return f"Passage(source={self.source!r}, lane={self.lane!r}, {len(self.text)} characters)"
