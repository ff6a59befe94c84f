"""Text that gives orders to whoever reads it with a model. Retrieved text may hold some; a book does not.

This is a writer's taste and no security gate: nothing here is ever obeyed, and what it misses is printed as
the quotation it is.
"""

from __future__ import annotations

import re

_ORDERS = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}
        \b(?:previous|prior|above|earlier|preceding|system|your)\b[^.!?\n]{0,20}
        \b(?:instruction|prompt|rule|direction)s?\b
    | \byou\ are\ (?:now|no\ longer)\ (?:an?|the|my)\ \w*\s?
        (?:assistant|editor|writer|author|model|bot|agent|expert)\b
    | \b(?:reveal|print|repeat|show)\b[^.!?\n]{0,20}\b(?:system|hidden|initial)\ prompt\b
    | \bdo\ not\ (?:mention|reveal|disclose)\ (?:this|these|the\ above)\b
    | ^\s*(?:system|assistant|developer)\s*:
    | <\|?(?:im_start|im_end|system|endoftext)\|?>
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def gives_orders(text: str) -> bool:
    """Does `text` address the model instead of the reader?"""
    return bool(_ORDERS.search(text))
