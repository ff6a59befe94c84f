"""The embedded model: composes sections from their passages and edits by rules. No key, no cost."""

from __future__ import annotations

import json

from pipeline.models.base import DraftTask, EditTask, Reply, Usage

NAME = "offline"
_FREE = Usage(0, 0, 0.0, 1)


class OfflineModel:
    """An extractive writer and a rule-based editor. Deterministic: the same task gives the same reply.

    What the passages hold nothing for is left out, so that the section fails its latch and a person hears
    of it. Nothing is made up.
    """

    name = NAME

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:  # noqa: ARG002 (nothing costs)
        """Always 0.0."""
        return 0.0

    def draft(self, task: DraftTask) -> Reply:
        """The section, or for a repair the elements that are missing, as far as the passages hold them."""
        from pipeline.compose.cite import Citer
        from pipeline.compose.notes import read_notes
        from pipeline.compose.section import compose, repair

        notes = read_notes(task.passages, task.plan.title)
        citer = Citer(task.plan.number, task.passages, task.draft)
        if task.missing:
            text = repair(notes, task.plan, [name for name, _ in task.missing], task.draft, citer)
        else:
            text = compose(notes, task.plan, citer)
        return Reply(text, "end_turn", NAME, _FREE)

    def edit(self, task: EditTask) -> Reply:
        """The sentence with the word replaced, or an empty text; with a note where nothing says by what."""
        from pipeline.models.offline_editor import edit_sentence

        notes = () if any(word.strip() for word in task.alternatives) else (_nothing_instead(task.target),)
        return Reply(edit_sentence(task), "end_turn", NAME, _FREE, notes)


def _nothing_instead(target: str) -> str:
    """That [style] has no alternatives for a word. Without one no rule can tell what to write."""
    word = " ".join(target.split()).casefold()
    key = json.dumps(word, ensure_ascii=False)
    return (
        f"No alternatives are set for '{word}', and the offline editor writes no others: set "
        f'`alternatives = {{ {key} = ["…"] }}` under [style], or use --model.'
    )
