"""A heading that a link in another file of the folder leads to keeps its words too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from editors import by_rules

from firewall.policy.style import Style
from pipeline.micropass import polish
from pipeline.micropass.elsewhere import links_here

STYLE = Style(banned=["leverage"], alternatives={"leverage": ["use"]})
TEXT = "# T\n\n## How we leverage it\n\nWe leverage it.\n"


def book(root: Path, other: str, name: str = "part/b.md") -> dict[str, str]:
    file = root / "part" / "the guide.md"
    file.parent.mkdir()
    file.write_text(TEXT)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(other)
    return links_here(root, file)


@pytest.mark.parametrize(
    "link",
    [
        "[x](the%20guide.md#how-we-leverage-it)", "[x](<the guide.md#how-we-leverage-it>)",
        "[x](./the%20guide#how-we-leverage-it)",
        "[x][r]\n\n[r]: the%20guide.md#how-we-leverage-it", '<a href="the%20guide.html#how-we-leverage-it">x</a>',
        "[x](/part/the%20guide/#How-we-leverage-it)", "[x](../part/the%20guide.md?v=1#how-we-leverage-it)",
    ],
)  # fmt: skip
def test_such_links_are_found(tmp_path: Path, link: str) -> None:
    assert book(tmp_path, f"See {link}\n") == {"how-we-leverage-it": "part/b.md"}


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("[x](the%20guide.md)", "part/b.md"), ("[x](other.md#how-we-leverage-it)", "part/b.md"),
        ("[x](the%20guide.md#how-we-leverage-it)", "b.md"),
        ("[x](https://a.b/the%20guide.md#how-we-leverage-it)", "part/b.md"),
        ("[x](the%20guide.md#how-we-leverage-it)", "part/b.py"),
        ("`[x](the%20guide.md#how-we-leverage-it)`", "part/b.md"),
    ],
)  # fmt: skip
def test_other_links_are_none(tmp_path: Path, link: str, name: str) -> None:
    assert book(tmp_path, f"{link}\n", name) == {}


@pytest.mark.parametrize("page", ["index.md", "README.md", "_index.md"])
@pytest.mark.parametrize("link", ["part/#how-we", "./part/#how-we", "/part/#how-we", "part#how-we", "part/?v=1#how-we"])
def test_a_link_to_a_folder_leads_to_its_page(tmp_path: Path, page: str, link: str) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / page).write_text("# How we\n")
    (tmp_path / "b.md").write_text(f"See [x]({link}).\n")
    assert links_here(tmp_path, tmp_path / "part" / page) == {"how-we": "b.md"}
    (tmp_path / "part" / "other.md").write_text("# How we\n\n[up](../#how-we) [beside](./#here)\n")
    assert links_here(tmp_path, tmp_path / "part" / "other.md") == {}
    (tmp_path / page).write_text("# How we\n")
    assert links_here(tmp_path, tmp_path / page) == {"how-we": "part/other.md"}


def test_the_heading_is_left_with_a_finding_that_names_the_file() -> None:
    done = polish(TEXT, STYLE, by_rules(), elsewhere=lambda: {"how-we-leverage-it": "part/b.md"})
    assert done.text == TEXT.replace("We leverage", "We use")
    assert "a link in part/b.md leads to #how-we-leverage-it" in done.findings[0].message


def test_the_folder_is_looked_through_once_and_only_for_a_heading() -> None:
    asked: list[int] = []

    def elsewhere() -> Mapping[str, str]:
        asked.append(1)
        return {}

    polish("We leverage it.\n\n- We leverage it.\n" * 10, STYLE, by_rules(), elsewhere=elsewhere)
    assert not asked
    headings = "".join(f"## We leverage oil {n}\n\n# They leverage oil {n}\n\n" for n in range(10))
    done = polish(headings, STYLE, by_rules(), elsewhere=elsewhere)
    assert len(done.edits) == 20
    assert len(asked) == 1
