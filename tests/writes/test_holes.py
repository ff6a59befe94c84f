"""The holes in the article's breaker, write side, each by name: what its listing let through and Stet does not."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

from stet_kit import STUB, Book, NewBook, chapter, no_leftovers, prose, reword

from firewall.text.words import count_words

CHAPTER = chapter(1200)


def shrink(text: bytes, share: float) -> bytes:
    """The first paragraphs that hold about `share` of the text."""
    parts = text.decode().rstrip().split("\n\n")
    return ("\n\n".join(parts[: max(1, int(len(parts) * share))]) + "\n").encode()


def test_a_rewrite_of_the_same_length_passes(book: Book) -> None:
    book.put("ch.md", prose(1200, 1).encode())
    assert not book.write("ch.md", prose(1200, 2).encode()).committed


def test_ten_shrinks_of_14_percent_pass(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    text = CHAPTER
    for _ in range(10):
        text = shrink(text, 0.86)
        book.write("ch.md", text)
    assert count_words((book.root / "ch.md").read_text()) >= 0.85 * count_words(CHAPTER.decode())


def test_999_words_and_below_are_unprotected(book: Book) -> None:
    for words in (999, 400, 60):
        name = f"n{words}.md"
        book.put(name, prose(words).encode())
        assert not book.write(name, b"Gone.\n").committed


def test_the_counter_is_keyed_by_the_raw_string(book: Book) -> None:
    path = book.put("ch.md", CHAPTER)
    (book.root / "link.md").symlink_to(path)
    (book.root / "sub").mkdir()
    spellings = ["ch.md", "./sub/../ch.md", "link.md"]
    results = [book.write(name, STUB + bytes([97 + n])) for n, name in enumerate(spellings)]
    assert [r.attempt for r in results] == [1, 2, 3]
    assert results[-1].tripped
    assert book.write("sub/../link.md", reword(CHAPTER)).tripped


def test_the_counter_lives_in_memory(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    for n in range(3):  # each by a proxy of its own, as a new process would have
        result = book.write("ch.md", STUB + bytes([97 + n]))
    assert result.tripped


def test_the_counter_counts_successes_and_never_resets(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    for n in range(8):
        assert book.write("ch.md", reword(CHAPTER, f"w{n}".encode())).committed
    book.write("ch.md", STUB)
    assert book.write("ch.md", reword(CHAPTER)).attempt == 0
    assert book.write("ch.md", STUB + b"x").attempt == 1


def test_deletes_and_renames_are_not_seen(book: Book) -> None:
    path = book.put("ch.md", CHAPTER)
    assert not book.write("ch.md", None).committed
    with book.open() as proxy:
        assert proxy.rename(path, book.root / "moved.md").committed
    assert not book.write("moved.md", STUB).committed, "the mark went with it"
    assert not book.write("moved.md", STUB + b"x").committed
    assert book.write("moved.md", STUB + b"y").tripped, "and so did the attempts, one from before"


def test_cjk_counts_as_nothing(book: Book) -> None:
    letters = "调度器副本写入路径运维人员分片队列归档草稿校验和读者日志重启之后记录拒绝延迟比较移动保留"
    chance = random.Random(1)
    text = "# 手册\n\n" + "".join("".join(chance.choices(letters, k=12)) + "。\n\n" for _ in range(120))
    book.put("zh.md", text.encode())
    assert not book.write("zh.md", text[: len(text) // 10].encode()).committed
    assert book.write("zh.md", text.replace("。", "！", 1).encode()).committed


def test_the_repair_flag_is_the_caller_s(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    whole = (0, len(CHAPTER))
    honest = CHAPTER[:200] + b"\n\nA new piece.\n\n" + CHAPTER[200:]
    assert book.write("ch.md", honest, structural=(200, 200)).committed
    lying = book.write("ch.md", STUB, structural=(200, 300))
    assert not lying.committed
    assert "structural-range" in lying.verdict.rules
    assert "--structural" not in book.user.stet("write", "--help", cwd=book.root).out, "no agent has this flag"
    assert whole


def test_check_and_replace_race(book: Book) -> None:
    path = book.put("ch.md", CHAPTER)
    seen = reword(CHAPTER, b"seen")
    from firewall.writes import disk

    old = disk.read(path)
    path.write_bytes(reword(CHAPTER, b"person"))
    try:
        disk.replace(path, seen, old)
    except disk.Replaced:
        pass
    else:
        raise AssertionError("another's bytes were replaced")
    assert path.read_bytes() == reword(CHAPTER, b"person")


def test_a_symlink_is_replaced_by_a_file_and_the_mode_becomes_0600(book: Book) -> None:
    path = book.put("ch.md", CHAPTER)
    path.chmod(0o664)
    link = book.root / "link.md"
    link.symlink_to("ch.md")
    assert book.write("link.md", reword(CHAPTER)).committed
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o664
    assert path.read_bytes() == reword(CHAPTER)


def test_nothing_is_synced(book: Book, monkeypatch: object) -> None:
    book.put("ch.md", CHAPTER)
    synced: list[str] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        synced.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file")
        real(fd)

    os.fsync = fsync
    try:
        assert book.write("ch.md", reword(CHAPTER)).committed
    finally:
        os.fsync = real
    assert synced == ["file", "folder"], "the new bytes before the rename, its name after"


def test_the_temp_file_stays_behind_on_error(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    real = os.fsync

    def fsync(fd: int) -> None:
        raise OSError(5, "Input/output error")

    os.fsync = fsync
    try:
        with_error = None
        try:
            book.write("ch.md", reword(CHAPTER))
        except Exception as error:
            with_error = error
    finally:
        os.fsync = real
    assert with_error is not None
    assert "as it was" in str(with_error)
    assert no_leftovers(book.root) == []
    assert (book.root / "ch.md").read_bytes() == CHAPTER


def test_padding_passes_the_floor(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    padded = b"# Notes\n\n" + b"The lamp is lit again tonight. " * 200 + b"\n"
    assert not book.write("ch.md", padded).committed


def test_growth_then_a_cut(book: Book) -> None:
    book.put("ch.md", CHAPTER)
    assert book.write("ch.md", reword(CHAPTER)).committed, "a typo, so the mark stays behind"
    grown = reword(CHAPTER) + b"\n" + prose(1500, 9).encode()
    assert book.write("ch.md", grown).committed
    text = grown
    for _ in range(8):
        text = shrink(text, 0.9)
        book.write("ch.md", text)
    assert count_words((book.root / "ch.md").read_text()) >= 0.85 * count_words(grown.decode())


def test_text_is_not_laundered_through_another_file(new_book: NewBook) -> None:
    book = new_book(rules={"attempts": 1000, "window_attempts": 1000})
    book.put("ch.md", CHAPTER)
    parts = CHAPTER.decode().rstrip().split("\n\n")
    half = len(parts) // 2
    assert book.write("part.md", ("\n\n".join(parts[half:]) + "\n").encode()).committed
    assert book.write("ch.md", ("\n\n".join(parts[:half]) + "\n").encode()).committed, "a split"
    assert not book.write("part.md", None).committed
    left = parts[half:]
    for n in range(len(left)):
        book.write("part.md", ("\n\n".join(left[: len(left) - n]) + "\n").encode())
    words = sum(count_words(Path(book.root / name).read_text()) for name in ("ch.md", "part.md"))
    assert words >= 0.85 * count_words(CHAPTER.decode())


def test_growth_then_the_old_text_rewritten(book: Book) -> None:
    """Text that an agent adds is no licence to take away what a person wrote, however much it adds."""
    book.put("ch.md", CHAPTER)
    grown = CHAPTER + b"\n" + prose(6000, 9).encode()
    assert book.write("ch.md", grown).committed
    swapped = chapter(1200, 77) + b"\n" + prose(6000, 9).encode()
    refused = book.write("ch.md", swapped)
    assert not refused.committed
    assert refused.verdict.rules == ("survival",)
    assert book.write("ch.md", reword(grown)).committed, "an honest edit of the grown text passes"


def test_the_old_text_moved_into_a_large_file_and_rewritten_there(new_book: NewBook) -> None:
    book = new_book(rules={"attempts": 1000, "window_attempts": 1000})
    book.put("ch.md", CHAPTER)
    large = prose(6000, 9).encode()
    book.put("large.md", large)
    parts = CHAPTER.decode().rstrip().split("\n\n")
    half = len(parts) // 2
    moved = ("\n\n".join(parts[half:]) + "\n").encode()
    assert book.write("large.md", large + b"\n" + moved).committed
    assert book.write("ch.md", ("\n\n".join(parts[:half]) + "\n").encode()).committed, "half of it moved"
    junk = prose(count_words(moved.decode()), 55).encode()
    for share in (1.0, 0.75, 0.5, 0.25):
        cut = int(len(moved) * share)
        book.write("large.md", large + b"\n" + junk[:cut] + b"\n\n" + moved[cut:])
    everything = (book.root / "ch.md").read_text() + (book.root / "large.md").read_text()
    kept = [p for p in parts if p in everything]
    assert count_words("\n\n".join(kept)) >= 0.7 * count_words(CHAPTER.decode()) - 60
