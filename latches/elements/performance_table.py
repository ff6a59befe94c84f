"""performance_table: measurements in a table.

Satisfied by one GFM table (header, delimiter row, `rows` rows or more, no row with more cells than the
header) that has a measured column: not the first one, with a number in at least two cells and in half of
them, where the unit stands in the header ("Latency (ms)", "Cost, $", "Requests per second"), in the cells
("12 ms", "85%", "3x"), or is what the header counts or measures ("Latency", "Errors", "Tokens").

Not measurements: dates, years, versions and ranks.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document
from latches.elements.base import Detection, Options, Tries, number, plural
from latches.elements.tables import Table, lookalikes, shape_fault, tables

NAME = "performance_table"
OPTIONS: Options = {"rows": 2}

_UNITS = (
    "ns|[µμu]s|ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|nights?|cycles?|"
    "b|bytes?|[kmgtp]i?b|[kmg]?bits?|[kmg]bps|[kmgt]i?b/s|b/s|%|percent|per cent|pp|x|×|times|"
    "rps|qps|tps|ops|iops|fps|req/s|ops/s|msg/s|tokens?|words?|characters?|chars?|lines?|rows?|calls?|requests?|"
    "queries|retries|errors?|alerts?|pages?|incidents?|failures?|tries|attempts?|files?|records?|events?|messages?|"
    "people|users?|usd|eur|gbp|cents?|dollars?|euros?|[kmg]?hz|m?w|kw|k?wh|°c|°f|[mk]?v|m?a|k?m|mm|cm|kg|g|mg|l|ml|"
    "points?|steps?|cores?|threads?|nodes?"
)
_NUMBER = r"(?:\d{1,3}(?:[,\u202f\u2009 ]\d{3})+|\d+)(?:[.,]\d+)?(?:e[+-]?\d+)?\s?[kKmMbB]?"
_CELL = re.compile(
    rf"^(?:[~≈<>≤≥±+\-−]|about|under|over|up to|at most|at least)?\s*(?P<money>[$€£¥])?\s*[+\-−]?{_NUMBER}"
    rf"(?:\s*(?:[-–—±/]|to)\s*[$€£]?{_NUMBER})?\s*(?P<unit>(?:{_UNITS})(?:\s?(?:/|per|a|an)\s?\w+)?\b|[%×°]\w*)?",
    re.IGNORECASE,
)
_NOT_MEASURED = re.compile(r"^(?:v\.?\s?\d|\d+\.\d+\.\d+|\d{4}-\d\d|\d{1,2}[:/]\d\d|#\d)", re.IGNORECASE)
_HEADER_UNIT = re.compile(
    rf"[(\[]\s*(?:in\s)?(?:{_UNITS})(?:\s?/\s?\w+|\s(?:per|a|an)\s\w+)?\s*[)\]]|,\s*(?:{_UNITS}|[$€£%])\s*$"
    r"|\bper\s(?:1,?000\s)?\w+|\bin (?:ns|ms|s|seconds|minutes|hours|days|mb|gb|kb|percent)\b|[%$€£]|"
    r"\w/(?:s|secs?|seconds?|min|minutes?|h|hr|hours?|days?)\b",
    re.IGNORECASE,
)
_MEASURES = re.compile(
    r"\b(?:latenc(?:y|ies)|duration|delay|elapsed|throughput|bandwidth|speed(?:up)?|cost|price|spend|memory|rss|"
    r"footprint|load|usage|utili[sz]ation|cpu|uptime|downtime|availability|error rate|hit rate|rate|ratio|share|"
    r"accuracy|precision|recall|score|overhead|savings?|runtime|run time|response time|time|wait|mean|median|"
    r"average|p\d\d(?:\.\d+)?|percentile|max(?:imum)?|min(?:imum)?|total|count|requests|errors|alerts|failures|"
    r"tokens|words|calls|retries|incidents|pages|hits|misses|minutes|seconds|hours|size|length|before|after)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(?:19|20)\d\d$")


def _measured(table: Table, column: int) -> bool:
    """Does the column hold numbers with a unit?"""
    cells = [row[column].strip() if column < len(row) else "" for row in table.rows]
    numbers = [m for c in cells if c and not _NOT_MEASURED.match(c) and (m := _CELL.match(c))]
    if len(numbers) < max(2, (len(cells) + 1) // 2):
        return False
    if sum(1 for m in numbers if m.group("unit") or m.group("money")) >= 2:
        return True
    if all(_YEAR.match(c) for c in cells if c):
        return False
    header = table.header[column]
    return bool(_HEADER_UNIT.search(header) or _MEASURES.search(header))


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        f"one table with a delimiter row and {plural(number(options, 'rows'), 'row')} or more, in which a "
        "column after the first holds numbers with their unit, in the header or in the cells"
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("table", "tables")
    for table in tables(doc):
        miss = shape_fault(table, 2, number(options, "rows"))
        if miss is None and not any(_measured(table, c) for c in range(1, len(table.header))):
            miss = "no column after the first holds numbers with a unit"
        tries.look(table.node, miss)
    for at, why in lookalikes(doc):
        tries.also(at, why)
    return tries.detection(doc, "there is no table")


PASS = (
    "| Query | Latency (ms) |\n|---|---:|\n| by id | 3 |\n| by name | 41 |\n",
    "| Run | Before | After |\n|---|---|---|\n| cold | 12 ms | 9 ms |\n| warm | 3 ms | 2 ms |\n",
    "| Model | Cost |\n|:--|--:|\n| small | $0.20 |\n| large | $3.10 |\n",
    "Store | Throughput\n--- | ---\nA | 14,500\nB | 9,200\n",
    "| Job | Share |\n|---|---|\n| backup | 40% |\n| scrub | 60% |\n",
    "| Night | Alerts per hour |\n|---|---|\n| Monday | 4 |\n| Tuesday | 11 |\n| Friday | none |\n",
    "> | Size | Time |\n> |---|---|\n> | 1 KB | 0.2 s |\n> | 1 MB | 1.4 s |\n",
    "| Step | Note | p95 |\n|---|---|---|\n| read | `a \\| b` | ~120 |\n| write | plain | 80–95 |\n",
    "| Case | Ops/sec |\n|---|---|\n| a | 1 200 |\n| b | 1.300 |\n",
    "| Case | Speed-up |\n|---|---|\n| one | 3x |\n| two | 1.5x |\n",
)
FAIL = (
    "",
    "| Query | Latency (ms) |\n| by id | 3 |\n| by name | 41 |\n",
    "| Query | Latency (ms) |\n|---|---|\n| by id | 3 |\n",
    "| Query | Verdict |\n|---|---|\n| by id | fast |\n| by name | slow |\n",
    "| Tool | Version |\n|---|---|\n| git | 2.39 |\n| make | 4.3 |\n",
    "| Event | Year |\n|---|---|\n| start | 2019 |\n| end | 2021 |\n",
    "| 3 ms | Query |\n|---|---|\n| 3 ms | by id |\n| 41 ms | by name |\n",
    "| Query | ms |\n|---|---|\n| `a | b` | 3 |\n| `c | d` | 41 |\n",
    "```\n| Query | Latency (ms) |\n|---|---|\n| by id | 3 |\n| by name | 41 |\n```\n",
    "    | Query | Latency (ms) |\n    |---|---|\n    | by id | 3 |\n    | by name | 41 |\n",
    "| Query | Latency (ms) |\n|---|\n| by id | 3 |\n| by name | 41 |\n",
    "- by id: 3 ms\n- by name: 41 ms\n",
    "| Release | Date |\n|---|---|\n| first | 2024-05-01 |\n| second | 2024-06-01 |\n",
)
