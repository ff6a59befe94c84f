"""A block of lines that Stet keeps at the end of somebody's TOML file, between two marks."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firewall.agents.install import settings
from firewall.agents.install.settings import BadSettings
from firewall.errors import StorageError

END = "# stet: end"


def begin(runtime: str) -> str:
    """The mark above the block."""
    return f"# stet: begin (written by `stet install {runtime}`)"


def quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def without(text: str, runtime: str) -> str:
    """The text without the block."""
    head, mark, tail = text.partition(begin(runtime))
    if not mark:
        return text
    _, end, rest = tail.partition(END + "\n")
    return head + rest if end else text


def inside(path: Path, text: str, runtime: str) -> dict[str, Any]:
    """What the block says, {} where there is none. Raises BadSettings."""
    _, mark, tail = text.partition(begin(runtime))
    block, end, _ = tail.partition(END + "\n")
    return parsed(path, block) if mark and end else {}


def with_block(path: Path, text: str, runtime: str, lines: list[str]) -> str:
    """The text with the block at its end, or without it where it has no lines. Raises BadSettings where that would be
    no TOML."""
    rest = without(text, runtime)
    if not lines:
        return rest
    block = "\n".join([begin(runtime), *lines, END]) + "\n"
    after = rest + ("" if not rest or rest.endswith("\n") else "\n") + block
    parsed(path, after)
    return after


def parsed(path: Path, text: str) -> dict[str, Any]:
    """The text as a value. Raises BadSettings."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(path=path, problem=str(error)) from None


def read(path: Path) -> str:
    """The file's text, '' where there is none. Raises BadSettings or StorageError."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise BadSettings(path=path, problem="not UTF-8") from None
    except OSError as error:
        raise StorageError(action="read", path=path, reason=error.strerror or str(error)) from None


def put(path: Path, text: str, never: Sequence[Path] = ()) -> None:
    """Write the file, or remove it where nothing is left, and its empty folders but `never`. Raises StorageError."""
    real = Path(os.path.realpath(path))
    try:
        if text:
            real.parent.mkdir(parents=True, exist_ok=True)
            settings.put(real, text.encode())
        else:
            real.unlink(missing_ok=True)
            settings.tidy(real, never)
    except OSError as error:
        raise StorageError(action="write", path=path, reason=error.strerror or str(error)) from None
