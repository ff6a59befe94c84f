"""A person's answers: what they apply, what they may not, and that they leave nothing stuck."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import STUB, Book, NewBook, chapter, prose, reword

from firewall.errors import NotFound, StorageError
from firewall.writes import answers, cases, commit, disk, operator, person
from firewall.writes.answers import Answer, EditUnchanged, NotEditable
from firewall.writes.claims import LateAnswer
from firewall.writes.operator import verify_journal
from firewall.writes.proposal import Proposal
from firewall.writes.proxy import WriteResult
from firewall.writes.waiting import NothingProposed, SetBroken

STUBS = tuple(STUB.replace(b"continued", word) for word in (b"continued", b"told", b"written"))
CONDENSED = chapter(800)
"""The first 800 words of a chapter: what a person may want, and the rules hold."""


@pytest.fixture(autouse=True)
def says_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is there and confirms; test_operator_terminal.py asks real terminals."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")


def approve(book: Book, ident: str) -> Answer:
    with book.open() as proxy:
        return answers.approve(proxy, ident)


def reject(book: Book, ident: str) -> Answer:
    with book.open() as proxy:
        return answers.reject(proxy, ident)


def write_set(book: Book, *proposals: Proposal) -> list[WriteResult]:
    with book.open() as proxy:
        return proxy.write_set(proposals)


def state(book: Book, ident: str) -> str:
    with book.open() as proxy:
        case = cases.get(proxy.ledger, ident)
    assert case is not None
    return case.state


def held(book: Book, name: str = "ch.md", text: bytes | None = CONDENSED) -> str:
    """A chapter of 1,200 words on disk, and a proposal for it that is held; its id."""
    if not (book.root / name).exists():
        book.put(name, chapter(1200))
    result = book.write(name, text)
    assert not result.committed
    assert result.held, result.verdict
    return result.held


def tripped(book: Book, *texts: bytes, name: str = "ch.md") -> str:
    """The id of the alert after as many proposals as it takes."""
    if not (book.root / name).exists():
        book.put(name, chapter(1200))
    for text in texts:
        result = book.write(name, text)
    assert result.alert is not None
    return result.alert.id


def test_approve_applies_exactly_what_was_held(book: Book) -> None:
    ident = held(book)
    answer = approve(book, ident)
    assert (answer.done, answer.state, state(book, ident)) == (True, "approved", "approved")
    assert (book.root / "ch.md").read_bytes() == CONDENSED
    with book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        entry = proxy.ledger.journal(known.id)[-1]
        assert (entry.kind, entry.new, entry.source) == ("approve", disk.sha256(CONDENSED), "operator")
        assert known.answered == entry.seq
        assert known.baseline == known.mark == known.high == entry.new
        assert verify_journal(proxy.ledger.journal()) is None
    assert book.write("ch.md", reword(CONDENSED)).committed, "a yes leaves nothing stuck"
    with book.open() as proxy:
        assert operator.versions(proxy, known)[0].sha256 == disk.sha256(chapter(1200))


def test_an_answer_comes_once(book: Book) -> None:
    ident = held(book)
    approve(book, ident)
    for late in (approve, reject):
        with pytest.raises(LateAnswer, match="approved"):
            late(book, ident)
    again = held(book, text=chapter(300))
    reject(book, again)
    with pytest.raises(LateAnswer, match="rejected"):
        approve(book, again)
    with pytest.raises(NotFound):
        approve(book, "P00000000")


def test_what_changed_since_is_not_approved(book: Book) -> None:
    ident = held(book)
    book.put("ch.md", reword(chapter(1200)))
    answer = approve(book, ident)
    assert (answer.done, answer.results[0].verdict.rules) == (False, ("stale-base",))
    assert "changed since this was proposed" in answer.results[0].verdict.findings[0].message
    assert (book.root / "ch.md").read_bytes() == reword(chapter(1200))
    assert state(book, ident) == "waiting"
    book.put("ch.md", chapter(1200))
    assert approve(book, ident).done, "it is there again"


def test_the_disk_that_changes_while_a_person_thinks_wins(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = held(book)

    def thinks(ledger: object, command: str, what: str) -> str:
        book.put("ch.md", reword(chapter(1200)))
        return "terminal"

    monkeypatch.setattr(person, "require", thinks)
    assert not approve(book, ident).done
    assert (book.root / "ch.md").read_bytes() == reword(chapter(1200))


@pytest.mark.parametrize(
    ("text", "options", "rule"),
    [
        (chapter(700) + b"\nHalf a", {"stop_reason": "max_tokens"}, "truncated"),
        (chapter(700) + b"\0\n", {}, "bytes"),
        (chapter(700) + b"\n<!-- the rest stays the same -->\n", {}, "placeholder"),
        (b"```markdown\n" + chapter(700) + b"```\n", {}, "read-artifact"),
    ],
)
def test_a_yes_lifts_no_rule_that_guards_bytes(
    new_book: NewBook, text: bytes, options: dict[str, str], rule: str
) -> None:
    book = new_book(rules={"attempts": 1})
    book.put("ch.md", chapter(1200))
    first = book.write("ch.md", text, **options)
    assert first.alert is not None
    assert rule in first.verdict.rules
    answer = approve(book, first.alert.id)
    assert not answer.done
    assert rule in answer.results[0].verdict.rules
    assert not {"word-floor", "survival", "delta-cap"} & set(answer.results[0].verdict.rules), "those are lifted"
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    assert state(book, first.alert.id) == "open"


def test_a_name_that_leads_elsewhere_now_is_not_approved(book: Book) -> None:
    ident = held(book)
    book.put("other.md", chapter(1200))
    (book.root / "ch.md").unlink()
    (book.root / "ch.md").symlink_to("other.md")
    answer = approve(book, ident)
    assert not answer.done
    assert "another file" in answer.results[0].verdict.findings[0].message
    assert (book.root / "other.md").read_bytes() == chapter(1200)


def test_approving_what_tripped_opens_the_file(book: Book) -> None:
    ident = tripped(book, *STUBS)
    assert book.write("ch.md", reword(chapter(1200))).tripped
    answer = approve(book, ident)
    assert (answer.done, answer.opened) == (True, ("ch.md",))
    assert (book.root / "ch.md").read_bytes() == STUBS[2]
    assert book.write("ch.md", STUBS[2] + b"More to come.\n").committed


def test_approving_what_is_held_answers_the_alert_about_the_same_file(book: Book) -> None:
    first = held(book)
    alert = tripped(book, *STUBS[:2])
    assert approve(book, first).opened == ("ch.md",)
    assert (state(book, alert), state(book, first)) == ("answered", "approved")
    assert book.write("ch.md", reword(CONDENSED)).committed


def test_a_hold_and_the_alert_about_it_are_one_question(book: Book) -> None:
    alert = tripped(book, chapter(700), chapter(690), CONDENSED)
    with book.open() as proxy:
        (ident,) = [
            c.id for c in cases.every(proxy.ledger, ("hold",), cases.PENDING) if c.proposal == disk.sha256(CONDENSED)
        ]
    assert approve(book, alert).done
    assert (state(book, alert), state(book, ident)) == ("approved", "approved")


def test_other_proposals_for_the_file_expire_with_a_yes(book: Book) -> None:
    first, second = held(book, text=chapter(810)), held(book)
    assert approve(book, second).done
    assert state(book, first) == "expired"


def test_an_edit_that_failed_has_nothing_to_approve(book: Book) -> None:
    from firewall.verdict import Finding, Outcome

    book.put("ch.md", chapter(1200))
    for _ in range(3):
        with book.open() as proxy:
            result = proxy.attempt(book.root / "ch.md", Finding("edit-anchor", Outcome.BLOCK, "not there"))
    assert result.alert is not None
    with pytest.raises(NothingProposed):
        approve(book, result.alert.id)
    assert "approve" not in result.alert.to_json()["commands"]  # type: ignore[operator]
    assert reject(book, result.alert.id).opened == ("ch.md",)
    assert book.write("ch.md", reword(chapter(1200))).committed


def test_a_delete_is_approved_as_one_and_can_be_undone(book: Book) -> None:
    ident = held(book, text=None)
    assert approve(book, ident).done
    assert not (book.root / "ch.md").exists()
    with book.open() as proxy:
        operator.restore(proxy, book.root / "ch.md", None)
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    assert book.write("ch.md", reword(chapter(1200))).committed


# -- change sets -------------------------------------------------------------------------------------------


def set_of_three(book: Book) -> list[str]:
    """A condensed chapter, a page renamed and a page deleted, held together."""
    for name in ("a.md", "b.md", "c.md"):
        book.put(name, chapter(1200, seed=ord(name[0])))
    root = book.root
    results = write_set(
        book,
        Proposal(root / "a.md", chapter(800, seed=ord("a"))),
        Proposal(root / "b.md", None, rename_to=root / "d.md"),
        Proposal(root / "c.md", None),
    )
    assert not any(r.committed for r in results)
    return [r.held for r in results]


def test_a_change_set_is_answered_as_one(book: Book) -> None:
    a, b, c = set_of_three(book)
    answer = approve(book, b)
    assert answer.done
    assert {r.path for r in answer.results} == {"a.md", "b.md", "c.md"}
    assert sorted(p.name for p in book.root.glob("*.md")) == ["a.md", "d.md"]
    assert (book.root / "a.md").read_bytes() == chapter(800, seed=ord("a"))
    assert (book.root / "d.md").read_bytes() == chapter(1200, seed=ord("b"))
    assert {state(book, ident) for ident in (a, b, c)} == {"approved"}
    for name in ("a.md", "d.md"):
        assert book.write(name, reword((book.root / name).read_bytes())).committed


def test_all_of_a_set_or_nothing(book: Book) -> None:
    idents = set_of_three(book)
    book.put("c.md", b"Somebody works here.\n")
    answer = approve(book, idents[0])
    assert not answer.done
    assert (book.root / "a.md").read_bytes() == chapter(1200, seed=ord("a"))
    assert (book.root / "b.md").exists()
    assert {state(book, ident) for ident in idents} == {"waiting"}
    reject(book, idents[2])
    assert {state(book, ident) for ident in idents} == {"rejected"}


def test_a_set_with_a_part_that_nobody_wants_is_not_approved_in_parts(book: Book) -> None:
    for name in ("a.md", "b.md"):
        book.put(name, chapter(1200))
    first, second = write_set(
        book, Proposal(book.root / "a.md", CONDENSED), Proposal(book.root / "b.md", chapter(1200) + b"\0")
    )
    assert (first.verdict.outcome.label, second.verdict.outcome.label) == ("hold", "block")
    with pytest.raises(SetBroken, match=r"b\.md"):
        approve(book, first.held)
    assert (book.root / "a.md").read_bytes() == chapter(1200)


def test_a_set_of_which_a_part_landed_meanwhile_can_still_be_finished(book: Book) -> None:
    book.put("a.md", chapter(1200))
    new = chapter(300, seed=9)
    first, second = write_set(book, Proposal(book.root / "a.md", CONDENSED), Proposal(book.root / "new.md", new))
    assert book.write("new.md", new).committed
    assert state(book, second.held) == "expired"
    assert approve(book, first.held).done
    assert (book.root / "a.md").read_bytes() == CONDENSED


def test_a_set_proposed_again_replaces_the_old_one_whole(book: Book) -> None:
    old = set_of_three(book)
    again = set_of_three(book)
    assert not any(again), "the same under the same facts is refused unread"
    assert {state(book, ident) for ident in old} == {"waiting"}
    book.write("other.md", b"Something else happens.\n")
    new = set_of_three(book)
    assert {state(book, ident) for ident in old} == {"expired"}
    assert {state(book, ident) for ident in new} == {"waiting"}
    assert approve(book, new[0]).done


# -- edit, reject, escalate --------------------------------------------------------------------------------


def test_edit_applies_what_was_saved(book: Book) -> None:
    ident = held(book)
    with book.open() as proxy:
        answer = answers.edit(proxy, ident, lambda name, data: data.replace(b"Field notes", b"Notes"))
    assert (answer.done, answer.state, state(book, ident)) == (True, "edited", "edited")
    now = (book.root / "ch.md").read_bytes()
    assert now == CONDENSED.replace(b"Field notes", b"Notes")
    assert book.write("ch.md", reword(now)).committed


def test_an_edit_is_judged_like_a_yes(book: Book) -> None:
    ident = held(book)
    with book.open() as proxy:
        answer = answers.edit(proxy, ident, lambda name, data: data + b"\0")
    assert not answer.done
    assert "bytes" in answer.results[0].verdict.rules
    with book.open() as proxy, pytest.raises(EditUnchanged):
        answers.edit(proxy, ident, lambda name, data: data)
    with book.open() as proxy, pytest.raises(NotEditable):
        answers.edit(proxy, held(book, "gone.md", None), lambda name, data: b"x")
    assert state(book, ident) == "waiting"
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    with book.open() as proxy:
        assert answers.edit(proxy, ident, lambda name, data: b"One line.\n").done, "a person may write what they want"


def test_a_no_changes_nothing_and_is_remembered(book: Book) -> None:
    ident = held(book)
    reject(book, ident)
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    again = book.write("ch.md", CONDENSED)
    assert again.verdict.rules == ("repeat",)
    assert book.write("ch.md", reword(chapter(1200))).committed


def test_a_no_opens_a_latched_file_and_renews_no_mark(book: Book) -> None:
    book.write("ch.md", chapter(1200))
    kept = chapter(1200)[: chapter(1200).rfind(b"\n\n")] + b"\n"
    assert book.write("ch.md", kept).committed, "within the floor"
    with book.open() as proxy:
        before = proxy.ledger.artifact("ch.md")
    ident = tripped(book, *STUBS)
    assert reject(book, ident).opened == ("ch.md",)
    with book.open() as proxy:
        after = proxy.ledger.artifact("ch.md")
    assert before is not None
    assert after is not None
    assert (after.mark, after.baseline, after.baseline_at) == (before.mark, before.baseline, before.baseline_at)
    assert (after.alert, after.attempts) == ("", 0)
    assert book.write("ch.md", reword(kept)).committed


# -- what can go wrong on the way --------------------------------------------------------------------------


def test_an_answer_that_cannot_reach_the_disk_is_no_answer(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = held(book)

    def full(path: Path, data: bytes, old: disk.Reading) -> None:
        raise StorageError(action="write", path=path, reason="No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        with pytest.raises(StorageError):
            approve(book, ident)
    assert state(book, ident) == "waiting"
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    assert approve(book, ident).done


@pytest.mark.parametrize("reached", [False, True])
def test_a_process_that_dies_answers_what_reached_the_disk(
    book: Book, monkeypatch: pytest.MonkeyPatch, reached: bool
) -> None:
    ident = held(book)

    class Died(BaseException):
        pass

    real = disk.replace

    def dies(path: Path, data: bytes, old: disk.Reading) -> None:
        if reached:
            real(path, data, old)
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", dies)
        with pytest.raises(Died):
            approve(book, ident)
    with book.open() as proxy:
        assert proxy.recovered
    assert state(book, ident) == ("approved" if reached else "waiting")
    assert (book.root / "ch.md").read_bytes() == (CONDENSED if reached else chapter(1200))
    if not reached:
        assert approve(book, ident).done


@contextlib.contextmanager
def somebody_else(monkeypatch: pytest.MonkeyPatch, act: object) -> Iterator[None]:
    """`act` happens once, after everything was judged and before the commit begins."""
    real = commit.commit
    left = [act]

    def first(*arguments: object, **options: object) -> None:
        if left:
            left.pop()()  # type: ignore[operator]
        real(*arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(commit, "commit", first)
        yield


def test_somebody_who_was_quicker_wins(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = held(book)

    def moved() -> None:
        with book.open() as proxy, proxy.ledger.transaction():
            assert cases.move(proxy.ledger, ident, cases.PENDING, "rejected", book.now, "another")

    with somebody_else(monkeypatch, moved), pytest.raises(LateAnswer, match="rejected"):
        approve(book, ident)
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    with book.open() as proxy:
        assert proxy.ledger.intents() == []


# -- after a yes, an honest edit passes ----------------------------------------------------------------------

TEXTS = st.sampled_from(
    [chapter(n, s) for n in (40, 700, 900, 1200, 1500) for s in (1, 2)]
    + [prose(1100, 1).encode() + b"\n\n" + chapter(300, 5), STUB, b"Two words.\n"]
)


@given(
    proposals=st.lists(st.tuples(st.sampled_from(["a.md", "b.md"]), st.one_of(st.none(), TEXTS)), max_size=7),
    choices=st.lists(st.integers(0, 9), min_size=3, max_size=3),
    how=st.sampled_from(["approve", "edit", "reset", "accept"]),
)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_yes_an_honest_edit_passes(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    proposals: list[tuple[str, bytes | None]],
    choices: list[int],
    how: str,
) -> None:
    folder = tmp_path_factory.mktemp("yes")
    book = Book(folder)
    for name, value in (
        ("HOME", book.user.home),
        ("XDG_STATE_HOME", book.user.state),
        ("XDG_CONFIG_HOME", book.user.config),
    ):
        monkeypatch.setenv(name, str(value))
    for name in ("a.md", "b.md"):
        book.put(name, chapter(1200, ord(name[0])))
    for name, text in proposals:
        book.write(name, text)
    for choice in choices:
        with book.open() as proxy:
            waits = cases.every(proxy.ledger, ("hold", "trip"), cases.PENDING)
            names = [a.path for a in proxy.ledger.artifacts()]
            if how in ("reset", "accept") and names:
                act = operator.reset if how == "reset" else operator.accept
                yes = [act(proxy, book.root / names[choice % len(names)]).path]
            elif waits:
                case = waits[choice % len(waits)]
                try:
                    answer = (
                        answers.approve(proxy, case.id)
                        if how == "approve"
                        else answers.edit(proxy, case.id, lambda name, data: data + b"\nThe end of it.\n")
                    )
                except (NotEditable, NothingProposed, SetBroken):
                    continue
                yes = [r.path for r in answer.results] if answer.done else []
            else:
                break
        for name in yes:
            path = book.root / name
            now = path.read_bytes() if path.exists() else None
            result = book.write(name, reword(now) if now and b"." in now else b"A new beginning.\n")
            assert result.committed, (how, name, result.verdict)


@pytest.mark.parametrize("saved", [b"", b"\n", b" \n\n"])
def test_an_editor_left_with_nothing_in_the_file_is_no_answer(book: Book, saved: bytes) -> None:
    book.put("ch.md", chapter())
    held = book.write("ch.md", CONDENSED).held
    with book.open() as proxy:
        with pytest.raises(answers.EditEmptied):
            answers.edit(proxy, held, lambda name, data: saved)
        case = cases.get(proxy.ledger, held)
        assert case is not None
        assert case.pending
    assert (book.root / "ch.md").read_bytes() == chapter()


@pytest.mark.parametrize("latched", [False, True])
def test_accepting_a_file_closes_what_waits_for_it(book: Book, monkeypatch: pytest.MonkeyPatch, latched: bool) -> None:
    """It was proposed over what the person has just called right; nothing of other files is touched."""
    ident = held(book)
    other = held(book, "other.md")
    if latched:
        for text in STUBS:
            book.write("ch.md", text)
    asked: list[str] = []
    monkeypatch.setattr(person, "require", lambda ledger, command, what: asked.append(what) or "terminal")
    with book.open() as proxy:
        operator.accept(proxy, book.root / "ch.md")
    assert ident in asked[0], "the person is told before"
    assert state(book, ident) == "expired"
    assert state(book, other) == "waiting"
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    with pytest.raises(Exception, match="expired"):
        approve(book, ident)


@pytest.mark.parametrize("moved", [False, True], ids=["stays", "differs"])
def test_a_persons_restore_opens_a_latched_file(book: Book, moved: bool) -> None:
    book.put("ch.md", chapter(1200))
    if moved:
        assert book.write("ch.md", reword(chapter(1200), b"red")).committed
    before = (book.root / "ch.md").read_bytes()
    alert = tripped(book, *STUBS)
    with book.open() as proxy:
        first = operator.versions(proxy, operator.artifact_of(proxy, book.root / "ch.md")[1])[0]
        done = operator.restore(proxy, book.root / "ch.md", first.number)
    assert done.committed
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    assert (before == chapter(1200)) is not moved
    assert state(book, alert) == "answered"
    honest = book.write("ch.md", reword(chapter(1200), b"blue"))
    assert (honest.committed, honest.attempt) == (True, 0)
