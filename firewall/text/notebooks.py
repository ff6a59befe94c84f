"""What the schema of nbformat 4 asks of a notebook, and what a notebook shows. Pure.

Told are the faults for which nbformat, Jupyter or a viewer that checks the schema refuse a notebook or cannot save it
again. Cell ids may be missing: nbformat mends that itself.
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
_KEYS = frozenset("nbformat nbformat_minor metadata cells".split())
_TEXT_KEYS = frozenset("id cell_type metadata source attachments".split())
_CELL_KEYS = {
    "markdown": _TEXT_KEYS,
    "raw": _TEXT_KEYS,
    "code": frozenset("id cell_type metadata source outputs execution_count".split()),
}
"""What a notebook and a cell of each type may have, and no more."""
_HAS_IDS = 5
"""The nbformat_minor from which on cells have ids, each its own."""


def problems(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The faults of a parsed notebook that has a list of cells: each as its kind, and in words with its place."""
    if type(value.get("nbformat")) is not int or type(value.get("nbformat_minor")) is not int:
        yield "version", "its nbformat or nbformat_minor is no whole number"
    elif value["nbformat_minor"] < 0:
        yield "version", "its nbformat_minor is below 0"
    extra = sorted(value.keys() - _KEYS)
    if extra:
        yield "keys", f"{extra[0]!r} is no key of a notebook"
    yield from _metadata(value.get("metadata"))
    minor = value.get("nbformat_minor")
    seen: dict[str, int] = {}
    for number, cell in enumerate(value["cells"], 1):
        if not isinstance(cell, dict):
            continue
        for kind, what in _cell(cell):
            yield kind, f"cell {number} {what}"
        if "id" in cell and type(minor) is int and minor < _HAS_IDS:
            yield "ids", f"cell {number} has an id, which cells have from nbformat_minor {_HAS_IDS} on"
        elif isinstance(cell.get("id"), str) and seen.setdefault(cell["id"], number) != number:
            yield "same id", f"cell {number} has the id {cell['id']!r} of cell {seen[cell['id']]}"


def _metadata(metadata: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(metadata, dict):
        return
    for name, needs in (("kernelspec", ("name", "display_name")), ("language_info", ("name",))):
        if name in metadata:
            about = metadata[name]
            if not isinstance(about, dict) or not all(isinstance(about.get(key), str) for key in needs):
                yield name, f"its {name} has no {' and '.join(needs)}"


def _cell(cell: dict[str, Any]) -> Iterator[tuple[str, str]]:
    extra = sorted(cell.keys() - _CELL_KEYS.get(str(cell.get("cell_type")), frozenset(cell)))
    if extra:
        yield "cell keys", f"has {extra[0]!r}, which no {cell['cell_type']} cell has"
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


def attachments(value: Any) -> Counter[str]:
    """The names of what is attached to the cells of a parsed notebook: images, as a rule."""
    made: Counter[str] = Counter()
    for cell in _cells(value):
        attached = cell.get("attachments")
        if isinstance(attached, dict):
            made.update(name for name, data in attached.items() if data)
    return made


def kernel(value: Any) -> str:
    """The name of the kernel that a parsed notebook runs by, or ''."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    spec = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    return str(spec.get("name", "")) if isinstance(spec, dict) else ""


def programs(value: Any) -> list[str]:
    """The sources of the cells of code, in order, of a parsed notebook."""
    return [source_of(cell) for cell in _cells(value) if cell.get("cell_type") == "code"]


def source_of(cell: dict[str, Any]) -> str:
    """The source of a cell, '' where it has none that is text."""
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return source if isinstance(source, str) else ""


def _cells(value: Any) -> list[dict[str, Any]]:
    cells = value.get("cells") if isinstance(value, dict) else None
    return [cell for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []


_IDLE = Pattern(
    r"[ \t]*(?:(?:#(?!(?:include|define|pragma|if|ifdef|ifndef|else|endif|import)\b)|//|--|;|/\*|\*|\(\*).*"
    r"|pass|\.{3}|…|raise NotImplementedError.*)?$"
)
"""A line of a program that does nothing, in the languages of the usual kernels."""
_MARK = Pattern(r"[ \t]*(?:#|//|--|;|/?\*|\(\*)+")


def is_idle(program: str) -> bool:
    """Is it nothing but comments and words that stand for code to come?"""
    return all(_IDLE.match(line) for line in program.split("\n"))


def uncommented(program: str) -> str:
    """A program without the marks of comments at the starts of its lines."""
    return "\n".join(_MARK.sub("", line, count=1) if _IDLE.match(line) else line for line in program.split("\n"))


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
    return tag in ("noexport", "no-export") or any(sign in tag for sign in ("hide", "hidden", "remove", "exclude"))
