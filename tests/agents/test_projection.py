"""What a tool call would make of a file, before it runs: the bytes that the runtime would write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.agents import events, patch
from firewall.agents.events import Cell, Edit, ToolCall
from firewall.agents.projection import Change, encoded, projected

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=60)
PIECE = st.text(st.sampled_from("ab \n\u201c\u2019x"), min_size=1, max_size=8)


def one(call: ToolCall, data: bytes | None) -> Change:
    (change,) = projected(call, lambda _: data)
    return change


def edit(*edits: Edit) -> ToolCall:
    return ToolCall("t", "Edit", events.EDIT, path="a.md", edits=edits)


@given(TEXT)
def test_a_whole_file_is_its_utf8_bytes(text: str) -> None:
    assert one(ToolCall("t", "Write", events.WRITE, path="a.md", content=text), b"old").data == text.encode()


def test_half_a_surrogate_pair_becomes_what_the_runtime_writes() -> None:
    assert encoded("a\ud800b") == "a\ufffdb".encode()
    assert encoded("\ud83d\ude00") == "\U0001f600".encode()


@given(TEXT, TEXT.filter(bool), TEXT, TEXT)
def test_a_replacement_is_pythons_own(before: str, old: str, after: str, new: str) -> None:
    text = before + old + after
    change = one(edit(Edit(old, new)), text.encode())
    if text.count(old) == 1:
        assert change.data == text.replace(old, new).encode()
        assert change.declared == old.encode()
        assert change.from_disk
    else:
        assert change.failed
        assert change.data is None


@given(PIECE, PIECE, PIECE)
def test_everywhere_is_everywhere(text: str, old: str, new: str) -> None:
    change = one(edit(Edit(old, new, everywhere=True)), text.encode())
    if old in text:
        assert change.data == text.replace(old, new).encode()


@given(st.lists(st.tuples(PIECE, PIECE), min_size=1, max_size=4), PIECE)
def test_several_replacements_follow_one_another_or_none_is_made(pairs: list[tuple[str, str]], text: str) -> None:
    whole = "".join(old for old, _ in pairs) + text
    want: str | None = whole
    for old, new in pairs:
        want = want.replace(old, new, 1) if want is not None and want.count(old) == 1 else None
    plain = whole.isascii() and all(o.isascii() and n.isascii() for o, n in pairs)
    change = one(edit(*(Edit(old, new) for old, new in pairs)), whole.encode())
    if want is not None:
        assert change.data == want.encode()
    elif plain:
        assert change.failed


@given(st.lists(TEXT.map(lambda t: t.replace("\n", "")), min_size=2, max_size=6), TEXT.filter(bool))
def test_a_file_with_windows_line_ends_keeps_them(lines: list[str], new: str) -> None:
    data = "\r\n".join(["first anchor", *lines]).encode()
    change = one(edit(Edit("first anchor", new)), data)
    if data.decode().count("first anchor") == 1:
        assert change.data is not None
        assert change.data.decode() == "\r\n".join([new.replace("\n", "\r\n"), *lines])


def test_an_anchor_over_lines_in_a_file_with_windows_line_ends() -> None:
    change = one(edit(Edit("one\ntwo", "one\ntwo\nthree")), b"one\r\ntwo\r\nend\r\n")
    assert change.data == b"one\r\ntwo\r\nthree\r\nend\r\n"


def test_typographic_quotes_are_found_by_plain_ones() -> None:
    change = one(edit(Edit('"go"', "stay")), "He said \u201cgo\u201d.".encode())
    assert change.data == b"He said stay."


@pytest.mark.parametrize(
    ("edits", "data", "why"),
    [
        ([Edit("x", "y")], b"abc", "is not in the file"),
        ([Edit("a", "y")], b"a a", "stands in the file 2 times"),
        ([Edit("", "y")], b"abc", "is empty"),
        ([Edit("a", "b"), Edit("c", "d")], b"a", "replacement 2 of 2"),
        ([], b"a", "no replacement"),
        ([Edit("b", "c")], b"caf\xe9 b", "0xe9"),
        ([Edit("b", "c")], None, "is not in the file"),
    ],
)
def test_what_cannot_be_foreseen_says_why(edits: list[Edit], data: bytes | None, why: str) -> None:
    assert why in one(edit(*edits), data).failed


def test_an_empty_anchor_makes_a_file() -> None:
    assert one(edit(Edit("", "new")), None).data == b"new"
    assert one(edit(Edit("", "new")), b" \n").data == b"new"


def test_text_at_the_end() -> None:
    call = ToolCall("t", "append", events.APPEND, path="a.md", content="more")
    assert one(call, b"old ").data == b"old more"
    assert one(call, None).data == b"more"


def test_deletes_and_moves() -> None:
    assert one(ToolCall("t", "rm", events.DELETE, path="a.md"), b"x") == Change("a.md")
    assert one(ToolCall("t", "mv", events.MOVE, path="a.md", target="b.md"), b"x").target == "b.md"


def test_a_runtime_that_takes_the_line_end_with_the_line() -> None:
    data = b"one\ntwo\nthree two"
    assert one(edit(Edit("one", "", with_line_end=True)), data).data == b"two\nthree two"
    assert one(edit(Edit("one\n", "", with_line_end=True)), data).data == b"two\nthree two"
    assert one(edit(Edit("one", "")), data).data == b"\ntwo\nthree two"
    assert one(edit(Edit("two", "", True, with_line_end=True)), data).data == b"one\nthree two"
    assert one(edit(Edit("one", "x", with_line_end=True)), data).data == b"x\ntwo\nthree two"
    assert one(edit(Edit("one", "", with_line_end=True)), b"one\r\ntwo\r\n").data == b"two\r\n"


# -- notebooks ---------------------------------------------------------------------------------------------

CELLS = [
    {"id": "one", "cell_type": "markdown", "metadata": {}, "source": ["a\n", "b"]},
    {"id": "two", "cell_type": "code", "metadata": {}, "source": "x", "outputs": [{"x": 1}], "execution_count": 3},
]
BOOK = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": CELLS}


def notebook(cell: Cell, value: object = BOOK, end: str = "\n") -> list[dict[str, object]]:
    call = ToolCall("t", "NotebookEdit", events.NOTEBOOK, path="n.ipynb", cell=cell)
    change = one(call, (json.dumps(value) + end).encode())
    assert not change.failed, change.failed
    assert change.data is not None
    assert change.data.endswith(b"\n") is bool(end)
    cells: list[dict[str, object]] = json.loads(change.data)["cells"]
    return cells


def test_a_cell_is_replaced() -> None:
    assert notebook(Cell("one", "new"))[0]["source"] == "new"
    two = notebook(Cell("two", "y"), end="")[1]
    assert (two["source"], two["outputs"], two["execution_count"]) == ("y", [], None)
    assert notebook(Cell("cell-1", "y"))[1]["source"] == "y"
    turned = notebook(Cell("two", "y", "markdown"))[1]
    assert turned["cell_type"] == "markdown" and "outputs" not in turned


def test_a_cell_is_put_in_behind_another_or_first() -> None:
    assert [c.get("source") for c in notebook(Cell("one", "n", "markdown", "insert"))] == [["a\n", "b"], "n", "x"]
    assert notebook(Cell("", "n", "", "insert"))[0]["cell_type"] == "code"


def test_a_cell_is_taken_out() -> None:
    assert [c["id"] for c in notebook(Cell("one", "", "", "delete"))] == ["two"]


@pytest.mark.parametrize(
    "cell", [Cell("none", "x"), Cell("none", "x", "", "insert"), Cell("one", "x", "", "rub"), None]
)
def test_a_cell_that_cannot_be_changed(cell: Cell | None) -> None:
    call = ToolCall("t", "NotebookEdit", events.NOTEBOOK, path="n.ipynb", cell=cell)
    assert one(call, json.dumps(BOOK).encode()).failed


@pytest.mark.parametrize("data", [None, b"", b"[]", b'{"cells": 3}', b'{"cells": [1]}', b"\xff"])
def test_what_is_no_notebook(data: bytes | None) -> None:
    call = ToolCall("t", "NotebookEdit", events.NOTEBOOK, path="n.ipynb", cell=Cell("one", "x"))
    assert "no notebook" in one(call, data).failed


# -- patches -----------------------------------------------------------------------------------------------


def applied(text: str, files: dict[str, bytes]) -> list[Change]:
    return projected(ToolCall("t", "apply_patch", events.PATCH, patch=text), files.get)


PATCH = """*** Begin Patch
*** Update File: a.md
@@
 one
-two
+TWO
 three
*** Add File: new.md
+fresh
+lines
*** Delete File: gone.md
*** Update File: b.md
*** Move to: c.md
@@ part two
-old
+new
*** End Patch
"""


def test_a_patch_is_all_its_files() -> None:
    files = {"a.md": b"one\ntwo\nthree\n", "gone.md": b"x\n", "b.md": b"part one\nold\npart two\nold\n"}
    assert applied(PATCH, files) == [
        Change("a.md", b"one\nTWO\nthree\n", from_disk=True),
        Change("new.md", b"fresh\nlines\n"),
        Change("gone.md"),
        Change("b.md", from_disk=True),
        Change("c.md", b"part one\nold\npart two\nnew\n"),
    ]


def test_a_patch_that_only_moves() -> None:
    text = "*** Begin Patch\n*** Update File: a.md\n*** Move to: b.md\n*** End Patch"
    assert applied(text, {"a.md": b"x\n"}) == [Change("a.md", target="b.md", from_disk=True)]


@pytest.mark.parametrize(
    "text",
    [
        "", "no patch", "*** Begin Patch\n*** End Patch", "*** Begin Patch\n*** Update File: a.md\n@@\n-x\n+y\n",
        "*** Begin Patch\nnonsense\n*** End Patch", "*** Begin Patch\n*** Add File: n.md\nno plus\n*** End Patch",
        "*** Begin Patch\n*** Update File: a.md\n@@\n?x\n*** End Patch",
        "*** Begin Patch\n*** Update File: a.md\n*** End Patch",
    ],
)  # fmt: skip
def test_what_is_no_patch_is_refused(text: str) -> None:
    (change,) = applied(text, {"a.md": b"x\n"})
    assert change.failed


def test_a_patch_whose_lines_are_not_there() -> None:
    text = "*** Begin Patch\n*** Update File: a.md\n@@\n-nosuch\n+y\n*** End Patch"
    assert "not in it" in applied(text, {"a.md": b"x\n"})[0].failed
    assert "not there" in applied(text, {})[0].failed


def test_a_file_twice_in_a_patch_is_refused() -> None:
    text = "*** Begin Patch\n*** Delete File: a.md\n*** Add File: a.md\n+x\n*** End Patch"
    (change,) = applied(text, {"a.md": b"x\n"})
    assert "twice" in change.failed


def test_lines_are_sought_more_and_more_loosely() -> None:
    for old in ("a  \nb\n", "  a\n\tb\n", "a\nb\u2019s\n"):
        wanted = old.replace("  ", "").replace("\t", "").replace("\u2019", "'").splitlines()
        text = "*** Begin Patch\n*** Update File: a.md\n@@\n" + "".join(f"-{line}\n" for line in wanted)
        (change,) = applied(text + "+c\n*** End Patch", {"a.md": old.encode()})
        assert change.data == b"c\n", change


@given(
    st.lists(st.text("abc ", max_size=4), min_size=1, max_size=12),
    st.integers(0, 11),
    st.integers(1, 4),
    st.lists(st.text("xyz", min_size=1, max_size=4), max_size=3),
)
def test_a_hunk_made_from_the_file_fits_it(lines: list[str], at: int, size: int, fresh: list[str]) -> None:
    lines = [f"{i}{line}x" for i, line in enumerate(lines)]
    at = min(at, len(lines) - 1)
    old, new = lines[at : at + size], [*fresh]
    body = "".join(f"-{line}\n" for line in old) + "".join(f"+{line}\n" for line in new)
    text = f"*** Begin Patch\n*** Update File: a.md\n@@\n{body}*** End Patch"
    (change,) = applied(text, {"a.md": "\n".join(lines).encode()})
    want = [*lines[:at], *new, *lines[at + size :]]
    assert change.data == "".join(f"{line}\n" for line in want).encode()


@given(st.text(max_size=120))
def test_no_text_upsets_the_patch_reader(text: str) -> None:
    try:
        files = patch.parse(f"*** Begin Patch\n*** Update File: a.md\n{text}\n*** End Patch")
    except patch.BadPatch:
        return
    assert files
