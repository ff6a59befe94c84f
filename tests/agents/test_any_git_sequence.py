"""Whatever an agent does with git and its shell, in any order and over several turns, no text of people is lost."""

from __future__ import annotations

import secrets
import subprocess

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import Book, NewBook, chapter, prose
from turn_kit import Agent, committed, git

from firewall.agents import seal, turns
from firewall.agents.sweep import sweep
from firewall.writes import cases

STEPS = {
    "edit": "sed -i '5s/$/ and so on/' ch.md",
    "cut": "head -n -4 ch.md > x.tmp; cat x.tmp > ch.md",
    "grow": "printf '\\n{prose}\\n' >> ch.md",
    "stub": "echo short > ch.md",
    "remove": "rm -f ch.md",
    "checkout": "git checkout -q -- .",
    "older": "git checkout -q main~1 -- ch.md",
    "branch": "git checkout -q -f old",
    "main": "git checkout -q -f main",
    "stash": "git stash -q",
    "pop": "git stash pop -q",
    "commit": "git commit -qam work",
    "keep": "git checkout -q -b keep; git commit -qam wip",
    "drop": "git branch -q -D keep",
    "drop stash": "git stash drop -q",
    "aside": "cat ch.md >> other.md; echo > ch.md",
    "other": "git checkout -q -- other.md",
    "reset": "git reset -q --hard",
    "back": "git reset -q --hard HEAD~1",
    "rename": "git mv ch.md ch2.md; git mv ch2.md ch.md",
}


LEAST = 0.7
"""What the rules leave of a text, at the least (survival)."""


def part(found: bytes, text: bytes) -> float:
    """Which part of the lines of a text is in another."""
    lines = text.split(b"\n")
    return sum(line in found for line in lines) / len(lines)


def in_git(book: Book) -> list[bytes]:
    """The chapter as each commit has it that a ref or the stash names, with the file beside it."""
    commits = git(book.root, "rev-list", "--exclude=refs/heads/stet/*", "--all").split()
    return [
        b"".join(_blob(book, f"{commit}:{name}") for name in ("ch.md", "other.md")) for commit in dict.fromkeys(commits)
    ]


def _blob(book: Book, name: str) -> bytes:
    return subprocess.run(["git", "show", name], cwd=book.root, check=False, capture_output=True).stdout


def waiting(agent: Agent) -> list[bytes]:
    """The texts that wait for a person."""
    ledger = agent.proxy.ledger
    return [ledger.load(case.proposal) or b"" for case in cases.every(ledger, ("hold",), cases.PENDING)]


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_sequence_of_git_and_shell_loses_a_persons_text(data: st.DataObject, new_book: NewBook) -> None:
    book = new_book(f"any-{secrets.token_hex(4)}")
    git(book.root, "init", "-q")
    git(book.root, "config", "user.name", "A")
    git(book.root, "config", "user.email", "a@b")
    mine = {chapter(1200, seed=3), chapter(1100, seed=4)}
    book.put("other.md", chapter(300, seed=5))
    for text in sorted(mine):
        book.put("ch.md", text)
        committed(book.root)
    git(book.root, "branch", "old", "HEAD~1")
    unsaved = data.draw(st.booleans(), "unsaved work")
    if unsaved:
        mine.add(chapter(1200, seed=3) + prose(400, seed=11).encode() + b"\n")
        book.put("ch.md", max(mine, key=len))
    with Agent(book) as agent:
        for _ in range(data.draw(st.integers(1, 5), "steps")):
            step = data.draw(st.sampled_from(sorted(STEPS)), "step")
            swept = agent.runs(STEPS[step].replace("{prose}", prose(40, seed=len(step))))
            assert {s.fate for s in swept.values()} <= {"accepted", "restored", "adopted", "removed", "dropped"}
            if data.draw(st.integers(0, 3), "new turn") == 0:
                sweep(agent.proxy, agent.turn, agent.session)
                turns.close_turn(agent.proxy, agent.session)
                turns.open_turn(agent.proxy, agent.session)
        assert not agent.look(), "nothing is left undecided"
        known = agent.proxy.ledger.artifact("ch.md")
        assert known, "the file is there under its name"
        assert seal.follows(agent.proxy.ledger, known)
        there = agent.path("ch.md").read_bytes()
        assert agent.proxy.ledger.load(known.disk) == there
        baseline = agent.proxy.ledger.load(known.baseline)
        assert baseline in mine, "only what people wrote is a baseline"
        beside = agent.path("other.md").read_bytes()
        assert part(there + beside, baseline) >= LEAST
        for text in mine:  # what a person wrote is in the work tree, in a commit, or waits for them
            assert any(part(found, text) >= LEAST for found in (there + beside, *in_git(book), *waiting(agent)))
        for text in mine:  # each version of theirs can be had again: from git, the store, or the disk
            sha = [row[0] for row in agent.proxy.ledger.query("SELECT sha FROM blobs WHERE size=?", (len(text),))]
            kept = any(agent.proxy.ledger.load(s) == text for s in sha)
            assert kept or text in (chapter(1200, seed=3), chapter(1100, seed=4))
