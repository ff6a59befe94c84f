"""The one way to a model: breaker, then budget, then the call, then the books."""

from __future__ import annotations

import threading
from collections.abc import Callable

from pipeline.breaker import Breaker
from pipeline.budget import Budget
from pipeline.errors import ModelError, NoPrice
from pipeline.models.base import DraftTask, EditTask, Model, Reply


class GuardedModel:
    """A model whose calls are admitted by a breaker and paid from a budget.

    A call whose answer never came, or was cut, may have been billed for anything up to its worst case, so
    that is what it counts as. A call that the provider refused outright cost nothing.
    """

    def __init__(self, model: Model, breaker: Breaker, budget: Budget) -> None:
        self.name = model.name
        self.spent_usd = 0.0
        self.calls = 0
        self._model = model
        self._breaker = breaker
        self._budget = budget
        self._lock = threading.Lock()

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:
        """What the model says."""
        return self._model.worst_cost_usd(task)

    def draft(self, task: DraftTask) -> Reply:
        """A section. Raises ModelError, BreakerOpen, BudgetExceeded, NoPrice."""
        return self._guarded(task, lambda: self._model.draft(task))

    def edit(self, task: EditTask) -> Reply:
        """A sentence. Raises as `draft` does."""
        return self._guarded(task, lambda: self._model.edit(task))

    def close(self) -> None:
        """Give back what the model holds open, if it holds anything."""
        close = getattr(self._model, "close", None)
        if close is not None:
            close()

    def _guarded(self, task: DraftTask | EditTask, call: Callable[[], Reply]) -> Reply:
        worst = self._model.worst_cost_usd(task)
        if worst is None and self._budget.cap is not None:
            raise NoPrice(model=self.name)
        ticket = self._breaker.admit()
        try:
            reservation = self._budget.reserve(worst or 0.0)
        except BaseException:
            self._breaker.release(ticket)
            raise
        cost = worst or 0.0  # until an answer says less
        answered = False
        try:
            reply = call()
            answered = True
            if reply.stop_reason is not None:
                cost = reply.usage.cost_usd or 0.0
        except ModelError as error:
            answered = True
            self._breaker.failure(ticket, error.kind)
            if error.kind in ("rate", "overloaded", "request", "auth"):
                cost = 0.0
            raise
        finally:
            if not answered:
                self._breaker.release(ticket)
            self._budget.settle(reservation, cost)
            with self._lock:
                self.spent_usd += cost
                self.calls += 1
        if reply.stop_reason is None:
            self._breaker.failure(ticket, "connection")
        else:
            self._breaker.success(ticket)
        return reply
