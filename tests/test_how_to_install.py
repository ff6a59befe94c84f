"""What documents and hints tell a reader to install can be installed: from a clone or from git, never by a name in an
index that Stet is not in."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
TEXTS = [
    REPOSITORY / "README.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
    *(p for part in ("firewall", "latches", "pipeline") for p in sorted((REPOSITORY / part).rglob("*.py"))),
]


def test_nothing_is_installed_by_stets_own_name() -> None:
    said = [line for path in TEXTS for line in path.read_text("utf-8").splitlines() if "pip install" in line]
    assert any(line.count("git+https://") for line in said) and any("'.[" in line for line in said), "they are found"
    assert not [line for line in said if re.search(r"pip install\s+(?:-\S+\s+)*['\"]?stet", line)]
