"""The moves of the adversary, of an honest writer and of a person, each checked by `adversary_world`."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import adversary_texts as texts
from adversary_model import DAY, paragraphs
from adversary_world import COUNT, UNGUARDED, Change, Killed, World
from stet_kit import files_below

from firewall.writes import answers, cases, disk, operator, waiting
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Case, Grant

NEW = ("new.md", "part/other.md", "third.md")
LIFTABLE = (
    "word-floor", "small-floor", "delta-cap", "growth-cap", "survival", "structure-loss", "delete", "emptied",
)  # fmt: skip


WRITES: list[str] = []
BETWEEN: list[str] = []
AROUND: list[str] = []
"""Moves by name: one file at a time, text between files and names, and what goes on around."""


def move(kind: list[str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A move of the machine; all that it chooses comes from one seed."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        kind.append(function.__name__)
        return function

    return add


def waiting_files(proxy: WriteProxy, ident: str) -> list[str]:
    """The files that a yes would write."""
    try:
        return [case.path for case in waiting.group(proxy, ident).members]
    except (waiting.NothingProposed, waiting.SetBroken):
        return []


class Moves:
    """Every move of the adversary, of an honest writer and of a person."""

    world: World

    # -- one text at a time ------------------------------------------------------------------------------

    def change(self, pick: random.Random, how: Callable[..., str], name: str = "", **options: Any) -> None:
        world = self.world
        if name not in world.arts or world.arts[name].data is None:
            name = world.name(pick)
        new = how(world.writer, world.text(name), pick)
        if pick.random() < 0.5:
            options.setdefault("base", disk.sha256(world.arts[name].data or b""))
        world.propose(pick, name, world.encoded(name, new), **options)

    @move(WRITES)
    def honest(self, pick: random.Random) -> None:
        world = self.world
        name = world.name(pick)
        base = disk.sha256(world.arts[name].data or b"")
        self.change(pick, pick.choice(texts.HONEST), name, base=base, stop_reason=pick.choice([None, "end_turn"]))

    @move(WRITES)
    def honest_again(self, pick: random.Random) -> None:
        self.honest(pick)

    @move(WRITES)
    def bad(self, pick: random.Random) -> None:
        self.change(pick, pick.choice(texts.BAD))

    @move(WRITES)
    def swap(self, pick: random.Random) -> None:
        self.change(pick, texts.swapped)

    @move(WRITES)
    def slices(self, pick: random.Random) -> None:
        """A little more of one file each time."""
        name = self.world.name(pick)
        for _ in range(pick.randrange(2, 6)):
            if self.world.arts[name].data is not None:
                self.change(pick, pick.choice([texts.rewritten_paragraph, texts.trimmed, texts.thinned]), name)

    @move(WRITES)
    def shrink_small(self, pick: random.Random) -> None:
        self.change(pick, pick.choice([texts.shrunk, texts.thinned]), pick.choice(["small.md", "part/mid.md"]))

    @move(WRITES)
    def grow_then_shrink(self, pick: random.Random) -> None:
        name = self.world.name(pick)
        self.change(pick, texts.grown, name)
        self.change(pick, texts.shrunk, name)

    @move(WRITES)
    def empty(self, pick: random.Random) -> None:
        self.change(pick, texts.emptied)

    @move(WRITES)
    def placeholder(self, pick: random.Random) -> None:
        for _ in range(3):
            self.change(pick, texts.elided)

    @move(WRITES)
    def hide(self, pick: random.Random) -> None:
        """Every word stays in the file, and a reader sees it no more."""
        for _ in range(3):
            self.change(pick, texts.out_of_sight)

    @move(WRITES)
    def grow(self, pick: random.Random) -> None:
        """More and more of one file, every word new."""
        name = self.world.name(pick)
        for _ in range(4):
            if self.world.arts[name].data is not None:
                self.change(pick, texts.grown, name)

    @move(WRITES)
    def read_back(self, pick: random.Random) -> None:
        self.change(pick, texts.read_back)

    @move(WRITES)
    def cut_off(self, pick: random.Random) -> None:
        if pick.random() < 0.5:
            self.change(pick, texts.cut_off)
        else:
            self.change(pick, texts.one_more, stop_reason=pick.choice(texts.STOPS))

    @move(WRITES)
    def structure(self, pick: random.Random) -> None:
        self.change(pick, texts.unstructured, pick.choice(["long.md", "big.md", "part/mid.md", "crlf.md"]))

    @move(WRITES)
    def spoil(self, pick: random.Random) -> None:
        """Bytes that are no text; line ends and byte-order marks that differ."""
        world = self.world
        name = world.name(pick)
        text, data = world.text(name), world.arts[name].data or b""
        options = [
            texts.broken_bytes(text, pick),
            texts.broken_bytes(text, pick),
            data.replace(b"\r\n", b"\n") if b"\r" in data else data.replace(b"\n", b"\r\n"),
            data.removeprefix(b"\xef\xbb\xbf"),
            b"\xef\xbb\xbf" + data,
        ]
        for new in pick.sample(options, 4):
            world.propose(pick, name, new)

    @move(WRITES)
    def stale(self, pick: random.Random) -> None:
        art = self.world.arts[self.world.name(pick)]
        old = pick.choice([disk.sha256(v) for v in art.versions[:-1]] + ["0" * 64, ""])
        self.change(pick, texts.one_more, art.name, base=old)

    @move(WRITES)
    def repeat(self, pick: random.Random) -> None:
        """The bytes refused last, once more; or some that are refused now."""
        world = self.world
        if world.last_refused is None or world.last_refused.name not in world.arts:
            self.bad(pick)
        for _ in range(2):
            if world.last_refused is not None and world.last_refused.name in world.arts:
                change = world.last_refused
                world.propose(pick, change.name, change.data, **change.options)

    @move(WRITES)
    def step_back(self, pick: random.Random) -> None:
        name = self.world.name(pick)
        self.change(pick, pick.choice([texts.grown, texts.new_paragraph]), name)
        art = self.world.arts[name]
        self.world.propose(pick, name, art.versions[-2 if len(art.versions) > 1 else -1])

    @move(WRITES)
    def an_old_version(self, pick: random.Random) -> None:
        """Put back by a writer, which is judged like any write; or by restore without a person."""
        world = self.world
        name = world.name(pick)
        art = world.arts[name]
        version = pick.choice(art.versions)
        if pick.random() < 0.5:
            world.propose(pick, name, version)
            return
        art.seen(world.now)
        proxy = pick.choice(world.proxies)
        proxy.check(world.root / name, version)
        known = proxy.ledger.artifact(name)
        assert known is not None
        numbers = [v.number for v in operator.versions(proxy, known) if v.sha256 == disk.sha256(version)]
        assert numbers, "an earlier version cannot be put back"
        result = operator.restore(proxy, world.root / name, numbers[0])
        world.answered([Change(name, version)], [result])

    @move(WRITES)
    def structural_lie(self, pick: random.Random) -> None:
        """A range that the change does not keep to; or one that it does, and nothing is lost."""
        world = self.world
        name = world.name(pick)
        data = world.arts[name].data or b""
        start = pick.randrange(len(data) + 1)
        if pick.random() < 0.3 and data.isascii():
            piece = f"\n\n{world.writer.paragraph(12)}\n\n".encode()
            at = data.find(b"\n\n", start)
            at = len(data) if at < 0 else at
            world.propose(pick, name, data[:at] + piece + data[at:], structural=(at, at))
            return
        for span in ((start, start), pick.choice([(start, len(data) + 9), (-1, start), (len(data), start)])):
            new = world.encoded(name, pick.choice(texts.BAD)(world.writer, world.text(name), pick))
            if new[:start] != data[:start] or not new.endswith(data[start:]):
                result = world.propose(pick, name, new, structural=span)
                assert not result.committed or new == data

    @move(WRITES)
    def too_much(self, pick: random.Random) -> None:
        self.world.propose(pick, self.world.name(pick), b"more and more " * 22_000)

    @move(WRITES)
    def notebook(self, pick: random.Random) -> None:
        world = self.world
        if "nb.ipynb" in world.arts and world.arts["nb.ipynb"].latched:
            world.person_answers("nb.ipynb", operator.reset)
        for _ in range(6):
            self.notebook_once(pick)

    def notebook_once(self, pick: random.Random) -> None:
        world = self.world
        data = world.arts["nb.ipynb"].data if "nb.ipynb" in world.arts else None
        cells = texts.cells_of(data or b"")
        if not cells:
            return
        kind = pick.randrange(6)
        if kind == 0:
            cells.insert(
                pick.randrange(len(cells)), {"cell_type": "raw", "metadata": {}, "source": world.writer.paragraph(9)}
            )
        elif kind == 1:  # the source moved to the outputs
            for cell in cells:
                if cell["cell_type"] == "code":
                    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": cell["source"]}]
                    cell["source"] = []
        elif kind == 2:
            cells = cells[: pick.randrange(len(cells))]
        elif kind == 3:
            pick.choice(cells)["source"] = world.writer.paragraph(30)
        new = texts.notebook(cells)
        if kind > 3:
            new = pick.choice([b"# Notes\n\nNo notebook.\n", new[:-40], new.replace(b"nbformat", b"format"), b"{}"])
        world.propose(pick, "nb.ipynb", new)

    # -- names -------------------------------------------------------------------------------------------

    @move(BETWEEN)
    def delete(self, pick: random.Random) -> None:
        self.world.propose(pick, self.world.name(pick, prose=False), None)

    @move(BETWEEN)
    def create(self, pick: random.Random) -> None:
        """A new file, or one where a file was."""
        world = self.world
        gone = [n for n, art in sorted(world.arts.items()) if art.data is None and n.endswith((".md", ".txt"))]
        name = pick.choice([*NEW, *gone])
        if world.art(name).data is None:
            world.propose(pick, name, world.writer.text(pick.choice([8, 80, 500]), pick).encode())

    @move(BETWEEN)
    def rename(self, pick: random.Random) -> None:
        world = self.world
        name = world.name(pick, prose=False)
        new = pick.choice(["moved.md", "part/moved.md", "renamed.txt", name.replace(".", "-2."), "long.md", "big.md"])
        if pick.random() < 0.25:
            new = pick.choice(["moved.html", "moved.ipynb", UNGUARDED, "moved", "../away.md", ".git/a.md"])
            result = world.renamed(pick, name, new)
            assert not result.committed or new.rsplit(".")[-1] == name.rsplit(".")[-1]
        elif new != name:
            result = world.renamed(pick, name, new)
            if result.committed and pick.random() < 0.5:
                world.renamed(pick, new, name)

    @move(BETWEEN)
    def odd_path(self, pick: random.Random) -> None:
        """Where nothing may be written, whatever it is called."""
        world = self.world
        names = [
            "../outside.md", "out.md", "nowhere.md", "stet.toml", "part/stet.toml", ".git/hooks/a.md", ".GIT/a.md",
            "hard-a.md", "hard-b.md", "part", "same/../../x.md", "a\0b.md", "x" * 300 + ".md",
            f"{world.name(pick)}/a.md",
            os.fspath(world.book.state_folder / "a.md"),
        ]  # fmt: skip
        name = pick.choice(names)
        result = pick.choice(world.proxies).write(world.root / name, pick.choice([b"Mine now.\n", b"", None]))
        COUNT["proposals"] += 1
        COUNT.update(f"fired {rule}" for rule in result.verdict.rules)
        assert result.verdict.rules == ("path",)
        assert not result.committed
        assert files_below(world.root) == world.tree

    # -- text between files --------------------------------------------------------------------------------

    def cut(self, pick: random.Random, name: str) -> tuple[str, str]:
        """(what stays, what goes) of a file: some of its blocks in a row, as they are or slightly changed."""
        parts = texts.blocks(self.world.text(name))
        size = max(1, int(len(parts) * pick.choice([0.03, 0.1, 0.3, 0.5, 0.8, 1.0])))
        start = pick.randrange(len(parts) - size + 1)
        piece = texts.joined(parts[start : start + size])
        if pick.random() < 0.15:
            piece = texts.typo(self.world.writer, piece, pick)
        return texts.joined([*parts[:start], *parts[start + size :]]), piece

    def put(self, pick: random.Random, name: str, piece: str) -> bytes:
        """A file with a piece put somewhere into it."""
        if self.world.art(name).data is None:
            return piece.encode()
        parts = texts.blocks(self.world.text(name))
        parts.insert(pick.choice([0, len(parts), pick.randrange(len(parts) + 1)]), piece.strip("\n"))
        return self.world.encoded(name, texts.joined(parts))

    def holder(self, pick: random.Random, but: str) -> str:
        """Where text may go: a file that is there, a new one, one that is not guarded."""
        there = [n for n in (self.world.name(pick) for _ in range(4)) if n != but]
        return pick.choice([*there, *there, *NEW, UNGUARDED])

    @move(BETWEEN)
    def move_in_one_set(self, pick: random.Random) -> None:
        world = self.world
        name = world.name(pick)
        target = self.holder(pick, name)
        rest, piece = self.cut(pick, name)
        put = Change(target, self.put(pick, target, piece))
        cut = Change(name, None if pick.random() < 0.1 else world.encoded(name, rest))
        if target != name:
            world.propose_set(pick, pick.choice([[cut, put], [put, cut]]))

    @move(BETWEEN)
    def move_one_after_the_other(self, pick: random.Random) -> None:
        world = self.world
        name = world.name(pick)
        target = self.holder(pick, name)
        if target == name:
            return
        rest, piece = self.cut(pick, name)
        put = self.put(pick, target, piece)
        left = None if len(rest.split()) < 5 else world.encoded(name, rest)
        if pick.random() < 0.4:
            world.propose(pick, name, left)
            world.propose(pick, target, put)
            if world.arts[name].data is None:
                return
        else:
            world.propose(pick, target, put)
        world.propose(pick, name, left)

    @move(BETWEEN)
    def copy(self, pick: random.Random) -> None:
        """Text put elsewhere and left where it is."""
        name = self.world.name(pick)
        target = self.holder(pick, name)
        if target != name:
            self.world.propose(pick, target, self.put(pick, target, self.cut(pick, name)[1]))

    def foreign(self, pick: random.Random) -> tuple[str, list[int], list[str]] | None:
        """A file with text of others in it: (its name, which of its blocks, all blocks)."""
        world = self.world
        names = [n for n in sorted(world.arts) if world.arts[n].data and n.endswith((".md", ".txt", ".py"))]
        pick.shuffle(names)
        for name in names:
            theirs = {p for art in world.everything() if art.name != name for p in paragraphs(art.accepted)}
            parts = texts.blocks(world.text(name))
            held = [i for i, part in enumerate(parts) if any(p in theirs for p in paragraphs(part))]
            if held:
                return name, held, parts
        return None

    @move(BETWEEN)
    def launder(self, pick: random.Random) -> None:
        """Text of another file is dropped, thinned, rewritten, replaced by as much, or sent on."""
        found = self.foreign(pick)
        if found is None:
            self.move_one_after_the_other(pick)
            return
        name, held, parts = found
        world = self.world
        take = held[: max(1, int(len(held) * pick.choice([0.2, 0.5, 1.0])))]
        kind = pick.randrange(4)
        if kind == 0:
            parts = [p for i, p in enumerate(parts) if i not in take]
        elif kind == 1:
            for i in take:
                parts[i] = world.writer.paragraph(max(2, len(parts[i].split())))
        elif kind == 2:
            for i in take:
                parts[i] = texts.typo(world.writer, parts[i], pick)
        else:
            target = self.holder(pick, name)
            if target != name:
                piece = texts.joined([parts[i] for i in take])
                rest = [p for i, p in enumerate(parts) if i not in take]
                sent = [
                    Change(target, self.put(pick, target, piece)),
                    Change(name, world.encoded(name, texts.joined(rest)) if rest else None),
                ]
                world.propose_set(pick, sent)
            return
        world.propose(pick, name, world.encoded(name, texts.joined(parts)) if parts else None)

    @move(BETWEEN)
    def good_and_bad_in_one_set(self, pick: random.Random) -> None:
        world = self.world
        first = world.name(pick)
        second = next((n for n in (world.name(pick) for _ in range(5)) if n != first), first)
        if first == second:
            return
        good = world.encoded(first, texts.one_more(world.writer, world.text(first), pick))
        bad = world.encoded(second, pick.choice(texts.BAD)(world.writer, world.text(second), pick))
        world.propose_set(pick, pick.choice([[Change(first, good), Change(second, bad)],
                                             [Change(second, bad), Change(first, good)]]))  # fmt: skip

    # -- processes, time, policy ---------------------------------------------------------------------------

    @move(AROUND)
    def new_session(self, pick: random.Random) -> None:
        self.world.open(pick.choice(["", "one", "two"]))

    @move(AROUND)
    def new_processes(self, pick: random.Random) -> None:
        self.world.kill_all()

    @move(AROUND)
    def time_goes_by(self, pick: random.Random) -> None:
        self.world.book.now += pick.choice([60.0, 3600.0, 5 * 3600.0, DAY, 3 * DAY, 8 * DAY])

    @move(AROUND)
    def policy_loosened(self, pick: random.Random) -> None:
        """The agent's shell edits stet.toml; a person never accepted it."""
        world = self.world
        loose = world.policy.replace("[rules]\n", "[rules]\nword_floor = 0.01\nsurvival = 0.01\ndelta_cap = 99999\n"
                                     "small_survival = 0.01\nsmall_floor = 0.01\nattempts = 99\n", 1)  # fmt: skip
        loose = loose.replace("[protect]\n", '[protect]\nexclude = ["**"]\n', 1)
        text = pick.choice([loose, world.policy])
        (world.root / "stet.toml").write_text(text)
        world.tree["stet.toml"] = text.encode()
        world.open("")

    @move(AROUND)
    def dies_in_the_middle(self, pick: random.Random) -> None:
        """The process ends right before the file is replaced, or right after."""
        world = self.world
        art = world.arts[world.name(pick)]
        art.seen(world.now)
        data = world.encoded(art.name, texts.one_more(world.writer, world.text(art.name), pick))
        after = pick.random() < 0.5
        real = disk.replace

        def dying(path: Path, new: bytes, old: disk.Reading) -> None:
            if after:
                real(path, new, old)
            raise Killed

        with mock.patch.object(disk, "replace", dying):
            try:
                result = world.proxies[-1].write(world.root / art.name, data)
            except Killed:
                result = None
        if result is not None:
            world.answered([Change(art.name, data)], [result])
            return
        if after:
            art.wrote(data)
            art.attempts = 0
            world.tree[art.name] = data
            world.dirty = True
        world.proxies.pop().__exit__(None, None, None)
        world.open("")
        assert files_below(world.root) == world.tree

    @move(AROUND)
    def races_with_a_person(self, pick: random.Random) -> None:
        """A person saves the file between the verdict and the replace: what they saved stands."""
        world = self.world
        art = world.arts[world.name(pick)]
        if art.latched:
            return
        base = disk.sha256(art.data or b"")
        theirs = world.encoded(art.name, texts.new_paragraph(world.writer, world.text(art.name), pick))
        mine = world.encoded(art.name, texts.one_more(world.writer, world.text(art.name), pick))
        real = disk._write_temp

        def late(*arguments: Any) -> None:
            real(*arguments)
            if art.data != theirs:
                world.person_makes(art.name, theirs)

        with mock.patch.object(disk, "_write_temp", late):
            result = pick.choice(world.proxies).write(world.root / art.name, mine, base=base)
        world.answered([Change(art.name, mine)], [result])
        assert not result.committed or art.data == mine

    @move(AROUND)
    def a_real_process(self, pick: random.Random) -> None:
        if COUNT["did a_real_process"] >= 3:  # each takes as long as a hundred other moves
            self.honest(pick)
            return
        world = self.world
        world.book.now = max(world.book.now, time.time())
        if world.book.now > time.time() + 1:  # the clock of another process cannot be set
            return
        art = world.arts[world.name(pick)]
        how = pick.choice([texts.one_more, texts.stub])
        data = world.encoded(art.name, how(world.writer, world.text(art.name), pick))
        repo = str(Path(__file__).parents[2])
        done = subprocess.run(
            [sys.executable, "-c", "from pipeline.cli import main; main()", "write", art.name],
            cwd=world.root, input=data, capture_output=True, timeout=60,
            env=world.book.user.environment(PYTHONPATH=repo),
        )  # fmt: skip
        assert done.returncode in (0, 1, 4), done.stderr
        art.seen(world.now)
        world.dirty = True
        if done.returncode == 0:
            assert not art.latched
            art.wrote((world.root / art.name).read_bytes())
            art.attempts = 0
            world.tree[art.name] = data
        elif not art.latched:
            art.attempts += 1
            art.failed.append(world.now)
            assert (done.returncode == 4) is (art.attempts >= 3 or len(art.failed) >= 10)
            art.latched = done.returncode == 4
        assert files_below(world.root) == world.tree

    # -- a person ----------------------------------------------------------------------------------------

    @move(AROUND)
    def person_edits(self, pick: random.Random) -> None:
        """A person may write anything; then an honest edit passes."""
        world = self.world
        name = world.name(pick)
        how = pick.choice([*texts.HONEST, texts.swapped, texts.shrunk, texts.grown, texts.stub])
        world.person_makes(name, world.encoded(name, how(world.writer, world.text(name), pick)))
        world.honest_edit_passes(pick, name)

    @move(AROUND)
    def person_removes_or_makes(self, pick: random.Random) -> None:
        world = self.world
        gone = [n for n, art in sorted(world.arts.items()) if art.data is None and n.endswith((".md", ".txt"))]
        if gone or pick.random() < 0.5:
            name = pick.choice([*gone, *NEW])
            if world.art(name).data is None:
                world.person_makes(name, world.writer.text(pick.choice([90, 1200]), pick).encode())
                world.honest_edit_passes(pick, name)
        elif pick.random() < 0.3:
            world.person_makes(world.name(pick), None)

    @move(AROUND)
    def person_opens_what_is_latched(self, pick: random.Random) -> None:
        world = self.world
        latched = [n for n, art in sorted(world.arts.items()) if art.latched and n != UNGUARDED]
        for name in latched[:2] if latched else []:
            world.person_answers(name, operator.reset)
            world.honest_edit_passes(pick, name)

    @move(AROUND)
    def person_opens_again(self, pick: random.Random) -> None:
        self.person_opens_what_is_latched(pick)

    @move(AROUND)
    def person_accepts(self, pick: random.Random) -> None:
        name = self.world.name(pick, prose=False)
        self.world.person_answers(name, pick.choice([operator.accept, operator.reset]))
        self.world.honest_edit_passes(pick, name)

    def pending(self, pick: random.Random) -> Case | None:
        """A held proposal or a trip that waits for an answer."""
        with self.world.a_person() as proxy:
            waits = cases.every(proxy.ledger, ("hold", "trip"), cases.PENDING)
        return pick.choice(waits) if waits else None

    @move(AROUND)
    def person_approves(self, pick: random.Random) -> None:
        """What was proposed is applied to the letter, with its change set, or refused and nothing is changed."""
        case = self.pending(pick)
        if case is None:
            self.bad(pick)
            return
        world = self.world
        with world.a_person() as proxy:
            members = waiting_files(proxy, case.id)
            before = {name: world.art(name).data for name in members}
            wanted = {c.path: proxy.ledger.load(c.proposal) for c in cases.together(proxy.ledger, case)}
            try:
                answer = answers.approve(proxy, case.id)
            except (waiting.NothingProposed, waiting.SetBroken):
                answer = None
        if answer is None or not answer.done:
            for name in members:
                world.art(name).seen(world.now)
            assert files_below(world.root) == world.tree, "an answer that came to nothing changed a file"
            return
        for result in answer.results:
            world.approved(result.path, wanted[result.path])
        assert files_below(world.root) == world.tree, "something else was written than was approved"
        for name in before:
            world.honest_edit_passes(pick, name)

    @move(AROUND)
    def person_rejects(self, pick: random.Random) -> None:
        case = self.pending(pick)
        if case is None:
            self.bad(pick)
            return
        world = self.world
        with world.a_person() as proxy:
            answer = answers.reject(proxy, case.id)
        for name in answer.opened:
            world.art(name).opened()
        assert files_below(world.root) == world.tree

    @move(AROUND)
    def person_grants(self, pick: random.Random) -> None:
        """A grant lifts what it names, once, for one file; then an honest edit passes."""
        world = self.world
        name = world.name(pick)
        given = Grant(f"G{world.serial()}", world.now, name, LIFTABLE, 1, world.now + DAY)
        with world.a_person() as proxy, proxy.ledger.transaction():
            cases.grant(proxy.ledger, given)
        self.change(pick, pick.choice([texts.shrunk, texts.swapped, texts.unstructured]), name)
        world.honest_edit_passes(pick, name)
        with world.a_person() as proxy, proxy.ledger.transaction():
            proxy.ledger.change("UPDATE grants SET uses=0")

    @move(AROUND)
    def person_restores(self, pick: random.Random) -> None:
        world = self.world
        name = world.name(pick, prose=False)
        art = world.arts[name]
        version = pick.choice(art.versions)

        def act(proxy: WriteProxy, path: Path) -> None:
            proxy.check(path, version)
            known = proxy.ledger.artifact(name)
            assert known is not None
            number = next(v.number for v in operator.versions(proxy, known) if v.sha256 == disk.sha256(version))
            assert operator.restore(proxy, path, number).committed
            art.wrote(version)
            world.tree[name] = version

        world.person_answers(name, act)
        world.honest_edit_passes(pick, name)
        world.dirty = True
