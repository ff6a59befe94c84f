"""Plain deletes, moves and calls of stet are recognised in a command before it runs; what nobody can tell is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hook_kit import TERMINAL, Claude, decision, reason, with_chapter
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import Book, chapter

from firewall.agents.shell import DELETE, MOVE, STET, STET_ALLOWED, recognised


def deleted(command: str) -> list[str]:
    """Names that the command deletes, seen from where the shell begins."""
    out = []
    for act in recognised(command):
        if act.does == DELETE:
            out += [f"{act.folder}/{w.text}" if act.folder else w.text for w in act.words]
    return out


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("rm a.md", ["a.md"]),
        ("rm -rf -- a.md b.md", ["a.md", "b.md"]),
        ("rm 'a b.md' \"c d.md\" e\\ f.md 'g'h", ["a b.md", "c d.md", "e f.md", "gh"]),
        ("'rm' a", ["a"]),
        ("r\\m a", ["a"]),
        ("/bin/rm a", ["a"]),
        ("command rm a; builtin exec rm b", ["a", "b"]),
        ("sudo -u root rm a", ["a"]),
        ("FOO=1 env -u X BAR=2 rm a", ["a"]),
        ("timeout -k 5 10 nice -n 3 rm a", ["a"]),
        ("true && rm a || rm b & rm c", ["a", "b", "c"]),
        ("if test -f x; then rm a; fi; for i in 1; do rm b; done; while rm c; do :; done", ["a", "b", "c"]),
        ("(cd sub && rm a); rm b", ["sub/a", "b"]),
        ("cd sub; cd deeper; rm a", ["sub/deeper/a"]),
        ("cd $X; rm a /b", ["/b"]),
        ('echo `rm a` "$(rm b)"', ["a", "b"]),
        ("cat <(rm a)", ["a"]),
        ("bash -c 'rm a; rm b'", ["a", "b"]),
        ("bash -lc \"sh -c 'rm a'\"", ["a"]),
        ("eval rm a", ["a"]),
        ("unlink a; shred -u b; shred c", ["a", "b"]),
        ("git rm a; git -C sub rm -r b; git --no-pager -c x=y rm c", ["a", "sub/b", "c"]),
        ("git rm --cached a; git rm -n b", []),
        ("xargs rm a", ["a"]),
        ("ls | xargs -I{} rm {} b", ["b"]),
        ("f() { rm a; }; f", ["a"]),
        ("rm \\\n  a", ["a"]),
        ('rm $A "$B" c', ["c"]),
        ("rm {a,b}.md", []),
        ("echo rm a; grep 'rm a' f; # rm a\ncat <<E\nrm a\nE", []),
        ("printf x > rm; ls rm", []),
        ("git log --diff-filter=D -- rm", []),
        ("find . -name '*.md' -delete", ["."]),
        ("find notes drafts -type f -exec rm {} \\;", ["notes", "drafts"]),
        ("find . -mtime +5 -delete", []),
        ("find . -name x.md", []),
    ],
)
def test_deletes(command: str, names: list[str]) -> None:
    assert deleted(command) == names


@pytest.mark.parametrize(
    ("command", "words", "target", "folder"),
    [
        ("mv a b", ["a"], "b", ""),
        ("git mv 'a c' b", ["a c"], "b", ""),
        ("mv -f a b sub/", ["a", "b"], "sub/", ""),
        ("mv -t sub a b", ["a", "b"], "sub", ""),
        ("mv --target-directory=sub a", ["a"], "sub", ""),
        ("cd x && sudo mv -- -a b", ["-a"], "b", "x"),
    ],
)
def test_moves(command: str, words: list[str], target: str, folder: str) -> None:
    (act,) = [a for a in recognised(command) if a.does == MOVE]
    assert ([w.text for w in act.words], act.target, act.folder) == (words, target, folder)


@pytest.mark.parametrize("command", ["mv $A b", "mv a", "cd $X && mv a b", 'mv a "$B"', "rsync a b"])
def test_moves_that_nobody_can_tell(command: str) -> None:
    assert recognised(command) == []


@pytest.mark.parametrize(
    "command",
    [
        "stet reset a.md",
        "stet accept stet.toml",
        "cd x && /usr/local/bin/stet approve P1",
        "echo pass | stet operator init",
        "uv run stet allow '*'",
        "env X=1 stet init",
        "bash -c 'stet gc'",
        "xargs stet reset",
        "stet $X",
        "stet run book.toml",
        "stet hook claude",
        "stet-hook claude --state s --root r < event.json",
        "python3 -m pipeline.cli reset a.md",
        "python -m firewall.agents.hook claude",
    ],
)
def test_calls_of_stet_that_are_a_persons(command: str) -> None:
    assert [a.does for a in recognised(command)] == [STET]


@pytest.mark.parametrize("name", sorted(STET_ALLOWED))
def test_calls_of_stet_that_an_agent_may_make(name: str) -> None:
    assert recognised(f"stet {name} a.md") == []
    assert recognised("stet --help; stet --version; stet") == []


@given(st.text(max_size=200))
def test_no_text_upsets_the_reader(command: str) -> None:
    recognised(f"rm {command}")
    recognised(command + " rm stet")


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_any_quoted_name_is_read_as_the_shell_reads_it(names: list[str]) -> None:
    import shlex

    names = [n for n in names if not n.startswith("-")] or ["a"]
    assert deleted("rm " + " ".join(map(shlex.quote, names))) == names


# -- with the guard ----------------------------------------------------------------------------------------


@pytest.fixture
def folder(book: Book) -> Book:
    with_chapter(book)
    for name in ("notes/a.md", "notes/b.md", "notes/code.py"):
        book.put(name, chapter(120, seed=len(name)))
    with book.open() as proxy:
        proxy.adopt([Path("notes/a.md"), Path("notes/b.md")])
    return book


@pytest.mark.parametrize(
    "command",
    [
        "rm chapter.md",
        "rm -f ./chapter.md",
        "rm *.md",
        "rm -r notes",
        "rm -rf .",
        "rm -rf ../work",
        "cd notes && rm a.md",
        "git rm chapter.md",
        "find notes -name '*.md' -delete",
        "mv chapter.md /tmp/elsewhere.md",
        "mv chapter.md chapter.bak",
        "mv notes /tmp/elsewhere",
        "mv notes/a.md chapter.md",
        "bash -c 'rm chapter.md'",
    ],
)
def test_what_would_lose_a_guarded_file_is_refused_before_it_runs(folder: Book, command: str) -> None:
    claude = Claude(folder)
    claude.prompt()
    said = claude.bash(command)
    assert decision(said) == "deny", said
    asked = Claude(folder, TERMINAL)
    asked.prompt()
    assert decision(asked.bash(command)) in ("ask", "deny")


@pytest.mark.parametrize(
    "command",
    [
        "rm notes/code.py",
        "rm nothing.md",
        "rm notes",
        "rm -r notes/none",
        "mv chapter.md first.md",
        "git mv chapter.md notes/",
        "mv notes chapters",
        "mv notes/code.py notes/tool.py",
        "find . -name '*.py' -delete",
        "rm /tmp/chapter.md",
    ],
)
def test_what_loses_nothing_is_let_through(folder: Book, command: str) -> None:
    claude = Claude(folder)
    claude.prompt()
    assert claude.bash(command) == {}


def test_a_rename_that_was_let_through_is_recorded_as_one(folder: Book) -> None:
    claude = Claude(folder)
    claude.prompt()
    assert claude.bash("mv chapter.md first.md") == {}
    subprocess.run(["mv", "chapter.md", "first.md"], cwd=folder.root, check=True)
    assert claude.ran("mv chapter.md first.md") == {}
    assert (folder.root / "first.md").read_bytes() == chapter(2500)
    with folder.open() as proxy:
        assert proxy.ledger.artifact("chapter.md") is None
        assert proxy.ledger.artifact("first.md") is not None


def test_one_command_is_one_question(folder: Book) -> None:
    claude = Claude(folder, TERMINAL)
    claude.prompt()
    said = claude.bash("rm -r notes", "t1")
    assert decision(said) == "ask"
    assert "notes/a.md" in reason(said) and "notes/b.md" in reason(said)
    subprocess.run(["rm", "-r", "notes"], cwd=folder.root, check=True)
    assert claude.ran("rm -r notes", "t1") == {}
    assert not (folder.root / "notes").exists(), "both were accepted with one yes"


def test_stet_in_an_agents_shell(folder: Book) -> None:
    claude = Claude(folder)
    claude.prompt()
    said = claude.bash("stet reset chapter.md")
    assert decision(said) == "deny"
    assert "stet reset" in reason(said) and "pending" in reason(said)
    assert claude.bash("stet check chapter.md --delete") == {}


POWERSHELL = {
    "Remove-Item -Recurse -Force docs": "docs",
    "remove-item -Path 'a b.md', note.md -Confirm:$false": "a b.md|note.md",
    "Remove-Item docs\\a.md": "docs/a.md",
    "if (Test-Path ch.md) { del ch.md }": "ch.md",
    "Remove-Item -LiteralPath:ch.md; Write-Output done": "ch.md",
    "Set-Location docs; ri *.md": "*.md",
    "Move-Item -Path ch.md -Destination old\\ch.md": "ch.md > old/ch.md",
    "mv ch.md x.md": "ch.md > x.md",
    "Rename-Item docs\\a.md b.md": "docs/a.md > docs/b.md",
    "Remove-Item ch.md -WhatIf": "",
    "ri *.md -Exclude ch.md": "",
    "Move-Item $x y.md": "",
    "Remove-Item": "",
    "Set-Content ch.md 'x'; Get-Content ch.md | Out-File b.md; git": "",
}


@pytest.mark.parametrize(("command", "wanted"), POWERSHELL.items())
def test_powershells_own_deletes_and_moves_are_read(command: str, wanted: str) -> None:
    acts = recognised(command, powershell=True)
    assert "|".join(
        "|".join(word.text for word in act.words) + (f" > {act.target}" if act.target else "") for act in acts
    ) == wanted  # fmt: skip
    if '"' not in command and wanted:
        assert recognised(f'pwsh -NoProfile -Command "{command}"'.replace("$", ""))


def test_git_alone_is_read_as_doing_nothing() -> None:
    assert [act.does for act in recognised("rm x; git; git -C y; mv")] == [DELETE]
