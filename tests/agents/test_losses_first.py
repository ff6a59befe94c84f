"""A runtime ends a hook that takes too long: whenever that is, no known text is lost on the disk meanwhile."""

from __future__ import annotations

import os
import signal
import sys

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import Book, NewBook, chapter, is_killed, prose
from turn_kit import SESSION, Agent

from firewall.agents import precaution, turns
from firewall.agents.sweep import sweep
from firewall.writes import assess

LONG = ("# Notes\n\n" + "\n\n".join(prose(400, seed=s) for s in range(20))).encode()
"""More than is judged at once."""


def ended_over(agent: Agent, name: str) -> bool:
    """Was a hook ended, like one whose runtime lost its patience, as soon as it judged the file?"""
    child = os.fork()
    if child == 0:
        judge = assess.assess

        def slow(bench: object, wanted: list[tuple[object, object, object]]) -> object:
            if any(str(target.relative) == name for _, target, _ in wanted):  # type: ignore[attr-defined]
                os.kill(os.getpid(), signal.SIGKILL)
            return judge(bench, wanted)  # type: ignore[arg-type]

        try:
            assess.assess = slow  # type: ignore[assignment]
            with agent.book.open(session=SESSION) as proxy:
                turn = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at)
                sweep(proxy, turn, SESSION)
        finally:
            os._exit(0)
    return bool(is_killed(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))


def test_a_loss_is_put_back_before_a_long_new_file_is_judged(book: Book) -> None:
    book.put("ch.md", chapter())
    book.put("gone.md", chapter(seed=2))
    book.put("link.md", chapter(seed=3))
    with Agent(book) as agent:
        agent.shell("echo Gone > ch.md; rm gone.md; ln -sf /dev/null link.md")
        agent.path("junk.md").write_bytes(LONG)
        assert ended_over(agent, "junk.md")
        for name, seed in (("ch.md", 1), ("gone.md", 2), ("link.md", 3)):
            assert agent.path(name).read_bytes() == chapter(seed=seed), name
        swept = agent.look()
        assert {p: s.fate for p, s in swept.items()} == {
            "ch.md": "restored", "gone.md": "restored", "link.md": "restored", "junk.md": "accepted",
        }  # fmt: skip
        number = int(swept["ch.md"].message.rstrip("`.").rpartition(" ")[2])
        rows = agent.proxy.ledger.query("SELECT new FROM journal WHERE seq=?", (number,))
        assert agent.proxy.ledger.load(str(rows[0][0])) == b"Gone\n"
        assert agent.look() == {}, "told of once"


def test_a_file_over_which_two_hooks_were_ended_is_refused_unread(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.shell("echo Gone > ch.md")
        agent.path("junk.md").write_bytes(LONG)
        assert ended_over(agent, "junk.md")
        assert ended_over(agent, "junk.md"), "the next hook meets it again"
        assert not ended_over(agent, "junk.md"), "and the third judges it no more"
        assert agent.path("junk.md").read_bytes() == LONG
        known = agent.proxy.ledger.artifact("junk.md")
        assert known is not None
        assert known.disk == "", "nobody's version"
        agent.path("junk.md").write_bytes(LONG + b"\nMore.\n")
        assert agent.look()["junk.md"].fate == "accepted", "other bytes are judged anew"


def test_a_known_file_that_is_never_judged_to_its_end_goes_back(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.path("ch.md").write_bytes(LONG)
        assert ended_over(agent, "ch.md")
        assert ended_over(agent, "ch.md")
        swept = agent.look()
        assert swept["ch.md"].fate == "restored"
        assert "check-broken" in [f.rule for f in swept["ch.md"].result.verdict.findings]  # type: ignore[union-attr]
        assert agent.path("ch.md").read_bytes() == chapter()


def test_a_note_of_a_hook_that_lives_is_nobodys_to_tell(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        precaution._remember(agent.proxy, {"ch.md": 1}, {})
        assert agent.look() == {}


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(parts=st.integers(2, 6), of=st.sampled_from(["ch.md", "old.md"]))
def test_a_long_split_passes_as_it_did(new_book: NewBook, parts: int, of: str) -> None:
    """What is put back for now takes the agent's place again when all together passes."""
    book = new_book(f"split-{parts}-{of}")
    sections = [f"## Section {i}\n\n{prose(900, seed=50 + i)}\n" for i in range(8)]
    book.put(of, ("# Chapter\n\n" + "\n".join(sections)).encode())
    with Agent(book) as agent:
        agent.path(of).write_text("# Chapter\n\n" + sections[0])
        for number in range(1, parts):
            some = sections[1:][number - 1 :: parts - 1]
            agent.path(f"part{number}.md").write_text(f"# Part {number}\n\n" + "\n".join(some))
        now = {p.name: p.read_bytes() for p in agent.root.glob("*.md")}
        swept = agent.look()
        assert {s.fate for s in swept.values()} == {"accepted"}, {p: s.message for p, s in swept.items()}
        assert {p.name: p.read_bytes() for p in agent.root.glob("*.md")} == now
        assert agent.proxy.ledger.meta(precaution._key(agent.proxy)) is None


def test_a_long_change_with_a_loss_is_refused_as_it_was(book: Book) -> None:
    book.put("ch.md", chapter())
    book.put("other.md", chapter(seed=9))
    with Agent(book) as agent:
        agent.path("long.md").write_bytes(LONG)
        swept = agent.runs(f"{sys.executable} -c \"open('ch.md', 'w').write('Gone')\"; echo More. >> other.md")
        assert {p: s.fate for p, s in swept.items()} == {
            "ch.md": "restored", "other.md": "accepted", "long.md": "accepted",
        }  # fmt: skip
        assert swept["ch.md"].result is not None
        assert swept["ch.md"].result.attempt == 1
        assert agent.path("ch.md").read_bytes() == chapter()
