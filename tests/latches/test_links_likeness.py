"""What is offered for a link that leads nowhere is a slip of the pen away, and not merely of the same kind of file."""

from __future__ import annotations

import pytest

from firewall.text.markdown import parse
from latches.checks.links import Shelf, links


@pytest.mark.parametrize(
    ("target", "there", "offered"),
    [
        ("other.md", "e0.md", False),
        ("a.markdown", "e.markdown", False),
        ("chapters/01-harbor.md", "chapters/01-harbour.md", True),
        ("chapters/harbour.md", "chapters/e.md", False),
        ("harbor.md", "harbour.md", True),
        ("chapter/harbour.md", "chapters/harbour.md", True),
        ("Harbour.md", "harbour.md", True),
        ("LICENCE", "LICENSE", True),
    ],
)
def test_a_name_is_offered_for_its_likeness_alone(target: str, there: str, offered: bool) -> None:
    (finding,) = links(parse(f"[x]({target})\n"), Shelf("a.md", {}, frozenset({there})))
    assert (f"Did you mean '{there}'?" in finding.message) is offered
    assert offered or "Name one that is there" in finding.message
