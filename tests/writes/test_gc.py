"""What the store lets go, and what it never does; what each rule has done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import STUB, Book, Home, chapter, quick_terminal, reword

from firewall.digest import sha256
from firewall.errors import NeedsPerson, NotFound
from firewall.writes import answers, cases, gc, operator, person
from firewall.writes.operator import verify_journal
from firewall.writes.stats import rule_stats

DAY = 86_400.0
CUT = (b"red", b"green", b"blue", b"white", b"black", b"brown", b"grey", b"pink")


@pytest.fixture(autouse=True)
def says_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is there."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")


def collect(book: Book, keep_days: float | None = None, *, dry_run: bool = False) -> gc.Freed:
    with book.open() as proxy:
        return gc.collect(proxy, keep_days, dry_run=dry_run)


def grown(book: Book, versions: int, name: str = "ch.md") -> list[bytes]:
    """A chapter with that many versions, a day between each."""
    texts = [chapter(1200, seed=len(name))]
    book.write(name, texts[0])
    for n in range(versions - 1):
        book.now += DAY
        texts.append(reword(texts[-1], CUT[n % len(CUT)] + str(n).encode()))
        assert book.write(name, texts[-1]).committed
    return texts


def kept(book: Book, name: str = "ch.md") -> list[bytes]:
    with book.open() as proxy:
        known = proxy.ledger.artifact(name)
        assert known is not None
        return [proxy.ledger.load(v.sha256) or b"" for v in operator.versions(proxy, known)]


def test_old_versions_go_and_young_ones_stay(book: Book) -> None:
    texts = grown(book, 20)
    assert collect(book).snapshots == 0, "nothing is older than the retention"
    book.now += 85 * DAY
    with book.open() as proxy:
        entries = proxy.ledger.journal()
    shown = collect(book, dry_run=True)
    assert kept(book) == texts, "a dry run lets nothing go"
    freed = collect(book)
    assert (freed.snapshots, freed.stored_bytes) == (shown.snapshots, shown.stored_bytes)
    assert freed.snapshots > 5
    assert freed.file_after < freed.file_before
    left = kept(book)
    young = [t for n, t in enumerate(texts) if 85 + 19 - n <= 90]
    assert left == [t for t in texts if t in left], "in their order"
    assert set(young) | set(texts[-5:]) <= set(left)
    assert len(left) + freed.snapshots == len(texts)
    with book.open() as proxy:
        assert proxy.ledger.journal() == entries, "the journal is not touched"
        assert verify_journal(entries) is None
    assert book.write("ch.md", reword(texts[-1], b"after")).committed
    assert (book.root / "ch.md").read_bytes() == reword(texts[-1], b"after")


def test_what_is_gone_is_said_to_be_gone(book: Book) -> None:
    grown(book, 12)
    with book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        first = operator.versions(proxy, known)[0]
    book.now += 200 * DAY
    assert collect(book).snapshots
    with book.open() as proxy, pytest.raises(NotFound, match=str(first.number)):
        operator.restore(proxy, book.root / "ch.md", first.number)
    with book.open() as proxy:
        last = operator.versions(proxy, known)[-2]
        assert operator.restore(proxy, book.root / "ch.md", last.number).committed


def test_what_waits_stays_however_old(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    ident = book.write("ch.md", chapter(800)).held
    for text in (STUB.replace(b"To", b"So"), STUB.replace(b"To", b"Go")):
        last = book.write("ch.md", text)
    assert last.alert
    grown(book, 10, "other.md")
    book.now += 20 * DAY
    collect(book, 1.0)
    with book.open() as proxy:
        case = cases.get(proxy.ledger, ident)
        assert case is not None
        assert case.pending
        assert proxy.ledger.load(case.proposal) == chapter(800)
        assert proxy.ledger.load(case.disk) == chapter(1200)
        assert answers.approve(proxy, ident).done
    assert (book.root / "ch.md").read_bytes() == chapter(800)


def test_fewer_days_than_the_policy_says_need_a_person(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    grown(book, 12)
    book.now += 10 * DAY

    def nobody(ledger: object, command: str, what: str) -> str:
        raise NeedsPerson(command=command, detail="there is no terminal")

    monkeypatch.setattr(person, "require", nobody)
    with pytest.raises(NeedsPerson):
        collect(book, 1.0)
    assert len(kept(book)) == 12
    assert collect(book, 1.0, dry_run=True).snapshots > 0
    assert collect(book, 400.0).snapshots == 0
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    assert collect(book, 1.0).snapshots > 0
    assert len(kept(book)) == 5, "[store] keep_versions"


def test_nothing_goes_within_the_hour(book: Book) -> None:
    texts = grown(book, 1)
    for n in range(9):
        texts.append(reword(texts[-1], CUT[n % len(CUT)]))
        assert book.write("ch.md", texts[-1]).committed
    book.now += 3500
    assert collect(book, 0.0).snapshots == 0
    assert kept(book) == texts


def test_a_growth_can_still_be_taken_back(book: Book) -> None:
    texts = grown(book, 3)
    more = texts[-1] + b"\n" + chapter(200, seed=9)
    assert book.write("ch.md", more).committed
    book.now += 3 * DAY
    collect(book, 1.0)
    assert book.write("ch.md", texts[-1]).committed
    assert book.write("ch.md", reword(texts[-1])).committed


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.integers(0, 3)), max_size=14))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happened_every_file_can_be_judged_and_written_afterwards(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, acts: list[tuple[int, str, int]]
) -> None:
    book = Book(tmp_path_factory.mktemp("gc"))
    monkeypatch.setenv("HOME", str(book.user.home))
    monkeypatch.setenv("XDG_STATE_HOME", str(book.user.state))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(book.user.config))
    for act, letter, days in acts:
        path = book.root / f"{letter}.md"
        book.now += days * DAY
        now = path.read_bytes() if path.exists() else b""
        if act == 0 or not now:
            book.write(path.name, chapter(400, ord(letter)))
        elif act == 1:
            book.write(path.name, reword(now, str(days).encode()))
        elif act == 2:
            book.write(path.name, now + b"\n" + chapter(60, days))
        elif act == 3:
            book.write(path.name, chapter(100, days))
        elif act == 4:
            book.put(path.name, reword(now, b"mine"))
        else:
            collect(book, 1.0)
    collect(book, 1.0)
    with book.open() as proxy:
        for known in proxy.ledger.artifacts():
            for sha in (known.disk, known.baseline, known.mark, known.high):
                proxy.ledger.load(sha)
        for case in cases.every(proxy.ledger, ("hold", "trip"), cases.PENDING):
            proxy.ledger.load(case.proposal)
            proxy.ledger.load(case.disk)
    for path in sorted(book.root.glob("*.md")):
        with book.open() as proxy:
            operator.reset(proxy, path)
        assert book.write(path.name, reword(path.read_bytes(), b"once")).committed


def test_at_the_command_line(user: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the command asks for itself whether there is a person
    root = tmp_path / "w"
    assert user.quick("init", str(root), cwd=tmp_path).status == 0
    (root / "ch.md").write_bytes(chapter(1200))
    assert user.quick("write", "ch.md", cwd=root, data=reword(chapter(1200))).status == 0
    value = user.quick("gc", "--json", cwd=root).json()
    assert (value["snapshots"], value["dry_run"]) == (0, False)
    assert "0 snapshots would go" in user.quick("gc", "--dry-run", cwd=root).out
    piped = user.quick("gc", "--keep-days", "0", cwd=root)
    assert (piped.status, "[needs-person]" in piped.err) == (1, True)
    status, out = quick_terminal(user, root, "gc", "--keep-days", "0")
    assert status == 0, out
    assert "versions of the last hour stay" in out
    for days in ("-1", "nan", "inf", "1e400"):
        assert user.quick("gc", "--keep-days", days, cwd=root).status == 2
    assert user.quick("log", "--verify", cwd=root).status == 0


# -- stats -------------------------------------------------------------------------------------------------


def test_a_rule_that_is_overruled_shows_itself(book: Book) -> None:
    for n in range(6):
        name = f"c{n}.md"
        book.put(name, chapter(1200, seed=n))
        ident = book.write(name, chapter(900, seed=n)).held
        with book.open() as proxy:
            if n < 3:
                assert answers.approve(proxy, ident).done
            elif n == 3:
                assert answers.edit(proxy, ident, lambda name, data: data + b"\nThe end.\n").done
            elif n == 4:
                answers.reject(proxy, ident)
    book.write("c5.md", chapter(1200, seed=5) + b"\0")
    with book.open() as proxy:
        stats = {s.rule: s for s in rule_stats(proxy.ledger)}
    floor = stats["word-floor"]
    assert (floor.refused, floor.held, floor.waiting) == (0, 6, 1)
    assert (floor.approved, floor.edited, floor.rejected) == (3, 1, 1)
    assert floor.overruled == pytest.approx(0.8)
    assert (stats["bytes"].refused, stats["bytes"].held, stats["bytes"].overruled) == (1, 0, None)


def test_one_question_counts_once(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    for words in (900, 890, 880):
        last = book.write("ch.md", chapter(words))
    assert last.alert
    with book.open() as proxy:
        answers.approve(proxy, last.alert.id)
        stats = {s.rule: s for s in rule_stats(proxy.ledger)}
    assert (stats["word-floor"].held, stats["word-floor"].approved, stats["word-floor"].expired) == (3, 1, 2)


def test_stats_at_the_command_line(user: Home, tmp_path: Path) -> None:
    root = tmp_path / "w"
    assert user.quick("init", str(root), cwd=tmp_path).status == 0
    assert user.quick("stats", cwd=root).out == "No rule has refused anything here.\n"
    (root / "ch.md").write_bytes(chapter(1200))
    assert user.quick("write", "ch.md", cwd=root, data=STUB).status == 1
    values = {v["rule"]: v for v in json.loads(user.quick("stats", "--json", cwd=root).out)}
    assert values["word-floor"] == {
        "rule": "word-floor", "refused": 1, "held": 0, "approved": 0, "edited": 0, "rejected": 0, "waiting": 0,
        "expired": 0, "granted": 0, "overruled": None,
    }  # fmt: skip
    out = user.quick("stats", cwd=root).out
    assert "word-floor" in out
    assert "WAITING" in out
    assert "EXPIRED" in out, "what was held is waiting, answered or expired: it all adds up"


@pytest.mark.parametrize("days", [float("nan"), float("inf"), -1.0])
def test_what_is_no_number_of_days_lets_nothing_go(book: Book, days: float) -> None:
    texts = grown(book, 12)
    with pytest.raises(gc.NoNumberOfDays):
        collect(book, days)
    with book.open() as proxy:
        assert all(proxy.ledger.load(sha256(text)) == text for text in texts)
