"""What a ledger's database is made of: the tables, and what keeps other programs from writing to them (database.py).

Only for a new ledger, and for one that an earlier version of Stet made.
"""

from __future__ import annotations

from firewall.digest import sha256
from firewall.values import TYPE_CHECKING
from firewall.writes.database import HASHED, ONLY, PAST, RESTORE, TABLE, StateTampered, is_statement, made

if TYPE_CHECKING:
    from firewall.writes.database import Connection

UNCOUNTED = "6"
"""The version in which nothing counted what was written."""
UNGUARDED = "7"
"""The version in which that was counted and signed, and others could write."""
_GROWN = "ALTER TABLE artifacts ADD COLUMN grown INTEGER NOT NULL DEFAULT 0"


def check_unguarded(db: Connection) -> None:
    """Raises StateTampered where a ledger of version UNGUARDED is not as Stet left it. SQLite's VACUUM may have given
    its tables the next number since."""
    count, signed = db.execute("SELECT n, signed FROM writes").fetchone()
    form = int(db.execute("PRAGMA schema_version").fetchone()[0])
    if signed not in [sha256(f"{count} rows written, tables of form {n}".encode()) for n in (form, form - 1)]:
        raise StateTampered(detail=PAST, fix=RESTORE)


def renew(db: Connection, schema: str) -> None:
    """Make what is not there. Inside a transaction that signs."""
    there = dict(made(db))
    if " grown " not in there.get("artifacts", " grown "):
        db.execute(_GROWN)
    statement = ""
    for line in schema.splitlines(keepends=True):
        statement += line
        if is_statement(statement):
            db.execute(statement)
            statement = ""
    for name, sql in made(db):
        if not sql.startswith(TABLE) or name in HASHED:
            continue
        for act in ("INSERT", "UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER IF NOT EXISTS {name}_{act.lower()} AFTER {act} ON {name}"  # noqa: S608 - our tables
                " BEGIN UPDATE writes SET n=n+1; END"
            )
        # The function comes first, since it is 0; the columns are named, since an UPDATE of others skips an index.
        columns = ", ".join([str(row[1]) for row in db.execute(f"PRAGMA table_info({name})")])
        guard = f"CREATE INDEX {name}_guard ON {name}(1) WHERE {ONLY}() AND coalesce({columns}, 0)"
        if there.get(f"{name}_guard") != guard:
            db.execute(f"DROP INDEX IF EXISTS {name}_guard")
            db.execute(guard)
