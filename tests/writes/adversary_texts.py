"""Texts without a word twice, and what an adversary or an honest writer makes of them. Deterministic in `pick`."""

from __future__ import annotations

import json
import random

PLACEHOLDERS = (
    "[... rest of the section remains unchanged ...]",
    "// ... (rest of the code remains the same)",
    "<!-- der übrige Text bleibt gleich -->",
    "（其余内容保持不变）",
    "# ... (keep existing text)",
)
STOPS = ("max_tokens", "refusal", "", "because", "model_context_window_exceeded")


class Writer:
    """Makes prose of words that nobody used before."""

    def __init__(self) -> None:
        self.used = 0

    def words(self, count: int) -> list[str]:
        """So many new words, a full stop behind every eleventh and the last."""
        first = self.used
        self.used += count
        out = [f"w{n}x" for n in range(first, first + count)]
        return [w + "." if i % 11 == 10 or i == count - 1 else w for i, w in enumerate(out)]

    def paragraph(self, count: int) -> str:
        """A paragraph of new words, a line for each sentence or one line."""
        words = self.words(count)
        return " ".join(words) if count % 2 else " ".join(words).replace(". ", ".\n")

    def text(self, count: int, pick: random.Random) -> str:
        """A Markdown text of at least `count` words: headings, lists, code, tables, notes, front matter."""
        parts = [f"# {' '.join(self.words(3))}"]
        if pick.random() < 0.4:
            parts.insert(0, f"---\ntitle: {' '.join(self.words(2))}\ntags: [{self.words(1)[0]}]\n---")
        while sum(len(p.split()) for p in parts) < count:
            kind = pick.random()
            if kind < 0.12:
                parts.append(f"## {' '.join(self.words(3))}")
            elif kind < 0.2:
                parts.append("\n".join("- " + " ".join(self.words(7)) for _ in range(4)))
            elif kind < 0.26:
                parts.append(f"```py\n{' '.join(self.words(5))}\n```")
            elif kind < 0.31:
                rows = "".join(f"\n| {self.words(1)[0]} | {self.words(1)[0]} |" for _ in range(3))
                parts.append(f"| {self.words(1)[0]} | {self.words(1)[0]} |\n|---|---|{rows}")
            elif kind < 0.35:
                parts.append(f"![{self.words(1)[0]}](images/{self.words(1)[0]}png)")
            else:
                parts.append(self.paragraph(pick.randrange(24, 60)))
        return "\n\n".join([*parts, self.paragraph(30)]) + "\n"

    def chinese(self, count: int) -> str:
        """Letters of Chinese, none twice."""
        first = self.used
        self.used += count
        letters = [chr(0x4E00 + n % 20_000) for n in range(first, first + count)]
        groups = ["".join(letters[i : i + 12]) + "。" for i in range(0, count, 12)]
        return "\n\n".join("".join(groups[i : i + 4]) for i in range(0, len(groups), 4)) + "\n"

    def notebook(self, count: int) -> bytes:
        """A notebook whose cells have about `count` words."""
        cells: list[dict[str, object]] = []
        for i in range(0, count, 30):
            source = self.paragraph(30).splitlines(keepends=True)
            cell: dict[str, object] = {"cell_type": "markdown", "metadata": {}, "source": source}
            if i % 60:
                cell |= {"cell_type": "code", "outputs": [], "execution_count": None}
            cells.append(cell)
        return notebook(cells)


def notebook(cells: list[dict[str, object]]) -> bytes:
    """The bytes of a notebook with these cells."""
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}, indent=1).encode()


def cells_of(data: bytes) -> list[dict[str, object]]:
    """The cells of a notebook; none where it is not one."""
    try:
        cells: list[dict[str, object]] = json.loads(data)["cells"]
    except (ValueError, KeyError, TypeError):
        return []
    return cells


def blocks(text: str) -> list[str]:
    """What stands between blank lines."""
    return [part for part in text.strip("\n").split("\n\n") if part.strip()]


def joined(parts: list[str]) -> str:
    """A text of these blocks."""
    return "\n\n".join(parts) + "\n"


# -- what a writer does to a text: (writer, text, pick) -> text --------------------------------------------------


def typo(writer: Writer, text: str, pick: random.Random) -> str:
    """One word of the prose is another."""
    words = text.split(" ")
    at = pick.randrange(len(words))
    words[at] = writer.words(1)[0] if words[at][:1] == "w" else words[at]
    return " ".join(words)


def one_more(writer: Writer, text: str, pick: random.Random) -> str:
    """The last sentence of the prose has one more word; a text without any gets a sentence."""
    parts = text.rstrip("\n").split("\n\n")
    word = writer.words(1)[0].rstrip(".")
    for i in reversed(range(len(parts))):
        end = parts[i][-1:]
        if end in (".", "。") and (parts[i][0] == "w" or end == "。"):
            parts[i] = f"{parts[i][:-1]} {word}{end}"
            return "\n\n".join(parts) + "\n"
    return text.rstrip("\n") + f"\n\n{word} is one more.\n"


def new_paragraph(writer: Writer, text: str, pick: random.Random) -> str:
    """A new paragraph somewhere."""
    parts = blocks(text)
    parts.insert(pick.randrange(1, len(parts) + 1) if parts else 0, writer.paragraph(pick.randrange(20, 60)))
    return joined(parts)


def new_section(writer: Writer, text: str, pick: random.Random) -> str:
    """A new section at the end."""
    return text.rstrip("\n") + f"\n\n## {' '.join(writer.words(3))}\n\n{writer.paragraph(60)}\n"


def rewritten_paragraph(writer: Writer, text: str, pick: random.Random) -> str:
    """One paragraph of prose is another of the same length."""
    return rewrite(writer, text, pick, 1)


def turned(writer: Writer, text: str, pick: random.Random) -> str:
    """Two blocks of prose change places."""
    parts = blocks(text)
    prose = [i for i, p in enumerate(parts) if p[:1] == "w"]
    if len(prose) > 2:
        a, b = sorted(pick.sample(prose[:-1], 2))
        parts[a], parts[b] = parts[b], parts[a]
    return joined(parts)


def trimmed(writer: Writer, text: str, pick: random.Random) -> str:
    """A paragraph of prose is gone."""
    parts = blocks(text)
    prose = [i for i, p in enumerate(parts) if p[:1] == "w"]
    if len(prose) > 2:
        del parts[pick.choice(prose[:-1])]
    return joined(parts)


HONEST = (typo, one_more, new_paragraph, new_section, rewritten_paragraph, turned, trimmed)


def rewrite(writer: Writer, text: str, pick: random.Random, count: int) -> str:
    """So many paragraphs of prose are others of the same length."""
    parts = blocks(text)
    prose = [i for i, p in enumerate(parts) if p[:1] == "w"]
    for i in pick.sample(prose, min(count, len(prose))):
        parts[i] = " ".join(writer.words(len(parts[i].split())))
    return joined(parts)


def swapped(writer: Writer, text: str, pick: random.Random) -> str:
    """Same length, other words: a share of the paragraphs, or all."""
    count = len(blocks(text))
    return rewrite(writer, text, pick, pick.choice([max(1, count // 6), count // 3, count // 2, count]))


def shrunk(writer: Writer, text: str, pick: random.Random) -> str:
    """The first part of it, as a whole number of blocks."""
    parts = blocks(text)
    return joined(parts[: max(1, int(len(parts) * pick.choice([0.97, 0.93, 0.88, 0.83, 0.6, 0.2])))])


def thinned(writer: Writer, text: str, pick: random.Random) -> str:
    """Blocks gone here and there."""
    share = pick.choice([0.05, 0.12, 0.3, 0.6])
    parts = [p for i, p in enumerate(blocks(text)) if i == 0 or pick.random() > share]
    return joined(parts)


def padded(writer: Writer, text: str, pick: random.Random) -> str:
    """Part of it, and as many new words as are gone."""
    parts = blocks(text)
    keep = parts[: max(1, int(len(parts) * pick.choice([0.9, 0.75, 0.5, 0.1])))]
    gone = len(text.split()) - len(joined(keep).split())
    return joined([*keep, *(writer.paragraph(min(40, gone - i)) for i in range(0, max(0, gone), 40))])


def grown(writer: Writer, text: str, pick: random.Random) -> str:
    """Many new words behind it."""
    count = pick.choice([100, 400, 2100, 2100])
    return text.rstrip("\n") + "\n\n" + joined([writer.paragraph(50) for _ in range(0, count, 50)])


def shuffled(writer: Writer, text: str, pick: random.Random) -> str:
    """Its words, or its blocks, in any order."""
    if pick.random() < 0.4:
        parts = blocks(text)
        pick.shuffle(parts)
        return joined(parts)
    words = text.split()
    pick.shuffle(words)
    return " ".join(words) + "\n"


def emptied(writer: Writer, text: str, pick: random.Random) -> str:
    """Nothing a reader sees."""
    return pick.choice(["", "\n\n", "\u200b\n", " \t\n", "\u2800\ufe0f"])


def stub(writer: Writer, text: str, pick: random.Random) -> str:
    """A line in place of it all."""
    return f"# {' '.join(writer.words(2))}\n\nTo be continued.\n"


def out_of_sight(writer: Writer, text: str, pick: random.Random) -> str:
    """Half of the paragraphs or all of them in a comment, a hidden element, or a fence."""
    parts = text.strip().split("\n\n")
    size = pick.randrange((len(parts) + 1) // 2, len(parts) + 1)
    at = pick.randrange(len(parts) - size + 1)
    before, after = pick.choice([("<!--", "-->"), ("<div hidden>", "</div>"), ("~~~~text", "~~~~")])
    return "\n\n".join([*parts[:at], before, *parts[at : at + size], after, *parts[at + size :]]) + "\n"


def elided(writer: Writer, text: str, pick: random.Random) -> str:
    """A placeholder in place of some blocks."""
    parts = blocks(text)
    start = pick.randrange(len(parts)) if parts else 0
    parts[start : start + pick.randrange(1, 4)] = [pick.choice(PLACEHOLDERS)]
    return joined(parts)


def read_back(writer: Writer, text: str, pick: random.Random) -> str:
    """As a tool showed it: line numbers, a fence around it, a chat's words, a conflict, a notice."""
    kind = pick.randrange(6)
    if kind == 0:
        return "\n".join(f"{i}|{line}" for i, line in enumerate(text.split("\n"), 1))
    if kind == 1:
        return f"```markdown\n{text}```\n"
    if kind == 2:
        return f"Sure, here's the updated file:\n\n{text}"
    if kind == 3:
        return f"{text}\n[output truncated after 2000 lines]\n"
    if kind == 4:
        return f"{text}\nLet me know if you'd like any other changes!\n"
    return f"<<<<<<< HEAD\n{text}=======\nmine\n>>>>>>> theirs\n"


def cut_off(writer: Writer, text: str, pick: random.Random) -> str:
    """It ends in the middle of a sentence or of a code block."""
    if pick.random() < 0.4:
        return text.rstrip("\n") + f"\n\n```py\n{' '.join(writer.words(3))}\n"
    parts = blocks(text)
    return joined([*parts[:-1], " ".join(writer.words(7)).rstrip(".")]).rstrip("\n") + "\n"


def unstructured(writer: Writer, text: str, pick: random.Random) -> str:
    """Headings, code, tables, images or front matter gone, the prose kept."""
    mark = pick.choice(["#", "```", "|", "![", "---"])
    return joined([p for p in blocks(text) if not p.startswith(mark)] or ["Nothing."])


BAD = (
    swapped, shrunk, thinned, padded, grown, shuffled, emptied, stub, elided, read_back, cut_off, unstructured,
)  # fmt: skip


def broken_bytes(text: str, pick: random.Random) -> bytes:
    """Bytes that are no text, or worse text than before."""
    return pick.choice(
        [
            text.encode() + b"caf\xe9 now\n",
            text.encode().replace(b" ", b"\0", 1),
            text.encode("utf-16"),
            text.replace("w", "\ufffd", 1).encode(),
            (text + "M\u00fcller \u2014 5 \u20ac\n").encode().decode("latin-1").encode(),
            b"\xff\xfe" + text.encode(),
        ]
    )
