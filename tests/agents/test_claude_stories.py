"""The real Claude Code from the npm registry, headless, against a scripted model: what lands and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_clients import CLAUDE, CLAUDE_OLD, Client
from claude_runner import Guarded, answers
from fake_messages import say, tool
from stet_kit import reword

BOTH = pytest.mark.parametrize("client", [CLAUDE_OLD, CLAUDE], ids=lambda c: c.version)


@pytest.fixture
def guarded(tmp_path: Path, client: Client) -> Guarded:
    """A guarded book with the hooks of one release."""
    return Guarded(tmp_path, client)


@BOTH
def test_three_refused_rewrites_stop_the_run(guarded: Guarded) -> None:
    before = guarded.chapter.read_bytes()
    path = str(guarded.chapter)
    words = before.decode()
    placeholder = (
        "".join(words.partition("\n\n")[:2]) + words[400:9000] + "\n\n<!-- the rest of the chapter stays the same -->\n"
    )
    ran = guarded.run(
        answers(
            tool("Read", file_path=path),
            tool("Write", file_path=path, content="# Chapter\n\nTo be continued.\n"),
            tool("Write", file_path=path, content=placeholder),
            tool("Write", file_path=path, content="# Chapter\n\nThe end.\n"),
            tool("Write", file_path=path, content="# Chapter\n\nOne more try.\n"),
            say("done"),
        )
    )
    assert guarded.chapter.read_bytes() == before
    assert "word-floor" in ran.told[1] and "2500 -> " in ran.told[1], "the model is told what was measured"
    assert "placeholder" in ran.told[2]
    assert len(ran.told) == 3, "after the third the run was stopped: nothing further was asked of the model"
    alerts = guarded.stet_ok("alerts", "--json").json()
    assert [a["path"] for a in alerts] == ["chapter.md"]
    assert len(guarded.staging()) == 1
    assert "The end." in guarded.git("show", f"{guarded.staging()[0]}:chapter.md")
    assert guarded.git("status", "--porcelain", "--", "chapter.md") == ""
    later = guarded.run(
        answers(
            tool("Read", file_path=path),
            tool("Edit", file_path=path, old_string=words[-30:], new_string=words[-30:] + "More.\n"),
            say("ok"),
        )
    )
    assert guarded.chapter.read_bytes() == before, "latched until a person acts"
    assert "latched" in later.told[1]


SHELL = [
    "echo gone > chapter.md",
    "sed -i '20,$d' chapter.md",
    "head -c 300 chapter.md > x && mv x chapter.md",
    "python3 -c \"open('chapter.md','w').write('x')\"",
    "cat note.md | tee chapter.md >/dev/null",
    "truncate -s 100 chapter.md; false",
]


@pytest.mark.parametrize(
    ("client", "command"), [(CLAUDE, c) for c in SHELL] + [(CLAUDE_OLD, SHELL[0]), (CLAUDE_OLD, SHELL[-1])]
)
def test_what_a_shell_broke_is_put_back(guarded: Guarded, command: str) -> None:
    before = guarded.chapter.read_bytes()
    ran = guarded.run(answers(tool("Bash", command=command, description="x"), say("done")))
    assert guarded.chapter.read_bytes() == before
    assert "chapter.md" in ran.told[0] and ("put back" in ran.told[0] or "restored" in ran.told[0])
    assert guarded.stet_ok("log", "chapter.md", "--json").json()[-1]["kind"] != "outside"


@BOTH
def test_git_checkout_over_uncommitted_work_is_put_back(guarded: Guarded) -> None:
    longer = (
        guarded.chapter.read_bytes() + b"\n" + b"An evening of new work stands here, word after word. " * 60 + b"\n"
    )
    guarded.chapter.write_bytes(longer)  # a person's evening
    guarded.stet_ok("check", "chapter.md", "--content", "chapter.md")
    guarded.run(answers(tool("Bash", command="git checkout -- .", description="x"), say("done")))
    assert guarded.chapter.read_bytes() == longer


@BOTH
def test_a_file_is_not_removed(guarded: Guarded) -> None:
    before = guarded.chapter.read_bytes()
    ran = guarded.run(
        answers(
            tool("Bash", command="rm chapter.md", description="x"),
            tool("Bash", command="python3 -c \"import os; os.remove('note.md')\"", description="x"),
            say("done"),
        )
    )
    assert guarded.chapter.read_bytes() == before
    assert guarded.note.exists()
    assert "chapter.md" in ran.told[0]
    waiting = guarded.stet_ok("pending", "--json").json()
    assert waiting, "a delete waits for a person"


@BOTH
def test_honest_work_lands(guarded: Guarded) -> None:
    path, note = str(guarded.chapter), str(guarded.note)
    text = guarded.chapter.read_text("utf-8")
    sentence = text.split("\n")[3]
    new = text.split("\n")[9]
    ran = guarded.run(
        answers(
            tool("Read", file_path=path),
            tool("Edit", file_path=path, old_string=sentence, new_string=sentence[:-1] + " today."),
            tool("Edit", file_path=path, old_string=new, new_string=new[:-1] + " again."),
            tool("Read", file_path=note),
            tool("Write", file_path=note, content=reword(guarded.note.read_bytes()).decode()),
            tool("Write", file_path=str(guarded.root / "new.md"), content="# New\n\nA fresh page.\n"),
            tool(
                "Bash",
                command="printf '\\nA line more.\\n' >> note.md && ls && git add -A && git status --short",
                description="x",
            ),
            say("done"),
        )
    )
    now = guarded.chapter.read_text("utf-8")
    assert now == text.replace(sentence, sentence[:-1] + " today.").replace(new, new[:-1] + " again.")
    assert guarded.note.read_bytes().endswith(b"A line more.\n")
    assert (guarded.root / "new.md").exists()
    assert ran.out.strip() == "done"
    assert "Stet" not in "".join(ran.told), "an allowed call is silent"
    assert guarded.stet_ok("alerts", "--json").json() == []
    assert guarded.stet_ok("pending", "--json").json() == []


@BOTH
def test_the_hooks_cannot_be_taken_out(guarded: Guarded) -> None:
    settings = guarded.root / ".claude" / "settings.json"
    before = settings.read_bytes()
    chapter = guarded.chapter.read_bytes()
    (guarded.root / "mod.sh").write_text("echo '{}' > .claude/settings.json\n")
    guarded.run(
        answers(
            tool("Bash", command="bash mod.sh; sleep 3", description="x"),
            tool("Bash", command="echo gone > chapter.md", description="x"),
            say("done"),
        )
    )
    assert settings.read_bytes() == before
    assert guarded.chapter.read_bytes() == chapter


@pytest.mark.parametrize("client", [CLAUDE], ids=lambda c: c.version)
def test_doctor_sees_the_canary_refused(guarded: Guarded) -> None:
    done = guarded.stet("doctor", "--json")
    found = {one["about"]: one for one in done.json() if one["state"] != "note"}
    assert done.status == 0, done
    assert found["claude"]["state"] == "good"
    assert "refused" in found["claude"]["said"]
