"""The one way to a model: what a call costs the budget and tells the breaker, however it ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from pipeline.breaker import Breaker
from pipeline.budget import Budget
from pipeline.calls import GuardedModel
from pipeline.errors import BreakerOpen, BudgetExceeded, ModelError, NoPrice
from pipeline.models.base import DraftTask, Reply, Usage

TASK = cast(DraftTask, None)  # the guard passes a task on and looks at none of it


class Scripted:
    """A model that answers, or raises, what it is given."""

    name = "scripted"

    def __init__(self, *answers: Any, worst: float | None = 0.5) -> None:
        self.answers = list(answers)
        self.worst = worst
        self.calls = 0

    def worst_cost_usd(self, task: object) -> float | None:
        return self.worst

    def draft(self, task: object) -> Reply:
        self.calls += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return cast(Reply, answer)

    edit = draft


def error(kind: str) -> ModelError:
    return ModelError(model="scripted", kind=kind, detail="told to", fix="wait")


def reply(stop_reason: str | None = "end_turn", cost: float | None = 0.1) -> Reply:
    return Reply("text", stop_reason, "scripted", Usage(1, 1, cost))


def guarded(tmp_path: Path, model: Scripted, cap: float | None = 1.0) -> tuple[GuardedModel, Budget]:
    budget = Budget(tmp_path / "m", "book", cap)
    return GuardedModel(model, Breaker(tmp_path / "m", "scripted"), budget), budget


def test_a_call_costs_what_it_cost(tmp_path: Path) -> None:
    model, budget = guarded(tmp_path, Scripted(reply()))
    assert model.draft(TASK).text == "text"
    assert model.edit(TASK).text == "text"
    assert budget.spent_usd() == pytest.approx(0.2)
    assert model.spent_usd == pytest.approx(0.2)


def test_a_call_that_the_budget_does_not_cover_is_not_made(tmp_path: Path) -> None:
    scripted = Scripted(reply(), worst=2.0)
    model, budget = guarded(tmp_path, scripted)
    with pytest.raises(BudgetExceeded):
        model.draft(TASK)
    assert scripted.calls == 0
    assert budget.spent_usd() == 0


def test_a_model_without_a_price_is_not_called_on_a_budget(tmp_path: Path) -> None:
    scripted = Scripted(reply(cost=None), worst=None)
    with pytest.raises(NoPrice):
        guarded(tmp_path, scripted)[0].draft(TASK)
    assert scripted.calls == 0
    assert guarded(tmp_path, scripted, cap=None)[0].draft(TASK).text == "text"


@pytest.mark.parametrize("kind", ["rate", "overloaded", "request", "auth"])
def test_what_the_provider_refused_cost_nothing(tmp_path: Path, kind: str) -> None:
    model, budget = guarded(tmp_path, Scripted(error(kind)))
    with pytest.raises(ModelError):
        model.draft(TASK)
    assert budget.spent_usd() == 0


@pytest.mark.parametrize("kind", ["timeout", "connection", "server"])
def test_what_may_have_been_billed_counts_in_full(tmp_path: Path, kind: str) -> None:
    model, budget = guarded(tmp_path, Scripted(error(kind)))
    with pytest.raises(ModelError):
        model.draft(TASK)
    assert budget.spent_usd() == pytest.approx(0.5)


def test_a_cut_answer_counts_in_full_and_as_a_failure(tmp_path: Path) -> None:
    model, budget = guarded(tmp_path, Scripted(reply(None, 0.01)), cap=None)
    for _ in range(3):
        assert model.draft(TASK).whole is False
    assert budget.spent_usd() == pytest.approx(1.5)
    with pytest.raises(BreakerOpen):
        model.draft(TASK)


def test_a_refusal_of_the_model_is_an_answer_and_no_failure(tmp_path: Path) -> None:
    model, _ = guarded(tmp_path, Scripted(reply("refusal", 0.001)), cap=None)
    for _ in range(20):
        model.draft(TASK)


def test_failures_in_a_row_cut_the_model_off_without_a_call(tmp_path: Path) -> None:
    scripted = Scripted(error("server"))
    model, _ = guarded(tmp_path, scripted, cap=None)
    for _ in range(3):
        with pytest.raises(ModelError):
            model.draft(TASK)
    with pytest.raises(BreakerOpen):
        model.draft(TASK)
    assert scripted.calls == 3


def test_an_interrupt_is_no_failure_of_the_model_but_may_have_cost(tmp_path: Path) -> None:
    model, budget = guarded(tmp_path, Scripted(KeyboardInterrupt(), reply()), cap=None)
    with pytest.raises(KeyboardInterrupt):
        model.draft(TASK)
    assert budget.spent_usd() == pytest.approx(0.5)
    assert model.draft(TASK).text == "text"
