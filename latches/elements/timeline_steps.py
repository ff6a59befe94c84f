"""timeline_steps: what happened, in the order of time.

Satisfied by one list, ordered or not, of `items` items or more that each begin with a point in time and
then say what happened in two words or more, never going back in time. A table whose first column holds the
points does as well, and so do headings of one level that begin with them, with what happened under them.

A point in time is a clock time ("14:02", "2:05 pm", "02:10 UTC"), a date ("2024-03-05", "5 March 2024",
"March 5"), a date and a time, a year, a weekday, a count ("T+5 min", "+90 s", "Day 2", "Week 3", "Hour 4",
"Minute 10", "Night 1"), or such a count before "later" ("5 minutes later"). It may be bold or in brackets
and may come after "at", "by", "around", "about", "on", "from" or "before". Clock times may pass midnight:
a step back of 8 hours or more without a date is the next day. Of a date with slashes or dots ("05/03/2024") the month
is known where the other number is above 12.

Not a timeline: counts and words that look like years and days ("2000 rows", "Sat down") and nothing else, days that no
month has, a numbered list without times, times at the end of items, a list in the wrong order, and a
list in which only some items have a time.
"""

from __future__ import annotations

from firewall.text.markdown import Document, Node
from latches.elements.base import Detection, Options, Tries, items, key, number, own_text, plain_words, plural, sections
from latches.elements.moments import Moment, goes_back, moment
from latches.elements.tables import tables

NAME = "timeline_steps"
OPTIONS: Options = {"items": 3}


def _fault(texts: list[str], least: int) -> str | None:
    if len(texts) < least:
        return f"there are {plural(len(texts), 'step')}; {least} are needed"
    before: Moment | None = None
    sure = False
    for place, text in enumerate(texts, 1):
        at = moment(text)
        if at is None:
            return f"step {place}, {text[:40]!r}, does not begin with a point in time"
        if plain_words(text[at.end :]) < 2:
            return f"step {place} does not say what happened"
        if before is not None and goes_back(before, at):
            return f"step {place}, {text[: at.end]!r}, is earlier than the step before it"
        if place > 1 and key(text) == key(texts[place - 2]):
            return f"step {place} says the same as the step before it"
        before = at
        sure = sure or at.sure
    return None if sure else f'{texts[0][:40]!r} may begin with a word or a count; set the time off, as in "2000:"'


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    return (
        f"a list of {plural(number(options, 'items'), 'item')} or more in the order of time, each beginning "
        'with a clock time, date or count such as "14:02", "2024-03-05" or "Day 2" and then what happened'
    )


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    least = number(options, "items")
    tries = Tries("list or table", "lists or tables")
    for node in doc.find("list"):
        tries.look(node, _fault([own_text(item) for item in items(node)], least))
    for table in tables(doc):
        tries.look(table.node, _fault([": ".join(row) for row in table.rows], least))
    for series in sections(doc) if not tries.found else ():
        timed = [section for section in series if moment(section.heading.plain().strip())]
        if len(timed) >= least:
            told = [f"{section.heading.plain().strip()}: {section.said}" for section in timed]
            whole = Node("section", timed[0].heading.start, timed[-1].end, {})
            tries.look(whole, _fault(told, least))
    return tries.detection(doc, "there is no list")


PASS = (
    "1. 14:02 the alarm rings\n2. 14:05 the pager goes off\n3. 14:30 the fix is out\n",
    "- **23:50** backup begins to run\n- **00:10** the disk is full\n- **00:40** the job is killed\n",
    "- 2024-03-05: first report comes in\n- 2024-03-06: cause is found\n- 2024-03-09: fix is released\n",
    "- T+0: the deploy goes out\n- T+5 min: errors begin to climb\n- T+1 h: we roll it back\n",
    "1. Day 1 — they notice it\n2. Day 2 — they look closer\n3. Day 5 — they mend it\n",
    "| Time | Event |\n|---|---|\n| 02:10 | alarm rings twice |\n| 02:15 | page is sent |\n| 03:00 | all is well |\n",
    "- At 2:05 pm the queue grows\n- By 2:40 pm it is full\n- Around 3 pm it drains\n",
    "* [09:00] door opens wide\n* [09:00] lights go on\n* [09:15] coffee is ready\n",
    "- 5 March 2024: ordered the part\n- 12 March 2024: part has come\n- 2 April 2024: part is built in\n",
    "- 05/03/2024 it broke down\n- 06/03/2024 it was seen\n- 25/03/2024 it was mended\n",
    "- 2024/03/05 it broke down\n- 2024/03/06 it was seen\n- 2024/03/07 it was mended\n",
    "- 1999 the firm is founded\n- 2001 sales begin\n- 2004 it is sold\n",
    "| Year | Event |\n|---|---|\n| 1999 | sales begin |\n| 2001 | shares fall |\n| 2004 | firms merge |\n",
    "### 09:00\n\nThe pump stopped.\n\n### 09:10\n\nThe pager rang.\n\n### 09:40\n\nIt ran.\n",
    "- Fri the alarm rings\n- Sat the pager goes off\n- Sun the fix is out\n",
    "- 29 February 2024: it broke\n- 1 March 2024: it was seen\n- 2 March 2024: it was mended\n",
    "- Monday: plan is made\n- Wednesday: work is begun\n- Friday: work is done\n",
    "- 2024-03-05 23:50 job is started\n- 00:20 job is stuck\n- 02:00 job is killed\n",
)
FAIL = (
    "",
    "- 2000 rows were read\n- 2001 rows were read\n- 2002 rows were read\n",
    "- Sun shines on us\n- Sat down to eat\n- Wed the two of them\n",
    "- Feb 31 it broke down\n- Feb 31 it broke down\n- Feb 31 it broke down\n",
    "- 29 February 2023 it broke\n- 1 March 2023 it was seen\n- 2 March 2023 it was mended\n",
    "- 25/12/2024 it broke down\n- 24/12/2024 it was seen\n- 23/12/2024 it was mended\n",
    "- 13/13/2024 it broke down\n- 14/13/2024 it was seen\n- 15/13/2024 it was mended\n",
    "1. The alarm rings\n2. The pager goes off\n3. The fix is out\n",
    "1. 14:02 the alarm rings\n2. 14:05 the pager goes off\n",
    "1. 14:02 the alarm rings\n2. The pager goes off\n3. 14:30 the fix is out\n",
    "1. 14:02 the alarm rings\n2. 14:30 the fix is out\n3. 14:05 the pager goes off\n",
    "- The alarm rings at 14:02\n- The pager goes off at 14:05\n- The fix is out at 14:30\n",
    "- 14:02\n- 14:05\n- 14:30\n",
    "- 14:02 the alarm rings\n- 14:02 the alarm rings\n- 14:02 the alarm rings\n",
    "14:02 the alarm rings\n14:05 the pager goes off\n14:30 the fix is out\n",
    "```\n- 14:02 the alarm rings\n- 14:05 the pager goes off\n- 14:30 the fix is out\n```\n",
    "- 3 apples are ripe\n- 4 pears are green\n- 5 plums are blue\n",
    "- 2024-03-09: fix is released\n- 2024-03-06: cause is found\n- 2024-03-05: first report comes in\n",
    "1. Step 1: look at it\n2. Step 2: think of it\n3. Step 3: mend it now\n",
    "### 09:00\n\nThe pump stopped.\n\n### 08:10\n\nThe pager rang.\n\n### 07:40\n\nIt ran.\n",
    "### 09:00\n\n### 09:10\n\n### 09:40\n",
    "- 1:2 is the ratio\n- 25:99 is no time\n- 14:02 the alarm rings\n",
)
