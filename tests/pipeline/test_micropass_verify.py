"""What an editor's answer may not be. Each case is a whole document and an answer that must not get in."""

from __future__ import annotations

import pytest
from editors import Scripted, by_rules

from firewall.policy.style import Style
from pipeline.micropass import polish
from pipeline.micropass.breaks import line_breaks, rewrapped
from pipeline.micropass.quotes import requoted

STYLE = Style(
    banned=["utilize", "telemetry", "Example"],
    alternatives={"utilize": ["use"], "telemetry": ["measurements", "signal"], "Example": ["Instance"]},
)


def reason(source: str, answer: str) -> str:
    """Why `answer` is rejected for the first violation of `source`; empty when it gets in."""
    done = polish(source, STYLE, Scripted(answer, answer, answer, ""))
    if done.edits:
        return ""
    assert done.text == source
    return str(done.findings[0].evidence["reason"])


def test_a_right_answer_gets_in() -> None:
    assert reason("We utilize 3 pumps, not 4.", "We use 3 pumps, not 4.") == ""


@pytest.mark.parametrize(
    "answer",
    [
        "sure, I've rewritten it: We use it daily.",  # PauseAI/pauseai-website#333
        "Possible answer: We use it daily.",  # microsoft/semantic-kernel PR 34
        "Here is the rewritten sentence: We use it daily.",
        "Certainly! We use it daily.",
        "Sure, we use it daily.",
        '"We use it daily."',
        "'We use it daily.'",
        "\u201cWe use it daily.\u201d",
        "`We use it daily.`",
        "```\nWe use it daily.\n```",
        "**We use it daily.**",
        "We use it daily. Let me know if you need more.",
        "We use it daily.\n\n(I replaced the word.)",
        "We use it daily. (Changed.)",
        "- We use it daily.",
        "# We use it daily.",
        "> We use it daily.",
        "1. We use it daily.",
        "We use it daily",
        "we use it daily.",
        "We use it daily!",
        "We use it daily?",
        "We use it daily.\u200b",
        "We use\u202e it daily.",
        "We use it daily.\x00",
        "We use it\ndaily.",
        "We use it [daily](http://evil.example).",
        "We use it daily<br>.",
        "We use it `daily`.",
        "We use it daily, and it is good for all of us and for the plant as a whole.",
        "I cannot help with that.",
        "Sorry, no.",
        "We do not use it daily.",
        "We never use it daily.",
        "We use it 2 daily.",
        "We use it twice daily.",
        "We use Kubernetes daily.",
        "We utilized it daily.",
        "We use it daily; we utilize it.",
        '{"sentence": "We use it daily."}',
        "We \ud800 use it daily.",
        "We us\u0435 it daily.",  # a Cyrillic letter
        "We use\u00a0it daily.",
        "We  use it daily.",
        "We use\tit daily.",
        "We use it\ufe0f daily.",  # a variation selector
        "We use it da\u00adily.",
        "We use it da\u0301ily.",  # an accent set upon a letter
        "We use it d\u0336aily.",
        "We use it\u3164 daily.",  # a filler that shows as a blank
        "We use it\u2028daily.",
        "We use it\U000e0041 daily.",  # a tag character
        "We use it-daily.",
        "We use it -daily.",
        "We use it daily. " * 60_000,  # a megabyte
        "(" * 1_000_000,
        "`" * 1_000_000,
        "a\n" * 500_000,
    ],
)
def test_what_stands_around_or_in_an_answer_keeps_it_out(answer: str) -> None:
    assert reason("We utilize it daily.", answer) != ""


@pytest.mark.parametrize(
    ("source", "answer", "said"),
    [
        ("We utilize 3 pumps.", "We use three pumps.", "'3'"),
        ("We utilize 3 pumps.", "We use 4 pumps.", "'3'"),
        ("We utilize 3 of 4 pumps.", "We use 4 of 3 pumps.", "'4'"),
        ("We utilize 1.5 l.", "We use 15 l.", "'1.5'"),
        ("We utilize two pumps.", "We use pumps.", "'two'"),
        ("We do not utilize it.", "We do use it.", "'not'"),
        ("We don't utilize it.", "We use it.", "'not'"),
        ("We cannot utilize it.", "We can use it.", "'not'"),
        ("Nobody may utilize it without a key.", "Nobody may use it with a key.", "'without'"),
        ("We utilize `cron` here.", "We use cron here.", "`cron`"),
        ("We utilize `cron` here.", "We use `crond` here.", "`cron`"),
        ("We utilize [it](a.md) here.", "We use [it](b.md) here.", "](a.md)"),
        ("We utilize [it](a.md) here.", "We use it here.", "["),
        ("We utilize **it** here.", "We use *it* here.", "**"),
        ("We utilize Postgres here.", "We use MySQL here.", "'Postgres'"),
        ("We utilize node_exporter here.", "We use node-exporter here.", "'node_exporter'"),
        ("We utilize it (at night).", "We use it at night.", "parenthesis"),
        ("We utilize it: daily.", "We use it daily.", "colon"),
        ("We utilize it[^1].\n\n[^1]: x", "We use it.\n\n[^1]: x", "line breaks"),
        ("A telemetry stream is cheap.", "An measurement stream is cheap.", "'a'"),
        ("This telemetry is old.", "This measurements is old.", "'This'"),
        ("Telemetry is old.", "Measurements is old.", "'is'"),
        ("Telemetry contains drift.", "Measurements contains drift.", "'contains'"),
    ],
)
def test_the_reason_names_what_was_lost(source: str, answer: str, said: str) -> None:
    assert said in reason(source, answer)


def test_markers_must_equal_the_originals_markers() -> None:
    # splitclover/rewrite-extension PR 5: `Example` inside *...*, and the model returned `*New*`
    assert reason("An *Example* here.", "An **Instance** here.") != ""
    assert reason("An *Example* here.", "An Instance here.") != ""
    assert reason("An *Example* here.", "An *Instance* here.") == ""


def test_a_delta_cap_holds_on_each_edit() -> None:
    # ls1intum/Artemis PR 12885: a replacement was taken whatever its size
    long = "We use the pump " + "and use it again " * 3 + "daily."
    assert "words" in reason("We utilize the pump and then stop it daily.", long)
    assert "words" in reason("We utilize the old pump in the hut by the river every day.", "We use the old pump daily.")


def test_a_cell_can_not_be_broken_out_of() -> None:
    table = "| a | b |\n|---|---|\n| We utilize it | x |\n"
    assert reason(table, "We use | it") != ""
    assert reason(table, "We use it |\n| more") != ""
    assert reason(table, "We use it") == ""


def test_a_list_item_can_not_become_two() -> None:
    assert reason("- We utilize it\n- x\n", "We use it\n- and more") != ""


def test_a_line_break_in_an_answer_can_not_make_a_heading() -> None:
    assert reason("We utilize it daily\nat night.\n", "We use it daily\n=== at night.") != ""


def test_a_reference_link_that_only_the_document_defines_stays() -> None:
    source = "We utilize [the hut][h] daily.\n\n[h]: http://x.org\n"
    assert reason(source, "We use [the hut][x] daily.") != ""
    assert reason(source, "We use [the hut][h] daily.") == ""


def test_an_answer_can_not_open_what_closes_later() -> None:
    assert reason("We utilize it daily. A *b c.\n", "We use *it daily.") != ""
    assert reason("We utilize it daily. A `b c.\n", "We use `it daily.") != ""


@pytest.mark.parametrize(
    ("sentence", "answer", "expected"),
    [
        ("a b\nc d", "a x c d", "a x\nc d"),
        ("a b\r\nc d", "a b\nc d", "a b\r\nc d"),
        ("a b\n> c d", "a b c d", "a b\n> c d"),
        ("a b  \nc d", "a b c d", "a b  \nc d"),
        ("a b\nc d\ne f", "a b c x e f", "a b\nc x\ne f"),
        ("a b c", "a\nb c", "a\nb c"),
        ("a\nb", "x", "x"),
    ],
)
def test_line_breaks_go_back_to_their_places(sentence: str, answer: str, expected: str) -> None:
    assert rewrapped(sentence, answer) == expected


def test_line_breaks_are_read_with_what_follows_them() -> None:
    assert line_breaks("a\n> b\r\n  c") == ("\n> ", "\r\n  ")


PUMPS = "Before it all stands this. We utilize 3 pumps, not 4, in the hut. After it comes that.\n"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("We use 3 pumps, not 4, in the shed.", "'shed' is not in the sentence"),
        ("We use 3 pumps, not 4, in the burning hut.", "'burning' is not in the sentence"),
        ("We abuse 3 pumps, not 4, in the hut.", "'abuse' is not in the sentence"),
        ("We use 3 pumps, not 4, out the hut.", "'out' is not in the sentence"),
        ("They use 3 pumps, not 4, in the hut.", "another person"),
        ("We use 3 pumps, not 4, in www.evil.example hut.", "adds 'www.evil.example'"),
        ("We use 3 pumps, not 4, in the h'u't.", "the apostrophe"),
        ("We use' 3 pumps, not 4, in the hut.", "the apostrophe"),
        ("We use 3 pumps, not 4, in the hut'.", "the apostrophe"),
        ("We, use, 3, pumps, not, 4, in, the, hut.", "commas"),
        ("We use 3 pumps not, 4, in the hut.", "commas"),
        ("We use 3 pumps, not 4, in the, hut.", "commas"),
        ("We use 3 pumps, not 4 in the hut.", "commas"),
        ("We use 3 pumps, not 4, in-the-hut.", "compound"),
        ("We use 3 pumps - not 4 - in the hut.", ""),
        ("We use 3 pumps, not 4, in the \ufb01ne hut.", "U+FB01"),
        ("We use 3 pumps, not 4, in the \uff48ut.", "fullwidth"),
    ],
)
def test_with_an_alternative_named_no_other_word_may_come_or_go(answer: str, told: str) -> None:
    why = reason(PUMPS, answer)
    assert why
    assert told in why


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (
            "This telemetry goes, as it always has, to the vault.",
            "These measurements go, as they always have, to the vault.",
        ),
        ("The telemetry's value isn't low.", "The measurements' value isn't low."),
        ("Telemetry itself, which ages, is cheap.", "Measurements themselves, which age, are cheap."),
        ("Does telemetry help, or doesn't it?", "Do measurements help, or don't they?"),
        ("Nobody's telemetry exceeds the limit, it seems.", "Nobody's measurements exceed the limit, it seems."),
        ("We, in order to rest, utilize, it.", "We, in order to rest, use it."),
    ],
)
def test_what_grammar_asks_for_may_change(source: str, answer: str) -> None:
    assert reason(source + "\n", answer) == ""


@pytest.mark.parametrize(
    ("source", "answer", "told"),
    [
        ("We utilize it and stop.", "We use it or stop.", "'and'"),
        ("The crew utilizes the old pump.", "The pump uses the old crew.", "order"),
        ("They utilize what Alice signs.", "They use what Alice signed.", "'signs'"),
        ("We utilize all of the pumps.", "We use all of the pump.", "'pumps'"),
        ("We utilize what was there.", "We use what is there.", "'was'"),
        ("We utilize these pumps.", "We use this pumps.", "'these'"),
        ("We utilize it with care.", "We use it for care.", "'with'"),
        ("We utilize all pumps.", "We use some pumps.", "'all'"),
        ("We utilize it as such.", "We use it as there.", "'such'"),
        ("Telemetry is what was sent.", "Measurements are what is sent.", "'was'"),
        ("Telemetry is old and we sent it.", "Measurements are old and we send them.", "'send'"),
    ],
)
def test_no_more_than_agreement_changes(source: str, answer: str, told: str) -> None:
    why = reason(source + "\n", answer)
    assert told in why


@pytest.mark.parametrize(
    "answer",
    [
        "After the test we look at it, unless Alice says so.",
        "Before the test we look at it, if Alice says so.",
        "Before the test we must look at it, unless Alice says so.",
        "Before the test we only look at it, unless Alice says so.",
    ],
)
def test_said_anew_it_is_not_turned_round(answer: str) -> None:
    source = "Before the test we delve into it, unless Alice says so.\n"
    done = polish(source, Style(banned=["delve into"]), Scripted(answer, answer, answer))
    assert done.text == source
    assert "says something else" in done.findings[0].message


@pytest.mark.parametrize(
    ("sentence", "answer", "expected"),
    [
        ("We say \u201cold\u201d.", 'We call "old".', "We call \u201cold\u201d."),
        ("We say \u00abold\u00bb.", "We call \u201cold\u201d.", "We call \u00abold\u00bb."),
        ("We don\u2019t say \u201cold\u201d.", 'We don\'t call "old".', "We don\u2019t call \u201cold\u201d."),
        ("We don't say 'it'.", "We don\u2019t call \u2018it\u2019.", "We don't call 'it'."),
        ('A "b" c.', "A b c.", "A b c."),
        ("A b c.", 'A "b" c.', 'A "b" c.'),
        ("It isn\u2019t \u201cold\u201d.", 'It is not "old".', "It is not \u201cold\u201d."),
    ],
)
def test_marks_of_quotation_are_those_of_the_sentence(sentence: str, answer: str, expected: str) -> None:
    assert requoted(sentence, answer) == expected


def test_the_marks_of_a_document_are_kept_through_a_pass() -> None:
    source = "We utilize the \u201cold\u201d pump, which isn\u2019t new.\n"
    done = polish(source, STYLE, Scripted('We use the "old" pump, which isn\'t new.'))
    assert done.text == source.replace("utilize", "use")


def test_without_an_alternative_the_sentence_may_be_said_anew_within_bounds() -> None:
    style = Style(banned=["delve into"])
    source = "In this part we delve into the state of the pumps and of the valves.\n"
    near = "In this part we look at the state of the pumps and of the valves."
    far = "In this part we praise cheap foreign golden shiny toys of the pumps and of the valves."
    assert polish(source, style, Scripted(near)).text == near + "\n"
    assert polish(source, style, Scripted(far)).text == source


def test_a_script_that_is_written_with_marks_may_bring_marks() -> None:
    source = "हम utilize पानी रोज़ करते हैं।\n"
    answer = "हम काम में पानी रोज़ करते हैं।"
    assert polish(source, Style(banned=["utilize"]), Scripted(answer)).text == answer + "\n"


def test_a_phrase_that_counts_brings_its_number() -> None:
    style = Style(banned=["a plethora of"], alternatives={"a plethora of": ["many"]})
    assert (
        polish("A plethora of pumps is old.\n", style, Scripted("Many pumps are old.")).text == "Many pumps are old.\n"
    )


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("We utilize the lamp.", "WE USE THE LAMP."),
        ("We utilize the lamp.", "We use THE lamp."),
        ("The run took 5 s to utilize it.", "The run took 5 to use it."),
        ("We utilize vitamin a.", "We use vitamin."),
        ("We utilize us and US.", "We use US and us."),
        ("We utilize \u03a3 and \u03c3.", "We use \u03c3 and \u03a3."),
        ("They gave the dog to the cat and utilize it.", "They gave the dog the cat and use it."),
        ("We utilize the lamp and leave a lamp.", "We use a lamp and leave the lamp."),
        ("We utilize the lamp of the king.", "We use the lamp the king."),
        ("We utilize that.", "We use."),
        ("Talk to us to utilize it.", "Talk us to use it."),
        ("We utilize 30\u00a0kg of it.", "We use 30 kg of it."),
        ("We utilize it\nnow and then and then.", "We use it now and\nthen and then."),
        ("We utilize the lamp here.", "We use lamp here."),
        ("We utilize the lamp here.", "We here use the lamp."),
        ("A dog and telemetry sleep.", "Dog and measurements sleep."),
    ],
)
def test_nothing_changes_but_the_word_and_what_agrees_with_it(source: str, answer: str) -> None:
    assert reason(source + "\n", answer) != ""


def test_a_number_keeps_its_unit_where_the_sentence_is_said_in_another_way() -> None:
    bare = Style(banned=["utilize"])
    for answer, edits in (("We take the lamp at 5 km.", 0), ("We take the lamp at 5 m.", 1)):
        assert len(polish("We utilize the lamp at 5 m.\n", bare, Scripted(answer)).edits) == edits


COUNTING = {"plethora of": ["many"], "numerous": ["many"], "a number of": ["several"], "all": ["each"]}


@pytest.mark.parametrize(
    ("sentence", "mended"),
    [
        ("There is a plethora of pumps.", ""),
        ("The plethora of pumps is loud.", ""),
        ("A numerous family came.", ""),
        ("A number of the pumps is odd.", ""),
        ("There is a number of pumps.", ""),
        ("All pumps are off.", ""),
        ("A number of pumps were lost.", "Several pumps were lost."),
        ("The numerous pumps hum.", "The many pumps hum."),
    ],
)
def test_a_word_that_says_how_many_goes_in_only_where_the_rest_agrees(sentence: str, mended: str) -> None:
    style = Style(banned=list(COUNTING), alternatives=COUNTING)
    assert polish(sentence + "\n", style, by_rules()).text == (mended or sentence) + "\n"


@pytest.mark.parametrize(
    ("sentence", "answer", "edits"),
    [
        ("There is a plethora of pumps.", "There is a many pumps.", 0),
        ("There is a plethora of pumps.", "There are many pumps.", 1),
        ("The plethora of pumps is loud.", "The many pumps is loud.", 0),
        ("The plethora of pumps is loud.", "Many pumps are loud.", 1),
        ("A number of the pumps is odd.", "Several the pumps is odd.", 0),
        ("All pumps are off.", "Each pumps are off.", 0),
    ],
)
def test_an_answer_that_says_how_many_agrees(sentence: str, answer: str, edits: int) -> None:
    style = Style(banned=list(COUNTING), alternatives=COUNTING)
    assert len(polish(sentence + "\n", style, Scripted(answer)).edits) == edits


@pytest.mark.parametrize(
    ("heading", "mended"),
    [
        ("# How We Utilize the Cloud Today\n", "# How We Use the Cloud Today\n"),
        ("# Utilize the Old Pumps\n", "# Use the Old Pumps\n"),
        ("# How we utilize the cloud\n", "# How we use the cloud\n"),
    ],
)
def test_a_short_word_in_a_title_has_a_capital_too(heading: str, mended: str) -> None:
    assert polish(heading, STYLE, by_rules()).text == mended


FORMS = Style(
    banned=["leverage", "telemetry", "take", "Helm", "=API"],
    alternatives={
        "leverage": ["use"],
        "telemetry": ["signal", "measurements"],
        "take": ["seize", "write"],
        "Helm": ["chart"],
        "=API": ["interface"],
    },
)


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        # a verb keeps its form
        ("They can leverage it.", "They can use it.", "They can uses it."),
        ("They must never leverage it.", "They must never use it.", "They must never uses it."),
        ("We plan to leverage it.", "We plan to use it.", "We plan to uses it."),
        ("They didn't leverage it.", "They didn't use it.", "They didn't uses it."),
        ("Let's leverage it.", "Let's use it.", "Let's uses it."),
        ("Leverage it now.", "Use it now.", "Uses it now."),
        ("You leverage it.", "You use it.", "You uses it."),
        ("He helps us leverage it.", "He helps us use it.", "He helps us uses it."),
        ("Bob leverages it.", "Bob uses it.", "Bob use it."),
        ("The man leverages it.", "The man uses it.", "The man use it."),
        ("The men leverage it.", "The men use it.", "The men uses it."),
        ("She who leverages it rests.", "She who uses it rests.", "She who use it rests."),
        ("It was taken at night.", "It was written at night.", "It was wrote at night."),
        ("They have taken it.", "They have written it.", "They have wrote it."),
        ("We took it.", "We wrote it.", "We written it."),
        # so does a noun, but for what grammar asks for
        ("A leverage works.", "A use works.", "A uses works."),
        ("Each leverage works.", "Each use works.", "Each uses works."),
        ("Every old leverage was big.", "Every old use was big.", "Every old uses was big."),
        ("Many leverages work.", "Many uses work.", "Many use work."),
        ("Two leverages are big.", "Two uses are big.", "Two use are big."),
        ("The leverages are big.", "The uses are big.", "The use are big."),
        ("The leverage is big.", "The use is big.", "The uses is big."),
        ("The telemetry is big.", "The signals are big.", "The signals is big."),
        ("The telemetry is big.", "The signal is big.", "The signal are big."),
        ("The telemetry grows.", "The signals grow.", "The signals grows."),
        ("The telemetry grows.", "The signal grows.", "The signal grow."),
        ("The telemetry grows.", "The measurements grow.", "The measurements grows."),
        ("This telemetry was ok.", "These signals were ok.", "This signals was ok."),
        ("A telemetry works.", "A signal works.", "A signals works."),
        ("A telemetry stream works.", "A measurement stream works.", "A measurement stream work."),
        ("Telemetry is on.", "Signals are on.", "Signals is on."),
        ("Telemetry it sends is on.", "Signals it sends are on.", "Signals it sends are On."),
        (
            "The telemetry is on and the pump is off.",
            "The signals are on and the pump is off.",
            "The signals are on and the pump are off.",
        ),
        (
            "The telemetry is on and it is old.",
            "The signals are on and they are old.",
            "The signal are on and it is old.",
        ),
        ("Telemetry is what saves us.", "Measurements are what save us.", "Measurements is what save us."),
        # capitals are those of its place
        ("We leverage it.", "We use it.", "We Use it."),
        ("We leverage it.", "We use it.", "We USE it."),
        ("We leverage it.", "We use it.", "We uSe it."),
        ("Leverage it.", "Use it.", "USE it."),
        ("The Leverage Act is old.", "The Use Act is old.", "The use Act is old."),
        ("WE LEVERAGE IT.", "WE USE IT.", "WE uSE IT."),
        ("A telemetry unit is old.", "A signal unit is old.", "A Signal unit is old."),
        ("The telemetry is old.", "The measurements are old.", "The Measurements are old."),
        ("We take the Helm here.", "We take the chart here.", "We take the CHART here."),
        ("We call the API now.", "We call the interface now.", "We call the iNterface now."),
    ],
)
def test_what_is_put_in_has_the_form_and_the_capitals_of_its_place(source: str, right: str, wrong: str) -> None:
    style = FORMS.model_copy(update={"banned": [term for term in FORMS.banned if term != "take"]})
    style = FORMS if any(word in source for word in ("took", "taken")) else style
    assert polish(source + "\n", style, Scripted(right)).text == right + "\n"
    done = polish(source + "\n", style, Scripted(wrong, wrong, wrong, ""))
    assert (done.text, done.edits) == (source + "\n", ())


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("It has leverage now.", "It has influence now.", "It had influence now."),
        ("It has leverage now.", "It has influence now.", "It have influence now."),
        ("Its leverage has grown.", "Its benefit has grown.", "Its benefit had grown."),
        ("Its leverage has grown.", "Its benefits have grown.", "Its benefits has grown."),
        ("The leverage was ours.", "The benefit was ours.", "The benefit is ours."),
        ("The leverage is big.", "The benefit is big.", "The benefit's big."),
        ("The leverage is big.", "The benefits are big.", "The benefits is big."),
        ("A leverage is on.", "A benefit is on.", "The benefit is on."),
        ("He does leverage it.", "He does employ it.", "He did employ it."),
        ("He does leverage it.", "He does employ it.", "He do employ it."),
        (
            "We have leverage and they have oil.",
            "We have benefits and they have oil.",
            "We have benefit and they has oil.",
        ),
        ("The leverage of dogs is big.", "The benefit of dogs is big.", "The benefit of dog is big."),
        (
            "The leverage was on and I was off.",
            "The benefits were on and I was off.",
            "The benefits were on and I were off.",
        ),
        ("You must leverage it.", "You must employ it.", "You must employs it."),
        ("You must leverage it.", "You must employ it.", "You must employed it."),
        ("We leverage it.", "We employ it.", "We employed it."),
        ("He leverages it.", "He employs it.", "He employed it."),
        ("He leveraged it.", "He employed it.", "He employs it."),
        ("We are leveraging it.", "We are employing it.", "We are employs it."),
        ("The leverages are big.", "The assets are big.", "The assets is big."),
        ("Many leverages are big.", "Many assets are big.", "Many asset are big."),
        ("Two leverages are big.", "Two assets are big.", "Two asset are big."),
        ("Each leverage is big.", "Each asset is big.", "Each assets is big."),
        ("The leverages are big.", "The police are big.", "The asset are big."),
        ("This leverages the pump.", "This employs the pump.", "This employ the pump."),
        ("If it has leverage, go.", "If it has weight now, go.", "If it had weight now, go."),
        ("The contemporary leverage is big.", "Today's leverage is big.", "Today leverage's big."),
    ],
)
def test_said_anew_tense_and_number_stay_those_of_the_sentence(source: str, right: str, wrong: str) -> None:
    style = Style(banned=["the contemporary" if "contemporary" in source else "leverage"])
    assert polish(source + "\n", style, Scripted(right)).text == right + "\n"
    done = polish(source + "\n", style, Scripted(wrong, wrong, wrong, ""))
    assert (done.text, done.edits) == (source + "\n", ())


@pytest.mark.parametrize("answer", ["This uses the pump.", "Each uses the pump.", "One uses the pump."])
def test_what_may_be_a_determiner_may_be_a_subject(answer: str) -> None:
    source = answer.replace("uses", "leverages") + "\n"
    assert polish(source, FORMS, Scripted(answer)).text == answer + "\n"
    assert polish(source, FORMS, by_rules()).text in (answer + "\n", source)
