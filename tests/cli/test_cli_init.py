"""stet init where something is there already, and stet init --undo, which leaves nothing but what a person wrote."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from stet_kit import STUB, Home, chapter, quick_terminal


@pytest.fixture
def user(tmp_path: Path) -> Home:
    """Somebody's own home."""
    return Home(tmp_path)


def guarded(user: Home, name: str = "book") -> Path:
    """A guarded folder with a long chapter that is known."""
    root = user.folder / name
    root.mkdir()
    (root / "chapter.md").write_bytes(chapter(1500))
    assert user.quick("init", cwd=root).status == 0
    assert user.quick("check", "chapter.md", cwd=root, data=STUB).status == 1
    return root


def notes(user: Home) -> list[str]:
    """The folders that are noted as guarded."""
    return sorted(json.loads(p.read_text())["root"] for p in (user.config / "stet" / "guarded").glob("*.json"))


def test_the_defaults_come_back_as_the_hint_says(user: Home) -> None:
    root = guarded(user)
    policy = root / "stet.toml"
    policy.write_text(policy.read_text("utf-8") + "\n[rules]\nattempts = 2\n", "utf-8")
    done = user.quick("init", cwd=root)
    assert done.status == 2
    assert "remove" not in done.err and "stet accept stet.toml" in done.err and "`id`" in done.err
    assert "[rules]" in policy.read_text("utf-8"), "it was left as it is"
    policy.write_text(policy.read_text("utf-8").replace("\n[rules]\nattempts = 2\n", ""), "utf-8")
    assert quick_terminal(user, root, "accept", "stet.toml")[0] == 0
    assert user.quick("alerts", cwd=root).status == 0


def test_where_the_record_is_gone_init_says_what_helps(user: Home) -> None:
    root = guarded(user)
    shutil.rmtree(user.state)
    done = user.quick("init", cwd=root)
    assert done.status == 1
    assert "[state-broken]" in done.err and "stet init --adopt" in done.err
    assert quick_terminal(user, root, "init", "--adopt")[0] == 0
    assert user.quick("alerts", cwd=root).status == 0


@pytest.mark.parametrize("broken", ["", "no stet.toml", "no record", "no note", "bad stet.toml"])
def test_undo_leaves_what_a_person_wrote_and_says_where_the_rest_is(user: Home, broken: str) -> None:
    root, other = guarded(user), guarded(user, "other")
    subprocess.run(["git", "init", "-q"], cwd=root, env=user.environment(), check=True)
    for words in (("gemini",), ("gemini", "--user"), ("copilot",), ("kimi",), ("git",)):
        assert user.quick("install", *words, cwd=root).status == 0, words
    assert user.quick("install", "gemini", "--user", cwd=other).status == 0
    if broken == "no stet.toml":
        (root / "stet.toml").unlink()
    elif broken == "bad stet.toml":
        (root / "stet.toml").write_text("id = \n")
    elif broken == "no record":
        ident = next(line for line in (root / "stet.toml").read_text().splitlines() if line.startswith("id"))
        shutil.rmtree(user.state / "stet" / ident.split('"')[1])
    elif broken == "no note":
        for note in (user.config / "stet" / "guarded").glob("*.json"):
            if json.loads(note.read_text())["root"] == str(root):
                note.unlink()
    status, said = quick_terminal(user, root, "init", "--undo")
    assert status == 0, said
    assert "guarded no longer" in said and "set-aside" in said
    assert "stet/staging/*" in said
    assert sorted(p.name for p in root.iterdir()) == [".git", "chapter.md"]
    assert not (root / ".git" / "hooks" / "pre-commit").exists()
    assert not (user.home / ".kimi").exists()
    text = (user.home / ".gemini" / "settings.json").read_text("utf-8")
    assert str(other) in text and str(root) + " " not in text, "another project's hooks stay"
    assert notes(user) == [str(other)]
    kept = list((user.state / "stet").glob("*.set-aside-*"))
    assert len(kept) == 1
    assert (kept[0] / "stet.toml").exists() is (broken != "no stet.toml")
    assert (kept[0] / "ledger.db").exists() is (broken != "no record")
    assert user.quick("write", "chapter.md", cwd=root, data=STUB).status == 2, "no project any more"
    assert user.quick("check", "chapter.md", cwd=other, data=STUB).status == 1, "the other one is guarded as before"
    assert user.quick("init", cwd=root).status == 0, "and it can be guarded anew"


def test_undo_asks_for_a_person(user: Home) -> None:
    root = guarded(user)
    before = sorted(p.name for p in root.iterdir())
    done = user.quick("init", "--undo", cwd=root)
    assert done.status == 1 and "[needs-person]" in done.err
    assert sorted(p.name for p in root.iterdir()) == before
    status, said = quick_terminal(user, root, "init", "--undo", answer="nonsense")
    assert status == 1, said
    assert notes(user) == [str(root)]
    assert user.quick("init", "--undo", "--adopt", cwd=root).status == 2
    assert user.quick("init", "--undo", cwd=user.folder).status == 2


def test_a_worktrees_guard_goes_without_the_record_that_it_shares(user: Home) -> None:
    root = guarded(user)
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["worktree", "add", "-q", "../tree"]):
        subprocess.run([*git, *words], cwd=root, env=user.environment(), check=True)
    tree = user.folder / "tree"
    assert user.quick("check", "chapter.md", cwd=tree, data=STUB).status == 1
    assert quick_terminal(user, tree, "init", "--undo")[0] == 0
    assert notes(user) == [str(root)]
    assert user.quick("check", "chapter.md", cwd=root, data=STUB).status == 1


def test_undo_outside_of_git_speaks_of_no_branches(user: Home) -> None:
    status, said = quick_terminal(user, guarded(user), "init", "--undo")
    assert (status, "guarded no longer" in said, "stet/staging" in said) == (0, True, False)
