"""Is this folder really guarded? Looks at every part, and fires a canary through each hook that is installed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from firewall.agents import beside, lasting, walk
from firewall.agents.install import others, reading, runtimes
from firewall.agents.install.setup import Hook, Setup, interpreter, named
from firewall.agents.scope import guarded_files
from firewall.agents.tokens import token_of
from firewall.errors import StetError
from firewall.text.printable import printable
from firewall.values import NamedTuple
from firewall.writes import cases, person, pinned, unaccepted
from firewall.writes.database import RESTORE
from firewall.writes.operator import verify_journal
from firewall.writes.paths import POLICY_FILE
from firewall.writes.proxy import WriteProxy

GOOD, NOTE, BAD = "good", "note", "bad"
MOST = 3
"""Files that are named, and that a stub is tried on."""
STUB = b"# To be continued\n"
SECONDS = 90
"""How long a canary may take: a hook waits for locks, and a cold start reads every import."""


OPTIONS = {"user": " --user", "local": " --local"}
"""How hooks are installed into settings of each scope."""
SERVE = "Run `stet serve` in this folder and keep it running, or `stet install claude --local` for hooks without it."


class Found(NamedTuple):
    """One thing looked at: its state (good, note, bad), what was seen, and what to do about it."""

    about: str
    state: str
    said: str
    fix: str = ""


def examine(proxy: WriteProxy, home: Path, program: str, here: Path | None = None) -> Iterator[Found]:
    """Everything there is to say of this project, worst things included, in a fixed order. `here` is the folder that
    sessions would be started in, where that is not the project's own."""
    yield from _record(proxy)
    yield from _waiting(proxy)
    yield from _operator(proxy)
    yield from _unguarded(proxy)
    yield _sample(proxy)
    setup = Setup(proxy.root, proxy.state, home, program, python=interpreter(program))
    installed = 0
    for name in runtimes.RUNTIMES:
        module = runtimes.module(name)
        found = list(_runtime(proxy, setup, name, module, here or proxy.root))
        installed += bool(found)
        yield from found
    yield from _beside(proxy)
    if not installed and not beside.is_watched(proxy):
        yield Found(
            "agents", BAD, "no agent has Stet's hooks here: what an agent writes past `stet write` is not seen.",
            "Run `stet install claude` (or another runtime), or keep `stet watch` running.",
        )  # fmt: skip


def _beside(proxy: WriteProxy) -> Iterator[Found]:
    """What keeps guard without an agent's hooks."""
    if beside.is_watched(proxy):
        yield Found("watch", GOOD, "`stet watch` runs here: every change of a guarded file is judged.")
    commits = beside.commits(proxy.root)
    if commits is not None and commits[1]:
        yield Found("git", BAD, f"{commits[0]}: {commits[1]}.", "Run `stet install git` again.")
    elif commits is not None:
        yield Found("git", GOOD, f"{commits[0]} judges every commit.")


def _record(proxy: WriteProxy) -> Iterator[Found]:
    """The folder, its record and its rules."""
    yield Found("project", GOOD, f"{proxy.root} is guarded; the record is in {proxy.state}.")
    broken = verify_journal(proxy.ledger.journal())
    if broken is not None:
        yield Found("journal", BAD, f"the hash chain is broken from entry {broken} on.", "Keep a copy; see `stet log`.")
    else:
        yield Found("journal", GOOD, "the hash chain is whole.")
    if past := proxy.ledger.written_past():
        yield Found("record", BAD, f"{past}: everything is refused.", RESTORE)
    text = pinned.read(proxy.ledger)
    if text is not None and text != (proxy.root / POLICY_FILE).read_text("utf-8-sig"):
        yield Found(
            "policy", NOTE, f"{POLICY_FILE} differs from what a person accepted; it counts only where it is stricter.",
            f"Look at it; `stet accept {POLICY_FILE}` takes it as it stands.",
        )  # fmt: skip
    else:
        yield Found("policy", GOOD, f"{POLICY_FILE} is as a person accepted it.")


def _operator(proxy: WriteProxy) -> Iterator[Found]:
    """How a person is known, and what a process of the same user can still do."""
    if proxy.ledger.meta(person.KEY) is None:
        yield Found(
            "operator", NOTE, "no passphrase is set: a terminal outside any agent's processes and a typed word count as"
            " a person, and a process of yours can fake a terminal.", "Run `stet operator init`.",
        )  # fmt: skip
    else:
        yield Found("operator", GOOD, "answers need the operator passphrase.")
    yield Found(
        "same user", NOTE, "a process of yours can write the files past Stet, or delete its record: the first is seen"
        " and judged where hooks or `stet watch` run, the second is seen at the next command, which refuses.",
    )  # fmt: skip


def _waiting(proxy: WriteProxy) -> Iterator[Found]:
    """What is left for a person to answer."""
    latched = [a.path for a in proxy.ledger.artifacts() if a.alert]
    if latched:
        shown = ", ".join(latched[:MOST]) + (f" and {len(latched) - MOST} more" if len(latched) > MOST else "")
        yield Found("latched", NOTE, f"until a person resets it, every write is refused to: {shown}.", "`stet alerts`")
    for session, pids in lasting.left_running(proxy):
        what = f"what the agent of session {session[:12]} started still runs ({', '.join(pids)})"
        if not pids:
            what = f"a tool call of session {session[:12]} has not ended, though its agent has stopped"
        yield Found(
            "turn", NOTE, f"{what}: until it ends, what changes here is judged as an agent's.",
            "End it, or let it run." if pids else "Let it end, or end the session.",
        )  # fmt: skip
    alerts = len(cases.every(proxy.ledger, ("trip", "staged"), cases.PENDING))
    held = len(cases.every(proxy.ledger, ("hold",), cases.PENDING))
    for count, one, several, command in (
        (alerts, "alert is", "alerts are", "alerts"), (held, "held proposal is", "held proposals are", "pending"),
    ):  # fmt: skip
        if count:
            yield Found("waiting", NOTE, f"{count} {one if count == 1 else several} unanswered.", f"`stet {command}`")


def _sample(proxy: WriteProxy) -> Found:
    """What a stub over the longest guarded file would get. Nothing is written and nothing is counted."""
    latched = {a.path for a in proxy.ledger.artifacts() if a.alert}
    sizes = dict(guarded_files(proxy.root, proxy.root, proxy.protection))
    free = sorted((path for path in sizes if path not in latched), key=lambda path: -sizes[path])
    for path in free[:MOST]:
        result = proxy.check(proxy.root / path, STUB)
        if not result.verdict.allowed:
            return Found("rules", GOOD, f"a stub would be refused: {result.verdict.findings[0].message}")
        if result.words.before >= proxy.limits.small_from:
            return Found("rules", BAD, f"a stub over {path} would pass.", "Look at [rules] in stet.toml.")
    if latched:
        return Found("rules", NOTE, "the files of some length are latched: whatever is written to them is refused.")
    return Found(
        "rules", NOTE, f"no guarded file here has {proxy.limits.small_from} words yet: below that a stub may pass.",
        "Guarded are the names in [protect] of stet.toml.",
    )  # fmt: skip


def _unguarded(proxy: WriteProxy) -> Iterator[Found]:
    """Files that look guarded and are not; new files of agents that nobody accepted."""
    found = walk.walk(str(proxy.root), proxy.protection)
    deep, names = walk.unguarded(found), walk.nameless(found)
    if deep:
        yield Found(
            "paths", BAD, f"not guarded, since the path is too long: {_some(deep)}.", "Give the folders shorter names."
        )
    large = [name for name in names if (proxy.root / name).lstat().st_size > proxy.limits.max_bytes]
    if large:
        yield Found(
            "names", BAD, f"not kept, since their names are not UTF-8 and they are too large: {_some(large)}.",
            "Give them names in UTF-8, or make them smaller.",
        )  # fmt: skip
    if names:
        yield Found(
            "names", NOTE, f"no rule judges these, whose names are not UTF-8: {_some(names)}. What an agent makes of"
            " them is put back whole.", "Give them names in UTF-8, and they are guarded like the rest.",
        )  # fmt: skip
    stands = [a.path for a in proxy.ledger.artifacts() if unaccepted.sha(proxy, a) and (proxy.root / a.path).exists()]
    if stands:
        yield Found(
            "left", NOTE, f"new files that were refused stand where they are, and are not guarded: {_some(stands)}.",
            "Look at each; `stet accept FILE` takes it as it is.",
        )  # fmt: skip


def _some(names: Sequence[str]) -> str:
    """A few of the names, and how many more."""
    shown = ", ".join(printable(name) for name in names[:MOST])
    return shown + (f" and {len(names) - MOST} more" if len(names) > MOST else "")


def _runtime(proxy: WriteProxy, setup: Setup, name: str, module: ModuleType, here: Path) -> Iterator[Found]:
    """One runtime, if Stet is in its settings."""
    if hasattr(module, "installed_version"):
        setup = setup._replace(version=module.installed_version())
    try:
        yield from _installed(proxy, setup, name, module, here)
    except StetError as error:
        if others.is_installed(proxy, module.guarded(setup)):
            yield Found(name, BAD, error.message, error.hint)
        else:
            said = f"{error.message} Nothing was put there from this folder."
            yield Found(name, NOTE, said, error.hint)


def _installed(proxy: WriteProxy, setup: Setup, name: str, module: ModuleType, here: Path) -> Iterator[Found]:
    hooks: list[Hook] = module.hooks(setup)
    if not hooks:
        return
    asked = list(dict.fromkeys(h for h in hooks if h.event == module.CANARY_EVENT))
    for hook in asked:
        there = named(hook.command)[0]
        if hook.scope != "user" and Path(there or ".missing").is_dir() and os.path.realpath(there) != str(proxy.root):
            said = f"{hook.file} names {there}, where its hooks were installed; they are those of another folder."
            yield Found(name, BAD, said, f"Run `stet install {name}{OPTIONS.get(hook.scope, '')}` here.")
            continue
        yield _canary(proxy, name, hook, module, setup)
    for reason in module.off(setup):  # that there is no hook to fire a canary through is among them
        yield Found(name, BAD, reason)
    for reason in reading.unread(module, setup, here, hooks):
        yield Found(name, BAD, reason)
    if len(asked) > 1:
        files = " and ".join(dict.fromkeys(f"{hook.file} ({hook.scope})" for hook in asked))
        yield Found(name, NOTE, f"Stet is asked {len(asked)} times for each call, by {files}; it judges once.")
    for gap in module.gaps(setup):
        yield Found(name, NOTE, gap)
    if not any(hook.scope in reading.EVERY for hook in hooks):
        below = reading.reads_above(module, proxy.root, proxy.root)
        where = f"outside of {proxy.root}" if below else f"in a folder below {proxy.root}, or outside of it,"
        said = f"A session started {where} reads other settings than these."
        yield Found(name, NOTE, said, f"Start sessions in {proxy.root}, or run `stet install {name} --user`.")


def _canary(proxy: WriteProxy, name: str, hook: Hook, module: ModuleType, setup: Setup) -> Found:
    """Ask the installed hook for a write that no project allows, as the runtime would, and see it refused.

    The write is of an empty stet.toml: refused by the `path` rule whatever the policy, counted against no file. A
    refusal for another reason proves nothing: a hook that cannot judge refuses everything.
    """
    policy = proxy.root / POLICY_FILE
    before = policy.read_bytes()

    def send(event: object) -> tuple[int, bytes, bytes]:
        return fire(hook.command, json.dumps(event).encode(), proxy.root, token_of(proxy))

    about = f"{module.TITLE}: a canary write through {hook.file}"
    again = f"Run `stet install {name}{OPTIONS.get(hook.scope, '')}` again."
    if hook.scope == "plugin":
        again = "See that the `stet-hook` on PATH is that of this environment."
    try:
        status, out, err = send(module.canary(setup))
        for event in module.canary_end(setup):
            send(event)
    except (OSError, subprocess.SubprocessError) as error:
        if hook.command.startswith("http://"):
            return Found(name, BAD, f"{about} found nobody at {hook.command}: every call is blocked.", SERVE)
        return Found(name, BAD, f"{about} could not be fired: {error}.", again)
    if policy.read_bytes() != before:
        return Found(name, BAD, f"{about} changed {POLICY_FILE}.", f"Put it back, and run `stet install {name}`.")
    reason = module.denial(status, out, err)
    if not reason:
        said = _line((err or out).decode("utf-8", "replace"))[:200]
        return Found(name, BAD, f"{about} was not refused (exit {status}{': ' + said if said else ''}).", again)
    if "path:" not in reason or POLICY_FILE not in reason:
        return Found(name, BAD, f"{about} was refused, but not judged: {_line(reason)}", again)
    return Found(name, GOOD, f"{about} was refused: {_line(reason)}")


def _line(text: str) -> str:
    """A text of several lines on one."""
    return " ".join(text.split())


def fire(command: str, data: bytes, folder: Path, token: str = "") -> tuple[int, bytes, bytes]:
    """Ask a hook as its runtime would: a command line through the shell, an address by HTTP.

    Returns exit status (0 for HTTP), standard output and standard error. Raises OSError, SubprocessError.
    """
    if command.startswith("http://"):
        from firewall.agents.server import post

        return 0, post(command, data, token), b""
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=data, capture_output=True, cwd=folder, timeout=SECONDS, check=False,
        env={k: v for k, v in os.environ.items() if k not in person.AGENT_VARIABLES},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr
