"""The process that a runtime starts for every event: `stet-hook RUNTIME [--state FOLDER --root FOLDER [--user]]`.

Reads the event on standard input, answers on standard output. Nothing that fails here lets a call through: where it
cannot be judged it is refused, with the reason; where not even that can be said, by exit status 2, which every runtime
with exit statuses takes for a refusal. Few imports above: what is imported before `main` runs can fail unheard.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing's own costs an import
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import ModuleType
    from typing import BinaryIO

    from firewall.agents.events import Answer, Event, Reply
    from firewall.agents.keeping import Kept
    from firewall.agents.sweep import Swept
    from firewall.writes.proxy import WriteProxy

RUNTIMES = ("claude", "codex", "gemini", "opencode", "qwen", "cursor", "cline", "windsurf", "copilot", "kimi")
REFUSED = 2
"""The exit status that refuses."""
PIPE_SECONDS = 20
"""How long an event may take to come in, and an answer to be taken: a hook that its runtime ends for its slowness
refuses nothing in most of them."""


def main(argv: Sequence[str] | None = None, stdin: BinaryIO | None = None) -> int:
    """Answer one event; the exit status: 0 answered (a refusal is an answer), 2 refused without one. Never raises."""
    import gc

    if argv is not None:
        return _answer(list(argv), stdin)
    gc.disable()  # a process of its own has a short life, and what it imports is no garbage
    status = _answer(sys.argv[1:], stdin, alone=True)
    _end(status)
    return status


def _import_paths() -> None:
    """Import pathlib as Python 3.13 does, without urllib.parse: before, it is imported for `Path.as_uri` alone, and
    takes a twentieth of what a hook takes. Whoever imports it later gets the real one."""
    if sys.version_info >= (3, 13) or "pathlib" in sys.modules or "urllib.parse" in sys.modules:
        return

    def quote(data: bytes) -> str:
        from urllib.parse import quote_from_bytes

        return quote_from_bytes(data)

    stand_in = type(sys)("urllib.parse")
    stand_in.quote_from_bytes = quote  # type: ignore[attr-defined]
    sys.modules["urllib.parse"] = stand_in
    try:
        import pathlib  # noqa: F401
    finally:
        del sys.modules["urllib.parse"]


def _end(status: int) -> None:
    """End the process at once: the answer is written and the record closed, and to take every module apart takes as
    long as to import a third of them. Where threads or exit handlers wait for their end, the usual way is left."""
    import atexit

    if "threading" not in sys.modules and not atexit._ncallbacks():
        os._exit(status)


def _answer(words: list[str], stdin: BinaryIO | None, *, alone: bool = False) -> int:
    """`alone`: nobody else imports anything in this process."""
    closed = _open_standard_files()
    try:
        if alone:
            _within(PIPE_SECONDS)
            from firewall.agents import importing

            importing.install("firewall")
            _import_paths()
        runtime, state, root, user = _arguments(words)
        if stdin is None and sys.stdin is None:
            raise OSError("standard input, where its event comes in, is closed")
        data = (stdin or sys.stdin.buffer).read()
        if alone:
            _within(0)
        reply = respond(runtime, data, state=state, root=root, environment=os.environ, every_session=user)
        if alone:
            _within(PIPE_SECONDS)
    except BaseException as error:  # an interrupt or a full memory must refuse as well
        return _say("", f"Stet refuses, since its hook failed: {named(error)}", REFUSED)
    if closed and reply.out:
        return _say("", "Stet refuses, since its answer cannot be written: standard output is closed.", REFUSED)
    return _say(reply.out, reply.err, reply.status)


def _within(seconds: int) -> None:
    """From now on, or never (0), a pipe that keeps the process waiting so long is an error."""
    import _signal  # type: ignore[import-not-found]  # the part in C: the rest costs an import

    def late(*_: object) -> None:
        raise TimeoutError(f"a pipe of its runtime kept it waiting for {PIPE_SECONDS} seconds")

    if hasattr(_signal, "alarm"):
        _signal.signal(_signal.SIGALRM, late)
        _signal.alarm(seconds)


def respond(
    runtime: str, data: bytes, *, state: str = "", root: str = "", environment: Mapping[str, str] | None = None,
    every_session: bool = False, kept: Kept | None = None,
) -> Reply:  # fmt: skip
    """The answer to one event of a runtime. Without `state` and `root` the project is sought from the event's folder,
    and where there is none, nothing is said; nor is it with `every_session` to sessions that have nothing to do with
    `root`. A process that answers many lends `kept`. Raises nothing but what stops the whole process."""
    from firewall.agents.events import OTHER, Answer, Event, Reply

    try:
        adapter = _adapter(runtime)
    except ImportError as error:
        return Reply(err=f"Stet has no hook for {runtime!r} ({error}).", status=REFUSED)
    event = Event(runtime, OTHER)
    try:
        event = adapter.read(data, environment or {})
        answer = _answered(event, state, root, environment or {}, every_session=every_session, kept=kept)
    except Exception as error:
        answer = refusal(event, f"Stet refuses, since it cannot judge: {named(error)}")
    try:
        said: Reply = adapter.reply(event, answer)
        if event.kind == OTHER and answer.decision:  # nobody can tell what it was: it may have been a write
            return Reply(said.out, answer.reason, REFUSED)
    except Exception as error:
        return Reply(err=f"Stet refuses, since it cannot answer: {named(error)}", status=REFUSED)
    if answer == Answer() and said != Reply() and said.status:
        return Reply(err="Stet refuses: its adapter is broken.", status=REFUSED)
    return said


def refusal(event: Event, reason: str) -> Answer:
    """How an event is answered that cannot be judged. What has happened already, or is a person's own doing, is only
    told of: to block a prompt or a stop would help nobody."""
    from firewall.agents import events
    from firewall.agents.events import Answer

    if event.kind in (events.START, events.PROMPT, events.STOP, events.SUBSTOP, events.END):
        return Answer(notice=reason)
    if event.kind in (events.BEFORE, events.OTHER):
        return Answer("deny", reason)
    return Answer("block", f"{reason} What has run is not judged yet: it is as soon as that can be done.")


def _answered(
    event: Event, state: str, root: str, environment: Mapping[str, str], *, every_session: bool, kept: Kept | None
) -> Answer:
    from pathlib import Path

    from firewall.agents import events
    from firewall.agents.events import Answer

    if event.kind == events.OTHER and not event.problem:
        return Answer()
    if not (state and root):
        from firewall.agents import elsewhere

        starts = elsewhere.folders(event, environment) or [str(Path.cwd())]
        found = next((place for start in starts if (place := elsewhere.found(Path(start)))), None)
        if found is None:
            return Answer()
        root, state = found
    elif every_session or not Path(root).is_dir():
        from firewall.agents import elsewhere

        if not elsewhere.concerns(event, root, state, environment, every_session=every_session):
            return Answer()
    elif event.cwd != root and not event.cwd.startswith(f"{root}/"):
        from firewall.agents import elsewhere

        starts = elsewhere.away(event, root, state, environment)
        found = next((place for start in starts if (place := elsewhere.found(Path(start)))), None)
        if found is not None:  # a clone whose committed settings name the folder they come from
            answer = _judged(event, *found, every_session=False, kept=kept)
            return elsewhere.of_another(event, answer, root, found[0])
    return _judged(event, root, state, every_session=every_session, kept=kept)


def _judged(event: Event, root: str, state: str, *, every_session: bool, kept: Kept | None) -> Answer:
    from pathlib import Path

    if event.problem:
        return refusal(event, f"Stet refuses what it cannot understand: {event.problem}.")
    from firewall.agents import guard

    if kept is not None:
        with kept.project(_opened, Path(root), Path(state), event) as (proxy, earlier):
            return guard.Guard(proxy, earlier, "server").answer(event)
    proxy, earlier = _opened(Path(root), Path(state), event)
    with proxy:
        return guard.Guard(proxy, earlier, "user" if every_session else "").answer(event)


def opened(root: Path, state: Path, event: Event) -> WriteProxy:
    """The project, open. Where an agent spoilt stet.toml in its turn, it is put back first."""
    return _opened(root, state, event)[0]


def _opened(root: Path, state: Path, event: Event) -> tuple[WriteProxy, list[Swept]]:
    """The project, open, and what was put back so that it could be."""
    from firewall.errors import PolicyError, StateBroken
    from firewall.writes.proxy import WriteProxy

    try:
        return WriteProxy.recorded(root, state, session=event.session, source=event.runtime), []
    except (PolicyError, StateBroken) as error:
        from firewall.agents import reopening

        return reopening.as_pinned(root, state, event, error)


def _adapter(runtime: str) -> ModuleType:
    if runtime not in RUNTIMES:
        raise ImportError(f"known are {', '.join(RUNTIMES)}")
    import importlib

    return importlib.import_module(f"firewall.agents.{runtime}")


def _arguments(words: list[str]) -> tuple[str, str, str, bool]:
    """(runtime, state folder, project folder, run for every session) of the command line. Raises ValueError."""
    user = "--user" in words
    given = {"--state": "", "--root": ""}
    names = []
    rest = iter(words)
    for word in rest:
        if word == "--user":
            continue
        name, equals, value = word.partition("=")
        if name in given:
            given[name] = value if equals else next(rest, "")
            if not given[name]:
                raise ValueError(f"{name} names no folder")
        elif word.startswith("-"):
            raise ValueError(f"{word} is no option of stet-hook")
        else:
            names.append(word)
    if len(names) != 1 or bool(given["--state"]) != bool(given["--root"]):
        raise ValueError("usage: stet-hook RUNTIME [--state FOLDER --root FOLDER [--user]]")
    return names[0], given["--state"], given["--root"], user


def _open_standard_files() -> bool:
    """See that nothing opened later gets the number of a closed standard file. Was standard output closed?"""
    closed = False
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            closed = closed or number == 1
            os.open(os.devnull, os.O_RDWR)
    return closed


def named(error: BaseException) -> str:
    """What went wrong, in one line, with a code that does not change: that of the error, or `hook-failed`."""
    hint = getattr(error, "hint", "")
    text = " ".join(str(error).split()) or type(error).__name__
    code = getattr(error, "code", "")
    if not isinstance(code, str) or not code or isinstance(error, SystemExit):
        text, code = f"{type(error).__name__}: {text}", "hook-failed"
    return f"{text} [{code}] {hint}".strip()


def _say(out: str, err: str, status: int) -> int:
    """Write the reply; a refusal that cannot be written is exit status 2."""
    try:
        _write(1, out)
    except OSError:
        err, status = err or "Stet refuses, since its answer cannot be written.", REFUSED
    try:
        _write(2, f"{err}\n" if err else "")
    except OSError:
        return status or REFUSED if err else status
    return status


def _write(number: int, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(number, data) :]


if __name__ == "__main__":
    sys.exit(main())
