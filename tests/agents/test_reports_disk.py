"""What agents' tools did to people's files according to public reports, played with files of our own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from stet_kit import Book, chapter, prose, reword
from turn_kit import Agent, committed, git

from firewall.agents import seal
from firewall.writes import person
from firewall.writes.operator import restore, versions


def notebook(cells: int, output: str = "42") -> bytes:
    """A notebook with so many cells of prose and one of code with an output."""
    out = [{"cell_type": "markdown", "metadata": {}, "source": [prose(60, seed=i)]} for i in range(cells)]
    result = {"output_type": "execute_result", "data": {"text/plain": [output]}, "metadata": {}, "execution_count": 1}
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["6 * 7"], "outputs": [result]}
    return json.dumps({"cells": [*out, code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def test_a_heredoc_that_is_killed_half_way_leaves_no_empty_file(book: Book) -> None:
    book.put("f.md", chapter(300))
    with Agent(book) as agent:
        agent.shell("timeout 0.3 bash -c 'cat > f.md < <(sleep 5)'")
        assert agent.path("f.md").read_bytes() == b""
        assert agent.look()["f.md"].fate == "restored"
        assert agent.path("f.md").read_bytes() == chapter(300)


def test_a_way_around_a_refused_write_counts_with_it(book: Book) -> None:
    book.put("f.md", chapter())
    with Agent(book) as agent:
        assert not agent.proxy.write(agent.path("f.md"), b"x").committed
        first = agent.runs("python3 -c \"open('f.md','w').write('x')\"")["f.md"].result
        second = agent.runs("echo x | tee f.md")["f.md"].result
        assert first
        assert second
        assert (first.attempt, second.attempt, second.tripped) == (2, 3, True)


def test_a_folder_copied_over_the_live_one_loses_nothing(book: Book) -> None:
    book.put("live/a.md", chapter())
    book.put("new/a.md", b"Ten words stand here and no more than these few.\n")
    with Agent(book) as agent:
        assert agent.runs("cp -r new/* live/")["live/a.md"].fate == "restored"


def test_clean_after_stash_takes_no_untracked_chapter(book: Book) -> None:
    git(book.root, "init", "-q")
    git(book.root, "config", "user.name", "A")
    git(book.root, "config", "user.email", "a@b")
    book.put("ch.md", chapter())
    committed(book.root)
    book.put("chapter.md", chapter(800, seed=2))
    book.put("ch.md", reword(chapter()))
    with Agent(book) as agent:
        swept = agent.runs("git stash -q && git clean -fdq")
        assert {p: s.fate for p, s in swept.items()} == {"ch.md": "adopted", "chapter.md": "restored"}
        assert agent.path("chapter.md").read_bytes() == chapter(800, seed=2)
        assert agent.runs("git stash pop -q")["ch.md"].fate in ("accepted", "adopted")
        assert agent.path("ch.md").read_bytes() == reword(chapter())


def test_what_was_refused_outlives_the_repository(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    git(book.root, "init", "-q")
    book.put("ch.md", chapter())
    committed(book.root)
    with Agent(book) as agent:
        agent.path("ch.md").write_bytes(reword(chapter()))
        agent.look()
        for i in range(3):
            agent.runs(f"echo short {i} > ch.md")
        shutil.rmtree(agent.root / ".git")
        agent.path("ch.md").unlink()
        assert agent.look()["ch.md"].fate == "restored"
        known = agent.proxy.ledger.artifact("ch.md")
        assert known
        assert [v.kind for v in versions(agent.proxy, known)] == ["adopt", "commit"]
        monkeypatch.setattr(person, "require", lambda *_: "terminal")
        assert restore(agent.proxy, agent.path("ch.md"), None).committed
        assert agent.path("ch.md").read_bytes() == chapter()


def test_the_committed_state_copied_over_unsaved_work_is_refused(book: Book, tmp_path: Path) -> None:
    git(book.root, "init", "-q")
    book.put("ch.md", chapter())
    committed(book.root)
    git(book.root, "worktree", "add", "-q", str(tmp_path / "tree"))
    mine = chapter() + b"\n" + prose(600, seed=9).encode() + b"\n"
    book.put("ch.md", mine)
    with Agent(book) as agent:
        assert agent.runs(f"cp {tmp_path}/tree/ch.md ch.md")["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == mine


def test_letters_that_a_tool_could_not_read_are_not_lost(book: Book) -> None:
    book.put("menu.md", "# Menü\n\nDer Preis für den Kaffee: 5 €.\n".encode("cp1252"))
    before = (book.root / "menu.md").read_bytes()
    read = "d = open('menu.md', encoding='utf-8', errors='replace').read()"
    script = f"{read}\nopen('menu.md', 'w').write(d.replace('5', '6'))"
    with Agent(book) as agent:
        assert agent.runs(f'python3 -c "{script}"')["menu.md"].fate == "restored"
        assert agent.path("menu.md").read_bytes() == before


def test_a_byte_order_mark_is_not_lost_by_the_way(book: Book) -> None:
    book.put("a.md", b"\xef\xbb\xbf" + chapter())
    with Agent(book) as agent:
        assert agent.runs("tail -c +4 a.md > b.txt2 && cat b.txt2 > a.md")["a.md"].fate == "restored"


def test_line_ends_of_a_whole_file_may_change(book: Book) -> None:
    book.put("a.md", chapter().replace(b"\n", b"\r\n"))
    with Agent(book) as agent:
        assert agent.runs("sed -i 's/\\r$//' a.md")["a.md"].fate == "accepted", "no word is another"
        assert b"\r" not in agent.path("a.md").read_bytes(), "the disk is as it was found"


def test_text_cut_at_the_old_length_or_filled_up_with_nul_is_put_back(book: Book) -> None:
    old = chapter(60)
    book.put("a.md", old)
    new = prose(150, seed=3).encode() + b"\n" + old
    with Agent(book) as agent:
        agent.path("a.md").write_bytes(new[: len(old)])
        assert agent.look()["a.md"].fate == "restored"
        agent.path("a.md").write_bytes(new + b"\0" * 100)
        assert agent.look()["a.md"].fate == "restored"


@pytest.mark.parametrize(
    "change",
    [
        "d['cells'] = d['cells'][:1]",
        "d = {'cells': 'none'}",
        "del d['nbformat']",
        "d['cells'][-1]['cell_type'] = 'prose'",
    ],
)
def test_a_script_spoils_no_notebook(book: Book, change: str) -> None:
    book.put("a.ipynb", notebook(4))
    script = f"import json; d = json.load(open('a.ipynb')); {change}; json.dump(d, open('a.ipynb', 'w'))"
    with Agent(book) as agent:
        assert agent.runs(f'python3 -c "{script}"')["a.ipynb"].fate == "restored"
        assert agent.path("a.ipynb").read_bytes() == notebook(4)


def test_a_notebook_written_as_text_is_put_back(book: Book) -> None:
    book.put("a.ipynb", notebook(4))
    with Agent(book) as agent:
        assert agent.runs("echo '# Notes' > a.ipynb")["a.ipynb"].fate == "restored"


def test_a_tool_that_truncates_is_killed_and_unlinks_loses_nothing(book: Book) -> None:
    book.put("a.md", chapter())
    with Agent(book) as agent:
        agent.shell("( : > a.md; rm a.md; kill -9 $BASHPID )")
        assert agent.look()["a.md"].fate == "restored"


def test_a_restore_touches_one_file_and_keeps_what_it_replaces(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "require", lambda *_: "terminal")
    git(book.root, "init", "-q")
    book.put("a.md", chapter())
    book.put("b.md", chapter(300, seed=2))
    committed(book.root)
    book.put("ignored.tmp", b"mine")
    with Agent(book) as agent:
        for name in ("a.md", "b.md"):
            agent.path(name).write_bytes(reword(agent.path(name).read_bytes()))
        agent.look()
        index, head = (agent.root / ".git/index").read_bytes(), git(agent.root, "rev-parse", "HEAD")
        others = {p: p.read_bytes() for p in agent.root.glob("*") if p.is_file() and p.name != "a.md"}
        assert restore(agent.proxy, agent.path("a.md"), None).committed
        assert agent.path("a.md").read_bytes() == chapter()
        assert {p: p.read_bytes() for p in others} == others
        assert ((agent.root / ".git/index").read_bytes(), git(agent.root, "rev-parse", "HEAD")) == (index, head)
        known = agent.proxy.ledger.artifact("a.md")
        assert known
        assert agent.proxy.ledger.load(versions(agent.proxy, known)[-2].sha256) == reword(chapter())
        assert not agent.look()


def test_putting_back_touches_neither_index_nor_stash_nor_untracked_files(book: Book) -> None:
    git(book.root, "init", "-q")
    git(book.root, "config", "user.name", "A")
    git(book.root, "config", "user.email", "a@b")
    book.put("a.md", chapter())
    book.put("b.md", chapter(200, seed=2))
    committed(book.root)
    book.put("b.md", chapter(200, seed=3))
    git(book.root, "stash", "-q")
    book.put("c.md", chapter(100, seed=4))
    git(book.root, "add", "c.md")
    with Agent(book) as agent:
        before = (
            git(agent.root, "ls-files", "-s"),
            git(agent.root, "stash", "list"),
            git(agent.root, "symbolic-ref", "HEAD"),
        )
        assert agent.runs("echo short > a.md")["a.md"].fate == "restored"
        after = (
            git(agent.root, "ls-files", "-s"),
            git(agent.root, "stash", "list"),
            git(agent.root, "symbolic-ref", "HEAD"),
        )
        assert after == before


def test_the_seal_follows_every_way_a_file_can_change(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "require", lambda *_: "terminal")
    book.put("a.md", chapter())
    with Agent(book) as agent:
        path = agent.path("a.md")
        agent.proxy.write(path, reword(chapter()))
        agent.proxy.rename(path, agent.path("b.md"))
        restore(agent.proxy, agent.path("b.md"), None)
        os.utime(agent.path("b.md"))
        assert not agent.look()
        for artifact in agent.proxy.ledger.artifacts():
            assert seal.follows(agent.proxy.ledger, artifact)
