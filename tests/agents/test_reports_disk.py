"""What agents' tools did to people's files according to public reports, played with files of our own.

The sentence of each test names the reports. Those of the shell and of git that are a kind of their own stand in
test_sweep_shell.py, test_sweep_git.py and test_sweep_sets.py; those that a write alone shows in tests/writes.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from stet_kit import Book, chapter, prose, reword
from turn_kit import Agent, committed, git

from firewall.agents import hook, seal
from firewall.agents.files import Files
from firewall.writes import person
from firewall.writes.operator import ChangedMeanwhile, restore, versions


def notebook(cells: int, output: str = "42") -> bytes:
    """A notebook with so many cells of prose and one of code with an output."""
    out = [{"cell_type": "markdown", "metadata": {}, "source": [prose(60, seed=i)]} for i in range(cells)]
    result = {"output_type": "execute_result", "data": {"text/plain": [output]}, "metadata": {}, "execution_count": 1}
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["6 * 7"], "outputs": [result]}
    return json.dumps({"cells": [*out, code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def test_a_heredoc_that_is_killed_half_way_leaves_no_empty_file(book: Book) -> None:
    """claude-code#92262."""
    book.put("f.md", chapter(300))
    with Agent(book) as agent:
        agent.shell("timeout 0.3 bash -c 'cat > f.md < <(sleep 5)'")
        assert agent.path("f.md").read_bytes() == b""
        assert agent.look()["f.md"].fate == "restored"
        assert agent.path("f.md").read_bytes() == chapter(300)


def test_a_way_around_a_refused_write_counts_with_it(book: Book) -> None:
    """claude-code#63786, #29709."""
    book.put("f.md", chapter())
    with Agent(book) as agent:
        assert not agent.proxy.write(agent.path("f.md"), b"x").committed
        first = agent.runs("python3 -c \"open('f.md','w').write('x')\"")["f.md"].result
        second = agent.runs("echo x | tee f.md")["f.md"].result
        assert first
        assert second
        assert (first.attempt, second.attempt, second.tripped) == (2, 3, True)


def test_a_folder_copied_over_the_live_one_loses_nothing(book: Book) -> None:
    """termaxa#14; its other ways (`>|`, mv, tee, truncate, dd) and the NUL of one-skill-to-rule-them-all#117 are in
    test_sweep_shell.py."""
    book.put("live/a.md", chapter())
    book.put("new/a.md", b"Ten words stand here and no more than these few.\n")
    with Agent(book) as agent:
        assert agent.runs("cp -r new/* live/")["live/a.md"].fate == "restored"


def test_clean_after_stash_takes_no_untracked_chapter(book: Book) -> None:
    """claude-code#45974."""
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
    """claude-code#70687; its own command is in test_sweep_git.py."""
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
    """claude-code#39514."""
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
    """claude-code#85842, #93954, #3416, #64601, #34695."""
    book.put("menu.md", "# Menü\n\nDer Preis für den Kaffee: 5 €.\n".encode("cp1252"))
    before = (book.root / "menu.md").read_bytes()
    read = "d = open('menu.md', encoding='utf-8', errors='replace').read()"
    script = f"{read}\nopen('menu.md', 'w').write(d.replace('5', '6'))"
    with Agent(book) as agent:
        assert agent.runs(f'python3 -c "{script}"')["menu.md"].fate == "restored"
        assert agent.path("menu.md").read_bytes() == before


def test_no_edit_and_no_patch_touches_a_text_that_it_cannot_read(book: Book) -> None:
    """claude-code#10709, #7134, #29699; openclaw#114895: an edit of the second line would spoil the first."""
    odd = b"caf\xe9\nprice: 5\n"
    path = book.put("a.md", odd)
    with book.open() as proxy:
        proxy.adopt([path])
    reply = Files(book.root, "s").edit("a.md", "price: 5", "price: 6")
    assert reply.failed
    assert "0xe9" in reply.text
    patch = "*** Begin Patch\n*** Update File: a.md\n@@\n-price: 5\n+price: 6\n*** End Patch\n"
    event = {"session_id": "s", "cwd": str(book.root), "hook_event_name": "PreToolUse", "tool_name": "apply_patch",
             "tool_input": {"command": patch}}  # fmt: skip
    given = {"state": str(book.state_folder), "root": str(book.root)}
    said = json.loads(hook.respond("codex", json.dumps(event).encode(), **given).out)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "0xe9" in said["permissionDecisionReason"]
    with Agent(book) as agent:
        assert agent.runs("python3 -c \"open('a.md','wb').write(b'caf\\xef\\xbf\\xbd\\nprice: 6\\n')\"")["a.md"].refused
    assert path.read_bytes() == odd


def test_a_byte_order_mark_is_not_lost_by_the_way(book: Book) -> None:
    """codex#27784."""
    book.put("a.md", b"\xef\xbb\xbf" + chapter())
    with Agent(book) as agent:
        assert agent.runs("tail -c +4 a.md > b.txt2 && cat b.txt2 > a.md")["a.md"].fate == "restored"


def test_line_ends_of_a_whole_file_may_change(book: Book) -> None:
    """claude-code#62713, #42724, #19565, #19181; claurst#225."""
    book.put("a.md", chapter().replace(b"\n", b"\r\n"))
    with Agent(book) as agent:
        assert agent.runs("sed -i 's/\\r$//' a.md")["a.md"].fate == "accepted", "no word is another"
        assert b"\r" not in agent.path("a.md").read_bytes(), "the disk is as it was found"


def test_the_end_of_the_last_line_is_nobodys_loss(book: Book) -> None:
    """codex#7640, #15035, #21164: a tool adds one, takes one away, or mixes those of two systems."""
    text = chapter(200).rstrip(b"\n")
    book.put("a.md", text)
    with Agent(book) as agent:
        for command, now in (
            ("echo >> a.md", text + b"\n"),
            ("truncate -s -1 a.md", text),
            ("sed -i '3s/$/\\r/' a.md", None),
        ):
            swept = agent.runs(command)["a.md"]
            assert swept.fate == "accepted", (command, swept)
            assert now is None or agent.path("a.md").read_bytes() == now
        # A proposal has the file's own line ends, whatever its writer made of them.
        book.put("b.md", text.replace(b"\n", b"\r\n"))
        assert agent.look()["b.md"].fate == "accepted"
        assert agent.proxy.write(agent.path("b.md"), reword(text)).committed
        assert agent.path("b.md").read_bytes() == reword(text).replace(b"\n", b"\r\n")


def test_text_cut_at_the_old_length_or_filled_up_with_nul_is_put_back(book: Book) -> None:
    """claude-code#62531, #58551."""
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
    """claude-code#1839, #2055, #49132."""
    book.put("a.ipynb", notebook(4))
    script = f"import json; d = json.load(open('a.ipynb')); {change}; json.dump(d, open('a.ipynb', 'w'))"
    with Agent(book) as agent:
        assert agent.runs(f'python3 -c "{script}"')["a.ipynb"].fate == "restored"
        assert agent.path("a.ipynb").read_bytes() == notebook(4)


def test_a_notebook_written_as_text_is_put_back(book: Book) -> None:
    """claude-code#4613, #18538, #7348."""
    book.put("a.ipynb", notebook(4))
    with Agent(book) as agent:
        assert agent.runs("echo '# Notes' > a.ipynb")["a.ipynb"].fate == "restored"


def test_a_tool_that_truncates_is_killed_and_unlinks_loses_nothing(book: Book) -> None:
    """cline#5123, #5141, #9960; ANOLISA#2098."""
    book.put("a.md", chapter())
    with Agent(book) as agent:
        agent.shell("( : > a.md; rm a.md; kill -9 $BASHPID )")
        assert agent.look()["a.md"].fate == "restored"


def test_a_restore_touches_one_file_and_keeps_what_it_replaces(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """opencode#26893, PR#7774; gemini's /restore; codex#8214, #29388."""
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


def test_what_changed_since_is_not_restored_over(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """opencode#10287, #49732, #3148: an old state over new work, and a file that an undo deletes."""
    text = chapter(400)
    book.put("a.md", text)
    with Agent(book) as agent:
        for word in (b"once", b"twice"):
            agent.path("a.md").write_bytes(reword(agent.path("a.md").read_bytes(), word))
            assert agent.look()["a.md"].fate == "accepted"
        last = agent.path("a.md").read_bytes()
        meanwhile = reword(last, b"meanwhile")

        def asked(*_: object) -> str:
            agent.path("a.md").write_bytes(meanwhile)  # somebody saves while the person thinks
            return "terminal"

        monkeypatch.setattr(person, "require", asked)
        with pytest.raises(ChangedMeanwhile):
            restore(agent.proxy, agent.path("a.md"), None)
        assert agent.path("a.md").read_bytes() == meanwhile
        agent.look()
        monkeypatch.setattr(person, "require", lambda *_: "terminal")
        assert restore(agent.proxy, agent.path("a.md"), None).committed
        assert agent.path("a.md").read_bytes() == last, "the version before, and not the one a month ago"
        agent.path("a.md").unlink()
        assert restore(agent.proxy, agent.path("a.md"), None).committed
        assert agent.path("a.md").read_bytes() == last, "no restore takes a file away"


def test_putting_back_touches_neither_index_nor_stash_nor_untracked_files(book: Book) -> None:
    """cline#14367."""
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
