"""The real Codex, Gemini CLI, opencode and Qwen Code, headless, against scripted models: as far as each can tell it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from fake_messages import Block, Turn, say
from other_runners import Codex, Gemini, Guarded, Opencode, Qwen

ALL = pytest.mark.parametrize("runtime", [Codex, Gemini, Opencode, Qwen], ids=lambda r: r.name)


@pytest.fixture
def guarded(tmp_path: Path, runtime: type[Guarded]) -> Guarded:
    """A guarded book with one runtime's hooks."""
    return runtime(tmp_path)


class Seen(NamedTuple):
    """What stood there in the middle of a session."""

    chapter: str
    note: bytes
    new: str
    waits: list[object]


def look(guarded: Guarded) -> Seen:
    """Files, and what waits for a person."""
    fresh = guarded.root / "new.md"
    waits = [one for word in ("alerts", "pending") for one in guarded.stet(word, "--json").json()]
    new = fresh.read_text("utf-8") if fresh.exists() else ""
    return Seen(guarded.chapter.read_text("utf-8"), guarded.note.read_bytes(), new, waits)


@ALL
def test_a_session_of_honest_work_of_a_shell_that_breaks_files_and_of_stubs(guarded: Guarded) -> None:
    """One session for all: a start of a program costs more than what it is asked here."""
    text = guarded.chapter.read_text("utf-8")
    old, other = text.splitlines()[2], text.splitlines()[3]
    once = text.replace(old, old[:-1] + " today.")
    twice = once.replace(other, other[:-1] + " again.")
    seen: list[Seen] = []

    def looking(*blocks: Block) -> Callable[[], Sequence[Block]]:
        def turn() -> Sequence[Block]:
            seen.append(look(guarded))
            return blocks

        return turn

    honest: list[Turn] = [
        [guarded.read("chapter.md")],
        [guarded.edit("chapter.md", old, old[:-1] + " today.")],
        [guarded.write("new.md", "# New\n\nA fresh page.\n")],
        [guarded.shell("printf '\\nA line more.\\n' >> note.md")],
    ]
    broken: list[Turn] = [
        looking(guarded.shell("echo gone > chapter.md")),
        [guarded.shell("python3 -c \"import os; os.remove('note.md')\"")],
        [guarded.shell("ls")],
        [guarded.read("chapter.md")],
        looking(guarded.edit("chapter.md", other, other[:-1] + " again.")),
    ]
    stubs: list[Turn] = [
        [guarded.write("chapter.md", "# Chapter\n\nTo be continued.\n")],
        [guarded.write("chapter.md", "# Chapter\n\nThe end.\n")],
        [guarded.write("chapter.md", "# Chapter\n\nOne more try.\n")],
    ]
    after: list[Turn] = [[guarded.edit("chapter.md", old[:-1], old)], [guarded.shell("ls")], [say("done")]]
    ran = guarded.run([*honest, *broken, *stubs, *after])

    worked, mended = seen
    assert worked.chapter == once, ran
    assert worked.new == "# New\n\nA fresh page.\n"
    assert worked.note.endswith(b"A line more.\n")
    assert worked.waits == [], "honest work leaves nothing to answer"

    assert mended.chapter == once, ran
    assert mended.note == worked.note, ran
    told = ran.told[len(honest) :]
    assert "chapter.md" in "".join(told[:2]) and "put back" in "".join(told[:3]), ran

    assert guarded.chapter.read_text("utf-8") == twice, ran
    told = told[len(broken) :]
    assert "word-floor" in told[0] and "1502 -> " in told[0], ran
    alerts = guarded.stet("alerts", "--json").json()
    assert [a["path"] for a in alerts] == ["chapter.md"]
    branches = guarded.git("for-each-ref", "--format=%(refname)", "refs/heads/stet/staging/").split()
    kinds = [branch.rpartition("/")[2].partition("-20")[0] for branch in branches]
    assert sorted(kinds) == ["chapter.md", "put-back"], "what the third proposal was, and what the shell had written"

    everything = "\n".join(ran.told)
    assert "STET ALERT" not in everything, "the operator's block is no model's"
    assert "The run ends here" not in everything
    if isinstance(guarded, Gemini):
        assert len(told) == 2, "no request follows the trip"
    else:
        assert "every further proposal for it is refused until a person resets it" in told[2], ran
        assert "Go on with other work" in told[2]
        assert "latched" in told[3], ran
        assert len(told) == len(stubs) + 2, "and it went on"


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
