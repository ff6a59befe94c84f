"""Reading, changing and moving guarded files for a writer who has nothing but these calls: what `stet mcp` serves.

Knows no protocol. Each call opens the project anew, so that a policy a person accepted meanwhile counts, and gives
a Reply: words for the model, the same as JSON, and whether it failed. A call that cannot be judged raises a
StetError. Paths are relative to the project's folder, or absolute.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from firewall.agents import coverage
from firewall.agents.events import Seen
from firewall.agents.passages import MOST_SHOWN, encoded, lines_of, replace_once
from firewall.agents.scope import allowed, guarded_files, other_name
from firewall.digest import by_hash
from firewall.errors import UsageError
from firewall.text.words import count_words
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import alerts, disk, holding, project
from firewall.writes.assess import assess, is_latched
from firewall.writes.commit import saw
from firewall.writes.disk import Reading
from firewall.writes.observe import observe
from firewall.writes.operator import VERSIONS
from firewall.writes.paths import Target
from firewall.writes.prose import text_of
from firewall.writes.proxy import Proposal, WriteProxy, WriteResult
from firewall.writes.records import Entry

MOST_LISTED = 1_000
Roots = Sequence[Path] | None
"""The folders that a client has opened; None where it names none, and then it is the project's."""


class Reply(NamedTuple):
    """What came of a call. `data` says the same as `text`: some clients show a model the one, some the other."""

    text: str
    data: dict[str, Any]
    failed: bool = False


class NotThere(UsageError):
    """A file that does not exist."""

    code = "not-there"
    template = "{path} does not exist."
    next_step = "list_files names the files that are guarded here; write_file makes a new one."


class NotText(UsageError):
    """A file that is no UTF-8."""

    code = "not-text"
    template = "{path} is not UTF-8 text (first odd byte at {offset}), so it cannot be shown or edited in part."
    next_step = "A person converts it; until then leave it as it is."


class Files:
    """The calls of one client. `session` is the name under which the ledger knows it."""

    def __init__(self, root: Path, session: str) -> None:
        self.root = root
        self.session = session
        self._busy = threading.Lock()

    @contextlib.contextmanager
    def open(self) -> Iterator[WriteProxy]:
        """The project, as this client. One call at a time: a model makes several at once, and one that reads a file
        while another writes it would work from a version that is gone, and fail."""
        with self._busy, WriteProxy(project.load(self.root), session=self.session, source="mcp") as proxy:
            yield proxy

    # -- looking -------------------------------------------------------------------------------------------

    def read(self, path: str, first_line: int = 1, lines: int = 0, roots: Roots = None) -> Reply:
        """The file's text, from `first_line` on (counted from 1), `lines` of them (0: all). What the session has
        seen is noted, so that a later write from an older version is refused."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            reading, text = _look(proxy, target)
            shown, last, total, cut = lines_of(target.relative, text, first_line, lines)
            coverage.saw(proxy, target, Seen(first_line, last - first_line + (not cut), total))
        rest = f" Line {last} is longer than {MOST_SHOWN} characters and was cut." if cut else ""
        rest += f" Lines {last + 1} to {total} follow: read_file with first_line={last + 1}." if last < total else ""
        head = f"{target.relative}, lines {first_line} to {last} of {total}, sha256 {reading.sha256}.{rest}"
        data = {
            "path": target.relative, "message": head, "text": shown,
            "first_line": first_line, "last_line": last, "lines": total,
            "cut": cut, "words": count_words(text_of(target.relative, reading.data)), "sha256": reading.sha256,
        }  # fmt: skip
        return Reply(f"{head}\n\n{shown}", data)

    def list(self, folder: str = "", roots: Roots = None) -> Reply:
        """The guarded files below a folder, by path; those that are latched say so."""
        with self.open() as proxy:
            start = allowed(proxy, folder or ".", roots, folder=True).real
            known = {a.path: a for a in proxy.ledger.artifacts()}
            rows: list[dict[str, Any]] = []
            more = 0
            for name, size in guarded_files(proxy.root, start, proxy.protection):
                if len(rows) == MOST_LISTED:
                    more += 1
                    continue
                seen = known.get(name)
                rows.append(
                    {
                        "path": name,
                        "bytes": size,
                        "attempts": seen.attempts if seen else 0,
                        "latched": seen is not None and is_latched(seen, proxy.limits),
                    }
                )
        lines = [r["path"] + (" (latched: no proposal is read)" if r["latched"] else "") for r in rows]
        if more:
            lines.append(f"and {more} more; list a folder of them")
        return Reply("\n".join(lines) or "No guarded file here.", {"files": rows, "not_listed": more})

    def history(self, path: str, limit: int = 20, roots: Roots = None) -> Reply:
        """What happened to a file, the latest first; a person can put a version back."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            known = proxy.ledger.artifact(target.relative)
            entries = [] if known is None else [e for e in proxy.ledger.journal(known.id) if e.kind != "intent"]
        rows = [_event(e) for e in reversed(entries)][: max(1, limit)]
        lines = [_line(row) for row in rows]
        text = "\n".join(lines) or "Nothing is recorded of it."
        data = {"path": target.relative, "events": rows, "older": max(0, len(entries) - len(rows))}
        return Reply(f"{target.relative}\n{text}", data)

    # -- changing ------------------------------------------------------------------------------------------

    def write(self, path: str, content: str, base: str = "", roots: Roots = None) -> Reply:
        """Propose the whole file."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            proposal = Proposal(target.real, encoded(content), base=base or None)
            result = self._unread(proxy, proposal) or proxy.write_set([proposal])[0]
            if result.committed:
                coverage.saw(proxy, target, coverage.WHOLE)
            return told(result, "written")

    def _unread(self, proxy: WriteProxy, proposal: Proposal) -> WriteResult | None:
        """The refusal of a whole-file write over a long text that the session has not read; None for any other."""
        with proxy.locked([proposal]) as wanted:
            a = assess(proxy.bench(), wanted)[0]
            found = coverage.finding(proxy.ledger, self.session, a)
            if found is None:
                return None
            verdict = judge([*a.verdict.findings, found], [*a.verdict.checks, found.rule])
            return proxy.refuse([a._replace(verdict=verdict)])[0]

    def edit(self, path: str, old_text: str, new_text: str, base: str = "", roots: Roots = None) -> Reply:
        """Propose to replace a passage that stands in the file exactly once."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            proposal, failed = _edited(proxy, target, old_text, new_text, base)
            if failed is not None:
                return told(proxy.attempt(target.real, failed), "written")
            return told(proxy.write_set([proposal])[0], "written")

    def append(self, path: str, content: str, base: str = "", roots: Roots = None) -> Reply:
        """Propose more text at the end of a file that is there; a last line without its end gets one."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            reading = _there(proxy, target)
            data = reading.data or b""
            joint = b"" if not data or data.endswith(b"\n") else b"\n"
            result = proxy.write(target.real, data + joint + encoded(content), base=base or reading.sha256)
        reply = told(result, "written")
        if joint and not reply.failed:
            return _reply(f"{reply.text} The last line had no end; it got one before the new text.", reply.data)
        return reply

    def move(self, path: str, new_path: str, roots: Roots = None) -> Reply:
        """Propose another name for a file."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            new = other_name(proxy, target, new_path, roots)
            _there(proxy, target)
            return told(proxy.rename(target.real, new.real), f"now {new.relative}")

    def review(
        self, path: str, reason: str, change: str, *, content: str = "", old_text: str = "", new_text: str = "",
        new_path: str = "", roots: Roots = None,
    ) -> Reply:  # fmt: skip
        """Put a change before a person: `write` (content), `edit` (old_text, new_text), `move` (new_path), `delete`."""
        with self.open() as proxy:
            target = allowed(proxy, path, roots)
            if change == "write":
                proposal, failed = Proposal(target.real, encoded(content)), None
            elif change == "edit":
                proposal, failed = _edited(proxy, target, old_text, new_text, "")
            else:
                _there(proxy, target)
                new = other_name(proxy, target, new_path, roots).real if change == "move" else None
                proposal, failed = Proposal(target.real, None, rename_to=new), None
            if failed is not None:
                looked = proxy.check(target.real, b"")
                return told(looked._replace(verdict=judge([failed], [failed.rule]), hashed=by_hash("")), "")
            result = holding.ask(proxy, proposal, reason)
        if not result.held:
            return told(result, "put before a person")
        text = (
            f"{result.path} is as it was. The change waits as {result.held}: a person sees it with `stet pending` and "
            "answers it. Go on with other work; do not try the same by another way."
        )
        return _reply(text, result.to_json())


def told(result: WriteResult, done: str) -> Reply:
    """A result in words that the model can act on."""
    data = result.to_json()
    words = result.words
    if result.verdict.allowed:
        notes = "".join(f"\nNote: {f.message}" for f in result.verdict.findings)
        return _reply(f"{result.path}: {done}, {words.before} -> {words.after} words.{notes}", data)
    lines = [f"{'Held' if result.verdict.outcome is Outcome.HOLD else 'Refused'}: {result.path} is as it was."]
    lines += [f"- {f.rule}: {f.message}" for f in result.verdict.findings]
    if result.tripped:
        lines.append("The file is latched: no further proposal for it is read until a person resets it.")
        lines.append("Go on with other work, and tell the person that it waits.")
    elif result.attempt:
        lines.append(f"Failed attempt {result.attempt}; {result.attempts_left} left before the file is latched.")
    if result.held:
        lines.append(f"The proposal waits for a person as {result.held}; go on with other work.")
    return _reply("\n".join(lines), data, True)


def _reply(text: str, data: dict[str, Any], failed: bool = False) -> Reply:
    return Reply(text, {**data, "message": text}, failed)


def _there(proxy: WriteProxy, target: Target) -> Reading:
    reading = disk.read(target.real, proxy.limits.max_bytes)
    if reading.data is None:
        raise NotThere(path=target.relative)
    return reading


def _edited(proxy: WriteProxy, target: Target, old: str, new: str, base: str) -> tuple[Proposal, Finding | None]:
    """The proposal that an edit makes, and why it could not be made, if so."""
    reading = _there(proxy, target)
    done = replace_once(reading.data or b"", old, new)
    if done.content is not None:
        return Proposal(target.real, done.content, base=base or reading.sha256, declared=done.anchor), None
    message = f"{target.relative}: old_text {done.problem}."
    return Proposal(target.real, None), Finding("edit-anchor", Outcome.BLOCK, message, {"count": done.times})


def _look(proxy: WriteProxy, target: Target) -> tuple[Reading, str]:
    """The file as it is, noted as seen by the session."""
    with proxy.lock(target):
        reading = _there(proxy, target)
        try:
            text = (reading.data or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotText(path=target.relative, offset=error.start) from None
        origin = proxy.origin()
        known = observe(proxy.ledger, target.relative, reading, proxy.limits.window_days, origin)
        with proxy.ledger.transaction(durable=False):
            saw(proxy.ledger, origin.session, known.id, reading.sha256, origin.at)
    return reading, text


def _line(row: dict[str, Any]) -> str:
    version = f" version {row['version']}" if row["version"] else ""
    return f"{row['at']} {row['kind']}{version}" + (f" ({', '.join(row['rules'])})" if row["rules"] else "")


def _event(entry: Entry) -> dict[str, Any]:
    found = json.loads(entry.data).get("findings", ())
    return {
        "at": alerts.when(entry.at),
        "kind": entry.kind,
        "version": entry.seq if entry.kind in VERSIONS and entry.new else None,
        "sha256": entry.new or None,
        "session": entry.session,
        "source": entry.source,
        "rules": list(dict.fromkeys(f["rule"] for f in found)),
    }
