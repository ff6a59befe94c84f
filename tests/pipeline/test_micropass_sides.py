"""What stands on both sides of a replaced word comes back as it was: signs, markup, line breaks and all."""

from __future__ import annotations

import pytest
from editors import Scripted, by_rules
from hypothesis import given
from hypothesis import strategies as st

from firewall.policy.style import Style
from pipeline.micropass import polish
from pipeline.micropass.record import MemoryRecorder

STYLE = Style(
    banned=["leverage", "make use of", "dataset", "plethora of"],
    alternatives={
        "leverage": ["use", "put to work"],
        "make use of": ["use"],
        "dataset": ["records"],
        "plethora of": ["many"],
    },
)


def takes(source: str, answer: str) -> bool:
    done = polish(source, STYLE, Scripted(answer))
    assert done.edits or done.text == source
    return bool(done.edits)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("**We** leverage it.", "**We use** it."),
        ("We leverage *it*.", "We *use* it."),
        ("We leverage *it*.", "We *use it*."),
        ("We leverage [it](a.md).", "We [use it](a.md)."),
        ("[We](a.md) leverage it.", "[We use](a.md) it."),
        ("We leverage <b>it</b>.", "We <b>use</b> it."),
        ("We leverage ~~it~~.", "We ~~use it~~."),
        ("We leverage ==it==.", "We ==use it==."),
        ("We leverage `a` it.", "We `a` use it."),
        ("We leverage[^1] it.\n\n[^1]: x.", "We[^1] use it."),
        ("We leverage (it).", "We (use it)."),
        ("We (leverage) it.", "We use (it)."),
        ("We: leverage it.", "We use: it."),
        ("We leverage \u201cit\u201d.", "We \u201cuse it\u201d."),
        ("We leverage \U0001f600 it.", "We \U0001f600 use it."),
        ("We leverage\nit.", "We\nuse it."),
        ("We leverage  \nit now.", "We  \nuse it now."),
        ("We leverage\\\nit now.", "We\\\nuse it now."),
        ("The dogs' leverage grew.", "The dogs use grew."),
        ("We leverage the dogs'.", "We use the dogs."),
        ("We leverage 'it'.", "We use it."),
        ("We -- leverage it.", "We use it."),
        ("We leverage - it.", "We use it."),
        ("We leverage  it.", "We use it."),
        ("We leverage it.", "We, use it."),
        ("We leverage it.", "We use, it."),
        ("We leverage it.", "We use it,."),
        ("We leverage \u0915\u0940.", "We use \u0915\u093e."),
        ("We leverage \u0e01\u0e47.", "We use \u0e01\u0e49."),
        ("We leverage it every day with care and joy.", "We use use it every day with care and joy."),
        ("He leverages it.", "He use it."),
        ("When it often leverages it, go.", "When it often use it, go."),
        ("They leverage it.", "They uses it."),
        ("We leverage it every day with care and joy.", "We put use to work it every day with care and joy."),
    ],
)
def test_nothing_beside_the_word_moves_comes_or_goes(source: str, answer: str) -> None:
    assert not takes(source + "\n", answer)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("**We** leverage *it*.", "**We** use *it*."),
        ("We leverage (it) - 'now'.", "We use (it) - 'now'."),
        ("We leverage it.", "We put to work it."),
        ("We leverage\nit.", "We use it."),
        ("The leverage's end is near.", "The use's end is near."),
        ("The dataset's end is near.", "The records' end is near."),
        ("A dataset is *old*.", "Records are *old*."),
        ("An old dataset is here.", "Old records are here."),
        ("The plethora of lamps is loud.", "Many lamps are loud."),
        ("We make\nuse of it.", "We use\nit."),
        ("He leverages it.", "He uses it."),
        ("Does he leverage it?", "Does he use it?"),
        ("We make *use* of it.", "We *use* it."),
        ("We, in order to rest, leverage, it.", "We, in order to rest, use it."),
        ("We use what we leverage.", "We use what we use."),
        ("We leverage use.", "We use use."),
        ("We leverage \u0915\u0940.", "We use \u0915\u0940."),
        ("\u6211\u4eecleverage\u5b83\u3002", "\u6211\u4eecuse\u5b83\u3002"),
    ],
)
def test_what_agreement_asks_for_still_passes(source: str, answer: str) -> None:
    assert takes(source + "\n", answer)


@given(
    st.lists(st.sampled_from(["the lamp", "*it*", "`x`", "[a](b.md)", "(so)", "'now'", "**we**", "5 kg"]), max_size=5),
    st.integers(0, 5),
    st.sampled_from([" ", "\n", ", ", " - ", "; "]),
)
def test_the_rules_leave_all_but_the_word(parts: list[str], place: int, gap: str) -> None:
    at = min(place, len(parts))
    source = "We " + gap.join([*parts[:at], "leverage", *parts[at:]]) + ".\n"
    done = polish(source, STYLE, by_rules())
    assert done.text in (source, source.replace("leverage", "use"))
    swapped = polish(source, STYLE, Scripted(source.strip().replace("leverage", "use")))
    assert swapped.text == source.replace("leverage", "use")


def test_a_word_in_braces_may_be_a_program_and_stays() -> None:
    for source in ("We eat {leverage} now.\n", "We eat {a.b(leverage, 1)} now.\n"):
        assert polish(source, STYLE, by_rules()).text == source
    assert polish("We {really} leverage it {now}.\n", STYLE, by_rules()).text == "We {really} use it {now}.\n"


def test_a_wiki_link_to_a_heading_of_its_own_page_is_a_link() -> None:
    source = "See [[#How we leverage it]] and [[#Part#Leverage|x]].\n\n## How we leverage it\n\n## Leverage\n\n"
    done = polish(source + "## To leverage it\n", STYLE, by_rules())
    assert done.text == source + "## To use it\n"


@pytest.mark.parametrize("more", ["", "We leverage it here.\n\n" * 9])
def test_no_heading_becomes_the_twin_of_another(more: str) -> None:
    source = f"# T\n\n## Use it\n\nOil.\n\n{more}## Leverage it\n\nWater.\n\n## More\n\n### Leverage it\n\nAir.\n"
    wanted = source.replace("We leverage", "We use").replace("### Leverage", "### Use")
    done = polish(source, STYLE, by_rules())
    assert done.text == wanted  # under another heading it is told from the first by that
    assert "another heading has the anchor #use-it" in done.findings[-1].message
    linked = source.replace("Oil.", "[Oil](#use-it).")
    assert "### Leverage it" in polish(linked, STYLE, by_rules()).text


@pytest.mark.parametrize("more", ["", "We leverage it here.\n\n" * 9])
def test_what_was_said_of_one_heading_does_not_stand_for_its_equal(more: str) -> None:
    source = f"# T\n\n## Leverage it\n\n{more}## Leverage it\n\n"
    kept, editor = MemoryRecorder(), by_rules()
    first = polish(source, STYLE, editor, recorder=kept)
    assert first.text == source.replace("We leverage", "We use").replace("## Leverage it", "## Use it", 1)
    asked = len(editor.tasks)
    second = polish(source, STYLE, editor, recorder=kept)
    assert (second.text, len(editor.tasks)) == (first.text, asked)
    assert [f.message for f in second.findings] == [f.message for f in first.findings]


@pytest.mark.parametrize("around", ["_", "__", "*", "_**"])
def test_a_word_in_emphasis_is_a_word_like_others(around: str) -> None:
    source = f"We {around}leverage{around[::-1]} it.\n"
    assert polish(source, STYLE, by_rules()).text == source.replace("leverage", "use")
    assert polish("We my_leverage it.\n", STYLE, by_rules()).text == "We my_leverage it.\n"
