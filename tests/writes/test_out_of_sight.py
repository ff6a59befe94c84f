"""Text may not leave a reader's sight: in one write, in slices, by way of other files or names, or in commits."""

from __future__ import annotations

import json
import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import Book, prose, reword

from firewall.writes.commits import File, judge_files
from firewall.writes.limits import Limits
from firewall.writes.proposal import Proposal
from firewall.writes.protection import Protection

CHAPTER = prose(1200)
PARTS = CHAPTER.strip().split("\n\n")
OTHER = prose(1200, 99)
WRAPS = {
    "comment": "<!--\n\n{}\n\n-->",
    "fence": "~~~~text\n{}\n~~~~",
    "element": "<dialog>\n\n{}\n\n</dialog>",
    "style": '<div style="position:absolute;left:-9999px">\n\n{}\n\n</div>',
    "attribute": '<a title="{}">b</a>',
    "note": "[^n]:\n    {}",
}


def text(parts: list[str]) -> bytes:
    """A file of these paragraphs."""
    return ("\n\n".join(parts) + "\n").encode()


def wrapped(parts: list[str], how: str) -> str:
    """The paragraphs out of sight."""
    joined = ("\n" if how == "attribute" else "\n\n").join(parts)
    return WRAPS[how].format(joined.replace("\n", "\n    ") if how == "note" else joined)


def notebook(kind: str, sources: list[str], **metadata: object) -> bytes:
    """A notebook of these cells."""
    cells: list[dict[str, object]] = [{"cell_type": kind, "metadata": metadata, "source": source} for source in sources]
    for cell in cells if kind == "code" else ():
        cell |= {"outputs": [], "execution_count": None}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


@pytest.mark.parametrize("how", WRAPS)
def test_other_prose_with_the_old_out_of_sight_is_refused(book: Book, how: str) -> None:
    book.put("log.md", CHAPTER.encode())
    result = book.write("log.md", f"{OTHER}\n\n{wrapped(PARTS, how)}\n".encode())
    assert not result.committed
    assert (book.root / "log.md").read_bytes() == CHAPTER.encode()


def test_a_copy_out_of_sight_does_not_pay_for_what_is_rewritten(book: Book) -> None:
    book.put("log.md", CHAPTER.encode())
    copy = "\n\n" + wrapped(PARTS, "comment") + "\n"
    assert book.write("log.md", CHAPTER.rstrip().encode() + copy.encode()).committed, "nothing is lost yet"
    now = list(PARTS)
    new = OTHER.strip().split("\n\n")
    for n in range(min(len(now), len(new))):  # each an edit of plain prose
        tried = [*now]
        tried[n] = new[n]
        if book.write("log.md", text(tried)[:-1] + copy.encode()).committed:
            now = tried
    assert sum(part in PARTS for part in now) >= 0.65 * len(PARTS)


@pytest.mark.parametrize("how", ["comment", "fence", "element"])
def test_slices_out_of_sight_add_up(book: Book, how: str) -> None:
    book.put("log.md", CHAPTER.encode())
    seen = len(PARTS)
    for _ in range(12):
        slice_ = max(1, seen // 4)
        tried = [*PARTS[: seen - slice_], wrapped(PARTS[seen - slice_ :], how)]
        if not book.write("log.md", text(tried)).committed:
            break
        seen -= slice_
    assert seen >= 0.65 * len(PARTS)


def test_slices_and_plain_edits_add_up(book: Book) -> None:
    book.put("log.md", CHAPTER.encode())
    hidden = wrapped(PARTS[-len(PARTS) // 4 :], "comment")
    now = PARTS[: -(len(PARTS) // 4) or None]
    assert book.write("log.md", text([*now, hidden])).committed
    new = OTHER.strip().split("\n\n")
    kept = len(now)
    for n in range(len(now)):
        tried = [*now]
        tried[n] = new[n % len(new)]
        if book.write("log.md", text([*tried, hidden])).committed:
            now, kept = tried, kept - 1
    assert kept >= 0.6 * len(PARTS)


@pytest.mark.parametrize("how", WRAPS)
def test_a_chapter_moved_out_of_sight_has_not_moved(book: Book, how: str) -> None:
    book.put("b.md", CHAPTER.encode())
    book.write("z.md", f"Notes.\n\n{wrapped(PARTS, how)}\n".encode())
    assert not book.write("b.md", None).committed
    assert not book.write("b.md", text(PARTS[:3])).committed
    assert (book.root / "b.md").read_bytes() == CHAPTER.encode()


@pytest.mark.parametrize(
    "made", [notebook("raw", PARTS), notebook("code", PARTS), notebook("markdown", PARTS, tags=["remove-cell"])]
)
def test_a_chapter_moved_into_a_cell_that_shows_no_prose_has_not_moved(book: Book, made: bytes) -> None:
    book.put("b.md", CHAPTER.encode())
    book.write("z.ipynb", made)
    assert not book.write("b.md", None).committed


def test_a_chapter_moved_into_sight_has_moved(book: Book) -> None:
    for name, made in (("z.md", text(["# Z", *PARTS])), ("z.ipynb", notebook("markdown", PARTS))):
        book.put("b.md", CHAPTER.encode())
        assert book.write(name, made).committed
        result = book.write("b.md", None)
        assert result.committed, result.verdict
        (book.root / name).unlink()


def test_what_moved_may_not_be_hidden_where_it_went(book: Book) -> None:
    book.put("b.md", CHAPTER.encode())
    keep, go = PARTS[: len(PARTS) // 2], PARTS[len(PARTS) // 2 :]
    filler = OTHER.strip().split("\n\n") * 3
    book.put("z.md", text(filler))
    assert book.write("z.md", text([*filler, *go])).committed
    assert book.write("b.md", text(keep)).committed
    result = book.write("z.md", text([*filler, wrapped(go, "comment")]))
    assert not result.committed
    assert "holds text of b.md" in " ".join(f.message for f in result.verdict.findings)


def test_code_moves_with_the_prose_around_it(book: Book) -> None:
    block = "```python\n" + "\n\n".join(
        f"def step_{n}(queue, job):\n    return queue.drain(job, {n})" for n in range(99)
    )
    block += "\n```"
    book.put("b.md", text([*PARTS, "## Code", block]))
    assert book.write("z.md", text(["# Z", *PARTS[10:], "## Code", block])).committed
    result = book.write("b.md", text(PARTS[:10]))
    assert result.committed, result.verdict


@pytest.mark.parametrize(
    ("name", "between", "hidden"),
    [
        ("c.md", "c.txt", f"<!--\n{CHAPTER}-->\n"),
        ("c.md", "c.txt", "".join(f"    {line}\n" for line in CHAPTER.split("\n"))),
        ("c.mdx", "c.md", f"{{/*\n{CHAPTER}*/}}\n"),
        ("c.tex", "c.txt", "".join(f"% {line}\n" for line in CHAPTER.split("\n"))),
        ("c.tex", "c.TEX", "".join(f"% {line}\n" for line in CHAPTER.split("\n"))),
        ("c.md", "c.IPYNB", notebook("raw", PARTS).decode()),
        ("c.md", "c.rst", f"<!--\n{CHAPTER}-->\n"),
    ],
)
def test_a_round_trip_by_another_name_hides_nothing(book: Book, name: str, between: str, hidden: str) -> None:
    path = book.put(name, CHAPTER.encode())
    with book.open() as proxy:
        there = proxy.rename(path, book.root / between).committed
    if there:
        book.write(between, hidden.encode())
        with book.open() as proxy:
            proxy.rename(book.root / between, book.root / name)
    names = [p for p in (book.root / name, book.root / between) if p.exists()]
    left = {p.name: p.read_text() for p in names}
    assert CHAPTER in left.values() or left.keys() == {between}, (
        "the text is seen, or it is plain text that has not become anything else again"
    )
    if between not in left or between == "c.TEX":
        assert CHAPTER in left.values(), "and it is not back under a name by which it is out of sight"


def test_a_name_of_another_kind_is_taken_where_nothing_is_lost(book: Book) -> None:
    path = book.put("notes.txt", CHAPTER.encode())
    with book.open() as proxy:
        for name in ("notes.md", "notes.markdown", "notes.mdx"):
            result = proxy.rename(path, book.root / name)
            assert result.committed, result.verdict
            path = book.root / name
    assert path.read_bytes() == CHAPTER.encode()
    assert book.write(path.name, reword(CHAPTER.encode())).committed


def test_a_name_under_which_text_is_a_comment_is_refused(book: Book) -> None:
    path = book.put("notes.txt", f"<!--\n{CHAPTER}-->\n".encode())
    with book.open() as proxy:
        result = proxy.rename(path, book.root / "notes.md")
    assert not result.committed
    assert "out of sight" in result.verdict.findings[0].message


def test_a_name_taken_from_a_file_that_is_gone_leaves_a_record_that_can_be_read(book: Book) -> None:
    book.put("a.md", CHAPTER.encode())
    book.put("d.md", OTHER.encode())
    assert book.write("c.md", text(PARTS[:4])).committed
    os.unlink(book.root / "c.md")
    with book.open() as proxy:
        assert proxy.rename(book.root / "d.md", book.root / "c.md").committed
    result = book.write("a.md", text(PARTS[4:]))
    assert not result.committed, "what was in the old c.md stands nowhere"
    assert book.write("a.md", reword(CHAPTER.encode())).committed, "and the file can be worked on"
    assert book.write("c.md", reword(OTHER.encode())).committed


# -- what must stay possible -------------------------------------------------------------------------------------


def test_comments_alternative_texts_and_notes_are_edited_in_small_steps(book: Book) -> None:
    notes = [f"Lamp {n} is lit.[^n{n}]" for n in range(4)]
    defined = [f"[^n{n}]: The keeper of lamp {n} wrote this down." for n in range(4)]
    image, comment = "![A lamp at dusk](lamp.png)", "<!-- to do: ask the keeper of the north tower about oil -->"
    parts = [*PARTS, comment, image, *notes, *defined]
    book.put("log.md", text(parts))
    steps = [
        [p.replace("A lamp at dusk", "Eleven lamps in a row at the harbour, lit") for p in parts],
        [p.replace("to do: ask", "done: asked") for p in parts],
        [p for p in parts if p != comment],
        [*PARTS, image, *(line for pair in zip(notes, defined, strict=True) for line in pair)],
        [*PARTS, image, *notes, "## Notes", *reversed(defined)],
        [*PARTS[:5], "<!-- " + PARTS[5] + " -->", *PARTS[6:], image, *notes, "## Notes", *defined],
    ]
    for parts in steps:
        result = book.write("log.md", text(parts))
        assert result.committed, result.verdict


def test_a_page_of_mdx_is_edited(book: Book) -> None:
    head = "import {Tip} from './tip'\n\nexport const meta = {title: 'Night'}"
    page = [head, "# Night", "<Tip>\n\nMind the wick.\n\n</Tip>", *PARTS, "{/* a note for us */}", "Now {count} lamps."]
    book.put("page.mdx", text(page))
    for old, new in (("a note", "another note"), ("{count}", "{total}"), ("'Night'", "'Dusk'"), ("Mind", "Trim")):
        page = [p.replace(old, new) for p in page]
        result = book.write("page.mdx", text(page))
        assert result.committed, result.verdict


def test_a_file_that_is_mostly_hidden_is_edited(book: Book) -> None:
    parts = [*PARTS[:5], wrapped(PARTS[5:], "comment")]
    book.put("log.md", text(parts))
    assert book.write("log.md", text([*parts[:4], "One more sentence here.", *parts[4:]])).committed
    assert book.write("log.md", CHAPTER.encode()).committed, "shown again"


# -- commits -----------------------------------------------------------------------------------------------------


def judged(*files: File) -> list[bool]:
    """Which of the files of a commit pass."""
    return [one.verdict.allowed for one in judge_files(files, Limits(), Protection(("md",)))]


def test_a_commit_hides_nothing() -> None:
    old = CHAPTER.encode()
    for how in WRAPS:
        new = f"{OTHER}\n\n{wrapped(PARTS, how)}\n".encode()
        assert judged(File("a.md", "modified", old, new)) == [False], how
        away = f"Notes.\n\n{wrapped(PARTS, how)}\n".encode()
        assert judged(File("a.md", "deleted", old, None), File("z.md", "added", None, away))[0] is False, how
    assert judged(File("a.md", "deleted", old, None), File("z.md", "added", None, old)) == [True, True]
    halves = text(PARTS[:10]), text(["# Two", *PARTS[10:]])
    assert judged(File("a.md", "modified", old, halves[0]), File("z.md", "added", None, halves[1])) == [True, True]


# -- properties --------------------------------------------------------------------------------------------------

HOW = st.sampled_from(sorted(WRAPS))


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(HOW, st.integers(1, 8), st.booleans()), min_size=1, max_size=8))
def test_whatever_is_accepted_a_reader_sees_the_floor(book: Book, steps: list[tuple[str, int, bool]]) -> None:
    name = f"p{len(list(book.root.iterdir()))}.md"
    book.put(name, CHAPTER.encode())
    seen, behind = list(PARTS), [""]
    for how, count, elsewhere in steps:
        piece = wrapped(seen[-count:], how)
        if elsewhere:
            book.write(f"z-{name}", text([*behind, piece]))
            proposed, now = seen[:-count], behind
        else:
            proposed, now = seen[:-count], [*behind, piece]
        if proposed and book.write(name, text([*proposed, *now])).committed:
            seen, behind = proposed, now
    assert len(" ".join(seen).split()) >= 0.7 * len(CHAPTER.split())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.permutations(range(len(PARTS))), st.integers(1, 5))
def test_a_split_in_any_order_passes(book: Book, order: list[int], share: int) -> None:
    parts = [re.sub(r"^(\w+)", r"**\1**", PARTS[n], count=1) for n in range(len(PARTS))]
    go = sorted(order[: len(PARTS) * share // 6])
    name = f"q{len(list(book.root.iterdir()))}"
    book.put(f"{name}.md", text(parts))
    new = Proposal(book.root / f"{name}-2.md", text([f"# {name}", *(parts[n] for n in go)]))
    cut = Proposal(book.root / f"{name}.md", text([p for n, p in enumerate(parts) if n not in go]))
    with book.open() as proxy:
        results = proxy.write_set([new, cut])
    assert all(r.committed for r in results), [r.verdict for r in results]
