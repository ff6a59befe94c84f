"""Where stet.toml and the hooks' settings are committed, an agent may switch branches and use worktrees, and the rules
in force stay those that a person accepted."""

from __future__ import annotations

import json

import pytest
from hook_kit import STUB, Claude, decision, reason
from stet_kit import Book, chapter, reword
from test_claude_after import run
from turn_kit import committed, git

from firewall.agents import protected_settings
from firewall.errors import StateBroken
from firewall.writes import pinned
from firewall.writes.proxy import WriteProxy

SETTINGS = ".claude/settings.json"
TREE = ".claude/worktrees/a"


@pytest.fixture
def claude(book: Book, monkeypatch: pytest.MonkeyPatch) -> Claude:
    """On main policy and hooks are committed; `old` is from before them, `other` has another policy."""
    book.put("ch.md", chapter())
    git(book.root, "init", "-q", "-b", "main")
    git(book.root, "config", "user.name", "Ada")
    git(book.root, "config", "user.email", "ada@example.org")
    policy = (book.root / "stet.toml").read_text("utf-8")
    (book.root / "stet.toml").unlink()
    committed(book.root, "before Stet")
    git(book.root, "branch", "old")
    (book.root / "stet.toml").write_text(policy, "utf-8")
    hooks = {"hooks": {"PreToolUse": [{"command": "stet-hook"}]}}
    settings = book.put(SETTINGS, json.dumps(hooks).encode())
    committed(book.root, "Stet")
    git(book.root, "checkout", "-q", "-b", "other")
    (book.root / "stet.toml").write_text(policy + "\n# of another branch\n", "utf-8")
    committed(book.root, "another policy")
    git(book.root, "checkout", "-q", "main")
    made = Claude(book)
    monkeypatch.setattr(Book, "state_folder", book.state_folder)  # wherever stet.toml is since
    with book.open() as proxy:
        protected_settings.register(proxy, settings, ("hooks",))
    made.prompt()
    return made


def status(book: Book) -> str:
    return git(book.root, "status", "--short", "--untracked-files=no")


def ran(claude: Claude, command: str) -> str:
    said = claude.bash(command)
    assert decision(said) == "", said
    run(claude.book, command)
    return reason(claude.ran(command))


def test_a_branch_from_before_stet_is_checked_out_and_left_again(claude: Claude) -> None:
    book = claude.book
    said = ran(claude, "git checkout -q old")
    assert "stet.toml is as this branch has it" in said
    assert SETTINGS in said
    assert not (book.root / "stet.toml").exists()
    assert ran(claude, "ls") == "", "told once"
    assert claude.answer("ConfigChange", source="project_settings")["decision"] == "block", (
        "the session keeps its hooks"
    )
    book.put("ch.md", STUB)
    assert "put back" in reason(claude.ran("echo > ch.md"))
    assert claude.stop() == {}
    claude.prompt()
    assert decision(claude.write("ch.md", STUB)) == "deny"
    assert decision(claude.edit("ch.md", "# Field notes", "# Notes")) == "", "and honest work goes on"
    ran(claude, "git checkout -q main")
    assert git(book.root, "branch", "--show-current") == "main"
    assert (book.root / "stet.toml").exists()
    assert status(book) == ""


def test_another_branchs_policy_is_on_the_disk_and_not_in_force(claude: Claude) -> None:
    book = claude.book
    with book.open() as proxy:
        accepted = pinned.read(proxy.ledger)
    assert "stet.toml is as this branch has it" in ran(claude, "git checkout -q other")
    assert status(book) == ""
    assert ran(claude, "echo x > x.py; git add -A; git commit -q -m work") == ""
    assert "stet.toml" not in git(book.root, "show", "--stat", "HEAD"), "a commit there takes nothing back"
    with book.open() as proxy:
        assert pinned.read(proxy.ledger) == accepted
    ran(claude, "git checkout -q main")
    assert status(book) == ""


@pytest.mark.parametrize(
    "command",
    [
        "rm stet.toml",
        "echo >> stet.toml",
        "git show other:stet.toml > stet.toml",
        "git rm -q stet.toml && git commit -q -m gone",
        "git checkout -q -b mine; echo '# mine' >> stet.toml; git commit -q -a -m mine",
        f"echo '{{}}' > {SETTINGS}; git commit -q -a -m mine",
    ],
)
def test_what_an_agent_does_to_them_itself_is_undone_as_ever(claude: Claude, command: str) -> None:
    before = {name: (claude.book.root / name).read_bytes() for name in ("stet.toml", SETTINGS)}
    run(claude.book, command)
    said = reason(claude.ran(command))
    assert "only a person changes it" in said
    assert {name: (claude.book.root / name).read_bytes() for name in before} == before


def test_an_uncommitted_policy_is_not_lost_to_a_checkout(claude: Claude) -> None:
    book = claude.book
    claude.stop()
    mine = (book.root / "stet.toml").read_bytes() + b"# a person's, not committed\n"
    (book.root / "stet.toml").write_bytes(mine)
    claude.prompt()
    run(book, "git checkout -q -- stet.toml")
    assert "only a person changes it" in reason(claude.ran("git checkout -q -- stet.toml"))
    assert (book.root / "stet.toml").read_bytes() == mine


def test_what_is_undone_of_them_is_shown_by_the_command_that_is_named(claude: Claude) -> None:
    from firewall.commands.show import kept_bytes

    claude.book.put("stet.toml", b"# all mine\n")
    said = reason(claude.ran("echo > stet.toml"))
    with claude.book.open() as proxy:
        assert kept_bytes(proxy, said.split("stet show ", 1)[1].split(" ", 1)[0]) == b"# all mine\n"


# -- worktrees ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [f"git worktree add -q {TREE}", f"git clone -q . {TREE}"], ids=["worktree", "clone"])
def test_a_work_tree_keeps_its_policy_and_is_guarded(claude: Claude, way: str) -> None:
    book = claude.book
    assert "only a person" not in ran(claude, way)
    place = book.root / TREE
    assert git(place, "status", "--short") == ""
    assert ran(claude, f"cd {TREE}; git add -A; git commit -q -m nothing --allow-empty; git show --stat HEAD") == ""
    assert decision(claude.write(f"{TREE}/ch.md", reword(chapter()))) == "", "an honest edit there"
    assert decision(claude.write(f"{TREE}/ch.md", STUB)) == "deny"
    (place / "ch.md").write_bytes(STUB)
    assert "put back" in reason(claude.ran("echo > ch.md"))
    policy = (place / "stet.toml").read_bytes()
    (place / "stet.toml").write_bytes(b"[project]\n")
    assert "only a person changes it" in reason(claude.ran("echo > stet.toml")), "what the agent writes is judged"
    assert (place / "stet.toml").read_bytes() == policy
    claude.stop()
    claude.prompt()
    assert decision(claude.write(f"{TREE}/ch.md", STUB)) == "deny", "and so it is in later turns"


def test_a_worktree_that_a_person_made_before_the_session_is_guarded_too(claude: Claude) -> None:
    book = claude.book
    claude.stop()
    git(book.root, "worktree", "add", "-q", TREE)
    claude.prompt()
    assert decision(claude.write(f"{TREE}/ch.md", STUB)) == "deny"
    said = claude.edit(f"{TREE}/ch.md", "# Field notes", "# Notes from the field")
    assert decision(said) == "", said
    git(book.root, "worktree", "remove", "--force", TREE)
    assert not (book.root / TREE / "stet.toml").exists()
    claude.ran("git worktree remove")
    assert not (book.root / TREE / "stet.toml").exists(), "its policy went with it"


def test_a_worktree_that_was_opened_as_a_project_itself_may_be_worked_in(claude: Claude) -> None:
    """A person ran `stet check` there once: the hooks of the folder above guard it on, by their own record of it."""
    book = claude.book
    claude.stop()
    git(book.root, "worktree", "add", "-q", TREE)
    place = book.root / TREE
    with WriteProxy.open(place) as proxy:
        assert proxy.root == place
        assert proxy.check(place / "ch.md", STUB).verdict.findings
    claude.prompt()
    claude.read(f"{TREE}/ch.md")
    assert decision(claude.write(f"{TREE}/ch.md", reword(chapter()))) == "", "an honest edit there"
    assert decision(claude.write(f"{TREE}/new.md", b"# New\n\nA fresh page.\n")) == ""
    assert decision(claude.write(f"{TREE}/ch.md", STUB)) == "deny"
    assert decision(claude.bash(f"rm {TREE}/ch.md")) == "deny"
    (place / "ch.md").write_bytes(STUB)
    assert "put back" in reason(claude.ran("echo > ch.md"))
    assert (place / "ch.md").read_bytes() == reword(chapter())
    with WriteProxy.open(book.root) as proxy:  # by hand each is asked for its own
        (found,) = proxy.check(place / "ch.md", STUB).verdict.findings
        assert "ask there" in found.message


def test_a_worktree_that_the_folder_above_guards_says_where_to_ask(claude: Claude) -> None:
    book = claude.book
    git(book.root, "worktree", "add", "-q", TREE)
    claude.ran("git worktree add")
    with pytest.raises(StateBroken) as raised:
        WriteProxy.open(book.root / TREE)
    assert raised.value.hint.startswith(f"Run Stet in {book.root}, which guards them; ")


def test_a_policy_that_an_agent_makes_below_takes_nothing_out_of_the_guard(claude: Claude) -> None:
    book = claude.book
    book.put("sub/page.md", chapter(seed=5))
    book.put("sub/stet.toml", b'[project]\nid = "0123456789abcdef"\n')
    assert "only a person changes it" in reason(claude.ran("cp stet.toml sub/"))
    assert not (book.root / "sub/stet.toml").exists()
    run(book, "git init -q sub")
    book.put("sub/stet.toml", b'[project]\nid = "0123456789abcdef"\n')
    run(book, "cd sub; git add -A; git -c user.name=a -c user.email=a@b commit -q -m mine")
    assert "only a person changes it" in reason(claude.ran("git init sub"))
    assert not (book.root / "sub/stet.toml").exists()
