"""Judging what one commit changes, as a change set, from its blobs alone. Pure.

The parent's content is disk, mark and baseline in one: nothing of other commits counts. A merge is judged against
each of its parents: what only one of them has may not be dropped silently. Only protected files are judged. A rename
is its content's change; text that moved between files of the commit has survived. A commit is the work of an editor,
so each change counts as an edit that names the lines it removes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from firewall.text.linediff import changed_lines
from firewall.text.shown import kind
from firewall.text.touched import touched_parts
from firewall.text.units import units
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome, Verdict, judge
from firewall.writes import protection
from firewall.writes.decide import decide
from firewall.writes.facts import Facts, Words
from firewall.writes.gains import NONE, Gains, gains, total, with_gains
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.prose import text_of
from firewall.writes.protection import Protection
from firewall.writes.rules import ALL
from firewall.writes.rules.base import Rule

_UNREAD = (("unmerged",), ("max-bytes",))
"""Checks of a file whose content was not judged, so that nothing else of the commit can change the verdict."""
_LOSSES = frozenset(("delete", "emptied", "word-floor", "small-floor", "survival", "hidden"))
"""Rules that ask what is gone, and nothing of what is new."""


class File(NamedTuple):
    """One file that a commit changes, by its content before and after (None: no plain file). `kind` is added,
    modified, deleted, renamed or unmerged; `old_path` is where a renamed file was.

    `size` is the bytes of the larger side where they are so many that neither was read. `against` is the parent that a
    merge is judged against where it is not the first, and `taken` what the other parents did to the file, as content
    before and after: what they took out the merge has not lost.
    """

    path: str
    kind: str
    old: bytes | None
    new: bytes | None
    old_path: str = ""
    size: int = 0
    against: str = ""
    taken: tuple[tuple[bytes, bytes], ...] = ()


class Judged(NamedTuple):
    """A file with its verdict, and its words before and after."""

    file: File
    verdict: Verdict
    before: int
    after: int

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {
            "path": self.file.path,
            "from": self.file.old_path or None,
            "change": self.file.kind,
            "against": self.file.against or None,
            "outcome": self.verdict.outcome.label,
            "words": {"before": self.before, "after": self.after, "mark": self.before},
            "findings": [f.to_json() for f in self.verdict.findings],
        }


def is_judged(path: str, rules: Protection) -> bool:
    """Is this a path below the project that is guarded?"""
    return bool(path) and protection.is_protected(path, rules)


def same_kind(path: str, other: str, rules: Protection) -> bool:
    """Are files of both names guarded, and judged in the same way?"""
    if not (is_judged(path, rules) and is_judged(other, rules)):
        return False
    loss = protection.is_loss_only(path, rules) == protection.is_loss_only(other, rules)
    return loss and kind(path) == kind(other)


def judge_files(files: Sequence[File], limits: Limits, rules: Protection) -> list[Judged]:
    """The verdict of each file of a change set, in the order given."""
    first = [_first(file, limits, rules) for file in files]
    arrived: list[Gains] = []
    everywhere = NONE
    if not all(verdict.allowed for _, _, verdict in first):
        arrived = [_arrived(measures) for _, measures, _ in first]
        everywhere = total(arrived)
    out = []
    for number, (file, (facts, measures, verdict)) in enumerate(zip(files, first, strict=True)):
        if not verdict.allowed and verdict.checks not in _UNREAD:
            facts, measures, verdict = _again(facts, everywhere.less(arrived[number]), _rules(file, measures))
        out.append(Judged(file, verdict, measures.disk_words, 0 if file.new is None else measures.new_words))
    return out


def _first(file: File, limits: Limits, rules: Protection) -> tuple[Facts, Measures, Verdict]:
    # By the old name too: a rename would not be one if the names were judged in different ways.
    facts = Facts(
        path=file.path,
        disk=file.old,
        proposed=file.new,
        mark=file.old,
        disk_sha="",
        limits=limits,
        released=_taken(file),
        loss_only=protection.is_loss_only(file.path, rules),
    )
    measures = Measures(facts)
    size = max(file.size, *(len(data or b"") for data in (file.old, file.new)))
    if file.kind == "unmerged":
        message = f"{file.path} has conflicts that nobody has resolved. Resolve them and add it again."
        return facts, measures, judge([Finding("unmerged", Outcome.BLOCK, message, {})], ["unmerged"])
    if size > limits.max_bytes:
        message = f"{file.path}: {size} bytes; at most {limits.max_bytes} are judged. Split it."
        found = Finding("max-bytes", Outcome.BLOCK, message, {"bytes": size, "limit": limits.max_bytes})
        facts = facts._replace(disk=None, proposed=None, mark=None)
        return facts, Measures(facts), judge([found], ["max-bytes"])
    return facts, measures, decide(facts, measures, _rules(file, measures))


def _taken(file: File) -> Counter[Words]:
    """The units that other parents of a merge took out of the file."""
    gone: Counter[Words] = Counter()
    for before, after in file.taken:
        old, new = (units(text_of(file.old_path or file.path, data)) for data in (before, after))
        gone |= Counter(u.words for u in old) - Counter(u.words for u in new)
    return gone


def _rules(file: File, measures: Measures) -> Sequence[Rule]:
    """Against a further parent of a merge only losses count: what is new may be the first parent's."""
    if not file.against:
        return ALL
    shrinks = file.new is None or measures.new_words < measures.disk_words
    return [rule for rule in ALL if rule.name in _LOSSES or (shrinks and rule.name == "delta-cap")]


def _arrived(measures: Measures) -> Gains:
    """What a file has and got in this commit, nothing for one that is not judged as prose."""
    if measures.facts.loss_only:
        return NONE
    return gains(measures.facts.path, measures.new, {u.words for u in measures.came})


def _again(facts: Facts, elsewhere: Gains, rules: Sequence[Rule]) -> tuple[Facts, Measures, Verdict]:
    """Judge again, knowing which text arrived elsewhere in the commit, and which lines an editor took out."""
    facts = with_gains(facts, elsewhere, facts.released)
    measures = Measures(facts)
    verdict = decide(facts, measures, rules)
    if "structure-loss" in verdict.rules:
        facts = facts._replace(declared=_removed(facts), editor=True)
        measures = Measures(facts)
        verdict = decide(facts, measures, rules)
    return facts, measures, verdict


def _removed(facts: Facts) -> bytes | None:
    """The parts that the change takes a line from, as the old text of an editor's edits. Whether it is a rewrite is
    for the sizes and survival to say."""
    text = text_of(facts.path, facts.disk)
    old = text.split("\n")
    new = text_of(facts.path, facts.proposed).split("\n")
    gone: list[int] = []
    for start, end, _, _ in changed_lines(old, new):
        gone += range(start, end)
    return touched_parts(facts.path, text, gone).encode("utf-8", "surrogatepass") or None
