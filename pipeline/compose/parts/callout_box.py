"""callout_box: a warning or remark of the notes, put in a box of its own kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.compose.notes import Block, Unit
from pipeline.compose.piece import Piece, part, piece

_LABEL = re.compile(
    r"^\W*(?P<word>note|tip|hint|important|warning|caution|danger|attention|remember)\b[*_]*\s*[:.!]+[*_]*\s*",
    re.IGNORECASE,
)
_KIND = {
    "note": "NOTE", "remember": "NOTE", "tip": "TIP", "hint": "TIP", "important": "IMPORTANT",
    "warning": "WARNING", "attention": "WARNING", "caution": "CAUTION", "danger": "CAUTION",
}  # fmt: skip
_WEIGHT = {"WARNING": 3.0, "CAUTION": 3.0, "IMPORTANT": 2.5, "NOTE": 1.5, "TIP": 1.5}


def find(unit: Unit) -> Iterator[Piece]:
    """Quotes and paragraphs that begin with a label such as Warning, and GitHub alerts."""
    for block in unit.blocks:
        found = boxed(block)
        if found is not None:
            kind, text = found
            yield piece("callout_box", [part(block, "quote", f"> [!{kind}]\n{text}")], _WEIGHT[kind], block)


def boxed(block: Block) -> tuple[str, str] | None:
    """(kind, quoted text) of a block that says of itself that it must not be overlooked."""
    if block.kind not in ("quote", "paragraph"):
        return None
    lines = block.text.split("\n")
    if block.kind == "quote":
        lines = [re.sub(r"^\s*> ?", "", line) for line in lines]
    if block.info:
        kind, lines = block.info.upper(), [line for line in lines if not line.strip().startswith("[!")]
    else:
        label = _LABEL.match(lines[0])
        if label is None:
            return None
        kind = _KIND[label["word"].lower()]
        first = lines[0][label.end() :]
        lines = [first[:1].upper() + first[1:], *lines[1:]] if first else lines[1:]
    if kind not in _WEIGHT or not any(line.strip() for line in lines):
        return None
    return kind, "\n".join(f"> {line}".rstrip() for line in lines).strip("\n")
