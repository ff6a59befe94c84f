"""Work that survives SIGKILL: dbos workflows on a SQLite file. The only module that imports `dbos`.

Each piece of work is one workflow, and each model call in it one step. A step that was answered is
recorded before the next begins, so a second run replays answers instead of paying for them again; at most
the one call that was in flight is made twice.

Sharp edges of dbos 3.x that live here and nowhere else:

- An `Exception` that leaves a workflow is recorded as its outcome for good. A model that is down must not be,
  so what work raises leaves as a `BaseException`, which dbos does not record: the workflow stays
  pending and is resumed by the next launch.
- What was pending is resumed by dbos itself, in a thread of its own, a second or so after launch. So work
  always runs in dbos's threads, one at a time, and its end comes back through a queue.
- Recovery is keyed on application version and executor id: both are fixed, and a lock around the file
  (pipeline/run.py) keeps a second process from resuming what the first still runs.
- Its default serializer is pickle. The record is JSON here: it is data, and reading it runs nothing.
- It would log to the console, and offer a web console in that log: its logger is cut off.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from pipeline.db import told
from pipeline.errors import RunStateBroken

Json = dict[str, Any]
Step = Callable[[str, Callable[[], Json]], Json]
"""Run something under a name, or give back what it gave when it was run before. Names and their order
must be the same every time the same work runs."""
Work = Callable[[Step], Json]

APPLICATION_VERSION = "stet-book-1"
EXECUTOR = "stet"
START_SECONDS = 120.0
"""Seconds within which dbos must begin with a piece of work."""
SETTLE_SECONDS = 3.0
"""Seconds that leaving waits for dbos to record what has ended."""


class _Suspended(BaseException):
    """Leaves a workflow without an outcome, so that it is taken up again. Not an Exception: see above."""


class _Ended(NamedTuple):
    """How a piece of work ended: its result, or what it raised."""

    result: Json | None
    error: BaseException | None


class _Board:
    """What the workflow function, which dbos calls by name, must know of this process."""

    def __init__(self, work: Mapping[str, Work]) -> None:
        self.work = work
        self.turn = threading.Lock()
        self.stop = threading.Event()
        self.ends: dict[str, queue.Queue[_Ended]] = {ident: queue.Queue() for ident in work}
        self.begun: set[str] = set()
        self.done: list[str] = []


_board: _Board | None = None
_workflow: Callable[[str], Json] | None = None


class Durable:
    """A context manager around dbos and its file. One at a time in a process.

    `work` holds everything that may be asked for, by id. Pending work of an earlier run that is not in it is
    cancelled, never resumed.
    """

    def __init__(self, path: Path, work: Mapping[str, Work]) -> None:
        self._path = path
        self._board = _Board(work)

    def __enter__(self) -> Self:
        global _board
        from dbos import DBOS, DBOSConfig

        assert _board is None, "one durable run at a time"
        if "?" in str(self._path):  # the rest would be read as the URL's options
            raise RunStateBroken(detail=f"its path {self._path} holds a question mark", path=self._path)
        _board = self._board
        _quiet()
        _register()
        config: DBOSConfig = {
            "name": "stet",
            "system_database_url": f"sqlite:///{self._path}",
            "application_version": APPLICATION_VERSION,
            "executor_id": EXECUTOR,
            "enable_otlp": False,
            "log_level": "CRITICAL",
            "serializer": _serializer(),
            "scheduler_polling_interval_sec": 3600.0,
            "notification_listener_polling_interval_sec": 0.1,  # launch and leave wait for one turn of it
        }
        try:
            DBOS(config=config)
            DBOS.launch()
            for status in DBOS.list_workflows(status=["PENDING", "ENQUEUED"], load_input=False):
                if status.workflow_id not in self._board.work:
                    DBOS.cancel_workflow(status.workflow_id)
        except Exception as error:
            self._leave()
            raise told(self._path, error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        global _board
        from dbos import DBOS

        self._board.stop.set()
        with contextlib.suppress(Exception):  # a courtesy to the next run: no reason to fail this one
            self._settle()
        DBOS.destroy()
        _board = None

    def _settle(self) -> None:
        """Give dbos a moment to record the outcome of what ended last; without it that is only replayed."""
        from dbos import DBOS

        until = time.monotonic() + SETTLE_SECONDS
        for ident in self._board.done:
            while time.monotonic() < until:
                status = DBOS.get_workflow_status(ident)
                if status is None or status.status == "SUCCESS":
                    break
                time.sleep(0.02)

    @property
    def busy(self) -> bool:
        """Is work still in the middle of a step, after an interruption?"""
        return self._board.turn.locked()

    def run(self, ident: str) -> Json:
        """The result of the work `ident`: recorded, resumed or done now. Raises what the work raises."""
        from dbos import DBOS, SetWorkflowID

        assert _workflow is not None
        try:
            status = DBOS.get_workflow_status(ident)
            if status is None:
                with SetWorkflowID(ident):
                    DBOS.start_workflow(_workflow, ident)
            elif status.status == "SUCCESS":
                result: Json = DBOS.retrieve_workflow(ident).get_result()
                return result
            elif status.status not in ("PENDING", "ENQUEUED"):
                DBOS.resume_workflow(ident)
        except Exception as error:
            raise told(self._path, error) from None
        return self._wait(ident)

    def _wait(self, ident: str) -> Json:
        waited = 0.0
        while True:
            try:
                end = self._board.ends[ident].get(timeout=0.25)
            except queue.Empty:
                waited += 0.25
                if waited > START_SECONDS and not self._board.begun:
                    raise RunStateBroken(
                        detail=f"the work {ident} was not taken up within {START_SECONDS:.0f} s",
                        path=self._path,
                    ) from None
                continue
            if isinstance(end.error, Exception) and type(end.error).__module__.startswith("sqlalchemy"):
                raise told(self._path, end.error) from None  # a step that could not be recorded
            if end.error is not None:
                raise end.error
            assert end.result is not None
            return end.result


def _register() -> None:
    """Make the one workflow known to dbos; its registry outlives launches."""
    global _workflow
    if _workflow is not None:
        return
    from dbos import DBOS

    @DBOS.workflow(name="stet.section", max_recovery_attempts=None)
    def section(ident: str) -> Json:
        return _perform(ident)

    _workflow = section


def _perform(ident: str) -> Json:
    board = _board
    if board is None or ident not in board.work:
        raise _Suspended
    with board.turn:
        board.begun.add(ident)
        try:
            if board.stop.is_set():
                raise _Suspended
            result = board.work[ident](_step)
        except _Suspended as suspended:
            board.ends[ident].put(_Ended(None, suspended.__cause__ or InterruptedError(ident)))
            raise
        except BaseException as error:
            board.ends[ident].put(_Ended(None, error))
            raise _Suspended from error
    # The outcome is recorded by dbos after this returns; until then a kill replays the recorded steps.
    board.done.append(ident)
    board.ends[ident].put(_Ended(result, None))
    return result


def _step(name: str, do: Callable[[], Json]) -> Json:
    from dbos import DBOS

    def guarded() -> Json:
        board = _board
        if board is None or board.stop.is_set():
            raise _Suspended
        try:
            return do()
        except Exception as error:
            raise _Suspended from error

    return DBOS.run_step({"name": name}, guarded)


def _serializer() -> Any:
    from dbos import Serializer

    class JsonSerializer(Serializer):
        """Plain JSON; an exception becomes its words, and comes back as a RuntimeError."""

        def serialize(self, data: Any) -> str:
            if isinstance(data, BaseException):
                data = {"stet-error": _one_line(data)}
            return json.dumps(data, ensure_ascii=True)

        def deserialize(cls, serialized_data: str) -> Any:  # noqa: N805 - the base class names it so
            data = json.loads(serialized_data)
            if isinstance(data, dict) and set(data) == {"stet-error"}:
                return RuntimeError(data["stet-error"])
            return data

        def name(self) -> str:
            return "stet_json"

    return JsonSerializer()


def _quiet() -> None:
    logger = logging.getLogger("dbos")
    logger.propagate = False
    logger.setLevel(logging.CRITICAL + 1)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
