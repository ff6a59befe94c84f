"""What editors of books do in a commit and nobody should refuse; and, beside it, what looks alike and is a loss."""

from __future__ import annotations

from stet_kit import prose

from firewall.verdict import Verdict
from firewall.writes.commits import File, judge_files
from firewall.writes.limits import Limits
from firewall.writes.protection import Protection

RULES = Protection(("md", "asc", "rst"))


def verdicts(*files: tuple[str, str | None, str | None]) -> list[Verdict]:
    made = [
        File(
            path,
            "added" if old is None else "deleted" if new is None else "modified",
            None if old is None else old.encode(),
            None if new is None else new.encode(),
        )
        for path, old, new in files
    ]
    return [judged.verdict for judged in judge_files(made, Limits(), RULES)]


def verdict(old: str, new: str, path: str = "ch.md") -> Verdict:
    return verdicts((path, old, new))[0]


def section(number: int, words: int = 300) -> str:
    body = prose(words, number).split("\n", 1)[1]
    code = f"```rust\nfn step_{number}() {{\n    lamp({number});\n}}\n```\n"
    return f"## Part {number}\n{body}\n{code}\nAfter the code comes a line of part {number} that ends here.\n\n"


CHAPTER = "# Lamps\n\n" + "".join(section(n) for n in range(6))


def test_a_chapter_becomes_a_list_of_its_sections() -> None:
    pieces = [section(n) for n in range(6)]
    start = "# Lamps\n\nThis chapter has six parts.\n"
    made = verdicts(("ch.md", CHAPTER, start), *((f"ch-{n}.md", None, piece[1:]) for n, piece in enumerate(pieces)))
    assert [v.rules for v in made] == [()] * 7


def test_an_asciidoc_chapter_becomes_includes() -> None:
    def piece(number: int) -> str:
        body = prose(300, number).split("\n", 1)[1]
        return f"=== Part {number}\n{body}\n[source,shell]\n----\nlight {number}\n# a comment {number}\n----\n\n"

    pieces = [piece(n) for n in range(5)]
    includes = "".join(f"include::sections/rest-{n}.asc[]\n\n" for n in range(5))
    made = verdicts(
        ("ch.asc", "== Lamps\n\n" + "".join(pieces), f"== Lamps\n\n{includes}"),
        *((f"sections/rest-{n}.asc", None, text) for n, text in enumerate(pieces)),
    )
    assert [v.rules for v in made] == [()] * 6


def test_listings_of_asciidoc_come_and_go_without_headings() -> None:
    old = (
        "== Lamps\n\n"
        + prose(400)
        + "\n".join(f"The command number {n} is this.\n[source,shell]\n----\nlight {n}\n----\n" for n in range(8))
    )
    assert verdict(old, old.replace("----\n", "```\n"), "ch.asc").allowed
    assert verdict(old, old.replace("[source,shell]\n", "[source,console]\n"), "ch.asc").allowed
    assert verdict(old.replace("----\nlight 3\n----\n", ""), old, "ch.asc").allowed


def test_code_blocks_may_be_merged_renamed_and_taken_out_by_an_editor() -> None:
    two = CHAPTER.replace("fn step_2() {\n", "fn before_2() {}\n```\n\n```rust\nfn step_2() {\n")
    assert verdict(two, CHAPTER).allowed, "two blocks made one"
    assert verdict(CHAPTER, CHAPTER.replace("```rust\n", "```rust,ignore\n")).allowed
    block = CHAPTER[CHAPTER.index("```rust\nfn step_4") : CHAPTER.index("After the code comes a line of part 4")]
    assert verdict(CHAPTER, CHAPTER.replace(block, "")).allowed
    assert verdict(CHAPTER, CHAPTER.replace("## Part 3\n", "**Part 3**\n")).allowed


def test_a_fence_that_is_lost_is_no_edit() -> None:
    broken = CHAPTER.replace("    lamp(2);\n}\n```\n", "    lamp(2);\n}\n", 1)
    assert "truncated" in verdict(CHAPTER, broken).rules


def test_a_whole_rewrite_is_for_survival() -> None:
    other = "# Lamps\n\n" + prose(1900, 77).split("\n", 1)[1]
    assert "survival" in verdict(CHAPTER, other).rules


def test_a_cut_is_for_the_sizes_and_hides_nothing() -> None:
    rules = set(verdict(CHAPTER, CHAPTER[: len(CHAPTER) // 3] + "It ends here.\n").rules)
    assert rules
    assert not rules & {"hidden", "placeholder"}


def test_an_example_is_shortened_and_a_lazy_one_is_not() -> None:
    body = "\n".join(f"    let lamp_{n} = light({n});" for n in range(12))
    old = CHAPTER.replace("    lamp(1);\n", f"    lamp(1);\n{body}\n")
    for mark in ("    // ...snip...", "    ...", "    // [...]"):
        assert verdict(old, old.replace(body, mark)).allowed, mark
    for mark in ("    // ... (rest of the code remains the same)", "    # ... existing code unchanged ..."):
        assert verdict(old, old.replace(body, mark)).rules == ("placeholder",), mark
    assert verdict(CHAPTER, CHAPTER.replace(prose(300, 3).split("\n", 1)[1], "\n[...]\n")).rules[0] == "placeholder"


def test_an_editor_s_questions_are_no_placeholders() -> None:
    part = prose(300, 2).split("\n\n")[1]
    for remark in (
        "<!-- Should we mention oil, or leave\nit here, I think? -->",
        "<!-- Above: is that what you meant here? -->",
        "<!-- insert the story of the lamp from above -->",
    ):
        assert verdict(CHAPTER, CHAPTER.replace(part, remark)).allowed, remark


def test_a_conflict_that_was_shown_may_be_shown_in_another_way() -> None:
    shown = "    <<<<<<< HEAD\n    a\n    =======\n    b\n    >>>>>>> other\n"
    fenced = "```\n" + shown.replace("    ", "") + "```\n"
    assert verdict(CHAPTER + shown, CHAPTER + fenced).allowed
    assert "read-artifact" in verdict(CHAPTER, CHAPTER + shown.replace("    ", "")).rules
