"""What editors answered before: the one module of the micro-pass with effects.

An answer is looked up under the hash of all that it depends on, so a second run over the same document
makes the same bytes and asks no model. A record is no authority: what it holds is verified like any
answer, because whoever can write the file could put anything there.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import NamedTuple, Protocol

OUTCOMES = ("accepted", "declined", "given-up")


class Record(NamedTuple):
    """How a violation was settled. `text` is the accepted sentence, `reason` why there is none."""

    outcome: str
    text: str = ""
    reason: str = ""


class Recorder(Protocol):
    """Where settled violations are kept between runs."""

    def get(self, key: str) -> Record | None:
        """The record under `key`, or None. Never raises for a damaged record: that is None too."""

    def put(self, key: str, record: Record) -> None:
        """Keep `record` under `key`, whole or not at all."""


def record_key(*, sentence: str, rule: str, policy: str, prompt: str, model: str) -> str:
    """sha256 over all that an answer depends on. `prompt` is the whole text or structure asked with."""
    parts = [sentence, rule, policy, prompt, model]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()


class MemoryRecorder:
    """Records for as long as the process lives."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}

    def get(self, key: str) -> Record | None:
        """The record under `key`, or None."""
        return self.records.get(key)

    def put(self, key: str, record: Record) -> None:
        """Keep `record` under `key`."""
        self.records[key] = record


class FolderRecorder:
    """One small JSON file a record below `folder`, each replaced atomically; safe for many processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> Record | None:
        """The record under `key`, or None when there is none or it cannot be read."""
        try:
            raw = json.loads(self._path(key).read_text("utf-8"))
            record = Record(raw["outcome"], raw["text"], raw["reason"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        whole = record.outcome in OUTCOMES and isinstance(record.text, str) and isinstance(record.reason, str)
        return record if whole else None

    def put(self, key: str, record: Record) -> None:
        """Keep `record`. A full or read-only disk costs the record, never the edit."""
        path = self._path(key)
        body = json.dumps(record._asdict(), ensure_ascii=True)
        name = ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(prefix=".record-", dir=path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                out.write(body)
            Path(name).replace(path)
        except OSError:
            if name:
                Path(name).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
