"""The columns of an artifact whose content a person stands behind: baseline and marks begin anew with it."""

from __future__ import annotations

from firewall.text.words import count_words
from firewall.writes import disk, marks
from firewall.writes.prose import text_of


def renewed(path: str, data: bytes | None, at: float) -> dict[str, object]:
    """For a commit of `data` (None: no file) that a person asked for. The journal entry becomes the last answer."""
    sha = "" if data is None else disk.sha256(data)
    counts = marks.fresh(data, count_words(text_of(path, data))).counts
    columns: dict[str, object] = dict.fromkeys(("mark", "high", "baseline"), sha)
    return {**columns, **counts, "baseline_at": at, "attempts": 0, "answers": True}
