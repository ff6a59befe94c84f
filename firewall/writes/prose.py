"""From the bytes of an artifact to the text that is judged.

Line ends become LF and a byte-order mark goes, so that neither counts as a change of words; a notebook is
judged by the source of its cells, since JSON punctuation and outputs are nobody's prose. Nothing made here
is ever written.
"""

from __future__ import annotations

import json

BOM = b"\xef\xbb\xbf"


class NotANotebook(ValueError):
    """The bytes are no valid notebook; the message says why."""


def text_of(path: str, data: bytes | None) -> str:
    """The text that rules read for `path`: '' where there is no file. Bad bytes become U+FFFD."""
    if data is None:
        return ""
    if path.endswith(".ipynb"):
        try:
            return notebook_text(data)
        except NotANotebook:
            pass  # the notebook rule refuses it; as plain text its words still count
    text = data.removeprefix(BOM).decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def notebook_text(data: bytes) -> str:
    """The sources of a notebook's cells, a blank line between. Raises NotANotebook.

    Checked here is what the nbformat 4 schema requires of every notebook and cell: the two version numbers, a
    list of cells, each with a known type, a source of text, metadata, and outputs where it is code.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotANotebook(f"it is not JSON ({error})") from None
    if not isinstance(value, dict) or not isinstance(value.get("cells"), list):
        raise NotANotebook("it has no list of cells")
    if not isinstance(value.get("nbformat"), int) or not isinstance(value.get("nbformat_minor"), int):
        raise NotANotebook("it has no nbformat and nbformat_minor")
    if not isinstance(value.get("metadata"), dict):
        raise NotANotebook("it has no metadata")
    sources = []
    for number, cell in enumerate(value["cells"], 1):
        if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
            raise NotANotebook(f"cell {number} has no known cell_type")
        if not isinstance(cell.get("metadata"), dict):
            raise NotANotebook(f"cell {number} has no metadata")
        if cell["cell_type"] == "code" and not isinstance(cell.get("outputs"), list):
            raise NotANotebook(f"cell {number} is code without a list of outputs")
        source = cell.get("source")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if not isinstance(source, str):
            raise NotANotebook(f"cell {number} has no source text")
        sources.append(source)
    return "\n\n".join(sources)
