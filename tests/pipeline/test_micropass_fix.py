"""`stet fix`: one proposal to the write firewall, attempts for what was given up, nothing on a dry run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from editors import Scripted, by_rules, swap
from stet_kit import Home

from firewall.errors import NotFound
from firewall.writes import project
from firewall.writes.proxy import WriteProxy
from pipeline.micropass.errors import NotMarkdown, NotUtf8
from pipeline.micropass.repair import repair

POLICY = '[style]\nbanned = ["utilize"]\nceilings = {telemetry = 1}\n'
POLICY += 'alternatives = {utilize = ["use"], telemetry = ["measurements"]}\n'
TEXT = "# Pumps\r\n\r\nWe utilize telemetry. \U0001f680 They utilize `utilize`.\r\n"
FIXED = TEXT.replace("We utilize", "We use").replace("They utilize", "They use")


@pytest.fixture
def home(user: Home) -> Home:
    """A user with a guarded folder whose policy has a style."""
    done = user.quick("init", cwd=folder(user))
    assert done.status == 0, done.err
    policy = folder(user) / "stet.toml"
    text = policy.read_text()
    start = text.index("[style]")
    policy.write_text(text[:start] + POLICY + "\n" + text[start:].replace("[style]", "", 1).split("\n[", 1)[0])
    return user


def folder(user: Home) -> Path:
    path = user.folder / "book"
    path.mkdir(exist_ok=True)
    return path


def put(user: Home, text: str, name: str = "a.md") -> Path:
    path = folder(user) / name
    path.write_bytes(text.encode())
    return path


def test_it_mends_a_file_byte_for_byte(home: Home) -> None:
    path = put(home, TEXT)
    done = home.stet("fix", "a.md", cwd=folder(home))
    assert done.status == 0, done.err
    assert path.read_bytes() == FIXED.encode()
    assert "+ We use telemetry." in done.out
    assert done.out.splitlines()[-1] == "2 edited, 0 left; the editor was asked 2 times."
    assert home.stet("fix", "a.md", cwd=folder(home)).status == 0
    log = home.stet("log", "a.md", "--json", cwd=folder(home))
    assert "commit" in log.out


def test_the_style_is_that_which_lint_reads(home: Home) -> None:
    inner = folder(home) / "part"
    inner.mkdir()
    (inner / "stet-style.toml").write_text('banned = ["obtain"]\nalternatives = {obtain = ["get"]}\n')
    path = put(home, "We obtain and utilize it.\n", "part/a.md")
    assert home.quick("lint", "part/a.md", cwd=folder(home)).status == 1
    assert home.quick("fix", "part/a.md", cwd=folder(home)).status == 0
    assert path.read_text() == "We get and utilize it.\n"
    (inner / "stet-style.toml").write_text("baned = []\n")
    done = home.quick("fix", "part/a.md", cwd=folder(home))
    assert done.status == 2
    assert "Did you mean 'banned'?" in done.err


def test_without_a_style_rule_there_is_nothing_to_mend_and_it_says_so(user: Home) -> None:
    """As `stet lint` does: exit 0 would say that the text is clean."""
    assert user.quick("init", cwd=folder(user)).status == 0
    put(user, TEXT)
    for command in ("lint", "fix"):
        done = user.quick(command, "a.md", cwd=folder(user))
        assert done.status == 2
        assert "No style rule is set for a.md" in done.err


def test_a_word_without_alternatives_is_said_to_have_none(home: Home) -> None:
    """Declined alone is no word on why, nor on what to do."""
    policy = folder(home) / "stet.toml"
    policy.write_text(policy.read_text().replace('utilize = ["use"], ', ""))
    put(home, TEXT)
    done = home.stet("fix", "a.md", cwd=folder(home))
    assert done.status == 1
    assert "note: No alternatives are set for 'utilize'" in done.err
    assert 'alternatives = { "utilize" = ["…"] }' in done.err
    assert "--model" in done.err
    assert "telemetry" not in done.err


def test_the_json_is_whole_and_stable(home: Home) -> None:
    put(home, TEXT + "\nMore telemetry. It is old.\n")
    done = home.quick("fix", "a.md", "--json", cwd=folder(home))
    assert done.status == 1
    told = done.json()
    assert set(told) == {
        "path", "dry_run", "committed", "tripped", "edits", "findings", "rejected_answers", "model_calls", "usage",
        "notes", "write", "attempts",
    }  # fmt: skip
    assert (told["committed"], told["dry_run"], told["write"]["outcome"]) == (True, False, "allow")
    assert [e["after"] for e in told["edits"]] == ["We use telemetry.", "\U0001f680 They use `utilize`."]
    assert [f["rule"] for f in told["findings"]] == ["micropass-declined"]


def test_a_dry_run_writes_and_counts_nothing(home: Home) -> None:
    path = put(home, TEXT)
    done = home.quick("fix", "a.md", "--dry-run", "--json", cwd=folder(home))
    assert done.status == 0, done.err
    assert path.read_bytes() == TEXT.encode()
    assert done.json()["committed"] is False
    assert len(done.json()["edits"]) == 2


def test_outside_a_project_it_says_so(user: Home) -> None:
    put(user, TEXT)
    done = user.quick("fix", "a.md", cwd=folder(user))
    assert done.status == 2
    assert "no-project" in done.err
    assert "stet init" in done.err


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.ipynb", b"{}", "not-markdown"),
        ("a.md", b"caf\xe9 utilize", "not-utf8"),
        ("a.md", b"We utilize \0 it.", "not-utf8"),
        ("gone.md", None, "not-found"),
    ],
)
def test_what_cannot_be_mended_is_refused_with_a_next_step(
    home: Home, name: str, data: bytes | None, code: str
) -> None:
    if data is not None:
        (folder(home) / name).write_bytes(data)
    done = home.quick("fix", name, "--json", cwd=folder(home))
    assert done.status == 2
    assert done.json()["code"] == code
    assert done.json()["next"]
    if data is not None:
        assert (folder(home) / name).read_bytes() == data


def test_a_path_outside_is_refused_by_the_firewall(home: Home) -> None:
    outside = home.folder / "out.md"
    outside.write_text(TEXT)
    done = home.quick("fix", "../out.md", "--json", cwd=folder(home))
    assert done.status == 1
    assert done.json()["write"]["outcome"] == "block"
    assert outside.read_text() == TEXT.replace("\r\n", "\n") or outside.read_bytes() == TEXT.encode()


def test_a_latched_file_is_not_read_and_no_model_is_asked(home: Home) -> None:
    put(home, TEXT)
    with opened(home) as proxy:
        asked = Scripted(swap)
        stub = Scripted(lambda task: task.sentence)
        for _ in range(2):
            done = repair(proxy, folder(home) / "a.md", stub)
        assert done.exit_status == 4
        latched = repair(proxy, folder(home) / "a.md", asked)
    assert asked.tasks == []
    assert latched.polished is None
    assert latched.exit_status == 4
    assert (folder(home) / "a.md").read_bytes() == TEXT.encode()


class opened:  # noqa: N801 - reads like the function it stands for
    """The home's project as a proxy, with that home's state."""

    def __init__(self, user: Home) -> None:
        self.user = user

    def __enter__(self) -> WriteProxy:
        self.patch = pytest.MonkeyPatch()
        for name, value in self.user.environment().items():
            self.patch.setenv(name, value)
        self.proxy = WriteProxy(project.load(folder(self.user)), notify=lambda alert: None)
        return self.proxy

    def __exit__(self, *_: object) -> None:
        self.proxy.ledger.close()
        self.patch.undo()


def test_each_violation_that_was_given_up_counts_once(home: Home) -> None:
    put(home, TEXT)
    with opened(home) as proxy:
        stub = Scripted(lambda task: task.sentence if "They" in task.sentence else swap(task))
        done = repair(proxy, folder(home) / "a.md", stub)
        assert done.written is not None
        assert done.written.committed
        assert [a.attempt for a in done.attempts] == [1]
        assert [a.verdict.rules for a in done.attempts] == [("micropass-given-up",)]
        assert done.exit_status == 1
        declined = repair(proxy, folder(home) / "a.md", Scripted(""))
        assert declined.attempts == ()


def test_a_file_that_changed_meanwhile_is_left_to_who_changed_it(home: Home) -> None:
    # petergyang/human-review#23: the whole file was written back and undid a person's edits
    path = put(home, TEXT)

    def late(task: object) -> str:
        path.write_text("A person wrote this instead, with more words than before.\n")
        return swap(task)  # type: ignore[arg-type]

    with opened(home) as proxy:
        done = repair(proxy, path, Scripted(late))
    assert done.written is not None
    assert "stale-base" in done.written.verdict.rules
    assert done.exit_status == 1
    assert path.read_text().startswith("A person wrote this")


def test_all_edits_are_one_proposal_with_the_hash_that_was_read(home: Home) -> None:
    put(home, TEXT)
    with opened(home) as proxy:
        calls = []
        plain = proxy.write

        def spy(path: Path, content: bytes | None, **more: object) -> object:
            calls.append((content, more["base"]))
            return plain(path, content, **more)  # type: ignore[arg-type]

        proxy.write = spy  # type: ignore[method-assign, assignment]
        repair(proxy, folder(home) / "a.md", by_rules())
    assert calls == [(FIXED.encode(), hashlib.sha256(TEXT.encode()).hexdigest())]


def test_a_byte_order_mark_stays(home: Home) -> None:
    path = put(home, "\ufeff# Pumps\n\nWe utilize it.\n")
    assert home.quick("fix", "a.md", cwd=folder(home)).status == 0
    assert path.read_bytes() == "\ufeff# Pumps\n\nWe use it.\n".encode()


def test_errors_have_classes_of_their_own(home: Home) -> None:
    with opened(home) as proxy:
        for name, data, error in (
            ("a.tex", b"x", NotMarkdown),
            ("b.md", b"\xff", NotUtf8),
            ("c.md", None, NotFound),
        ):
            if data is not None:
                (folder(home) / name).write_bytes(data)
            with pytest.raises(error):
                repair(proxy, folder(home) / name, Scripted(swap))


def test_a_person_is_told_what_stayed_and_why(home: Home) -> None:
    put(home, "Telemetry is old. We sell telemetry. It pays.\n")
    done = home.quick("fix", "a.md", cwd=folder(home))
    assert done.status == 1
    assert "left micropass-declined" in done.err
    assert "Traceback" not in done.err


def test_a_heading_that_another_file_of_the_project_links_to_keeps_its_words(home: Home) -> None:
    text = "# T\n\n## How we utilize it\n\nWe utilize it.\n"
    path = put(home, text)
    (folder(home) / "part").mkdir()
    put(home, "# T\n\nSee [it](../a.md#how-we-utilize-it).\n", "part/b.md")
    done = home.quick("fix", "a.md", cwd=folder(home))
    assert done.status == 1
    assert "a link in part/b.md leads to #how-we-utilize-it" in done.err
    assert path.read_text() == text.replace("We utilize", "We use")


def test_what_the_style_says_in_vain_is_told(home: Home) -> None:
    put(home, "We obtain it.\n")
    put(home, 'banned = ["obtain"]\nalternatives = {obtain = ["get"], utilize = ["use"]}\n', "stet-style.toml")
    done = home.quick("fix", "a.md", cwd=folder(home))
    assert done.status == 0
    assert 'note: alternatives has "utilize", of which no rule speaks.' in done.err
