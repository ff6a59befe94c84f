"""Front matter stands where a text begins and nowhere else; there it is what the parser takes for it."""

from __future__ import annotations

import pyromark
from hypothesis import example, given
from hypothesis import strategies as st

from firewall.text.markdown import OPTIONS, parse
from firewall.text.outline import outline
from firewall.text.parser import events, front_end

_O = pyromark.Options
_ALL = OPTIONS | _O.ENABLE_YAML_STYLE_METADATA_BLOCKS | _O.ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
_LINE = st.sampled_from(
    ["---", "--- ", "---\t", "----", "+++", "+++ ", "...", "... ", "a: 1", "", " ", " ---", "# é", "- x"]
)
_TEXT = st.tuples(st.lists(_LINE, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda given: given[1].join(given[0]) + (given[1] if given[2] else "")
)


def first_block(text: str) -> tuple[str, int] | None:
    """The parser's own metadata block at the top: its text (in pieces where lines end in CRLF) and where it ends."""
    found = list(pyromark.events_with_range(text, options=_ALL))
    if not found or "MetadataBlock" not in str(found[0][0]) or found[0][1]["start"] != 0:
        return None
    pieces = []
    for event, _ in found[1:]:
        if "Text" not in event:
            break
        pieces.append(event["Text"])
    return "".join(pieces), found[0][1]["end"]


@given(_TEXT)
@example("---\n---\n")
@example("---\n...\n")
def test_at_the_top_it_is_what_the_parser_takes_for_it(text: str) -> None:
    known = first_block(text)
    mine = [(e, s) for e, s in events(text, OPTIONS)][:2]
    if known is None:
        assert front_end(text) == 0
        return
    said, end = known
    assert mine[1][0]["Text"] == said
    assert text[: front_end(text)].encode().rstrip(b"\r\n") == text.encode()[:end].rstrip(b"\r\n")


@given(_TEXT)
def test_nowhere_else_is_any_and_every_place_is_true(text: str) -> None:
    source = text.encode()
    for number, (event, span) in enumerate(events(text, OPTIONS)):
        assert number == 0 or "'Start': {'MetadataBlock'" not in str(event)
        if isinstance(event, dict) and isinstance(event.get("Text"), str):
            assert source[span["start"] : span["end"]].decode().replace("\r\n", "\n") == event["Text"]


def test_a_rule_in_the_middle_hides_nothing() -> None:
    text = "# One\n\nFirst.\n\n---\nThe second part, [a link](x.md).\n\n# Two\n\nMore.\n\n---\n\nThe end.\n"
    made = outline(text)
    assert made.keys is None
    assert made.headings == ("One", "Two")
    assert "The second part" in made.shown
    assert [node.attrs["dest"] for node in parse(text).find("link")] == ["x.md"]
    assert not list(parse(text).find("metadata"))


def test_behind_front_matter_everything_stands_where_it_stood() -> None:
    text = "---\ntitle: é\n---\n\n# One\n\n+++\nnot = 'metadata'\n+++\n\n[a]: b.md\n\nSee [a].\n"
    document = parse(text)
    assert [document.text(node) for node in document.find("metadata")] == ["---\ntitle: é\n---\n"]
    assert [document.text(node) for node in document.find("heading")] == ["# One\n"]
    made = outline(text)
    assert made.keys == {"title"}
    assert "metadata" in made.shown
    assert made.links == {"a"}
