"""Telling the operator: standard error, a program, and (extra `notify`) whatever apprise reaches.

A notification that fails is noted in the journal and changes nothing else: what was refused stays refused. Only
the alerts section of a stet.toml that a person accepted starts a program or reaches a network, so that neither
an agent's edit nor a cloned repository does. What leaves has no text of the artifact in it unless the policy
says so. The URLs hold credentials and are never shown: apprise reports failure by its return value, its
exceptions and its log may quote them, and so neither is passed on.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from firewall.errors import StetError, StorageError
from firewall.policy.alerts import Alerts
from firewall.writes import alerts, cases, pinned
from firewall.writes.alerts import Alert
from firewall.writes.asking import Origin
from firewall.writes.ledger import Ledger
from firewall.writes.records import Case

Send = Callable[[Alert], None]

MOST_TEXT = 20_000
"""Characters of a diff in a notification."""
UNACCEPTED = "the [alerts] of stet.toml were never accepted; a person runs `stet accept stet.toml`"


class Notifier:
    """Sends one alert everywhere the policy says. Never raises for a failure: the journal has it."""

    def __init__(self, ledger: Ledger, policy: Alerts, clock: Callable[[], float], *, in_hook: bool = False) -> None:
        self._ledger = ledger
        self._policy = policy
        self._clock = clock
        self._in_hook = in_hook

    def __call__(self, alert: Alert) -> None:
        """Tell of it."""
        self._print(alerts.block(alert.to_json()))
        if not (self._policy.command or self._policy.urls):
            return
        if not pinned.by_a_person(self._ledger):
            self._failed(alert, "all", UNACCEPTED)
            return
        value = self._outward(alert)
        if self._policy.command:
            problem = run_command(self._policy.command, value, self._policy.command_seconds)
            if problem:
                self._failed(alert, "command", problem)
        if self._policy.urls:
            for number, problem in send_urls(self._policy.urls, value):
                self._failed(alert, f"url {number}", problem)

    def _outward(self, alert: Alert) -> dict[str, Any]:
        value: dict[str, Any] = alert.to_json()
        if not self._policy.include_text:
            return {**value, "findings": [without_text(f) for f in value["findings"]]}
        return {**value, "diff": self._diff(alert)}

    def _diff(self, alert: Alert) -> str:
        case = cases.get(self._ledger, alert.id)
        if case is None:
            return ""
        before, after = (
            (self._ledger.load(sha) or b"").decode("utf-8", "replace").splitlines()
            for sha in (case.disk, case.proposal)
        )
        lines = difflib.unified_diff(before, after, "on disk", "proposed", lineterm="")
        return "\n".join(lines)[:MOST_TEXT]

    def _failed(self, alert: Alert, by: str, why: str) -> None:
        with contextlib.suppress(StetError), self._ledger.transaction(durable=False):
            self._ledger.append("untold", self._clock(), data={"alert": alert.id, "by": by, "why": why})
        self._print(f"stet: alert {alert.id} was not sent ({by}): {why}")

    def _print(self, words: str) -> None:
        """For the operator. A hook's standard error is read by an agent where it is no terminal."""
        with contextlib.suppress(OSError, ValueError):  # a closed terminal; the ledger has the alert
            if sys.stderr is not None and (not self._in_hook or sys.stderr.isatty()):
                print(words, file=sys.stderr, flush=True)  # noqa: T201 - the operator's block


_QUOTED = re.compile(r"(?<!\w)(['\"])(?:\\.|(?!\1).)*\1", re.DOTALL)


def without_text(finding: dict[str, Any]) -> dict[str, Any]:
    """A finding's rule, outcome and measures; what its message quotes and its evidence names is left out.

    Rules quote with repr(), so that a quotation ends at the first unescaped quote of its kind.
    """
    kept = {k: v for k, v in finding["evidence"].items() if isinstance(v, (int, float)) or v is None}
    message = _QUOTED.sub("'…'", finding["message"])
    return {"rule": finding["rule"], "outcome": finding["outcome"], "message": message, "evidence": kept}


def run_command(command: Sequence[str], value: dict[str, Any], seconds: float) -> str:
    """Run a program with the alert as JSON on its standard input. Returns what went wrong, or ''.

    No shell; its output goes nowhere. When its time is up, it is killed with all that it started.
    """
    with tempfile.TemporaryFile() as given:
        given.write(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n")
        given.seek(0)
        try:
            process = subprocess.Popen(
                list(command),
                stdin=given,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return f"{command[0]} could not be run: {getattr(error, 'strerror', None) or error}"
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            return f"{command[0]} took longer than {seconds:g} s and was ended"
        except BaseException:
            _kill(process)
            raise
    return f"{command[0]} ended with status {status}" if status else ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # pragma: no cover - Windows
            process.kill()
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()


def send_urls(urls: Sequence[str], value: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Send to each URL through apprise. Yields (its place in the list from 1, what went wrong) for failures."""
    try:
        import apprise
    except ImportError:
        yield 1, "apprise is not installed; run `pip install '.[notify]'` in the clone that Stet came from"
        return
    title = f"Stet {value['id']}: {value['path']} ({value['kind']}, {value['state']})"
    body = alerts.block(value) + (f"\n{value['diff']}" if value.get("diff") else "")
    for number, url in enumerate(urls, 1):
        with _silent("apprise"):
            problem = ""
            try:
                one = apprise.Apprise()
                if not one.add(url):
                    problem = "apprise knows no such service"
                elif not one.notify(body=body, title=title):
                    problem = "apprise could not deliver it"
            except Exception as error:  # a plug-in's own bug; its text may quote the URL
                problem = f"apprise failed ({type(error).__name__})"
        if problem:
            yield number, problem


@contextlib.contextmanager
def _silent(name: str) -> Iterator[None]:
    """The logger shows nothing, not even errors: apprise quotes a URL that it does not know."""
    logger = logging.getLogger(name)
    before = (logger.level, logger.propagate, logger.disabled)
    logger.setLevel(logging.WARNING)
    logger.propagate, logger.disabled = False, True
    try:
        yield
    finally:
        level, logger.propagate, logger.disabled = before
        logger.setLevel(level)


# -- what nobody answered ----------------------------------------------------------------------------------


def sweep(ledger: Ledger, policy: Alerts, origin: Origin, send: Send) -> None:
    """Escalate alerts that were left unanswered too long, once each; let old held proposals expire.

    There is no daemon: whatever opens the project looks.
    """
    kinds = ("trip", "staged", "hold") if policy.held else ("trip", "staged")
    hours = policy.escalate_after_hours
    late = cases.older(ledger, kinds, ("open", "waiting"), origin.at - hours * 3600.0) if hours else []
    old = cases.older(ledger, ("hold",), cases.PENDING, origin.at - policy.hold_days * 86_400.0)
    if not (late or old):
        return
    told: dict[str, list[Case]] = {}
    with contextlib.suppress(StorageError):  # a full disk; the next look tries again
        with ledger.transaction():
            for case in old:
                cases.move(ledger, case.id, cases.PENDING, "expired", origin.at, "time")
            for case in late:
                if cases.move(ledger, case.id, ("open", "waiting"), "escalated", origin.at, "time"):
                    data = {"alert": case.id, "by": "time"}
                    ledger.append("escalate", origin.at, artifact=case.artifact, source=origin.source, data=data)
                    told.setdefault(case.change_set or case.id, []).append(case._replace(state="escalated"))
        for together in told.values():
            send(alerts.of_case(together[0], len(together)))


def held_alerts(ledger: Ledger, idents: Sequence[str]) -> list[Alert]:
    """One alert for what was held together, recorded; none for nothing."""
    held = [case for ident in idents if (case := cases.get(ledger, ident))]
    if not held:
        return []
    alert = alerts.of_case(held[0], len(held))
    with contextlib.suppress(StorageError):  # the case stands in the ledger
        alerts.record(ledger.folder, alert.to_json())
    return [alert]
