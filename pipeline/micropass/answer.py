"""The form of an editor's answer: one JSON string under a schema, so that nothing can stand around it."""

from __future__ import annotations

import json
from typing import Any, Final

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"sentence": {"type": "string"}},
    "required": ["sentence"],
    "additionalProperties": False,
}
"""JSON Schema of an answer; the strict modes of model APIs want an object around the string."""


def read_answer(text: str) -> str | None:
    """The sentence of an answer, empty for a decline; None where the answer breaks the schema.

    A bare JSON string is taken too, for servers that know no schema. Duplicate keys, further keys and text
    around the JSON break it.
    """
    try:
        value = json.loads(text, object_pairs_hook=_Object)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, _Object) and [key for key, _ in value] == ["sentence"]:
        value = value[0][1]
    return value if isinstance(value, str) else None


class _Object(list[tuple[str, Any]]):
    """A JSON object as its pairs, so that a key that comes twice is seen."""
