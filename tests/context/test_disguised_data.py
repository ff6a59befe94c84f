"""Keys and numbers as Markdown, HTML and typography write them: they go like the plain ones, and nothing else goes."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.context import sanitize
from firewall.context.screen import Screen
from firewall.verdict import Outcome

PICKS = random.Random(15)
BODY = "aB3d" + "".join(PICKS.choices(string.ascii_letters + string.digits, k=32))
HUB, LAB = "gh" + "p_" + BODY, "gl" + "pat-" + BODY[:20]
CARD, IBAN = "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00"


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@pytest.mark.parametrize(
    "blank", ["\u00a0", "\u2009", "\u202f", "\u2007", "\u3000", "\u2011", "\u2013", "\u2212", "&nbsp;", "&#160;"]
)
@pytest.mark.parametrize("number", [CARD, IBAN])
def test_a_number_with_typographic_blanks_goes(blank: str, number: str) -> None:
    clean, findings = sanitize(f"pay {number.replace(' ', blank)} now")
    assert clean == "pay  now"
    assert [(f.rule, f.start, f.end) for f in findings] == [("personal", 4, 4 + len(number.replace(" ", blank)))]


@pytest.mark.parametrize(
    "written",
    [
        wide(CARD.replace(" ", "")), wide(IBAN), "&#52;111111111111111", "&#x34;111 1111 1111 1111",
        "4111  1111  1111  1111", "٤١١١ ١١١١ ١١١١ ١١١١", "41**11 1111** 1111 1111", "4111\\-1111\\-1111\\-1111",
        "𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏",
    ],
)  # fmt: skip
def test_a_number_in_other_digits_references_and_markup_goes(written: str) -> None:
    clean, findings = sanitize(f"pay {written} now")
    assert not any(c.isdigit() for c in clean), clean
    assert [f.rule for f in findings] == ["personal"]
    assert sanitize(clean).text == clean


@pytest.mark.parametrize("around", ["_{}_", "*{}*", "**{}**", "___{}___", "`{}`", "~~{}~~", "**_{}_**"])
@pytest.mark.parametrize("what", [CARD, CARD.replace(" ", ""), IBAN, HUB, LAB])
def test_what_is_emphasized_goes_and_its_marks_stay(around: str, what: str) -> None:
    assert sanitize(f"see {around.format(what)} here").text == f"see {around.format('')} here"


@pytest.mark.parametrize(
    "key",
    [
        HUB.replace("_", "\\_"), HUB.replace("_", "&#95;"), HUB.replace("_", "&lowbar;"), HUB.replace("a", "&#97;", 1),
        HUB[:10] + "**" + HUB[10:], wide(HUB), LAB.replace("-", "\\-"), LAB.replace("-", "\u2011"),
        LAB[:-4] + "\\_" + LAB[-4:],
        "AK&#73;A" + "QZ7X2M4P6R3T5V2W", "github\\_pat\\_" + BODY + BODY,
    ],
)  # fmt: skip
def test_a_key_as_markdown_and_html_write_it_goes(key: str) -> None:
    raw = f"the token {key} is mine"
    clean, findings = sanitize(raw)
    assert clean == "the token  is mine"
    assert [(f.rule, f.start, f.end) for f in findings] == [("secret", 10, 10 + len(key))]
    assert [f.outcome for f in sanitize(raw, Screen(secrets=Outcome.BLOCK)).findings] == [Outcome.BLOCK]


WORD = "Xk9#mQ2$vL7!pR4z"


@pytest.mark.parametrize(
    "written",
    [
        "**password:** {}", "**Password**: `{}`", "`password`: {}", "| password | {} |", "DB_PASS={}", "Passwort: {}",
        "Password is {}", "mysql --password {} now", "mysql --password={}", "<password>{}</password>", "'token': '{}'",
    ],
)  # fmt: skip
def test_an_assigned_password_goes_however_it_is_set(written: str) -> None:
    clean, findings = sanitize(written.format(WORD))
    assert clean == written.format("")
    assert [f.rule for f in findings] == ["secret"]
    assert sanitize(clean).text == clean


@pytest.mark.parametrize(
    "written",
    [
        IBAN.lower(), IBAN.replace(" ", "."), IBAN.replace("DE", "DE "),
        "De" + IBAN.replace(" ", "")[2:],
        HUB[:10] + "\n" + HUB[10:], HUB[:10] + "-\n> " + HUB[10:], HUB[:10] + "\\\n" + HUB[10:],
    ],
)  # fmt: skip
def test_other_forms_of_accounts_and_keys_over_a_line_break_go(written: str) -> None:
    assert sanitize(f"see {written} here").text == "see  here"
    assert sanitize("see IBAN" + IBAN.replace(" ", "")).text == "see IBAN"


@pytest.mark.parametrize(
    "text",
    [
        "| token | the name of a page, of 20 characters or more |", "next_token | Xk9mQ2vL7pR4zXk9mQ2vL7pR4z",
        "The key is somewhere-in-the-house-2024", "| key | value |\n|---|---|\n| api-key | your-api-key-goes-here-1 |",
        "Of 20 people 1234 5678 came, as 12.3456.7890 says", "tokens begin with ghp_\nand glpat-\nand so on",
        "pass --token $TOKEN or --password-file /etc/app/secret-2024.txt", "<token>identifier_of_the_token</token>",
    ],
)  # fmt: skip
def test_names_of_secrets_and_tables_of_them_stay(text: str) -> None:
    assert sanitize(text) == (text, ())


def test_words_behind_an_emphasized_key_stay() -> None:
    assert sanitize(f"**{HUB}**tail and `{LAB}`s").text == "****tail and ``s"


def test_contacts_are_found_so_too() -> None:
    for raw in ("call +49\u00a030\u00a0901820 now", "write a\\_b@mail.example.co now", "call ＋49 30 ９０１８２０ now"):
        clean, findings = sanitize(raw)
        assert clean == raw
        assert [f.rule for f in findings] == ["contact"], raw


@pytest.mark.parametrize(
    "text",
    [
        "4111\u00a01111\u00a01111\u00a01112", "a_4111111111111111", "id_4111111111111111_x",
        "4000  1200  1300  1450  1500",
        "１２３４５６７８９",
        "2019  2020  2021  2022", "snake\\_case and __init__ and *4* **x**", "١٢٣٤ ٥٦٧٨ ٩٠١٢ ٣٤٥٦",
        "ghp\\_ is a prefix",
        "价格１００円、２００円",
        "see `a`_ and __b__ or 5 * 4 * 3", "AT&amp;T &#52; and R&D",
    ],
)  # fmt: skip
def test_other_text_of_that_kind_stays(text: str) -> None:
    assert sanitize(text) == (text, ())


@given(
    st.lists(
        st.sampled_from([HUB, CARD, "&#52;", "111", "\u00a0", "\\_", "_", "**", "４", "gh", "p", " ", "&amp;", BODY]),
        max_size=12,
    )
)
def test_the_laws_hold(pieces: list[str]) -> None:
    raw = "".join(pieces)
    clean, findings = sanitize(raw)
    assert len(clean) <= len(raw)
    assert sanitize(clean).text == clean
    assert all(0 <= f.start < f.end <= len(raw) for f in findings)
