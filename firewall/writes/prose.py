"""From the bytes of an artifact to the text that is judged.

Line ends become LF, a byte-order mark goes, and UTF-16 or UTF-32 is read where one names it, so that none of it counts
as a change of words; a notebook is judged by the source of its cells, since JSON punctuation and outputs are nobody's
prose. Nothing made here is ever written.
"""

from __future__ import annotations

import re

from firewall.text.shown import kind
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


BOM = b"\xef\xbb\xbf"
_WIDE = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""Byte-order marks that no UTF-8 begins with (Unicode 23.8), and what they say. The rule bytes lets nobody write these;
a file that is so already may become UTF-8."""


class NotANotebook(ValueError):
    """The bytes are no valid notebook; the message says why."""


def text_of(path: str, data: bytes | None) -> str:
    """The text that rules read for `path`: '' where there is no file. Bad bytes become U+FFFD."""
    if data is None:
        return ""
    made = kind(path)
    if made == "notebook":
        try:
            return notebook_text(data)
        except NotANotebook:
            pass  # the notebook rule refuses it; as plain text its words still count
    try:
        text = data.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        text = _not_utf8(data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _not_utf8(data: bytes) -> str:
    name = next((name for mark, name in _WIDE if data.startswith(mark)), "utf-8")
    return data.removeprefix(BOM).decode(name, "replace")


def parsed(data: bytes) -> Any:
    """The value of a notebook's JSON. Raises NotANotebook where it has none that can be written again."""
    import json

    try:
        value = json.loads(data, object_pairs_hook=_once, parse_constant=_no_constant)
        if b"\\ud" in data.lower():
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotANotebook("it has half a character, a surrogate without the other") from None
    except (ValueError, RecursionError) as error:
        raise NotANotebook(f"it is not JSON ({error})") from None
    return value


def notebook_text(data: bytes) -> str:
    """The sources of a notebook's cells, a blank line between. Raises NotANotebook.

    Checked here is what the nbformat 4 schema requires of every notebook and cell: the two version numbers, a
    list of cells, each with a known type, a source of text, metadata, and outputs where it is code.
    """
    from firewall.text.notebooks import is_hidden

    value = parsed(data)
    if not isinstance(value, dict) or not isinstance(value.get("cells"), list):
        raise NotANotebook("it has no list of cells")
    if value.get("nbformat") != 4 or not isinstance(value.get("nbformat_minor"), int):
        raise NotANotebook("it is not of nbformat 4, with a nbformat_minor")
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
        sources.append(
            source if cell["cell_type"] == "markdown" and not is_hidden(cell["metadata"]) else fenced(source)
        )
    return "\n\n".join(sources)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys stand once: of two readers of a key that stands twice, each may take another."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def fenced(source: str) -> str:
    """Code, raw and hidden cells as a code block, so that prose made one of them is prose no more."""
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", source)), default=0) + 1)
    return f"{fence}\n{source}\n{fence}"
