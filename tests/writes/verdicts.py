"""Prints the verdict of every rule's examples, and of a story of writes, as JSON. Run by test_same_verdict.py.

verdicts.py FOLDER SEED FIRST STEP    SEED orders the rules; 0 leaves them as they are. Every STEP-th example from
                                     number FIRST on.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import random
import sys
from pathlib import Path

from stet_kit import chapter, prose, reword

from firewall.verdict import Verdict
from firewall.writes import rules
from firewall.writes.decide import decide
from firewall.writes.proxy import Proposal, WriteProxy


def told(verdict: Verdict) -> object:
    """A verdict as JSON values."""
    return [verdict.outcome.label, [f.to_json() for f in verdict.findings], list(verdict.checks)]


def examples(seed: int, first: int, step: int) -> list[object]:
    """The whole verdict on each example of each rule."""
    order = list(rules.ALL)
    if seed:
        random.Random(seed).shuffle(order)
    every = []
    for found in sorted(pkgutil.iter_modules(rules.__path__), key=lambda f: f.name):
        if found.name == "base":
            continue
        module = importlib.import_module(f"{rules.__name__}.{found.name}")
        every += module.examples()
    return [told(decide(e.facts, rules=order)) for e in every[first::step]]


def story(root: Path) -> list[object]:
    """Results of proposals one after the other and together: the ledger has its part in them."""
    text = chapter(1200)
    half = prose(1200).index("\n\n", 3000) + 2
    first, second = prose(1200)[:half].encode(), prose(1200)[half:].encode()
    sets = [
        [("a.md", text)],
        [("a.md", reword(text))],
        [("a.md", b"Gone.\n")],
        [("a.md", b"Gone.\n")],
        [("i\u0307stanbul-\u0130\u0131.md", "İstanbul ılık, ISI. ".encode() * 40)],
        [("i\u0307stanbul-\u0130\u0131.md", b"istanbul ilik, isi. " * 40)],
        [("part.md", second), ("a.md", first)],
        [("b.md", text), ("c.md", b"\0")],
        [("zh.md", "我们重启了服务。\n\n".encode() * 200)],
        [("zh.md", "我们重启了服务。\n\n".encode() * 20)],
    ]
    out: list[object] = []
    with WriteProxy.open(root, clock=lambda: 1_700_000_000.0) as proxy:
        for proposals in sets:
            done = proxy.write_set([Proposal(root / name, content) for name, content in proposals])
            out.append([[r.path, told(r.verdict), r.committed, r.attempt, list(r.words)] for r in done])
    return out


if __name__ == "__main__":
    print(json.dumps([examples(*map(int, sys.argv[2:5])), story(Path(sys.argv[1]))]))
