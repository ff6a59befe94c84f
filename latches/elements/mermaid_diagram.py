"""mermaid_diagram: a picture that mermaid will draw.

Satisfied by one closed fence with the info word `mermaid` whose text mermaid accepts, as far as a strict
reader can tell: flowchart (graph), sequenceDiagram, stateDiagram-v2, classDiagram, erDiagram, pie, timeline
or gantt, with one link, message, transition, relation, slice pair, period pair or task at least. With the
option `kind` it must be that kind.

Refused, although other checkers let it pass: text with parentheses or brackets in a node without double
quotes, `--|Yes|-->`, a node called "end", a subgraph without `end`, and kinds of diagram that cannot be
checked here.
"""

from __future__ import annotations

from firewall.text.markdown import Document
from latches.elements.base import Detection, Options, Tries, word
from latches.elements.fenced_code_block import code_of, language_of
from latches.mermaid import KINDS, fault

NAME = "mermaid_diagram"
OPTIONS: Options = {"kind": ""}
_SAME = {"graph": "flowchart", "stateDiagram": "stateDiagram-v2"}
"""Two words for one kind."""
CHOICES = {"kind": tuple(KINDS)}


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    kind = word(options, "kind") or "flowchart"
    first = "`flowchart TD` and then a line such as `A[Start] --> B[Stop]`" if kind == "flowchart" else f"`{kind}`"
    return f"one closed code fence with `mermaid` after the backticks that begins with {first}"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("mermaid fence", "mermaid fences")
    wanted = word(options, "kind")
    for node in doc.find("code_block"):
        code = code_of(node)
        if not node.attrs["fenced"] or language_of(node) != "mermaid":
            if code.lstrip().startswith(("flowchart ", "graph ", "sequenceDiagram")):
                tries.also(node.start, "this diagram is not in a fence with the word mermaid")
            continue
        miss = None
        wrong = fault(code)
        first = (code.split() or [""])[0]
        if not node.attrs["closed"]:
            miss = "the fence is never closed"
        elif wrong is not None:
            miss = f"line {wrong[0]} of the diagram: {wrong[1]}"
        elif wanted and _SAME.get(first, first) != _SAME.get(wanted, wanted):
            miss = f"the diagram is a {first}, not a {wanted}"
        tries.look(node, miss)
    return tries.detection(doc, "there is no mermaid fence")


def _fenced(text: str) -> str:
    return f"```mermaid\n{text}\n```\n"


PASS = (
    _fenced("flowchart TD\n  A --> B"),
    _fenced('graph LR\n  A["Read (again)"] -->|"if (x)"| B{Full?}\n  B -- no --> A\n  B -->|yes| C[(Disk)]'),
    _fenced("sequenceDiagram\n  participant A as Agent\n  A->>B: asks\n  B-->>A: answers"),
    _fenced("stateDiagram-v2\n  [*] --> Open\n  Open --> Shut : three failures\n  Shut --> [*]"),
    _fenced('flowchart LR\n  subgraph one ["First part"]\n    A & B --> C\n  end\n  C -.-> D((End))\n  D ==> E'),
    _fenced('pie title Where the night goes\n  "sleep" : 6\n  "pages" : 2.5'),
    _fenced("erDiagram\n  NIGHT ||--o{ ALERT : has\n  ALERT {\n    int id PK\n    string text\n  }"),
    _fenced("timeline\n  title A night\n  23.00 : backup begins\n  02.00 : disk is full : page goes out"),
    _fenced("---\ntitle: x\n---\n%% a comment\nflowchart TB\n  A:::hot --> B; B --> C\n  classDef hot fill:#f00"),
    _fenced("gantt\n  dateFormat YYYY-MM-DD\n  section One\n  Plan : a1, 2024-01-01, 3d"),
    _fenced("classDiagram\n  Gate <|-- Rule\n  class Gate {\n    +judge(text) Verdict\n  }"),
)
FAIL = (
    "",
    "```\nflowchart TD\n  A --> B\n```\n",
    "```mermaid\nflowchart TD\n  A --> B\n",
    _fenced("flowchart TD"),
    _fenced("flowchart TD\n  A[Read (again)] --> B"),
    _fenced("flowchart TD\n  A --|Yes|--> B"),
    _fenced("flowchart TD\n  A{Is it (really) full?} --> B"),
    _fenced("flowchart TD\n  A --> end"),
    _fenced("flowchart TD\n  subgraph one\n  A --> B"),
    _fenced("flowchart XY\n  A --> B"),
    _fenced("flowchart TD\n  A -> B"),
    _fenced("sequenceDiagram\n  A->>B asks"),
    _fenced("sequenceDiagram\n  loop each night\n  A->>B: asks"),
    _fenced("A --> B"),
    _fenced("stateDiagram-v2\n  [*] --> Not open"),
    _fenced('flowchart TD\n  A["Read" again] --> B'),
    _fenced("drawing\n  A --> B"),
)
