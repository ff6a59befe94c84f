"""The operator's alert: one structured value, one JSON line in the state folder, one block on stderr."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from firewall.errors import StorageError
from firewall.text.printable import printable
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome
from firewall.writes.records import Case
from firewall.writes.staging import Staged


class Alert(NamedTuple):
    """What the operator needs to answer; nothing of the artifact's text but what the findings quote.

    `kind` is trip (the artifact is latched), staged (work in progress was put aside, nothing is latched), hold
    (a proposal waits for a person) or tampered (Stet's own record was changed past it). `at` is seconds since 1970
    UTC. `proposal` is the sha256 of the refused bytes, '' for a delete. `state` and `change` are those of a case
    (firewall/writes/records.py).
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
    state: str = "open"
    change: str = "text"

    def to_json(self) -> dict[str, object]:
        """The alert as a JSON object."""
        return {
            "id": self.id,
            "at": when(self.at),
            "kind": self.kind,
            "state": self.state,
            "path": self.path,
            "change": self.change,
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
            "commands": commands(self.id, self.path, self.kind, self.change),
        }


def of_case(case: Case, together: int = 1) -> Alert:
    """The alert that tells of a case again, or of one of `together` held files of a change set."""
    data = json.loads(case.data)
    staging = data.get("staging", {})
    findings = tuple(
        Finding(
            f["rule"], Outcome.parse(f["outcome"]), f["message"], f["evidence"], f.get("start", -1), f.get("end", -1)
        )
        for f in data.get("findings", ())
    )
    more = f", with {together - 1} more of the same change set" if together > 1 else ""
    return Alert(
        case.id, case.at, case.kind, case.path, data.get("reason") or f"a person might want it{more}",
        data.get("attempts", 0), data.get("session", ""), data.get("source", ""), case.proposal, findings,
        Staged(**staging) if staging else Staged(problem="the store keeps the proposal"), case.state, case.change,
    )  # fmt: skip


def commands(ident: str, path: str, kind: str, change: str) -> dict[str, str]:
    """What a person types to answer."""
    if kind == "tampered":
        return {"verify": "stet log --verify"}
    answer = {"show": f"stet show {ident}"}
    if change != "none":
        answer["approve"] = f"stet approve {ident}"
    if change in ("text", "new"):
        answer["edit"] = f"stet edit {ident}"
    answer["reject"] = f"stet reject {ident}"
    if kind == "trip":
        answer["reset"] = f"stet reset {quoted(path)}"
    return answer


def meaning(answers: Mapping[str, object], width: int = 76) -> list[str]:
    """What the commands of an alert do, as lines of at most `width` columns."""
    does = {
        "approve": "approve does exactly what was proposed",
        "edit": "edit lets you change it first",
        "reject": "reject turns it down",
    }
    told = [does[name] for name in answers if name in does]
    if not told:
        return []
    words = f"{'; '.join(told)}."
    if "reset" in answers:
        words += " Each of them opens the file again. So does reset, whatever was proposed: what is on disk is its"
        words += " new baseline."
    return textwrap.wrap(words[0].upper() + words[1:], width, break_on_hyphens=False)


def quoted(path: str) -> str:
    """A path as a POSIX shell takes it; one with controls in it as `$'…'`, which is safe to print."""
    if printable(path) != path:
        octets = "".join(chr(b) if 0x20 <= b < 0x7F and b not in b"'\\" else f"\\{b:03o}" for b in os.fsencode(path))
        return f"$'{octets}'"
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
    head = {"trip": "TRIPPED and latched", "staged": "STAGED", "tampered": "TAMPERED WITH"}.get(
        str(alert["kind"]), "HELD"
    )
    late = "ESCALATED. " if alert.get("state") == "escalated" else ""
    lines = [
        f"==== STET ALERT {alert['id']} ====",
        f"{late}{head}: {alert['path']}",
        f"  why     {alert['reason']}",
    ]
    lines += [f"  rule    {f['rule']}: {f['message']}" for f in findings[:5]]
    lines.append(f"  when    {alert['at']}, attempts {alert['attempts']}, session {alert['session'] or '-'}")
    if staging["branch"]:
        lines.append(f"  staged  {staging['branch']}")
        lines.append(f"          git diff {staging['disk_commit'][:12]} {staging['proposal_commit'][:12]}")
    elif alert["kind"] == "tampered":
        lines.append(f"  record  {staging['problem']}; nothing is written until a person acts")
    else:
        lines.append(f"  kept    {staging['problem']}")
    if alert["kind"] != "tampered":
        lines.append("  The file on disk is as it was.")
    lines += [f"  {name:<7} {command}" for name, command in answers.items()]
    lines += [f"  {row}" for row in meaning(answers)]
    lines.append("====")
    return "\n".join(printable(line) for line in lines)


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
