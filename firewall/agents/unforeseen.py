"""What went wrong that nobody foresaw, in one line that can be reported."""

from __future__ import annotations

import traceback
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def told(error: BaseException) -> str:
    """The kind of error, its words, and the line of Stet's that it comes from; no full stop."""
    said = " ".join(str(error).split())[:500].rstrip(".")
    ours = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(_PACKAGE)]
    place = f" ({Path(ours[-1].filename).name} line {ours[-1].lineno})" if ours else ""
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"
