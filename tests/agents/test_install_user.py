"""Hooks in the user's own settings serve every project that put its own there, and keep silent elsewhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from stet_kit import STET, Home, chapter, quick_terminal

from firewall.agents.install import (
    claude,
    cline,
    codex,
    copilot,
    cursor,
    gemini,
    kimi,
    opencode,
    qwen,
    reading,
    runtimes,
    windsurf,
)
from firewall.agents.install.setup import Setup, alone

ALL = pytest.mark.parametrize(
    "module", [claude, codex, gemini, opencode, qwen, cursor, cline, windsurf, copilot, kimi], ids=lambda m: m.NAME
)


def pair(tmp_path: Path, scope: str = "user") -> tuple[Setup, Setup]:
    """Two projects of one user."""
    made = []
    for name in ("one", "zwei ö"):
        (tmp_path / name).mkdir(exist_ok=True)
        made.append(
            Setup(tmp_path / name, tmp_path / f"state {name}", tmp_path / "home", "/opt/stet-hook", scope, (2, 1, 332))
        )
    return made[0], made[1]


def everything(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def roots(module: ModuleType, setup: Setup) -> bool:
    """Do the hooks that are found for a project name it, and no other?"""
    found = module.hooks(setup)
    said = [h.file.read_text("utf-8") if module is cline else h.command for h in found]
    return bool(found) and all(str(setup.root) in one for one in said)


@pytest.fixture(autouse=True)
def no_codex_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)


@ALL
def test_each_project_has_its_own_and_takes_out_its_own(module: ModuleType, tmp_path: Path) -> None:
    first, second = pair(tmp_path)
    module.install(first)
    alone = everything(tmp_path)
    module.install(second)
    assert roots(module, first) and roots(module, second)
    assert {h.event for h in module.hooks(first)} == {h.event for h in module.hooks(second)}
    assert module.off(first) == () and module.off(second) == (), "neither was spoilt by the other"
    both = everything(tmp_path)
    assert module.install(first).files == module.install(second).files == (), "twice is once"
    assert everything(tmp_path) == both
    module.undo(second)
    assert module.hooks(second) == []
    assert roots(module, first) and module.off(first) == ()
    assert module.undo(second).files == (), "of its own there is nothing left"
    after = everything(tmp_path)
    assert after.keys() == alone.keys()
    module.undo(first)
    assert everything(tmp_path) == {}
    assert not [p for p in tmp_path.rglob("*") if p.name.startswith(".") and p.name != ".config"], "no folder of ours"


@ALL
def test_the_hooks_say_that_they_run_for_every_session(module: ModuleType, tmp_path: Path) -> None:
    first, _ = pair(tmp_path)
    module.install(first)
    for found in module.hooks(first):
        said = found.file.read_text("utf-8") if module is cline else found.command
        assert "--user" in said
        assert found.scope == "user"
    if module is kimi:
        return  # it has no settings of a project
    shutil.rmtree(tmp_path / "home")
    module.install(first._replace(scope="project"))
    for found in module.hooks(first):
        said = found.file.read_text("utf-8") if module is cline else found.command
        assert "--user" not in said, "a folder's own hooks are always asked"
        assert found.scope == "project"


@ALL
def test_a_folder_that_moved_takes_its_old_hooks_out(module: ModuleType, tmp_path: Path) -> None:
    first, second = pair(tmp_path)
    module.install(first)
    module.install(second)
    first.root.rename(tmp_path / "elsewhere")
    moved = first._replace(root=tmp_path / "elsewhere")
    module.install(moved)
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "home").rglob("*") if path.is_file())
    hooks_only = "\n".join(line for line in text.splitlines() if "stet-hook" in line)
    assert str(first.root) not in hooks_only
    assert roots(module, moved) and roots(module, second)


@pytest.mark.parametrize("scope", ["project", "user"])
def test_codex_trusts_the_hooks_of_all_projects(tmp_path: Path, scope: str) -> None:
    first, second = pair(tmp_path, scope)
    codex.install(first)
    codex.install(second)
    assert codex.off(first) == codex.off(second) == ()
    codex.undo(first)
    assert codex.off(second) == ()
    value = tomllib.loads(codex.config_file(second).read_text("utf-8"))
    assert set(value.get("projects", {})) == ({str(second.root)} if scope == "project" else set())
    codex.undo(second)
    assert not codex.config_file(second).exists()


@pytest.mark.skipif(not shutil.which("sh"), reason="there is no shell")
@pytest.mark.parametrize(
    ("first_says", "second_says", "said"),
    [
        ('{"cancel":false}', '{"cancel":false}', {"cancel": False}),
        ('{"cancel":true,"errorMessage":"a"}', '{"cancel":false}', {"cancel": True, "errorMessage": "a"}),
        ('{"cancel":false}', '{"cancel":true,"errorMessage":"b"}', {"cancel": True, "errorMessage": "b"}),
        (
            '{"cancel":false,"contextModification":"a"}',
            '{"cancel":false}',
            {"cancel": False, "contextModification": "a"},
        ),
        ('{"cancel":false}', "", {"cancel": True, "errorMessage": "Stet refuses, since its hook could not run."}),
    ],
)
def test_clines_script_asks_for_every_project(
    tmp_path: Path, first_says: str, second_says: str, said: dict[str, Any]
) -> None:
    import subprocess

    for setup, answer in zip(pair(tmp_path), (first_says, second_says), strict=True):
        program = setup.root / "stet-hook"
        body = f"echo '{answer}'" if answer else "exit 1"
        program.write_text(f'#!/bin/sh\n[ "$(cat)" = "{{}}" ] || exit 3\n{body}\n')
        program.chmod(0o755)
        cline.install(setup._replace(program=str(program)))
    script = cline.folder(pair(tmp_path)[0]) / "PreToolUse"
    done = subprocess.run([script], input="{}", capture_output=True, text=True, timeout=30)
    assert json.loads(done.stdout) == said


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here")
@pytest.mark.parametrize("bad", [0, 1])
def test_opencodes_plugin_asks_for_every_project(tmp_path: Path, bad: int) -> None:
    import subprocess

    for number, setup in enumerate(pair(tmp_path)):
        program = setup.root / "stet-hook"
        body = "echo 'not this' >&2; exit 2" if number == bad else "exit 0"
        program.write_text(f"#!/bin/sh\ncat >/dev/null\n{body}\n")
        program.chmod(0o755)
        opencode.install(setup._replace(program=str(program)))
    plugin = opencode.plugin_file(pair(tmp_path)[0])
    module = plugin.with_suffix(".mjs")
    shutil.copy(plugin, module)
    code = (
        f"import {{ Stet }} from {json.dumps(str(module))};"
        "const p = await Stet({ directory: '/x' });"
        "try { await p['tool.execute.before']({ tool: 'write' }, { args: {} }); console.log('passed') }"
        "catch (e) { console.log('threw ' + e.message) }"
    )
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True, timeout=60)
    assert "threw Stet: not this" in done.stdout, done


# -- the commands --------------------------------------------------------------------------------------------


def test_projects_that_are_installed_at_once_are_all_in(tmp_path: Path) -> None:
    """Each reads the settings, adds its own and writes them: of two at once one was lost, and told that it was in."""
    user = Home(tmp_path)
    folders = [tmp_path / f"book{number}" for number in range(5)]
    for folder in folders:
        folder.mkdir()
        assert user.quick("init", cwd=folder).status == 0
    words = [STET, "install", "claude", "--user"]
    started = [
        subprocess.Popen(words, cwd=folder, env=user.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for folder in folders
    ]
    said = [process.communicate(timeout=100)[1].decode() for process in started]
    assert [process.returncode for process in started] == [0] * len(folders), said
    for folder in folders:
        assert roots(claude, _setup(user, folder)), folder
    with alone(_setup(user, folders[0])._replace(state=user.state / "stet" / "any")):
        late = subprocess.Popen([*words, "--undo"], cwd=folders[0], env=user.environment(), stdin=subprocess.DEVNULL)
        other = subprocess.Popen(words, cwd=folders[0], env=user.environment(), stdout=subprocess.DEVNULL)
        assert late.wait(60) == 1, "only a person takes them out"
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(2)
    assert other.wait(60) == 0


def test_two_projects_through_the_command(tmp_path: Path) -> None:
    user = Home(tmp_path)
    folders = [tmp_path / "book3", tmp_path / "my böok"]
    for folder in folders:
        folder.mkdir()
        (folder / "chapter.md").write_bytes(chapter(1500))
        assert user.quick("init", cwd=folder).status == 0
        assert user.quick("install", "gemini", "--user", cwd=folder).status == 0

    def doctor(folder: Path) -> tuple[int, str]:
        done = user.quick("doctor", cwd=folder)
        return done.status, done.out

    for folder in folders:
        status, out = doctor(folder)
        assert (status, "was refused: " in out) == (0, True), out
        assert "\\x0a" not in out
    kept = user.home / ".gemini" / "settings.json"
    with_both = kept.read_bytes()
    ask_first = json.dumps({"session_id": "s", "cwd": str(folders[0]), "hook_event_name": "BeforeAgent", "prompt": "x"})
    command = next(h.command for h in gemini.hooks(_setup(user, folders[0])) if h.event == "BeforeAgent")
    _ask(command, ask_first, user)  # a turn opens in the first: its copy of the settings counts
    kept.write_text("{}")
    after = ask_first.replace("BeforeAgent", "AfterTool").replace('"prompt": "x"', '"tool_name": "x", "tool_input": {}')
    _ask(command, after, user)
    assert kept.read_bytes() == with_both, "put back with the hooks of both"
    status, said = quick_terminal(user, folders[1], "install", "gemini", "--undo")
    assert status == 0, said
    assert doctor(folders[0])[0] == 0
    status, out = doctor(folders[1])
    assert status == 1 and "no agent has Stet's hooks here" in out


def _setup(user: Home, root: Path) -> Setup:
    return Setup(root, Path("/none"), user.home, "", "user")


def _ask(command: str, event: str, user: Home) -> None:
    import subprocess

    done = subprocess.run(
        ["/bin/sh", "-c", command], input=event.encode(), env=user.environment(), capture_output=True, timeout=60
    )
    assert done.returncode == 0, done


@pytest.fixture
def project(tmp_path: Path) -> tuple[Home, Path]:
    user, root = Home(tmp_path), tmp_path / "book"
    (root / "sub").mkdir(parents=True)
    (root / "chapter.md").write_bytes(chapter(1500))
    assert user.quick("init", cwd=root).status == 0
    return user, root


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cursor", "--http"), "--http"),
        (("git", "--local"), "--local"),
        (("git", "--user"), "--user"),
        (("git", "--http"), "--http"),
        (("gemini", "--local"), "--local"),
        (("kimi", "--local"), "--local"),
        (("claude", "--local", "--user"), "two places"),
        (("claude", "--http", "--user"), "every session"),
        (("claude", "--http", "--undo"), "--http"),
    ],
    ids=" ".join,
)
def test_an_option_that_would_do_nothing_is_a_mistake(
    project: tuple[Home, Path], words: tuple[str, ...], said: str
) -> None:
    user, root = project
    done = user.quick("install", *words, cwd=root)
    assert done.status == 2, done
    assert said in done.err
    assert not [p for p in root.rglob("*") if p.is_file() and "stet-hook" in p.read_text("utf-8")]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("install", "claud"), "claude"),
        (("install", "Claude"), "claude"),
        (("install", "GIT"), "git"),
        (("alert",), "alerts"),
        (("doctro",), "doctor"),
        (("Instal", "claude"), "install"),
    ],
)
def test_what_was_meant(project: tuple[Home, Path], words: tuple[str, ...], meant: str) -> None:
    user, root = project
    done = user.quick(*words, cwd=root)
    assert done.status == 2
    assert f"Did you mean {meant}?" in done.err.replace("'", "").replace("`", "")


def test_nothing_like_it_means_nothing(project: tuple[Home, Path]) -> None:
    user, root = project
    for words in (("install", "xyzzy"), ("xyzzy",)):
        done = user.quick(*words, cwd=root)
        assert done.status == 2
        assert "mean" not in done.err


@pytest.mark.parametrize("runtime", ["gemini", "codex", "opencode"])
def test_a_folder_below_is_not_guarded_and_that_is_said(project: tuple[Home, Path], runtime: str) -> None:
    user, root = project
    reads_above = reading.reads_above(runtimes.module(runtime), root, root / "sub")
    done = user.quick("install", runtime, cwd=root / "sub")
    assert done.status == 0
    assert ("NOT guarded" in done.out) is not reads_above
    doctor = user.quick("doctor", cwd=root / "sub")
    assert ("NOT guarded" in doctor.out) is not reads_above
    assert doctor.status == (0 if reads_above else 1), doctor.out
    assert user.quick("doctor", cwd=root).status == 0, "in the folder itself they are"
    assert user.quick("install", runtime, "--user", cwd=root / "sub").status == 0
    doctor = user.quick("doctor", cwd=root / "sub")
    assert doctor.status == 0, doctor.out
    assert "NOT guarded" not in doctor.out


def test_which_sessions_read_the_settings(tmp_path: Path) -> None:
    setup, _ = pair(tmp_path, "project")
    claude.install(setup)
    hooks = claude.hooks(setup)
    assert reading.unread(claude, setup, setup.root, hooks) == []
    assert reading.unread(claude, setup, setup.root / "sub", []) == []
    (said,) = reading.unread(claude, setup, setup.root / "sub", hooks)
    assert str(setup.root) in said and "--user" in said


@pytest.mark.parametrize(
    ("git", "codex_reads", "opencode_reads"),
    [("", False, True), ("book", True, True), ("", False, True), ("book/sub", False, False), (".", True, True)],
)
def test_how_far_up_a_session_looks(tmp_path: Path, git: str, codex_reads: bool, opencode_reads: bool) -> None:
    here = tmp_path / "book" / "sub" / "deep"
    here.mkdir(parents=True)
    if git:
        (tmp_path / git / ".git").mkdir()
    assert reading.reads_above(codex, tmp_path / "book", here) is codex_reads
    assert reading.reads_above(opencode, tmp_path / "book", here) is opencode_reads
    assert not reading.reads_above(claude, tmp_path / "book", here)


def test_undo_takes_out_what_is_in_any_settings(project: tuple[Home, Path]) -> None:
    user, root = project
    for scope in ((), ("--user",), ("--local",)):
        assert user.quick("install", "claude", *scope, cwd=root).status == 0
    assert (root / ".claude" / "settings.local.json").exists() and (user.home / ".claude" / "settings.json").exists()
    status, said = quick_terminal(user, root, "install", "claude", "--undo", "--user")
    assert status == 0
    assert "settings.local.json still has hooks" in said
    status, said = quick_terminal(user, root, "install", "claude", "--undo")
    assert status == 0
    assert "has no hooks of Stet" not in said, "something was taken out, and the rest needs no word"
    assert not (root / ".claude").exists() and not (user.home / ".claude").exists()
    status, said = quick_terminal(user, root, "install", "claude", "--undo")
    assert "has no hooks of Stet" in said


def test_copilots_folders_go_with_its_hooks(project: tuple[Home, Path]) -> None:
    user, root = project
    (root / ".github").mkdir()
    (root / ".github" / "mine.yml").write_text("a: 1\n")
    for _ in range(2):
        assert user.quick("install", "copilot", cwd=root).status == 0
        assert quick_terminal(user, root, "install", "copilot", "--undo")[0] == 0
        assert not (root / ".github" / "hooks").exists()
        (root / ".github" / "mine.yml").unlink(missing_ok=True)
    assert not (root / ".github").exists()


@pytest.mark.parametrize(("scope", "ignored"), [("--local", False), ("--local", True), ("", False), ("", True)])
def test_what_git_would_share_is_said(project: tuple[Home, Path], scope: str, ignored: bool) -> None:
    import subprocess

    user, root = project
    subprocess.run(["git", "init", "-q"], cwd=root, env=user.environment(), check=True)
    if ignored:
        (root / ".gitignore").write_text(".claude/\n")
    done = user.quick("install", "claude", *filter(None, [scope]), cwd=root)
    assert ("not ignored by git" in done.out) is not ignored
    assert ("use --local" in done.out) is (not ignored and not scope)
    done = user.quick("install", "claude", "--user", cwd=root)
    assert ".claude/settings" not in done.out.replace(str(user.home / ".claude" / "settings.json"), "")
    assert "every session" in done.out
    listed = subprocess.run(
        ["git", "status", "--short", "-uall"], cwd=root, env=user.environment(), check=True, capture_output=True
    )
    assert (b".claude/" in listed.stdout) is not ignored, "it is true"


@pytest.mark.parametrize("attack", ["own settings", "the user's settings", "a text"])
def test_an_agent_gets_nothing_past_by_installing(tmp_path: Path, attack: str) -> None:
    """What it did in its open turn is judged before anything is installed, in other projects too."""
    user, root, other = Home(tmp_path), tmp_path / "book", tmp_path / "other"
    for folder in (root, other):
        folder.mkdir()
        (folder / "chapter.md").write_bytes(chapter(1500))
        assert user.quick("init", cwd=folder).status == 0
    scope = ("--user",) if attack == "the user's settings" else ()
    assert user.quick("install", "gemini", *scope, cwd=root).status == 0
    (command,) = {h.command for h in gemini.hooks(_setup(user, root))}
    _ask(command, json.dumps({"session_id": "s", "cwd": str(root), "hook_event_name": "BeforeAgent"}), user)
    kept = (user.home if scope else root) / ".gemini" / "settings.json"
    if attack == "a text":
        (root / "chapter.md").write_text("A stub.\n")
    else:
        kept.write_text('{"hooksConfig": {"enabled": false}}')
    where = other if scope else root
    assert user.quick("install", "gemini", *scope, cwd=where).status == 0
    assert (root / "chapter.md").read_bytes() == chapter(1500)
    assert "hooksConfig" not in kept.read_text("utf-8")
    assert {h.command for h in gemini.hooks(_setup(user, root))} == {command}
    done = user.quick("doctor", cwd=root)
    assert done.status == 0, done.out
