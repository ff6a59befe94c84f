"""Invariant 7: the same proposal, facts and policy give the same verdict, whatever the machine's settings."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stet_kit import NewBook

PROGRAM = Path(__file__).with_name("verdicts.py")
ENVIRONMENTS: list[dict[str, str]] = [
    {},
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "LANG": "C"},
    {"LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"},
    {"PYTHONOPTIMIZE": "2"},
    {},
]
ENVIRONMENTS = [{"PYTHONHASHSEED": str(seed), **more} for seed, more in enumerate(ENVIRONMENTS)]
"""Each process has a seed of its own beside what else is odd about it, and an order of the rules."""
WHOLE, QUARTER = (0, 3), (1, 2, 4, 5)
"""Those that judge all of the rules' examples, and those of which each has others; what is odd about these is so for
each share alike."""
SHARES = 15
"""Every further seed, to 20, has a share of the examples. All have the whole story."""
ENVIRONMENTS += [{"PYTHONHASHSEED": str(seed)} for seed in range(6, 6 + SHARES)]


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
    whole: list[list[object]] = []
    for n, more in enumerate(ENVIRONMENTS):
        book = new_book(f"b{n}")
        locale = turkish if more.get("LC_ALL", "").startswith("tr") else {}
        env = {**book.user.environment(), **more, **locale, "PYTHONPATH": os.pathsep.join(sys.path)}
        many = 1 if n in WHOLE else len(QUARTER) if n in QUARTER else SHARES
        share = [str((QUARTER.index(n) if n in QUARTER else n) % many), str(many)]
        done = subprocess.run(
            [sys.executable, str(PROGRAM), str(book.root), str(n), *share], env=env, capture_output=True, timeout=120
        )
        assert done.returncode == 0, done.stderr.decode()[-2000:]
        examples, story = json.loads(done.stdout)
        if not whole:
            whole = [examples, story]
            assert len(done.stdout) > 50_000
        wanted = whole[0][int(share[0]) :: int(share[1])]
        assert len(wanted) > 20
        assert (len(examples), len(story)) == (len(wanted), len(whole[1]))
        pairs = zip(examples + story, wanted + whole[1], strict=True)
        differ = [pair for pair in pairs if pair[0] != pair[1]]
        assert not differ, (more, differ[0])
