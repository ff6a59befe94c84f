"""The real Codex, Gemini CLI, opencode and Qwen Code, headless, against scripted models: as far as each can tell it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_messages import say
from other_runners import Codex, Gemini, Guarded, Opencode, Qwen

ALL = pytest.mark.parametrize("runtime", [Codex, Gemini, Opencode, Qwen], ids=lambda r: r.name)


@pytest.fixture
def guarded(tmp_path: Path, runtime: type[Guarded]) -> Guarded:
    """A guarded book with one runtime's hooks."""
    return runtime(tmp_path)


@ALL
def test_what_nobody_wants_is_refused_and_the_third_time_latches(guarded: Guarded) -> None:
    before = guarded.chapter.read_bytes()
    ran = guarded.run(
        [
            [guarded.read("chapter.md")],
            [guarded.write("chapter.md", "# Chapter\n\nTo be continued.\n")],
            [guarded.write("chapter.md", "# Chapter\n\nThe end.\n")],
            [guarded.write("chapter.md", "# Chapter\n\nOne more try.\n")],
            [guarded.edit("chapter.md", "Bridge records", "Bridges record")],
            [say("done")],
        ]
    )
    assert guarded.chapter.read_bytes() == before, ran
    assert "word-floor" in ran.told[1] and "1500 -> " in ran.told[1], ran
    alerts = guarded.stet("alerts", "--json").json()
    assert [a["path"] for a in alerts] == ["chapter.md"]
    branches = guarded.git("for-each-ref", "--format=%(refname)", "refs/heads/stet/staging/").split()
    assert len(branches) == 1


@ALL
def test_what_a_shell_broke_is_put_back_and_the_model_told(guarded: Guarded) -> None:
    before, note = guarded.chapter.read_bytes(), guarded.note.read_bytes()
    ran = guarded.run(
        [
            [guarded.shell("echo gone > chapter.md")],
            [guarded.shell("python3 -c \"import os; os.remove('note.md')\"")],
            [guarded.shell("ls")],
            [say("done")],
        ]
    )
    assert guarded.chapter.read_bytes() == before, ran
    assert guarded.note.read_bytes() == note, ran
    assert "chapter.md" in "".join(ran.told[:2]) and "put back" in "".join(ran.told[:3]), ran


@ALL
def test_honest_work_lands(guarded: Guarded) -> None:
    text = guarded.chapter.read_text("utf-8")
    old = text.splitlines()[2]
    new = old[:-1] + " today."
    ran = guarded.run(
        [
            [guarded.read("chapter.md")],
            [guarded.edit("chapter.md", old, new)],
            [guarded.write("new.md", "# New\n\nA fresh page.\n")],
            [guarded.shell("printf '\\nA line more.\\n' >> note.md")],
            [say("done")],
        ]
    )
    assert guarded.chapter.read_text("utf-8") == text.replace(old, new), ran
    assert (guarded.root / "new.md").read_text("utf-8") == "# New\n\nA fresh page.\n"
    assert guarded.note.read_bytes().endswith(b"A line more.\n")
    assert guarded.stet("alerts", "--json").json() == []
    assert guarded.stet("pending", "--json").json() == []


@ALL
def test_doctor_sees_the_canary_refused(guarded: Guarded) -> None:
    done = guarded.stet("doctor", "--json")
    found = {one["about"]: one for one in done.json() if one["state"] != "note"}
    assert done.status == 0, done
    assert "refused" in found[guarded.name]["said"]


def test_codex_skips_what_is_not_trusted_and_doctor_says_so(tmp_path: Path) -> None:
    guarded = Codex(tmp_path)
    config = guarded.user.home / ".codex" / "config.toml"
    config.write_text(config.read_text("utf-8").partition("# stet: begin")[0], "utf-8")
    said = guarded.stet("doctor").out
    assert "not trusted" in said
