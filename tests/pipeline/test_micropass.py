"""The micro-pass: one sentence is touched, everything else is byte for byte as it was, and it ends."""

from __future__ import annotations

import pytest
from editors import Scripted, by_rules, swap

from firewall.policy.style import Apart, Style
from firewall.verdict import Finding, Outcome
from latches.style import scan
from pipeline.errors import ModelError
from pipeline.micropass import MemoryRecorder, polish
from pipeline.micropass.left import Left
from pipeline.micropass.splice import StaleDocument, digest, splice
from pipeline.models.base import EditTask, Reply, Usage
from pipeline.prompts import edit_prompt

BANNED = Style(banned=["utilize"], alternatives={"utilize": ["use"]}, quotes=True)
CAPPED = Style(ceilings={"telemetry": 1}, alternatives={"telemetry": ["measurements"]}, quotes=True)


def test_a_clean_document_asks_nobody() -> None:
    done = polish("We use pumps.\n", BANNED, Scripted("never"))
    assert (done.text, done.edits, done.findings, done.calls) == ("We use pumps.\n", (), (), 0)


def test_the_sentence_is_changed_and_nothing_else() -> None:
    source = "# Pumps\n\nOne.  We utilize two pumps. Three.\n\n```\nWe utilize code.\n```\n"
    done = polish(source, BANNED, by_rules())
    assert done.text == source.replace("We utilize two", "We use two")
    assert [(e.before, e.after) for e in done.edits] == [("We utilize two pumps.", "We use two pumps.")]
    assert done.findings == ()


def test_a_word_is_taken_out_only_where_it_is_too_often() -> None:
    source = "Telemetry is old. We keep telemetry. We sell telemetry.\n"
    done = polish(source, CAPPED, by_rules())
    assert done.text == "Telemetry is old. We keep measurements. We sell measurements.\n"


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("Telemetry is old, telemetry is cheap.\n", "Telemetry is old, measurements are cheap.\n"),
        ("We read telemetry and sell telemetry.\n", "We read telemetry and sell measurements.\n"),
        (
            "Old telemetry. We read telemetry and telemetry.\n",
            "Old telemetry. We read measurements and measurements.\n",
        ),
    ],
)
def test_in_a_sentence_with_several_uses_only_the_surplus_goes(source: str, result: str) -> None:
    assert polish(source, CAPPED, by_rules()).text == result


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ('The word "utilize" says that we utilize it.\n', 'The word "utilize" says that we use it.\n'),
        ('We utilize the word "utilize".\n', 'We use the word "utilize".\n'),
    ],
)
def test_a_word_that_is_mentioned_in_the_sentence_stays(source: str, result: str) -> None:
    assert polish(source, BANNED, by_rules()).text == result


def test_an_editor_is_told_which_of_several_uses_goes_and_held_to_it() -> None:
    source = "We read telemetry and sell telemetry and keep telemetry.\n"
    asked = Scripted(
        "We read measurements and sell measurements and keep measurements.",
        "We read telemetry and sell measurements and keep measurements.",
    )
    done = polish(source, CAPPED, asked)
    assert done.text == "We read telemetry and sell measurements and keep measurements.\n"
    task = asked.tasks[0]
    assert [task.sentence[at : at + 9] for at in task.at] == ["telemetry", "telemetry"]
    assert [task.sentence[:at].split()[-1] for at in task.at] == ["sell", "keep"]
    assert "Only where it stands after" in task.instruction
    assert "1 may stand, 0 are left" in asked.tasks[1].refused


def test_of_a_pair_that_stands_too_near_one_use_goes() -> None:
    style = Style(apart=[Apart(words=["red", "blue"], within=4)], alternatives={"blue": ["green"]})
    source = "A red and a blue lamp stand by the river all night, and so does a blue hut.\n"
    assert polish(source, style, by_rules()).text == source.replace("a blue lamp", "a green lamp")


def test_twins_are_told_apart_by_their_place() -> None:
    twin = "We read telemetry."
    source = f"{twin}\n\n> {twin}\n\n{twin} {twin}\n"
    done = polish(source, CAPPED, by_rules())
    new = "We read measurements."
    assert done.text == f"{twin}\n\n> {new}\n\n{new} {new}\n"


def test_the_second_of_two_twins_alone_is_edited_when_the_first_may_stand() -> None:
    asked = Scripted(swap)
    polish("We read telemetry. Yes. We read telemetry.\n", CAPPED, asked)
    assert [t.before.split()[-1] for t in asked.tasks] == ["Yes."]


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("We utilize `utilize()`.\n", "We use `utilize()`.\n"),
        ("See [how we utilize it](http://x.org/utilize).\n", "See [how we use it](http://x.org/utilize).\n"),
        ("<https://x.org/utilize> We utilize it.\n", "<https://x.org/utilize> We use it.\n"),
        ("We utilize it[^1].\n\n[^1]: They utilize it too.\n", "We use it[^1].\n\n[^1]: They use it too.\n"),
        ("| a | b |\n|---|---|\n| We utilize | x |\n", "| a | b |\n|---|---|\n| We use | x |\n"),
        ("- [ ] We utilize it\n- Utilize it.\n", "- [ ] We use it\n- Use it.\n"),
        ("> We utilize\n> it daily.\n", "> We use\n> it daily.\n"),
        ("**We utilize it.** They do.\n", "**We use it.** They do.\n"),
        ("We **utilize** *it*.\n", "We **use** *it*.\n"),
        ("We utilize it.\r\n\r\nThey utilize it.\r\n", "We use it.\r\n\r\nThey use it.\r\n"),
        (
            "\U0001f680 We utilize it \U0001f469\u200d\U0001f680.\n",
            "\U0001f680 We use it \U0001f469\u200d\U0001f680.\n",
        ),
        ("数据很好。We utilize it.\n", "数据很好。We use it.\n"),
        ("We utilize it.", "We use it."),
        ("---\ntitle: we utilize\n---\n\nWe utilize it.\n", "---\ntitle: we utilize\n---\n\nWe use it.\n"),
        ("# We utilize it\n\nText.\n", "# We use it\n\nText.\n"),
        ("We utilize it\n===\n", "We use it\n===\n"),
        ("> We use it.\n> We utilize that.\n", "> We use it.\n> We use that.\n"),
        ("- > We use it.\n  > We utilize\n  > that.\n", "- > We use it.\n  > We use\n  > that.\n"),
        ("1. We utilize it.\n   We utilize that.\n", "1. We use it.\n   We use that.\n"),
        ("We utilize $x^2$ and &amp; more.\n", "We use $x^2$ and &amp; more.\n"),
        ("We utilize <b>it</b>.\n", "We use <b>it</b>.\n"),
        ("A line\\\nwe utilize.\n", "A line\\\nwe use.\n"),
        ("![we utilize](a.png) We utilize it.\n", "![we utilize](a.png) We use it.\n"),
        ("\ufeffWe utilize it.\n", "\ufeffWe use it.\n"),
        ("We utilize\tit,\u00a0too.\n", "We use\tit,\u00a0too.\n"),
        ('"We utilize it," she said.\n', '"We use it," she said.\n'),
        ("\u201cWe utilize it\u201d, she said.\n", "\u201cWe use it\u201d, she said.\n"),
    ],
)
def test_in_every_kind_of_prose_and_only_there(source: str, result: str) -> None:
    done = polish(source, BANNED, by_rules())
    assert done.text == result
    assert done.findings == ()


def test_only_the_sentence_and_25_words_on_each_side_reach_the_editor() -> None:
    before = " ".join(f"b{n}" for n in range(60)) + "."
    after = " ".join(f"a{n}" for n in range(60)) + "."
    source = f"# Secret heading\n\nOther paragraph.\n\n{before} We utilize it. {after}\n\nLast secret.\n"
    asked = Scripted(swap)
    polish(source, BANNED, asked)
    task = asked.tasks[0]
    assert task.sentence == "We utilize it."
    assert task.before.split() == before.split()[-25:]
    assert task.after.split() == after.split()[:25]
    assert "secret" not in repr(task).lower()


def test_locked_parts_are_named_in_order() -> None:
    asked = Scripted("")
    source = 'On Monday we utilize `cron` v2.1 and 3 of [Ann\'s **old** pumps](x.md "t") at 5%[^a].\n\n[^a]: x\n'
    polish(source, BANNED, asked)
    locked = asked.tasks[0].locked
    assert locked == ("Monday", "`cron`", "v2.1", "3", "[", "Ann's", "**", "**", '](x.md "t")', "5%", "[^a]")
    at = 0
    for part in locked:
        at = asked.tasks[0].sentence.index(part, at) + len(part)


def test_a_rejected_answer_is_an_attempt_and_its_reason_goes_with_the_next_question_alone() -> None:
    asked = Scripted("We utilized it.", "We use it not.", "We use it.")
    done = polish("We utilize it.\n", BANNED, asked)
    assert done.text == "We use it.\n"
    assert (done.attempts, done.calls) == (2, 3)
    assert [bool(t.refused) for t in asked.tasks] == [False, True, True]
    assert "'utilize'" in asked.tasks[1].refused
    assert "'utilize'" not in asked.tasks[2].refused
    assert "not" in asked.tasks[2].refused


def test_three_rejected_answers_leave_the_sentence_with_a_finding() -> None:
    source = "Ok. We utilize it. They utilize that.\n"
    asked = Scripted(lambda task: task.sentence if "We" in task.sentence else swap(task))
    done = polish(source, BANNED, asked)
    assert done.text == "Ok. We utilize it. They use that.\n"
    assert (done.attempts, done.calls) == (3, 4)
    (finding,) = done.findings
    assert finding.rule == "micropass-given-up"
    assert done.text[finding.start : finding.end] == "We utilize it."
    assert done.given_up == (finding,)


def test_a_decline_is_no_rejected_answer() -> None:
    done = polish("We utilize it.\n", BANNED, Scripted("  \n"))
    assert (done.attempts, done.calls) == (0, 1)
    assert [f.rule for f in done.findings] == ["micropass-declined"]
    assert done.given_up == ()


@pytest.mark.parametrize(
    ("stop", "attempts", "rule"), [("max_tokens", 3, "given-up"), (None, 3, "given-up"), ("refusal", 0, "declined")]
)
def test_an_answer_that_is_not_whole_is_never_used(stop: str | None, attempts: int, rule: str) -> None:
    done = polish("We utilize it.\n", BANNED, Scripted(Reply("We use it.", stop, "m", Usage())))
    assert done.text == "We utilize it.\n"
    assert done.attempts == attempts
    assert [f.rule for f in done.findings] == [f"micropass-{rule}"]


def test_findings_point_at_their_sentences_after_later_edits_moved_them() -> None:
    source = "We utilize A. They utilize B. You utilize C.\n"

    def answer(task: EditTask) -> str:
        return "" if "B" in task.sentence else swap(task)

    done = polish(source, BANNED, Scripted(answer))
    assert done.text == "We use A. They utilize B. You use C.\n"
    assert [done.text[f.start : f.end] for f in done.findings] == ["They utilize B."]


def test_a_fix_that_brings_another_banned_word_is_rejected() -> None:
    style = Style(banned=["utilize", "leverage"], alternatives={"utilize": ["leverage", "use"]})
    done = polish("We utilize it.\n", style, Scripted("We leverage it.", "We use it."))
    assert done.text == "We use it.\n"
    assert done.attempts == 1


def test_a_fix_that_lifts_another_word_over_its_ceiling_is_rejected() -> None:
    style = Style(banned=["utilize"], ceilings={"use": 1}, alternatives={"utilize": ["use"]})
    done = polish("They use that. We utilize it.\n", style, Scripted(swap))
    assert done.text == "They use that. We utilize it.\n"
    assert "'use'" in str(done.findings[0].evidence["reason"])


def test_it_ends_whatever_the_editor_says() -> None:
    style = Style(banned=["a", "b", "c"], alternatives={"a": ["b"], "b": ["c"], "c": ["a"]})
    done = polish("Say a b c, a b c, a b c here now.\n" * 5, style, Scripted(swap))
    assert done.calls <= 3 * 45
    assert len(scan(done.text, style)) <= 45


def test_the_limit_of_calls_holds_and_says_so() -> None:
    done = polish("We utilize it. " * 10, BANNED, Scripted(""), limit=4)
    assert done.calls == 4
    assert [f.rule for f in done.findings] == ["micropass-declined"] * 4 + ["micropass-limit"] * 6


def test_a_failing_model_is_not_hidden_and_what_it_gave_before_is_kept() -> None:
    kept = MemoryRecorder()

    def answer(task: EditTask) -> str:
        if "They" in task.sentence:
            raise ModelError(model="m", detail="down", fix="", kind="server")
        return swap(task)

    source = "We utilize it. They utilize it.\n"
    with pytest.raises(ModelError):
        polish(source, BANNED, Scripted(answer), recorder=kept)
    asked = Scripted(swap)
    done = polish(source, BANNED, asked, recorder=kept)
    assert done.text == "We use it. They use it.\n"
    assert [t.sentence for t in asked.tasks] == ["They utilize it."]


def test_costs_and_notes_are_summed_and_an_unknown_cost_stays_unknown() -> None:
    known = Reply("We use it.", "end_turn", "m", Usage(10, 5, 0.5, 2), ("no temperature",))
    done = polish("We utilize it.\n\nWe utilize it.\n", BANNED, Scripted(known))
    assert done.usage == Usage(20, 10, 1.0, 4)
    assert done.notes == ("no temperature",)
    unknown = known._replace(usage=Usage(10, 5, None, 1))
    assert polish("We utilize it.\n", BANNED, Scripted(unknown)).usage.cost_usd is None


def test_a_persons_comment_holds_and_a_models_does_not() -> None:
    source = "<!-- stet: off [utilize] the vendor's own word -->\n\nWe utilize it.\n"
    assert polish(source, BANNED, by_rules()).text == source
    assert "We use it." in polish(source, BANNED, by_rules(), honour_off=False).text


def test_hard_wrapped_lines_keep_their_breaks_when_a_model_joins_them() -> None:
    source = "> We utilize the pump that\n> stands in the old hut\n> by the river.\n"
    done = polish(source, BANNED, Scripted("We use the pump that stands in the old hut by the river."))
    assert done.text == source.replace("utilize", "use")
    assert done.attempts == 0


def test_a_quotation_is_somebody_elses_words_and_a_callout_is_not() -> None:
    style = BANNED.model_copy(update={"quotes": False})
    assert Style().quotes is False
    quotation = "> We utilize it.\n"
    assert polish(quotation, style, by_rules()).text == quotation
    for box in ("> [!NOTE]\n> We utilize it.\n", "> **Note:** We utilize it.\n"):
        assert polish(box, style, by_rules()).text == box.replace("utilize", "use")


def test_a_stale_document_is_never_spliced() -> None:
    source = "We utilize it. We utilize it."
    scanned = digest(source)
    with pytest.raises(StaleDocument):
        splice(source + " ", scanned, 0, 14, "We use it.")
    assert splice(source, scanned, 15, 29, "We use it.") == "We utilize it. We use it."


def test_a_broken_phrase_over_a_line_end_is_mended() -> None:
    style = Style(banned=["in order to"], alternatives={"in order to": ["to"]})
    done = polish("Press both keys in\norder to stop the pump.\n", style, by_rules())
    assert done.text == "Press both keys to\nstop the pump.\n"


def test_scripts_without_spaces_are_edited_too() -> None:
    style = Style(banned=["利用"], alternatives={"利用": ["使用"]})
    done = polish("我们利用数据来做决定。他们也利用数据。\n", style, Scripted(swap))
    assert done.text == "我们使用数据来做决定。他们也使用数据。\n"
    rude = polish("我们利用数据来做决定。\n", style, Scripted("今天天气很好不用出门。"))
    assert rude.edits == ()


def test_ten_thousand_quote_marks_are_survived() -> None:
    source = ">" * 10_000 + " We utilize it.\n\nWe utilize it.\n"
    done = polish(source, BANNED, by_rules())
    assert done.text.endswith("\n\nWe use it.\n")


def test_the_number_of_an_alternative_is_that_of_the_policy() -> None:
    style = Style(banned=["telemetry"], alternatives={"telemetry": ["data"]}, number={"data": "plural"})
    source = "This telemetry is old. We read on.\n"
    assert polish(source, style, by_rules()).text == "These data are old. We read on.\n"
    one = style.model_copy(update={"number": {"data": "singular"}})
    assert polish(source, one, by_rules()).text == "This data is old. We read on.\n"


def test_an_editor_is_told_the_number_and_held_to_it() -> None:
    style = Style(banned=["telemetry"], alternatives={"telemetry": ["data"]}, number={"data": "plural"})
    editor = Scripted("This data is old.", "These data are old.")
    done = polish("This telemetry is old.\n", style, editor)
    assert editor.tasks[0].number == (("data", "plural"),)
    assert "'data' (plural)" in edit_prompt(editor.tasks[0]).user
    assert "'data'" in edit_prompt(editor.tasks[0]._replace(number=())).user
    assert editor.tasks[1].refused.startswith("'This' does not go with the plural")
    assert done.text == "These data are old.\n"


def test_an_alternative_with_one_form_for_both_numbers_keeps_it() -> None:
    style = Style(banned=["measurement"], alternatives={"measurement": ["evidence"]}, number={"evidence": "singular"})
    assert polish("Two measurements are kept here.\n", style, by_rules()).edits == ()
    editor = Scripted("The evidence is kept.")
    assert polish("The measurements are kept.\n", style, editor).text == "The evidence is kept.\n"
    assert editor.tasks[0].alternatives == ("evidence",)


@pytest.mark.parametrize(
    "source",
    [
        "".join(f"- item {n} utilize\n" for n in range(600)),
        "utilize, " * 1_500 + "and so on.\n",
        "| a | b |\n|---|---|\n" + "| utilize x | y |\n" * 300,
        "".join("  " * depth + "- utilize\n" for depth in range(120)),
        ">" * 3_000 + " We utilize it.\n",
    ],
)
def test_what_is_left_in_is_not_looked_for_again_and_again(source: str) -> None:
    """Of hundreds of violations each is settled once: looking over all that was left in took hours on long lists."""
    done = polish(source, BANNED, by_rules(), limit=3)
    assert len(done.edits) <= 3
    left = {(f.start, f.end) for f in done.findings}
    assert len(left) == len(done.findings)
    assert all(any(a <= hit.start and hit.end <= b for a, b in left) for hit in scan(done.text, BANNED))


def test_places_of_what_is_left_move_with_edits_and_join_where_one_takes_them_in() -> None:
    left = Left()
    name = ("banned", "x")
    for start, end in ((20, 30), (0, 10), (40, 50), (12, 18)):
        left.add(name, start, end, Finding("r", Outcome.HOLD, f"{start}", {}))
    assert left.holds(name, 21, 30)
    assert not left.holds(name, 9, 13)
    assert not left.holds(("banned", "y"), 21, 30)
    left.edited(8, 15, 5)  # touches the first two
    assert [(f.start, f.end, f.message) for f in left.findings()] == [
        (0, 20, "0"),
        (8, 23, "12"),
        (25, 35, "20"),
        (45, 55, "40"),
    ]
    assert left.holds(name, 0, 23)
    assert not left.holds(name, 22, 26)


def test_a_watcher_is_told_how_far_a_pass_is() -> None:
    told: list[tuple[int, int]] = []
    polish("We utilize it.\n\nWe utilize this.\n", BANNED, by_rules(), watch=lambda *so_far: told.append(so_far))
    assert told == [(0, 2), (1, 1)]
