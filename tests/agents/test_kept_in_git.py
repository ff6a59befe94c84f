"""What git has of guarded files that the work tree has not is told of, however it came into index or last commit."""

from __future__ import annotations

import pytest
from hook_kit import Claude
from stet_kit import STUB, Book, chapter
from test_in_index import claude, ran
from turn_kit import git

__all__ = ["claude"]
WHO = "git -c user.name=a -c user.email=a@b"
STUB_BLOB = "$(printf '# G\\n\\nAn agent stub stands here.\\n' | git hash-object -w --stdin)"
PLUMBING = (
    f"b={STUB_BLOB}; export GIT_INDEX_FILE=.git/other; git read-tree HEAD; "
    "git update-index --cacheinfo 100644,$b,ch.md; t=$(git write-tree); rm -f $GIT_INDEX_FILE; unset GIT_INDEX_FILE; "
    f"c=$({WHO} commit-tree $t -p HEAD -m x); git update-ref HEAD $c"
)


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_a_mark_that_keeps_git_from_looking_hides_no_staged_text(claude: Claude, mark: str) -> None:
    ran(claude, f"git update-index --cacheinfo 100644,{STUB_BLOB},ch.md && git update-index {mark} ch.md")
    assert "Git's index has a refused text of ch.md" in claude.stop()["systemMessage"]


def test_a_commit_that_no_index_had_is_told_of(claude: Claude) -> None:
    ran(claude, PLUMBING)
    notice = claude.stop()["systemMessage"]
    assert "Git's last commit has a refused text of ch.md" in notice
    assert "Git's index" not in notice
    claude.prompt()
    assert claude.stop() == {}, "it was told of"


def test_files_that_were_only_touched_hide_no_staged_text(claude: Claude) -> None:
    book = claude.book
    for n in range(250):
        book.put(f"a{n}.md", STUB)
    with book.open() as proxy:
        proxy.adopt([book.root / f"a{n}.md" for n in range(250)])
    git(book.root, "add", "-A")
    git(book.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "more")
    claude.prompt()
    ran(claude, f"git update-index --cacheinfo 100644,{STUB_BLOB},ch.md; touch a*.md")
    assert "Git's index has a refused text of ch.md" in claude.stop()["systemMessage"]


def test_a_delete_that_is_staged_or_committed_alone_is_told_of(claude: Claude) -> None:
    ran(claude, "git rm -q --cached ch.md")
    notice = claude.stop()["systemMessage"]
    assert "Git's index has ch.md no more; the work tree has. `git restore --staged ch.md` gives it back." in notice
    claude.prompt()
    ran(claude, f"{WHO} commit -qm gone")
    assert "Git's last commit has ch.md no more; the work tree has." in claude.stop()["systemMessage"]
    assert (claude.book.root / "ch.md").read_bytes() == chapter()


def test_an_honest_day_with_git_is_not_spoken_of(claude: Claude) -> None:
    book = claude.book
    ran(claude, "printf 'More of it.\\n' >> ch.md; git add -A")
    ran(claude, f"{WHO} commit -qm more")
    ran(claude, "git checkout -q -b draft; printf 'And more.\\n' >> ch.md; git commit -qam draft || true")
    ran(claude, "git checkout -q -f master 2>/dev/null || git checkout -q -f main")
    assert claude.stop() == {}
    book.put("new.md", STUB)
    claude.prompt()
    ran(claude, "git add new.md; git mv old.md older.md")
    assert claude.stop() == {}


CONFLICT = (
    f"b={STUB_BLOB}; o=$(git rev-parse HEAD:ch.md); git update-index --force-remove ch.md; "
    r"printf '100644 %s %s\tch.md\n' $o 1 $o 2 $b 3 | git update-index --index-info; "
    r"{ printf '<<<<<<< ours\n'; cat ch.md; printf '=======\n# stub\n>>>>>>> theirs\n'; } > x; mv x ch.md"
)


def test_a_file_with_a_conflict_is_not_called_gone(claude: Claude) -> None:
    ran(claude, CONFLICT)
    ran(claude, "printf '# stub\\n' > ch.md")
    assert "ch.md" in git(claude.book.root, "ls-files", "-u")
    assert "no more" not in claude.stop().get("systemMessage", "")


def test_a_first_commit_is_looked_at_whole(book: Book) -> None:
    git(book.root, "init", "-q")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    book.put("ch.md", chapter())
    with book.open() as proxy:
        proxy.adopt([book.root / "ch.md"])
    claude = Claude(book)
    claude.prompt()
    ran(claude, f"git update-index --add --cacheinfo 100644,{STUB_BLOB},ch.md; {WHO} commit -qm first")
    assert "Git's last commit has a refused text of ch.md" in claude.stop()["systemMessage"]


def test_the_line_ends_that_git_keeps_are_no_other_text(book: Book) -> None:
    git(book.root, "init", "-q")
    git(book.root, "config", "core.autocrlf", "true")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    book.put("ch.md", chapter().replace(b"\n", b"\r\n"))
    with book.open() as proxy:
        proxy.adopt([book.root / "ch.md"])
    claude = Claude(book)
    claude.prompt()
    ran(
        claude,
        f"git add -A 2>/dev/null; {WHO} commit -qm first; touch ch.md; git update-index --assume-unchanged ch.md",
    )
    assert claude.stop() == {}
