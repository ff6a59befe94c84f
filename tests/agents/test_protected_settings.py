"""Policy files and settings that carry the hooks: an agent's change of them is put back, a person's is kept."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from stet_kit import Book, chapter, edit_record
from turn_kit import Agent

from firewall.agents import protected_settings, turns
from firewall.agents.sweep import sweep
from firewall.writes.proxy import WriteProxy

HOOKS = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "stet-hook"}]}]}}
KEYS = ("hooks", "disableAllHooks", "env")


def fates(agent: Agent, command: str) -> dict[str, str]:
    """What became of each file that a command changed."""
    return {path: s.fate for path, s in agent.runs(command).items()}


@pytest.fixture
def settings(book: Book) -> Path:
    """A settings file with the hooks in it, known to Stet."""
    path = book.put(".claude/settings.json", json.dumps(HOOKS).encode())
    with book.open() as proxy:
        protected_settings.register(proxy, path, KEYS)
        protected_settings.register(proxy, book.root / ".claude/settings.local.json", KEYS)
    return path


CHANGES = (
    "echo 'floor = 0' >> stet.toml",
    "rm stet.toml",
    "mv stet.toml old.toml",
    "sed -i 's/^# word_floor.*/word_floor = 0.01/' stet.toml",
    "rm stet.toml; mkdir stet.toml; touch stet.toml/x",
    "ln -sf /dev/null stet.toml",
    "echo not toml at all = = > stet.toml",
)


@pytest.mark.parametrize("command", CHANGES)
def test_stet_toml_is_put_back(book: Book, command: str) -> None:
    before = (book.root / "stet.toml").read_bytes()
    with Agent(book) as agent:
        swept = agent.runs(command)
        assert swept["stet.toml"].fate == "put-back"
        assert "only a person" in swept["stet.toml"].message
        assert (book.root / "stet.toml").read_bytes() == before
        assert not (book.root / "stet.toml").is_symlink()
        assert not agent.look()


UNREADABLE = {
    "brackets": "'a = ' + '[' * 200_000",
    "digits": "'a = ' + '9' * 5_000",
    "a key of many parts": "'a' + '.a' * 100_000 + ' = 1'",
    "a header of many parts": "'[a' + '. \"a\" ' * 100_000 + ']'",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_stet_toml_that_no_reader_takes_hides_no_stub(book: Book, text: str) -> None:
    """The standard reader answers with other errors than its own, or with all of the memory."""
    chapter_file = book.put("ch.md", chapter())
    before = (book.root / "stet.toml").read_bytes()
    with Agent(book) as agent:
        agent.look()
        code = f"open('stet.toml', 'w').write({text})".replace('"', '\\"')
        swept = fates(agent, f'{sys.executable} -c "{code}"; echo short > ch.md')
        assert swept == {"stet.toml": "put-back", "ch.md": "restored"}
    assert (book.root / "stet.toml").read_bytes() == before
    assert chapter_file.read_bytes() == chapter()


def test_a_stet_toml_of_a_hundred_gigabytes_hides_no_stub(book: Book) -> None:
    chapter_file = book.put("ch.md", chapter())
    before = (book.root / "stet.toml").read_bytes()
    with Agent(book) as agent:
        agent.look()
        swept = fates(agent, "truncate -s 100G stet.toml; echo short > ch.md")
        assert swept == {"stet.toml": "put-back", "ch.md": "restored"}
    assert (book.root / "stet.toml").read_bytes() == before
    assert chapter_file.read_bytes() == chapter()


def test_a_looser_policy_counts_at_no_time(book: Book) -> None:
    book.put("ch.md", chapter())
    loose = (book.root / "stet.toml").read_text().replace("# word_floor", "word_floor = 0.01 #", 1)
    with Agent(book) as agent:
        (book.root / "stet.toml").write_text(loose)
        (book.root / "ch.md").write_text("short\n")
        with book.open(session="s1") as proxy:
            assert not proxy.check(book.root / "ch.md", b"tiny\n").verdict.allowed
        assert (book.root / "ch.md").read_bytes() == chapter()
        assert agent.proxy.limits.word_floor == 0.85


def test_a_persons_own_change_between_turns_stays(book: Book) -> None:
    with Agent(book) as agent:
        turns.close_turn(agent.proxy, agent.session)
        text = (book.root / "stet.toml").read_text() + "\n# mine\n"
        (book.root / "stet.toml").write_text(text)
        turns.open_turn(agent.proxy, agent.session)
        assert not agent.look()
        assert (book.root / "stet.toml").read_text() == text
        assert fates(agent, "echo x >> stet.toml") == {"stet.toml": "put-back"}
        assert (book.root / "stet.toml").read_text() == text


def test_stet_toml_is_never_taken_away_though_no_copy_of_it_is_known(book: Book) -> None:
    with Agent(book) as agent:
        text = (book.root / "stet.toml").read_bytes()
        for command, wanted in ((":", {}), ("echo x >> stet.toml", {"stet.toml": "put-back"})):
            edit_record(book.state_folder, "DELETE FROM kept")
            assert fates(agent, command) == wanted
            assert (book.root / "stet.toml").read_bytes() == text


def test_a_policy_of_its_own_takes_no_folder_out_of_the_guard(book: Book) -> None:
    book.put("docs/ch.md", chapter())
    with Agent(book) as agent:
        swept = fates(agent, "printf '[project]\\nid = \"abcdefgh\"\\n' > docs/stet.toml; echo short > docs/ch.md")
        assert swept == {"docs/stet.toml": "put-back", "docs/ch.md": "restored"}
        assert not (book.root / "docs/stet.toml").exists()
        assert (book.root / "docs/ch.md").read_bytes() == chapter()
        assert fates(agent, "echo x > docs/book.toml") == {"docs/book.toml": "put-back"}


def test_a_project_that_a_person_set_up_inside_has_its_own_say(book: Book) -> None:
    book.put("inner/stet.toml", b'[project]\nid = "innerinner"\n')
    book.put("inner/ch.md", chapter())
    with Agent(book) as agent:
        assert fates(agent, "echo short > inner/ch.md") == {}
        assert fates(agent, "rm inner/stet.toml") == {"inner/stet.toml": "put-back"}


@pytest.mark.parametrize(
    "change",
    [{}, {"hooks": {}}, {**HOOKS, "disableAllHooks": True}, {**HOOKS, "env": {"PATH": "/tmp"}}, [], "null and void"],
)
def test_settings_without_the_hooks_are_put_back(book: Book, settings: Path, change: object) -> None:
    before = settings.read_bytes()
    with Agent(book) as agent:
        settings.write_text(json.dumps(change))
        assert agent.look()[".claude/settings.json"].fate == "put-back"
        assert settings.read_bytes() == before
        settings.unlink()
        assert agent.look()[".claude/settings.json"].fate == "put-back"
        assert settings.read_bytes() == before


def test_what_a_runtime_adds_to_its_settings_stays(book: Book, settings: Path) -> None:
    with Agent(book) as agent:
        settings.write_text(json.dumps({**HOOKS, "permissions": {"allow": ["Bash(ls)"]}}))
        assert not agent.look(), "a permission that the person gave in the turn"
        settings.write_text(json.dumps({"permissions": {"allow": ["Bash(ls)"]}}))
        assert agent.look()[".claude/settings.json"].fate == "put-back"
        assert json.loads(settings.read_text())["permissions"] == {"allow": ["Bash(ls)"]}


def test_a_new_settings_file_may_not_switch_the_hooks_off(book: Book, settings: Path) -> None:
    local = settings.with_name("settings.local.json")
    with Agent(book) as agent:
        local.write_text(json.dumps({"permissions": {}}))
        assert not agent.look()
        local.write_text(json.dumps({"permissions": {}, "disableAllHooks": True}))
        assert agent.look()[".claude/settings.local.json"].fate == "put-back"
        assert json.loads(local.read_text()) == {"permissions": {}}


def test_settings_outside_the_folder_are_guarded_too(book: Book) -> None:
    home = book.user.home / ".claude" / "settings.json"
    home.parent.mkdir(parents=True)
    home.write_text(json.dumps(HOOKS))
    with book.open() as proxy:
        protected_settings.register(proxy, home)
    with Agent(book) as agent:
        home.write_text("{}")
        assert agent.look()[str(home)].fate == "put-back"
        assert json.loads(home.read_text()) == HOOKS
        home.parent.rename(home.parent.with_name("gone"))
        assert agent.look()[str(home)].fate == "put-back"
        assert json.loads(home.read_text()) == HOOKS
        protected_settings.unregister(agent.proxy, home)
        home.write_text("{}")
        assert not agent.look()


def test_settings_behind_a_link_of_the_persons_are_guarded_where_they_are(book: Book, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text(json.dumps(HOOKS))
    link = book.user.home / "settings.json"
    link.symlink_to(real)
    with book.open() as proxy:
        protected_settings.register(proxy, link, KEYS)
    with Agent(book) as agent:
        real.write_text("{}")
        assert agent.look()[str(real)].fate == "put-back"
        assert json.loads(real.read_text()) == HOOKS
        link.unlink()
        link.write_text("{}")
        assert agent.look()[str(link)].fate == "put-back"
        assert os.readlink(link) == str(real)
        assert not agent.look()


def test_the_agents_version_is_kept_in_the_store(book: Book, settings: Path) -> None:
    with Agent(book) as agent:
        settings.write_text("{}")
        message = agent.look()[".claude/settings.json"].message
        number = message.split("`stet show ", 1)[1].split(" ", 1)[0]
        rows = agent.proxy.ledger.query("SELECT old FROM journal WHERE seq=?", (int(number),))
        assert agent.proxy.ledger.load(rows[0][0]) == b"{}"


def test_a_policy_that_cannot_be_read_is_put_back_by_the_next_who_opens_the_record(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        before = (book.root / "stet.toml").read_bytes()
        state = book.state_folder
        agent.shell("echo '= =' > stet.toml; echo short > ch.md")
        with WriteProxy.as_pinned(book.root, state, session="s1", source="hook") as proxy:
            turn = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at)
            assert {s.path: s.fate for s in sweep(proxy, turn, "s1")} == {
                "stet.toml": "put-back", "ch.md": "restored",
            }  # fmt: skip
        assert (book.root / "stet.toml").read_bytes() == before
