"""Letting old versions go, so that the store does not grow for ever. The journal is not touched.

Kept are: what is on disk, baselines and marks; what a commit under way names; proposals that wait, and what was
on disk when they were made; whatever was on disk, proposed or marked within the retention; the newest versions of
each file; what the last commit may be stepped back to. The rest is deleted in one transaction, so that no
writer can begin to need what goes.
"""

from __future__ import annotations

import contextlib
import json
import math

from firewall.errors import StetError, UsageError
from firewall.values import NamedTuple
from firewall.writes import person, staging
from firewall.writes.proxy import WriteProxy

DAY = 86_400.0
LEAST = 3600.0
"""Seconds within which nothing is let go, whatever is asked: another process may be at work on it."""

_IN_USE = """
SELECT disk AS sha FROM artifacts UNION SELECT baseline FROM artifacts UNION SELECT mark FROM artifacts
UNION SELECT high FROM artifacts UNION SELECT mark_away FROM artifacts UNION SELECT high_away FROM artifacts
UNION SELECT units FROM carried
UNION SELECT refs FROM turns WHERE closed_at IS NULL UNION SELECT sha FROM kept
UNION SELECT old FROM intents UNION SELECT new FROM intents
UNION SELECT proposal FROM cases WHERE state IN ('open', 'waiting', 'escalated') OR at>=?1 OR answered_at>=?1
UNION SELECT disk FROM cases WHERE state IN ('open', 'waiting', 'escalated') OR at>=?1 OR answered_at>=?1
UNION SELECT old FROM journal WHERE at>=?1 UNION SELECT new FROM journal WHERE at>=?1
UNION SELECT value FROM journal, json_each(data) WHERE at>=?1 AND key IN ('mark', 'mark_away', 'high', 'high_away')
"""
_TAKEN = """
WITH taken AS (SELECT json_extract(r.value, '$.sha') AS sha, json_extract(r.value, '$.seq') AS seq
  FROM meta m, json_each(m.value, '$.rows') r WHERE m.key GLOB 'taken-*')
SELECT sha FROM taken
UNION SELECT d.value FROM taken t JOIN journal j ON j.seq=t.seq, json_each(j.data) d
WHERE d.key IN ('baseline', 'mark', 'mark_away', 'high', 'high_away')
"""
_NEWEST = """
SELECT new AS sha FROM (
  SELECT new, row_number() OVER (PARTITION BY artifact ORDER BY max(seq) DESC) AS place
  FROM journal WHERE new<>'' AND kind IN ('adopt','outside','commit','restore','approve','edit','reset','accept')
  GROUP BY artifact, new)
WHERE place<=?2
"""
_STEP_BACK = """
WITH last AS (SELECT * FROM journal WHERE seq IN (SELECT max(seq) FROM journal WHERE kind='commit' GROUP BY artifact))
SELECT old AS sha FROM last
UNION SELECT value FROM last, json_each(last.data) WHERE key IN ('mark', 'mark_away', 'high', 'high_away')
"""


class NoNumberOfDays(UsageError):
    """What was given is no time to keep versions for."""

    code = "keep-days"
    template = "{days} is no number of days to keep versions for."
    next_step = "Give a number of 0 and more: stet gc --keep-days 30."


class Freed(NamedTuple):
    """What was let go, or would be: snapshots, their bytes as stored, the size of the ledger's file, and staging
    branches of alerts that were answered that long ago, or of what was put back that long ago."""

    snapshots: int
    stored_bytes: int
    kept: int
    file_before: int
    file_after: int
    note: str = ""
    branches: int = 0


def collect(proxy: WriteProxy, keep_days: float | None = None, *, dry_run: bool = False) -> Freed:
    """Let go of what the retention does not keep. `keep_days` below the policy's needs a person.

    Raises NoNumberOfDays, NeedsPerson, StorageError.
    """
    policy = proxy.policy.store
    days = policy.keep_days if keep_days is None else keep_days
    if not math.isfinite(days) or days < 0:
        raise NoNumberOfDays(days=days)
    if days < policy.keep_days and not dry_run:
        what = (
            f"This lets versions older than {days:g} days go for good; stet.toml keeps them for {policy.keep_days:g}."
        )
        person.require(proxy.ledger, "gc", what)
    ledger = proxy.ledger
    now = proxy.origin().at
    cutoff = min(now - days * DAY, now - LEAST)
    before = _size(proxy)
    with ledger.transaction():
        kept = _kept(proxy, cutoff, policy.keep_versions)
        gone = [(sha, size) for sha, size in ledger.query("SELECT sha, length(data) FROM blobs") if sha not in kept]
        total = int(ledger.query("SELECT count(*) FROM blobs")[0][0])
        if not dry_run:
            for sha, _ in gone:
                ledger.change("DELETE FROM blobs WHERE sha=?", (sha,))
            window = now - proxy.limits.window_days * DAY
            old = min(cutoff, window)  # what is looked at within the window stays for it
            # What a file carries for another is known by its arrivals, however old they are.
            ledger.change("DELETE FROM arrivals WHERE at<? AND artifact NOT IN (SELECT holder FROM carried)", (old,))
            ledger.change("DELETE FROM refusals WHERE at<?", (old,))
            ledger.change("DELETE FROM grants WHERE (uses<=0 OR expires<?1) AND at<?1", (old,))
            ledger.set_meta("gc", json.dumps({"at": now, "snapshots": len(gone), "before": cutoff}))
    least = "whatever is asked, versions of the last hour stay" if days * DAY < LEAST else ""
    note = "; ".join(filter(None, (least, "" if dry_run else _shrink(proxy))))
    branches = _branches(proxy, now - days * DAY, dry_run)
    return Freed(len(gone), sum(size for _, size in gone), total - len(gone), before, _size(proxy), note, branches)


def _branches(proxy: WriteProxy, cutoff: float, dry_run: bool) -> int:
    """Take staging branches away whose alert was answered by then, or that keep what was put back by then; how many
    there were."""
    rows = proxy.ledger.query(
        "SELECT c.data FROM cases c JOIN artifacts a ON a.id=c.artifact WHERE a.root=? AND c.kind IN ('trip', 'staged')"
        " AND c.state NOT IN ('open', 'waiting', 'escalated') AND c.answered_at<=?",
        (proxy.ledger.root_id, cutoff),
    )
    staged = {}
    for (data,) in rows:
        where = json.loads(data).get("staging") or {}
        if where.get("branch"):
            staged[str(where["branch"])] = str(where.get("proposal_commit", ""))
    there = set(staging.branches(proxy.root)) if staged else set()
    mine = [(name, commit) for name, commit in staged.items() if name in there]
    mine += staging.put_back(proxy.root, cutoff)
    if dry_run:
        return len(mine)
    return sum(staging.remove(proxy.root, name, commit) for name, commit in mine)


def _kept(proxy: WriteProxy, cutoff: float, versions: int) -> set[str]:
    ledger = proxy.ledger
    kept = {str(sha) for (sha,) in ledger.query(_IN_USE, (cutoff,)) if sha}
    kept |= {str(sha) for (sha,) in ledger.query(_NEWEST, (cutoff, versions)) if sha}
    kept |= {str(sha) for (sha,) in ledger.query(_STEP_BACK) if sha}
    kept |= {str(sha) for (sha,) in ledger.query(_TAKEN) if sha}  # what git took away, and may drop
    for (after,) in ledger.query("SELECT after FROM intents"):  # what a commit under way will make of the marks
        plan = json.loads(after)
        kept |= {str(value) for value in plan["columns"].values() if isinstance(value, str)}
        kept |= {str(row[1]) for rows in plan["carried"].values() for row in rows}
    return kept


def _shrink(proxy: WriteProxy) -> str:
    """Give the space back to the system; why not, where that has to wait."""
    try:
        proxy.ledger.shrink()
    except StetError as error:
        return f"the file did not shrink yet ({error.fields.get('reason') or error.message})"
    return ""


def _size(proxy: WriteProxy) -> int:
    total = 0
    for name in ("ledger.db", "ledger.db-wal"):
        with contextlib.suppress(OSError):
            total += (proxy.state / name).stat().st_size
    return total
