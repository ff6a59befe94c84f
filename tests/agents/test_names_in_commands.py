"""What words of a command name is found as the shell finds it, and no command keeps a hook from its answer."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import pytest
from hook_kit import Claude, decision, with_chapter
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stet_kit import Book, chapter

from firewall.agents import naming, shell
from firewall.agents.naming import Names
from firewall.agents.shell_words import Word

PARTS = st.sampled_from(
    ["a", "b", ".c", "a*", "*", "?", "[ab]", "[!a]", "*.md", "a.md", ".", "..", "[", "", ".*", "**"]
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("names")
    for name in ("a/a.md", "a/b/a.md", "b/.c/x.md", ".c/a.md", "a.md", "[", "ab/b"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    (root / "b" / "link").symlink_to("../a")
    (root / "b" / "a.md").symlink_to("nowhere")
    return root


class _Proxy:
    root = Path("/nowhere")


@given(st.lists(PARTS, min_size=1, max_size=4).map("/".join), st.booleans())
@settings(max_examples=300)
def test_a_pattern_means_what_it_means_to_a_shell(tree: Path, pattern: str, absolute: bool) -> None:
    text = f"{glob.escape(str(tree))}/{pattern}" if absolute else pattern
    assume(text.startswith("/") == absolute and set(pattern) & set("*?["))
    wanted = {os.path.normpath(tree / name) for name in glob.glob(text, root_dir=tree)}
    found = Names(_Proxy()).paths(Word(text, True), tree)  # type: ignore[arg-type]
    assert {os.path.normpath(path) for path in found} == wanted
    for path in found:
        assert os.path.lexists(path)


@pytest.fixture
def folder(book: Book) -> Book:
    with_chapter(book)
    for n in range(20):
        book.put(f"notes/{n}.md", chapter(120, seed=n))
    with book.open() as proxy:
        proxy.adopt([Path(f"notes/{n}.md") for n in range(20)])
    return book


ENDLESS = {
    "brackets": "rm " + "[" * 30_000,
    "a path": "rm " + "a/" * 500_000,
    "find": "find . -name " + "[" * 30_000 + " -delete",
    "wrappers": "env A=1 " * 30_000 + "rm nothing",
    "the whole disk": "rm /*/*/*/*/*/*/*",
    "patterns": "cat " + " ".join(f"[a-z]{n}*" for n in range(30_000)),
    "one folder again and again": "rm -r " + "none* " * 20_000,
}


@pytest.mark.parametrize("command", ENDLESS.values(), ids=ENDLESS.keys())
def test_no_command_keeps_the_hook_from_its_answer(folder: Book, command: str) -> None:
    claude = Claude(folder)
    claude.prompt()
    assert claude.bash(command) == {}


@pytest.mark.parametrize("command", ["cd a && " * 20_000 + "rm x", "echo " + "$(rm " * 3_000 + "x" + ")" * 3_000])
def test_what_is_too_deep_to_be_read_is_refused_with_a_reason(folder: Book, command: str) -> None:
    claude = Claude(folder)
    claude.prompt()
    said = claude.bash(command)
    assert decision(said) == "deny"
    assert "Traceback" not in str(said)


def test_the_names_that_are_looked_at_are_counted(folder: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is beyond is judged once the command has run."""
    with folder.open() as proxy:
        monkeypatch.setattr(naming, "MOST", 5)
        names = Names(proxy)
        assert len(names.paths(Word("notes/*", True), folder.root)) <= 5
        assert names.paths(Word("chapter.md"), folder.root) == []
        names = Names(proxy)
        assert len(names.below(folder.root / "notes")) == 20, "one folder is seen whole"
        assert names.below(folder.root / "notes") == []


def test_a_folder_s_files_are_those_of_no_folder_with_a_longer_name(book: Book) -> None:
    for name in ("a/1.md", "a-b/2.md", "a.md/3.md", "a/b/4.md", "ab/5.md"):
        book.put(name, chapter(60))
    with book.open() as proxy:
        names = Names(proxy)
        assert names.below(book.root / "a") == ["a/1.md", "a/b/4.md"]
        assert len(names.below(book.root.parent)) == 5
        assert names.below(book.root.parent / "other") == []


def test_wrappers_are_read_through_whatever_their_number() -> None:
    (act,) = shell.recognised("sudo -u me " * 2_000 + "env A=1 timeout 5 nice -n 3 rm chapter.md")
    assert [word.text for word in act.words] == ["chapter.md"]
