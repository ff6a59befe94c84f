"""Keys and numbers are found where something that went glued them to a neighbour, and behind escapes and margins."""

from __future__ import annotations

import sys

import pytest

from firewall.context import personal
from firewall.context.clean import sanitize

KEY = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
CARD = "4111111111111111"
IBAN = "DE89370400440532013000"


@pytest.mark.parametrize("data", [KEY, CARD, IBAN, "AKIAIOSFODNN7EXAMPLQ"])
@pytest.mark.parametrize(
    ("around", "left"),
    [
        ("<table><tr><td>Name</td><td>{}</td><td>active</td></tr></table>", "Nameactive"),
        ("<p>Name</p><p>{}</p>", "Name"),
        ("<li>Name</li><li>{}</li>", "Name"),
        ("Name<br>{}", "Name"),
        ("Name\u200b{}", "Name"),
        ("Name\x00{}", "Name"),
        ("Name[cite: 1]{}", "Name"),
        ("1<!-- -->{}", "1"),
    ],
)
def test_what_is_removed_beside_a_secret_or_a_number_does_not_hide_it(data: str, around: str, left: str) -> None:
    cleaned = sanitize(around.format(data))
    assert cleaned.text == left
    assert {f.rule for f in cleaned.findings} & {"secret", "personal"}
    assert sanitize(cleaned.text).text == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{CARD} 12/26 123", " 12/26 123"),
        ("4111 1111 1111 1111 123", " 123"),
        (f"{CARD}-12/26", "-12/26"),
        ("1 4111 1111 1111 1111", "1 "),
        (f"卡号{CARD}。", "卡号。"),
        (f"no.{CARD}", "no."),
        (f"-{CARD}", "-"),
        ("- 4111 1111 1111 1111", "- "),
        (f"at /{CARD}/", "at //"),
        (f"Visa{CARD}", "Visa"),
        ("4111.1111.1111.1111", ""),
        ("4111_1111_1111_1111", ""),
        ("4111/1111/1111/1111.", "."),
        ("NoDE89370400440532013000", "No"),
        ("4111<br>1111 1111 1111", ""),
    ],
)
def test_a_card_is_found_with_its_date_or_code_behind_it(text: str, left: str) -> None:
    assert sanitize(text).text == left


@pytest.mark.parametrize(
    "text",
    [
        "The ratio is 0.4111111111111111 of it.",
        "build-4111111111111111",
        "/v1/4111111111111111",
        "x4111111111111111",
        "4111\n1111\n1111\n1111",  # one group a line is a column
        f"+{CARD}",  # a number with a plus is a telephone's
        "4111.1111.1111.1111.1111",
        "411111111111111112345678",
        "4111 1111 1111 1112 12/26",
        "12 34 56 78 90 12 34 56 78",
    ],
)
def test_numbers_that_are_no_card_stay(text: str) -> None:
    assert sanitize(text).text == text


@pytest.mark.parametrize("data", [KEY, CARD])
@pytest.mark.parametrize(
    "around", ['{{"a": "x\\n{}"}}', "\\t{} x", "a=%20{}", "x%3D{}&b", "%22{}%22", "\\u0022{}\\u0022"]
)
def test_an_escape_before_a_secret_or_a_number_is_read_as_what_it_stands_for(data: str, around: str) -> None:
    text = around.format(data)
    assert sanitize(text).text == text.replace(data, "")


@pytest.mark.parametrize(
    ("first", "margin", "end"),
    [("> ", "> ", ""), ("# ", "# ", ""), (" * ", " * ", ""), ("| ", "| ", " |"), ("; ", "; ", ""), ('["', ' "', '",')],
)
def test_a_private_key_is_found_behind_the_margins_of_its_lines(first: str, margin: str, end: str) -> None:
    lines = ["-----BEGIN PRIVATE KEY-----", "MIIEowIBAAKCAQEA7bQxZ9kLmN3pR5tV7wX", "-----END PRIVATE KEY-----"]
    text = first + f"{end}\n{margin}".join(lines) + end + "\n\nThe rest.\n"
    cleaned = sanitize(text)
    assert "MIIE" not in cleaned.text
    assert cleaned.text.endswith("\n\nThe rest.\n")
    assert [f.evidence["format"] for f in cleaned.findings if f.rule == "secret"] == ["private-key"]


def test_a_long_row_of_digits_is_looked_over_once() -> None:
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    steps = []
    for size in (1000, 4000):
        calls = 0
        sys.setprofile(count)
        try:
            list(personal.numbers("4 " * size))
        finally:
            sys.setprofile(None)
        steps.append(calls)
    assert steps[1] < 5 * steps[0]
