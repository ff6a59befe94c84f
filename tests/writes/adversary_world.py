"""A real project on disk beside what the model knows of it: every proposal goes through here and is checked."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import adversary_texts as texts
from adversary_model import WINDOW, Art, floors, paragraphs, release, text_of
from stet_kit import Book, files_below, no_leftovers, set_rules

from firewall.errors import NeedsPerson
from firewall.writes import cases, disk, person
from firewall.writes.ledger import GENESIS, chain
from firewall.writes.proposal import Proposal
from firewall.writes.proxy import WriteProxy, WriteResult

SHM = Path("/dev/shm")
BOM = b"\xef\xbb\xbf"
FILES = {
    "long.md": 1200, "big.md": 2200, "part/mid.md": 350, "small.md": 90, "note.txt": 20, "crlf.md": 1100,
    "zh.md": 1100, "nb.ipynb": 160, "page.html": 60,
}  # fmt: skip
UNGUARDED = "scratch.py"

COUNT: Counter[str] = Counter()
"""Over all runs of this process: proposals, accepted, `fired X` for each firewall rule, `did X` for each move."""


class Killed(BaseException):
    """The process is gone."""


class Change(NamedTuple):
    """A proposal by the name of its file; options are those of `Proposal`."""

    name: str
    data: bytes | None
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed


class World:
    """One project, its files as the model knows them, some open proxies, perhaps a person at the terminal."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="stet-adversary-", dir=SHM if SHM.is_dir() else None))
        self.stack = contextlib.ExitStack()
        self.stack.callback(shutil.rmtree, self.folder)
        self.book = book = Book(self.folder / "book")
        self.root = book.root
        self.stack.enter_context(
            mock.patch.dict(
                os.environ,
                HOME=str(book.user.home),
                XDG_STATE_HOME=str(book.user.state),
                XDG_CONFIG_HOME=str(book.user.config),
            )
        )
        self.stack.enter_context(mock.patch.object(person, "require", self._require))
        self.there = False
        self.writer = texts.Writer()
        self.arts: dict[str, Art] = {}
        self.ghosts: list[Art] = []
        self.proxies: list[WriteProxy] = []
        self.last_refused: Change | None = None
        self.free: Counter[str] = Counter()
        self.chain = (0, GENESIS)
        self.tree: dict[str, bytes] = {}
        self.dirty = True

    def begin(self, seed: int) -> None:
        """A person's files, and other things that a folder may have in it."""
        pick = random.Random(seed)
        self.book.found()
        set_rules(self.root, {"growth_cap": 1200, "max_bytes": 300_000})
        policy = self.root / "stet.toml"
        policy.write_text(policy.read_text().replace("[protect]\n", '[protect]\ndelete_only = ["*.html"]\n', 1))
        self.policy = policy.read_text()
        for name, words in FILES.items():
            text = self.writer.chinese(words) if name == "zh.md" else self.writer.text(words, pick)
            data = self.writer.notebook(words) if name.endswith(".ipynb") else text.encode()
            data = BOM + data.replace(b"\n", b"\r\n") if name == "crlf.md" else data
            self.book.put(name, data)
            self.arts[name] = Art(name, data, self.now)
        (self.root / "link.md").symlink_to("long.md")
        (self.root / "same").symlink_to(".")
        outside = self.folder / "outside.md"
        outside.write_text("A person's own.\n")
        (self.root / "out.md").symlink_to(outside)
        (self.root / "nowhere.md").symlink_to("not/there.md")
        (self.root / "hard-a.md").write_text("Two names.\n")
        os.link(self.root / "hard-a.md", self.root / "hard-b.md")
        self.open("")
        self.proxies[0].adopt([Path(name) for name in FILES])
        self.tree = files_below(self.root)

    def end(self) -> None:
        """Read the whole record once more, as a new process, and clean up."""
        with self.stack:
            try:
                if self.arts:
                    self.check_record(self.open(""), whole=True)
            finally:
                for proxy in self.proxies:
                    proxy.__exit__(None, None, None)

    # -- who is there ----------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        return self.book.now

    def open(self, session: str) -> WriteProxy:
        """A new process, as far as the firewall can tell."""
        if len(self.proxies) > 3:
            self.proxies.pop(0).__exit__(None, None, None)
        self.proxies.append(self.book.open(session=session))
        return self.proxies[-1]

    def serial(self) -> int:
        """A number that nobody had before."""
        self.writer.used += 1
        return self.writer.used

    def kill_all(self) -> None:
        """All processes end; a new one starts."""
        while self.proxies:
            self.proxies.pop().__exit__(None, None, None)
        self.open("")

    def _require(self, ledger: object, command: str, what: str) -> str:
        if not self.there:
            raise NeedsPerson(command=command, detail="there is no terminal")
        return "terminal"

    @contextlib.contextmanager
    def a_person(self) -> Iterator[WriteProxy]:
        """A person at the terminal, with a process of their own."""
        self.there = True
        try:
            yield self.open("")
        finally:
            self.there = False

    # -- files -----------------------------------------------------------------------------------------

    def everything(self) -> list[Art]:
        """All protected artifacts, those too that have no name any more."""
        return [art for name, art in self.arts.items() if name != UNGUARDED] + self.ghosts

    def name(self, pick: random.Random, *, prose: bool = True) -> str:
        """An artifact that exists (and is prose)."""
        names = [
            n for n, art in sorted(self.arts.items())
            if art.data is not None and n != UNGUARDED and not (prose and n.endswith((".ipynb", ".html")))
        ]  # fmt: skip
        if names:
            return pick.choice(names)
        self.person_makes("long.md", self.writer.text(300, pick).encode())
        return "long.md"

    def text(self, name: str) -> str:
        """What a reader sees of a file."""
        return text_of(name, self.arts[name].data)

    def encoded(self, name: str, text: str) -> bytes:
        """The text as bytes in the file's own way."""
        old = self.arts[name].data or b""
        data = text.encode().replace(b"\n", b"\r\n") if b"\r\n" in old else text.encode()
        return BOM + data if old.startswith(BOM) else data

    def spelled(self, name: str, pick: random.Random) -> Path:
        """One of the names that a file has."""
        ways = [self.root / name, self.root / "same" / name, self.root / "part" / ".." / name]
        if name == "long.md" and (self.root / name).exists():
            ways.append(self.root / "link.md")
        return pick.choice(ways)

    # -- proposals -------------------------------------------------------------------------------------

    def propose(self, pick: random.Random, name: str, data: bytes | None, **options: Any) -> WriteResult:
        """One proposal by any process under any of its names."""
        return self.propose_set(pick, [Change(name, data, options)])[0]

    def propose_set(self, pick: random.Random, changes: Sequence[Change]) -> list[WriteResult]:
        """One change set. Now and then it is looked at before, which must change nothing and say the same."""
        proxy = pick.choice(self.proxies)
        proposals = [Proposal(self.spelled(c.name, pick), c.data, **c.options) for c in changes]
        for change in changes:
            self.art(change.name).seen(self.now)
        looked = proxy.check_set(proposals) if pick.random() < 0.1 else None
        if looked is not None:
            assert files_below(self.root) == self.tree, "looking changed something"
        grants = self.uses(proxy)
        results = proxy.write_set(proposals)
        for before, after in zip(looked or (), results, strict=False):
            assert before.verdict == after.verdict or "change-set" in after.verdict.rules
        self.answered(changes, results, self.uses(proxy) != grants)
        return results

    def art(self, name: str) -> Art:
        """The artifact of this name; one that nobody has seen is empty."""
        if name not in self.arts:
            self.arts[name] = Art(name, None, self.now)
        return self.arts[name]

    def uses(self, proxy: WriteProxy) -> int:
        """Uses left of all grants."""
        return sum(g.uses for g in cases.grants(proxy.ledger, self.now))

    def answered(self, changes: Sequence[Change], results: Sequence[WriteResult], granted: bool = False) -> None:
        """What must hold of every answer, and what the model now knows."""
        self.dirty = True
        committed = all(r.committed for r in results)
        assert committed or not any(r.committed for r in results), "a change set stands or falls together"
        tree = files_below(self.root)
        assert committed or tree == self.tree, "a refused proposal changed a file"
        gone: list[tuple[Art, bytes, int]] = []
        for change, result in zip(changes, results, strict=True):
            COUNT["proposals"] += 1
            COUNT.update(f"fired {name}" for name in result.verdict.rules)
            art = self.art(change.name)
            assert result.tripped or not art.latched, "a latch opened by itself"
            if committed:
                assert not art.latched, "a latched file was written"
                if change.data is None and art.data is not None and art.attempts:
                    gone.append((art, art.data, art.attempts))
                self._landed(art, change, result, granted)
            else:
                self._refused(art, change, result)
        assert tree == self.tree, "another file changed"
        for art, data, attempts in gone:
            self._handed_on(art, data, attempts)

    def _handed_on(self, gone: Art, data: bytes, attempts: int) -> None:
        """A file that holds text of one that went may have failed as often as that one, and no file else."""
        text = set(paragraphs(text_of(gone.name, data)))
        for known in self.proxies[-1].ledger.artifacts():
            art = self.arts.get(known.path)
            if art is None or known.attempts != attempts or art.attempts >= attempts:
                continue
            if text & set(paragraphs(text_of(art.name, art.data))):
                art.attempts = attempts
                art.failed += gone.failed
                COUNT["handed on"] += 1

    def _landed(self, art: Art, change: Change, result: WriteResult, granted: bool) -> None:
        path = self.root / art.name
        now = path.read_bytes() if path.exists() else None
        data = change.data
        assert result.verdict.allowed
        assert (now is None) is (data is None)
        if now is not None and data is not None:
            assert now.replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n"), "other bytes than proposed"
            assert result.sha256 == disk.sha256(now)
        if now == art.data:
            return
        COUNT["accepted"] += 1
        if granted:
            release(self.everything(), art)
        if granted or not art.versions:
            art.accept(now, self.now)
        else:
            art.wrote(now)
        art.attempts = 0
        self._place(art)

    def _refused(self, art: Art, change: Change, result: WriteResult) -> None:
        if "change-set" in result.verdict.rules:
            return
        assert not result.verdict.allowed
        self.last_refused = change
        if art.latched:
            return
        counted = result.attempt - art.attempts
        base = change.options.get("base")
        if "stale-base" in result.verdict.rules or (base is not None and base != disk.sha256(art.data)):
            self._lost_race(art, counted)
        else:
            assert counted == 1, "an attempt was not counted, or counted twice"
        art.attempts += counted
        art.failed += [self.now] * counted
        recent = sum(at >= self.now - WINDOW for at in art.failed)
        art.latched = art.attempts >= 3 or recent >= 10
        assert result.tripped is art.latched
        assert (result.alert is not None) is art.latched, "one alert for a trip"

    def _lost_race(self, art: Art, counted: int) -> None:
        """A writer whose base is gone is told so once for nothing; whoever sends it again pays for both."""
        assert counted in (0, 1, 2)
        self.free[art.name] += (1, 0, -1)[counted]
        assert self.free[art.name] >= 0, "two attempts were counted, and none was free before"
        COUNT[f"lost races {counted}"] += 1

    def _place(self, art: Art) -> None:
        """The model's view of the tree, once a file is as the model says."""
        if art.data is None:
            self.tree.pop(art.name, None)
        else:
            self.tree[art.name] = art.data

    def renamed(self, pick: random.Random, name: str, new: str) -> WriteResult:
        """A proposal to give a file another name."""
        art = self.art(name)
        art.seen(self.now)
        result = pick.choice(self.proxies).rename(self.root / name, self.root / new)
        COUNT["proposals"] += 1
        COUNT.update(f"fired {rule}" for rule in result.verdict.rules)
        if result.committed:
            COUNT["accepted"] += 1
            assert not art.latched, "a latched file was renamed"
            assert result.attempt == art.attempts, "a rename forgot attempts"
            if new in self.arts:
                self.ghosts.append(self.arts[new])
            del self.arts[name]
            self.arts[new] = art
            self.tree.pop(name)
            art.name = new
            self._place(art)
        else:
            self._refused(art, Change(name, art.data), result)
        assert files_below(self.root) == self.tree
        return result

    # -- a person --------------------------------------------------------------------------------------

    def person_makes(self, name: str, data: bytes | None) -> None:
        """A person's own change of the disk, or a person's own removal."""
        art = self.art(name)
        release(self.everything(), art)
        path = self.root / name
        if data is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if art.unseen:  # nobody looked at it through the firewall, so nobody can have kept it
            art.versions.pop()
        art.accept(data, self.now)
        art.unseen = data is not None
        self._place(art)
        self.dirty = True

    def person_answers(self, name: str, act: Callable[[WriteProxy, Path], object]) -> None:
        """A person accepts a file as it is, or opens it again."""
        art = self.art(name)
        release(self.everything(), art)
        with self.a_person() as proxy:
            act(proxy, self.root / name)
        art.accept(art.data, self.now)
        art.opened()
        assert files_below(self.root) == self.tree, "an answer changed a file"

    def approved(self, name: str, data: bytes | None) -> None:
        """A person's yes wrote this."""
        art = self.art(name)
        release(self.everything(), art)
        if data != art.data:
            art.accept(data, self.now)
            art.opened()
            self._place(art)
        self.dirty = True

    def honest_edit_passes(self, pick: random.Random, name: str) -> None:
        """After a person's yes, a small honest edit must pass."""
        art = self.arts[name]
        if art.data is None or art.latched or not self.text(name).strip():
            return
        if name.endswith(".ipynb"):
            cells = texts.cells_of(art.data)
            if not cells:
                return
            cells[-1]["source"] = texts.one_more(self.writer, "".join(cells[-1]["source"]), pick)  # type: ignore[arg-type]
            data = texts.notebook(cells)
        else:
            data = self.encoded(name, texts.one_more(self.writer, self.text(name), pick))
        result = self.propose(pick, name, data, base=disk.sha256(art.data))
        assert result.committed, f"stuck after a person's yes: {result.verdict.findings}"

    # -- what holds at every moment ----------------------------------------------------------------------

    def check(self, pick: random.Random) -> None:
        """Floors, the record, one version of long ago."""
        if self.dirty:
            broken = floors(self.everything(), self.now)
            assert not broken, broken
        self.dirty = False
        if self.proxies:
            self.check_record(self.proxies[-1])
            for known in self.proxies[-1].ledger.artifacts():
                art = self.arts.get(known.path)
                if art is not None:
                    have = (known.path, known.attempts, known.latched)
                    assert have == (art.name, art.attempts, art.latched), have
            art = pick.choice([art for art in self.everything() if art.versions])
            version = pick.choice(art.versions[: -1 if art.unseen else None] or [None])
            assert version is None or self.proxies[-1].ledger.load(disk.sha256(version)) == version

    def check_record(self, proxy: WriteProxy, *, whole: bool = False) -> None:
        """The journal's chain from where it was read last (or from its start), and every version with `whole`."""
        seq, previous = (0, GENESIS) if whole else self.chain
        rows = proxy.ledger.query(
            "SELECT seq, at, artifact, kind, old, new, session, source, data, hash FROM journal"
            " WHERE seq>? ORDER BY seq",
            (seq,),
        )
        for row in rows:
            seq += 1
            assert row[0] == seq, "an entry is missing"
            assert row[9] == chain(previous, tuple(row[:9])), "the chain is broken"
            previous = row[9]
        self.chain = (seq, previous)
        if whole:
            assert proxy.ledger.intents() == []
            assert no_leftovers(self.root) == []
            for art in self.everything():
                for version in art.versions[: -1 if art.unseen else None]:
                    assert proxy.ledger.load(disk.sha256(version)) == version
