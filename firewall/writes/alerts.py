"""The operator's alert: one structured value, one JSON line in the state folder, one block on stderr."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from firewall.errors import StorageError
from firewall.verdict import Finding
from firewall.writes.staging import Staged


class Alert(NamedTuple):
    """What the operator needs to answer, with nothing of the artifact's text in it.

    `kind` is trip (the artifact is latched) or staged (work in progress was put aside, nothing is latched).
    `at` is seconds since 1970 UTC. `proposal` is the sha256 of the refused bytes, '' for a delete.
    """

    id: str
    at: float
    kind: str
    path: str
    reason: str
    attempts: int
    session: str
    source: str
    proposal: str
    findings: tuple[Finding, ...]
    staged: Staged

    def to_json(self) -> dict[str, object]:
        """The alert as a JSON object."""
        return {
            "id": self.id,
            "at": when(self.at),
            "kind": self.kind,
            "path": self.path,
            "reason": self.reason,
            "attempts": self.attempts,
            "session": self.session,
            "source": self.source,
            "proposal": self.proposal,
            "findings": [f.to_json() for f in self.findings],
            "staging": {
                "branch": self.staged.branch,
                "disk_commit": self.staged.disk_commit,
                "proposal_commit": self.staged.proposal_commit,
                "problem": self.staged.problem,
            },
            "commands": commands(self.id, self.path, self.kind),
        }


def commands(ident: str, path: str, kind: str) -> dict[str, str]:
    """What a person types to answer."""
    answer = {"show": f"stet show {ident}"}
    if kind == "trip":
        answer["reset"] = f"stet reset {quoted(path)}"
    return answer


def quoted(path: str) -> str:
    """A path as a POSIX shell takes it."""
    safe = path and all(c.isalnum() or c in "-_./+@%:," for c in path)
    return path if safe else "'" + path.replace("'", "'\\''") + "'"


def when(at: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def block(alert: Mapping[str, object]) -> str:
    """The alert as a clear block of plain text for standard error, at most 78 columns of our own words."""
    staging = alert["staging"]
    findings = alert["findings"]
    answers = alert["commands"]
    assert isinstance(staging, Mapping)
    assert isinstance(findings, list)
    assert isinstance(answers, Mapping)
    head = "TRIPPED and latched" if alert["kind"] == "trip" else "STAGED"
    lines = [
        f"==== STET ALERT {alert['id']} ====",
        f"{head}: {alert['path']}",
        f"  why     {alert['reason']}",
    ]
    lines += [f"  rule    {f['rule']}: {f['message']}" for f in findings[:5]]
    lines.append(f"  when    {alert['at']}, attempts {alert['attempts']}, session {alert['session'] or '-'}")
    if staging["branch"]:
        lines.append(f"  staged  {staging['branch']}")
        lines.append(f"          git diff {staging['disk_commit'][:12]} {staging['proposal_commit'][:12]}")
    else:
        lines.append(f"  staged  in the store: {staging['problem']}")
    lines.append("  The file on disk is as it was.")
    lines += [f"  {name:<7} {command}" for name, command in answers.items()]
    lines.append("====")
    return "\n".join(lines)


def record(folder: Path, alert: Mapping[str, object]) -> None:
    """Append the alert as one JSON line to alerts.jsonl in the state folder, synced."""
    path = folder / "alerts.jsonl"
    line = (json.dumps(alert, ensure_ascii=False) + "\n").encode("utf-8", "surrogateescape")
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            os.write(fd, line)
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise StorageError(action="append to", path=path, reason=error.strerror or str(error)) from None
