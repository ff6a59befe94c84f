"""SIGKILL at each operation of a real process: old bytes or new bytes, never else, and a whole journal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from stet_kit import Book, chapter, reword

from firewall.writes.proposal import Proposal

HERE = Path(__file__).parent


def test_a_writer_killed_at_any_point_leaves_old_or_new_bytes_and_a_whole_journal(book: Book) -> None:
    book.write("ch.md", chapter(300))
    done = subprocess.run(
        [sys.executable, str(HERE / "killed_writer.py"), str(book.root), "1"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    for r in reports:
        assert r["disk"] in ("old", "new"), r
        assert r["unchanged_by_recovery"], r
        assert r["recorded"], r
        assert r["journal_whole"], r
        assert (r["intents"], r["outside"], r["attempts"]) == (0, 0, 0), r
        assert r["lost"] == [], r
        assert r["left"] == [], r
    killed = [r for r in reports if r["killed"]]
    assert len(killed) > 60
    assert all(r["disk"] == "new" for r in reports if not r["killed"])
    assert {r["disk"] for r in killed} == {"old", "new"}, "some kills came before the replace and some after"
    assert any(r["temps_before"] for r in killed), "some kill left a temporary file, and recovery took it away"
    assert any(not r["killed"] for r in reports)


def test_a_living_process_settles_what_a_killed_one_left(book: Book) -> None:
    """A long-lived proxy, as in an agent's server, is not restarted when a writer beside it dies."""
    text = chapter(300)
    book.write("ch.md", text)
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom firewall.writes.proxy import WriteProxy\n"
        "real = os.replace\n"
        "def replace(*a, **k):\n"
        "    {before}\n    real(*a, **k)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.replace = replace\n"
        "with WriteProxy.open(Path(sys.argv[1])) as p:\n"
        "    p.write(Path(sys.argv[1]) / 'ch.md', sys.stdin.buffer.read())\n"
    )
    with book.open() as living:
        for before, word in (("pass", b"landed"), ("os.kill(os.getpid(), signal.SIGKILL)", b"lost")):
            new = reword(text, word)
            killed = subprocess.run(
                [sys.executable, "-c", program.format(before=before), str(book.root)],
                input=new,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                capture_output=True,
                timeout=60,
            )
            assert killed.returncode == -9, killed.stderr
            assert (book.root / "ch.md").read_bytes() == (new if word == b"landed" else text)
            text = new if word == b"landed" else text
            good = reword(text, b"alive")
            assert living.write(book.root / "ch.md", good).committed
            text = good
            assert [e.kind for e in living.ledger.journal() if e.kind == "outside"] == []
            assert [n for n in os.listdir(book.root) if n.startswith(".stet-")] == []


def test_a_set_that_a_killed_writer_left_is_settled_once_for_all_its_files(book: Book) -> None:
    """What is known of the second file was asked before the first one's settling wrote it anew."""
    names, texts = ("a.md", "b.md"), (chapter(300, seed=1), chapter(300, seed=2))
    for name, text in zip(names, texts, strict=True):
        book.write(name, text)
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom firewall.writes.proposal import Proposal\n"
        "from firewall.writes.proxy import WriteProxy\nreal, left = os.replace, [2]\n"
        "def replace(*a, **k):\n"
        "    real(*a, **k)\n    left[0] -= 1\n    left[0] or os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.replace = replace\nroot = Path(sys.argv[1])\n"
        "with WriteProxy.open(root) as p:\n"
        "    more = b'\\nOne more.\\n'\n"
        "    p.write_set([Proposal(root / n, (root / n).read_bytes() + more) for n in ('a.md', 'b.md')])\n"
    )
    with book.open() as living:
        killed = subprocess.run(
            [sys.executable, "-c", program, str(book.root)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            timeout=60,
        )
        assert killed.returncode == -9, killed.stderr
        now = [(book.root / name).read_bytes() for name in names]
        good = [Proposal(book.root / name, text + b"\nAnd more.\n") for name, text in zip(names, now, strict=True)]
        assert all(result.committed for result in living.write_set(good))
        assert [e.kind for e in living.ledger.journal() if e.kind == "outside"] == []
