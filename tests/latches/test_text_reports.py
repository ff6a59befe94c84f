"""What public reports of other tools say went wrong with text: the same inputs, and the right answers."""

from __future__ import annotations

import pytest

from firewall.policy.style import Style
from firewall.text.markdown import parse
from firewall.text.sentences import sentences
from latches.schema import verify_document
from latches.style.scan import scan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B follows A. Then comes C.", ["B follows A.", "Then comes C."]),
        ('Say "A major second from D we find E".', ['Say "A major second from D we find E".']),
        ("It came out in 2014. The script is by X.", ["It came out in 2014.", "The script is by X."]),
        ("[^1]: fig. 1 is here. After.", ["fig. 1 is here.", "After."]),
        ("We use .NET and Node.js. Both work.", ["We use .NET and Node.js.", "Both work."]),
        ("Fig. 3 shows it. Eq. 4 proves it.", ["Fig. 3 shows it.", "Eq. 4 proves it."]),
        ("A note.[^2] Another note.", ["A note.[^2]", "Another note."]),
    ],
)
def test_sentences_end_where_they_end(text: str, expected: list[str]) -> None:
    assert [text[s.start : s.end] for s in sentences(parse(text))] == expected


def test_the_second_item_of_a_line_begins_where_it_stands() -> None:
    spans = [(s.start, s.end) for s in sentences(parse("1) The first item. 2) The second item."))]
    assert spans == [(3, 18), (19, 38)]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("<https://x/utilize> We utilize it.", [23]),
        ("https://ethsigner.example/utilize", []),
        ('    myObj.utilize("test")[0]\n', []),
        ("`https://a.b/utilize`", []),
        ("`utilize` and [x](http://utilize.example)", []),
    ],
)
def test_a_term_is_found_in_prose_and_at_its_place(text: str, starts: list[int]) -> None:
    assert [hit.start for hit in scan(text, Style(banned=["utilize"]))] == starts


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("# T\nintro\n\n```python\nx=1\n\n## Important\ntext", ["unclosed-fence"]),
        ("# T\n\n~~~py\nx", ["unclosed-fence"]),
        ("# T\n\n~~~\n```\n~~~\n", []),
        ('# T\n\n```python\ndef f():\n    """\n```\n    """\n```\n', ["unclosed-fence", "code"]),
        ("# T\n\n| a | b |\n|---|---|\n| `x | y` | 2 |\n", ["lost-cells"]),
        ("# T\n\n| a | b |\n|---|---|\n| `x \\| y` | 2 |\n", []),
        ("# T\n\n| a | b |\n| 1 | 2 |\n", ["no-table"]),
        ("# T\n\n| a | b |\n|---|\n| 1 | 2 |\n", ["no-table"]),
        ("# T\n\n> | a | b |\n> | 1 | 2 |\n", ["no-table"]),
        ("# T\n\n| a line\n| and one more\n", []),
        ("# T\n\na | b | c\nd | e | f\n", []),
        ("# T\n\n`| a | b |`\n`| 1 | 2 |`\n", []),
        ("# T\n\n|x| is the size of x.\n|y| is that of |y|\n", []),
        ("# T\n\n```\n| a | b |\n| 1 | 2 |\n```\n", []),
        ("# T\n\nAs told [1][2], run `x` [opt][--flag].\n", []),
    ],
)
def test_fences_and_cells(text: str, rules: list[str]) -> None:
    assert [finding.rule for finding in verify_document(text).findings] == rules


def test_an_open_fence_is_named_by_its_line() -> None:
    (finding,) = verify_document("# T\nintro\n\n```python\nx=1\n\n## Important\ntext").findings
    assert finding.message.startswith("Unclosed fence at line 4")
