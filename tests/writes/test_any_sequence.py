"""Any sequence of proposals: a writer without a person's yes never wears down what people wrote.

Invariants 1, 2, 3, 4 and 6 on random histories of edits, cuts, growth, moves between files, renames, deletes,
earlier versions, new sessions and new processes. What must survive is counted by an oracle of the test's own: every
original word is used once, so a word that is found is a word that survived.
"""

from __future__ import annotations

import bisect
import hashlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from stet_kit import Book, no_leftovers

from firewall.writes.operator import verify_journal
from firewall.writes.proxy import Proposal, WriteResult

SIZES = {"a.md": 1200, "b.md": 1100, "c.md": 300, "d.md": 80}
PARAGRAPH = 40
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A disk that syncs at once, where there is one: power cuts are not the subject here."""
DAY = 86_400.0

files = st.integers(0, 30)
places = st.floats(0, 1, allow_nan=False)
shares = st.sampled_from([0.01, 0.05, 0.1, 0.14, 0.2, 0.3, 0.5, 0.9])


def paragraphs(text: str) -> list[str]:
    return [p for p in text.strip().split("\n\n") if p]


def joined(parts: Sequence[str]) -> bytes:
    return ("\n\n".join(parts) + "\n").encode()


def increasing(places_found: list[int]) -> int:
    """Length of the longest increasing subsequence."""
    tails: list[int] = []
    for place in places_found:
        at = bisect.bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(tails)


def survivors(original: str, now: Sequence[str]) -> int:
    """Words of `original` that are still there: in paragraphs found whole anywhere, else in order within a file."""
    whole = set().union(*(paragraphs(text) for text in now)) if now else set()
    place = {}
    kept = 0
    for n, paragraph in enumerate(paragraphs(original)):
        words = paragraph.split()
        if paragraph in whole:
            kept += len(words)
        else:
            place |= {word: n * 1000 + i for i, word in enumerate(words)}
    for text in now:
        kept += increasing([place[w] for w in text.split() if w in place])
    return kept


class Writers(RuleBasedStateMachine):
    """Writers at work in one project, with a memory of everything that was there."""

    accepted = 0
    proposed = 0

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="stet-sequence-", dir=MEMORY))
        self.book = Book(self.folder, rules={"attempts": 10**6, "window_attempts": 10**6})
        for name, value in self.book.user.environment().items():
            os.environ[name] = value
        self.fresh = 0
        self.originals: dict[str, str] = {}
        self.versions: set[bytes] = set()
        self.disk: dict[str, bytes] = {}
        for name, size in SIZES.items():
            text = joined([self.words(min(PARAGRAPH, size - n)) for n in range(0, size, PARAGRAPH)])
            self.originals[name] = text.decode()
            self.book.put(name, text)
        self.proxy = self.book.open(session="first")
        for name in SIZES:
            self.proxy.check(self.book.root / name, b"")  # first sight: these are the baselines
            self.remember(name)

    def words(self, count: int) -> str:
        """Words that nobody ever used."""
        self.fresh += count
        return " ".join(f"w{n}" for n in range(self.fresh - count, self.fresh)).capitalize() + "."

    def remember(self, name: str) -> None:
        path = self.book.root / name
        if path.exists():
            self.disk[name] = path.read_bytes()
            self.versions.add(self.disk[name])
        else:
            self.disk.pop(name, None)

    def pick(self, index: int) -> str:
        names = sorted(self.disk)
        return names[index % len(names)]

    def parts(self, name: str) -> list[str]:
        return paragraphs(self.disk[name].decode())

    def offer(self, *wanted: tuple[str, bytes | None], base: bool = False) -> list[WriteResult]:
        """Propose together; what is refused changes nothing, what is accepted is there to the byte."""
        proposals = []
        for name, content in wanted:
            known = hashlib.sha256(self.disk[name]).hexdigest() if base and name in self.disk else None
            proposals.append(Proposal(self.book.root / name, content, base=known))
        results = self.proxy.write_set(proposals)
        type(self).proposed += 1
        type(self).accepted += all(r.committed for r in results)
        assert len({r.committed for r in results}) == 1, "all or nothing"
        for (name, content), result in zip(wanted, results, strict=True):
            path = self.book.root / name
            now = path.read_bytes() if path.exists() else None
            if result.committed:
                assert now == content
                note(f"{name}: {result.words}")
            else:
                assert now == self.disk.get(name), "a refused proposal changed the file"
            self.remember(name)
        return results

    @rule(file=files, at=places, share=shares)
    def replace_words(self, file: int, at: float, share: float) -> None:
        name = self.pick(file)
        text = self.disk[name].decode().split(" ")
        count = max(1, int(len(text) * share))
        start = int(at * max(0, len(text) - count))
        self.offer((name, " ".join([*text[:start], *self.words(count).split(), *text[start + count :]]).encode()))

    @rule(file=files, at=places, share=shares)
    def rewrite_paragraphs(self, file: int, at: float, share: float) -> None:
        name = self.pick(file)
        parts = self.parts(name)
        count = max(1, int(len(parts) * share))
        start = int(at * max(0, len(parts) - count))
        for n in range(start, min(start + count, len(parts))):
            parts[n] = self.words(max(1, len(parts[n].split())))
        self.offer((name, joined(parts)), base=True)

    @rule(file=files, at=places, share=shares)
    def cut(self, file: int, at: float, share: float) -> None:
        name = self.pick(file)
        parts = self.parts(name)
        count = max(1, int(len(parts) * share))
        start = int(at * max(0, len(parts) - count))
        self.offer((name, joined([*parts[:start], *parts[start + count :]])))

    @rule(file=files, at=places, count=st.sampled_from([1, 5, 20, 80]))
    def grow(self, file: int, at: float, count: int) -> None:
        name = self.pick(file)
        parts = self.parts(name)
        start = int(at * len(parts))
        self.offer((name, joined([*parts[:start], *(self.words(PARAGRAPH) for _ in range(count)), *parts[start:]])))

    @rule(file=files, chance=st.randoms(use_true_random=False), inside=st.booleans())
    def shuffle(self, file: int, chance: object, inside: bool) -> None:
        name = self.pick(file)
        parts = self.parts(name)
        if inside:
            parts = [" ".join(chance.sample(p.split(), len(p.split()))) for p in parts]  # type: ignore[attr-defined]
        else:
            chance.shuffle(parts)  # type: ignore[attr-defined]
        self.offer((name, joined(parts)))

    @rule(file=files, to=files, new=st.booleans(), at=places, share=shares, how=st.integers(0, 2))
    def move(self, file: int, to: int, new: bool, at: float, share: float, how: int) -> None:
        """Paragraphs go to another file: there first, here first, or together."""
        name = self.pick(file)
        target = f"n{self.fresh}.md" if new and len(self.disk) < 8 else self.pick(to)
        if target == name:
            return
        parts = self.parts(name)
        count = max(1, int(len(parts) * share))
        start = int(at * max(0, len(parts) - count))
        there = (target, joined([*(self.parts(target) if target in self.disk else []), *parts[start : start + count]]))
        here = (name, joined([*parts[:start], *parts[start + count :]]))
        if how == 2:
            self.offer(there, here)
        else:
            for one in ((there, here), (here, there))[how]:
                self.offer(one)

    @rule(file=files, to=files)
    def copy_over(self, file: int, to: int) -> None:
        """One file's text in another's place."""
        if self.pick(file) != self.pick(to):
            self.offer((self.pick(to), self.disk[self.pick(file)]))

    @rule(file=files, which=st.integers(0, 10**6))
    def an_earlier_version(self, file: int, which: int) -> None:
        kept = sorted(self.versions)
        self.offer((self.pick(file), kept[which % len(kept)]))

    @rule(file=files, junk=st.sampled_from([b"", b" \n", b"To be continued.\n", b"\xff", b"\0", None]))
    def wipe(self, file: int, junk: bytes | None) -> None:
        name = self.pick(file)
        before = self.disk[name]
        assert not self.offer((name, junk))[0].committed or before == junk or len(before.split()) < 50

    @rule(file=files)
    def rename(self, file: int) -> None:
        name, new = self.pick(file), f"r{self.fresh}.md"
        self.fresh += 1
        result = self.proxy.rename(self.book.root / name, self.book.root / new)
        if result.committed:
            assert (self.book.root / new).read_bytes() == self.disk[name]
            assert not (self.book.root / name).exists()
        for each in (name, new):
            self.remember(each)

    @rule(session=st.sampled_from(["", "first", "second"]))
    def another_process(self, session: str) -> None:
        self.proxy.ledger.close()
        self.proxy = self.book.open(session=session)

    @precondition(lambda self: self.book.now < self.begun + 6 * DAY)
    @rule(hours=st.integers(1, 40))
    def time_goes_by(self, hours: int) -> None:
        self.book.now += hours * 3600.0

    @property
    def begun(self) -> float:
        if not hasattr(self, "_begun"):
            self._begun = self.book.now
        return self._begun

    @invariant()
    def what_people_wrote_is_there(self) -> None:
        if not hasattr(self, "proxy"):
            return
        now = [data.decode("utf-8", "replace") for data in self.disk.values()]
        for group, share in ((("a.md", "b.md"), 0.70), (("c.md",), 0.40), (("d.md",), 0.40)):
            whole = sum(SIZES[name] for name in group)
            kept = sum(survivors(self.originals[name], now) for name in group)
            assert kept >= share * whole - 0.01 * whole, f"{group}: {kept} of {whole} words are left"

    def teardown(self) -> None:
        if not hasattr(self, "proxy"):
            return
        try:
            known = {hashlib.sha256(data).hexdigest(): data for data in self.versions}
            for entry in self.proxy.ledger.journal():
                if entry.kind in ("adopt", "commit") and entry.new:
                    assert self.proxy.ledger.load(entry.new) == known[entry.new], "a version is lost"
            assert verify_journal(self.proxy.ledger.journal()) is None
            assert self.proxy.ledger.intents() == []
            assert no_leftovers(self.book.root) == []
            for name, data in self.disk.items():  # an honest small edit passes, or the reason is a floor
                if len(data.split()) > 50:
                    base = hashlib.sha256(data).hexdigest()
                    result = self.proxy.check(self.book.root / name, data.rstrip()[:-1] + b" now.\n", base=base)
                    assert set(result.verdict.rules) <= {"survival", "word-floor", "small-floor", "delta-cap"}, result
            self.proxy.ledger.close()
        finally:
            shutil.rmtree(self.folder)


def test_no_sequence_of_proposals_wears_a_text_down(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, os.environ[name])  # put back at the end
    Writers.accepted = Writers.proposed = 0
    run_state_machine_as_test(
        Writers,
        settings=settings(
            max_examples=int(os.environ.get("STET_SEQUENCES", "8")),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Writers.proposed > 60
    assert Writers.accepted > Writers.proposed / 5, "most of this must be possible, or nothing is tested"


def test_the_oracle_counts_what_it_says() -> None:
    text = "A b c d e f.\n\nG h i j k l.\n"
    assert survivors(text, [text]) == 12
    assert survivors(text, ["G h i j k l.\n\nA b c d e f."]) == 12
    assert survivors(text, ["A c b d", "G h i j k l."]) == 3 + 6
    assert survivors(text, []) == 0
