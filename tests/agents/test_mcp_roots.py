"""What a client's roots mean, and what is said where the SDK is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp.types import ListRootsResult, Root
from pydantic import ValidationError
from stet_kit import Book

from firewall.agents import mcp_faults as faults
from firewall.agents.mcp_server import folders
from firewall.agents.scope import BadPath, NotGuarded, OutsideRoots, allowed


def roots(*uris: str) -> ListRootsResult:
    """A client's answer."""
    return ListRootsResult(roots=[Root.model_construct(uri=uri) for uri in uris])


def test_only_folders_of_this_machine_count(tmp_path: Path) -> None:
    odd = tmp_path / "a folder, 100% mine"
    odd.mkdir()
    assert folders(roots(odd.as_uri())) == [odd.resolve()]
    assert folders(roots(f"file://localhost{tmp_path}")) == [tmp_path.resolve()]
    assert folders(roots("https://example.org/", "file://elsewhere/share", "data:,")) == []
    assert folders(roots(f"file://{tmp_path}%00")) == []
    assert folders(roots()) == []
    assert folders(ListRootsResult(roots=[], _meta={"none": True})) is None


def test_what_is_wrong_is_said_of_the_client_and_not_of_the_call() -> None:
    for answer in ({"roots": "x"}, {"roots": [{"uri": "https://example.org/"}]}, {}):
        with pytest.raises(ValidationError) as caught:
            ListRootsResult.model_validate(answer)
        error = faults.of_arguments("read_file", caught.value)
        assert error.code == "bad-roots"
        assert "A person opens the folder" in error.hint


def test_a_linked_root_is_where_it_leads(book: Book, tmp_path: Path) -> None:
    book.put("a.md", b"Text.\n")
    os.symlink(book.root, tmp_path / "link")
    with book.open() as proxy:
        assert allowed(proxy, "a.md", [tmp_path / "link"]).relative == "a.md"
        assert allowed(proxy, str(tmp_path / "link" / "a.md"), [book.root]).relative == "a.md"
        assert allowed(proxy, "a.md", None).relative == "a.md"
        for given, error in (
            (("a.md", []), OutsideRoots),
            (("a.md", [book.root / "part"]), OutsideRoots),
            (("../b.md", None), BadPath),
            (("code.py", None), NotGuarded),
            (("stet.toml", None), BadPath),
        ):
            with pytest.raises(error):
                allowed(proxy, *given)  # type: ignore[arg-type]


def test_without_the_sdk_it_says_what_to_install(book: Book) -> None:
    code = "import sys; sys.modules['mcp'] = None; from pipeline.cli import main; main(['mcp'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=book.root, env=book.user.environment(), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "pip install '.[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr
