"""What a tool call would make of files, computed before the tool runs. Pure.

The content that a runtime would write is what is judged. Where it cannot be known (the text to replace is not in the
file, the file is no UTF-8, the patch does not fit) the change has a `failed`, and is refused: an edit that nobody can
foresee is an edit that nobody judged. What really landed is looked at once more after the call.
"""

from __future__ import annotations

from collections.abc import Callable

from firewall.agents import events
from firewall.agents.events import Cell, Edit, ToolCall
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from firewall.agents.patch import FilePatch

Read = Callable[[str], bytes | None]
"""The bytes of a file by the path that the call gave, None where there is none."""


class Change(NamedTuple):
    """What one file would become: its bytes (None: deleted), or with `target` its new name.

    `declared` is the text that the call names as what it takes away. `from_disk`: made from the bytes on disk, so
    that nobody's later change is lost. `failed` says why the change cannot be made.
    """

    path: str
    data: bytes | None = None
    declared: bytes | None = None
    target: str = ""
    from_disk: bool = False
    failed: str = ""


def projected(call: ToolCall, read: Read) -> list[Change]:
    """The changes of a call that writes; none for any other kind."""
    if call.kind == events.WRITE:
        return [Change(call.path, encoded(call.content or ""))]
    if call.kind == events.EDIT:
        return [_edited(call, read(call.path))]
    if call.kind == events.APPEND:
        return [Change(call.path, (read(call.path) or b"") + encoded(call.content or ""), from_disk=True)]
    if call.kind == events.NOTEBOOK:
        return [_notebook(call, read(call.path))]
    if call.kind == events.DELETE:
        return [Change(call.path)]
    if call.kind == events.MOVE:
        return [Change(call.path, target=call.target)]
    if call.kind == events.PATCH:
        return _patched(call.patch, read)
    return []


def encoded(text: str) -> bytes:
    """The bytes that a runtime writes for a text from JSON: half a surrogate pair becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


# -- replacements ------------------------------------------------------------------------------------------


def _edited(call: ToolCall, data: bytes | None) -> Change:
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        byte = (data or b"")[error.start]
        why = (
            f"the file is not UTF-8 (byte 0x{byte:02x} at offset {error.start}), and an edit would spoil its other "
            "letters. Ask the person to convert it"
        )
        return Change(call.path, failed=why)
    crlf = "\r\n" in text
    plain = text.replace("\r\n", "\n") if crlf else text
    declared = []
    for number, edit in enumerate(call.edits, 1):
        old, new = _lf(edit.old), _lf(edit.new)
        if not old:
            if plain.strip() or number > 1:
                return Change(call.path, failed=_named(number, call, "the text to replace is empty, the file is not"))
            plain = new
            continue
        at = _find(plain, old)
        count = plain.count(old) if at == old else plain.count(at) if at else 0
        if count != 1 and not (count and edit.everywhere):
            what = "is not in the file" if not count else f"stands in the file {count} times"
            return Change(call.path, failed=_named(number, call, f"the text to replace {what}"))
        if edit.with_line_end and not new and not at.endswith("\n") and at + "\n" in plain:
            at += "\n"
        plain = plain.replace(at, new) if edit.everywhere else plain.replace(at, new, 1)
        declared.append(at)
    if not call.edits:
        return Change(call.path, failed="there is no replacement in it")
    out = _with_ends(text, plain) if crlf else plain
    first = declared[0].replace("\n", "\r\n") if crlf and declared else "".join(declared[:1])
    named = encoded(first) if len(declared) == 1 and not call.edits[0].everywhere else None
    return Change(call.path, encoded(out), named, from_disk=True)


def _named(number: int, call: ToolCall, problem: str) -> str:
    which = f"replacement {number} of {len(call.edits)}: " if len(call.edits) > 1 else ""
    return f"{which}{problem}. Read the file again and give a passage that stands there exactly once"


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


def _find(text: str, old: str) -> str:
    """The passage as it stands in the text: as given, or with the file's own typographic quotes; '' for none."""
    if old in text:
        return old
    at = text.translate(_QUOTES).find(old.translate(_QUOTES))
    return text[at : at + len(old)] if at >= 0 else ""


def _with_ends(before: str, after: str) -> str:
    """The text with the line ends that most lines of the file have."""
    crlf = before.count("\r\n")
    return after.replace("\n", "\r\n") if crlf >= before.count("\n") - crlf else after


# -- notebooks ---------------------------------------------------------------------------------------------


def _notebook(call: ToolCall, data: bytes | None) -> Change:
    import json

    cell = call.cell
    try:
        book = json.loads(data or b"")
        cells = book["cells"]
        if cell is None or not isinstance(cells, list) or not all(isinstance(c, dict) for c in cells):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        return Change(call.path, failed="the file is no notebook, so no cell of it can be changed")
    at = _place(cells, cell.id)
    if cell.mode == "insert":
        at = at + 1 if cell.id else 0
        if cell.id and at == 0:
            return Change(call.path, failed=f"there is no cell {cell.id!r}")
        cells.insert(at, _new_cell(book, cell))
    elif at < 0:
        return Change(call.path, failed=f"there is no cell {cell.id!r}")
    elif cell.mode == "delete":
        del cells[at]
    elif cell.mode == "replace":
        _replace(cells[at], cell)
    else:
        return Change(call.path, failed=f"{cell.mode!r} is no way to change a cell")
    text = json.dumps(book, ensure_ascii=False, indent=1)
    return Change(call.path, encoded(text + ("\n" if (data or b"").endswith(b"\n") else "")), from_disk=True)


def _place(cells: list[dict[str, Any]], ident: str) -> int:
    """The place of a cell by its id, or by `cell-N`, which counts from 0; -1."""
    for place, cell in enumerate(cells):
        if ident and cell.get("id") == ident:
            return place
    number = ident.removeprefix("cell-")
    if ident.startswith("cell-") and number.isascii() and number.isdigit() and int(number) < len(cells):
        return int(number)
    return -1


def _new_cell(book: dict[str, Any], cell: Cell) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": cell.kind or "code", "metadata": {}, "source": cell.source}
    if (book.get("nbformat"), book.get("nbformat_minor", 0)) >= (4, 5):
        used = {str(old.get("id")) for old in book["cells"]}
        made["id"] = next(name for n in range(len(used) + 1) if (name := f"new-{n}" if n else "new") not in used)
    if made["cell_type"] == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def _replace(old: dict[str, Any], cell: Cell) -> None:
    old["source"] = cell.source
    if old.get("cell_type") == "code":
        old |= {"execution_count": None, "outputs": []}
    if cell.kind and cell.kind != old.get("cell_type"):
        old["cell_type"] = cell.kind
        if cell.kind == "code":
            old |= {"execution_count": None, "outputs": []}
        else:
            old.pop("execution_count", None)
            old.pop("outputs", None)


# -- patches -----------------------------------------------------------------------------------------------


def _patched(text: str, read: Read) -> list[Change]:
    from firewall.agents import patch

    try:
        files = patch.parse(text)
    except patch.BadPatch as error:
        return [Change("", failed=f"the patch cannot be read: {error}")]
    out: list[Change] = []
    for one in files:
        if one.does == patch.ADD:
            out.append(Change(one.path, encoded(one.content)))
        elif one.does == patch.DELETE:
            out.append(Change(one.path))
        else:
            out += _updated(one, read(one.path))
    return _once_each(out)


def _updated(one: FilePatch, data: bytes | None) -> list[Change]:
    from firewall.agents import patch

    if data is None:
        return [Change(one.path, failed="the file is not there")]
    edit = ToolCall("", "", events.EDIT, path=one.path, edits=(Edit("", ""),))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [_edited(edit, data)]
    crlf = "\r\n" in text
    try:
        new = patch.apply(one, text.replace("\r\n", "\n") if crlf else text)
    except patch.BadPatch as error:
        return [Change(one.path, failed=str(error))]
    changed = encoded(_with_ends(text, new) if crlf else new)
    if not one.move_to:
        return [Change(one.path, changed, from_disk=True)]
    if not one.hunks:
        return [Change(one.path, target=one.move_to, from_disk=True)]
    return [Change(one.path, from_disk=True), Change(one.move_to, changed)]


def _once_each(changes: list[Change]) -> list[Change]:
    """A patch that touches a file twice cannot be judged as one change."""
    names = [c.path for c in changes]
    twice = sorted({n for n in names if names.count(n) > 1})
    if not twice:
        return changes
    return [Change(n, failed="the patch changes the file twice; put its changes into one") for n in twice]
