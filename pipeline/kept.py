"""The file beside a book's state in which its plan is kept: written whole or not at all, and read back."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.db import told
from pipeline.errors import RunStateBroken

FORMAT = 1


def load_record(path: Path) -> dict[str, Any] | None:
    """The plan that was kept at `path`, or None. Raises RunStateBroken for anything else, RunNotKept where
    the system lets nobody read it."""
    try:
        raw = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise told(path, error) from None
    except ValueError as error:
        raise RunStateBroken(detail=f"its plan cannot be read ({error})", path=path) from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise RunStateBroken(detail=f"its plan is not of format {FORMAT}", path=path)
    return raw


def keep_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write the plan down, whole or not at all. Raises RunNotKept, RunStateBroken."""
    temp = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with temp.open("x", encoding="utf-8") as file:
            json.dump(record, file, ensure_ascii=False, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        temp.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink(missing_ok=True)
        raise told(path, error) from None
