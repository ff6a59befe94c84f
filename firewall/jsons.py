"""`json.loads` and `json.dumps` for a process that lives for 50 ms: the same C code without the modules around it.

To import `json` compiles six regular expressions, and takes an agent's hook a thirtieth of its time. Where the C code
is not there, or is another than known here, `json` itself does it; it also raises what is to be raised.
"""

from __future__ import annotations

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

try:
    import _json
except ImportError:  # not every Python has it
    _json = None  # type: ignore[assignment]

_BLANK = " \t\n\r"


class _Context:
    """What the scanner asks for: the choices that `json.loads` makes where it is given none."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__
    memo: dict[str, str] = {}  # noqa: RUF012 - asked for, and never used


def loads(text: str) -> Any:
    """As `json.loads` of a text. Raises json.JSONDecodeError, a ValueError, and RecursionError."""
    try:
        scan = _json.make_scanner(_Context())  # type: ignore[arg-type]
        value, end = scan(text, len(text) - len(text.lstrip(_BLANK)))
        if not text[end:].strip(_BLANK):
            return value
    except (AttributeError, TypeError, StopIteration, SystemError):  # the last where it finds no json to say more
        pass
    import json

    return json.loads(text)


def dumps(value: object, *, ascii_only: bool = True, ordered: bool = False, compact: bool = False) -> str:
    """As `json.dumps`; `ordered` sorts the keys, `compact` leaves no blanks. Raises TypeError and ValueError."""
    comma, colon = (",", ":") if compact else (", ", ": ")
    try:
        quote = _json.encode_basestring_ascii if ascii_only else _json.encode_basestring
        encode = _json.make_encoder({}, _no_value, quote, None, colon, comma, ordered, False, True)
        return "".join(encode(value, 0))
    except (AttributeError, TypeError):
        import json

        return json.dumps(value, ensure_ascii=ascii_only, sort_keys=ordered, separators=(comma, colon))


def _no_value(value: object) -> object:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
