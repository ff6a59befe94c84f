"""Grants: named rules lifted for a path, counted exactly, until they end."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import Book, Home, chapter, quick_terminal, reword

from firewall.errors import NeedsPerson, StorageError
from firewall.writes import cases, disk, grants, person
from firewall.writes.answers import LIFTED
from firewall.writes.grants import BadGrant, NeverLifted, UnknownRule
from firewall.writes.proposal import Proposal
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Grant

HOUR = 3600.0
CUT = ("word-floor", "delta-cap", "survival", "structure-loss")
"""The rules that stand against a chapter cut to two thirds."""


@pytest.fixture(autouse=True)
def says_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is there; the last tests ask a real terminal."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")


def allow(book: Book, where: str, *rules: str, uses: int = 1, seconds: float = HOUR) -> Grant:
    with book.open() as proxy:
        return grants.allow(proxy, where, rules, uses, seconds)


def left(book: Book, ident: str) -> int:
    """Uses left of a grant, expired or not."""
    with book.open() as proxy:
        ((uses,),) = proxy.ledger.query("SELECT uses FROM grants WHERE id=?", (ident,))
    return int(uses)


def test_a_grant_lets_one_write_pass_and_its_result_is_the_baseline(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    given = allow(book, str(book.root / "ch.md"), *CUT)
    assert given.pattern == "ch.md"
    assert book.write("ch.md", chapter(800)).committed
    assert left(book, given.id) == 0
    with book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
    assert known is not None
    assert known.mark == known.baseline == disk.sha256(chapter(800))
    assert book.write("ch.md", reword(chapter(800))).committed
    assert not book.write("ch.md", chapter(300)).committed, "it was for one write"


def test_a_write_that_needs_no_grant_takes_none(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    given = allow(book, str(book.root / "ch.md"), "structural")
    assert book.write("ch.md", reword(chapter(1200))).committed
    assert left(book, given.id) == 1


def test_a_refused_write_takes_none(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    given = allow(book, str(book.root / "ch.md"), "structural")
    assert not book.write("ch.md", chapter(800) + b"\0").committed, "no grant lifts bytes"
    narrow = allow(book, str(book.root / "b.md"), "word-floor")
    book.put("b.md", chapter(1200))
    refused = book.write("b.md", chapter(300))
    assert "survival" in refused.verdict.rules or "delta-cap" in refused.verdict.rules
    assert not refused.committed, "only what is named is lifted"
    assert (left(book, given.id), left(book, narrow.id)) == (1, 1)


def test_one_use_a_write_the_oldest_first_and_no_more_than_needed(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    path = str(book.root / "ch.md")
    part = allow(book, path, "word-floor")
    book.now += 1
    whole = allow(book, path, "structural", uses=2)
    book.now += 1
    other = allow(book, path, "structural")
    assert book.write("ch.md", chapter(800)).committed
    assert (left(book, part.id), left(book, whole.id), left(book, other.id)) == (1, 1, 1), "one that does for all"


def test_two_grants_that_do_it_together(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    path = str(book.root / "ch.md")
    given = [allow(book, path, rule) for rule in CUT]
    result = book.write("ch.md", chapter(800))
    assert result.committed
    with book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        taken = json.loads(proxy.ledger.journal(known.id)[-1].data)["grants"]
    assert {g.id for g in given if left(book, g.id) == 0} == set(taken)
    assert taken


def test_it_ends_when_its_time_is_up(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    given = allow(book, str(book.root / "ch.md"), *CUT, seconds=HOUR)
    book.now += HOUR
    assert not book.write("ch.md", chapter(800)).committed
    assert left(book, given.id) == 1
    again = allow(book, str(book.root / "ch.md"), *CUT, seconds=HOUR)
    book.now += HOUR - 1
    assert book.write("ch.md", chapter(801)).committed
    assert left(book, again.id) == 0


def test_a_glob_counts_over_all_files_that_it_names(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.root)
    for name in ("docs/a.md", "docs/b.md", "docs/c.md", "docs/deep/d.md", "e.md"):
        book.put(name, chapter(1200))
    given = allow(book, "docs/*.md", "delete", uses=2)
    assert not book.write("e.md", None).committed
    assert not book.write("docs/deep/d.md", None).committed
    assert [book.write(f"docs/{n}.md", None).committed for n in "abc"] == [True, True, False]
    assert left(book, given.id) == 0


def test_a_name_without_a_wildcard_is_one_file(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.root)
    for name in ("a.md", "sub/a.md"):
        book.put(name, chapter(1200))
    allow(book, "a.md", "delete", uses=5)
    assert not book.write("sub/a.md", None).committed
    assert book.write("a.md", None).committed
    monkeypatch.chdir(book.root / "sub")
    assert allow(book, "a.md", "delete").pattern == "sub/a.md"
    assert allow(book, "*.md", "delete").pattern == "sub/*.md"


def test_a_change_set_takes_one_use_a_file_or_none(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.root)
    names = ["a.md", "b.md", "c.md"]
    for name in names:
        book.put(name, chapter(1200))
    given = allow(book, "*.md", "delete", uses=2)
    with book.open() as proxy:
        results = proxy.write_set([Proposal(book.root / name, None) for name in names])
    assert not any(r.committed for r in results)
    assert left(book, given.id) == 2
    with book.open() as proxy:
        results = proxy.write_set([Proposal(book.root / name, None) for name in names[:2]])
    assert all(r.committed for r in results)
    assert left(book, given.id) == 0


def test_a_write_that_does_not_reach_the_disk_gives_its_use_back(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put("ch.md", chapter(1200))
    given = allow(book, str(book.root / "ch.md"), *CUT)

    def full(path: Path, data: bytes, old: disk.Reading) -> None:
        raise StorageError(action="write", path=path, reason="No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        with pytest.raises(StorageError):
            book.write("ch.md", chapter(800))
    assert left(book, given.id) == 1
    assert book.write("ch.md", chapter(800)).committed


def _deletes(root: Path, names: list[str], start: object, out: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    done = 0
    for name in names:
        with WriteProxy.open(root) as proxy:
            done += proxy.write(root / name, None).committed
    out.put(done)  # type: ignore[attr-defined]


def test_many_processes_use_it_exactly_as_often_as_it_says(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.root)
    names = [f"p{i}.md" for i in range(24)]
    for name in names:
        book.put(name, chapter(100))
    with book.open() as proxy:
        proxy.adopt([Path(n) for n in names])
    given = allow(book, "*.md", "delete", uses=11)
    context = multiprocessing.get_context("fork")
    start, out = context.Event(), context.Queue()
    workers = [context.Process(target=_deletes, args=(book.root, names[i::4], start, out)) for i in range(4)]
    for worker in workers:
        worker.start()
    start.set()
    done = sum(out.get(timeout=120) for _ in workers)
    for worker in workers:
        worker.join(60)
    assert done == 11
    assert left(book, given.id) == 0
    assert sum(not (book.root / n).exists() for n in names) == 11


def test_taken_back(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    given = allow(book, str(book.root / "ch.md"), "structural", uses=3)
    with book.open() as proxy:
        grants.revoke(proxy, given.id)
        assert cases.grants(proxy.ledger, book.now) == []
    assert not book.write("ch.md", chapter(800)).committed


@pytest.mark.parametrize(
    ("rules", "error", "says"),
    [
        (["survivall"], UnknownRule, "did you mean survival"),
        (["word_floor"], UnknownRule, "did you mean word-floor"),
        (["placehold"], UnknownRule, "did you mean placeholder"),
        (["xyzzy"], UnknownRule, "There is no rule 'xyzzy'."),
        (["bytes"], NeverLifted, "no grant lifts it"),
        (["survival", "truncated"], NeverLifted, "truncated"),
        (["path"], NeverLifted, "path"),
    ],
)
def test_rules_are_known_by_name(rules: list[str], error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        grants.checked(rules)
    assert says in str(caught.value)


def test_structural_is_all_that_can_be_lifted() -> None:
    assert set(grants.checked(["structural"])) == LIFTED
    assert {"word-floor", "small-floor", "delta-cap", "survival", "structure-loss", "delete", "emptied"} <= LIFTED
    assert not {"bytes", "path", "truncated", "placeholder", "read-artifact", "stale-base", "notebook"} & LIFTED
    assert grants.checked(["survival", "survival"]) == ("survival",)


@pytest.mark.parametrize(
    ("where", "uses", "seconds"),
    [("../x.md", 1, 60.0), ("ch.md", 0, 60.0), ("ch.md", -1, 60.0), ("ch.md", 1, 0.0), ("ch.md", 1, 1e9),
     ("docs/../*.md", 1, 60.0), ("/etc/*.md", 1, 60.0), ("stet.toml", 1, 60.0), (".git/x.md", 1, 60.0)],
)  # fmt: skip
def test_what_cannot_be_granted(
    book: Book, monkeypatch: pytest.MonkeyPatch, where: str, uses: int, seconds: float
) -> None:
    monkeypatch.chdir(book.root)
    with pytest.raises(BadGrant), book.open() as proxy:
        grants.allow(proxy, where, ["survival"], uses, seconds)
    with book.open() as proxy:
        assert cases.grants(proxy.ledger, book.now) == []


@given(st.integers(1, 5000), st.sampled_from("smhd"))
def test_times_read_as_they_are_written(number: int, unit: str) -> None:
    seconds = grants.parse_time(f"{number}{unit}")
    assert seconds == number * {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit]
    assert grants.parse_time(grants.in_words(seconds)) == seconds


@pytest.mark.parametrize("text", ["", "2", "h", "2 weeks", "-2h", "1e3h", "²h", "2h3m", "99999999999d"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(BadGrant):
        grants.parse_time(text)


def test_no_person_no_grant(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(ledger: object, command: str, what: str) -> str:
        raise NeedsPerson(command=command, detail="there is no terminal")

    monkeypatch.setattr(person, "require", nobody)
    with pytest.raises(NeedsPerson):
        allow(book, str(book.root / "ch.md"), "structural")
    with book.open() as proxy:
        assert cases.grants(proxy.ledger, book.now) == []


def test_at_the_command_line(user: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the command asks for itself whether there is a person
    root = tmp_path / "w"
    assert user.quick("init", str(root), cwd=tmp_path).status == 0
    (root / "ch.md").write_bytes(chapter(1200))
    piped = user.quick("allow", "ch.md", "--rule", "delete", cwd=root)
    assert (piped.status, "[needs-person]" in piped.err) == (1, True)
    status, out = quick_terminal(user, root, "allow", "ch.md", "--rule", "delete", "--uses", "2", "--for", "30m")
    assert status == 0, out
    assert "This lifts delete for 2 writes of ch.md within 30 m." in out
    (value,) = user.quick("allow", "--list", "--json", cwd=root).json()
    assert (value["pattern"], value["rules"], value["uses"]) == ("ch.md", ["delete"], 2)
    assert user.quick("write", "ch.md", "--delete", cwd=root).status == 0
    assert user.quick("allow", "--list", "--json", cwd=root).json()[0]["uses"] == 1
    for words, code in (
        (["allow"], "allow-what"),
        (["allow", "ch.md"], "allow-what"),
        (["allow", "ch.md", "--rule", "delte"], "unknown-rule"),
        (["allow", "ch.md", "--rule", "delete", "--for", "soon"], "bad-grant"),
        (["allow", "--revoke", "G0"], "not-found"),
    ):
        done = user.quick(*words, "--json", cwd=root)
        assert (done.status, done.json()["code"]) == (2, code)
