"""The budget: what is reserved can never exceed the cap, whoever asks at the same time."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.budget import Budget
from pipeline.errors import BudgetExceeded


def test_the_cap_holds_for_reservations_and_settling_gives_back(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "b", "book", 1.0)
    first = budget.reserve(0.6)
    with pytest.raises(BudgetExceeded) as caught:
        budget.reserve(0.6)
    assert "0.6000 USD spent or reserved" in caught.value.message
    budget.settle(first, 0.1)
    budget.reserve(0.6)
    assert budget.spent_usd() == pytest.approx(0.7)


def test_a_bill_above_the_worst_case_is_counted_in_full(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "b", "book", 1.0)
    budget.settle(budget.reserve(0.1), 0.95)
    with pytest.raises(BudgetExceeded):
        budget.reserve(0.1)


def test_many_small_sums_reach_the_cap_exactly(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "b", "book", 0.1)
    for _ in range(100):
        budget.reserve(0.001)
    with pytest.raises(BudgetExceeded):
        budget.reserve(0.000000001)


def test_threads_that_race_are_admitted_only_as_far_as_the_cap_goes(tmp_path: Path) -> None:
    path = tmp_path / "b"
    budget = Budget(path, "book", 10.0)
    admitted: list[int] = []
    start = threading.Barrier(16)

    def ask() -> None:
        start.wait()
        try:
            budget.reserve(3.0)
        except BudgetExceeded:
            return
        admitted.append(1)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 3
    assert budget.spent_usd() == pytest.approx(9.0)


def test_processes_share_the_cap_and_a_killed_one_is_not_given_back(tmp_path: Path) -> None:
    path = tmp_path / "b"
    Budget(path, "book", 10.0)
    code = (
        "import os, sys; from pathlib import Path; from pipeline.budget import Budget\n"
        "Budget(Path(sys.argv[1]), 'book', 10.0).reserve(6.0); os.kill(os.getpid(), 9)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert killed.returncode == -9
    with pytest.raises(BudgetExceeded):
        Budget(path, "book", 10.0).reserve(6.0)


def test_books_have_budgets_of_their_own(tmp_path: Path) -> None:
    Budget(tmp_path / "b", "one", 1.0).reserve(1.0)
    Budget(tmp_path / "b", "two", 1.0).reserve(1.0)


def test_without_a_cap_everything_is_counted_and_nothing_refused(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "b", "book")
    budget.reserve(1e6)
    assert budget.spent_usd() == pytest.approx(1e6)


@pytest.mark.parametrize("sum_", [float("nan"), float("inf"), -0.01])
def test_what_is_no_sum_of_money_is_refused(tmp_path: Path, sum_: float) -> None:
    budget = Budget(tmp_path / "b", "book", 1.0)
    with pytest.raises(ValueError, match="not a sum of money"):
        budget.reserve(sum_)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 0.5), st.floats(0, 1)), max_size=12), st.floats(0, 2))
def test_reservations_admitted_never_exceed_the_cap(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[float, float]], cap: float
) -> None:
    budget = Budget(tmp_path_factory.mktemp("b") / "b", "book", cap)
    for worst, share in calls:
        try:
            reservation = budget.reserve(worst)
        except BudgetExceeded:
            continue
        assert budget.spent_usd() <= cap + 1e-9
        budget.settle(reservation, worst * share)
    assert budget.spent_usd() <= cap + 1e-9
