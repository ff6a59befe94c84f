"""What an agent's own call made in this turn is the agent's until the turn ends; what it holds of others stays owed."""

from __future__ import annotations

import pytest
from hook_kit import HEADLESS, Claude, decision, reason
from stet_kit import Book, chapter, prose
from test_claude_after import run
from turn_kit import committed, git

from firewall.agents import own_files
from firewall.writes import cases, operator, person

OUTPUT = prose(600, seed=7).rsplit(".", 1)[0] + " and ends in the middle"
OTHER = prose(300, seed=8)
CHAPTER = chapter()
HALVE = "python3 -c \"t=open('ch.md').read(); open('ch.md','w').write(t[:t.index('\\n\\n',len(t)//2)+1])\""


@pytest.fixture
def claude(book: Book) -> Claude:
    book.put("ch.md", CHAPTER)
    book.put("note.md", chapter(300, seed=3))
    git(book.root, "init", "-q")
    committed(book.root)
    (book.user.folder / "one").write_text(OUTPUT)
    (book.user.folder / "two").write_text(OTHER)
    made = Claude(book, HEADLESS)
    made.prompt()
    return made


def ran(claude: Claude, command: str) -> str:
    """What the shell's command is told, before or after; it is run unless it was denied. `one` and `two` stand for
    programs that print."""
    folder = claude.book.user.folder
    command = command.replace("<one", f"cat {folder}/one").replace("<two", f"cat {folder}/two")
    said = claude.bash(command)
    if decision(said):
        return reason(said)
    run(claude.book, command)
    return reason(claude.ran(command))


def there(claude: Claude, name: str) -> str | None:
    path = claude.book.root / name
    return path.read_text() if path.exists() else None


def waiting(book: Book) -> int:
    with book.open() as proxy:
        return len(cases.every(proxy.ledger, ("hold", "trip"), cases.PENDING))


def attempts(book: Book, name: str) -> int:
    with book.open() as proxy:
        known = proxy.ledger.artifact(name)
        return known.attempts if known else 0


# -- free -------------------------------------------------------------------------------------------------------------


def test_a_programs_output_is_written_again_and_again_and_removed(claude: Claude) -> None:
    for _ in range(3):
        assert ran(claude, "<one > out.txt") == ""
        assert ran(claude, "<two > out.txt") == ""
        assert there(claude, "out.txt") == OTHER
        assert ran(claude, ": > out.txt") == ""
        assert ran(claude, "<one > out.txt; rm -f other") == ""
        assert ran(claude, "rm out.txt") == ""
        assert there(claude, "out.txt") is None
    assert claude.stop() == {}
    assert waiting(claude.book) == 0
    assert attempts(claude.book, "out.txt") == 0


def test_the_same_in_the_next_turn(claude: Claude) -> None:
    for _ in range(3):
        assert ran(claude, "<one > out.txt") == ""
        assert ran(claude, "<two > out.txt && <one > log.txt") == ""
        assert ran(claude, "rm out.txt log.txt") == ""
        assert claude.stop() == {}
        claude.prompt()
    assert waiting(claude.book) == 0


def test_an_output_whose_words_went_into_a_report_is_free_in_the_next_turn_too(claude: Claude) -> None:
    for _ in range(2):
        assert ran(claude, "<one > out.txt") == ""
        assert ran(claude, "cat out.txt >> note.md; rm out.txt") == ""
        assert claude.stop() == {}
        claude.prompt()


@pytest.mark.parametrize(
    "commands",
    [
        ("sed 's/lamp/lantern/' ch.md > ch.new.md", "mv ch.new.md ch.md"),
        ("cp ch.md ch.old.md", "sed -i 's/lamp/lantern/' ch.md", "rm ch.old.md"),
        ("cat ch.md note.md > book.md", "rm book.md"),
        ("mkdir site && cp ch.md site/ch.txt && <one > site/log.txt", "rm -rf site"),
        ("python3 -c \"open('x.md','w').write('word ' * 2000)\"", "echo short > x.md", "rm x.md"),
    ],
)
def test_everyday_idioms_of_one_turn(claude: Claude, commands: tuple[str, ...]) -> None:
    assert [ran(claude, command) for command in commands] == [""] * len(commands)
    assert claude.stop() == {}
    assert waiting(claude.book) == 0


def test_an_output_that_no_new_file_may_have_stays_and_is_told_of(claude: Claude) -> None:
    assert ran(claude, "<one > out.txt") == ""
    assert "out.txt is new; it stays where it is and is not accepted" in ran(claude, "printf 'a\\0b' > out.txt")
    assert there(claude, "out.txt") == "a\0b", "the result of before would be taken for this one"
    assert ran(claude, "<two > out.txt") == ""
    assert ran(claude, "rm out.txt") == ""
    assert ran(claude, "cp ch.md out.txt") == ""
    assert ran(claude, "rm ch.md") == ""
    assert "out.txt was put back" in ran(claude, "printf '\\0' >> out.txt"), "ch.md needs it"


def test_every_version_of_it_is_kept(claude: Claude) -> None:
    ran(claude, "<one > out.txt")
    ran(claude, "<two > out.txt")
    ran(claude, "rm out.txt")
    claude.stop()
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("out.txt")
        assert known is not None
        kept = [proxy.ledger.load(e.new) for e in proxy.ledger.journal(known.id) if e.new]
    assert kept == [OUTPUT.encode(), OTHER.encode()]


def test_a_short_note_of_the_agents_own_words_is_free(claude: Claude) -> None:
    assert claude.write("plan.md", chapter(400, seed=5)) == {}
    assert claude.write("plan.md", b"# Plan\n\nNothing is left to do.\n") == {}
    assert ran(claude, "rm plan.md") == ""


def test_the_write_tool_may_write_an_output_anew_unread(claude: Claude) -> None:
    ran(claude, "python3 -c \"open('x.md','w').write('word ' * 2000)\"")
    assert claude.write("x.md", chapter(300, seed=5)) == {}


def test_it_is_free_for_the_same_session_through_the_proxy_and_for_no_other(claude: Claude) -> None:
    ran(claude, "<one > out.txt")
    for session in ("", "another"):
        with claude.book.open(session=session) as proxy:
            assert not proxy.check(claude.book.root / "out.txt", None).verdict.allowed
            assert not proxy.check(claude.book.root / "out.txt", OTHER.encode()).verdict.allowed
    with claude.book.open(session=claude.session) as proxy:
        assert proxy.write(claude.book.root / "out.txt", OTHER.encode()).committed
        assert proxy.write(claude.book.root / "out.txt", None).committed


# -- where it ends ----------------------------------------------------------------------------------------------------


def test_a_long_text_of_the_agents_own_words_is_guarded_as_soon_as_it_lands(claude: Claude) -> None:
    assert claude.write("new.md", chapter(1500, seed=5)) == {}
    assert decision(claude.write("new.md", b"To be continued.\n")) == "deny"
    assert "Deleting new.md" in ran(claude, "rm new.md")
    text = chapter(1500, seed=6).decode()
    assert ran(claude, f"cat > b.md <<'EOF'\n{text}EOF") == ""
    assert "b.md was put back" in ran(claude, "echo 'To be continued.' > b.md")
    assert there(claude, "b.md") == text


def test_an_output_that_the_agent_writes_over_in_its_own_words_is_its_text(claude: Claude) -> None:
    assert ran(claude, "<one > out.md") == ""
    assert claude.write("out.md", chapter(1500, seed=5)) == {}
    assert "out.md was put back" in ran(claude, "<two > out.md")


@pytest.mark.parametrize("ends", ["stop", "background", "prompt", "batch"])
def test_after_the_turn_it_is_guarded(claude: Claude, ends: str) -> None:
    ran(claude, "<one > out.txt")
    if ends == "stop":
        claude.stop()
        claude.prompt()
    elif ends == "background":
        claude.stop(background_tasks=[{"id": "b1", "type": "shell", "status": "running", "description": "x"}])
    elif ends == "prompt":  # after Esc
        claude.prompt()
    else:  # a person, or something in the background, changes it between two calls
        (claude.book.root / "out.txt").write_text(OUTPUT + " for now.\n")
        claude.answer("PostToolBatch", tool_calls=[])
    assert "Deleting out.txt" in ran(claude, "rm out.txt")
    kept = there(claude, "out.txt")
    assert "out.txt was put back" in ran(claude, "<two > out.txt")
    assert there(claude, "out.txt") == kept


def test_a_file_that_comes_up_between_two_calls_is_nobodys_scratch(claude: Claude) -> None:
    (claude.book.root / "idea.md").write_text(OTHER)
    assert ran(claude, "true") == ""
    assert "Deleting idea.md" in ran(claude, "rm idea.md")
    assert "idea.md was put back" in ran(claude, "git clean -fdq")
    assert there(claude, "idea.md") == OTHER


def test_a_change_between_two_calls_makes_it_somebodys_also_where_the_next_call_writes_it(claude: Claude) -> None:
    ran(claude, "<one > out.txt")
    (claude.book.root / "out.txt").write_text(OUTPUT + ". A person adds their own thoughts, and likes them.")
    assert decision(claude.write("out.txt", OTHER.encode())) == "deny"
    assert "likes them" in (there(claude, "out.txt") or "")


def test_what_a_person_accepted_is_theirs(claude: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(claude, "<one > out.txt")
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    with claude.book.open() as proxy:
        operator.accept(proxy, claude.book.root / "out.txt")
    assert "Deleting out.txt" in ran(claude, "rm out.txt")


def test_a_name_that_was_known_before_is_none(claude: Claude) -> None:
    assert ran(claude, "cp ch.md c2.md") == ""
    assert ran(claude, "rm ch.md") == "", "its words stand in c2.md"
    assert ran(claude, "<two > ch.md") == ""
    assert "Deleting ch.md" in ran(claude, "rm ch.md")
    assert "ch.md was put back" in ran(claude, "echo short > ch.md")


def test_a_name_that_stet_knew_is_none(claude: Claude) -> None:
    assert ran(claude, "<one > a.md") == ""
    claude.stop()
    claude.prompt()
    assert ran(claude, "cp a.md b.md") == ""
    assert ran(claude, "rm a.md") == "", "its words stand in b.md, which owes them to it"
    assert ran(claude, "<two > a.md") == ""
    assert "a.md was put back" in ran(claude, "echo short > a.md")
    assert "b.md holds text of a.md" in ran(claude, "rm b.md")


def test_a_name_that_git_knew_when_the_turn_began_is_none(book: Book, claude: Claude) -> None:
    claude.stop()
    git(book.root, "checkout", "-q", "-b", "draft")
    book.put("old.md", chapter(400, seed=9))
    committed(book.root)
    git(book.root, "checkout", "-q", "-")
    claude = Claude(book, HEADLESS)
    claude.prompt()
    assert ran(claude, "<one > old.md") == ""
    assert "Deleting old.md" in ran(claude, "rm old.md")
    assert ran(claude, "rm -f old2.md; git show draft:old.md > old2.md") == ""
    assert ran(claude, "rm old2.md") == ""


def test_what_git_brings_is_none(book: Book, claude: Claude) -> None:
    claude.stop()
    git(book.root, "checkout", "-q", "-b", "draft")
    book.put("old.md", chapter(400, seed=9))
    committed(book.root)
    git(book.root, "checkout", "-q", "-")
    claude.prompt()
    assert ran(claude, "git checkout -q draft -- old.md") == ""
    assert "Deleting old.md" in ran(claude, "rm old.md")


def test_a_renamed_one_stays_the_agents_until_the_turn_ends(claude: Claude) -> None:
    claude.stop()
    git(claude.book.root, "checkout", "-q", "-b", "draft")
    claude.book.put("old.txt", OUTPUT.encode())
    committed(claude.book.root)
    git(claude.book.root, "checkout", "-q", "-")
    claude.prompt()
    ran(claude, "<one > out.txt")
    assert ran(claude, "mv out.txt b.txt") + ran(claude, "mv b.txt c.txt") + ran(claude, "rm c.txt") == ""
    ran(claude, "<two > out.txt")
    assert ran(claude, "mv out.txt old.txt") == ""
    assert "Deleting old.txt" in ran(claude, "rm old.txt"), "git had a file of that name"
    assert ran(claude, "mkdir guide; printf 'A few words of mine stand here.\n' > guide/p1.md") == ""
    assert ran(claude, "mv guide/p1.md guide/one.md") == ""
    assert ran(claude, "rm -r guide") == ""
    assert "Deleting ch2.md" in ran(claude, "mv ch.md ch2.md") + ran(claude, "rm ch2.md"), "a person's is a person's"
    ran(claude, "<one > out.txt")
    ran(claude, "mv out.txt report.txt")
    claude.stop()
    claude.prompt()
    assert "Deleting report.txt" in ran(claude, "rm report.txt")


# -- what it holds of others ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        ("cp ch.md s.md", "rm ch.md"),
        ("<one > s.md", "cat ch.md >> s.md", "rm ch.md"),
        ("<one > s.md", "mv -f ch.md s.md"),
        ("cat ch.md note.md > s.md", "rm ch.md note.md"),
        ("cp ch.md s.md", HALVE),
    ],
)
@pytest.mark.parametrize(
    "then",
    ["rm s.md", "<two > s.md", "echo short > s.md", "(echo '<!--'; cat s.md; echo '-->') > t; mv t s.md"],
)
def test_text_that_was_moved_into_it_stays_owed(claude: Claude, first: tuple[str, ...], then: str) -> None:
    assert [ran(claude, command) for command in first] == [""] * len(first)
    held = there(claude, "s.md")
    assert ran(claude, then) != ""
    assert there(claude, "s.md") == held


def test_a_chapter_and_the_scratch_that_has_it_do_not_go_together(claude: Claude) -> None:
    assert ran(claude, "cp ch.md s.md") == ""
    assert "Deleting ch.md" in ran(claude, "rm ch.md s.md")
    run(claude.book, "rm ch.md s.md")
    assert "ch.md was put back" in reason(claude.ran("x"))
    assert (claude.book.root / "ch.md").read_bytes() == CHAPTER


def test_a_stub_does_not_take_the_place_of_a_chapter_by_way_of_scratch(claude: Claude) -> None:
    ran(claude, "cp ch.md s.md")
    ran(claude, "rm ch.md")
    ran(claude, "echo 'To be continued.' > x.md")
    ran(claude, "mv x.md ch.md")
    ran(claude, "rm s.md")
    ran(claude, "echo > s.md")
    left = (there(claude, "ch.md") or "") + (there(claude, "s.md") or "")
    assert CHAPTER.decode() in left


def test_scratch_that_is_moved_on_owes_as_its_source_did(claude: Claude) -> None:
    assert ran(claude, "cp ch.md s.md") == ""
    assert ran(claude, "rm ch.md") == ""
    assert ran(claude, "cp s.md t.md") == ""
    assert ran(claude, "rm s.md") == ""
    assert ran(claude, "rm t.md") != ""
    assert there(claude, "t.md") == CHAPTER.decode()


@pytest.mark.parametrize("is_over", [False, True])
def test_what_may_be_deleted_next_holds_no_words_for_others(claude: Claude, *, is_over: bool) -> None:
    ran(claude, "<one > out.md")
    (claude.book.root / "idea.md").write_text(f"{OUTPUT}\n\n{CHAPTER.decode()}")  # between two calls
    assert ran(claude, "true") == ""
    if is_over:
        claude.stop()
        claude.prompt()
        assert ran(claude, "rm idea.md") == ""
        assert "Deleting out.md" in ran(claude, "rm out.md")
    else:
        assert "Deleting idea.md" in ran(claude, "rm idea.md"), "half of it stands in ch.md and half in scratch"


def test_words_that_moved_into_scratch_stay_there(claude: Claude) -> None:
    ran(claude, "<one > out.md")
    (claude.book.root / "idea.md").write_text(OUTPUT)  # between two calls: it may be a person's
    assert ran(claude, "true") == ""
    assert ran(claude, "rm idea.md") == ""
    assert "out.md holds text of idea.md" in ran(claude, "rm out.md")


# -- whose words ------------------------------------------------------------------------------------------------------


def test_words_that_stand_in_the_command_are_the_models() -> None:
    assert own_files.is_typed("One two three.", "")
    assert own_files.is_typed("One two three.\n", "cat > x.md <<'E'\nOne two three.\nE")
    assert own_files.is_typed("One two.\n\nThree four.\n", r"printf 'One two.\n\nThree four.\n' > x.md")
    assert not own_files.is_typed("One two three.\n", "pytest > x.md")
    assert not own_files.is_typed("", ": > x.md")
