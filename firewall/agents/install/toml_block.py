"""A block of lines that Stet keeps at the end of somebody's TOML file, between two marks. The rest of it stays to the
byte."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firewall import tomls
from firewall.agents.install import settings
from firewall.agents.install.settings import BadSettings

END = "# stet: end"
JOINED = " below a line that had no end"


def begin(runtime: str) -> str:
    """The mark above the block."""
    return f"# stet: begin (written by `stet install {runtime}`)"


def _found(text: str, runtime: str) -> re.Match[str] | None:
    """The block, however its lines end by now."""
    pattern = rf"^{re.escape(begin(runtime))}({JOINED})?\r?\n(.*?)^{END}[ \t]*(?:\r?\n|\Z)"
    return re.search(pattern, text, re.DOTALL | re.MULTILINE)


def quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def without(text: str, runtime: str) -> str:
    """The text without the block."""
    found = _found(text, runtime)
    if not found:
        return text
    head, tail = text[: found.start()], text[found.end() :]
    return re.sub(r"\r?\n\Z", "", head) if found[1] and not tail else head + tail


def inside(path: Path, text: str, runtime: str) -> dict[str, Any]:
    """What the block says, {} where there is none. Raises BadSettings."""
    found = _found(text, runtime)
    return parsed(path, found[2]) if found else {}


def with_block(path: Path, text: str, runtime: str, lines: list[str]) -> str:
    """The text with the block at its end, or without it where it has no lines. Raises BadSettings where that would be
    no TOML."""
    rest = without(text, runtime)
    if not lines:
        return rest
    joined = rest != "" and not rest.endswith("\n")
    block = "\n".join([begin(runtime) + (JOINED if joined else ""), *lines, END]) + "\n"
    after = rest + ("\n" if joined else "") + block
    parsed(path, after)
    return after


def parsed(path: Path, text: str) -> dict[str, Any]:
    """The text as a value. Raises BadSettings."""
    try:
        return tomls.loads(text)
    except tomls.Unreadable as error:
        raise BadSettings(path=path, problem=str(error)) from None


def read(path: Path) -> str:
    """The file's text, '' where there is none. Raises BadSettings or StorageError."""
    return settings.text_of(path)


def put(path: Path, text: str, never: Sequence[Path] = ()) -> None:
    """Write the file, or remove it where nothing is left and it is no link, and its empty folders but `never`. Raises
    StorageError."""
    if text or path.is_symlink():
        settings.store(path, text)
    else:
        settings.remove(path, never)
