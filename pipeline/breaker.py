"""Stops calling a model that keeps failing, and lets one call at a time find out whether it is back.

closed      calls go through; failures in a row are counted by kind
open        no call is made until the cooldown is over
half-open   one call, the probe, goes through; its success closes, its failure opens for twice as long

State is in SQLite, so a new process does not hammer a service that the last one found dead. A probe is a
lease: when its process dies, another caller may take its place. Every opening starts a new generation,
and an answer to a call of an older one says nothing about the present.

No library does this: those that were tried let every waiting caller through as a probe, or hold a lock
around the protected call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pipeline.db import Connection, immediate, open_database
from pipeline.errors import BreakerOpen

_SCHEMA = """
CREATE TABLE IF NOT EXISTS breaker (
  model TEXT PRIMARY KEY,
  state TEXT NOT NULL DEFAULT 'closed' CHECK (state IN ('closed', 'open', 'half-open')),
  generation INTEGER NOT NULL DEFAULT 0,
  until REAL NOT NULL DEFAULT 0,       -- open: end of the cooldown; half-open: end of the probe's lease
  cooldown REAL NOT NULL DEFAULT 0,    -- seconds; doubles with each failed probe
  kind TEXT NOT NULL DEFAULT '',       -- what opened it
  failures INTEGER NOT NULL DEFAULT 0  -- how many in a row of that kind
) STRICT;
CREATE TABLE IF NOT EXISTS breaker_failure (
  model TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  last REAL NOT NULL,
  PRIMARY KEY (model, kind)
) STRICT;
"""

THRESHOLDS = {"rate": 5, "overloaded": 5, "timeout": 3, "connection": 3, "server": 3, "request": 2, "auth": 1}
"""Failures in a row that open the breaker, by kind: patience for what passes, none for a bad key."""
FIRST_COOLDOWN, LONGEST_COOLDOWN = 30.0, 3600.0
WINDOW = 600.0
"""Seconds after which an old failure no longer counts towards a row."""
PROBE_LEASE = 900.0


class Ticket(NamedTuple):
    """Leave to make one call. Give it back with `success` or `failure`."""

    generation: int
    probe: bool


class Breaker:
    """The breaker of one model, in a file that processes share. Times are seconds of `clock`, wall time."""

    def __init__(self, path: Path, model: str, *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._model = model
        self._clock = clock
        db = open_database(path, _SCHEMA)
        try:
            db.execute("INSERT INTO breaker (model) VALUES (?) ON CONFLICT DO NOTHING", (model,))
        finally:
            db.close()

    def admit(self) -> Ticket:
        """Leave to call now. Raises BreakerOpen while the cooldown lasts or another call is the probe."""
        now = self._clock()
        db = open_database(self._path, _SCHEMA)
        try:
            with immediate(db):
                state, generation, until, kind, failures = self._row(db)
                if state == "closed":
                    return Ticket(generation, probe=False)
                if now < until <= now + max(LONGEST_COOLDOWN, PROBE_LEASE):  # else the clock was set back
                    raise BreakerOpen(
                        model=self._model, kind=kind, failures=failures, seconds=max(1, round(until - now))
                    )
                db.execute(
                    "UPDATE breaker SET state = 'half-open', generation = generation + 1, until = ? WHERE model = ?",
                    (now + PROBE_LEASE, self._model),
                )
                return Ticket(generation + 1, probe=True)
        finally:
            db.close()

    def success(self, ticket: Ticket) -> None:
        """The call was answered: the row of failures ends, and a probe closes the breaker."""
        db = open_database(self._path, _SCHEMA)
        try:
            with immediate(db):
                if self._row(db)[1] != ticket.generation:
                    return
                db.execute("DELETE FROM breaker_failure WHERE model = ?", (self._model,))
                db.execute(
                    "UPDATE breaker SET state = 'closed', cooldown = 0, kind = '', failures = 0 WHERE model = ?",
                    (self._model,),
                )
        finally:
            db.close()

    def failure(self, ticket: Ticket, kind: str) -> None:
        """The call failed with an error of `kind`. An unknown kind is taken as impatiently as a bad key."""
        now = self._clock()
        db = open_database(self._path, _SCHEMA)
        try:
            with immediate(db):
                if self._row(db)[1] != ticket.generation:
                    return
                (count,) = db.execute(
                    "INSERT INTO breaker_failure (model, kind, count, last) VALUES (?1, ?2, 1, ?3)"
                    " ON CONFLICT DO UPDATE SET count = iif(last < ?3 - ?4, 1, count + 1), last = ?3"
                    " RETURNING count",
                    (self._model, kind, now, WINDOW),
                ).fetchone()
                if ticket.probe or count >= THRESHOLDS.get(kind, 1):
                    self._open(db, now, kind, count)
        finally:
            db.close()

    def release(self, ticket: Ticket) -> None:
        """The call was broken off by us, so it says nothing: a probe's place is free at once."""
        db = open_database(self._path, _SCHEMA)
        try:
            db.execute(
                "UPDATE breaker SET state = 'open', until = 0"
                " WHERE model = ? AND generation = ? AND state = 'half-open'",
                (self._model, ticket.generation),
            )
        finally:
            db.close()

    def _open(self, db: Connection, now: float, kind: str, count: int) -> None:
        (cooldown,) = db.execute("SELECT cooldown FROM breaker WHERE model = ?", (self._model,)).fetchone()
        cooldown = min(cooldown * 2 or FIRST_COOLDOWN, LONGEST_COOLDOWN)
        db.execute(
            "UPDATE breaker SET state = 'open', generation = generation + 1, until = ?, cooldown = ?,"
            " kind = ?, failures = ? WHERE model = ?",
            (now + cooldown, cooldown, kind, count, self._model),
        )

    def _row(self, db: Connection) -> tuple[str, int, float, str, int]:
        row = db.execute(
            "SELECT state, generation, until, kind, failures FROM breaker WHERE model = ?", (self._model,)
        ).fetchone()
        return str(row[0]), int(row[1]), float(row[2]), str(row[3]), int(row[4])
