"""The ledger: snapshots, marks, attempts, journal, alerts, in an SQLite database (database.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from firewall import jsons
from firewall.digest import sha256
from firewall.errors import StateBroken
from firewall.writes import roots
from firewall.writes.database import RESTORE, Database, StateTampered, opening, plain, translated
from firewall.writes.records import Artifact, Entry, Intent, Standing

VERSION = "8"
_SCHEMA = Path(__file__).with_name("schema.sql")
_ARTIFACT = ", ".join(Artifact._fields)
_STANDING = (
    f"SELECT {_ARTIFACT}, EXISTS (SELECT 1 FROM intents i WHERE i.artifact=a.id),"  # noqa: S608 - a constant
    " EXISTS (SELECT 1 FROM refusals r WHERE r.artifact=a.id), EXISTS (SELECT 1 FROM carried c WHERE c.holder=a.id),"
    " EXISTS (SELECT 1 FROM turns t WHERE t.root=a.root AND t.closed_at IS NULL AND t.expires>?)"
    " FROM artifacts a WHERE root=? AND path=?"
)
_ENTRY = "seq, at, artifact, kind, old, new, session, source, data, hash"
GENESIS = "0" * 64


class Ledger(Database):
    """An open ledger for one root of a project. All methods raise StateBroken or StorageError only."""

    def __init__(
        self, folder: Path, root: Path, wait_seconds: float = 10.0, *, expected: bool = False, passed_on: bool = False
    ) -> None:
        """Open it, and make it where there is none. With `expected` it was there before: an empty one is broken.
        With `passed_on`, threads may use it that take turns."""
        self.folder = folder
        self.root = root
        path = folder / "ledger.db"
        with opening(path):
            super().__init__(path, wait_seconds, passed_on=passed_on)
            with translated("open", path):
                self._prepare(expected)
                self._root = roots.identify(self, root)

    def _prepare(self, expected: bool) -> None:
        self._look()
        is_new = "meta" not in self._tables
        if is_new and expected:
            raise StateBroken(detail=f"{self.folder / 'ledger.db'} has nothing in it any more", fix=RESTORE)
        if is_new or self.meta("version") != VERSION:
            self._renew()
        elif "writes" not in self._tables:
            raise StateTampered(detail="the count of what is written is gone", fix=RESTORE)

    def _renew(self) -> None:
        """Make what is not there: all of it, or what a version that was before did not have."""
        from firewall.writes import renewing

        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._look()  # another process may have been quicker
            version = self.meta("version") if "meta" in self._tables else None
            if version == VERSION:
                self._signed()
            elif version == renewing.UNGUARDED:
                renewing.check_unguarded(self._db)
            elif version != renewing.UNCOUNTED and "meta" in self._tables:
                raise StateBroken(
                    detail=f"its ledger has version {version!r}, this program reads {VERSION!r}",
                    fix="Use the version of Stet that wrote it.",
                )
            renewing.renew(self._db, _SCHEMA.read_text("utf-8"))
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('version', ?)", (VERSION,))
            self._sign(-1)
            self._db.execute("COMMIT")
        except BaseException:
            self._form = -1
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def meta(self, key: str) -> str | None:
        """A setting of the project, such as the pinned policy's text."""
        with translated("read", self._path):
            row = self._db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Remember a setting. Inside a transaction."""
        self._db.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value=excluded.value",
            (key, value),
        )

    # -- snapshots -----------------------------------------------------------------------------------

    def save(self, sha: str, data: bytes) -> None:
        """Keep these bytes under their hash. Inside a transaction. Keeping them twice costs nothing."""
        row = self._db.execute("SELECT 1 FROM blobs WHERE sha=?", (sha,)).fetchone()
        if row is None:
            import zlib

            packed = zlib.compress(data, 1)
            self._db.execute("INSERT INTO blobs VALUES (?, ?, ?)", (sha, len(data), packed))

    def load(self, sha: str) -> bytes | None:
        """The bytes kept under a hash: None for '' (no file). Raises StateBroken where they are lost."""
        if not sha:
            return None
        import zlib

        with translated("read", self._path):
            row = self._db.execute("SELECT data FROM blobs WHERE sha=?", (sha,)).fetchone()
        try:
            data = zlib.decompress(row[0]) if row else None
        except zlib.error:
            data = None
        if data is None or sha256(data) != sha:
            raise StateBroken(
                detail=f"the snapshot {sha[:12]} is missing or damaged",
                fix="Run `stet log --verify` to see what else is; restore the state folder from a backup.",
            )
        return data

    # -- artifacts -----------------------------------------------------------------------------------

    def artifact(self, path: str) -> Artifact | None:
        """What is remembered of the artifact at `path` in this root."""
        with translated("read", self._path):
            row = self._db.execute(
                f"SELECT {_ARTIFACT} FROM artifacts WHERE root=? AND path=?",  # noqa: S608 - a constant
                (self._root, plain(path)),
            ).fetchone()
        return None if row is None else Artifact(*row)

    def standing(self, path: str, at: float) -> Standing | None:
        """The same with what else there is of it at this time: one question in place of five."""
        rows = self.query(_STANDING, (at, self._root, path))
        return Standing(Artifact(*rows[0][:-4]), *map(bool, rows[0][-4:])) if rows else None

    def artifacts(self) -> list[Artifact]:
        """All artifacts of this root, by path."""
        with translated("read", self._path):
            rows = self._db.execute(
                f"SELECT {_ARTIFACT} FROM artifacts WHERE root=? ORDER BY path",  # noqa: S608 - a constant
                (self._root,),
            ).fetchall()
        return [Artifact(*row) for row in rows]

    def adopt(self, path: str, sha: str, at: float, words: int = -1) -> Artifact:
        """First sight, or what a person wants: disk, baseline and marks are `sha`. Inside a transaction."""
        values = {"disk": sha, "baseline": sha, "baseline_at": at, "mark": sha, "high": sha}
        counted = ("disk_words", "mark_words", "mark_kept", "high_words", "high_kept", "base_words", "base_kept")
        values |= {**dict.fromkeys(counted, words), "mark_away": "", "high_away": "", "grown": 0}
        names = ", ".join(values)
        marks = ", ".join("?" * (len(values) + 2))
        updates = ", ".join(f"{name}=excluded.{name}" for name in values)
        insert = (
            f"INSERT INTO artifacts (root, path, {names}) VALUES ({marks})"  # noqa: S608 - our own columns
            f" ON CONFLICT (root, path) DO UPDATE SET {updates}"
        )
        self._db.execute(
            insert,
            (self._root, path, *values.values()),
        )
        found = self.artifact(path)
        assert found is not None
        self._db.execute("DELETE FROM carried WHERE origin=?", (found.id,))
        return found

    def set_state(self, ident: int, **values: object) -> None:
        """Change columns of one artifact. Inside a transaction."""
        names = ", ".join(f"{name}=?" for name in values)
        self._db.execute(f"UPDATE artifacts SET {names} WHERE id=?", (*values.values(), ident))  # noqa: S608

    def count_attempts(self, ident: int, more: int = 1) -> int:
        """So many consecutive attempts more; the new count. Inside a transaction."""
        row = self._db.execute(
            "UPDATE artifacts SET attempts=attempts+? WHERE id=? RETURNING attempts", (more, ident)
        ).fetchone()
        return int(row[0])

    # -- journal -------------------------------------------------------------------------------------

    def append(
        self,
        kind: str,
        at: float,
        *,
        artifact: int | None = None,
        old: str = "",
        new: str = "",
        session: str = "",
        source: str = "",
        data: Mapping[str, object] | None = None,
    ) -> int:
        """Add an entry, chained to the one before. Inside a transaction. Returns its number."""
        row = self._db.execute("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
        seq, previous = (row[0] + 1, row[1]) if row else (1, GENESIS)
        text = plain(jsons.dumps(data or {}, ascii_only=False, ordered=True, compact=True))
        fields = (seq, at, artifact, kind, old, new, session, source, text)
        self._db.execute(
            f"INSERT INTO journal ({_ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
            (*fields, chain(previous, fields)),
        )
        return int(seq)

    def journal(self, artifact: int | None = None) -> list[Entry]:
        """The journal, or one artifact's part of it, oldest first."""
        where, values = ("WHERE artifact=?", (artifact,)) if artifact is not None else ("", ())
        query = f"SELECT {_ENTRY} FROM journal {where} ORDER BY seq"  # noqa: S608 - constants
        with translated("read", self._path):
            rows = self._db.execute(query, values).fetchall()
        return [Entry(*row) for row in rows]

    # -- intents -------------------------------------------------------------------------------------

    def begin(
        self,
        artifact: int,
        change_set: str,
        old: str,
        new: str,
        after: Mapping[str, object],
        target: str = "",
    ) -> int:
        """A commit is about to happen. Inside a durable transaction; `target` is a rename's new path."""
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
        cursor = self._db.execute(
            "INSERT INTO intents (artifact, change_set, old, new, target, after, journal) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (artifact, change_set, old, new, target, jsons.dumps(after), seq),
        )
        return int(cursor.lastrowid or 0)

    def end(self, intent: int) -> None:
        """The commit has an outcome. Inside a transaction."""
        self._db.execute("DELETE FROM intents WHERE id=?", (intent,))

    def intents(self, artifact: int | None = None) -> list[Intent]:
        """Commits without an outcome: of this root, or of one artifact."""
        rows = self.query(
            "SELECT i.id, i.artifact, a.path, i.change_set, i.old, i.new, i.target, i.after, i.journal"
            " FROM intents i CROSS JOIN artifacts a ON a.id = i.artifact"  # the few intents first, not all artifacts
            " WHERE a.root=? AND (? IS NULL OR i.artifact=?) ORDER BY i.id",
            (self._root, artifact, artifact),
        )
        return [Intent(*row) for row in rows]

    # -- for the other modules that keep rows here ---------------------------------------------------

    @property
    def root_id(self) -> int:
        """The id of this project folder in the ledger."""
        return self._root

    def rename(self, ident: int, path: str, at: float) -> None:
        """Give an artifact another name. One that has it (seen there meanwhile, or taken away by git) changes names
        with it and is gone, so that its versions stay in reach. Inside a transaction."""
        (old,) = self._db.execute("SELECT path FROM artifacts WHERE id=?", (ident,)).fetchone()
        other = self._db.execute(
            "SELECT id, disk FROM artifacts WHERE root=? AND path=? AND id<>?", (self._root, path, ident)
        ).fetchone()
        if other is not None:
            self.set_state(other[0], path=f"\0{ident}", disk="")
            if other[1]:
                self.append("delete", at, artifact=other[0], old=other[1], data={"name": path, "to": old})
        self.set_state(ident, path=path)
        if other is not None:
            self.set_state(other[0], path=old)


def chain(previous: str, fields: tuple[object, ...]) -> str:
    """The hash of a journal entry: sha256 over the hash before it and its own fields as JSON."""
    text = jsons.dumps([previous, *fields], ascii_only=False, compact=True)
    return sha256(text.encode())
