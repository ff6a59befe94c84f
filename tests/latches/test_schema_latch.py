# ruff: noqa: E501 (cases stand side by side)
"""The schema latch: elements of a plan, and what must hold in any section or document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firewall.text.markdown import parse
from firewall.verdict import Finding, Outcome
from latches.blueprint import SectionPlan
from latches.checks.anchors import names, slug
from latches.checks.links import Shelf, links, resolve
from latches.elements import ELEMENTS, detect
from latches.repair import insert, place, stays
from latches.schema import MISSING, missing, verify, verify_document
from latches.shapes import SHAPES


def plan(*elements: str, words: int = 0, options: tuple[tuple[str, str, int | str], ...] = ()) -> SectionPlan:
    return SectionPlan(1, 1, 1, "Chapter", "Title", "own", elements, words, "", options)


def rules(source: str) -> list[str]:
    return [f.rule for f in verify_document(source).findings]


def only(found: list[Finding] | tuple[Finding, ...]) -> Finding:
    assert len(found) == 1, [f.message for f in found]
    return found[0]


WHOLE = {
    "deep_code": (
        "```python\n# read the whole log\nlog = open('log').read()\nprint(len(log))  # how long it is\n```\n\n"
        "| Run | Time (s) |\n|---|---|\n| cold | 12 |\n| warm | 3 |\n"
    ),
    "comparative_analysis": (
        "| | Push | Pull |\n|---|---|---|\n| delay | low | high |\n| cost | high | low |\n\n"
        "**Pros**\n\n- fast\n- small\n\n**Cons**\n\n- young\n- odd\n\n> [!NOTE]\n> Keep the old key for a day.\n"
    ),
    "post_mortem": (
        "- 14:02 the alarm rings\n- 14:05 the pager goes off\n- 14:30 the fix is out\n\n"
        "**Root cause:** the job had no limit on how many rows it read, so that one large customer was enough to "
        "fill the memory.\n\n### Safeguards\n\n- Rotate the logs every night\n- Alert at eighty percent full\n"
        "- Keep a spare volume ready\n"
    ),
    "conceptual_breakdown": (
        "```mermaid\nflowchart TD\n  A --> B\n```\n\n**Breaker**: a guard that stops calls to a service after failures.\n\n"
        "### Can I stop it?\n\nYes, at any time you like.\n\n### Does it cost?\n\nNo, it costs nothing at all.\n"
    ),
}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_a_whole_section_of_each_shape_passes(shape: object) -> None:
    assert isinstance(shape, type(SHAPES[0]))
    verdict = verify(WHOLE[shape.name], plan(*shape.elements))
    assert verdict.allowed, [f.message for f in verdict.findings]
    assert {f"element:{name}" for name in shape.elements} <= set(verdict.checks)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
@pytest.mark.parametrize("other", SHAPES, ids=lambda s: s.name)
def test_a_section_of_one_shape_is_not_one_of_another(shape: object, other: object) -> None:
    assert isinstance(shape, type(SHAPES[0])) and isinstance(other, type(SHAPES[0]))
    verdict = verify(WHOLE[shape.name], plan(*other.elements))
    assert verdict.allowed is (shape is other)


@pytest.mark.parametrize("name", ELEMENTS)
def test_a_violation_names_the_element_the_place_and_the_smallest_cure(name: str) -> None:
    verdict = verify("Only some words.\n", plan(name))
    finding = only(verdict.findings)
    assert finding.rule == MISSING
    assert finding.outcome == Outcome.HOLD
    assert finding.message.startswith(f"{name} is missing. Looked at: ")
    assert str(finding.evidence["needs"]) in finding.message
    assert missing(verdict) == ((name, finding.message),)


def test_the_finding_points_at_the_near_miss() -> None:
    source = "Words.\n\n| a | ms |\n|---|---|\n| x | 3 |\n"
    finding = only(verify(source, plan("performance_table")).findings)
    assert finding.evidence["line"] == 3
    assert source[finding.start :].startswith("| a | ms")


def test_parameters_of_the_plan_are_asked_for() -> None:
    source = WHOLE["post_mortem"]
    assert verify(source, plan("timeline_steps", options=(("timeline_steps", "items", 3),))).allowed
    found = verify(source, plan("timeline_steps", options=(("timeline_steps", "items", 4),)))
    assert "4 are needed" in only(found.findings).message


def test_an_element_that_does_not_exist_blocks() -> None:
    verdict = verify("Words.\n", plan("faq_blok"))
    assert verdict.outcome == Outcome.BLOCK


def test_nothing_is_asked_for_by_adding_when_something_else_is_wrong() -> None:
    verdict = verify("```python\nx = 1\n", plan("faq_block"))
    assert not verdict.allowed
    assert missing(verdict) == ()


class TestLength:
    def text(self, count: int) -> str:
        return "## Title\n\n" + "word " * count

    @pytest.mark.parametrize(
        ("count", "outcome"),
        [(49, Outcome.HOLD), (50, Outcome.ALLOW), (100, Outcome.ALLOW), (200, Outcome.ALLOW), (201, Outcome.HOLD)],
    )
    def test_half_to_twice_the_target_passes(self, count: int, outcome: Outcome) -> None:
        verdict = verify(self.text(count), plan(words=100))
        assert verdict.outcome == outcome

    def test_the_number_that_would_pass_is_said(self) -> None:
        finding = only(verify(self.text(20), plan(words=100)).findings)
        assert "20 words; the plan asks for 100, and 50 to 200 pass. Write 30 words more." in finding.message

    def test_near_the_target_nothing_is_said(self) -> None:
        assert verify(self.text(110), plan(words=100)).findings == ()

    def test_a_chinese_section_is_as_long_as_it_is(self) -> None:
        assert verify("我" * 100, plan(words=100)).findings == ()


class TestHeadings:
    @pytest.mark.parametrize(
        "source",
        [
            "# T\n\n## A\n\n### B\n\n## C\n",
            "no headings\n",
            "## A\n\n### B\n\n## C\n",
            "---\ntitle: T\n---\n\n## A\n",
            "T\n===\n\nA\n---\n",
            "# T\n\n```\n# not a heading\n```\n",
            "# ![logo of it](x.png)\n",
            "#tag and ##2 of `##x`\n\n```\n##x\n```\n\n$$\n##x\n$$\n",
        ],
    )
    def test_good_documents(self, source: str) -> None:
        assert "headings" not in rules(source)

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ("# T\n\n# U\n", "second H1 after line 1"),
            ("## A\n\n# T\n", "before the H1"),
            ("# T\n\n### B\n", "H3 right under H1"),
            ("# T\n\n## \n\nx\n", "empty"),
            ("T\n===\n\nU\n===\n", "second H1"),
            ("# T\n\n##A\n\nWords.\n", "Line 3 shows as text"),
            ("# T\n\nWords.\n###B of it\n", "Line 4 shows as text"),
        ],
    )
    def test_bad_documents(self, source: str, words: str) -> None:
        found = [f for f in verify_document(source).findings if f.rule == "headings"]
        assert any(words in f.message for f in found), [f.message for f in found]

    @pytest.mark.parametrize(
        "source", ["### A\n\n#### B\n", "## Title\n\n### A\n", "words\n\n### A\n", "# Title\n\n## A\n"]
    )
    def test_good_sections(self, source: str) -> None:
        assert verify(source, plan()).allowed

    @pytest.mark.parametrize(
        "source", ["## Title\n\n## Other\n", "words\n\n# A\n", "words\n\n## A\n", "#### A\n", "## T\n\n#### B\n"]
    )
    def test_bad_sections(self, source: str) -> None:
        assert [f.rule for f in verify(source, plan()).findings] == ["headings"]


class TestAnchors:
    @pytest.mark.parametrize(
        ("heading", "anchor"),
        [
            ("What is it?", "what-is-it"),
            ("A & B", "a--b"),
            ("`code` here", "code-here"),
            ("snake_case - dash", "snake_case---dash"),
            ("日本 é", "日本-é"),
        ],
    )
    def test_slugs_are_github_s(self, heading: str, anchor: str) -> None:
        assert slug(next(parse(f"## {heading}\n").find("heading")).plain()) == anchor

    def test_repeated_headings_get_numbers_and_a_finding(self) -> None:
        source = "# T\n\n## A\n\n## A\n\n## A\n"
        assert {"a", "a-1", "a-2"} <= names(parse(source))
        assert rules(source) == ["anchors", "anchors"]
        assert names(parse("# A\n\n## A 1\n\n## A\n")) == {"a", "a-1", "a-2"}

    def test_headings_under_different_headings_may_have_the_same_words(self) -> None:
        log = "# Changes\n\n## 2.0\n\n### Added\n\nA.\n\n### Fixed\n\nB.\n\n## 1.0\n\n### Added\n\nC.\n"
        assert rules(log) == []
        assert rules(log + "\n### Added\n\nD.\n") == ["anchors"]
        assert rules(log + '\n<a id="added"></a>\n') == ["anchors"]

    def test_explicit_names_count(self) -> None:
        source = '# T\n\n## A {#one}\n\n<a id="two"></a>\n\n<div name=three>\n</div>\n'
        assert {"one", "two", "three"} <= names(parse(source))
        assert rules(source) == []
        assert rules('# T\n\n## A {#x}\n\n<a id="x"></a>\n') == ["anchors"]


class TestLinks:
    shelf = Shelf(
        "part/a.md",
        {"part/b.md": frozenset({"there"}), "top.md": frozenset()},
        frozenset({"part/b.md", "top.md", "img/x y.png"}),
    )

    @pytest.mark.parametrize(
        "link",
        [
            "[x](b.md)", "[x](b.md#there)", "[x](./b.md)", "[x](../top.md)", "[x](/top.md)", "[x](../img/)",
            "![x](../img/x%20y.png)", "![x](<../img/x y.png>)", "[x](https://a.b/c#d)", "[x](mailto:a@b.c)", "[x](//a.b/c)",
            "<https://a.b/c>", "[x](#here)", "[x](#top)", "[x](#)", "[x][r]\n\n[r]: b.md", "`[x](gone.md)`", "[x](b.md?v=1#there)",
            "[x](./)", "[x](b)", "[x](b.html#there)", "[x](../top/)", "[x](@site/c.md)", 'write "[a][b]" or ‘[c][]’',
            "[x](b.md#L10)", "[x](#user-content-here)",
        ],
    )  # fmt: skip
    def test_good(self, link: str) -> None:
        assert links(parse(f"# Here\n\n{link}\n"), self.shelf) == []

    @pytest.mark.parametrize(
        ("link", "words"),
        [
            ("[x](c.md)", "no file of the book"), ("[x](b.md#ther)", "Did you mean 'there'?"), ("[x](#her)", "Did you mean 'here'?"),
            ("[x](../../out.md)", "out of the book"), ("![x](x.png)", "no file of the book"), ("[x]()", "leads nowhere"),
            ("[x][nope]", "has no definition"), ("A note.[^n]", "has no definition"), ("[x](#Here)", "no heading here"),
            ("![x](../img/)", "no file of the book"), ("[x](c.html)", "no file of the book"), ("[x](b.html#ther)", "'there'?"),
            ("![x](b.html)", "no file of the book"),
        ],
    )  # fmt: skip
    def test_bad(self, link: str, words: str) -> None:
        finding = only(links(parse(f"# Here\n\n{link}\n"), self.shelf))
        assert words in finding.message
        assert finding.evidence["line"] == 3

    def test_without_a_shelf_other_files_are_not_looked_at(self) -> None:
        assert links(parse("[x](gone.md) [y](#gone)\n")) != []
        assert links(parse("[x](gone.md)\n")) == []

    @pytest.mark.parametrize(
        "text",
        ["a[0][1] is a cell", "items[i][j]", "f(x)[a][b]", "Match [a-z][0-9] or [\\\\w.-][^/].", "Use [^abc] or [^-]."],
    )
    def test_indexes_and_patterns_in_prose_are_no_references(self, text: str) -> None:
        assert links(parse(text)) == []

    @pytest.mark.parametrize(
        ("document", "target", "path"),
        [
            ("a.md", "b.md", "b.md"),
            ("p/a.md", "../b.md", "b.md"),
            ("p/a.md", "/b.md", "b.md"),
            ("a.md", "../b.md", None),
            ("p/q/a.md", "./../r/./b.md", "p/r/b.md"),
        ],
    )
    def test_paths(self, document: str, target: str, path: str | None) -> None:
        assert resolve(document, target) == path


class TestCode:
    @pytest.mark.parametrize(
        ("language", "code"),
        [
            ("python", "x = 1\nprint(x)"), ("py", "def f():\n    ..."), ("python", "    return 1"), ("python", "await x"),
            ("python", ">>> 1 + 1\n2\n>>> for i in x:\n...     i\nwhatever (\n"), ("python", "s = '\\d'"),
            ("json", '{"a": [1, 2.5, null]}'), ("json", "3"), ("jsonc", '{"a": 1, // x\n}'), ("json5", "{a: 1}"),
            ("toml", 'a = 1\n[b]\nc = "d"'), ("yaml", "a: 1\nb:\n  - c"), ("yml", "---\na: 1\n---\nb: 2"),
            ("sh", "set -e\nif [ -f x ]; then\n  cat x\nfi"), ("bash", "for i in 1 2; do echo \"$i\"; done"),
            ("bash", "cat <<'EOF' > f\nhi $x\nEOF"), ("sh", "$ ls -l"), ("bash", "a=$(ls | wc -l) && echo ${a:-0}"),
            ("bash", "coproc X { ls; }"), ("yaml", "a: &x 1\nb: *x"), ("mermaid", "mindmap\n  root"), ("mermaid", "graph LR; A-->B"),
            ("mermaid", "flowchart LR\nA@{ shape: rect } --> B"), ("mermaid", "flowchart LR\nA -->\nB"), ("mermaid", 'pie\n"a" : 1'),
            ("text", "if (("), ("rust", "fn ("), ("", "if (("), ("console", "$ ls\nif (("),
        ],
    )  # fmt: skip
    def test_what_parses(self, language: str, code: str) -> None:
        assert "code" not in rules(f"```{language}\n{code}\n```\n")

    @pytest.mark.parametrize(
        ("language", "code", "line"),
        [
            ("python", "x = 1\nif x\n    y", 3), ("python", "print 'x'", 2), ("pycon", ">>> f(\n", 2), ("python", "x = '", 2),
            ("json", '{"a": 1,}', 2), ("json", "{'a': 1}", 2), ("json", '{"a": NaN}', 2), ("json", '{"a": 1} // x', 2), ("json", "", 2),
            ("toml", "a = 1\nb =", 3), ("toml", "[a\nb = 1", 2), ("yaml", "a: 1\n b: 2", 3), ("yaml", "a: [1, 2", 2), ("yaml", "a:\n\t- b", 3),
            ("sh", "if true; then\n  ls", 3), ("bash", "echo 'x", 2), ("bash", "ls | | wc", 2), ("sh", "done", 2), ("sh", "ls\nfi", 3),
            ("bash", "cat <<EOF\nhi", 3), ("sh", "case $1 in\n a) echo;;", 2), ("bash", "echo )", 2),
            ("bash", "coproc X { ls; }\n}", 3), ("yaml", "a: *x", 2), ("yaml", "a: &x 1\n---\nb: *x", 4), ("mermaid", "graph TD\nA[x-->B", 3),
            ("mermaid", "flow\nA-->B", 2), ("mermaid", "graph TD\nA[x (y)]-->B", 3), ("mermaid", "sequenceDiagram\nA->>B", 3),
            ("mermaid", "flowchart TD\nA &B --> C", 3),
        ],
    )  # fmt: skip
    def test_what_does_not(self, language: str, code: str, line: int) -> None:
        finding = only([f for f in verify_document(f"```{language}\n{code}\n```\n").findings if f.rule == "code"])
        assert finding.outcome == Outcome.HOLD
        evidence = finding.evidence["line"]
        assert isinstance(evidence, int)
        assert evidence == line, finding.message

    @pytest.mark.parametrize("language", ["python", "json", "toml", "yaml", "sh"])
    @pytest.mark.parametrize(
        "code", ["[" * 5_000, "(" * 5_000, "{" * 5_000, "\x00", "a" * 100_000, "&a [*a]", '"' * 3001]
    )
    def test_nothing_breaks_a_reader(self, language: str, code: str) -> None:
        verify_document(f"```{language}\n{code}\n```\n")

    @given(
        st.text("ab:=-[]{}()'\"#\n\t $|&;<>\\`~*1", max_size=60),
        st.sampled_from(["python", "json", "toml", "yaml", "sh"]),
    )
    @settings(max_examples=200, deadline=None)
    def test_any_code_is_judged(self, code: str, language: str) -> None:
        verify_document(f"````{language}\n{code}\n````\n")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("A.\n\n$$\nx\n", 3), ("$$\nx\n\nB.\n", 1), ("$$\nx\n$$\n\n$$\ny\n", 5), ("$$\nx\n$$\n", 0), ("$$\nx\n\ny\n$$\n", 0),
        ("It costs $$ and `$$`.\n", 0), ("```\n$$\n```\n", 0), ("> $$\n> x\n> $$\n", 0),
        ("$$\na\n\nb\n$$\n\n```tex\n$$\n```\n", 0), ("A.\n\n$$\nx\n\n```tex\n$$\n```\n", 3), ("$$\na\n\nb\n$$\n\nC.\n\n$$\nd\n", 9),
    ],
)  # fmt: skip
def test_a_formula_that_nothing_closes_shows_as_text(source: str, line: int) -> None:
    found = [f for f in verify_document(source).findings if f.rule == "unclosed-math"]
    assert [f.evidence["line"] for f in found] == ([line] if line else [])


class TestReportedBugs:
    """Reports that concern fences and tables, with inputs of our own."""

    def test_1_text_after_an_unterminated_fence_is_not_silently_lost(self) -> None:
        source = "# T\nintro\n\n```python\nx=1\n\n## Important\ntext"
        finding = verify_document(source).findings[0]
        assert finding.rule == "unclosed-fence"
        assert finding.outcome == Outcome.BLOCK
        assert "Unclosed fence at line 4" in finding.message
        assert source[finding.start :] == "```python\nx=1\n\n## Important\ntext"

    def test_2_only_a_fence_of_the_same_character_closes(self) -> None:
        assert rules("~~~py\nx") == ["unclosed-fence"]
        assert rules("~~~\n```\n~~~") == []

    def test_4_a_fence_in_a_docstring_closes_the_block_as_commonmark_says(self) -> None:
        source = '```python\ndef f():\n    """\n```\n    """\n    return 1\n```\n'
        found = verify_document(source).findings
        assert "unclosed-fence" in [f.rule for f in found]
        assert any(f.evidence.get("line") == 7 for f in found)

    def test_5_an_odd_number_of_fences_is_an_open_one(self) -> None:
        block = "```text\nx\n```\n\n"
        assert rules(block * 5) == []
        assert rules(block * 5 + "```text\nx\n") == ["unclosed-fence"]

    def test_16_an_unclosed_fence_at_the_end_trips_and_is_not_repaired(self) -> None:
        verdict = verify("```python\na = 1\nb = 2\nc = 3\n", plan("fenced_code_block"))
        assert verdict.outcome == Outcome.BLOCK
        assert missing(verdict) == ()

    def test_17_a_code_span_with_a_pipe_loses_a_cell(self) -> None:
        lost = "| a | b |\n|---|---|\n| `x | y` | 2 |\n"
        finding = only(verify_document(lost).findings)
        assert finding.rule == "lost-cells"
        assert "3 raw cells for 2 columns" in finding.message
        assert rules(lost.replace("x | y", "x \\| y")) == []

    @pytest.mark.parametrize("diagram", ["flowchart TD\n  A{is (it)} --> B", "flowchart TD\n  A --|Yes|--> B"])
    def test_19_what_mermaid_rejects_is_rejected(self, diagram: str) -> None:
        assert not detect("mermaid_diagram", parse(f"```mermaid\n{diagram}\n```\n")).found

    def test_31_indented_code_is_no_link(self) -> None:
        assert rules('Text.\n\n    myObj.getFiles("test")[0]\n') == []


class TestRepair:
    @pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
    @pytest.mark.parametrize("index", [0, 1, 2])
    def test_a_missing_element_goes_where_the_shape_has_it(self, shape: object, index: int) -> None:
        assert isinstance(shape, type(SHAPES[0]))
        name = shape.elements[index]
        given_plan = plan(*shape.elements)
        parts = {n: ELEMENTS[n].passes[0] for n in shape.elements}
        source = (
            "Some words first.\n\n" + "\n".join(parts[n] for n in shape.elements if n != name) + "\nAnd last words.\n"
        )
        assert (name in dict(missing(verify(source, given_plan)))) or verify(source, given_plan).allowed
        at = place(parse(source), given_plan, name)
        done = insert(source, at, parts[name])
        assert stays(source, done)
        assert done.text[: done.start] + done.text[done.end :] == source
        order = [detect(n, parse(done.text)).found[0][0] for n in shape.elements]
        assert order == sorted(order)

    def test_line_ends_of_the_source_are_kept(self) -> None:
        source = "One.\r\n\r\nTwo.\r\n"
        done = insert(source, len(source), "a\nb")
        assert "\n" not in done.text.replace("\r\n", "")

    def test_an_insertion_that_swallows_what_follows_is_noticed(self) -> None:
        source = "One.\n\nTwo.\n"
        at = source.index("\nTwo")
        assert stays(source, insert(source, at, "- a\n- b"))
        assert not stays(source, insert(source, at, "```python\nx = 1"))
        assert not stays(source, insert(source, at, "<!-- open"))

    @given(st.sampled_from(sorted(WHOLE)), st.text("ab*#`-> \n|", max_size=40), st.data())
    @settings(max_examples=150, deadline=None)
    def test_no_byte_outside_the_insertion_changes(self, shape: str, addition: str, data: st.DataObject) -> None:
        source = WHOLE[shape]
        ends = [0, *(block.end for block in parse(source).blocks)]
        at = data.draw(st.sampled_from(ends))
        done = insert(source, at, addition)
        assert done.text[: done.start] + done.text[done.end :] == source


@pytest.mark.parametrize(
    "source",
    [
        ">" * 3_000 + " a", "# a\n\n" * 4_000, "**Root cause:** x\n\n" * 4_000, "[a](#b) " * 4_000, "[a][b] " * 4_000,
        "| a | b |\n|---|---|\n" + "| c `x|y` | d |\n" * 4_000, "### a?\n\nb c d e f\n\n" * 2_000, "- 14:02 a b\n" * 4_000,
        "![" * 30_000, "*a _b " * 10_000, '<a id="x">\n' * 4_000, "```py\nx = 1\n```\n\n" * 1_000,
        "".join("  " * n + "- a\n" for n in range(400)), "```mermaid\nflowchart TD\n" + "A --> B\n" * 4_000 + "```\n",
    ],
    ids=range(14),
)  # fmt: skip
def test_no_repetition_makes_a_check_slow(source: str) -> None:
    """A quadratic step would take minutes here, and the suite would say so."""
    from firewall.policy.style import Style
    from latches.rhythm import rhythm

    doc = parse(source)
    verify_document(source)
    rhythm(doc, Style())
    for name in ELEMENTS:
        detect(name, doc)
