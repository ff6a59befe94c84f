"""From a name in book.toml or on the command line to a model."""

from __future__ import annotations

import os

from pipeline.errors import BadModel
from pipeline.models.base import Model

OFFLINE = "offline"
PREFIX = "openai:"
"""What the names of models behind a chat-completions server begin with."""
WRITER, EDITOR = "claude-sonnet-5-5", "claude-haiku-5-5"
"""What `--model anthropic` stands for: a writer, and a small fast model for single sentences."""


def names(asked: str | None, draft: str, edit: str) -> tuple[str, str]:
    """(who drafts, who edits): as the command line asks, else as the book says."""
    if asked is None:
        return _meant(draft, WRITER), _meant(edit, EDITOR)
    return _meant(asked, WRITER), _meant(asked, EDITOR)


def _meant(name: str, anthropic: str) -> str:
    return anthropic if name == "anthropic" else name


def make(name: str, base_url: str | None) -> Model:
    """The model called `name`. Raises BadModel for what no provider here can have.

    Behind a base URL of one's own any name may be served; Anthropic's are all called claude.
    """
    if name == OFFLINE:
        from pipeline.models.offline import OfflineModel

        return OfflineModel()
    if name.startswith(PREFIX) and name != PREFIX:
        from pipeline.models.openai_compatible import OpenAICompatibleModel

        return OpenAICompatibleModel(name, base_url=base_url)
    base_url = base_url or os.environ.get("ANTHROPIC_BASE_URL") or None
    if base_url is None and "claude" not in name:
        raise BadModel(
            name=name,
            detail="it is neither offline nor one of Anthropic's",
            fix="Use offline, anthropic, openai:NAME or an id such as claude-sonnet-5-5, or give --base-url.",
        )
    from pipeline.models.anthropic import AnthropicModel

    return AnthropicModel(name, base_url=base_url)
