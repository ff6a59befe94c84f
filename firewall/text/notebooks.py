"""What the schema of nbformat 4 asks of a notebook, and what a notebook shows. Pure.

Told are the faults for which nbformat or Jupyter refuse a notebook or cannot save it again. Cell ids may be missing or
stand twice: nbformat mends that itself.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ID = Pattern(r"[A-Za-z0-9_-]{1,64}\Z")
_JSON_TYPE = Pattern(r"application/(?:.+\+)?json\Z")
_OUTPUTS = {
    "execute_result": ("data", "metadata", "execution_count"),
    "display_data": ("data", "metadata"),
    "stream": ("name", "text"),
    "error": ("ename", "evalue", "traceback"),
}
"""What each kind of output must have."""


def problems(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The faults of a parsed notebook that has a list of cells: each as its kind, and in words with its place."""
    if type(value.get("nbformat")) is not int or type(value.get("nbformat_minor")) is not int:
        yield "version", "its nbformat or nbformat_minor is no whole number"
    elif value["nbformat_minor"] < 0:
        yield "version", "its nbformat_minor is below 0"
    yield from _metadata(value.get("metadata"))
    for number, cell in enumerate(value["cells"], 1):
        if isinstance(cell, dict):
            for kind, what in _cell(cell):
                yield kind, f"cell {number} {what}"


def _metadata(metadata: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(metadata, dict):
        return
    for name, needs in (("kernelspec", ("name", "display_name")), ("language_info", ("name",))):
        if name in metadata:
            about = metadata[name]
            if not isinstance(about, dict) or not all(isinstance(about.get(key), str) for key in needs):
                yield name, f"its {name} has no {' and '.join(needs)}"


def _cell(cell: dict[str, Any]) -> Iterator[tuple[str, str]]:
    metadata = cell.get("metadata")
    tags = metadata.get("tags", []) if isinstance(metadata, dict) else []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        yield "tags", "has tags that are no list of text"
    if "id" in cell and not (isinstance(cell["id"], str) and _ID.match(cell["id"])):
        yield "id", "has an id that is no name of 1 to 64 letters, digits, - and _"
    if "attachments" in cell and not _are_attachments(cell["attachments"]):
        yield "attachments", "has attachments that are none"
    if cell.get("cell_type") != "code":
        return
    if not _is_count(cell.get("execution_count", "")):
        yield "execution_count", "is code without an execution_count that is a whole number or null"
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        what = _output(output)
        if what:
            yield "outputs", what
            return


def _output(output: Any) -> str:
    """What is wrong with an output, or ''."""
    kind = output.get("output_type") if isinstance(output, dict) else None
    if not isinstance(kind, str) or kind not in _OUTPUTS:
        return "has an output of no known output_type"
    if not all(key in output for key in _OUTPUTS[kind]):
        return f"has an output of the type {kind} without {', '.join(_OUTPUTS[kind])}"
    if kind == "stream":
        good = isinstance(output["name"], str) and _is_text(output["text"])
    elif kind == "error":
        lines = output["traceback"]
        good = isinstance(output["ename"], str) and isinstance(output["evalue"], str)
        good = good and isinstance(lines, list) and all(isinstance(line, str) for line in lines)
    else:
        good = _is_bundle(output["data"]) and isinstance(output["metadata"], dict)
        good = good and _is_count(output.get("execution_count"))
    return "" if good else f"has an output of the type {kind} with a value of another type than it must have"


def _is_count(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(line, str) for line in value))


def _is_bundle(value: Any) -> bool:
    """Is it data by MIME type: text or lists of lines, or anything where the type is JSON?"""
    return isinstance(value, dict) and all(_JSON_TYPE.match(kind) or _is_text(data) for kind, data in value.items())


def _are_attachments(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_bundle(bundle) for bundle in value.values())


def attachments(value: dict[str, Any]) -> Counter[str]:
    """The names of what is attached to the cells of a parsed notebook: images, as a rule."""
    made: Counter[str] = Counter()
    cells = value.get("cells")
    for cell in cells if isinstance(cells, list) else ():
        attached = cell.get("attachments") if isinstance(cell, dict) else None
        if isinstance(attached, dict):
            made.update(name for name, data in attached.items() if data)
    return made


def is_hidden(metadata: dict[str, Any]) -> bool:
    """Is a cell's source out of a reader's sight, in Jupyter or in what is made of the notebook?"""
    tags = metadata.get("tags")
    jupyter = metadata.get("jupyter")
    slides = metadata.get("slideshow")
    return (
        (isinstance(jupyter, dict) and bool(jupyter.get("source_hidden")))
        or (isinstance(slides, dict) and slides.get("slide_type") in ("skip", "notes"))
        or bool(metadata.get("hide_input"))
        or bool(metadata.get("hidden"))
        or metadata.get("nbsphinx") == "hidden"
        or (isinstance(tags, list) and any(_hides(str(tag).lower()) for tag in tags))
    )


def _hides(tag: str) -> bool:
    if "output" in tag:
        return False
    return tag in ("skip", "noexport", "no-export") or any(
        sign in tag for sign in ("hide", "hidden", "remove", "exclude")
    )
