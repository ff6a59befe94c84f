"""Editors for tests: told what to say, or a function of the task. They count what they are asked."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.models.base import DraftTask, EditTask, Reply, Usage
from pipeline.models.offline_editor import edit_sentence


class Scripted:
    """Answers in turn from a list, the last one for ever; a Reply is given as it is."""

    def __init__(self, *answers: str | Reply | Callable[[EditTask], str], name: str = "scripted") -> None:
        self.name = name
        self.answers = list(answers)
        self.tasks: list[EditTask] = []

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:
        return 0.0

    def draft(self, task: DraftTask) -> Reply:
        raise AssertionError("a micro-pass drafts nothing")

    def edit(self, task: EditTask) -> Reply:
        answer = self.answers[min(len(self.tasks), len(self.answers) - 1)]
        self.tasks.append(task)
        if isinstance(answer, Reply):
            return answer
        text = answer if isinstance(answer, str) else answer(task)
        return Reply(text, "end_turn", self.name, Usage(10, 5, 0.001))


def by_rules() -> Scripted:
    """The rule-based editor behind the Protocol."""
    return Scripted(edit_sentence, name="by-rules")


def swap(task: EditTask) -> str:
    """The first alternative for the target, and nothing else."""
    return task.sentence.replace(task.target, task.alternatives[0]) if task.alternatives else ""
