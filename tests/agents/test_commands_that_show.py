"""Which long files a shell command counts as having shown: as many with the short way out as without it, and never by
a list that is no longer true.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from stet_kit import Book, NewBook, chapter
from turn_kit import Agent

from firewall.agents import coverage, memory

NAMES = ["one.md", "two.md", "part/one.md", "part/deep/three.md", "ls/four.md", "a b.md", "é.md"]
WORDS = [
    "ls", "cat", "sed -n 1,5p", "one.md", "./two.md", "part", "part/", "deep", "/", "//", "*", "*.md", "t?o.md", "-r",
    ".", "..", "ne.md", "part/deep/three.md", "'a b.md'", "b.md", "é.md", "|", "=one.md", "nobody.md", "",
]  # fmt: skip


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent in a folder of long files and a short one."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("shown")
        book = Book(folder / "book")
        for name, value in book.user.environment().items():
            patch.setenv(name, value)
        book.found()
        for at, name in enumerate(NAMES):
            book.put(name, chapter(1100, seed=at))
        book.put("part/short.md", chapter(60))
        with Agent(book) as made:
            yield made


def shown(agent: Agent, command: str) -> set[str]:
    """The files that the command is noted to have shown."""
    with agent.proxy.ledger.transaction(durable=False):
        agent.proxy.ledger.change("DELETE FROM coverage")
    coverage.shown(agent.proxy, command)
    rows = agent.proxy.ledger.query("SELECT a.path FROM coverage c JOIN artifacts a ON a.id=c.artifact")
    return {str(path) for (path,) in rows}


@given(st.lists(st.sampled_from(WORDS) | st.text("/.*[?-abl ", max_size=4), max_size=5).map(" ".join))
@example("ls")
@example("cat part/short.md")
@example("/")
def test_what_a_command_names_is_noted_and_nothing_else(agent: Agent, command: str) -> None:
    assert shown(agent, command) == set(coverage.named_in(command, NAMES))


def test_every_way_to_name_a_file_is_seen(agent: Agent) -> None:
    assert shown(agent, "ls") == {"ls/four.md"}, "a folder of that name may be what it listed"
    assert shown(agent, "cat two.md") == {"two.md"}
    assert shown(agent, "cat x/one.md") == {"one.md", "part/one.md"}
    assert shown(agent, "cat deep") == {"part/deep/three.md"}
    assert shown(agent, "grep -r words") == set(NAMES)
    assert shown(agent, "cat t*") == {"two.md", "part/deep/three.md"}
    assert shown(agent, "echo done") == set()


def test_the_list_is_that_of_now_whoever_changed_it(new_book: NewBook) -> None:
    books = [new_book("a"), new_book("b")]
    for book in books:
        book.put("old.md", chapter(50))
    with books[0].open() as first, books[0].open() as second, books[1].open() as other:
        for proxy in (first, other):
            proxy.adopt([proxy.root / "old.md"])
        assert memory.listed(first) == memory.listed(first) == memory.listed(other) == "old.md"
        books[0].put("own.md", chapter(50, seed=1))
        first.adopt([first.root / "own.md"])
        assert memory.listed(first).split(memory.BETWEEN) == ["old.md", "own.md"]
        books[0].put("third.md", chapter(50, seed=2))
        second.adopt([second.root / "third.md"])
        for proxy in (first, second):
            assert memory.listed(proxy).split(memory.BETWEEN) == ["old.md", "own.md", "third.md"]
        with second.ledger.transaction():
            second.ledger.change("UPDATE artifacts SET disk='' WHERE path='old.md'")
        assert memory.listed(first).split(memory.BETWEEN) == ["own.md", "third.md"]
        assert memory.listed(other) == "old.md"
        with second.ledger.transaction():
            second.ledger.change("UPDATE artifacts SET disk=''")
        assert memory.listed(first) == memory.listed(second) == ""
