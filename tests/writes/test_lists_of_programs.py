"""Text files by their ending that programs write: a list of packages is renewed as a whole, and is still guarded."""

from __future__ import annotations

import pytest
from stet_kit import Book

NAMES = ["requirements.txt", "deploy/requirements-dev.txt", "constraints.txt", "src/CMakeLists.txt", "robots.txt"]


def packages(first: int) -> bytes:
    return "".join(f"package-{n}=={n}.{first}\n" for n in range(first, first + 80)).encode()


@pytest.mark.parametrize("name", NAMES)
def test_such_a_list_is_renewed_as_a_whole(book: Book, name: str) -> None:
    path = book.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packages(1))
    assert book.write(name, packages(500)).committed
    assert "emptied" in book.write(name, b"").verdict.rules
    assert "delete" in book.write(name, None).verdict.rules


def test_other_text_is_prose(book: Book) -> None:
    book.put("notes.txt", packages(1))
    assert "survival" in book.write("notes.txt", packages(500)).verdict.rules
