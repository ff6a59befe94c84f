"""Passages -> units: what stands under one heading of one note, cut into blocks, in the note's own order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from firewall.context.passage import Passage
from firewall.text.markdown import Document, Node, parse
from firewall.text.words import count_words
from pipeline.compose.orders import gives_orders

GAP = 8
"""Lines of a note that may lie between the end of one passage and the start of the next, for the second
still to stand under the first one's heading: cleaning takes lines out, and blank lines are no text."""

TASKS = "tasks"
"""`info` of a list whose items all begin with a check box."""

_BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s")
_PLACE = re.compile(r"^(?P<file>.*?)(?::(?P<line>\d+))?$", re.DOTALL)
_NOTE_REF = re.compile(r"\[\^[^\]\s]+\]")
_KINDS = {"paragraph": "paragraph", "table": "table", "code_block": "code", "block_quote": "quote"}


class Block(NamedTuple):
    """A block of a note.

    `kind` is paragraph, bullets, steps, table, code or quote. `text` is its Markdown, footnote marks taken
    out. `items` are a list's items, or a table's rows as cells joined with `|`, the head first. `passage`
    is the index of its passage; `unit` and `place` say where it stands.
    """

    kind: str
    text: str
    passage: int
    unit: int
    place: int
    items: tuple[str, ...] = ()
    info: str = ""

    @property
    def words(self) -> int:
        """Words of its Markdown."""
        return count_words(self.text)


class Unit(NamedTuple):
    """What stands under one heading. `level` is 0 where the heading is not known, or there is none.

    `torn` is true where its first block goes on from something that no passage brought. `rank` is the best
    rank of its passages, 0 for what fits the section best.
    """

    number: int
    file: str
    level: int
    heading: str
    blocks: tuple[Block, ...]
    rank: int
    torn: bool = False


class Notes(NamedTuple):
    """All units of a task's passages, file by file, and the file that the section is about."""

    units: tuple[Unit, ...]
    home: str


class _Open(NamedTuple):
    file: str
    level: int
    heading: str
    ranks: list[int]
    blocks: list[Block]
    torn: bool = False


def read_notes(passages: Sequence[Passage], title: str) -> Notes:
    """The passages as units. They come best first; inside a file they are put back into its order."""
    files: dict[str, list[tuple[int, int]]] = {}
    for rank, passage in enumerate(passages):
        file, line = place_of(passage.source)
        files.setdefault(file, []).append((line, rank))
    home = _home(files, passages, title)
    units: list[Unit] = []
    for file in sorted(files, key=lambda f: (f != home, min(rank for _, rank in files[f]))):
        for found in _units_of(file, sorted(files[file]), [p.text for p in passages]):
            number = len(units)
            blocks = tuple(b._replace(unit=number, place=i) for i, b in enumerate(found.blocks))
            if blocks:
                units.append(Unit(number, file, found.level, found.heading, blocks, min(found.ranks), found.torn))
    return Notes(tuple(units), home)


def place_of(source: str) -> tuple[str, int]:
    """File and line of a passage's source, `notes/queue.md:42`; line 0 where it names none."""
    match = _PLACE.match(source)
    assert match is not None, "the pattern takes every text"
    return match["file"], int(match["line"] or 0)


def _home(files: dict[str, list[tuple[int, int]]], passages: Sequence[Passage], title: str) -> str:
    """The file that brings the most, better passages counting more, with the title's words at its head."""
    wanted = {w for w in re.findall(r"\w+", title.casefold()) if len(w) > 3}

    def worth(file: str) -> float:
        found = 0.0
        for _, rank in files[file]:
            found += 1.0 / (1 + rank / 4)
        first = passages[min(files[file])[1]].text[:400].casefold() + file.casefold()
        shared = sum(1 for word in wanted if word in first)
        return found + 2.0 * shared / max(1, len(wanted))

    return min(files, key=lambda f: (-worth(f), min(rank for _, rank in files[f])), default="")


def units_in(text: str) -> tuple[Unit, ...]:
    """The units of one stretch of a note, read alone."""
    found = [u for u in _units_of("", [(1, 0)], [text]) if u.blocks]
    return tuple(
        Unit(n, "", u.level, u.heading, tuple(b._replace(unit=n, place=i) for i, b in enumerate(u.blocks)), 0)
        for n, u in enumerate(found)
    )


def _units_of(file: str, order: list[tuple[int, int]], texts: Sequence[str]) -> list[_Open]:
    out: list[_Open] = []
    end = -1
    for line, rank in order:
        doc = parse(texts[rank])
        goes_on = bool(out) and 0 < line <= end + GAP
        if not goes_on:
            out.append(_Open(file, 0, "", [], [], torn=line > 1))
        end = line + doc.source.count("\n")
        out[-1].ranks.append(rank)
        for node in doc.blocks:
            if node.kind == "heading":
                level, heading = int(node.attrs["level"]), _heading(doc, node)
                if level >= 3 and heading.endswith("?") and out[-1].heading:  # a question under its heading
                    out[-1].blocks.append(Block("paragraph", f"**{heading}**", rank, 0, 0))
                else:
                    out.append(_Open(file, level, heading, [rank], []))
                continue
            block = _block(doc, node, rank)
            if block is None:
                continue
            last = out[-1].blocks[-1] if out[-1].blocks else None
            if last is not None and _runs_on(last, block):
                out[-1].blocks[-1] = last._replace(text=f"{last.text}\n\n{block.text}")
            else:
                out[-1].blocks.append(block)
    return out


def _runs_on(last: Block, block: Block) -> bool:
    """Is a paragraph the rest of the sentence before it, as around a formula of its own?"""
    if last.kind != "paragraph" or block.kind != "paragraph":
        return False
    formula = block.text.startswith(("$$", "\\["))
    open_end = last.text.rstrip()[-1:].isalnum() or last.text.rstrip().endswith((",", ";"))
    return formula or open_end or (block.text[:1].islower() and last.text.endswith("$$"))


def _heading(doc: Document, node: Node) -> str:
    """A heading's text on one line, its inline markup kept."""
    if not node.children:
        return ""
    return _clean(doc.source[node.children[0].start : node.children[-1].end])


def _block(doc: Document, node: Node, rank: int) -> Block | None:
    """The block that a node is, or None for what never goes into a book: HTML, rules, footnotes, orders."""
    text = doc.text(node).strip("\n").rstrip()
    if node.kind == "list":
        items = [_clean(_item(doc, item)) for item in node.children]
        kept = tuple(item for item in items if item and not gives_orders(item))
        if not kept:
            return None
        ordered = bool(node.attrs["ordered"])
        lines = [f"{n}. {item}" if ordered else f"- {item}" for n, item in enumerate(kept, 1)]
        info = TASKS if all(_BOX.match(doc.text(item)) for item in node.children) else ""
        return Block("steps" if ordered else "bullets", "\n".join(lines), rank, 0, 0, kept, info)
    kind = _KINDS.get(node.kind)
    if kind is None or not text.strip():
        return None
    if kind == "code":
        body = "".join(str(n.attrs["literal"]) for n in node.find("text"))
        if not node.attrs["fenced"] or not node.attrs["closed"] or not body.strip():
            return None
        return Block("code", text, rank, 0, 0, tuple(body.rstrip("\n").split("\n")), str(node.attrs["info"]))
    if kind == "table":
        if any(gives_orders(cell.plain()) for cell in node.find("table_cell")):
            return None
        rows = [r for r in node.walk() if r.kind in ("table_head", "table_row")]
        cells = tuple("|".join(_cell(c) for c in row.find("table_cell")) for row in rows)
        return Block("table", _clean(text, lines=True), rank, 0, 0, cells)
    text = _clean(text, lines=True)
    if gives_orders(node.plain()) or not text:
        return None
    return Block(kind, text, rank, 0, 0, (), str(node.attrs.get("callout") or ""))


def _item(doc: Document, item: Node) -> str:
    """A list item on one line, what is nested in it left out: half a nested list says something else."""
    nested = [c for c in item.children if c.kind in ("list", "code_block", "table", "block_quote")]
    end = min((c.start for c in nested), default=item.end)
    text = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?", "", doc.source[item.start : end])
    return " ".join(text.split())


def _cell(cell: Node) -> str:
    return " ".join(cell.plain().split()).replace("|", " ")


def _clean(text: str, *, lines: bool = False) -> str:
    """`text` without footnote marks, whose definitions stay behind in the note."""
    bare = _NOTE_REF.sub("", text)
    return bare.strip() if lines else " ".join(bare.split())
