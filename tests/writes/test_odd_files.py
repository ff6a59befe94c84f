"""What stands in a guarded folder besides plain files, and names that nobody expects."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from stet_kit import STUB, Book, Home, bound_by_permissions, chapter, files_below, no_leftovers, reword

from firewall.errors import StetError
from firewall.writes import disk

needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX files")


def refused_with(book: Book, name: str | Path, content: bytes = b"words\n") -> str:
    """Everything said when the proposal is refused, by verdict or by error; it must not wait for another's end."""
    began = time.monotonic()
    try:
        result = book.write(name, content)
    except StetError as error:
        said = f"{error.message} {error.hint}"
    else:
        assert not result.committed
        said = " ".join(f.message for f in result.verdict.findings)
    assert time.monotonic() - began < 30  # a pipe that nobody writes to is waited for without end
    return said


@needs_posix
def test_what_is_no_regular_file_is_refused_and_left_alone(book: Book) -> None:
    os.mkfifo(book.root / "pipe.md")
    (book.root / "folder.md").mkdir()
    (book.root / "gone.md").symlink_to("nowhere.md")
    (book.root / "round.md").symlink_to("about.md")
    (book.root / "about.md").symlink_to("round.md")
    (book.root / "self.md").symlink_to("self.md")
    (book.root / "null.md").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(book.root)
        try:
            server.bind("socket.md")
        finally:
            os.chdir(here)
        before = {p.name: p.lstat().st_ino for p in book.root.iterdir()}
        assert "not a regular file" in refused_with(book, "pipe.md")
        assert "not a regular file" in refused_with(book, "socket.md")
        assert "folder" in refused_with(book, "folder.md")
        assert "symlink" in refused_with(book, "gone.md")
        for name in ("round.md", "about.md", "self.md"):
            assert "circle" in refused_with(book, name)
        assert "outside" in refused_with(book, "null.md")
        assert {p.name: p.lstat().st_ino for p in book.root.iterdir()} == before


@needs_posix
def test_a_file_cannot_be_made_below_a_file(book: Book) -> None:
    book.put("ch.md", b"words\n")
    assert "file" in refused_with(book, "ch.md/inner.md")
    assert "file" in refused_with(book, "ch.md/deep/inner.md")
    assert (book.root / "ch.md").read_bytes() == b"words\n"


@needs_posix
def test_a_hard_link_is_never_broken_silently(book: Book) -> None:
    book.put("ch.md", b"words\n")
    os.link(book.root / "ch.md", book.root / "twin.md")
    for name in ("ch.md", "twin.md"):
        assert "hard link" in refused_with(book, name, b"other words\n")
    assert (book.root / "ch.md").stat().st_ino == (book.root / "twin.md").stat().st_ino
    assert (book.root / "twin.md").read_bytes() == b"words\n"


@needs_posix
def test_a_symlink_stays_a_symlink_and_its_target_is_written(book: Book) -> None:
    book.put("real/ch.md", chapter())
    (book.root / "short.md").symlink_to("real/ch.md")
    (book.root / "long.md").symlink_to(book.root / "short.md")
    assert book.write("long.md", reword(chapter())).committed
    assert os.readlink(book.root / "short.md") == "real/ch.md"
    assert (book.root / "long.md").is_symlink()
    assert (book.root / "real/ch.md").read_bytes() == reword(chapter())


@needs_posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o4755, 0o400])
def test_the_mode_is_kept(book: Book, mode: int) -> None:
    path = book.put("ch.md", chapter())
    path.chmod(mode)
    assert book.write("ch.md", reword(chapter())).committed
    assert stat.S_IMODE(path.stat().st_mode) == mode


@needs_posix
def test_a_new_file_has_the_mode_of_the_users_umask(book: Book) -> None:
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        kept = os.umask(mask)
        try:
            book.write(f"{mask}.md", b"words\n")
        finally:
            os.umask(kept)
        assert stat.S_IMODE((book.root / f"{mask}.md").stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(book: Book) -> None:
    path = book.put("ch.md", chapter())
    os.chown(path, 12345, 23456)
    assert book.write("ch.md", reword(chapter())).committed
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_extended_attributes_are_kept(book: Book) -> None:
    path = book.put("ch.md", chapter())
    try:
        os.setxattr(path, "user.colour", b"green")
    except OSError as error:
        pytest.skip(f"this file system keeps none: {error}")
    assert book.write("ch.md", reword(chapter())).committed
    assert os.getxattr(path, "user.colour") == b"green"


NAMES = [
    "two words.md", "new\nline.md", "tab\there.md", "quo'te.md", 'dou"ble.md', "back\\slash.md", "-dash.md",
    "--help.md",
    "$(touch x).md", "`id`.md", "ünïcödé.md", "值班.md", "e\u0301.md", "\u202egnp.md", "percent%s{0}.md",
    " .md", "a" * 250 + ".md", "[bold].md", "..md", "..hidden.md",
]  # fmt: skip


@needs_posix
def test_any_name_is_a_name(book: Book) -> None:
    for seed, name in enumerate(NAMES):
        text = chapter(1000, seed)
        book.put(name, text)
        assert book.write(name, reword(text)).path == name
        assert book.write(name, STUB).attempt == 1
        assert (book.root / name).read_bytes() == reword(text)
    assert no_leftovers(book.root) == []
    listed = book.user.quick("log", "--json", cwd=book.root)
    assert {entry["path"] for entry in listed.json()} == set(NAMES)
    shown = book.user.quick("log", cwd=book.root)
    assert (shown.status, shown.err) == (0, "")


@needs_posix
@pytest.mark.parametrize("name", ["--help.md", "new\nline 'and\" quotes.md"])
def test_any_name_can_be_given_on_the_command_line(book: Book, name: str) -> None:
    book.write(name, chapter(1000))
    refused = book.user.quick("write", "--json", "--", name, cwd=book.root, data=STUB)
    assert refused.status == 1, refused.err
    assert refused.json()["path"] == name
    shown = book.user.quick("log", "--", name, cwd=book.root)
    assert (shown.status, shown.err) == (0, "")


@needs_posix
def test_a_name_of_300_bytes_is_refused_in_words(book: Book) -> None:
    assert "255" in refused_with(book, "x" * 300 + ".md")
    assert "255" in refused_with(book, "ü" * 130 + ".md")


@needs_posix
def test_a_name_that_is_not_utf8_is_refused_in_words_and_in_json(user: Home, tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    user.quick("init", cwd=root)
    name = b"caf\xe9.md"
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(b"words\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    for more, environments in (([], [{}, {"LC_ALL": "POSIX"}]), (["--json"], [{}, {"PYTHONIOENCODING": "ascii"}])):
        for env in environments:
            done = user.stet("write", *more, os.fsdecode(name), cwd=root, data=b"other\n", env=env)
            assert done.status == 1, done.err
            assert "UTF-8" in done.out + done.err
            assert "Traceback" not in done.err
            if more:
                assert done.json()["findings"][0]["rule"] == "path"


@needs_posix
@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_line_ends_and_a_byte_order_mark_are_bytes_like_any_other(book: Book, end: bytes) -> None:
    text = b"\xef\xbb\xbf" + chapter(1000).replace(b"\n", end)
    book.put("ch.md", text)
    assert book.write("ch.md", reword(text)).committed
    now = (book.root / "ch.md").read_bytes()
    assert now == reword(text)


@needs_posix
def test_a_file_of_200_megabytes_is_refused_at_once_and_not_read(book: Book) -> None:
    path = book.root / "big.md"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    said = refused_with(book, "big.md")
    assert "200000000" in said
    assert "max_bytes" in said
    assert path.stat().st_size == 200_000_000


def test_a_proposal_over_the_limit_is_refused(book: Book) -> None:
    said = refused_with(book, "new.md", b"word " * 13_000_000)
    assert "65000000" in said
    assert not (book.root / "new.md").exists()


@pytest.fixture
def guarded(user: Home, tmp_path: Path) -> Iterator[Path]:
    """A folder with one chapter, made readable again at the end."""
    root = tmp_path / "w"
    (root / "sub").mkdir(parents=True)
    user.quick("init", cwd=root)
    (root / "sub" / "ch.md").write_bytes(chapter(1000))
    yield root
    for path in (root, root / "sub"):
        path.chmod(0o755)


@needs_posix
def test_a_read_only_folder_is_a_clear_error_and_nothing_is_lost(user: Home, guarded: Path) -> None:
    prefix = bound_by_permissions()
    (guarded / "sub").chmod(0o555)
    before = files_below(guarded)
    for name in ("sub/ch.md", "sub/new.md", "sub/deep/new.md"):
        done = user.stet("write", name, cwd=guarded, data=reword(chapter(1000)), prefix=prefix)
        assert done.status == 1
        assert "[storage]" in done.err
        assert "Permission denied" in done.err
        assert "as it was" in done.err
        assert files_below(guarded) == before
    (guarded / "sub").chmod(0o755)
    assert user.stet("write", "sub/ch.md", cwd=guarded, data=reword(chapter(1000))).status == 0
    assert user.quick("log", "--verify", cwd=guarded).status == 0


@needs_posix
def test_an_unreadable_file_is_a_clear_error(user: Home, guarded: Path) -> None:
    prefix = bound_by_permissions()
    path = guarded / "sub/ch.md"
    path.chmod(0o000)
    done = user.stet("write", "--json", "sub/ch.md", cwd=guarded, data=STUB, prefix=prefix)
    assert (done.status, done.json()["code"]) == (1, "storage")
    assert "Traceback" not in done.err
    path.chmod(0o644)
    assert path.read_bytes() == chapter(1000)


@needs_posix
def test_a_file_that_another_user_owns_is_not_given_to_us(user: Home, guarded: Path) -> None:
    prefix = bound_by_permissions()
    if not prefix:
        pytest.skip("only root can make another user's file")
    path = guarded / "sub/ch.md"
    os.chown(path, 12345, 12345)
    done = user.stet(
        "write", "sub/ch.md", cwd=guarded, data=reword(chapter(1000)),
        prefix=["setpriv", "--bounding-set=-chown,-dac_override,-fowner"],
    )  # fmt: skip
    assert done.status == 1
    assert "[storage]" in done.err
    assert (path.read_bytes(), path.stat().st_uid) == (chapter(1000), 12345)
    assert no_leftovers(guarded) == []


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    try:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "stet-test", str(folder)], capture_output=True)
    except OSError as error:
        pytest.skip(f"no mount here: {error}")
    if done.returncode != 0:
        pytest.skip(f"mount is not allowed here: {done.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, leave: int = 0) -> Path:
    """Fill the file system but for about `leave` bytes."""
    path = folder / "ballast"
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    os.truncate(path, max(0, path.stat().st_size - leave))
    return path


def test_a_full_disk_under_the_artifacts_loses_nothing(user: Home, tiny: Path) -> None:
    root = tiny / "w"
    root.mkdir()
    assert user.quick("init", cwd=root).status == 0
    text = chapter(10_000)
    (root / "ch.md").write_bytes(text)
    ballast = fill(tiny, 8192)
    before = files_below(root)
    for name, content in (("ch.md", reword(text)), ("new.md", text), ("a/b/new.md", text)):
        done = user.quick("write", name, cwd=root, data=content)
        assert done.status == 1, done.err
        assert "[storage]" in done.err
        assert "No space left" in done.err
        assert files_below(root) == before
        assert not (root / "a").exists()
    assert user.quick("log", "--verify", cwd=root).status == 0
    ballast.unlink()
    assert user.quick("write", "ch.md", cwd=root, data=reword(text)).status == 0
    assert (root / "ch.md").read_bytes() == reword(text)


def test_a_full_disk_under_the_state_refuses_and_forgets_nothing(user: Home, tiny: Path, tmp_path: Path) -> None:
    user.state = tiny / "state"
    root = tmp_path / "w"
    root.mkdir()
    assert user.quick("init", cwd=root).status == 0
    text = chapter(1000)
    assert user.quick("write", "ch.md", cwd=root, data=text).status == 0
    assert user.quick("write", "ch.md", cwd=root, data=STUB).status == 1
    ballast = fill(tiny)
    for content in (reword(text), STUB, b"\0", chapter(1000, 7)):
        done = user.quick("write", "ch.md", cwd=root, data=content)
        assert done.status in (1, 4), done.err
        assert "Traceback" not in done.err
        assert (root / "ch.md").read_bytes() == text
    ballast.unlink()
    assert user.quick("log", "--verify", cwd=root).status == 0
    result = user.quick("write", "--json", "ch.md", cwd=root, data=STUB).json()
    assert result["attempt"] >= 2, "what was counted before stays counted"
    assert disk.read(root / "ch.md").data == text


def test_init_on_a_full_disk_leaves_no_half_written_policy(user: Home, tiny: Path) -> None:
    root = tiny / "w"
    root.mkdir()
    fill(tiny)
    done = user.quick("init", cwd=root)
    assert done.status == 1, done.err
    assert "[storage]" in done.err
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("name", ["\ud800.md", "\udfff/ch.md", "notes \udc80.md"])
def test_half_a_character_is_in_no_name(book: Book, name: str) -> None:
    assert "not UTF-8" in refused_with(book, name)
    assert "not UTF-8" in refused_with(book, book.root / name)
