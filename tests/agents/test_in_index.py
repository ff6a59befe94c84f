"""Refused text that git took before it was put back: told of, and no way past the rules in a later turn."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest
from hook_kit import Claude, reason
from stet_kit import STUB, Book, chapter
from turn_kit import committed, git


@pytest.fixture
def claude(book: Book) -> Claude:
    """At work in a folder under git with a committed chapter."""
    git(book.root, "init", "-q")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    book.put("old.md", STUB)
    book.put("ch.md", chapter())
    committed(book.root, "one")
    claude = Claude(book)
    claude.prompt()
    return claude


def ran(claude: Claude, command: str) -> dict[str, Any]:
    """Run it, and what Stet says of it."""
    subprocess.run(["/bin/bash", "-c", command], cwd=claude.book.root, check=True, capture_output=True, timeout=60)
    return claude.ran(command)


ADD = "echo '# A stub stands here now.' > ch.md; git add -A"
TAKE_OUT = "`git restore --staged ch.md`"


def test_the_refusal_says_that_the_index_has_it_and_the_person_hears_it_at_the_end(claude: Claude) -> None:
    root = claude.book.root
    said = reason(ran(claude, ADD))
    assert f"Git's index still has it: {TAKE_OUT}" in said
    assert (root / "ch.md").read_bytes() == chapter()
    notice = claude.stop()["systemMessage"]
    assert "Git's index has a refused text of ch.md" in notice
    assert TAKE_OUT in notice
    claude.prompt()
    assert claude.stop() == {}, "it was told of"
    git(root, "restore", "--staged", "ch.md")
    assert git(root, "diff", "--cached", "--name-only") == ""


def test_what_nobody_staged_is_not_spoken_of(claude: Claude) -> None:
    ran(claude, "git add -A")
    assert "index" not in reason(ran(claude, "echo '# A stub stands here now.' > ch.md"))
    ran(claude, 'echo "More of it." >> ch.md; git add -A; echo "And more." >> ch.md')
    assert claude.stop() == {}, "an honest text is staged, and another is in the work tree"


def test_an_earlier_state_that_was_staged_is_none(claude: Claude) -> None:
    assert ran(claude, 'printf "More of it" >> ch.md; git add -A') == {}
    assert ran(claude, 'printf " comes to its end here.\\n" >> ch.md') == {}
    assert claude.stop() == {}
    with claude.book.open() as proxy:
        assert not proxy.ledger.query("SELECT 1 FROM journal WHERE kind='refuse'")


def test_a_person_who_commits_it_unseen_gives_it_no_pass(claude: Claude) -> None:
    root = claude.book.root
    ran(claude, ADD)
    claude.stop()
    git(root, "commit", "-qm", "unseen")
    claude.prompt()
    assert "ch.md was put back" in reason(ran(claude, "git checkout -q -f HEAD -- ch.md"))
    assert (root / "ch.md").read_bytes() == chapter()
    claude.stop()
    git(root, "checkout", "-q", "-f", "HEAD", "--", "ch.md")  # a person does what they want
    claude.prompt()
    assert ran(claude, "touch ch.md") == {}
    assert (root / "ch.md").read_bytes() != chapter()


def test_an_agent_that_commits_it_is_told_of(claude: Claude) -> None:
    ran(claude, ADD)
    ran(claude, "git -c user.name=a -c user.email=a@b commit -qm x")
    assert "Git's last commit has a refused text of ch.md" in claude.stop()["systemMessage"]


def test_text_that_was_only_ever_staged_is_judged_at_the_end(claude: Claude) -> None:
    root = claude.book.root
    blob = "$(printf '# G\\n\\nAn agent stub stands here.\\n' | git hash-object -w --stdin)"
    assert ran(claude, f"git update-index --cacheinfo 100644,{blob},ch.md") == {}
    assert TAKE_OUT in claude.stop()["systemMessage"]
    git(root, "commit", "-qm", "persons commit")
    claude.prompt()
    assert "ch.md was put back" in reason(ran(claude, "git checkout -q -f HEAD -- ch.md"))
    with claude.book.open() as proxy:
        artifact = proxy.ledger.artifact("ch.md")
        assert artifact is not None
        rows = proxy.ledger.query("SELECT data FROM journal WHERE kind='refuse' ORDER BY seq")
        assert [json.loads(data)["attempt"] for (data,) in rows] == [0, 1], "what was staged is nobody's attempt"


def test_a_text_that_a_commit_had_before_it_was_refused_still_comes_back_by_git(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(book.root, "init", "-q")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    with monkeypatch.context() as earlier:
        earlier.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
        for text in (chapter(), chapter() + b"\n" + chapter(400, seed=9)):
            book.put("ch.md", text)
            committed(book.root)
    claude = Claude(book)
    claude.prompt()
    os.utime(book.root / ".git/index", (1.6e9, 1.6e9))  # written long before the file
    assert "put back" in reason(ran(claude, "git show HEAD~1:ch.md > ch.md"))
    assert ran(claude, "git checkout -q HEAD~1 -- ch.md") == {}
    assert (book.root / "ch.md").read_bytes() == chapter()
