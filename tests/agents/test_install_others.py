"""Hooks go into every runtime's settings beside what is there, once, and come out again."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

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
    runtimes,
    windsurf,
)
from firewall.agents.install.settings import BadSettings
from firewall.agents.install.setup import Setup

JSON_ONES = pytest.mark.parametrize("module", [codex, gemini, qwen], ids=lambda m: m.NAME)
ALL = pytest.mark.parametrize(
    "module", [codex, gemini, opencode, qwen, cursor, cline, windsurf, copilot, kimi], ids=lambda m: m.NAME
)
FLAT = pytest.mark.parametrize("module", [cursor, windsurf, copilot], ids=lambda m: m.NAME)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """A project and a home with nothing in it."""
    monkeypatch.delenv("CODEX_HOME", raising=False)
    (tmp_path / "my work").mkdir()
    (tmp_path / "home").mkdir()
    return Setup(tmp_path / "my work", tmp_path / "state", tmp_path / "home", "/opt/st et/bin/stet-hook")


def everything(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@ALL
def test_in_twice_and_out(module: ModuleType, made: Setup) -> None:
    module.install(made)
    once = everything(made.root.parent)
    assert module.hooks(made), "what was installed is found"
    for hook in module.hooks(made):
        said = hook.file.read_text() if module is cline else hook.command
        assert str(made.state) in said, "no changed HOME brings another record"
    again = module.install(made)
    assert again.files == ()
    assert everything(made.root.parent) == once
    module.undo(made)
    assert module.hooks(made) == []
    left = everything(made.root.parent)
    assert set(left) <= {"home/.gemini/trustedFolders.json"}, "trust in a folder may be the user's own"
    assert not [p for p in made.root.rglob("*") if p.is_file()]


@JSON_ONES
def test_what_is_there_stays(module: ModuleType, made: Setup) -> None:
    path = module.settings_file(made)
    path.parent.mkdir(parents=True)
    first = module.TOOL_EVENTS[0]
    theirs: dict[str, Any] = {
        "ui": {"theme": "x"},
        "hooks": {first: [{"matcher": "a", "hooks": [{"type": "command", "command": "./b"}]}]},
    }
    path.write_text(json.dumps(theirs, indent=2) + "\n")
    before = path.read_bytes()
    module.install(made)
    now = json.loads(path.read_text())
    assert now["ui"] == theirs["ui"]
    assert now["hooks"][first][0] == theirs["hooks"][first][0]
    assert len(now["hooks"][first]) == 2
    module.undo(made)
    assert path.read_bytes() == before


@pytest.mark.parametrize("module", [codex, gemini, qwen, cursor, windsurf, copilot, claude], ids=lambda m: m.NAME)
def test_a_persons_own_form_stays_to_the_byte(module: ModuleType, made: Setup) -> None:
    """Lists in one line, a last line without an end, the line ends of Windows, a byte order mark."""
    path = module.settings_file(made)
    path.parent.mkdir(parents=True)
    theirs = '{"version": 1,\n    "permissions" : { "allow": ["Bash(ls)", "Read"],\n "deny":[ ] },\n  "u":"\\u00e9 é"}'
    path.write_bytes(b"\xef\xbb\xbf" + theirs.replace("\n", "\r\n").encode())
    before = path.read_bytes()
    module.install(made)
    assert module.hooks(made)
    assert path.read_bytes().startswith(before.removesuffix(b"}"))
    assert module.install(made).files == ()
    module.undo(made)
    assert path.read_bytes() == before


@FLAT
def test_others_handlers_stay(module: ModuleType, made: Setup) -> None:
    path = module.settings_file(made)
    path.parent.mkdir(parents=True)
    event = module.EVENTS[2]
    theirs = {"version": 1, "hooks": {event: [{"command": "./mine.sh"}]}}
    path.write_text(json.dumps(theirs, indent=2) + "\n")
    before = path.read_bytes()
    module.install(made)
    assert json.loads(path.read_text())["hooks"][event][0] == {"command": "./mine.sh"}
    module.undo(made)
    assert path.read_bytes() == before


def test_cline_leaves_a_script_that_is_not_its_own(made: Setup) -> None:
    path = cline.folder(made) / "PostToolUse"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    with pytest.raises(cline.ScriptNotOurs):
        cline.install(made)
    assert [p.name for p in path.parent.iterdir()] == ["PostToolUse"]
    cline.undo(made)
    assert path.read_text() == "#!/bin/sh\n"


@pytest.mark.parametrize(("program", "cancelled"), [("exit 1", True), ("echo '{\"cancel\":false}'", False)])
def test_clines_script_cancels_where_the_hook_fails(made: Setup, program: str, cancelled: bool) -> None:
    hook = made.root / "stet-hook"
    hook.write_text(f"#!/bin/sh\ncat >/dev/null\n{program}\n")
    hook.chmod(0o755)
    cline.install(made._replace(program=str(hook)))
    done = subprocess.run([cline.folder(made) / "PreToolUse"], input="{}", capture_output=True, text=True, timeout=30)
    assert json.loads(done.stdout)["cancel"] is cancelled


def test_kimis_own_hooks_stay(made: Setup) -> None:
    path = kimi.all_files(made)[0]
    path.parent.mkdir(parents=True)
    before = 'model = "k"\n\n[[hooks]]\nevent = "Stop"\ncommand = "beep"\n'
    path.write_text(before)
    kimi.install(made)
    listed = tomllib.loads(path.read_text())["hooks"]
    assert listed[0] == {"event": "Stop", "command": "beep"}
    assert [h["event"] for h in listed[1:]] == list(kimi.EVENTS)
    kimi.undo(made)
    assert path.read_text() == before


@JSON_ONES
def test_a_file_that_is_no_json_is_left(module: ModuleType, made: Setup) -> None:
    path = module.settings_file(made)
    path.parent.mkdir(parents=True)
    path.write_text('{"a": 1,}\n')
    with pytest.raises(BadSettings):
        module.install(made)
    assert path.read_text() == '{"a": 1,}\n'


@ALL
def test_every_runtime_has_what_doctor_needs(module: ModuleType, made: Setup) -> None:
    module.install(made)
    assert any(hook.event == module.CANARY_EVENT for hook in module.hooks(made))
    assert json.loads(json.dumps(module.canary(made))) == module.canary(made)
    assert module.canary_end(made)
    assert module.denial(0, b"", b"") == ""
    if module is not cline:  # its exit statuses refuse nothing
        assert module.denial(2, b"", b"no") == "no"
    assert module.off(made) == (), "what was just installed runs"
    assert all(isinstance(line, str) for line in module.gaps(made))
    assert {hook.file for hook in module.hooks(made)} <= set(module.guarded(made)), "an agent's change is put back"
    assert module.NAME in runtimes.RUNTIMES


def test_gemini_trusts_the_folder_but_does_not_overrule_a_person(made: Setup) -> None:
    gemini.install(made)
    assert json.loads(gemini.trust_file(made).read_text()) == {str(made.root): "TRUST_FOLDER"}
    assert gemini.off(made) == ()
    gemini.trust_file(made).write_text(json.dumps({str(made.root): "DO_NOT_TRUST"}))
    done = gemini.install(made)
    assert "NOT run" in done.said[-1]
    assert "DO_NOT_TRUST" in gemini.trust_file(made).read_text()
    assert any("do NOT run" in line for line in gemini.off(made))


def test_codex_trusts_hooks_and_project_beside_what_is_there(made: Setup) -> None:
    config = codex.config_file(made)
    config.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[projects."/elsewhere"]\ntrust_level = "trusted"'
    config.write_text(before)
    codex.install(made)
    value = tomllib.loads(config.read_text())
    assert value["model"] == "x"
    assert value["projects"][str(made.root)]["trust_level"] == "trusted"
    hooks = json.loads(codex.settings_file(made).read_text())
    assert (
        codex.trust(codex.settings_file(made), hooks).items()
        <= {k: v["trusted_hash"] for k, v in value["hooks"]["state"].items()}.items()
    )
    assert codex.off(made) == ()
    codex.undo(made)
    assert config.read_text() == before


def test_codex_keeps_a_projects_own_trust_level(made: Setup) -> None:
    config = codex.config_file(made)
    config.parent.mkdir()
    config.write_text(f'[projects.{json.dumps(str(made.root))}]\ntrust_level = "untrusted"\n')
    codex.install(made)
    assert tomllib.loads(config.read_text())["projects"][str(made.root)]["trust_level"] == "untrusted"
    assert any("not a trusted project" in line for line in codex.off(made))


def test_codex_says_when_a_hook_lost_its_trust(made: Setup) -> None:
    codex.install(made)
    path = codex.settings_file(made)
    path.write_text(path.read_text().replace('"timeout": 60', '"timeout": 61', 1))
    assert any("not trusted" in line for line in codex.off(made))


def test_codex_leaves_a_broken_config(made: Setup) -> None:
    config = codex.config_file(made)
    config.parent.mkdir()
    config.write_text("model = \n")
    with pytest.raises(BadSettings):
        codex.install(made)
    assert config.read_text() == "model = \n"


def test_opencode_leaves_a_plugin_of_that_name_that_is_not_its_own(made: Setup) -> None:
    path = opencode.plugin_file(made)
    path.parent.mkdir(parents=True)
    path.write_text("export const X = 1\n")
    for act in (opencode.install, opencode.undo):
        with pytest.raises(opencode.NotOurs):
            act(made)
    assert path.read_text() == "export const X = 1\n"


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here")
@pytest.mark.parametrize(
    ("script", "thrown"),
    [
        ("cat >/dev/null", ""),
        ("cat >/dev/null; echo 'not this' >&2; exit 2", "not this"),
        ("cat >/dev/null; exit 3", "ended with 3"),
        ("cat >/dev/null; kill -9 $$", "ended with null"),
    ],
)
def test_the_plugin_throws_on_anything_but_a_clear_yes(made: Setup, script: str, thrown: str) -> None:
    program = made.root / "stet-hook"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    _ask(made._replace(program=str(program)), thrown)


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here")
def test_the_plugin_throws_where_its_program_is_gone(made: Setup) -> None:
    _ask(made, "ENOENT")


def _ask(made: Setup, thrown: str) -> None:
    """Load the plugin in node, announce a write, and look at what it throws."""
    opencode.install(made)
    plugin = opencode.plugin_file(made)
    module = plugin.with_suffix(".mjs")
    shutil.copy(plugin, module)
    code = (
        f"import {{ Stet }} from {json.dumps(str(module))};"
        "const p = await Stet({ directory: '/x' });"
        "try { await p['tool.execute.before']({ tool: 'write' }, { args: {} }); console.log('passed') }"
        "catch (e) { console.log('threw ' + e.message) }"
    )
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "passed" if not thrown else thrown in done.stdout
