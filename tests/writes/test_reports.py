"""What really happened to people, by their public reports: each as a case of its kind, with the verdict that would
have kept their file.

The texts are made up; the names are those of the trackers where the reports stand. What only a runtime's hook can see
(a shell at work, `git reset`, a folder removed) is not here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from stet_kit import STUB, Book, prose

from firewall.verdict import Outcome
from firewall.writes import disk, operator, person
from firewall.writes.disk import Reading
from firewall.writes.proxy import Proposal, WriteResult

HOLD, BLOCK, ALLOW = Outcome.HOLD, Outcome.BLOCK, Outcome.ALLOW


class Report(NamedTuple):
    """A file as it was, what a tool wanted to make of it, the least that must come of it, a rule that must say so."""

    source: str
    about: str
    before: str | bytes
    proposed: str | bytes
    least: Outcome
    rule: str
    path: str = "notes.md"


def words(text: str, first: int, last: int | None = None) -> str:
    """Words `first` to `last` of a text with their layout."""
    found = list(re.finditer(r"\S+", text))
    end = found[last - 1].end() if last and last <= len(found) else len(text)
    return text[found[first].start() : end] + "\n"


def with_sections(count: int, each: int) -> str:
    """A document with a table of contents and `count` sections of `each` words."""
    contents = "## Contents\n\n" + "".join(f"- [Part {n}](#part-{n})\n" for n in range(count))
    body = "".join(f"\n## Part {n}\n\n{prose(each, n + 40).split(chr(10), 2)[2]}" for n in range(count))
    return f"# Handbook\n\n{contents}{body}"


def storyboards(count: int) -> str:
    return (
        "<Resources>\n"
        + "".join(
            f'  <Storyboard x:Key="Anim{n}">\n    <Double Target="Panel{n}" From="0" To="{n}" Time="0:0:{n % 9}"/>\n'
            f"    <!-- {prose(20, n).split(chr(10), 2)[2].strip()} -->\n  </Storyboard>\n"
            for n in range(count)
        )
        + "</Resources>\n"
    )


GUIDE, BOOK, LOG = prose(1000, 3), prose(2000, 4), prose(1100, 5)
HANDBOOK = with_sections(9, 130)
MEMORY = prose(1600, 6)


def steps(first: int, last: int) -> str:
    """A program of functions that are much alike."""
    return "".join(
        f"def step_{n}(lamp, oil):\n    level = oil.level(lamp, {n})\n    if level < 9:\n        lamp.fill(oil)\n"
        f"        level = 9\n    return lamp.light(level)\n\n\n"
        for n in range(first, last)
    )


MODULE = steps(0, 25)
ONE_STEP = MODULE[MODULE.index("def step_7") : MODULE.index("def step_8")].replace("fill", "top_up")
AGENT = "# Agent\n\nKeep the lamps lit, and write every change down before you leave.\n\nAsk when a lamp smokes.\n"
LINES = "The first line of it.\nThe second line of it.\nThe thrid line of it.\n"


def cell(kind: str, source: object) -> dict[str, object]:
    extra = {"outputs": [{"output_type": "stream", "name": "stdout", "text": ["lit\n"]}], "execution_count": 1}
    return {"cell_type": kind, "metadata": {}, "source": source, **(extra if kind == "code" else {})}


def notebook(*cells: dict[str, object]) -> str:
    value = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": list(cells)}
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


TALE = prose(300, 11)
NOTEBOOK = notebook(cell("markdown", TALE.splitlines(True)), cell("code", ["light()\n", "wait()\n"]))

REPORTS = [
    # 3A: whole-file rewrites and stubs
    Report("claude-code#40807", "a page becomes a sketch of it", prose(3000, 1), prose(40, 2), BLOCK, "word-floor"),
    Report("claude-code#40807", "so does an HTML page kept under guard", f"<main>\n{prose(3000, 1)}</main>\n",
           "<main>\n<p>Dashboard.</p>\n</main>\n", BLOCK, "word-floor", "dash.html"),
    Report("claude-code#78273", "another document under the same name, longer than the first", prose(1200, 2),
           prose(1300, 9), BLOCK, "survival"),
    Report("claude-code#27137", "a rewrite from memory forgets the contents", HANDBOOK,
           HANDBOOK.replace(HANDBOOK[HANDBOOK.index("## Contents") : HANDBOOK.index("\n## Part 0")], ""), HOLD,
           "structure-loss"),
    Report("claude-code#4715", "a log becomes one of today", LOG, prose(150, 8), BLOCK, "word-floor", "session.md"),
    Report("claude-code#67917", "a state file that git ignores loses two thirds", GUIDE, words(GUIDE, 0, 300), BLOCK,
           "word-floor", "state.md"),
    Report("gsd-core#973", "a plan becomes the sixteen lines that were read", HANDBOOK,
           "\n".join(HANDBOOK.split("\n")[:16]) + "\n", BLOCK, "word-floor", "ROADMAP.md"),
    Report("gemini-cli#6398", "twelve animations become the new one", storyboards(12), storyboards(1), HOLD,
           "small-floor", "resources.xaml"),
    Report("gemini-cli#7287", "asked to append, it leaves the appended line alone", GUIDE,
           "Deployed at noon, without incident.\n", BLOCK, "word-floor"),
    Report("qwen-code#2499", "invented text under the same title", "# Guide\n\n" + GUIDE.split("\n", 2)[2],
           "# Guide\n\n" + prose(1000, 77).split("\n", 2)[2], BLOCK, "survival"),
    Report("cline#1335", "the first third of it, as far as the model came", BOOK, words(BOOK, 0, 700), BLOCK,
           "word-floor"),
    Report("aider#3238", "the new function and nothing else", steps(0, 80), ONE_STEP, BLOCK, "word-floor", "steps.md"),
    Report("vscode-copilot-release#9060", "a quarter of the old and a little new", BOOK,
           words(BOOK, 0, 500) + prose(200, 12), BLOCK, "word-floor"),
    # 3B: omission markers and what tools put around a text
    Report("claude-code#2141", "a note, and a marker for all the rest", GUIDE,
           "# Field notes\n\nOil on Mondays.\n\n[... rest of the existing content remains unchanged ...]\n",
           BLOCK, "placeholder", "CLAUDE.md"),
    Report("claude-code#2141", "the same in the middle, with the floors kept", BOOK,
           words(BOOK, 0, 900) + "\n[... rest of the existing content remains unchanged ...]\n\n" + words(BOOK, 1000),
           BLOCK, "placeholder", "CLAUDE.md"),
    Report("claude-code#4451", "one memory instead of all of them", MEMORY, "The user likes short answers.\n", BLOCK,
           "word-floor", "CLAUDE.md"),
    *(
        Report("bolt.new#124", f"a file with {mark!r} for its middle", f"# Code\n\n```js\n{MODULE}```\n",
               f"# Code\n\n```js\n{steps(0, 10)}{mark}\n{steps(15, 25)}```\n", BLOCK,
               "placeholder", "app.md")
        for mark in (
            "// ... (rest of the code remains the same)",
            "{/* ... (keep existing JSX) */}",
            "/* (... keep the previous code ...) */",
            "// ... (otras funciones permanecen igual)",
        )
    ),
    Report("aider#1832", "a block that is well formed and guts the file", MODULE,
           f"# ... (keep existing code)\n\n{ONE_STEP}# ... (keep existing code)\n", BLOCK, "placeholder", "steps.md"),
    Report("hermes-agent#46465", "line numbers come back as text", LINES,
           "".join(f"{n}|{line}\n" for n, line in enumerate(LINES.splitlines(), 1)), BLOCK, "read-artifact"),
    Report("hermes-agent#46465", "and stack up with every round", "".join(f"{n}|w {n}\n" for n in range(1, 9)),
           "".join(f"{n}|{n}|w {n}\n" for n in range(1, 9)), BLOCK, "read-artifact"),
    Report("claude-gateway#271", "the document inside a fence", AGENT, f"```markdown\n{AGENT}```\n", BLOCK,
           "read-artifact", "AGENTS.md"),
    # 3C: edits
    Report("Codewhale#1516", "an edit takes a block of 350 words along", BOOK,
           words(BOOK, 0, 800) + "\n" + words(BOOK, 1150), HOLD, "delta-cap"),
    Report("gemini-cli#10235", "asked to correct a line, it leaves that line alone", prose(60, 4) + LINES,
           "The third line of it.\n", HOLD, "small-floor"),
    # 3G: bytes
    Report("claude-code#85842", "a byte elsewhere becomes a replacement character", b"caf\xe9\nprice: 5\n",
           b"caf\xef\xbf\xbd\nprice: 6\n", BLOCK, "bytes"),
    Report("claude-code#10709", "an edit that keeps the odd byte is no text either", b"caf\xe9\nprice: 5\n",
           b"caf\xe9\nprice: 6\n", BLOCK, "bytes"),
    Report("claude-code#7134", "quotes read as another encoding", "The \u201cnight\u201d shift \u2013 at five.\n",
           "The \u201cnight\u201d shift \u2013 at six.\n".encode().decode("cp1252", "ignore"), BLOCK, "bytes"),
    Report("one-skill-to-rule-them-all#117", "a NUL for a dollar sign", "It costs $5.\n", "It costs \x005.\n", BLOCK,
           "bytes"),
    Report("codex#27784", "the byte-order mark goes", "\ufeffOne.\nTwo.\n", "One.\nThree.\n", BLOCK, "bytes"),
    Report("claude-code#62531", "the new text is padded with NULs to its old length", prose(60, 2),
           prose(60, 2).replace("ledger", "book").encode() + b"\0" * 12, BLOCK, "bytes"),
    Report("claude-code#1839", "a notebook that nothing opens any more", NOTEBOOK, NOTEBOOK.rstrip("}\n"), BLOCK,
           "notebook", "a.ipynb"),
    Report("claude-code#49132", "a notebook written as plain text", NOTEBOOK, TALE, BLOCK, "notebook", "a.ipynb"),
    Report("claude-code#2055", "a cell of another kind without outputs", NOTEBOOK,
           NOTEBOOK.replace('"markdown"', '"code"'), BLOCK, "notebook", "a.ipynb"),
    Report("claude-code#4613", "the notebook's text is gone, and the outputs are bigger", NOTEBOOK,
           notebook(cell("code", ["light()\n"] * 2 + ["#" + "x" * 9000])), HOLD, "small-floor", "a.ipynb"),
]  # fmt: skip

FINE = [
    Report("bolt.new#124", "a tutorial that shows such a line may go on showing it",
           prose(400, 5) + "\n    // ... (rest of the code remains the same)\n\nThat is how a model writes.\n",
           prose(400, 5) + "\n    // ... (rest of the code remains the same)\n\nThat is how a tired model writes.\n",
           ALLOW, ""),
    Report("claude-code#49132", "a source as one text, or as lines, is the same", NOTEBOOK,
           notebook(cell("markdown", TALE), cell("code", "light()\nwait()\n")), ALLOW, "", "a.ipynb"),
    Report("claude-code#62713", "line ends are brought to the file's own", "one\r\ntwo\r\n", "one\ntwo more\n", ALLOW,
           ""),
    Report("codex#21164", "no line end at the end of the file is no fault", "One line.", "One line more.", ALLOW, ""),
    Report("gemini-cli#7287", "what is appended in truth", GUIDE, GUIDE + "\nDeployed at noon.\n", ALLOW, ""),
]  # fmt: skip


def propose(book: Book, report: Report) -> WriteResult:
    before, proposed = (t if isinstance(t, bytes) else t.encode() for t in (report.before, report.proposed))
    book.put(report.path, before)
    return book.write(report.path, proposed)


@pytest.mark.parametrize("report", REPORTS, ids=lambda r: f"{r.source}: {r.about}")
def test_it_would_not_have_happened(book: Book, report: Report) -> None:
    result = propose(book, report)
    before = report.before if isinstance(report.before, bytes) else report.before.encode()
    assert not result.committed
    assert result.verdict.outcome >= report.least, result.verdict
    assert report.rule in result.verdict.rules, result.verdict
    assert (book.root / report.path).read_bytes() == before
    with book.open() as proxy:
        assert proxy.ledger.load(disk.sha256(before)) == before, "and it could be put back"


@pytest.mark.parametrize("report", FINE, ids=lambda r: f"{r.source}: {r.about}")
def test_what_was_right_in_it_passes(book: Book, report: Report) -> None:
    result = propose(book, report)
    assert result.committed, result.verdict


# -- 3C: edit loops ------------------------------------------------------------------------------------------


def test_altimate_code_450_edits_that_find_nothing_are_counted(book: Book) -> None:
    """Through the command: an old text that is not there fails, three times trip, and then nothing is read."""
    book.put("ch.md", prose(200, 1).encode())
    (book.root / "old").write_text("words that stand nowhere in it")
    (book.root / "new").write_text("others")
    book.found()
    status = [book.user.quick("write", "ch.md", "--edit", "old", "new", cwd=book.root).status for _ in range(4)]
    assert status == [1, 1, 4, 4]
    assert book.write("ch.md", prose(201, 1).encode()).verdict.rules == ("latched",)


def test_qwen_code_5932_the_same_edit_applied_again_has_no_place(book: Book) -> None:
    book.put("ch.md", b"The lamps are lit at five. " + prose(200, 1).encode())
    (book.root / "old").write_text("lit at five")
    (book.root / "new").write_text("lit at six")
    book.found()
    status = [book.user.quick("write", "ch.md", "--edit", "old", "new", cwd=book.root).status for _ in range(5)]
    assert status == [0, 1, 1, 4, 4]
    assert (book.root / "ch.md").read_bytes().startswith(b"The lamps are lit at six. ")


def test_kimi_code_750_the_same_bytes_again_do_nothing_and_count_for_nothing(book: Book) -> None:
    book.put("ch.md", prose(200, 1).encode())
    for _ in range(4):
        assert book.write("ch.md", prose(201, 1).encode()).committed
    with book.open() as proxy:
        kinds = [entry.kind for entry in proxy.ledger.journal()]
    assert kinds.count("commit") == 1


# -- 3E, 3F: work that was never committed ---------------------------------------------------------------------


def test_claude_code_39514_a_commit_s_old_text_over_newer_work(book: Book) -> None:
    """HEAD has version one; on disk stand 600 words more, and another agent copies HEAD's file there."""
    old, newer = prose(1200, 2), prose(1200, 2) + "\n" + prose(600, 3)
    book.put("ch.md", newer.encode())
    result = book.write("ch.md", old.encode())
    assert not result.committed
    assert "word-floor" in result.verdict.rules


def test_claude_code_70687_a_lost_git_folder_takes_nothing_along(book: Book) -> None:
    """The staging branch goes with the repository; the store outside the tree has the proposal and the file."""
    for words_ in (
        ["init", "-q"],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        subprocess.run(["git", "-C", str(book.root), *words_], check=True, timeout=60)
    text = prose(1200, 4).encode()
    book.put("ch.md", text)
    proposals = [STUB + f"{n}\n".encode() for n in range(3)]
    results = [book.write("ch.md", p) for p in proposals]
    assert results[-1].tripped
    subprocess.run(["rm", "-rf", str(book.root / ".git")], check=True, timeout=60)
    (book.root / "ch.md").unlink()
    with book.open() as proxy:
        assert [proxy.ledger.load(disk.sha256(p)) for p in proposals] == proposals
        assert proxy.ledger.load(disk.sha256(text)) == text


# -- 3G: the commit itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(340, 1100), (1100, 340), (4096, 4097), (8192, 1)])
def test_claude_code_62531_every_byte_lands_whatever_the_old_length(tmp_path: Path, before: int, after: int) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"a" * before)
    disk.replace(path, b"b" * after, disk.read(path))
    assert path.read_bytes() == b"b" * after


def test_anolisa_2098_the_old_file_is_never_opened_for_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that dies leaves the old inode as it was, since nobody wrote to it."""
    path = tmp_path / "a.md"
    path.write_bytes(b"old " * 5000)
    kept = tmp_path / "kept"
    os.link(path, kept)
    disk.replace(path, b"new\n", disk.read(path))
    assert kept.read_bytes() == b"old " * 5000
    assert path.read_bytes() == b"new\n"


# -- 3H: putting back must not destroy ---------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a person, who says yes."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")


def test_opencode_10287_one_file_is_put_back_and_no_other(book: Book, asked: None) -> None:
    first, second = book.put("a.md", prose(200, 1).encode()), book.put("b.md", prose(200, 2).encode())
    ignored = book.put("notes.bin", b"\0\1")
    for path in (first, second):
        assert book.write(path.name, path.read_bytes() + b"One more line.\n").committed
    kept = {path: path.read_bytes() for path in (second, ignored)}
    with book.open() as proxy:
        assert operator.restore(proxy, first, None).committed
    assert first.read_bytes() == prose(200, 1).encode()
    assert {path: path.read_bytes() for path in kept} == kept


def test_opencode_3148_what_was_there_before_putting_back_is_kept(book: Book, asked: None) -> None:
    path = book.put("a.md", prose(200, 1).encode())
    assert book.write("a.md", prose(210, 1).encode()).committed
    mine = prose(220, 1).encode()
    path.write_bytes(mine)
    with book.open() as proxy:
        assert operator.restore(proxy, path, None).committed
        kept = operator.versions(proxy, operator.artifact_of(proxy, path)[1])
        assert disk.sha256(mine) in {v.sha256 for v in kept}
        number = next(v.number for v in kept if v.sha256 == disk.sha256(mine))
        assert operator.restore(proxy, path, number).committed
    assert path.read_bytes() == mine


def test_opencode_49732_what_changed_since_it_was_asked_is_not_overwritten(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book.put("a.md", prose(200, 1).encode())
    book.write("a.md", prose(210, 1).encode())
    read, state = disk.read, {"asked": False}

    def late(where: Path, limit: int | None = None) -> Reading:
        if state["asked"] and where == path:
            state["asked"] = False
            path.write_bytes(b"A person saved this just now.\n")
        return read(where, limit)

    def asks(ledger: object, command: str, what: str) -> str:
        state["asked"] = True
        return "terminal"

    monkeypatch.setattr(person, "require", asks)
    monkeypatch.setattr(disk, "read", late)
    with book.open() as proxy, pytest.raises(operator.ChangedMeanwhile):
        operator.restore(proxy, path, None)
    assert path.read_bytes() == b"A person saved this just now.\n"


def test_cline_14367_files_that_nobody_guards_stay(book: Book, asked: None) -> None:
    """Putting back after a change of .gitignore removes nothing: no `clean`, no `checkout`."""
    for words_ in (["init", "-q"], ["config", "user.name", "A"], ["config", "user.email", "a@b"]):
        subprocess.run(["git", "-C", str(book.root), *words_], check=True, timeout=60)
    path = book.put("a.md", prose(200, 1).encode())
    book.put(".gitignore", b"*.env\n")
    env = book.put(".env.local", b"KEY=1\n")
    book.write("a.md", prose(210, 1).encode())
    book.put(".gitignore", b"")
    status = ["git", "-C", str(book.root), "status", "--porcelain", "--ignored"]
    before = subprocess.run(status, capture_output=True, timeout=60, check=True).stdout
    with book.open() as proxy:
        assert operator.restore(proxy, path, None).committed
    assert subprocess.run(status, capture_output=True, timeout=60, check=True).stdout == before
    assert env.read_bytes() == b"KEY=1\n"


def test_opencode_7774_a_change_set_of_another_folder_is_not_touched(book: Book) -> None:
    """Of two folders of notes with equal names, what is proposed for one changes nothing in the other."""
    for folder in ("x", "y"):
        book.put(f"{folder}/a.md", prose(200, 1).encode())
    with book.open() as proxy:
        results = proxy.write_set([Proposal(book.root / "x/a.md", prose(201, 1).encode())])
    assert [r.path for r in results] == ["x/a.md"]
    assert (book.root / "y/a.md").read_bytes() == prose(200, 1).encode()
