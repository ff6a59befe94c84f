"""comparison_table: things side by side.

Satisfied by one GFM table with a delimiter row, a column of names and `subjects` columns or more beside
it, `rows` rows or more, every header but the first filled in and different from the others, no cell empty
(write "none" or "-"), no row with more cells than the header, and at least one row in which what is
compared differs: `-`, `?`, `TBD` and `n/a` are alike.
"""

from __future__ import annotations

from firewall.text.markdown import Document
from latches.elements.base import Detection, Options, Tries, number, plural, says_nothing
from latches.elements.tables import Table, lookalikes, shape_fault, tables

NAME = "comparison_table"
OPTIONS: Options = {"subjects": 2, "rows": 2}


def _fault(table: Table) -> str | None:
    names = [cell.casefold() for cell in table.header[1:]]
    if not all(names):
        return "a column has no name in the header"
    if len(set(names)) < len(names):
        return "two columns have the same name"
    for row in table.rows:
        if len(row) < len(table.header) or not all(cell.strip() for cell in row):
            return 'a cell is empty; write "none" or "-" where there is nothing to say'
    if not any(len({"" if says_nothing(cell) else cell.casefold() for cell in row[1:]}) > 1 for row in table.rows):
        return "no row tells the columns apart"
    return None


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        f"one table with a delimiter row, a first column of names, {number(options, 'subjects')} or more named "
        f"columns beside it and {plural(number(options, 'rows'), 'row')} or more, no cell empty, and a row in "
        "which the columns differ"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("table", "tables")
    for table in tables(doc):
        fault = shape_fault(table, number(options, "subjects") + 1, number(options, "rows"))
        tries.look(table.node, fault or _fault(table))
    for at, why in lookalikes(doc):
        tries.also(at, why)
    return tries.detection(doc, "there is no table")


PASS = (
    "| | Push | Pull |\n|---|---|---|\n| delay | low | high |\n| cost | high | low |\n",
    "| Trait | A | B | C |\n|:--|:-:|:-:|--:|\n| size | 1 | 2 | 3 |\n| age | old | new | new |\n",
    "Trait | A | B\n---|---|---\nsize | big | small\nage | same | same\n",
    "| Tool | Speed | Licence |\n|---|---|---|\n| x | fast | MIT |\n| y | slow | GPL |\n",
    "| | A | B |\n|---|:-:|:-:|\n| fast | \u2705 | \u274c |\n| cheap | \u274c | \u2705 |\n",
    "> | | A | B |\n> |---|---|---|\n> | p | 1 | 2 |\n> | q | 3 | 4 |\n",
    "| Sign | A | B |\n|---|---|---|\n| `a \\| b` | yes | no |\n| c | - | none |\n",
    "Text first.\n\n| Kind | Yes | No |\n|---|---|---|\n| **p** | [x](u) | `y` |\n| q | z | z |\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n| | A | B |\n|---|---|---|\n| p | 1 | 2 |\n| q | 3 | 4 |\n",
)
FAIL = (
    "",
    "| | Push | Pull |\n| delay | low | high |\n| cost | high | low |\n",
    "| Trait | Value |\n|---|---|\n| delay | low |\n| cost | high |\n",
    "| | Push | Pull |\n|---|---|---|\n| delay | low | high |\n",
    "| | Push | Pull |\n|---|---|---|\n| delay | low | |\n| cost | high | low |\n",
    "| | Push | Pull |\n|---|---|---|\n| delay | low |\n| cost | high | low |\n",
    "| | Push | |\n|---|---|---|\n| delay | low | high |\n| cost | high | low |\n",
    "| | Push | push |\n|---|---|---|\n| delay | low | high |\n| cost | high | low |\n",
    "| | Push | Pull |\n|---|---|---|\n| delay | low | low |\n| cost | high | high |\n",
    "| | Push | Pull |\n|---|---|---|\n| `a | b` | low | high |\n| cost | high | low |\n",
    "| | Push | Pull |\n|---|---|\n| delay | low | high |\n| cost | high | low |\n",
    "| | A | B |\n|---|---|---|\n| - | - | - |\n| x | TBD | ? |\n",
    "```\n| | Push | Pull |\n|---|---|---|\n| delay | low | high |\n| cost | high | low |\n```\n",
    "- Push: low delay, high cost\n- Pull: high delay, low cost\n",
)
