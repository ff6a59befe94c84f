"""The breaker: thresholds by kind, a cooldown that doubles, and one probe at a time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pipeline.breaker import FIRST_COOLDOWN, LONGEST_COOLDOWN, PROBE_LEASE, THRESHOLDS, WINDOW, Breaker
from pipeline.errors import BreakerOpen


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def made(tmp_path: Path) -> tuple[Breaker, Clock]:
    clock = Clock()
    return Breaker(tmp_path / "b", "model", clock=clock), clock


def fail(breaker: Breaker, kind: str, times: int) -> None:
    for _ in range(times):
        breaker.failure(breaker.admit(), kind)


@pytest.mark.parametrize("kind", sorted(THRESHOLDS))
def test_it_opens_at_the_threshold_of_the_kind_and_not_before(tmp_path: Path, kind: str) -> None:
    breaker, _ = made(tmp_path)
    fail(breaker, kind, THRESHOLDS[kind] - 1)
    ticket = breaker.admit()
    breaker.failure(ticket, kind)
    with pytest.raises(BreakerOpen) as caught:
        breaker.admit()
    assert kind in caught.value.message
    assert str(THRESHOLDS[kind]) in caught.value.message


def test_an_unknown_kind_opens_at_once(tmp_path: Path) -> None:
    breaker, _ = made(tmp_path)
    fail(breaker, "something new", 1)
    with pytest.raises(BreakerOpen):
        breaker.admit()


def test_a_success_ends_the_row(tmp_path: Path) -> None:
    breaker, _ = made(tmp_path)
    fail(breaker, "server", THRESHOLDS["server"] - 1)
    breaker.success(breaker.admit())
    fail(breaker, "server", THRESHOLDS["server"] - 1)
    breaker.admit()


def test_an_old_failure_is_no_part_of_a_row(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "server", THRESHOLDS["server"] - 1)
    clock.now += WINDOW + 1
    fail(breaker, "server", 1)
    breaker.admit()


def test_one_probe_goes_through_and_its_success_closes(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    clock.now += FIRST_COOLDOWN
    probe = breaker.admit()
    assert probe.probe
    with pytest.raises(BreakerOpen):
        breaker.admit()
    breaker.success(probe)
    assert not breaker.admit().probe


def test_failed_probes_double_the_cooldown_up_to_a_limit(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    cooldown = FIRST_COOLDOWN
    for _ in range(12):
        clock.now += cooldown - 0.5
        with pytest.raises(BreakerOpen):
            breaker.admit()
        clock.now += 0.5
        breaker.failure(breaker.admit(), "server")
        cooldown = min(cooldown * 2, LONGEST_COOLDOWN)
    clock.now += cooldown
    breaker.success(breaker.admit())
    fail(breaker, "auth", 1)
    clock.now += FIRST_COOLDOWN
    breaker.admit()


def test_a_probe_whose_process_died_makes_room_when_its_lease_ends(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    clock.now += FIRST_COOLDOWN
    dead = breaker.admit()
    clock.now += PROBE_LEASE
    alive = breaker.admit()
    assert alive.probe
    breaker.success(dead)  # an answer of the past says nothing about the present
    with pytest.raises(BreakerOpen):
        breaker.admit()
    breaker.success(alive)
    breaker.admit()


def test_a_call_that_we_broke_off_frees_the_probes_place(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    clock.now += FIRST_COOLDOWN
    breaker.release(breaker.admit())
    assert breaker.admit().probe


def test_late_failures_of_calls_made_before_it_opened_do_not_open_it_further(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    late = [breaker.admit() for _ in range(4)]
    fail(breaker, "auth", 1)
    for ticket in late:
        breaker.failure(ticket, "auth")
    clock.now += FIRST_COOLDOWN
    breaker.success(breaker.admit())
    breaker.admit()


def test_a_new_process_finds_it_open_and_other_models_are_not_touched(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    with pytest.raises(BreakerOpen):
        Breaker(tmp_path / "b", "model", clock=clock).admit()
    Breaker(tmp_path / "b", "another", clock=clock).admit()


def test_a_clock_set_back_does_not_keep_it_open_for_years(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    clock.now -= 10 * 365 * 86400
    assert breaker.admit().probe


def test_of_many_callers_after_the_cooldown_exactly_one_is_the_probe(tmp_path: Path) -> None:
    breaker, clock = made(tmp_path)
    fail(breaker, "auth", 1)
    clock.now += FIRST_COOLDOWN
    admitted: list[bool] = []
    start = threading.Barrier(20)

    def ask() -> None:
        start.wait()
        try:
            admitted.append(breaker.admit().probe)
        except BreakerOpen:
            return

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert admitted == [True]
