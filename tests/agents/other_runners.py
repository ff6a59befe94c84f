"""Runs the real Codex, Gemini CLI, opencode and Qwen Code, headless, in a guarded folder, against scripted APIs."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from agent_clients import CODEX, GEMINI, OPENCODE, QWEN, program
from claude_runner import Ran
from fake_messages import Block, FakeMessages, Turns, told, tool
from fake_models import CHAT, RESPONSES, FakeModel
from fake_models import GEMINI as GEMINI_API
from stet_kit import Done, Home, chapter


class Guarded:
    """A git repository with a long chapter and a short note, guarded, with one runtime's hooks installed."""

    name = ""
    started_in: Path | None = None
    """Where a session is started, if not in the guarded folder."""

    def __init__(self, folder: Path, *install: str) -> None:
        self.user = Home(folder)
        self.program = self.find()
        self.root = folder / "book"
        self.root.mkdir()
        self.temp = folder / "tmp"
        self.temp.mkdir()
        self.chapter = self.root / "chapter.md"
        self.chapter.write_bytes(chapter(1500))
        self.note = self.root / "note.md"
        self.note.write_bytes(chapter(80, seed=7))
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "the book")
        self.prepare()
        assert self.stet("init").status == 0
        done = self.stet("install", self.name, *install)
        assert done.status == 0, done

    def find(self) -> Path:
        """The program; skips the test where it cannot be had."""
        raise NotImplementedError

    def prepare(self) -> None:
        """The user's own settings."""

    def git(self, *words: str) -> str:
        """Run git in the folder; what it printed."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.user.environment(), capture_output=True, text=True, check=True
        )
        return done.stdout

    def stet(self, *words: str) -> Done:
        """Run `stet` in the folder."""
        return self.user.quick(*words, cwd=self.root)

    def start(self, words: Sequence[str], **env: str) -> subprocess.CompletedProcess[str]:
        """Run the program to its end."""
        return subprocess.run(
            [*words], cwd=self.started_in or self.root, env=self.user.environment(TMPDIR=str(self.temp), **env),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
        )  # fmt: skip

    def put(self, path: Path, value: object) -> None:
        """Write JSON settings."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), "utf-8")

    def run(self, script: Turns) -> Ran:
        """One headless run of the scripted model."""
        raise NotImplementedError

    def write(self, name: str, content: str) -> Block:
        """A call that writes a whole file."""
        raise NotImplementedError

    def edit(self, name: str, old: str, new: str) -> Block:
        """A call that replaces a passage."""
        raise NotImplementedError

    def shell(self, command: str) -> Block:
        """A call of a shell."""
        raise NotImplementedError

    def read(self, name: str) -> Block:
        """A call that reads a file."""
        return self.shell(f"cat {name}")


class Codex(Guarded):
    """Codex CLI: patches and a shell."""

    name = "codex"

    def find(self) -> Path:
        return program(CODEX)

    def prepare(self) -> None:
        self._config = self.user.home / ".codex" / "config.toml"
        self._config.parent.mkdir(parents=True)
        self._config.write_text(
            'model = "gpt-5.5"\nmodel_provider = "fake"\napproval_policy = "never"\n'
            'sandbox_mode = "danger-full-access"\n[model_providers.fake]\nname = "fake"\nbase_url = "PLACE/v1"\n'
            'wire_api = "responses"\nenv_key = "FAKE_KEY"\n'
            "[analytics]\nenabled = false\n",
            "utf-8",
        )

    def run(self, script: Turns) -> Ran:
        with FakeModel(RESPONSES, script) as api:
            text = self._config.read_text("utf-8")
            self._config.write_text(text.replace("PLACE", api.url), "utf-8")
            words = [str(self.program), "exec", "--json", "--skip-git-repo-check", "--disable", "plugins", "do it"]
            done = self.start(words, FAKE_KEY="dummy")
            self._config.write_text(text, "utf-8")
        return Ran(done.returncode, done.stdout, done.stderr, api.told())

    def write(self, name: str, content: str) -> Block:
        lines = "".join(f"+{line}\n" for line in content.splitlines())
        return tool("apply_patch", input=f"*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch\n")

    def edit(self, name: str, old: str, new: str) -> Block:
        return tool(
            "apply_patch", input=f"*** Begin Patch\n*** Update File: {name}\n@@\n-{old}\n+{new}\n*** End Patch\n"
        )

    def shell(self, command: str) -> Block:
        return tool("exec_command", cmd=command)


class Gemini(Guarded):
    """Gemini CLI in a trusted folder."""

    name = "gemini"

    def find(self) -> Path:
        return program(GEMINI)

    def prepare(self) -> None:
        self.put(
            self.user.home / ".gemini" / "settings.json",
            {"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
             "privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}},
        )  # fmt: skip

    def run(self, script: Turns) -> Ran:
        with FakeModel(GEMINI_API, script) as api:
            node = shutil.which("node") or "node"
            words = [node, str(self.program), "--yolo", "-m", "gemini-2.5-pro", "-p", "do it"]
            done = self.start(
                words, GEMINI_API_KEY="dummy", GOOGLE_GEMINI_BASE_URL=api.url, GEMINI_CLI_NO_RELAUNCH="true"
            )
        return Ran(done.returncode, done.stdout, done.stderr, api.told())

    def write(self, name: str, content: str) -> Block:
        return tool("write_file", file_path=name, content=content)

    def edit(self, name: str, old: str, new: str) -> Block:
        return tool("replace", file_path=str(self.root / name), instruction="x", old_string=old, new_string=new)

    def shell(self, command: str) -> Block:
        return tool("run_shell_command", command=command, description="x")

    def read(self, name: str) -> Block:
        return tool("read_file", file_path=str(self.root / name))


MODELS = {
    "anthropic": {
        "id": "anthropic", "name": "Anthropic", "env": ["ANTHROPIC_API_KEY"], "npm": "@ai-sdk/anthropic",
        "models": {
            "claude-sonnet-4-5": {
                "id": "claude-sonnet-4-5", "name": "Claude", "attachment": True, "reasoning": True, "tool_call": True,
                "temperature": True, "release_date": "2025-09-29", "last_updated": "2025-09-29", "open_weights": False,
                "modalities": {"input": ["text"], "output": ["text"]}, "cost": {"input": 3, "output": 15},
                "limit": {"context": 200000, "output": 64000},
            }
        },
    }
}  # fmt: skip
"""opencode's list of models, with the one that answers: to read the thousands of its own takes it seconds."""


class Opencode(Guarded):
    """opencode with Stet's plugin."""

    name = "opencode"

    def find(self) -> Path:
        return program(OPENCODE)

    def prepare(self) -> None:
        """Its own package is not fetched: where it would go, it seems to be there."""
        lock = {"packages": {"": {"dependencies": {"@opencode-ai/plugin": OPENCODE.version}}}}
        for folder in (self.root / ".opencode", self.user.home / ".config" / "opencode", self.user.home / ".opencode"):
            (folder / "node_modules").mkdir(parents=True)
            self.put(folder / "package-lock.json", lock)

    def run(self, script: Turns) -> Ran:
        with FakeMessages(script) as api:
            options = {"baseURL": f"{api.url}/v1", "apiKey": "dummy"}
            model = "anthropic/claude-sonnet-4-5"
            models = self.temp / "models.json"
            self.put(models, MODELS)
            self.put(
                self.user.home / ".config" / "opencode" / "opencode.json",
                {"autoupdate": False, "share": "disabled", "snapshot": False, "model": model, "small_model": model,
                 "provider": {"anthropic": {"options": options}}},
            )  # fmt: skip
            done = self.start(
                [str(self.program), "run", "--format", "json", "do it"], OPENCODE_DISABLE_MODELS_FETCH="1",
                OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_MODELS_PATH=str(models), OPENCODE_FAST_BOOT="1",
                OPENCODE_DISABLE_DEFAULT_PLUGINS="1", OPENCODE_DISABLE_EMBEDDED_WEB_UI="1",
                XDG_CONFIG_HOME=str(self.user.home / ".config"),
            )  # fmt: skip
            heard = [told(body) for body in api.requests[1:]]
        return Ran(done.returncode, done.stdout, done.stderr, heard)

    def write(self, name: str, content: str) -> Block:
        return tool("write", filePath=str(self.root / name), content=content)

    def edit(self, name: str, old: str, new: str) -> Block:
        return tool("edit", filePath=name, oldString=old, newString=new)

    def shell(self, command: str) -> Block:
        return tool("bash", command=command, description="x")

    def read(self, name: str) -> Block:
        return tool("read", filePath=str(self.root / name))


QUICK_NAMES = """\
const names = Object.getOwnPropertyNames
Object.getOwnPropertyNames = (of) => (ArrayBuffer.isView(of) && of.length > 100000 ? [] : names(of))
"""
"""Qwen Code's bundle makes a getter for each byte of a parser of shell commands, some seconds long; none is used."""


class Qwen(Guarded):
    """Qwen Code. It does not start itself a second time here, for more memory; for doctor it does."""

    name = "qwen"

    def find(self) -> Path:
        return program(QWEN)

    def run(self, script: Turns) -> Ran:
        quick = self.temp / "quick.cjs"
        quick.write_text(QUICK_NAMES, "utf-8")
        with FakeModel(CHAT, script) as api:
            node = shutil.which("node") or "node"
            done = self.start(
                [node, "--require", str(quick), str(self.program), "--auth-type", "openai", "--yolo", "do it"],
                OPENAI_API_KEY="dummy", OPENAI_BASE_URL=f"{api.url}/v1", OPENAI_MODEL="fake-model",
                QWEN_CODE_NO_RELAUNCH="true",
            )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr, api.told())

    def write(self, name: str, content: str) -> Block:
        return tool("write_file", file_path=str(self.root / name), content=content)

    def edit(self, name: str, old: str, new: str) -> Block:
        return tool("edit", file_path=str(self.root / name), old_string=old, new_string=new)

    def shell(self, command: str) -> Block:
        return tool("run_shell_command", command=command, is_background=False, description="x")

    def read(self, name: str) -> Block:
        return tool("read_file", file_path=str(self.root / name))
