"""Limits and guards where they are in force: through the proxy, the ledger and the disk."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STUB, Book, NewBook, chapter, prose, reword, set_rules

from firewall.errors import Busy, NeedsPerson, StateBroken, StorageError
from firewall.text.diff import compare
from firewall.verdict import Outcome
from firewall.writes import claims, commit, disk, gc, operator, person, staging
from firewall.writes.commits import File, judge_files
from firewall.writes.disk import Replaced
from firewall.writes.fate import fate
from firewall.writes.git import GitFailed, find_repository
from firewall.writes.ledger import Ledger
from firewall.writes.limits import Limits
from firewall.writes.lock import FileLock
from firewall.writes.protection import Protection
from firewall.writes.proxy import Proposal

DAY = 86_400.0


def stub(number: int) -> bytes:
    """Each is another proposal, so that none is refused as a repeat."""
    return STUB + f"And {number}.\n".encode()


# -- attempts and windows ----------------------------------------------------------------------------------


def test_ten_failures_between_good_edits_trip(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    for number in range(9):
        assert not book.write("ch.md", stub(number)).tripped
        assert book.write("ch.md", reword((book.root / "ch.md").read_bytes(), b"again")).committed
    assert book.write("ch.md", stub(9)).tripped


def test_failures_of_another_week_count_no_more(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    for number in range(9):
        book.write("ch.md", stub(number))
        book.write("ch.md", reword((book.root / "ch.md").read_bytes(), b"again"))
    book.now += 7 * DAY + 1
    assert not book.write("ch.md", stub(9)).tripped


def test_a_baseline_lasts_a_week_and_then_gives_way_to_the_disk(new_book: NewBook) -> None:
    for days, passes in ((6.9, False), (7.1, True)):
        book = new_book(f"book{passes}")
        text = prose(1200)
        book.put("ch.md", text.encode())
        assert book.write("ch.md", text[: len(text) * 92 // 100].encode() + b"end.\n").committed
        book.now += days * DAY
        result = book.write("ch.md", text[: len(text) * 82 // 100].encode() + b"end.\n")
        assert result.committed is passes, result.verdict


def test_a_commit_s_file_over_the_limit_is_refused_unjudged() -> None:
    limits, rules = Limits()._replace(max_bytes=1000), Protection(("md",))
    (judged,) = judge_files([File("a.md", "modified", chapter(300), reword(chapter(300)))], limits, rules)
    assert judged.verdict.rules == ("max-bytes",)
    assert judged.verdict.outcome is Outcome.BLOCK


def test_a_writer_waits_for_another_no_longer_than_the_policy_says(new_book: NewBook) -> None:
    book = new_book(rules={"lock_seconds": 0.2})
    path = book.put("ch.md", chapter(300))
    with book.open() as proxy, book.open() as other:
        (target,) = [t for _, t, _ in _locked(proxy, path)]
        with other.lock(target):
            began = time.monotonic()
            with pytest.raises(Busy):
                proxy.write(path, reword(chapter(300)))
            assert time.monotonic() - began < 4
    assert path.read_bytes() == chapter(300)


def _locked(proxy: Any, path: Path) -> list[Any]:
    with proxy.locked([Proposal(path, None)]) as wanted:
        return list(wanted)


def test_a_lock_is_one_holder_s(tmp_path: Path) -> None:
    with FileLock(tmp_path / "l", 0.1, "x"), pytest.raises(Busy), FileLock(tmp_path / "l", 0.1, "x"):
        pass
    with FileLock(tmp_path / "l", 0.1, "x"):
        pass


# -- bytes replaced are bytes judged -----------------------------------------------------------------------


def test_what_changed_meanwhile_is_neither_deleted_nor_renamed(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"judged\n")
    old = disk.read(path)
    path.write_bytes(b"changed\n")
    for change in (lambda: disk.remove(path, old), lambda: disk.rename(path, tmp_path / "b.md", old)):
        with pytest.raises(Replaced):
            change()
        assert path.read_bytes() == b"changed\n"


def test_a_rename_takes_no_name_that_somebody_has(tmp_path: Path) -> None:
    path, taken = tmp_path / "a.md", tmp_path / "b.md"
    path.write_bytes(b"one\n")
    taken.write_bytes(b"two\n")
    with pytest.raises(Replaced):
        disk.rename(path, taken, disk.read(path))
    assert (path.read_bytes(), taken.read_bytes()) == (b"one\n", b"two\n")


def test_a_verdict_that_relied_on_a_file_falls_with_it(book: Book) -> None:
    path, other = book.put("a.md", chapter(300)), book.put("b.md", chapter(300, 2))
    with book.open() as proxy:
        for each in (path, other):
            proxy.check(each, b"")
        ours, theirs = proxy.ledger.artifact("a.md"), proxy.ledger.artifact("b.md")
        assert ours
        assert theirs
        step = commit.Step(ours, path, disk.read(path), b"new\n", "commit", {}, {}, relied={theirs.id: "0" * 64})
        with pytest.raises(Replaced):
            commit.commit(proxy.ledger, [step], proxy.origin())
        assert path.read_bytes() == chapter(300)
        commit.commit(proxy.ledger, [step._replace(relied={theirs.id: theirs.disk})], proxy.origin())
    assert path.read_bytes() == b"new\n"


@pytest.mark.parametrize("what", ["restore", "reset", "accept"])
def test_what_changes_while_a_person_thinks_is_left_alone(
    book: Book, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path = book.put("ch.md", chapter(300))
    book.write("ch.md", reword(chapter(300)))

    def thinks(ledger: Ledger, command: str, question: str) -> str:
        path.write_bytes(b"Somebody else's.\n")
        return "terminal"

    monkeypatch.setattr(person, "require", thinks)
    with book.open() as proxy, pytest.raises(operator.ChangedMeanwhile):
        {
            "restore": lambda: operator.restore(proxy, path, None),
            "reset": lambda: operator.reset(proxy, path),
            "accept": lambda: operator.accept(proxy, path),
        }[what]()
    assert path.read_bytes() == b"Somebody else's.\n"


# -- intents -----------------------------------------------------------------------------------------------


def test_an_intent_is_written_by_a_synced_transaction(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book.put("ch.md", chapter(300))
    begin, seen = Ledger.begin, []

    def watched(ledger: Ledger, *values: Any, **named: Any) -> int:
        seen.append(ledger.query("PRAGMA synchronous")[0][0])
        return begin(ledger, *values, **named)

    monkeypatch.setattr(Ledger, "begin", watched)
    assert book.write(path, reword(chapter(300))).committed
    assert seen == [2], "2 is FULL: the log is synced before the file is touched"


def test_a_change_set_cut_short_is_put_back_whole(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = book.put("a.md", chapter(300)), book.put("b.md", chapter(300, 2))
    replace = disk.replace

    def dies(path: Path, data: bytes, old: disk.Reading) -> None:
        if path == second:
            raise KeyboardInterrupt
        replace(path, data, old)

    with monkeypatch.context() as patch, book.open() as proxy, pytest.raises(KeyboardInterrupt):
        patch.setattr(disk, "replace", dies)
        proxy.write_set([Proposal(first, reword(chapter(300))), Proposal(second, reword(chapter(300, 2)))])
    assert first.read_bytes() == reword(chapter(300)), "half of it is there"
    with book.open() as proxy:
        assert proxy.ledger.intents() == []
    assert (first.read_bytes(), second.read_bytes()) == (chapter(300), chapter(300, 2))


# -- marks -------------------------------------------------------------------------------------------------


def paragraphs(count: int, seed: int) -> list[str]:
    """Paragraphs of fifty words."""
    return [f"Part {seed} {n} " + " ".join(f"w{seed}x{n}x{i}" for i in range(47)) + "." for n in range(count)]


def joined(parts: list[str]) -> bytes:
    return ("\n\n".join(parts) + "\n").encode()


def test_what_was_added_is_protected_though_the_mark_lost_a_word(book: Book) -> None:
    """The mark stays where it is, once it lost a word; the version with most words counts as well."""
    old = paragraphs(20, 1)
    book.put("ch.md", joined(old))
    changed = [old[0].replace("w1x0x3 ", ""), *old[1:]]
    grown = [*changed, *paragraphs(10, 2)]
    assert book.write("ch.md", joined(changed)).committed
    assert book.write("ch.md", joined(grown)).committed
    assert book.write("ch.md", joined(grown[:27])).committed
    result = book.write("ch.md", joined(grown[:24]))
    assert not result.committed
    assert "word-floor" in result.verdict.rules
    assert result.words.before == 1349


def test_a_word_less_in_a_section_that_was_added_after_a_typo(book: Book) -> None:
    """The mark stays at the text before the typo, and the new section is much more than the cap allows at once."""
    old = paragraphs(20, 1)
    book.put("ch.md", joined(old))
    text = joined(old).replace(b"w1x0x3 ", b"w1x0x-3 ")
    assert book.write("ch.md", text).committed
    text += b"\n" + joined(paragraphs(8, 2))
    assert book.write("ch.md", text).committed
    assert book.write("ch.md", text.replace(b"w2x0x3 ", b"")).committed


def test_text_that_only_grew_is_the_mark(book: Book) -> None:
    old, more = paragraphs(20, 1), paragraphs(6, 2)
    book.put("ch.md", joined(old))
    assert book.write("ch.md", joined([*old, *more])).words.mark == 1000
    assert book.write("ch.md", joined([*old, *more, "One more line."])).words.mark == 1300


def test_a_renamed_file_keeps_its_mark(book: Book) -> None:
    old = paragraphs(24, 1)
    book.put("ch.md", joined(old))
    assert book.write("ch.md", joined(old[:21])).committed
    with book.open() as proxy:
        assert proxy.rename(book.root / "ch.md", book.root / "new.md").committed
    result = book.write("new.md", joined(old[:19]))
    assert not result.committed
    assert result.words.mark == 1200


@pytest.mark.parametrize("name", ["ch.bin", "ch.ipynb", ".git/ch.md"])
def test_a_rename_does_not_change_how_a_file_is_judged(book: Book, name: str) -> None:
    path = book.put("ch.md", chapter(300))
    with book.open() as proxy:
        result = proxy.rename(path, book.root / name)
    assert not result.committed
    assert result.verdict.rules == ("path",)
    assert path.read_bytes() == chapter(300)


def test_only_a_growth_can_be_taken_back(book: Book) -> None:
    old = paragraphs(24, 1)
    book.put("ch.md", joined(old))
    assert book.write("ch.md", joined([*old[:22], *paragraphs(8, 2)])).committed, "300 words more, 100 others gone"
    result = book.write("ch.md", joined(old))
    assert not result.committed
    assert "word-floor" in result.verdict.rules

    book.put("more.md", joined(old))
    assert book.write("more.md", joined([*old, *paragraphs(8, 2)])).committed
    assert book.write("more.md", joined(old)).committed, "growth, and the last commit"


def test_a_paragraph_is_found_elsewhere_as_often_as_it_stands_there() -> None:
    part = " ".join(f"w{n}" for n in range(20))
    change = compare(f"{part}\n\nA middle of five words.\n\n{part}\n", "A middle of five words.\n")
    unit = tuple(part.split())
    for copies, there in ((1, 20), (2, 40), (3, 40)):
        assert fate(change, 45, (), {unit: copies}, {}).there == there
    back = compare("one\n", f"one\n\n{part}\n")
    assert fate(back, 41, (unit, unit), {}, {}).here == 21, "one of two that were away is back"


def test_what_another_file_got_long_ago_excuses_no_cut(book: Book) -> None:
    old = paragraphs(24, 1)
    book.put("a.md", joined(old))
    book.put("b.md", chapter(300))
    with book.open() as proxy:
        proxy.check(book.root / "a.md", b"")
    assert book.write("b.md", chapter(300) + b"\n" + joined(old[18:])).committed
    with book.open() as proxy:
        assert proxy.check(book.root / "a.md", joined(old[:18])).verdict.allowed, "moved today"
    book.now += 8 * DAY
    assert not book.write("a.md", joined(old[:18])).committed


def test_a_person_s_change_is_the_baseline(book: Book) -> None:
    path = book.put("ch.md", chapter(1200))
    book.write("ch.md", reword(chapter(1200)))
    path.write_bytes(chapter(400))
    result = book.write("ch.md", reword(chapter(400)))
    assert result.committed
    assert (result.words.before, result.words.mark) == (400, 400)


def test_a_refusal_kept_by_an_older_version_has_no_measures_to_say_again(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    book.write("ch.md", STUB)
    with book.open() as proxy, proxy.ledger.transaction():
        proxy.ledger.change("UPDATE refusals SET rules=?", ('["word-floor"]',))
    message = book.write("ch.md", STUB).verdict.findings[0].message
    assert message.endswith("refused before (word-floor) and nothing has changed since. Change the proposal.")


# -- what nobody can talk away -----------------------------------------------------------------------------


def test_the_same_again_is_not_read_and_something_else_is(book: Book) -> None:
    path = book.put("ch.md", chapter(1200))
    assert "word-floor" in book.write("ch.md", STUB).verdict.rules
    again = book.write("ch.md", STUB)
    assert again.verdict.rules == ("repeat",)
    assert again.words == (1200, len(STUB.split()), 1200), "not judged, and counted all the same"
    said = again.verdict.findings[0].message
    assert f"1200 -> {len(STUB.split())} words; the floor is 1020" in said, "with what was measured and would pass"
    path.write_bytes(reword(chapter(1200)))
    with book.open() as proxy:
        assert "repeat" not in proxy.check(path, STUB).verdict.rules, "the disk is another"


def test_a_stale_proposal_is_read_again_with_a_new_base(book: Book) -> None:
    path = book.put("ch.md", chapter(300))
    new = reword(chapter(300))
    assert book.write(path, new, base="0" * 64).verdict.rules == ("stale-base",)
    assert book.write(path, new, base=disk.read(path).sha256).committed


def test_an_accepted_policy_that_was_tampered_with_is_broken(book: Book) -> None:
    with book.open() as proxy, proxy.ledger.transaction():
        text = proxy.ledger.meta("policy")
        assert text
        proxy.ledger.set_meta("policy", text.replace("[rules]", "[rules]\nword_floor = 0.01"))
    with pytest.raises(StateBroken):
        book.open()


class Typed(io.StringIO):
    """A terminal at which a word was typed."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("agent", "terminal", "why"),
    [("CLAUDECODE", True, "belongs to an agent"), ("", False, "no terminal"), ("", True, "")],
)
def test_who_is_a_person(book: Book, monkeypatch: pytest.MonkeyPatch, agent: str, terminal: bool, why: str) -> None:
    monkeypatch.setattr(person, "agent_above", lambda: agent)
    monkeypatch.setattr("secrets.choice", lambda words: "amber")
    typed = Typed("amber\n") if terminal else io.StringIO("amber\n")
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "stderr", Typed())
    with book.open() as proxy:
        if why:
            with pytest.raises(NeedsPerson, match=why):
                person.require(proxy.ledger, "reset", "This opens it.")
        else:
            assert person.require(proxy.ledger, "reset", "This opens it.") == "terminal"


def test_an_agent_s_variable_names_its_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert person.agent_above() == "CLAUDECODE"


# -- nothing in silence ------------------------------------------------------------------------------------


def test_line_ends_brought_to_the_file_s_own_are_told_of(book: Book) -> None:
    path = book.put("ch.md", b"one\r\ntwo\r\n")
    result = book.write("ch.md", b"one\ntwo more\n")
    assert result.committed
    assert path.read_bytes() == b"one\r\ntwo more\r\n"
    assert [(f.rule, f.outcome) for f in result.verdict.findings] == [("line-ends", Outcome.ALLOW)]


def test_a_file_written_by_nobody_we_know_is_no_writer_s(book: Book) -> None:
    """Its mode and owner stay those of the file that a person made."""
    path = book.put("ch.md", chapter(300))
    path.chmod(0o640)
    assert book.write("ch.md", reword(chapter(300))).committed
    assert os.stat(path).st_mode & 0o777 == 0o640


def test_a_change_set_stands_or_falls_together(book: Book) -> None:
    first, second = book.put("a.md", chapter(300)), book.put("b.md", chapter(300, 2))
    for files in ((first, second), (second, first)):
        with book.open() as proxy:
            results = proxy.write_set([Proposal(files[0], reword(chapter(300))), Proposal(files[1], STUB)])
        assert [r.committed for r in results] == [False, False]
        assert (first.read_bytes(), second.read_bytes()) == (chapter(300), chapter(300, 2))


def test_a_change_set_that_fails_half_way_is_put_back(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = book.put("a.md", chapter(300)), book.put("b.md", chapter(300, 2))
    replace = disk.replace

    def full(path: Path, data: bytes, old: disk.Reading) -> None:
        if path == second:
            raise StorageError(action="write", path=path, reason="No space left on device")
        replace(path, data, old)

    with book.open() as proxy, monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        with pytest.raises(StorageError):
            proxy.write_set([Proposal(first, reword(chapter(300))), Proposal(second, reword(chapter(300, 2)))])
        assert (first.read_bytes(), second.read_bytes()) == (chapter(300), chapter(300, 2))
        assert proxy.ledger.intents() == []


def test_every_version_can_be_loaded_whoever_wrote_it(book: Book) -> None:
    path = book.put("ch.md", chapter(300))
    made = [chapter(300), chapter(300) + b"\nMore.\n", chapter(310), chapter(310) + b"\nMore.\n"]
    assert book.write(path, made[1]).committed
    path.write_bytes(made[2])
    assert book.write(path, made[3]).committed
    with book.open() as proxy:
        for data in made:
            assert proxy.ledger.load(disk.sha256(data)) == data


def test_only_the_passphrase_is_the_passphrase() -> None:
    stored = person.hashed("correct horse")
    assert person.matches(stored, "correct horse")
    assert not person.matches(stored, "correct horse ")
    assert not person.matches(stored, "")


def test_of_two_answers_one_is_late(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    ident = book.write("ch.md", chapter(800)).held
    with book.open() as proxy:
        taken = claims.Claims(((ident, "approved"),), (), (), "terminal")
        with proxy.ledger.transaction():
            claims.take(proxy.ledger, taken, book.now)
        with pytest.raises(claims.LateAnswer), proxy.ledger.transaction():
            claims.take(proxy.ledger, taken, book.now)


def test_git_s_own_variables_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ours", "theirs"):
        subprocess.run(["git", "init", "-q", str(tmp_path / name)], check=True, timeout=60)
    (tmp_path / "theirs" / ".git" / "config").write_text("[user]\n\tname = Them\n")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "theirs" / ".git"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'user.name=Them'")
    found = find_repository(tmp_path / "ours")
    assert found
    assert found.ask("config", "user.name") == ""
    assert os.environ["GIT_DIR"] == str(tmp_path / "theirs" / ".git"), "the caller's own are as they were"


def test_a_part_that_went_by_an_edit_is_not_missed_ever_after(book: Book) -> None:
    part = "## Two\n\n```sh\nlight --all the lamps of the house\n```\n\n"
    text = f"# One\n\n{chr(10).join(paragraphs(6, 1))}\n\n{part}## Three\n\nMore text here.\n\n```sh\nwait\n```\n"
    book.put("ch.md", text.encode())
    assert not book.write("ch.md", text.replace(part, "").encode()).committed, "by a whole write it is lost"
    text = text.replace(part, "")
    assert book.write("ch.md", text.encode(), declared=part.encode()).committed
    assert book.write("ch.md", text.replace("## Three", "## The third").encode()).committed
    assert not book.write("ch.md", text.replace("```sh\nwait\n```\n", "").encode()).committed, "and another is lost"


def test_a_mark_stays_where_a_word_of_it_was_lost(book: Book) -> None:
    """Grown by 600 words past what a person accepted, then cut in slices that the baseline alone would allow."""
    old, more = paragraphs(20, 1), paragraphs(12, 2)
    book.put("ch.md", joined(old))
    assert book.write("ch.md", joined([*old, *more])).committed
    assert book.write("ch.md", joined([*old, *more[:9]])).committed
    result = book.write("ch.md", joined([*old, *more[:6]]))
    assert not result.committed
    assert "word-floor" in result.verdict.rules


def test_an_edited_policy_is_in_force_where_it_is_stricter_and_nowhere_else(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    with book.open():
        pass
    set_rules(book.root, {"word_floor": 0.01, "delta_cap": 5000, "survival": 0.01, "small_floor": 0.9})
    with book.open() as proxy:
        limits = proxy.limits
    assert (limits.word_floor, limits.delta_cap, limits.survival, limits.small_floor) == (0.85, 300, 0.7, 0.9)


def test_bytes_that_are_not_those_of_their_hash_are_not_handed_out(book: Book) -> None:
    book.put("ch.md", chapter(300))
    with book.open() as proxy:
        proxy.check(book.root / "ch.md", b"")
        sha = disk.sha256(chapter(300))
        with proxy.ledger.transaction():
            proxy.ledger.change("UPDATE blobs SET data=? WHERE sha=?", (zlib.compress(b"something else"), sha))
        with pytest.raises(StateBroken, match="snapshot"):
            proxy.ledger.load(sha)


def test_a_staging_branch_is_never_overwritten(book: Book) -> None:
    subprocess.run(["git", "init", "-q", str(book.root)], check=True, timeout=60)
    first = staging.stage(book.root, [staging.Change("a.md", b"one\n", b"two\n")], "n", "a.md", "x")
    second = staging.stage(book.root, [staging.Change("a.md", b"one\n", b"other\n")], "n", "a.md", "x")
    assert first.branch
    assert (second.branch, bool(second.problem)) == ("", True)
    ref = subprocess.run(
        ["git", "-C", str(book.root), "rev-parse", first.branch], capture_output=True, text=True, timeout=60, check=True
    )
    assert ref.stdout.strip() == first.proposal_commit


def test_gc_keeps_what_taking_a_growth_back_needs(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version with most words before the growth is neither on the disk nor a mark meanwhile."""
    with book.open():
        pass
    policy = book.root / "stet.toml"
    policy.write_text(policy.read_text().replace("[store]\n", "[store]\nkeep_days = 1.0\nkeep_versions = 1\n"))
    with book.open() as proxy, monkeypatch.context() as patch:
        patch.setattr(person, "require", lambda ledger, command, what: "terminal")
        operator.accept_policy(proxy)
    old = paragraphs(20, 1)
    versions = [joined(old)]
    versions.append(versions[0].replace(b"w1x0x3 ", b"w1x0x-3 "))
    versions.append(versions[1] + b"\n" + joined(paragraphs(5, 2)))
    versions.append(versions[1] + b"\n" + joined(paragraphs(5, 2)[:3]))
    versions.append(versions[3] + b"\n" + joined(paragraphs(9, 3)))
    book.put("ch.md", versions[0])
    for text in versions[1:]:
        assert book.write("ch.md", text).committed
    book.now += 3 * DAY
    with book.open() as proxy:
        gc.collect(proxy)
    assert book.write("ch.md", versions[3]).committed, "one step back"
    assert book.write("ch.md", reword(versions[3])).committed


def test_what_a_partial_clone_lacks_is_not_fetched(tmp_path: Path) -> None:
    origin, clone, ran = tmp_path / "origin", tmp_path / "clone", tmp_path / "ran"

    def git(folder: Path, *words: str) -> str:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        done = subprocess.run(
            ["git", "-C", str(folder), *who, *words], capture_output=True, text=True, timeout=60, check=True
        )
        return done.stdout.strip()

    origin.mkdir()
    git(origin, "init", "-q")
    (origin / "a.md").write_text("One.\n")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "one")
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    blob = git(origin, "rev-parse", "HEAD:a.md")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{origin}", str(clone))
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\nexit 1\n")
    program.chmod(0o755)
    git(clone, "config", "remote.origin.uploadpack", str(program))
    found = find_repository(clone)
    assert found
    with pytest.raises(GitFailed):
        found.run("cat-file", "blob", blob)
    assert not ran.exists()
    subprocess.run(["git", "-C", str(clone), "cat-file", "blob", blob], capture_output=True, timeout=60)
    assert ran.exists(), "a plain git would have asked"
