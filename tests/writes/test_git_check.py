"""Commits and the index, judged as change sets from git's objects alone, in real repositories."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STET, STUB, Done, Home, chapter, files_below, reword, set_rules

from firewall.writes import gitcheck, gitobjects
from firewall.writes.git import Repository
from firewall.writes.proxy import WriteProxy

A = chapter(1200, 1)
B = chapter(1200, 2)


class Repo:
    """A git repository with a guarded folder in it."""

    def __init__(self, user: Home, top: Path, below: str = ".") -> None:
        self.user = user
        self.top = top
        self.root = top / below
        self.root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        for key, value in (("user.name", "A Writer"), ("user.email", "writer@example.org"), ("gc.auto", "0")):
            self.git("config", key, value)
        assert user.quick("init", cwd=self.root).status == 0
        self.commit("begin")

    def git(self, *words: str, data: bytes = b"", env: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.top, env=self.user.environment(**(env or {})), input=data, capture_output=True
        )
        assert done.returncode == 0, (words, done.stderr)
        return os.fsdecode(done.stdout).strip()

    def put(self, name: str, data: bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def commit(self, subject: str, *words: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject, *words)
        return self.git("rev-parse", "HEAD")

    def check(self, *words: str, status: int, env: dict[str, str] | None = None) -> Done:
        done = self.user.quick("check", *words, cwd=self.root, env=env)
        assert done.status == status, (done.out, done.err)
        return done

    def judged(self, revision: str, status: int) -> dict[str, Any]:
        """The one JSON object of a commit."""
        done = self.check("--commit", revision, "--json", status=status)
        (line,) = done.out.splitlines()
        return dict(json.loads(line))

    def range(self, text: str, status: int) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.check("--range", text, "--json", status=status).out.splitlines()]


@pytest.fixture
def repo(user: Home, tmp_path: Path) -> Repo:
    """Two chapters, committed."""
    made = Repo(user, tmp_path / "repo")
    made.put("a.md", A)
    made.put("b.md", B)
    made.put("code.py", b"x = 1\n" * 2000)
    made.commit("two chapters")
    return made


def test_a_stub_is_refused_by_name_rule_and_measure(repo: Repo) -> None:
    repo.put("a.md", STUB)
    repo.put("b.md", reword(B))
    ident = repo.commit("tidy up")
    value = repo.judged(ident, 1)
    assert (value["commit"], value["outcome"], value["subject"]) == (ident, "block", "tidy up")
    outcomes = {f["path"]: f["outcome"] for f in value["files"]}
    assert outcomes == {"a.md": "block", "b.md": "allow"}
    words = next(f["words"] for f in value["files"] if f["path"] == "a.md")
    assert words == {"before": 1200, "after": len(STUB.split()), "mark": 1200}
    said = repo.check("--commit", "HEAD", status=1).err
    for piece in (ident[:12], "tidy up", "a.md", "word-floor", "1200 ->", "the floor is 1020"):
        assert piece in said
    assert "b.md" not in said


def test_every_commit_of_a_range_is_judged_alone(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    texts = [A]
    for n in range(5):
        lines = texts[-1].split(b"\n")
        del lines[-12:-2]
        texts.append(b"\n".join(lines))
        repo.put("a.md", texts[-1])
        repo.commit(f"shorten {n}")
    repo.put("a.md", STUB)
    bad = repo.commit("stub")
    repo.put("a.md", A)
    repo.commit("put it back")
    values = repo.range(f"{base}..HEAD", 1)
    assert [v["subject"] for v in values] == [*(f"shorten {n}" for n in range(5)), "stub", "put it back"]
    assert [v["outcome"] for v in values][:5] == ["allow"] * 5, "each against its parent, nothing accumulated"
    assert (values[5]["commit"], values[5]["outcome"]) == (bad, "block")
    for before, after in itertools.pairwise(values):
        assert after["parent"] == before["commit"]
    done = repo.check("--range", f"{base}..HEAD", status=1)
    assert "7 commits, 7 files judged, 1 refused." in done.out
    assert repo.range(f"{base}..HEAD~2", 0)[-1]["subject"] == "shorten 4"
    assert repo.range("HEAD..HEAD", 0) == []


def test_renames_splits_and_moves_pass_and_a_delete_is_held(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("mv", "a.md", "first.md")
    repo.commit("rename")
    repo.git("mv", "first.md", "one.md")
    repo.put("one.md", reword(A))
    repo.commit("rename and edit")
    half = reword(A).split(b"\n\n")
    middle = len(half) // 2
    repo.put("one.md", b"\n\n".join(half[:middle]) + b"\n")
    repo.put("two.md", b"\n\n".join(half[middle:]))
    repo.commit("split in two")
    repo.put("b.md", B + b"\n" + b"\n\n".join(half[middle:]))
    (repo.root / "two.md").unlink()
    repo.commit("join with another")
    values = repo.range(f"{base}..HEAD", 0)
    assert [v["outcome"] for v in values] == ["allow"] * 4
    assert [(f["path"], f["from"], f["change"]) for f in values[1]["files"]] == [("one.md", "first.md", "renamed")]
    (repo.root / "b.md").unlink()
    repo.commit("delete")
    value = repo.judged("HEAD", 1)
    assert [(f["path"], f["change"], f["outcome"]) for f in value["files"]] == [("b.md", "deleted", "hold")]
    repo.git("mv", "one.md", "one.bak")
    repo.commit("out of the guarded files")
    assert repo.judged("HEAD", 1)["files"][0]["outcome"] == "hold"


def test_text_that_moves_to_an_unguarded_file_is_lost(repo: Repo) -> None:
    half = A.split(b"\n\n")
    repo.put("a.md", b"\n\n".join(half[: len(half) // 2]) + b"\n")
    repo.put("rest.bak", b"\n\n".join(half[len(half) // 2 :]))
    repo.commit("hide it")
    assert repo.judged("HEAD", 1)["files"][0]["path"] == "a.md"


def test_merges_are_judged_against_their_first_parent(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "side")
    repo.put("b.md", reword(B))
    repo.commit("on the side")
    repo.git("checkout", "-q", "main")
    repo.put("a.md", reword(A))
    repo.commit("on main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    values = {v["subject"]: v for v in repo.range(f"{base}..HEAD", 0)}
    assert set(values) == {"on the side", "on main", "merge"}
    assert [f["path"] for f in values["merge"]["files"]] == ["b.md"]
    assert values["merge"]["parent"] == repo.git("rev-parse", "HEAD^1")
    # An evil merge: what it does to main is seen, whatever the side said.
    repo.git("checkout", "-q", "-b", "evil")
    repo.put("new.md", b"A new page.\n")
    repo.commit("a page")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "--no-commit", "evil")
    repo.put("a.md", STUB)
    repo.commit("merge evil")
    assert repo.judged("HEAD", 1)["outcome"] == "block"


def test_the_first_commit_adds_and_loses_nothing(repo: Repo, user: Home, tmp_path: Path) -> None:
    first = repo.git("rev-list", "--max-parents=0", "HEAD")
    value = repo.judged(first, 0)
    assert value["parent"] is None
    bad = Repo(user, tmp_path / "other")
    bad.put("a.md", b"<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n")
    bad.git("add", "-A")
    bad.git("commit", "-q", "--amend", "-m", "begin badly")
    assert bad.judged("HEAD", 1)["files"][0]["findings"][0]["rule"] == "read-artifact"


def test_links_modules_and_modes_are_no_texts(repo: Repo, user: Home, tmp_path: Path) -> None:
    (repo.root / "link.md").symlink_to("a.md")
    (repo.root / "a.md").chmod(0o755)
    inner = Repo(user, tmp_path / "inner")
    env = {"GIT_ALLOW_PROTOCOL": "file"}
    repo.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner.top), "sub.md", env=env)
    repo.commit("odd things")
    value = repo.judged("HEAD", 0)
    assert [f["path"] for f in value["files"]] == []
    (repo.root / "b.md").unlink()
    (repo.root / "b.md").symlink_to("a.md")
    repo.commit("a link over a chapter")
    assert [(f["path"], f["change"], f["outcome"]) for f in repo.judged("HEAD", 1)["files"]] == [
        ("b.md", "deleted", "hold")
    ]
    (repo.root / "link.md").unlink()
    repo.put("link.md", b"Words at last.\n")
    repo.commit("a file where a link was")
    assert [f["change"] for f in repo.judged("HEAD", 0)["files"]] == ["added"]


def test_names_of_any_bytes(repo: Repo) -> None:
    names = ["sp ace.md", 'quo"te.md', "new\nline.md", "tab\t.md", "ünï.md", ":colon.md", "-dash.md"]
    for name in names:
        repo.put(name, B)
    raw = os.fsencode(repo.root) + b"/bad\xff.md"
    with open(raw, "wb") as file:
        file.write(B)
    repo.commit("names")
    assert len(repo.judged("HEAD", 0)["files"]) == len(names) + 1
    for name in names:
        repo.put(name, STUB)
    repo.commit("stubs")
    value = repo.judged("HEAD", 1)
    assert {f["path"] for f in value["files"]} == set(names)
    assert {f["outcome"] for f in value["files"]} == {"block"}
    assert "new\\x0aline.md" in repo.check("--commit", "HEAD", status=1).err


def test_only_files_below_the_project_count(user: Home, tmp_path: Path) -> None:
    repo = Repo(user, tmp_path / "mono", "docs/book")
    (repo.top / "README.md").write_bytes(A)
    repo.put("a.md", A)
    repo.commit("texts")
    (repo.top / "README.md").write_bytes(STUB)
    repo.put("a.md", reword(A))
    repo.commit("outside")
    assert [f["path"] for f in repo.judged("HEAD", 0)["files"]] == ["a.md"]
    repo.git("mv", "docs/book/a.md", "a.md")
    repo.commit("out of the project")
    assert [(f["path"], f["change"], f["outcome"]) for f in repo.judged("HEAD", 1)["files"]] == [
        ("a.md", "deleted", "hold")
    ]


def test_an_editor_may_remove_a_section_and_a_rewrite_may_not_lose_one(repo: Repo) -> None:
    table = "\n".join(["## Sizes", "", "| a | b |", "|---|---|", "| 1 | 2 |", ""]).encode()
    repo.put("a.md", A + b"\n" + table)
    repo.commit("a table")
    repo.put("a.md", reword(A))
    repo.commit("no table")
    assert repo.judged("HEAD", 0)["outcome"] == "allow"
    fenced = b"# Notes\n\n```py\nx = 1\n```\n\nAfter the code, prose goes on for a while.\n\n```py\ny = 2\n```\n"
    repo.put("c.md", fenced)
    repo.commit("code")
    repo.put("c.md", fenced.replace(b"x = 1\n```\n", b"x = 1\n", 1))
    repo.commit("a fence is lost")
    assert "truncated" in [f["rule"] for f in repo.judged("HEAD", 1)["files"][0]["findings"]]


# -- the index -----------------------------------------------------------------------------------------------


def test_what_is_staged_is_judged_and_nothing_else(repo: Repo) -> None:
    repo.put("a.md", STUB)
    assert repo.check("--staged", status=0).out == "The index: 0 files judged, none refused.\n"
    repo.git("add", "a.md")
    repo.put("a.md", A)
    done = repo.check("--staged", "--json", status=1)
    value = json.loads(done.out)
    assert (value["commit"], value["parent"]) == (None, repo.git("rev-parse", "HEAD"))
    assert [(f["path"], f["outcome"]) for f in value["files"]] == [("a.md", "block")]
    repo.git("reset", "-q")
    repo.put("b.md", reword(B))
    repo.git("add", "-N", "b.md")
    repo.put("fresh.md", b"One.\n")
    repo.git("add", "-N", "fresh.md")
    assert json.loads(repo.check("--staged", "--json", status=0).out)["files"] == []


def test_a_repository_without_a_commit(user: Home, tmp_path: Path) -> None:
    top = tmp_path / "fresh"
    top.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=top, check=True, env=user.environment())
    assert user.quick("init", cwd=top).status == 0
    (top / "a.md").write_bytes(A)
    subprocess.run(["git", "add", "-A"], cwd=top, check=True, env=user.environment())
    value = user.quick("check", "--staged", "--json", cwd=top).json()
    assert [(f["path"], f["change"]) for f in value["files"]] == [("a.md", "added")]
    assert value["parent"] is None


def test_a_conflict_nobody_resolved(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.put("a.md", reword(A, b"left"))
    repo.commit("left")
    repo.git("checkout", "-q", "main")
    repo.put("a.md", reword(A, b"right"))
    repo.commit("right")
    subprocess.run(["git", "merge", "-q", "side"], cwd=repo.top, env=repo.user.environment(), capture_output=True)
    value = json.loads(repo.check("--staged", "--json", status=1).out)
    assert [f["findings"][0]["rule"] for f in value["files"]] == ["unmerged"]


@pytest.mark.parametrize("words", [["-a"], ["a.md"], ["-i", "a.md"]])
def test_as_a_hook_it_judges_what_is_being_committed(repo: Repo, words: list[str]) -> None:
    hook = repo.top / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"#!/bin/sh\nexec '{STET}' check --staged\n")
    hook.chmod(0o755)
    repo.put("b.md", reword(B))
    repo.git("add", "b.md")
    repo.put("a.md", STUB)
    head = repo.git("rev-parse", "HEAD")
    done = subprocess.run(
        ["git", "commit", "-q", "-m", "x", *words], cwd=repo.top, env=repo.user.environment(), capture_output=True
    )
    assert done.returncode != 0
    assert b"a.md: 1200 ->" in done.stderr
    assert repo.git("rev-parse", "HEAD") == head
    repo.put("a.md", reword(A))
    repo.git("commit", "-q", "-m", "x", *words)
    assert repo.git("rev-parse", "HEAD") != head


def test_the_hook_offered_to_pre_commit_is_the_command(user: Home) -> None:
    import yaml

    (hook,) = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["id"], hook["entry"], hook["language"]) == ("stet", "stet check --staged", "python")
    assert hook["pass_filenames"] is False
    assert hook["always_run"] is True


# -- what must not fool it -----------------------------------------------------------------------------------


def test_nothing_of_the_repository_s_own_runs(repo: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    evil.chmod(0o755)
    for key in ("diff.external", "core.fsmonitor", "core.pager", "diff.x.textconv", "diff.x.command",
                "filter.x.clean", "filter.x.smudge", "core.editor", "uploadpack.packObjectsHook"):  # fmt: skip
        repo.git("config", key, str(evil))
    repo.git("config", "diff.renames", "false")
    (repo.top / ".git" / "info" / "attributes").write_text("*.md diff=x filter=x\n")
    repo.git("-c", "core.fsmonitor=false", "mv", "a.md", "z.md")
    mark.unlink(missing_ok=True)
    repo.git("-c", "core.fsmonitor=false", "-c", "filter.x.clean=cat", "commit", "-q", "-m", "rename")
    mark.unlink(missing_ok=True)
    before = files_below(repo.top)
    assert repo.judged("HEAD", 0)["files"][0]["change"] == "renamed"
    repo.check("--range", "HEAD~1..HEAD", status=0)
    repo.check("--staged", status=0, env={"GIT_DIR": str(tmp_path), "GIT_EXTERNAL_DIFF": str(evil)})
    assert not mark.exists()
    assert files_below(repo.top) == before, "nothing is written into the repository"


def test_a_replacement_object_hides_nothing(repo: Repo) -> None:
    good = repo.git("rev-parse", "HEAD")
    repo.put("a.md", STUB)
    bad = repo.commit("stub")
    repo.git("replace", bad, good)
    assert repo.judged(bad, 1)["outcome"] == "block"


def test_a_shallow_clone_is_no_first_commit(repo: Repo, tmp_path: Path) -> None:
    repo.put("a.md", STUB)
    repo.commit("stub")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.top}", str(tmp_path / "shallow"))
    done = repo.user.quick("check", "--commit", "HEAD", "--json", cwd=tmp_path / "shallow")
    assert (done.status, done.json()["code"]) == (1, "parent-missing")
    assert "unshallow" in done.json()["next"]


def test_a_branch_does_not_loosen_the_rules_it_is_judged_by(repo: Repo, tmp_path: Path) -> None:
    base = repo.git("rev-parse", "HEAD")
    set_rules(repo.root, {"floor_from": 100_000, "small_from": 100_000, "survival": 0.01, "small_survival": 0.01})
    repo.commit("loosen")
    repo.put("a.md", A[: len(A) // 3].rpartition(b"\n\n")[0] + b"\n")
    repo.commit("cut")
    fresh = Home(tmp_path / "ci")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.top), str(clone))
    seen = fresh.quick("check", "--range", f"{base}..HEAD", "--json", cwd=clone)
    assert seen.status == 1, seen.err
    values = [json.loads(line) for line in seen.out.splitlines()]
    assert [v["outcome"] for v in values] == ["allow", "block"]
    assert "word-floor" in [f["rule"] for f in values[1]["files"][0]["findings"]]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--range", "main"], "bad-range"),
        (["--range", "HEAD...main"], "bad-range"),
        (["--range", "nowhere..HEAD"], "git-failed"),
        (["--commit", "nowhere"], "git-failed"),
        (["--commit", "--all"], "git-failed"),
        (["--commit", "HEAD:a.md"], "git-failed"),
        (["a.md", "--staged"], "check-what"),
        ([], "check-what"),
    ],
)
def test_what_names_no_commit(repo: Repo, words: list[str], code: str) -> None:
    done = repo.user.quick("check", *words, "--json", cwd=repo.root)
    assert done.status in (1, 2)
    assert done.json()["code"] == code


def test_no_repository(user: Home, tmp_path: Path) -> None:
    assert user.quick("init", cwd=tmp_path).status == 0
    done = user.quick("check", "--staged", "--json", cwd=tmp_path)
    assert (done.status, done.json()["code"]) == (1, "no-repository")


def test_checking_commits_remembers_nothing(repo: Repo) -> None:
    repo.put("a.md", STUB)
    repo.commit("stub")
    log = repo.user.quick("log", "--json", cwd=repo.root).json()
    for _ in range(4):
        repo.judged("HEAD", 1)
    assert repo.user.quick("log", "--json", cwd=repo.root).json() == log
    assert repo.user.quick("alerts", "--json", cwd=repo.root).json() == []


def test_a_file_too_large_to_judge_is_refused_and_not_read(repo: Repo) -> None:
    set_rules(repo.root, {"max_bytes": 20_000})
    repo.commit("at most 20,000 bytes")
    base = repo.git("rev-parse", "HEAD")
    repo.put("a.md", b"wiped\n" * 5000)
    repo.check("--staged", status=0)
    repo.git("add", "-A")
    repo.check("--staged", status=1)
    repo.put("b.md", reword(B))
    ident = repo.commit("wipe")
    value = repo.judged(ident, 1)
    told = {f["path"]: (f["outcome"], [x["rule"] for x in f["findings"]]) for f in value["files"]}
    assert told == {"a.md": ("block", ["max-bytes"]), "b.md": ("allow", [])}
    finding = value["files"][0]["findings"][0]
    assert finding["evidence"] == {"bytes": 30_000, "limit": 20_000}
    assert repo.range(f"{base}..HEAD", 1)[0]["outcome"] == "block"
    repo.put("a.md", A)
    repo.commit("shrink what was too large")
    assert repo.judged("HEAD", 1)["files"][0]["findings"][0]["rule"] == "max-bytes", "what it had nobody can compare"


def test_large_contents_are_asked_for_their_size_alone(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rules(repo.root, {"max_bytes": 20_000})
    repo.put("large.md", b"word\n" * 9000)
    repo.commit("a large one")
    large = repo.git("rev-parse", "HEAD:large.md")
    for name, value in repo.user.environment().items():
        monkeypatch.setenv(name, value)
    read: list[str] = []
    objects = gitobjects.objects

    def seen(repository: Repository, names: Sequence[str]) -> Mapping[str, bytes | None]:
        read.extend(names)
        return objects(repository, names)

    monkeypatch.setattr(gitobjects, "objects", seen)
    with WriteProxy.open(repo.root) as proxy:
        assert not gitcheck.check_commit(proxy, "HEAD").allowed
    assert read
    assert large not in read


def test_a_new_project_id_is_no_new_set_of_rules(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    path = repo.root / "stet.toml"
    policy = path.read_text()
    ident = re.search(r'id = "(\w+)"', policy)
    assert ident
    path.write_text(policy.replace(ident[1], "0123456789abcdef") + "\n")
    set_rules(repo.root, {"floor_from": 100_000, "small_from": 100_000, "survival": 0.01, "small_survival": 0.01})
    repo.put("a.md", STUB)
    repo.commit("another project")
    fresh = Home(repo.user.folder / "ci")
    clone = repo.user.folder / "clone"
    repo.git("clone", "-q", str(repo.top), str(clone))
    for words in (("--range", f"{base}..HEAD"), ("--commit", "HEAD")):
        seen = fresh.quick("check", *words, "--json", cwd=clone)
        assert (seen.status, seen.json()["code"]) == (1, "other-project"), seen.out


def test_a_moved_or_nested_stet_toml_is_no_new_set_of_rules(repo: Repo, user: Home, tmp_path: Path) -> None:
    base = repo.git("rev-parse", "HEAD")
    (repo.root / "docs").mkdir()
    repo.git("mv", "stet.toml", "docs/stet.toml")
    repo.put("docs/c.md", chapter(1200, 3))
    set_rules(repo.root / "docs", {"floor_from": 100_000, "small_from": 100_000, "survival": 0.01})
    repo.commit("move")
    repo.put("docs/c.md", b"\n\n".join(chapter(1200, 3).split(b"\n\n")[:9]))
    repo.commit("cut")
    fresh = Home(tmp_path / "ci")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.top), str(clone))
    seen = fresh.quick("check", "--range", f"{base}..HEAD", "--json", cwd=clone / "docs")
    assert seen.status == 1, seen.out
    repo.git("checkout", "-q", "-b", "nested", base)
    policy = (repo.root / "stet.toml").read_text()
    ident = re.search(r'id = "(\w+)"', policy)
    assert ident
    repo.put("docs/stet.toml", policy.replace(ident[1], "0123456789abcdef").encode())
    repo.commit("a project inside")
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "second"))
    seen = Home(tmp_path / "ci2").quick("check", "--range", f"{base}..HEAD", "--json", cwd=tmp_path / "second" / "docs")
    assert (seen.status, seen.json()["code"]) == (1, "other-project"), seen.out


def _branch_before_the_log(repo: Repo) -> str:
    """A branch that began before main got log.md and a longer a.md; main's tip."""
    repo.git("checkout", "-q", "-b", "side")
    repo.put("b.md", reword(B))
    repo.commit("on the side")
    repo.git("checkout", "-q", "main")
    repo.put("log.md", chapter(1200, 3))
    repo.put("a.md", A + b"\n" + chapter(600, 4))
    tip = repo.commit("main's own chapter")
    repo.git("checkout", "-q", "side")
    return tip


def test_a_merge_may_not_drop_what_the_other_side_has(repo: Repo) -> None:
    tip = _branch_before_the_log(repo)
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "main")
    for value in (repo.judged("HEAD", 1), repo.range(f"{tip}..HEAD", 1)[-1]):
        told = {f["path"]: f for f in value["files"] if f["outcome"] != "allow"}
        assert sorted(told) == ["a.md", "log.md"]
        assert {f["against"] for f in told.values()} == {tip}
        assert [x["rule"] for x in told["log.md"]["findings"]] == ["delete"]
    assert f"against the parent {tip[:12]}" in repo.check("--commit", "HEAD", status=1).err


def test_a_merge_under_way_may_not_drop_it_either(repo: Repo) -> None:
    _branch_before_the_log(repo)
    repo.git("merge", "-q", "-s", "ours", "--no-commit", "main")
    assert "log.md" in repo.check("--staged", status=1).err
    repo.git("checkout", "main", "--", "log.md", "a.md")
    repo.check("--staged", status=0)


def test_a_merge_that_keeps_both_sides_is_no_loss(repo: Repo) -> None:
    """Cut slowly on the side, grown on main: neither parent's own work is the other one's loss."""
    repo.git("checkout", "-q", "-b", "side")
    paragraphs = A.split(b"\n\n")
    cut = paragraphs
    for _ in range(4):
        cut = cut[:-2]
        repo.put("a.md", b"\n\n".join(cut) + b"\n")
        repo.commit("shorten")
    repo.put("b.md", reword(B))
    repo.git("mv", "b.md", "second.md")
    repo.commit("rename")
    repo.git("checkout", "-q", "main")
    grown = [*paragraphs[:2], chapter(200, 7).strip().split(b"\n\n")[-1], *paragraphs[2:]]
    repo.put("a.md", b"\n\n".join(grown))
    repo.put("b.md", B.replace(B.split()[40], b"otherwise", 1))
    tip = repo.commit("on main")
    repo.git("checkout", "-q", "side")
    repo.git("merge", "-q", "--no-edit", "main")
    assert repo.range(f"{tip}..HEAD", 0)[-1]["outcome"] == "allow"


@pytest.mark.parametrize("file", ["info/grafts", "shallow"])
def test_files_in_git_that_take_parents_away_blind_nobody(repo: Repo, file: str) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.put("a.md", STUB)
    bad = repo.commit("stub")
    repo.put("a.md", A)
    last = repo.commit("put it back")
    path = repo.top / ".git" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{last} {base}\n" if file == "info/grafts" else f"{last}\n")
    values = {v["commit"]: v["outcome"] for v in repo.range(f"{base}..HEAD", 1)}
    assert values == {bad: "block", last: "allow"}


def test_a_range_that_a_shallow_clone_does_not_reach_says_so(repo: Repo, tmp_path: Path) -> None:
    base = repo.git("rev-parse", "HEAD")
    for n in range(4):
        repo.put("b.md", B + b"\nMore %d.\n" % n)
        repo.commit(f"more {n}")
    shallow = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.top}", str(shallow))
    repo.git("-C", str(shallow), "fetch", "-q", "--depth", "1", "origin", base)
    done = repo.user.quick("check", "--range", f"{base}..HEAD", "--json", cwd=shallow)
    assert (done.status, done.json()["code"]) == (1, "history-missing"), (done.out, done.err)
    assert "unshallow" in done.json()["next"]
    done = repo.user.quick("check", "--range", "HEAD~1..HEAD", "--json", cwd=shallow)
    assert done.status == 0, done.out


def test_a_git_init_inside_stands_before_no_history(user: Home, tmp_path: Path) -> None:
    repo = Repo(user, tmp_path / "repo", "docs")
    repo.put("a.md", A)
    repo.commit("a chapter")
    repo.put("a.md", STUB)
    bad = repo.commit("stub")
    subprocess.run(["git", "init", "-q", str(repo.root)], check=True, env=user.environment())
    inner = ["-C", str(repo.root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *inner, "add", "-A"], check=True, env=user.environment())
    subprocess.run(["git", *inner, "commit", "-q", "-m", "new"], check=True, env=user.environment())
    assert repo.judged(bad, 1)["outcome"] == "block"
