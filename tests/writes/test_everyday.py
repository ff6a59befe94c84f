"""Ten everyday tasks, with the verdict that a sensible person wants."""

from __future__ import annotations

import random
import re

import pytest
from stet_kit import Book

from firewall.text.words import count_words
from firewall.writes import answers, disk, person
from firewall.writes.proposal import Proposal
from firewall.writes.proxy import WriteResult

_SUBJECT = "the scheduler|a replica|the write path|an operator|each shard|the planner|a stale lease|every reader".split(
    "|"
)
_VERB = "keeps|rejects|delays|records|compares|moves|measures|drains|mirrors|guards|orders|replays".split("|")
_OBJECT = "old leases|the first draft|pending edits|late acknowledgements|the backlog|a checksum|two versions".split(
    "|"
)
_TAIL = "before the window closes|when the queue is full|without asking twice|only after a quorum agrees".split("|")


def sentence(pick: random.Random) -> str:
    text = " ".join(pick.choice(words) for words in (_SUBJECT, _VERB, _OBJECT, _TAIL))
    return text[0].upper() + text[1:] + "."


def paragraph(pick: random.Random) -> str:
    return " ".join(sentence(pick) for _ in range(5))


def document(sections: int, seed: int = 1) -> str:
    """A chapter as people write them: front matter, contents, code, a table, notes, links, an image."""
    pick = random.Random(seed)
    names = [f"Part {n}: {pick.choice(_OBJECT)}" for n in range(1, sections + 1)]
    parts = [f"---\ntitle: Notes {seed}\ntags: [ops, night]\n---", f"# Notes {seed}", "## Contents"]
    parts.append("\n".join(f"- [{name}](#part-{n})" for n, name in enumerate(names, 1)))
    for n, name in enumerate(names):
        parts += [f"## {name}", *(paragraph(pick) for _ in range(5))]
        if n % 2:
            parts.append(f"```python\ndef drain_{n}(queue):\n    for job in queue:\n\n        yield job.id\n```")
        if n % 3 == 1:
            parts.append("| Stage | Limit |\n|---|---|\n| intake | 40 |\n| drain | 12 |")
        if n % 3 == 2:
            parts.append(
                f"The figure is from the drill.[^d{n}]\n\n[^d{n}]: Measured twice, on the smaller cluster {n}."
            )
        if n % 4 == 3:
            parts.append(f"![The queue](images/queue-{n}.png) and [the plan][p{n}].\n\n[p{n}]: plan-{n}.md")
    return "\n\n".join(parts) + "\n"


LONG = document(9)
SHORT = document(2, 7)


def says(result: WriteResult) -> str:
    return " ".join(f.message for f in result.verdict.findings)


def rules(result: WriteResult) -> set[str]:
    return set(result.verdict.rules)


@pytest.fixture(autouse=True)
def says_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a person is asked, there is one, who agrees."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")


def test_the_document_is_a_long_one() -> None:
    assert count_words(LONG) > 1500
    assert count_words(SHORT) < 1000


def test_1_typos(book: Book) -> None:
    for name, text in (("long.md", LONG), ("short.md", SHORT)):
        book.put(name, text.encode())
        wrong = re.sub(r"\bqueue\b", "queu", text)
        book.put(name, wrong.encode())
        assert wrong != text
        result = book.write(name, text.encode())
        assert result.committed, result.verdict
        assert result.verdict.findings == ()


def test_2_a_new_section(book: Book) -> None:
    pick = random.Random(3)
    more = "\n".join(["## Later", "", *(paragraph(pick) + "\n" for _ in range(8)), "```sh\nstet check\n```", ""])
    for name, text in (("long.md", LONG), ("short.md", SHORT)):
        book.put(name, text.encode())
        assert book.write(name, (text + "\n" + more).encode()).committed
        at = text.index("\n## Part 2")
        book.put(name, text.encode())
        assert book.write(name, (text[:at] + "\n" + more + text[at:]).encode()).committed, "in the middle as well"


def test_3_a_paragraph_rewritten(book: Book) -> None:
    for name, text in (("long.md", LONG), ("short.md", SHORT)):
        book.put(name, text.encode())
        old = next(p for p in text.split("\n\n") if len(p.split()) > 40)
        new = "Nobody knew at first why the night shift was slow. It was the lamp: whoever lit it waited for oil, and "
        new += "oil came only with the cart, and the cart had lost a wheel in March. Since then the queue has grown."
        result = book.write(name, text.replace(old, new).encode(), declared=old.encode())
        assert result.committed, result.verdict


def test_4_a_chapter_translated_to_a_new_file(book: Book) -> None:
    book.put("chapter.md", LONG.encode())
    words = {w: f"{w[::-1]}o" for w in set(re.findall(r"[a-z]{4,}", LONG))}
    translated = re.sub(r"(?<![\w(#/.-])[a-z]{4,}(?![\w/.(])", lambda m: words[m.group()], LONG)
    assert translated != LONG
    result = book.write("de/chapter.md", translated.encode())
    assert result.committed, result.verdict
    assert (book.root / "chapter.md").read_bytes() == LONG.encode()
    assert not book.write("chapter.md", translated.encode()).committed, "over the original it is a rewrite"


def test_5_a_chapter_condensed_is_held_approved_and_edited_on(book: Book) -> None:
    book.put("chapter.md", LONG.encode())
    keep = []
    for block in LONG.split("\n\n"):  # three sentences of each paragraph
        sentences = re.findall(r"[^.]+\.", block)
        keep.append("".join(sentences[:3]).strip() if len(sentences) == 5 and block[0].isupper() else block)
    short = "\n\n".join(keep)
    assert 0.5 < count_words(short) / count_words(LONG) < 0.7
    result = book.write("chapter.md", short.encode())
    assert not result.committed
    assert result.held, "a person might want this"
    assert str(count_words(LONG)) in says(result)
    assert (book.root / "chapter.md").read_bytes() == LONG.encode()
    with book.open() as proxy:
        assert answers.approve(proxy, result.held).done
    assert (book.root / "chapter.md").read_bytes() == short.encode()
    text = short
    for n in range(5):
        text = text.replace("The scheduler", f"Scheduler {n}", 1)
        assert book.write("chapter.md", text.encode()).committed, "the yes renewed what edits are measured against"


def halves() -> tuple[str, str]:
    """The chapter less its second half, and the second half with a title of its own."""
    at = LONG.index("## Part 6")
    contents = re.sub(r"- \[Part [6-9].*\n", "", LONG[:at])
    return contents.rstrip() + "\n", "# Notes, continued\n\n" + LONG[at:]


def test_6_a_chapter_split_in_two_the_new_file_first(book: Book) -> None:
    book.put("chapter.md", LONG.encode())
    first, second = halves()
    assert book.write("chapter-2.md", second.encode()).committed
    result = book.write("chapter.md", first.encode())
    assert result.committed, result.verdict
    for name, text in (("chapter.md", first), ("chapter-2.md", second)):  # and both can be worked on
        for n in range(4):
            text = text.replace("The planner", f"Planner {n}", 1)
            assert book.write(name, text.encode()).committed


def test_6_a_chapter_split_in_two_the_cut_first(book: Book) -> None:
    book.put("chapter.md", LONG.encode())
    first, second = halves()
    early = book.write("chapter.md", first.encode())
    assert not early.committed
    assert early.verdict.outcome.label == "hold", "there is nothing yet that holds the rest"
    assert (book.root / "chapter.md").read_bytes() == LONG.encode()
    assert book.write("chapter-2.md", second.encode()).committed
    again = book.write("chapter.md", first.encode())
    assert again.committed, "the same cut passes now"


def test_6_a_chapter_split_in_two_in_one_change_set(book: Book) -> None:
    book.put("chapter.md", LONG.encode())
    first, second = halves()
    cut, new = Proposal(book.root / "chapter.md", first.encode()), Proposal(book.root / "new.md", second.encode())
    for order in ([cut, new], [new, cut]):
        with book.open() as proxy:
            assert all(r.verdict.allowed for r in proxy.check_set(order))
    with book.open() as proxy:
        assert all(r.committed for r in proxy.write_set([cut, new]))


def test_6_and_merged_again(book: Book) -> None:
    book.put("chapter.md", LONG.encode())
    first, second = halves()
    assert book.write("chapter-2.md", second.encode()).committed
    assert book.write("chapter.md", first.encode()).committed
    assert book.write("chapter.md", LONG.encode()).committed
    assert book.write("chapter-2.md", None).committed, "every word of it stands in the chapter"


def test_7_a_rename(book: Book) -> None:
    path = book.put("chapter.md", LONG.encode())
    with book.open() as proxy:
        result = proxy.rename(path, book.root / "part-1" / "start.md")
    assert result.committed
    assert not path.exists()
    assert (book.root / "part-1/start.md").read_bytes() == LONG.encode()
    edited = LONG.replace("The scheduler", "A scheduler", 1).encode()
    assert book.write("part-1/start.md", edited).committed
    assert not book.write("part-1/start.md", b"# Start\n").committed, "it is guarded as before"


def formatted(text: str) -> str:
    """What a formatter does: other bullets, wrapped lines, aligned tables, underlined titles, blanks at the ends."""
    out = []
    for block in text.split("\n\n"):
        if re.match(r"# ", block):
            block = f"{block[2:]}\n{'=' * (len(block) - 2)}"
        elif re.match(r"## ", block):
            block = f"{block[3:]}\n{'-' * (len(block) - 3)}"
        elif block.startswith("- "):
            block = re.sub(r"(?m)^- ", "* ", block)
        elif block.startswith("|"):
            rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.split("\n")]
            block = "\n".join("| " + " | ".join(c if "--" in c else f"{c:<10}" for c in row) + " |" for row in rows)
        elif block[0].isupper():
            words, lines = block.split(), [""]
            for word in words:
                if len(lines[-1]) + len(word) > 70:
                    lines.append("")
                lines[-1] += (" " if lines[-1] else "") + word
            block = "\n".join(lines)
        out.append(block)
    return "\n\n".join(out)


def test_8_a_formatter_over_a_hundred_files(book: Book) -> None:
    texts = {f"docs/{n:03}.md": document(1 + n % 9, n) for n in range(100)}
    for name, text in texts.items():
        book.put(name, text.encode())
    with book.open() as proxy:
        results = proxy.write_set([Proposal(book.root / n, formatted(t).encode()) for n, t in texts.items()])
    assert [r.path for r in results if not r.committed] == [], [r.verdict for r in results if not r.verdict.allowed]
    for name, text in texts.items():
        assert (book.root / name).read_bytes() == formatted(text).encode()
        assert formatted(text) != text


def test_9_search_and_replace_in_forty_files(book: Book) -> None:
    texts = {f"docs/{n:02}.md": document(2 + n % 8, n) for n in range(40)}
    for name, text in texts.items():
        book.put(name, text.encode())
    for old, new in (("the scheduler", "the dispatcher"), ("lease", "reservation"), ("queue", "waiting line")):
        for name in texts:
            changed = re.sub(rf"(?i)(?<![/-]){old}", new, texts[name])
            result = book.write(name, changed.encode())
            assert result.committed, (name, old, result.verdict)
            texts[name] = changed


def test_10_an_obsolete_page_is_held_and_deleted_by_a_yes(book: Book) -> None:
    path = book.put("old.md", SHORT.encode())
    book.put("other.md", LONG.encode())
    result = book.write("old.md", None)
    assert not result.committed
    assert result.verdict.outcome.label == "hold"
    assert "Only a person's yes does that" in says(result)
    assert path.read_bytes() == SHORT.encode()
    assert book.write("other.md", LONG.replace("The scheduler", "A scheduler", 1).encode()).committed
    with book.open() as proxy:
        assert answers.approve(proxy, result.held).done
    assert not path.exists()
    with book.open() as proxy:
        assert proxy.ledger.load(disk.sha256(SHORT.encode())) == SHORT.encode(), "and can be put back"
