"""Invariant 7: the same proposal, facts and policy give the same verdict, whatever the machine's settings."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stet_kit import NewBook

PROGRAM = Path(__file__).with_name("verdicts.py")
ENVIRONMENTS: list[dict[str, str]] = [{"PYTHONHASHSEED": str(seed)} for seed in range(6)]
ENVIRONMENTS += [
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "LANG": "C"},
    {"LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"},
    {"PYTHONOPTIMIZE": "2"},
]


@pytest.fixture(scope="module")
def turkish(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where a real Turkish locale is, made if the tools are here; without it the name alone is set."""
    folder = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef") and Path("/usr/share/i18n/locales/tr_TR").exists():
        subprocess.run(
            ["localedef", "-i", "tr_TR", "-f", "UTF-8", str(folder / "tr_TR.UTF-8")], capture_output=True, check=False
        )
    return {"LOCPATH": str(folder)} if (folder / "tr_TR.UTF-8").exists() else {}


def test_the_verdict_is_the_same_under_any_settings(new_book: NewBook, turkish: dict[str, str]) -> None:
    seen = {}
    for n, more in enumerate(ENVIRONMENTS):
        book = new_book(f"b{n}")
        locale = turkish if more.get("LC_ALL", "").startswith("tr") else {}
        env = {**book.user.environment(), **more, **locale, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, str(PROGRAM), str(book.root), str(n)], env=env, capture_output=True, timeout=120
        )
        assert done.returncode == 0, done.stderr.decode()[-2000:]
        seen[hashlib.sha256(done.stdout).hexdigest()] = (more, len(done.stdout))
        assert len(done.stdout) > 50_000
    assert len(seen) == 1, list(seen.values())
