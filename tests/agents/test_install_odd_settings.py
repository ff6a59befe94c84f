"""Settings that are no plain file of a plain text: comments, links, named pipes, line ends, names in the way."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from stet_kit import Book, chapter, quick_terminal

from firewall.agents.install import cline, codex, copilot, cursor, gemini, kimi, opencode, qwen, windsurf
from firewall.agents.install import git as git_hook
from firewall.agents.install.settings import BadSettings
from firewall.agents.install.setup import Setup
from firewall.errors import StorageError

WHERE = {
    codex: ".codex/hooks.json", gemini: ".gemini/settings.json", qwen: ".qwen/settings.json",
    cursor: ".cursor/hooks.json", windsurf: ".windsurf/hooks.json", copilot: ".github/hooks/stet.json",
    opencode: ".opencode/plugins/stet.js", cline: ".clinerules/hooks/PreToolUse",
}  # fmt: skip
ALL = pytest.mark.parametrize("module", list(WHERE), ids=lambda m: m.NAME)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """A project and a home with nothing in it."""
    monkeypatch.delenv("CODEX_HOME", raising=False)
    (tmp_path / "work").mkdir()
    (tmp_path / "home").mkdir()
    return Setup(tmp_path / "work", tmp_path / "state", tmp_path / "home", "/opt/bin/stet-hook")


@pytest.fixture
def at_once() -> Iterator[None]:
    """What waits for the other end of a named pipe fails."""

    def late(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("module", [gemini, qwen], ids=lambda m: m.NAME)
def test_comments_stay_where_the_program_takes_them(module: ModuleType, made: Setup) -> None:
    """Seen running: Gemini CLI and Qwen Code run the hooks of such settings, Codex and Claude Code do not."""
    path = module.settings_file(made)
    path.parent.mkdir(parents=True)
    before = '// mine\n{\n  "ui": { "theme": "http://x" }, // the // dark one\n  /* "hooks": 1 */ "n": 1 // last\n}\n'
    path.write_text(before)
    module.install(made)
    assert module.hooks(made)
    assert module.off(made) == ()
    assert path.read_text().startswith(before[: before.index(" // last")])
    assert module.install(made).files == ()
    module.undo(made)
    assert path.read_text() == before
    path.write_text("{ // nothing yet\n}\n")
    module.install(made)
    module.undo(made)
    assert path.read_text() == "{ // nothing yet\n}\n"


def test_where_the_program_takes_none_they_are_no_settings(made: Setup) -> None:
    path = codex.settings_file(made)
    path.parent.mkdir(parents=True)
    path.write_text("// a comment\n{}\n")
    with pytest.raises(BadSettings):
        codex.install(made)
    assert path.read_text() == "// a comment\n{}\n"


@ALL
def test_a_link_stays_one_and_nothing_of_stets_is_left_behind_it(
    module: ModuleType, made: Setup, tmp_path: Path
) -> None:
    path, real = made.root / WHERE[module], tmp_path / "dotfiles" / "file"
    path.parent.mkdir(parents=True)
    real.parent.mkdir()
    path.symlink_to(real)
    module.install(made)
    assert path.is_symlink()
    assert str(made.state) in real.read_text()
    assert module.install(made).files == ()
    module.undo(made)
    assert module.hooks(made) == []
    if module in (opencode, cline):  # all of it was Stet's
        assert not os.path.lexists(path)
        assert not real.exists()
    else:
        assert path.is_symlink()
        assert json.loads(real.read_text()) in ({}, {"version": 1})


@ALL
@pytest.mark.usefixtures("at_once")
def test_no_named_pipe_is_waited_for(module: ModuleType, made: Setup) -> None:
    path = made.root / WHERE[module]
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    for look in (module.hooks, module.install, module.undo):
        with pytest.raises(StorageError, match="not a regular file"):
            look(made)


@pytest.mark.parametrize("module", [codex, kimi], ids=lambda m: m.NAME)
@pytest.mark.parametrize("text", ['model = "x"', 'a = 1\r\n# é\r\n\r\n[b]\r\nc = "d"\r\n', "", "# only this"])
def test_a_toml_file_stays_to_the_byte(module: ModuleType, made: Setup, text: str) -> None:
    path = codex.config_file(made) if module is codex else kimi.all_files(made)[0]
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    module.install(made)
    assert path.read_bytes().startswith(text.encode())
    assert module.install(made).files == ()
    module.undo(made)
    assert (path.read_bytes() if path.exists() else b"") == text.encode()


@pytest.mark.parametrize("module", [codex, kimi], ids=lambda m: m.NAME)
def test_a_block_is_found_again_whatever_an_editor_did_to_its_lines(module: ModuleType, made: Setup) -> None:
    """With other line ends, without its last one, and with something put below it."""
    path = codex.config_file(made) if module is codex else kimi.all_files(made)[0]
    path.parent.mkdir(parents=True)
    path.write_text('model = "x"')
    module.install(made)
    inside = path.read_bytes()
    for there, left in [
        (inside.replace(b"\n", b"\r\n"), b'model = "x"'),
        (inside.removesuffix(b"\n"), b'model = "x"'),
        (inside + b"[more]\nb = 2\n", b'model = "x"\n[more]\nb = 2\n'),
    ]:
        path.write_bytes(there)
        module.install(made)
        assert path.read_bytes().count(b"# stet: begin") == 1
        path.write_bytes(there)
        assert module.hooks(made)
        module.undo(made)
        assert path.read_bytes() == left
        module.install(made)


def test_clines_rules_in_a_file_are_named(book: Book) -> None:
    """`.clinerules` is often a file: then there can be no hooks of the project's, and nothing is wrong with that."""
    book.put("chapter.md", chapter(100))
    book.put(".clinerules", b"Be brief.\n")
    done = book.user.quick("install", "cline", cwd=book.root)
    assert (done.status, "rules-in-the-way" in done.err) == (2, True)
    assert " cline: " not in book.user.quick("doctor", cwd=book.root).out
    assert book.user.quick("install", "cline", "--user", cwd=book.root).status == 0
    assert quick_terminal(book.user, book.root, "init", "--undo")[0] == 0
    assert (book.root / ".clinerules").read_bytes() == b"Be brief.\n"


@pytest.mark.usefixtures("at_once")
def test_what_nobody_installed_harms_nobody(book: Book) -> None:
    """Settings of another program that cannot be read are a note, and the guard comes off all the same."""
    book.put("chapter.md", chapter(100))
    assert book.user.quick("install", "qwen", cwd=book.root).status == 0
    broken = book.user.home / ".gemini" / "settings.json"
    broken.parent.mkdir()
    broken.write_text('{"a": 1,}')
    os.mkfifo(book.root / "pipe")
    (book.root / ".cursor").mkdir()
    (book.root / "pipe").rename(book.root / ".cursor" / "hooks.json")
    done = book.user.quick("doctor", "--json", cwd=book.root)
    found = {one["about"]: one["state"] for one in json.loads(done.out) if one["about"] in ("gemini", "cursor")}
    assert (done.status, found) == (0, {"gemini": "note", "cursor": "note"}), done
    status, said = quick_terminal(book.user, book.root, "init", "--undo")
    assert status == 0, said
    assert "Gemini CLI: " in said
    assert "take them out by hand" in said
    assert not (book.root / ".qwen").exists()
    assert not (book.root / "stet.toml").exists()


def test_a_guard_that_cannot_be_taken_out_everywhere_is_kept(book: Book) -> None:
    """Where hooks were installed they must come out: the others do, and the rest is done once the file is mended."""
    book.put("chapter.md", chapter(100))
    for name in ("gemini", "qwen"):
        assert book.user.quick("install", name, cwd=book.root).status == 0
    path = book.root / ".gemini" / "settings.json"
    text = path.read_text()
    path.write_text(text + "}")
    found = json.loads(book.user.quick("doctor", "--json", cwd=book.root).out)
    assert [one["about"] for one in found if one["state"] == "bad"] == ["gemini"]
    status, said = quick_terminal(book.user, book.root, "init", "--undo")
    assert (status, "bad-settings" in said) == (1, True)
    assert not (book.root / ".qwen").exists()
    assert (book.root / "stet.toml").exists()
    path.write_text(text)
    assert quick_terminal(book.user, book.root, "init", "--undo")[0] == 0
    assert not (book.root / ".gemini" / "settings.json").exists()


@pytest.mark.usefixtures("at_once")
def test_a_pipe_for_a_git_hook_is_not_waited_for(book: Book) -> None:
    from watch_kit import git

    git(book.root, "init", "-q")
    (book.root / ".git" / "hooks").mkdir(exist_ok=True)
    os.mkfifo(book.root / ".git" / "hooks" / "pre-commit")
    with pytest.raises(StorageError, match="not a regular file"):
        git_hook.install(book.root)
