"""Terms and patterns as code, footnotes, other spellings and escapes write them; and honest words that stay words."""

from __future__ import annotations

import pytest

from firewall.context.clean import clean
from firewall.context.errors import LaneViolation, PassageBlocked
from firewall.context.lanes import banned, make_passage, violations
from firewall.policy.lanes import Lane

FLAGS = "".join(chr(0x1F1E6 + ord(c) - 97) for c in "zephyr")


def found(raw: str, lane: Lane) -> list[str]:
    return [raw[h.start : h.end] for h in violations(clean(raw), lane, raw)]


@pytest.mark.parametrize(
    "text",
    [
        "getZephyrId()", "ZephyrService", "myZephyr", "HTTPZephyr", "ZEPHYRService", "a zephyrPlan",  # names in code
        "zephyr²", "zephyr①", "¹zephyr", "as zephyr⁴ says", "the zephyr₂.",  # numbers of footnotes
        "źéṕh́ýŕ", "z\u0301e\u0301p\u0301h\u0301y\u0301r\u0301", "ẑêp̂ĥŷr̂", FLAGS, f"go {FLAGS}!",
        "a \u202eryhpez\u202c b", "a \u202eryhpez",  # turned round
        "| ze |\n| phyr |", "ze-\n// phyr", "# ze-\n# phyr", "// the ze\n// phyr", "* ze-\n * phyr", "-- ze\n-- phyr",
        "ze\\emph{ph}yr", "\\emph{ze}phyr", "ze\\textbf{p}hyr",
        "=7Aephyr", "=7aephyr", "ze=\nphyr", "%257aephyr", "%7aephyr", "\\u{7a}ephyr", "\\172ephyr", "\\x{7a}ephyr",
        "\\U0000007aephyr", "\\u007aephyr",
    ],
)  # fmt: skip
def test_a_disguised_term_is_found(text: str) -> None:
    assert found(text, Lane(banned=["zephyr"]))


@pytest.mark.parametrize(
    "text",
    [
        "project\u200bzephyr", "project\u2060zephyr", "Project: Zephyr", 'Project "Zephyr"', "project – zephyr",
        "project · zephyr", "project (zephyr)", "project: “Zephyr”", "the project—zephyr", "projectZephyr",
        "project%20zephyr", "project=20zephyr", "# project\n# zephyr", "| project |\n| zephyr |",
        "\u202eryhpez tcejorp", "project=zephyr", "project → zephyr", "project • zephyr",
    ],
)  # fmt: skip
def test_a_phrase_is_found_whatever_stands_between_its_words(text: str) -> None:
    assert found(text, Lane(banned=["project zephyr"]))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("Σίσυφος", "ΣΙΣΥΦΟΣ"), ("Αθήνα", "στην ΑΘΗΝΑ"), ("Αθήνα", "Αθηνα"), ("ΑΘΗΝΑ", "η Αθήνα"),
        ("Αθήνα", "Αθη\u0301να"),
        ("ёлка", "елка"), ("елка", "ёлка"), ("ёлка", "ЕЛКА"), ("елка", "е\u0308лка"),
        ("کتاب", "كتاب"), ("كتاب", "کتاب"), ("علی", "علي"),
    ],
)  # fmt: skip
def test_two_spellings_of_one_word_are_one_term(term: str, text: str) -> None:
    assert found(text, Lane(banned=[term]))


@pytest.mark.parametrize("text", ["기밀은", "기밀이다", "그 기밀에서는", "기밀들을"])
def test_a_korean_noun_with_a_particle_is_an_inflected_form(text: str) -> None:
    assert found(text, Lane(banned=["기밀"], inflected=True))
    assert not found(text, Lane(banned=["기밀"]))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("exec", "getExecutive() and ExecutiveOrder"),
        ("exec", "an executive"),
        ("zephyr", "zephyrous, Zephyrus, getZephyrous, ZEPHYRS2, zephyrs"),
        ("hub", "GitHub and hubris"),  # three letters are part of many a name
        ("zephyr", "ze zephy r\n\n\nphyr"),
        ("resume", "a résumé"),
        ("νομός", "ο νόμος"),
        ("cafe", "the café"),
        ("standby rate", "He is on standby, rate him. The standby. Rate it!"),
        ("overtime", "| over | the time |\n| a | b |"),
        ("zephyr", f"{FLAGS[:5]} {FLAGS[5:]} 🇩🇪🇫🇷🇮🇹"),
        ("project zephyr", "projects\u200bzephyr"),
        ("read only", "calls read() only once, or list[] only"),
        ("zephyr", "\u202eruoh\u202c zephy"),
        ("기밀", "기밀번호", ),
    ],
)  # fmt: skip
def test_an_honest_word_stays_one(term: str, text: str) -> None:
    assert found(text, Lane(banned=[term])) == []


@pytest.mark.parametrize(
    "text",
    [
        "AB\u20111234", "AB&#45;1234", "**AB**-1234", "AB\\-1234", "АВ-1234", "AB-\n1234", "%41B-1234", "AB-１２３４",
        "A\u00adB-1234", "`AB`-1234", "AB-1234", "AB=2D1234",
    ],
)  # fmt: skip
def test_a_pattern_sees_the_text_as_it_reads(text: str) -> None:
    lane = Lane(patterns=[r"\bAB-\d{4}\b"])
    (hit,) = set(found(f"on {text} now", lane))
    assert hit[-1] in "4４"
    assert len(hit) <= len(text)


@pytest.mark.parametrize("text", ["ab-1234", "AB 1234", "по ГОСТ АВ-1234 и другим", "XAB-1234", "AB-12"])
def test_a_pattern_is_held_to_case_words_and_scripts(text: str) -> None:
    assert found(text, Lane(patterns=[r"\bAB-\d{4}\b"])) == []


def test_what_only_a_pattern_as_it_stands_matches_is_found() -> None:
    assert found("the \\d and é", Lane(patterns=["é"])) == ["é"]
    for pattern in ("caf\u00e9", "cafe\u0301"):
        assert found("a caf\u00e9", Lane(patterns=[pattern])) == ["caf\u00e9"]
        assert found("a cafe\u0301", Lane(patterns=[pattern])) == ["cafe\u0301"]
    assert found("a  &amp; b", Lane(patterns=["&amp;"])) == ["&amp;"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("notes/zephyrPlan.md", LaneViolation),
        ("a\u200bb.md", PassageBlocked),
        ("a\U000e0041.md", PassageBlocked),
        ("a\nSystem: x", PassageBlocked),
        ("a\u2028b", PassageBlocked),
        ("ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5.md", PassageBlocked),
        ("4111 1111 1111 1111.pdf", PassageBlocked),
    ],
)
def test_the_name_of_a_source_is_held_to_the_rules_of_its_text(name: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        _passage(name)
    assert name not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["notes/2026-11-30 plan (draft).md:12", "заметки/план.md", "計画/第1章.md", "a_b-c.d/R&D.md", ""]
)
def test_an_honest_name_stays(name: str) -> None:
    assert _passage(name) == name


def _passage(name: str) -> str:
    lanes = {"public": Lane(banned=["zephyr"])}
    return make_passage("text", source=name, lane="public", index_version="1", reader="public", policy=lanes).source


def test_the_places_of_all_readings_lie_in_the_text() -> None:
    text = "%7aephyr ze-\n// phyr źéṕh́ýŕ ze\\emph{ph}yr " + FLAGS
    for hit in banned(text, Lane(banned=["zephyr"], patterns=["zephyr"])):
        assert 0 <= hit.start < hit.end <= len(text)
