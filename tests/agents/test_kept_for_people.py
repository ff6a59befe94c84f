"""Whatever Stet puts back, or does not accept, a person can have again; and what may be theirs is asked about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hook_kit import Claude
from stet_kit import Book, chapter, reword

from firewall.agents import living, turns
from firewall.commands.show import kept_bytes
from firewall.errors import StorageError
from firewall.writes import answers, cases, disk, operator, person

LATIN = ("\n\n".join(f"Une ligne écrite à la main, numéro {i}." for i in range(40)) + "\n").encode("latin-1")


@pytest.fixture(autouse=True)
def _a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is there and confirms."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")


@pytest.fixture
def claude(book: Book) -> Claude:
    book.put("ch.md", chapter())
    made = Claude(book)
    made.prompt()
    return made


def told(said: dict[str, object]) -> str:
    return str(said)


def attempts(book: Book, name: str) -> int:
    with book.open() as proxy:
        known = proxy.ledger.artifact(name)
        return known.attempts if known else 0


def number_in(text: str) -> int:
    return int(text.split(" --to ", 1)[1].split("`", 1)[0])


# -- new files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("words.txt", LATIN),
        ("notes.txt", "A page of notes.\r\n".encode("utf-16")),
        ("log.txt", b"first line\n[1234 lines omitted]\nlast line\n"),
        ("nul.md", b"a\0b"),
        ("nb.ipynb", b"no notebook"),
    ],
)
def test_a_new_file_that_is_refused_stays_and_is_told_of_once(claude: Claude, name: str, data: bytes) -> None:
    path = claude.book.put(name, data)
    said = told(claude.ran("mv ../words ."))
    assert "it stays where it is" in said
    assert f"stet accept {name}" in said
    assert attempts(claude.book, name) == 1
    assert path.read_bytes() == data
    assert claude.ran("ls") == {}
    assert claude.stop() == {}
    claude.prompt()
    assert claude.ran("ls") == {}
    assert path.read_bytes() == data
    assert attempts(claude.book, name) == 1
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact(name)
        assert known is not None
        assert not known.disk, "it is nobody's baseline"


def test_a_new_file_that_was_left_is_accepted_by_a_person_and_judged_when_it_is_mended(claude: Claude) -> None:
    path = claude.book.put("words.txt", LATIN)
    other = claude.book.put("more.txt", LATIN)
    claude.ran("tar x")
    path.write_bytes(LATIN.decode("latin-1").encode())
    assert claude.ran("iconv") == {}
    with claude.book.open() as proxy:
        operator.accept(proxy, other)
        for name in ("words.txt", "more.txt"):
            known = proxy.ledger.artifact(name)
            assert known is not None
            assert known.disk
    claude.stop()  # until then it is the agent's own (test_scratch.py)
    claude.prompt()
    path.write_bytes(b"Gone.\n")
    assert "put back" in told(claude.ran("echo Gone. > words.txt")), "it is guarded from then on"


@pytest.mark.parametrize("way", ["Write", "Edit", "stet write"])
def test_an_agent_may_mend_what_was_left(claude: Claude, way: str) -> None:
    path = claude.book.put("log.md", b"# Log\n\nfirst line\n[1234 lines omitted]\nlast line\n")
    claude.ran("curl -o log.md")
    good = b"# Log\n\nfirst line\nlast line\n"
    if way == "Write":
        assert claude.write("log.md", good) == {}
    elif way == "Edit":
        assert claude.edit("log.md", "[1234 lines omitted]\n", "") == {}
        path.write_bytes(good)
        assert claude.ran("true") == {}
    else:
        assert claude.book.write("log.md", good).committed
    assert path.read_bytes() == good
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("log.md")
        assert known is not None
        assert proxy.ledger.load(known.disk) == good


def test_a_write_that_fails_takes_nothing_of_what_was_left(claude: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    left = b"# Log\n\nfirst line\n[1234 lines omitted]\nlast line\n"
    path = claude.book.put("log.md", left)
    claude.ran("curl -o log.md")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(disk, "_write_temp", full)
        with pytest.raises(StorageError):
            claude.book.write("log.md", b"# Log\n\nfirst line\nlast line\n")
    assert path.read_bytes() == left
    assert claude.book.write("log.md", b"# Log\n\nfirst line\nlast line\n").committed


@pytest.mark.skipif(not Path("/proc/self/ns/pid").exists(), reason="tells processes apart by /proc")
def test_what_only_runs_a_hook_is_no_runtime(tmp_path: Path) -> None:
    """A script between runtime and hook ends with the hook, and says nothing of the agent."""
    script = tmp_path / "stet-hook"
    script.write_text("from firewall.agents import living\nprint(living.runtime())\n")
    run = "import os, subprocess, sys; subprocess.run([sys.executable, os.environ['SCRIPT']], check=True)"
    old = f"import subprocess, sys, time; time.sleep(2.2); subprocess.run([sys.executable, '-c', {run!r}], check=True)"
    with subprocess.Popen(
        [sys.executable, "-c", old], stdout=subprocess.PIPE, text=True, env={**os.environ, "SCRIPT": str(script)}
    ) as process:
        said = process.communicate(timeout=60)[0].split()
        assert said[3:4] == [str(process.pid)], "not the one just begun"


def test_what_was_left_and_then_removed_can_be_had_again(claude: Claude) -> None:
    path = claude.book.put("words.txt", LATIN)
    claude.ran("mv ../words.txt .")
    path.unlink()
    claude.ran("rm words.txt")
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("words.txt")
        assert known is not None
        numbers = [v.number for v in operator.versions(proxy, known, operator.REFUSED)]
        assert operator.restore(proxy, path, numbers[-1]).committed
    assert path.read_bytes() == LATIN


# -- what is put back -------------------------------------------------------------------------------------------


def test_without_git_the_message_names_a_command_that_brings_it_back(claude: Claude) -> None:
    path = claude.book.root / "ch.md"
    path.write_bytes(b"Gone, with a NUL.\0\n")
    said = told(claude.ran("printf > ch.md"))
    assert path.read_bytes() == chapter()
    with claude.book.open() as proxy:
        number = number_in(said)
        assert kept_bytes(proxy, str(number)) == b"Gone, with a NUL.\0\n"
        assert operator.restore(proxy, path, number).committed
    assert path.read_bytes() == b"Gone, with a NUL.\0\n"


def test_what_is_put_back_of_a_latched_file_can_be_had_again(claude: Claude) -> None:
    path = claude.book.root / "ch.md"
    for i in range(3):
        path.write_bytes(b"Gone %d.\0\n" % i)
        claude.ran("printf > ch.md")
    path.write_bytes(b"A fourth version.\n")
    said = told(claude.ran("printf > ch.md"))
    with claude.book.open() as proxy:
        assert kept_bytes(proxy, str(number_in(said))) == b"A fourth version.\n"


# -- a person's own -----------------------------------------------------------------------------------------------


def only_case(book: Book) -> str:
    with book.open() as proxy:
        [case] = cases.every(proxy.ledger, ("hold",), cases.PENDING)
        return case.id


@pytest.mark.parametrize("mine", [b"A whole new chapter, written by hand.\n", LATIN], ids=["a rewrite", "Latin-1"])
def test_what_is_found_at_a_prompt_is_put_back_and_offered_and_nobodys_attempt(claude: Claude, mine: bytes) -> None:
    path = claude.book.root / "ch.md"
    claude.ran("ls")  # then Esc, of which no event tells
    path.write_bytes(mine)
    said = told(claude.prompt())
    ident = only_case(claude.book)
    assert f"stet approve {ident}" in said
    assert f"stet show {ident} --content" in said
    assert attempts(claude.book, "ch.md") == 0
    assert path.read_bytes() == chapter()
    with claude.book.open() as proxy:
        assert kept_bytes(proxy, ident) == mine
        answer = answers.approve(proxy, ident)
        assert answer.done, answer
    assert path.read_bytes() == mine


def test_a_page_that_a_person_removed_after_esc_waits_for_their_yes(claude: Claude) -> None:
    path = claude.book.root / "ch.md"
    path.unlink()
    claude.prompt()
    assert path.read_bytes() == chapter()
    with claude.book.open() as proxy:
        assert answers.approve(proxy, only_case(claude.book)).done
    assert not path.exists()


def test_an_honest_edit_after_esc_stays_as_it_is(claude: Claude) -> None:
    path = claude.book.put("ch.md", reword(chapter()))
    assert claude.prompt() == {}
    assert path.read_bytes() == reword(chapter())


@pytest.mark.skipif(not Path("/proc/self/ns/pid").exists(), reason="tells processes apart by /proc")
def test_the_turn_of_a_session_whose_process_ended_is_closed_when_another_starts(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book.put("ch.md", chapter())
    with subprocess.Popen(["sleep", "60"]) as process:
        monkeypatch.setattr(living, "runtime", lambda: living.mark(process.pid))
        first = Claude(book)
        first.prompt()
        first.ran("ls")
        assert Claude(book).answer("SessionStart", source="startup") == {}
        with book.open() as proxy:
            assert turns.is_open(proxy, first.session), "it lives"
        process.kill()
    path.write_bytes(b"Rewritten by hand.\n")
    monkeypatch.setattr(living, "runtime", lambda: "")
    second = Claude(book)
    assert "stet approve P" in told(second.answer("SessionStart", source="startup")), "it may be the dead one's"
    assert path.read_bytes() == chapter()
    path.write_bytes(b"Rewritten by hand again.\n")
    assert second.prompt() == {}, "nobody is at work: it is a person's"
    assert path.read_bytes() == b"Rewritten by hand again.\n"
    assert attempts(book, "ch.md") == 0


def test_a_process_that_cannot_be_told_is_not_held_dead() -> None:
    assert not living.is_gone("")
    assert not living.is_gone("elsewhere boot pid:[1] 4 5")
    assert living.runtime() == "", "this is no hook's process"
    mine = living.mark(os.getpid())
    assert not living.is_gone(mine)
    words = mine.split(" ")
    assert living.is_gone(" ".join([*words[:3], words[3], "1"])), "another process has its number now"
    assert not living.is_gone(" ".join([*words[:2], "pid:[1]", *words[3:]])), "numbers of another namespace say nothing"


def test_work_in_the_background_counts_at_a_prompt_as_ever(claude: Claude) -> None:
    claude.stop(background_tasks=[{"id": "b1"}])
    (claude.book.root / "ch.md").write_bytes(b"Gone.\n")
    claude.prompt()
    assert attempts(claude.book, "ch.md") == 1


def test_what_stood_there_is_no_way_for_a_proposal_past_the_rules_of_texts(book: Book) -> None:
    """A yes to what a model proposed lifts size and survival, and never `bytes`."""
    path: Path = book.put("ch.md", chapter())
    result = book.write("ch.md", chapter(700))
    with book.open() as proxy:
        answer = answers.edit(proxy, result.held, lambda name, data: b"a\0b")
        assert not answer.done
    assert path.read_bytes() == chapter()
