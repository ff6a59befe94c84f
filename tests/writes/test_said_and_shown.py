"""What a rule takes for a marker, a notice, a chat or damage, and what for text: many lines, both ways.

The lines are other ones than the rules' own examples.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken_lines import BEHIND, BEHIND_AND_TEXT, IN_FRONT, IN_FRONT_AND_TEXT, NO_OMISSIONS, OMISSIONS
from stet_kit import prose

from firewall.text.chat import closing, opening
from firewall.text.notices import notices, wrapping
from firewall.text.omission import appended, classes, says_omitted
from firewall.text.squeeze import squeeze
from firewall.writes.measures import Measures
from firewall.writes.rules import encoding, placeholder, read_artifact
from firewall.writes.rules.base import example

CHAPTER = prose(1200)
PARTS = CHAPTER.split("\n\n")


def found(rule: object, old: str | None, new: str | bytes, path: str = "chapter.md") -> list[str]:
    facts = example("", old, new, False, path=path).facts
    return [finding.message for finding in rule.check(facts, Measures(facts))]  # type: ignore[attr-defined]


def in_place_of_two(line: str) -> str:
    return "\n\n".join([*PARTS[:5], line, *PARTS[7:]])


GERMAN = "Die Lampen glühen über Nacht.\n\nNiemand löscht sie früher, auch für Gäste nicht.\n\nMit Öl spart man.\n"


@pytest.mark.parametrize("line", OMISSIONS)
def test_a_marker_for_two_paragraphs_is_refused(line: str) -> None:
    assert found(placeholder, CHAPTER, in_place_of_two(line))


@pytest.mark.parametrize("line", NO_OMISSIONS)
def test_a_line_of_text_for_two_paragraphs_is_no_marker(line: str) -> None:
    assert not found(placeholder, CHAPTER, in_place_of_two(line))


@pytest.mark.parametrize("line", OMISSIONS)
def test_a_marker_where_nothing_is_lost_passes(line: str) -> None:
    assert not found(placeholder, CHAPTER, "\n\n".join([*PARTS[:5], line, *PARTS[5:]]))


@pytest.mark.parametrize("line", BEHIND)
def test_what_a_tool_or_a_chat_puts_behind_a_text_is_refused(line: str) -> None:
    assert found(read_artifact, CHAPTER, f"{CHAPTER}\n{line}\n")


@pytest.mark.parametrize("line", BEHIND_AND_TEXT)
def test_an_author_may_end_with_it(line: str) -> None:
    assert not found(read_artifact, CHAPTER, f"{CHAPTER}\n{line}\n")


@pytest.mark.parametrize("line", IN_FRONT)
def test_what_a_chat_puts_before_a_text_is_refused(line: str) -> None:
    assert found(read_artifact, CHAPTER, f"{line}\n\n{CHAPTER}")


@pytest.mark.parametrize("line", IN_FRONT_AND_TEXT)
def test_an_author_may_begin_with_it(line: str) -> None:
    assert not found(read_artifact, CHAPTER, f"{line}\n\n{CHAPTER}")
    assert not found(read_artifact, None, f"{line}\n\nThen comes the text.\n")


@pytest.mark.parametrize("form", ["{:6d}\t{}", "{}|{}", "{:5d}→{}", "{:>4} | {}", "{}\t{}"])
@pytest.mark.parametrize("path", ["a.md", "a.adoc", "a.rst", "a.tex", "a.txt"])
def test_a_whole_text_with_a_tool_s_numbers_is_refused_even_when_new(form: str, path: str) -> None:
    numbered = "\n".join(form.format(n, line) for n, line in enumerate(CHAPTER.split("\n"), 1))
    assert found(read_artifact, None, numbered, path)
    assert found(read_artifact, CHAPTER, numbered, path)


@pytest.mark.parametrize("form", ["{:02}:05 Platform", "{}: oil bought", "{}-{} home win", "{} → ok", "{} Blessed"])
def test_an_author_s_own_numbers_pass_in_a_new_text(form: str) -> None:
    lines = "".join(form.format(n, n + 1) + "\n" for n in range(5, 23))
    assert not found(read_artifact, None, f"# Plan\n\n{lines}\nThat is all.\n")
    assert not found(read_artifact, None, lines)


def test_numbers_put_into_code_that_was_there_are_refused() -> None:
    code = "".join(f"lamp_{n} = light(oil, {n})\n" for n in range(8))
    old = f"{CHAPTER}\n```py\n{code}```\n"
    new = old.replace(code, "".join(f"{n:6d}\t{line}\n" for n, line in enumerate(code.splitlines(), 40)))
    assert found(read_artifact, old, new)


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "xmlcharrefreplace"])
@pytest.mark.parametrize("path", ["a.md", "a.adoc", "a.rst", "a.txt"])
def test_letters_that_an_encoding_lost_are_refused(errors: str, path: str) -> None:
    messages = found(encoding, GERMAN, GERMAN.encode("ascii", errors), path)
    assert messages
    assert "refused from" in messages[0]
    spoilt = GERMAN.split("\n\n")[1].encode("ascii", errors).decode()
    assert found(encoding, GERMAN, GERMAN.replace(GERMAN.split("\n\n")[1], spoilt), path), "one paragraph of it"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("He said “yes” — and “no”. It’s late…", 'He said "yes" - and "no". It\'s late...'),
        ("Café Zoë", "Cafe Zoe"),
        ("Müller über Öl für Gäste", "Mueller ueber Oel fuer Gaeste"),
        ("Ist die Lampe an… Müller?", "Ist die Lampe an? Müller? Grüße!"),
        ("Лампа горит всю ночь.", "The lamp burns all night. Who puts it out?"),
        ("東京は夜", "Tokyo wa yoru? Hai."),
        ("In HTML, ü may be written ü.", "In HTML, ü may be written as `&#252;` or `&uuml;`."),
        ("Der Schlüssel heißt Größe.", 'Der Schlüssel heißt Größe.\n\n```json\n{"Gr\\u00f6\\u00dfe": 1}\n```\n'),
        ("Öffne C:\\neu\\nacht.", "Öffne C:\\neu\\nacht\\nebel."),
        ("one", "The pattern `\\n\\n` splits paragraphs, and `colou?r` matches both."),
        ("MÃ¼ller geht", "Müller geht"),
        ("one", "one\n\n```\nMÃ¼ller\n```"),
    ],
)
def test_an_author_s_change_of_letters_is_no_damage(old: str, new: str) -> None:
    assert not found(encoding, old + "\n", new + "\n")


@given(st.text(max_size=300))
def test_any_line_can_be_asked_about(line: str) -> None:
    short = squeeze(line.replace("\n", " "))
    assert says_omitted(short) in (True, False)
    assert appended(short) is None or len(appended(short) or ()) == 2
    assert len(classes(short)) <= len(short)
    assert opening(line) in (True, False)
    assert closing(line, False) in line or closing(line, False).strip() in line
    assert all(0 <= n <= line.count("\n") for n, _ in notices(line, True))
    assert isinstance(wrapping(line), str)


@given(st.lists(st.sampled_from(["", " ", "   ", "\t", "a lamp burns", "…", "..", "// x"]), min_size=1, max_size=12))
def test_lines_of_blanks_break_no_rule(lines: list[str]) -> None:
    new = in_place_of_two("\n".join(lines))
    for rule in (placeholder, read_artifact, encoding):
        assert isinstance(found(rule, CHAPTER, new), list)


@given(st.text(alphabet="äöüßéèñçåø abcdefg.\n", min_size=1, max_size=200))
def test_a_text_that_comes_back_in_utf_8_is_no_damage(text: str) -> None:
    assert not found(encoding, text, text + "\n\nEin Satz mit ü.\n")
