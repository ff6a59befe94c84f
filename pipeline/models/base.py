"""The one Protocol behind which models stand, with two roles: draft a section, edit a sentence.

A task is structured, never a prompt: `prompts.py` turns it into text for models that read text, and the
offline writer reads the fields. A reply is data and untrusted, whatever model gave it.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from firewall.context.passage import Passage
from latches.blueprint import SectionPlan


class Usage(NamedTuple):
    """Tokens billed for one call; `requests` counts tries, `cost_usd` is None where no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    requests: int = 1


class DraftTask(NamedTuple):
    """Write one section.

    `passages` come through the context firewall and from nowhere else. With `missing` the task is a
    repair: `draft` stands, and only the named elements are asked for, each with the words that say
    what would satisfy it; the reply is put where the first of them belongs. `refused` is why the previous answer was
    rejected as a whole, or empty. `about` is what the shape says to whoever writes it.
    """

    book: str
    lane: str
    plan: SectionPlan
    passages: tuple[Passage, ...]
    draft: str = ""
    missing: tuple[tuple[str, str], ...] = ()
    refused: str = ""
    about: str = ""


class EditTask(NamedTuple):
    """Rewrite one sentence.

    `sentence` is exact source text. `target` is the word or phrase that must go, `alternatives` what may
    stand instead. `locked` are substrings that must come back unchanged, in order. `before` and `after`
    are read-only context. `refused` is why the previous answer was rejected, or empty. `number` says
    "singular" or "plural", as (alternative, number), for alternatives whose form does not show it. `at` are
    the offsets in `sentence` of the uses that must go; where it is empty, every one must.
    """

    sentence: str
    target: str
    alternatives: tuple[str, ...]
    locked: tuple[str, ...]
    before: str
    after: str
    instruction: str
    refused: str = ""
    number: tuple[tuple[str, str], ...] = ()
    at: tuple[int, ...] = ()


class Reply(NamedTuple):
    """What a model answered.

    `stop_reason` is the provider's word, or None when the stream was cut; only "end_turn" and
    "stop_sequence" are whole answers. `notes` are things the run must say, such as that temperature 0
    was not sent because the model does not take it.
    """

    text: str
    stop_reason: str | None
    model: str
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """True when the model says that it finished what it wanted to say."""
        return self.stop_reason in ("end_turn", "stop_sequence")


class Model(Protocol):
    """A writer and editor. `name` identifies it in records and reports."""

    name: str

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:
        """The most that the call could cost, in USD, before it is made; None where no price is known.

        A model that costs nothing says 0.0. A budget reserves this sum, so it must never be too small.
        """

    def draft(self, task: DraftTask) -> Reply:
        """A section in Markdown, its heading left out. Raises ModelError when no reply can be had."""

    def edit(self, task: EditTask) -> Reply:
        """The rewritten sentence alone, or an empty text when the model declines."""
