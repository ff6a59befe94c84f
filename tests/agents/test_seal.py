"""A record that was changed past Stet is noticed: everything is refused, and a person is told once."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from stet_kit import Book, chapter, edit_past_stet, edit_record, make_older, reword
from turn_kit import Agent

from firewall.agents import doctor, seal, turns
from firewall.agents.sweep import sweep
from firewall.errors import StateBroken
from firewall.writes import disk, known
from firewall.writes.database import ONLY, Database, StateTampered


def tripped(agent: Agent) -> None:
    """Three failed attempts."""
    for i in range(3):
        agent.runs(f"echo short {i} > ch.md")


EDITS = {
    "the latch undone": "UPDATE artifacts SET attempts=0, alert=''",
    "the trip forgotten": "DELETE FROM journal WHERE kind='trip'",
    "the last entries forgotten": "DELETE FROM journal WHERE seq>3; UPDATE artifacts SET alert='', attempts=0",
    "an entry changed": "UPDATE journal SET session='ada' WHERE seq=(SELECT max(seq) FROM journal)",
    "a grant nobody gave": "INSERT INTO grants VALUES ('G1', 0, '*', '[\"word-floor\"]', 9, 9e12, 1)",
    "no turn open": "UPDATE turns SET expires=0",
    "no turn known": "DELETE FROM turns",
    "settings forgotten": "DELETE FROM kept",
    "a folder forgotten": "UPDATE roots SET path='/elsewhere', inode=0",
    "a file forgotten": "DELETE FROM artifacts WHERE path='ch.md'",
    "floors forgotten": "UPDATE artifacts SET mark='', high='', baseline=''",
    "nothing remembered of git": "DELETE FROM made; INSERT INTO meta VALUES ('own 1', '{}')",
    "a yes that nobody said": "INSERT INTO asked VALUES ('x', 'y', 0)",
    "an answer that nobody gave": "INSERT INTO told VALUES ('x', 0, 0, '')",
    "a grant made wider": "UPDATE grants SET pattern='*'; INSERT INTO intents SELECT 9, id, '', '', '', '', '{}', 1"
    " FROM artifacts LIMIT 1",
    "with the counting off": "DROP TRIGGER turns_delete; DELETE FROM turns",
    "with the counting off and on": "DROP TRIGGER kept_delete; DELETE FROM kept;"
    " CREATE TRIGGER kept_delete AFTER DELETE ON kept BEGIN UPDATE writes SET n=n+1; END",
    "another policy": "UPDATE meta SET value=value || char(10) WHERE key='policy'",
}


@pytest.mark.parametrize("sql", EDITS.values(), ids=list(EDITS))
def test_an_edit_of_the_ledger_is_noticed_and_told_once(book: Book, sql: str) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        tripped(agent)
        book.alerts.clear()
        edit_past_stet(book.state_folder, sql, as_stet=True)
        agent.path("ch.md").write_bytes(b"short\n")
        for _ in range(2):
            with pytest.raises(StateTampered) as caught:
                sweep(agent.proxy, agent.turn, "s1")
            assert "stet init --adopt" in caught.value.hint
        assert [a.kind for a in book.alerts] == ["tampered"]
        if agent.proxy.ledger.written_past():
            assert any(found.about == "record" for found in doctor._record(agent.proxy)), "doctor says so too"
        assert "changed past Stet" in book.alerts[0].reason
        assert (book.state_folder / "alerts.jsonl").read_text().count('"tampered"') == 1


OFF = (
    "CREATE TEMP TRIGGER off BEFORE UPDATE ON main.writes BEGIN SELECT RAISE(IGNORE); END",
    "PRAGMA ignore_check_constraints=ON",
)
"""What keeps SQLite from counting, and leaves nothing behind."""


def test_no_line_of_sql_gets_past_with_the_counting_off(book: Book, tmp_path: Path) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        tripped(agent)
        agent.proxy.ledger.query("PRAGMA wal_checkpoint(TRUNCATE)")
    record = tmp_path / "ledger.db"
    with contextlib.closing(sqlite3.connect(book.state_folder / "ledger.db")) as db:
        made = dict(db.execute("SELECT name, sql FROM sqlite_master WHERE type='trigger'").fetchall())
        full = [
            name
            for (name,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type='table' AND name NOT GLOB"
                " 'sqlite_*' AND name NOT IN ('blobs', 'journal', 'writes')"
            )
            if db.execute(f"SELECT 1 FROM {name}").fetchone()
        ]
    switched = {  # SQLite's switch for triggers, as far as every Python can tell it
        name: f"DROP TRIGGER {name}_delete; DELETE FROM {name}; {made[f'{name}_delete']}" for name in full
    }
    assert {"artifacts", "turns", "meta"} <= switched.keys()
    for before, sql in [(off, sql) for off in OFF for sql in EDITS.values()] + [("", sql) for sql in switched.values()]:
        shutil.copy(book.state_folder / "ledger.db", record)
        said = edit_past_stet(tmp_path, sql, before=before)
        with contextlib.closing(Database(record, 1.0)) as ledger:
            assert ONLY in said or "journal" in sql or ledger.written_past(), (before, sql, said)


def test_copies_that_sqlite_makes_are_whole_records(book: Book, tmp_path: Path) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.look()
        with (
            contextlib.closing(sqlite3.connect(book.state_folder / "ledger.db")) as one,
            contextlib.closing(sqlite3.connect(tmp_path / "ledger.db")) as other,
        ):
            one.backup(other)
        with contextlib.closing(Database(tmp_path / "ledger.db", 1.0)) as copy:
            assert not copy.written_past()


@pytest.mark.parametrize("past", [False, True])
def test_a_record_that_others_could_write_to_is_taken_over_as_stet_left_it(book: Book, past: bool) -> None:
    book.put("ch.md", chapter())
    with Agent(book):
        pass
    with contextlib.closing(sqlite3.connect(book.state_folder / "ledger.db", isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name GLOB '*_guard'").fetchall():
            db.execute(f"DROP INDEX {name}")
        db.execute("UPDATE meta SET value='7' WHERE key='version'")
        ((count, form),) = db.execute("SELECT n, schema_version FROM writes, pragma_schema_version")
        signed = disk.sha256(f"{count} rows written, tables of form {form}".encode())
        db.execute("UPDATE writes SET signed=?", (signed,))
        if past:
            db.execute("UPDATE turns SET expires=0")
    if past:
        with pytest.raises(StateTampered), book.open(session="s1"):
            pass
    else:
        with book.open(session="s1") as proxy:
            sweep(proxy, None, "s1")
            assert ONLY in edit_past_stet(book.state_folder, "UPDATE turns SET expires=0")
            assert not proxy.ledger.written_past()


def test_a_version_that_the_journal_does_not_know_is_noticed(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.path("ch.md").write_bytes(b"short\n")
        edit_record(book.state_folder, "UPDATE artifacts SET disk=?", (disk.sha256(b"short\n"),))
        with pytest.raises(StateTampered):
            agent.look()


SPOILT = (
    "DROP TABLE writes",
    "DROP TRIGGER writes_grow",
    "PRAGMA writable_schema=ON; DELETE FROM sqlite_master WHERE type='trigger'",
)


def test_the_count_of_what_is_written_is_not_turned_back(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.look()
    for sql in ("UPDATE writes SET n=n-1", "DELETE FROM writes", "INSERT OR REPLACE INTO writes VALUES (1, 0, '')"):
        assert "count of what is written" in edit_past_stet(book.state_folder, sql)
    with book.open(session="s1") as proxy:
        proxy.ledger.shrink()
        edit_past_stet(book.state_folder, "VACUUM; ANALYZE; VACUUM; PRAGMA integrity_check; REINDEX")
        assert not proxy.ledger.written_past(), "SQLite's own numbering is nobody's doing"
        make_older(book.state_folder, "UPDATE turns SET expires=0")
    with book.open(session="s1") as proxy, pytest.raises(StateTampered, match="anew"):
        sweep(proxy, None, "s1")


@pytest.mark.parametrize("sql", SPOILT)
def test_a_record_that_no_longer_counts_is_not_opened(book: Book, sql: str) -> None:
    book.put("ch.md", chapter())
    with Agent(book):
        pass
    edit_past_stet(book.state_folder, sql)
    with pytest.raises(StateTampered), book.open(session="s1") as proxy:
        sweep(proxy, None, "s1")


def test_an_older_record_put_back_is_noticed(book: Book, tmp_path: Path) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.proxy.ledger.query("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copytree(book.state_folder, tmp_path / "copy")
        tripped(agent)
    shutil.rmtree(book.state_folder)
    shutil.copytree(tmp_path / "copy", book.state_folder)
    with book.open(session="s1") as proxy:
        turn = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at)
        with pytest.raises(StateTampered):
            sweep(proxy, turn, "s1")
        known.head_file(book.root).unlink()  # a person says that it was they
        assert sweep(proxy, turn, "s1") == []


def test_a_record_that_is_gone_refuses(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book):
        pass
    (book.state_folder / "ledger.db").unlink()
    with pytest.raises(StateBroken):
        book.open(session="s1")


def test_a_machine_that_went_down_is_no_tampering(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.path("ch.md").write_bytes(reword(chapter()))
        agent.look()
        head = known.head_file(book.root)
        noted = seal._noted(agent.proxy)[1]
        assert noted
        seal._note(head, noted._replace(seq=noted.seq + 1, hash="0" * 64))
        with pytest.raises(StateTampered):
            agent.look()
        monkeypatch.setattr(seal, "_boot", lambda: "another start")
        assert not agent.look()
        assert not agent.look()


def test_a_persons_answers_are_no_tampering(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    from firewall.writes import grants, operator

    monkeypatch.setattr("firewall.writes.person.require", lambda *_: "terminal")
    monkeypatch.chdir(book.root)
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        tripped(agent)
        with book.open() as person:
            operator.reset(person, book.root / "ch.md")
            grants.allow(person, "ch.md", ["delete"], 1, 3600)
            text = (book.root / "stet.toml").read_text()
            (book.root / "stet.toml").write_text(text + "# mine\n")
            operator.accept_policy(person)
        assert not agent.look(), "what a person accepted in the turn stays"
        assert "# mine" in (book.root / "stet.toml").read_text()
        assert agent.runs("rm ch.md")["ch.md"].fate == "accepted", "the grant lets it go"
        assert not agent.look()
