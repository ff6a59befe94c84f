"""What an agent's shell does to guarded files is judged, and put back where the rules refuse it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stet_kit import Book, chapter, no_leftovers, reword
from turn_kit import Agent


@pytest.fixture
def agent(book: Book) -> Iterator[Agent]:
    book.put("ch.md", chapter())
    with Agent(book) as made:
        yield made


DAMAGE = {
    "sed -i": "sed -i '10,$d' ch.md",
    "heredoc": "cat > ch.md <<'E'\n# Notes\n\nTo be continued.\nE",
    "redirect": "echo short > ch.md",
    "force redirect": "echo short >| ch.md",
    "tee": "echo short | tee ch.md",
    "mv over it": "echo short > x.txt; mv x.txt ch.md",
    "cp over it": "echo short > new.txt; cp new.txt ch.md",
    "cp of nothing": "cp /dev/null ch.md",
    "rm": "rm ch.md",
    "mv away": "mv ch.md ch.bak",
    "truncate": "truncate -s 100 ch.md",
    "truncate to nothing": ": > ch.md",
    "dd": "dd if=/dev/zero of=ch.md bs=1 count=20",
    "python": "python3 -c \"open('ch.md','w').write('x')\"",
    "perl puts a NUL in": "perl -pi -e 's/ /\\0/ if $. == 3' ch.md",
    "a placeholder": "printf '# Title\\n\\n[... rest of the existing content remains unchanged ...]\\n' > ch.md",
    "a write that is killed": "( exec 3> ch.md; kill -9 $BASHPID )",
}


@pytest.mark.parametrize("command", DAMAGE.values(), ids=list(DAMAGE))
def test_damage_is_put_back_at_once_and_counts(agent: Agent, command: str) -> None:
    before = (agent.root / "ch.md").read_bytes()
    swept = agent.runs(command)
    assert swept["ch.md"].fate == "restored", swept
    assert (agent.root / "ch.md").read_bytes() == before
    result = swept["ch.md"].result
    assert result is not None
    assert result.attempt == 1
    assert "put back" in swept["ch.md"].message
    assert result.verdict.findings[0].message in swept["ch.md"].message
    assert not agent.look(), "nothing differs any more"
    assert no_leftovers(agent.root) == []


def test_an_honest_edit_is_recorded_and_moves_the_mark(agent: Agent) -> None:
    new = reword(chapter())
    (agent.root / "ch.md").write_bytes(new)
    swept = agent.look()
    assert swept["ch.md"].fate == "accepted"
    known = agent.proxy.ledger.artifact("ch.md")
    assert known is not None
    assert agent.proxy.ledger.load(known.disk) == new
    assert known.baseline != known.disk
    assert not agent.look()
