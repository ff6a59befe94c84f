"""Settings files of agents: read, merged and written back without disturbing what else is in them.

A file that is no JSON object is left as it is and named. What stays is kept to the byte, comments as well where the
program takes them; a write is a temporary file beside it, synced and renamed over it; a link is followed, so that
dotfiles kept elsewhere stay links. Nothing here waits for a named pipe in the place of a file.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firewall.agents.install import json_text
from firewall.errors import StetError, StorageError
from firewall.writes import disk

Json = dict[str, Any]
BOM = "\ufeff"
COMMENTED = (".gemini", ".qwen")
"""Folders of programs that take comments in their settings: Gemini CLI and Qwen Code, seen running. Codex and Claude
Code were seen to take none; settings with comments are no settings to them, and their hooks do not run."""


class BadSettings(StetError):
    """A settings file that cannot be merged into."""

    code = "bad-settings"
    template = "{path} is no JSON object that could be merged into ({problem}); it was left as it is."
    next_step = "Mend the file, or move it away, and run the command again."


def contents(path: Path) -> bytes | None:
    """The bytes of the file, or of the one that it is a link to; None where there is none. Raises StorageError."""
    return disk.read(Path(os.path.realpath(path))).data


def text_of(path: Path) -> str:
    """The text of the file, line ends as they are, '' where there is none. Raises BadSettings or StorageError."""
    try:
        return (contents(path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise BadSettings(path=path, problem="not UTF-8") from None


def bare(path: Path, text: str) -> str:
    """The text as JSON: with blanks in place of comments, where the file's program takes them."""
    return json_text.plain(text) if path.parent.name in COMMENTED else text


def read(path: Path) -> Json:
    """The settings, {} where there is no file. Raises BadSettings or StorageError."""
    text = text_of(path).removeprefix(BOM)
    if not text.strip():
        return {}
    try:
        value = json.loads(bare(path, text), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BadSettings(path=path, problem=str(error) or "nested too deep") from None
    if not isinstance(value, dict):
        raise BadSettings(path=path, problem=f"it holds a {type(value).__name__}")
    return value


def _once(pairs: list[tuple[str, Any]]) -> Json:
    """An object whose keys are there once: of a doubled one we could not say which counts."""
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        doubled = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {doubled!r} stands twice")
    return value


def write(path: Path, value: Json) -> bool:
    """Write settings if they differ from what is there. Returns whether it wrote. Raises StorageError."""
    there = text_of(path)
    before = there.removeprefix(BOM)
    if before.strip() and json.loads(bare(path, before)) == value:
        return False
    store(path, (BOM if there.startswith(BOM) else "") + _text(path, before, value))
    return True


def store(path: Path, text: str) -> None:
    """Make this the text of the file, or of the one that it is a link to, and its folders. Raises StorageError."""
    real = Path(os.path.realpath(path))
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        put(real, text.encode())
    except OSError as error:
        raise StorageError(action="write", path=path, reason=error.strerror or str(error)) from None


def _text(path: Path, before: str, value: Json) -> str:
    """The text of these settings, with all that stays as it was there."""
    if before.strip():
        text = json_text.changed(before, value)
        if json.loads(bare(path, text)) == value:
            return text
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def put(path: Path, data: bytes) -> None:
    """Replace a file of settings by these bytes in one step, keeping its mode. Raises OSError."""
    temp = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o644
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        temp.replace(path)
    except OSError:
        temp.unlink(missing_ok=True)
        raise


def leave(path: Path, value: Json, never: Sequence[Path]) -> None:
    """Write settings that hold nothing any more, or remove their file where nobody misses it: it is no link, and no
    comment is in it. Raises StorageError."""
    text = text_of(path)
    if path.is_symlink() or bare(path, text) != text:
        write(path, value)
    else:
        remove(path, never)


def remove(path: Path, never: Sequence[Path]) -> None:
    """Remove a file that holds nothing any more, and the one that it is a link to. Raises StorageError."""
    try:
        Path(os.path.realpath(path)).unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(action="remove", path=path, reason=error.strerror or str(error)) from None
    tidy(path, never)


FOLDERS = 2
"""How many folders an installer may have had to make for a file: `.github/hooks` for one."""


def tidy(path: Path, never: Sequence[Path]) -> None:
    """Remove the folders of a file that is gone, where nothing else is in them; none of `never`, nor one above it."""
    for folder in path.parents[:FOLDERS]:
        if any(place == folder or folder in place.parents for place in never):
            return
        try:
            folder.rmdir()
        except OSError:
            return  # other files are in it
