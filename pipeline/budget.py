"""A cap on what a book may cost: a call's worst case is reserved before it, the difference given back after.

Sums are whole nano-dollars (1e-9 USD), rounded up, so that a thousand small calls lose nothing to floats.
A reservation whose process died is never given back: what that call cost is not known, so it counts in full.
"""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from pipeline.db import is_begun, open_database, peek_database, reading
from pipeline.errors import BudgetExceeded

_SCHEMA = """
CREATE TABLE IF NOT EXISTS budget (
  book TEXT PRIMARY KEY,
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0)  -- nano-dollars, open reservations included
) STRICT;
"""
_NANO = 1_000_000_000


class Reservation(NamedTuple):
    """A worst case that is counted as spent until `settle` says what it was. In nano-dollars."""

    book: str
    amount: int


class Budget:
    """What one book has cost, over all its runs, in a file that processes share.

    `cap_usd` None counts without refusing. Connections are opened per call, so threads may share one Budget.
    """

    def __init__(self, path: Path, book: str, cap_usd: float | None = None) -> None:
        self.path = path
        self.book = book
        self.cap = None if cap_usd is None else _nano(cap_usd, down=True)
        db = open_database(path, _SCHEMA)
        try:
            db.execute("INSERT INTO budget (book) VALUES (?) ON CONFLICT DO NOTHING", (book,))
        finally:
            db.close()

    def reserve(self, worst_usd: float) -> Reservation:
        """Count `worst_usd` as spent, or raise BudgetExceeded and count nothing. Atomic across processes."""
        amount = _nano(worst_usd)
        db = open_database(self.path, _SCHEMA)
        try:
            row = db.execute(
                "UPDATE budget SET spent = spent + ?1 WHERE book = ?2 AND (?3 IS NULL OR spent + ?1 <= ?3)"
                " RETURNING spent",
                (amount, self.book, self.cap),
            ).fetchone()
        finally:
            db.close()
        if row is None:
            assert self.cap is not None
            raise BudgetExceeded(cap=_usd(self.cap), spent=_usd(_nano(self.spent_usd())), cost=_usd(amount))
        return Reservation(self.book, amount)

    def settle(self, reservation: Reservation, cost_usd: float) -> None:
        """Replace a reservation by what the call really cost, which may be more than the worst case."""
        db = open_database(self.path, _SCHEMA)
        try:
            db.execute(
                "UPDATE budget SET spent = max(0, spent + ?) WHERE book = ?",
                (_nano(cost_usd) - reservation.amount, reservation.book),
            )
        finally:
            db.close()

    def spent_usd(self) -> float:
        """US dollars spent or reserved so far, over all runs of the book."""
        db = open_database(self.path, _SCHEMA)
        try:
            row = db.execute("SELECT spent FROM budget WHERE book = ?", (self.book,)).fetchone()
        finally:
            db.close()
        return float(row[0]) / _NANO if row else 0.0


def books(path: Path) -> list[str]:
    """The books that ever began a run, by key. Raises RunStateBroken."""
    if not is_begun(path):
        return []
    with closing(peek_database(path)) as db, reading(path):
        return [str(book) for (book,) in db.execute("SELECT book FROM budget ORDER BY book")]


def _nano(usd: float, *, down: bool = False) -> int:
    """Nano-dollars; a cost is rounded up and a cap down, so that neither favours spending."""
    if not math.isfinite(usd) or usd < 0:
        raise ValueError(f"not a sum of money: {usd}")
    scaled = round(usd * _NANO, 3)
    return math.floor(scaled) if down else math.ceil(scaled)


def _usd(nano: int) -> str:
    """Dollars for messages: four places, or as many as it takes to show a sum that is not nothing."""
    value = nano / _NANO
    return f"{value:.4f}" if value == 0 or value >= 0.0001 else f"{value:.9f}".rstrip("0")
