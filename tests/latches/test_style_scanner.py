# ruff: noqa: E501 (cases stand side by side)
"""The style scanner: what is a use of a word in prose, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from firewall.policy.style import Apart, Style
from firewall.text.markdown import parse, prose_blocks
from latches.style import Scanner, StyleHit, scan
from latches.style.hit import Use
from latches.style.inflections import forms
from latches.style.judge import judged, rules_by_term
from latches.style.silence import Cover, Silence
from latches.style.terms import fold, lower
from latches.style.usage import is_use
from latches.style.written import written

STYLE = Style(
    quotes=True,
    ceilings={"telemetry": 1, "state": 0, "lead": 0},
    banned=["utilize", "in order to", "very unique", "delve", "cutting-edge", "game changer"],
    alternatives={"utilize": ["use"], "telemetry": ["measurements", "metrics"]},
)


def found(text: str, style: Style = STYLE) -> list[str]:
    return [text[h.start : h.end] for h in scan(text, style)]


def banned(text: str, *words: str) -> list[str]:
    return found(text, Style(banned=list(words)))


class TestWhereProseIsNot:
    @pytest.mark.parametrize(
        "text",
        [
            "`utilize`", "``a utilize b``", "```\nutilize\n```", "~~~text\nutilize\n~~~", "    utilize\n",
            "[x](http://a.b/utilize)", "[x](utilize.md)", '[x](u "utilize")', "[x][utilize]\n\n[utilize]: u\n", "![utilize](u)",
            "<https://x.example/utilize>", "https://x.example/utilize", "www.utilize.example", "see a.b/c/utilize/d",
            "mail utilize@example.com", "---\ntitle: utilize\n---\n\nText.\n", "+++\ntitle = 'utilize'\n+++\n\nText.\n",
            '<span title="utilize">', "<div>\nutilize\n</div>\n", "<!-- utilize -->", "$utilize$", "$$\nutilize\n$$",
            "the word “utilize” is banned", 'the word "utilize" is banned', "the word 'utilize' is banned", "«utilize»",
            'the word "**utilize**" is banned', 'he wrote "utilize."', "[^utilize]: note\n",
            "src/utilize", "[[utilize]]", "[[utilize|x]]", "![[a.png|utilize]]", "utilize.py", "/var/utilize", "./utilize", "a\\utilize", "--utilize", "-utilize", "$utilize here", "@utilize", "#utilize",
            "utilize()", "utilize=1", "x.utilize", "std::utilize", "utilize_all", "my_utilize", "utilize2", "re-utilize", "utilize-it",
            r"a \(utilize\) b", "\\[\nutilize\n\\]", r"\textbf{utilize}", r"\cite[p. 1]{utilize}", "set ${utilize}", "utilize://x",
            "see {utilize}`x`", "a %%utilize%% b", "import utilize from './x'", "export const utilize = 1",
            "import {\n  utilize\n} from 'x'", "non**-utilize**", "prutilize", "utilizer", "UTILIZE is an acronym here", "UTILIZEs are too", "`x`utilize",
            "see utilize[0]", 'see utilize["x"]', "see utilize[:2]",
        ],
    )  # fmt: skip
    def test_nothing_is_found(self, text: str) -> None:
        assert found(text) == []

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("We utilize it.", ["utilize"]),
            ("Utilize it.", ["Utilize"]),
            ("utilized, utilizes; utilizing!", ["utilized", "utilizes", "utilizing"]),
            ("# We utilize it", ["utilize"]),
            ("> We utilize it", ["utilize"]),
            ("- utilize\n- it", ["utilize"]),
            ("| utilize | b |\n|---|---|\n| c | utilize |\n", ["utilize", "utilize"]),
            ("**utilize** _utilize_ ~~utilize~~", ["utilize"] * 3),
            ("[we utilize it](u)", ["utilize"]),
            ("x[^1]\n\n[^1]: we utilize it\n", ["utilize"]),
            ("(utilize) [utilize] {utilize}", ["utilize"] * 3),
            ("imports utilize it, and export to utilize it", ["utilize"] * 2),
            ("5 % and `%%` utilize `\\\\(` it", ["utilize"]),
            ("we utilize—really utilize–it", ["utilize"] * 2),
            ("we utilize--or not--utilize", ["utilize"] * 2),
            ("utilize/use it", ["utilize"]),
            ("[[utilize|we utilize it]]", ["utilize"]),
            ("[[utilize| and no end", ["utilize"]),
            ("he said “we utilize it”", ["utilize"]),
            ("utilize...utilize", ["utilize"] * 2),
            ("UTILIZE IT NOW", ["UTILIZE"]),
            ("# UTILIZE IT\n\nuse it", ["UTILIZE"]),
            ("utilize(s)", ["utilize"]),
            ("<b>utilize</b>", ["utilize"]),
            ("it<br>utilize<br/>it", ["utilize"]),
            ("<https://a.b/c>utilize", ["utilize"]),
            ("utilize\u00a0it", ["utilize"]),
            ("é utilize 日本", ["utilize"]),
            ("In\norder **to** win", ["In\norder **to"]),
            ("> in order\n> to win", ["in order\n> to"]),
            ("in  order\u00a0to", ["in  order\u00a0to"]),
            ("in [order](http://a.example/long?x=y) to", ["in [order](http://a.example/long?x=y) to"]),
            ("cutting-edge", ["cutting-edge"]),
            ("cutting\u2011edge", ["cutting\u2011edge"]),
            ("game changers", ["game changers"]),
            ("utilize[1] of Smith", ["utilize"]),
            ("a \\(just utilize it now\\) b", ["utilize"]),
            ("<!-- `<code>` -->\n\nWe utilize it.", ["utilize"]),
            ("<!--\n<pre>\n-->\n\nWe utilize it.", ["utilize"]),
            ("##Utilize it", ["Utilize"]),
            ("for $8M we utilize >$500 a month", ["utilize"]),
            ("We \uff55\uff54\uff49\uff4c\uff49\uff5a\uff45 it", ["\uff55\uff54\uff49\uff4c\uff49\uff5a\uff45"]),
        ],
    )
    def test_prose_is_prose(self, text: str, words: list[str]) -> None:
        assert found(text) == words

    def test_the_article_s_own_corruptions_do_not_happen(self) -> None:
        """solid-state, "this telemetry", LEAD architect: its three examples of what a plain regex breaks."""
        text = "A solid-state drive. This telemetry indicates a state. LEAD architect leads.\n"
        assert found(text) == ["state", "leads"]

    def test_possessives_are_uses_and_contractions_are_not(self) -> None:
        assert banned("the state's own; the states' own", "state") == ["state", "states"]
        assert banned("can't, can’t, we'll, can", "can", "we") == ["can"]

    def test_curly_and_straight_apostrophes_are_one(self) -> None:
        assert banned("today's world; today’s world", "today's world") == ["today's world", "today’s world"]
        assert banned("today's world; today’s world", "today’s world") == ["today's world", "today’s world"]

    def test_terms_of_signs_and_other_scripts(self) -> None:
        assert banned("C++ and C++11 and c++", "C++") == ["C++", "C++"] or banned("C++", "C++") == ["C++"]
        assert banned("我们利用它", "利用") == ["利用"]
        assert banned("Это синергия.", "синергия") == ["синергия"]

    def test_a_capital_letter_asks_for_the_case(self) -> None:
        assert banned("Go is fine, go home, GO", "Go") == ["Go"]

    def test_an_equals_sign_asks_for_the_form(self) -> None:
        assert banned("state states stated", "=state") == ["state"]
        assert banned("we go, went, gone", "go") == ["go", "went", "gone"]

    def test_the_exact_form_takes_the_alternatives_of_the_word(self) -> None:
        hits = scan("state", Style(banned=["=state"], alternatives={"state": ["condition"]}))
        assert hits[0].alternatives == ("condition",)
        assert hits[0].message.endswith('Write "condition".')

    def test_headings_and_quotes_are_left_out_if_told_so(self) -> None:
        text = "# utilize\n\nutilize\n\n> utilize\n"
        assert len(found(text, Style(banned=["utilize"], quotes=True))) == 3
        assert [h.start for h in scan(text, Style(banned=["utilize"], headings=False, quotes=False))] == [11]


class TestLimits:
    def test_uses_after_the_ceiling_are_findings_in_order_of_place(self) -> None:
        text = "telemetry telemetry `telemetry` telemetry"
        hits = scan(text, STYLE)
        assert [h.start for h in hits] == [10, 32]
        assert hits[0] == StyleHit(
            "ceiling", "telemetry", 10, 19, '"telemetry" is used 3 times; at most 1 may stand.', ("measurements", "metrics"), 3, 1
        )  # fmt: skip

    def test_inflected_forms_share_a_ceiling(self) -> None:
        assert found("The state stated states.", Style(ceilings={"state": 2})) == ["states"]

    def test_a_rate_is_of_the_words_of_prose_and_allows_one(self) -> None:
        style = Style(per_thousand={"robust": 2.0})
        text = "robust " * 3 + "word " * 997
        hits = scan(text, style)
        assert [(h.rule, h.measured, h.limit) for h in hits] == [("density", 3, 2)]
        assert "in 1000 words; at 2 in 1,000 words at most 2 may stand" in hits[0].message
        assert scan("robust word " * 1, style) == []
        assert len(scan("robust word robust", style)) == 1
        code = "```\n" + "word " * 5000 + "\n```\n\n"
        assert len(scan(code + text, style)) == 1

    @pytest.mark.parametrize("rate", [float("inf"), float("nan")])
    def test_a_rate_without_end_is_none(self, rate: float) -> None:
        with pytest.raises(ValidationError, match="finite"):
            Style(per_thousand={"utilize": rate})

    def test_a_rate_of_nothing_is_a_ban(self) -> None:
        assert found("robust", Style(per_thousand={"robust": 0.0})) == ["robust"]

    @pytest.mark.parametrize(("between", "hits"), [(0, 1), (4, 1), (5, 0), (6, 0)])
    def test_a_pair_is_kept_apart_by_words_between(self, between: int, hits: int) -> None:
        style = Style(apart=[Apart(words=["robust", "seamless"], within=5)])
        text = " ".join(["robust", *["x"] * between, "seamless"])
        assert len(scan(text, style)) == hits
        assert (
            len(scan(text.replace("robust", "a").replace("seamless", "robust").replace("a ", "seamless ", 1), style))
            == hits
        )

    def test_words_between_are_counted_over_paragraphs_and_not_in_code(self) -> None:
        style = Style(apart=[Apart(words=["robust", "seamless"], within=5)])
        assert scan("robust a b\n\nc d e\n\nseamless", style) == []
        finding = scan("robust a\n\n```\nb c d e f\n```\n\nseamless", style)
        assert [(h.rule, h.term, h.measured, h.limit) for h in finding] == [("apart", "seamless", 1, 5)]

    def test_one_word_can_break_two_rules(self) -> None:
        style = Style(ceilings={"robust": 0}, banned=["robust"])
        assert [h.rule for h in scan("robust", style)] == ["banned", "ceiling"]

    @pytest.mark.parametrize(
        "wrong",
        [
            {"ceilings": {"x": -1}},
            {"banned": [" "]},
            {"banned": ["="]},
            {"per_thousand": {"x": -0.1}},
            {"apart": [{"words": ["a"]}]},
            {"ceiling": {}},
        ],
    )
    def test_a_wrong_style_is_refused(self, wrong: dict[str, object]) -> None:
        with pytest.raises(ValidationError):
            Style.model_validate(wrong)


class TestSilence:
    style = Style(banned=["utilize", "robust"], ceilings={"state": 1})

    def rules(self, text: str) -> list[tuple[str, str]]:
        return [(h.rule, text[h.start : h.end]) for h in scan(text, self.style)]

    def test_a_comment_with_a_reason_silences_to_the_end_or_to_on(self) -> None:
        text = "utilize\n\n<!-- stet: off the vendor's own words -->\n\nutilize robust\n\n<!-- stet: on -->\n\nrobust\n"
        assert self.rules(text) == [("banned", "utilize"), ("banned", "robust")]
        both = Scanner(self.style).scan_both(text)
        assert [(s.term, s.reason) for s in both.silenced] == [
            ("utilize", "the vendor's own words"),
            ("robust", "the vendor's own words"),
        ]

    def test_named_terms_and_rules_alone_are_silent(self) -> None:
        text = "<!-- stet: off [robust] the title of a paper -->\n\nutilize robust\n"
        assert self.rules(text) == [("banned", "utilize")]
        text = "<!-- stet: off [ceiling] a list of states -->\n\nstate state state utilize\n"
        assert self.rules(text) == [("banned", "utilize")]

    def test_silenced_uses_do_not_count(self) -> None:
        text = "state\n\n<!-- stet: next [state] a list of states -->\n\nstate state\n\nstate\n"
        hits = scan(text, self.style)
        assert [(h.start, h.measured) for h in hits] == [(text.rindex("state"), 2)]

    @pytest.mark.parametrize(
        "words", ["off: a good reason", "off, a good one", "off [utilize]: a test", "NEXT: so it is"]
    )
    def test_a_sign_behind_its_words_changes_nothing(self, words: str) -> None:
        assert self.rules(f"<!-- stet: {words} -->\n\nutilize\n") == []

    def test_next_is_the_next_block_alone(self) -> None:
        text = "<!-- stet: next a quoted heading -->\n# utilize\n\nutilize\n"
        assert self.rules(text) == [("banned", "utilize")]
        assert scan(text, self.style)[0].start == text.rindex("utilize")

    def test_inside_a_paragraph_next_is_the_rest_of_it(self) -> None:
        text = "utilize <!-- stet: next a test of it --> utilize\n\nutilize\n"
        assert [h.start for h in scan(text, self.style)] == [0, text.rindex("utilize")]

    @pytest.mark.parametrize(
        "comment",
        ["<!-- stet: off -->", "<!-- stet: off [utilize] -->", "<!-- stet: off because -->", "<!--stet:next-->"],
    )
    def test_without_a_reason_it_has_no_effect_and_is_reported(self, comment: str) -> None:
        assert self.rules(f"{comment}\n\nutilize\n") == [("off-without-reason", comment), ("banned", "utilize")]

    def test_a_comment_that_silences_nothing_is_reported(self) -> None:
        comment = "<!-- stet: off [robust] no longer there -->"
        assert self.rules(f"{comment}\n\nutilize\n") == [("off-unused", comment), ("banned", "utilize")]
        assert self.rules(f"{comment}\n\nwords\n") == [("off-unused", comment)]

    @pytest.mark.parametrize("before", ["", "- ", "1. "])
    def test_text_on_the_line_that_a_comment_begins_is_not_checked_and_lint_says_so(self, before: str) -> None:
        comment = "<!-- stet: off the words of the maker -->"
        assert self.rules(f"{before}{comment} We utilize it. <!-- stet: on --> utilize\n") == [
            ("off-beside-text", comment)
        ]
        assert self.rules(f"{before}{comment} <!-- so -->\n\nutilize\n") == []
        assert self.rules(f"{before}We {comment} utilize <!-- stet: on --> it.\n") == []

    @pytest.mark.parametrize(
        ("comment", "rule", "words"),
        [
            ("<!-- stet: off [] a good reason -->", "off-unused", "empty"),
            ("<!-- stet: off [ , ] a good reason -->", "off-unused", "empty"),
            ("<!-- stet: next [utilize a good reason -->", "off-unused", "not closed"),
        ],
    )
    def test_a_slip_in_the_brackets_silences_nothing(self, comment: str, rule: str, words: str) -> None:
        text = f"{comment}\n\nutilize\n"
        assert self.rules(text) == [(rule, comment), ("banned", "utilize")]
        assert words in scan(text, self.style)[0].message

    @pytest.mark.parametrize(
        "text",
        [
            "<!-- stet: off [utilize] a reason\n\nutilize\n",
            "<!-- stet: off\n",
            "# A\n\n<!-- stet: next a good reason\r\nutilize\r\n",
        ],
    )
    def test_a_comment_that_is_never_closed_hides_the_rest_and_is_reported(self, text: str) -> None:
        line = next(line for line in text.splitlines() if "stet" in line)
        assert self.rules(text) == [("off-unclosed", line)]

    @pytest.mark.parametrize(
        "around",
        [
            "<!-- old:\n{}\n-->",
            "<script>\n{}\n</script>",
            "<style>\n{}\n</style>",
            "![{}](x.png)",
            "---\nt: {}\n---",
            "\\{}",
            "    {}",
        ],
    )
    def test_in_other_comments_scripts_and_pictures_it_is_no_comment(self, around: str) -> None:
        text = around.format("<!-- stet: off a good reason -->") + "\n\nutilize\n"
        assert self.rules(text) == [("banned", "utilize")]

    @pytest.mark.parametrize("words", ["off-by-one errors are here", "offer a good reason", "nextto a good one"])
    def test_other_words_are_no_command(self, words: str) -> None:
        assert self.rules(f"<!-- stet: {words} -->\n\nutilize\n") == [("banned", "utilize")]

    def test_the_last_of_nested_comments_closes_all(self) -> None:
        text = "<!-- stet: off a <!-- stet: on --> good reason -->\n\nutilize\n"
        assert [s.reason for s in Scanner(self.style).scan_both(text).silenced] == ["a <!-- stet: on"]

    @pytest.mark.parametrize(
        "piece", ["<!-- stet: off ", "<!-- stet: off [", "<!-- stet: on -->", "<!--", "-->", "x" + " " * 50]
    )
    def test_no_heap_of_comments_makes_it_slow(self, piece: str) -> None:
        text = "<!-- stet: off " + piece * (30_000 // len(piece)) + "\n\nutilize\n"
        scan(text, self.style)

    def test_a_comment_in_code_is_code(self) -> None:
        assert self.rules("```\n<!-- stet: off of course not -->\n```\n\nutilize\n") == [("banned", "utilize")]
        assert self.rules("`<!-- stet: off of course not -->` utilize\n") == [("banned", "utilize")]

    def test_a_model_s_draft_can_not_silence_the_style(self) -> None:
        text = "<!-- stet: off I would rather not -->\n\nutilize\n"
        assert [h.rule for h in scan(text, self.style, honour_off=False)] == ["banned"]


class TestReportedBugs:
    """Reports about linters that look in the wrong place."""

    def test_28_a_hit_is_at_the_prose_word_and_not_in_the_link_before(self) -> None:
        text = "<https://x/utilize> We utilize it."
        assert [h.start for h in scan(text, STYLE)] == [text.rindex("utilize")]

    def test_29_parts_of_a_bare_address_are_not_words(self) -> None:
        assert found("https://ethsigner.example/delve") == []

    def test_31_indented_code_is_code(self) -> None:
        assert found('    myObj.getFiles("utilize")[0]\n') == []

    def test_32_an_address_in_backticks_is_code(self) -> None:
        assert found("`https://x.example/utilize`") == []

    def test_a_single_letter_at_the_beginning_of_a_sentence_is_no_acronym(self) -> None:
        style = Style(banned=["a number of", "i think", "lead architect"])
        text = "A number of pumps. I think so. A NUMBER OF, and I THINK. Our LEAD architect."
        assert [h.term for h in scan(text, style)] == ["a number of", "i think", "a number of", "i think"]

    def test_53_prices_and_variables_are_no_math(self) -> None:
        """Between two prices stands prose, and a linter that takes it for math sees nothing."""
        assert found("It costs $50 to utilize and $100 to stop.") == ["utilize"]
        assert found("Set $HOME and utilize $PATH here.") == ["utilize"]
        assert found("where $utilize^2$ is small") == []

    def test_34_code_and_link_targets_are_not_prose(self) -> None:
        assert found("`very unique` and [x](http://very.unique)") == []


@pytest.mark.parametrize(
    ("word", "some", "none"),
    [
        ("plan", {"plans", "planned", "planning"}, {"plane", "planner"}),
        ("utilize", {"utilizes", "utilized", "utilizing"}, {"utilization"}),
        ("try", {"tries", "tried", "trying"}, {"trys"}),
        ("play", {"plays", "played", "playing"}, {"plaies"}),
        ("lead", {"leads", "led", "leading"}, {"leaden"}),
        ("analysis", {"analyses"}, {"analysi"}),
        ("box", {"boxes"}, {"boxs"}),
        ("die", {"dies", "died", "dying"}, set()),
        ("agree", {"agrees", "agreed", "agreeing"}, {"agreeed"}),
        ("the", {"the"}, {"thes"}),
        ("robust", {"robust"}, {"robustness"}),
        ("seamless", {"seamless"}, {"seamlesses"}),
        ("mimic", {"mimicked", "mimicking"}, set()),
        ("go", {"goes", "went", "gone"}, set()),
        ("an", {"an"}, {"ans", "aned"}),
        ("variable", {"variables"}, set()),
        ("table", {"tables", "tabled"}, set()),
        ("crucible", {"crucibles"}, set()),
        ("enable", {"enables", "enabled", "enabling"}, set()),
        ("apply", {"applies", "applied", "applying"}, set()),
        ("need", {"needs", "needed", "needing"}, set()),
        ("ping", {"pings", "pinged", "pinging"}, set()),
        ("witness", {"witnesses", "witnessed"}, set()),
        ("initiative", {"initiatives"}, set()),
        ("handful", {"handfuls"}, set()),
        ("bless", {"blesses", "blessed"}, set()),
        ("even", {"even"}, {"evening"}),
        ("able", {"able"}, {"abled"}),
    ],
)
def test_forms(word: str, some: set[str], none: set[str]) -> None:
    assert some <= forms(word)
    assert not none & forms(word)


PIECES = st.sampled_from(
    [
        *("utilize", "utilized", "robust", "seamless", "in order to", "in", "order", "to", "state", "solid-state", "LEAD", "word"),
        *(" ", " ", " ", "\n", "\n\n", "> ", "# ", "- ", "`", "``", "```\n", "**", "*", "_", "[", "](u)", "](http://a.b/state)", "<", ">"),
        *("<!-- stet: off a reason here -->", "<!-- stet: on -->", "<!-- stet: off -->", "<!-- stet: next [robust] two words -->"),
        *("\"", "“", "”", "'", "’", ".", ",", "/", "-", "--", "(", ")", "=", "$", "|", "---", "é", "日本", "\r\n", "    ", "\t", "&amp;"),
        *("\u00a0", "\u2011", "\u200b", "<b>", "</b>", "&#117;", "\u00ad", "util", "ize", "<wbr>", "https://x.example/utilize", "[^1]", "\n[^1]: ", "İ", "ß", "\ud800"),
    ]
)  # fmt: skip
STYLES = [
    Style(banned=["utilize", "in order to"], ceilings={"state": 1, "robust": 2}),
    Style(per_thousand={"robust": 1.0, "utilize": 0.0}, apart=[Apart(words=["robust", "seamless"], within=4)]),
    Style(banned=["=utilize", "LEAD", "solid-state", "日本", "İ"], headings=False),
    Style(ceilings={"in": 1, "order": 0, "to": 0}, quotes=False),
]


@given(st.lists(PIECES, max_size=50).map("".join), st.sampled_from(STYLES), st.booleans())
@settings(max_examples=350, deadline=None)
def test_the_sieve_changes_no_verdict(text: str, style: Style, honour: bool) -> None:
    """What is left unparsed, or taken for a use at a look, changes nothing: each pattern over each block says the same."""
    scanner = Scanner(style)
    wanted = searched(scanner, text, honour)
    assert scanner.scan(text, honour_off=honour) == wanted
    assert scanner.scan_parsing(text, None, honour_off=honour)[1] == wanted


@given(st.lists(PIECES, max_size=50).map("".join), st.sampled_from(STYLES), st.booleans(), st.data())
@settings(max_examples=250, deadline=None)
def test_what_a_pass_looks_into_is_parsed(text: str, style: Style, honour: bool, data: st.DataObject) -> None:
    """All top-level blocks are there; those with a finding, and the one asked for, are filled."""
    at = data.draw(st.integers(0, len(text)))
    doc, hits = Scanner(style).scan_parsing(text, at, honour_off=honour)
    whole = parse(text)
    assert list(map(repr, doc.blocks)) == list(map(repr, whole.blocks))
    for ours, theirs in zip(doc.blocks, whole.blocks, strict=True):
        if any(ours.start <= place < ours.end for place in (at, *(hit.start for hit in hits))):
            assert list(map(repr, ours.walk())) == list(map(repr, theirs.walk()))


def searched(scanner: Scanner, text: str, honour: bool) -> list[StyleHit]:
    """The findings by the long way: every pattern over every block of the whole parse."""
    style, doc = scanner.style, parse(text)
    blocks = [
        b for b in prose_blocks(doc) if (style.headings or b.kind != "heading") and (style.quotes or not b.quoted)
    ]
    uses = []
    for block in blocks:
        read = written(block, text[block.start : block.end])
        folded = fold(read.text)
        for term in scanner.terms:
            for match in term.pattern.finditer(folded if term.exact_case else lower(folded)):
                start, end = match.span()
                if is_use(read.text, folded, read.raw, start, end, exact_case=term.exact_case):
                    uses.append(Use(block.start + read.starts[start], block.start + read.ends[end - 1], term.name))
    return judged(style, rules_by_term(style), doc, blocks, sorted(uses), honour_off=honour).hits


NAMES = st.frozensets(st.sampled_from(["banned", "ceiling", "robust", "state"]), max_size=2)
SPAN = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)


@given(
    st.lists(st.tuples(NAMES, SPAN), max_size=8),
    st.lists(
        st.tuples(st.sampled_from(["banned", "ceiling"]), st.sampled_from(["robust", "state"]), st.integers(0, 30)),
        max_size=8,
    ),
)
@settings(max_examples=250, deadline=None)
def test_many_comments_silence_what_each_of_them_does(
    given_: list[tuple[frozenset[str], list[int]]], uses: list[tuple[str, str, int]]
) -> None:
    """The quick look-up says what a look at each comment would."""
    active = tuple(
        Silence(names, start, end, str(number), (start, start))
        for number, (names, (start, end)) in enumerate(sorted(given_, key=lambda one: one[1][0]))
    )
    uses = sorted(uses, key=lambda use: use[2])

    def holds(silence: Silence, rule: str, term: str, at: int) -> bool:
        return silence.start <= at < silence.end and (not silence.names or bool({rule, term} & silence.names))

    cover = Cover(active)
    for use in uses:
        assert cover.first(*use) == next((s for s in active if holds(s, *use)), None)
    assert cover.unused(uses) == [s for s in active if not any(holds(s, *use) for use in uses)]


@given(st.lists(PIECES, max_size=50).map("".join), st.sampled_from(STYLES))
@settings(max_examples=150, deadline=None)
def test_places_are_in_order_and_in_the_text(text: str, style: Style) -> None:
    hits = scan(text, style)
    assert all(0 <= h.start < h.end <= len(text) for h in hits)
    assert [h.start for h in hits] == sorted(h.start for h in hits)
    assert all(h.message for h in hits)


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_scanned(text: str) -> None:
    for style in STYLES:
        scan(text, style)


@pytest.mark.parametrize(
    "piece",
    [
        "in ",
        "in order ",
        "robust ",
        "utilize-",
        "`utilize ",
        "<",
        "<!-- stet:",
        "in<",
        "in](",
        "utilize/",
        "<!-- <code> utilize ",
    ],
)
def test_no_repetition_makes_it_slow(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    for style in STYLES:
        scan(text, style)


def test_a_word_kept_apart_from_itself_is_not_near_to_itself() -> None:
    style = Style(apart=[Apart(words=["leverage", "leverage"], within=3)])
    assert found("We leverage it.", style) == []
    assert found("We leverage it and leverage this.", style) == ["leverage"]
    assert found("We leverage it and do it and leverage this.", style) == []


@pytest.mark.parametrize(
    "text",
    [
        "我们leverage它。",
        "レバレッジleverageです",
        "leverage를 쓴다",
        "그는leverage",
        "leverage\u200cهای ما",
        "הleverage",
    ],
)
def test_a_word_beside_a_script_without_spaces_is_a_use(text: str) -> None:
    assert banned(text, "leverage") == ["leverage"]


@pytest.mark.parametrize("text", ["xleverage", "leverageд", "leverage_它"])
def test_a_part_of_a_word_is_none(text: str) -> None:
    assert banned(text, "leverage") == []
