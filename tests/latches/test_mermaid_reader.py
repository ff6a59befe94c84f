# ruff: noqa: E501 (a diagram stands on one line)
"""The strict reader of mermaid. Every accepted case here was also given to mermaid 11's own parser, which took it.

Refused cases are what mermaid refuses, and a few that it draws but that are more often slips than meant.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latches.mermaid import KINDS, OTHERS, fault, sure_fault

ACCEPTED = [
    "flowchart TD\n  A --> B",
    "graph LR;\n  A-->B;\n  B-->C;",
    "flowchart LR\n  A[Write a draft] --> B{Is it whole?}\n  B -->|yes| C[(Store)]\n  B -- no --> A",
    'flowchart TD\n  A["Read (again)"] --> B["What: a, b & c"]',
    "flowchart TB\n  A & B --> C & D\n  C -.-> E\n  D ==> E",
    "flowchart TB\n  subgraph one [First part]\n    direction LR\n    A --> B\n  end\n  subgraph two\n    C --> D\n  end\n  B --> C",
    "flowchart LR\n  A([Start]) --> B[[Sub]] --> C((Circle)) --> D{{Six}} --> E>Flag] --> F[/In/] --> G(((End)))",
    "flowchart LR\n  A -. maybe .-> B\n  B == surely ==> C\n  A --- C\n  A --o B\n  B --x C\n  A <--> C",
    "flowchart LR\n  A:::hot --> B\n  classDef hot fill:#f96,stroke:#333\n  class B hot\n  linkStyle 0 stroke:#f00",
    "%%{init: {'theme': 'dark'}}%%\nflowchart LR\n  %% a remark\n  A --> B",
    "---\ntitle: A title\n---\nflowchart LR\n  A --> B",
    "flowchart LR\n  节点 --> é",
    "sequenceDiagram\n  participant A as Agent\n  actor U\n  U->>A: asks for it\n  A-->>U: gives it",
    "sequenceDiagram\n  autonumber\n  A->>+B: asks\n  B-->>-A: answers\n  Note over A,B: they talk\n  Note right of B: alone",
    "sequenceDiagram\n  loop every night\n    A->>B: asks\n    alt is well\n      B-->>A: yes\n    else is ill\n      B-->>A: no\n    end\n  end",
    "sequenceDiagram\n  par one\n    A->>B: x\n  and two\n    A->>C: y\n  end\n  opt maybe\n    A-xB: z\n  end",
    "stateDiagram-v2\n  [*] --> Closed\n  Closed --> Open : three failures\n  Open --> Closed : a person resets\n  Closed --> [*]",
    'stateDiagram-v2\n  state "Half open" as Half\n  Open --> Half\n  state Busy {\n    [*] --> Work\n    Work --> [*]\n  }\n  note right of Open : waits',
    "classDiagram\n  Gate <|-- Rule\n  Gate : +judge(text) Verdict\n  class Rule {\n    +name str\n    +check(facts) Finding\n  }",
    'classDiagram\n  Book "1" *-- "many" Chapter : has\n  Chapter ..> Section',
    'erDiagram\n  BOOK ||--o{ CHAPTER : has\n  CHAPTER {\n    int id PK\n    string title "its name"\n  }',
    'pie showData title Time\n  "sleep" : 7\n  "work" : 8.5',
    "timeline\n  title One night\n  section Early\n    22.00 : shift begins\n          : lights out\n  section Late\n    03.00 : page",
    "gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section One\n  Write : a1, 2024-01-01, 10d\n  Check : after a1, 5d",
]
REFUSED = [
    ("", 1, "empty"),
    ("%% only a remark", 1, "empty"),
    ("hello\nA --> B", 1, "no kind of diagram"),
    ("mindmap\n  root\n    a", 1, "no kind of diagram that can be checked"),
    ("flowchart\n  A --> B", 1, "direction"),
    ("flowchart TD", 1, "no link"),
    ("flowchart TD\n  A", 1, "no link"),
    ("flowchart TD\n  A[Read (again)] --> B", 2, "double quotes"),
    ("flowchart TD\n  A{is (it)?} --> B", 2, "double quotes"),
    ("flowchart TD\n  A[one [two]] --> B", 2, "double quotes"),
    ('flowchart TD\n  A[say "hi"] --> B', 2, "double quotes"),
    ("flowchart TD\n  A[open --> B", 2, "double quotes"),
    ("flowchart TD\n  A --|Yes|--> B", 2, "after its arrow"),
    ("flowchart TD\n  A -->|yes (no)| B", 2, "link"),
    ("flowchart TD\n  A -->|yes B", 2, "not closed"),
    ("flowchart TD\n  A -> B", 2, "a link such as"),
    ("flowchart TD\n  A -->", 2, "leads to no node"),
    ("flowchart TD\n  --> B", 2, "name is expected"),
    ("flowchart TD\n  A --> end", 2, "'end'"),
    ("flowchart TD\n  A --> style", 2, "'style'"),
    ("flowchart TD\n  A ---oB", 2, "space"),
    ("flowchart TD\n  o---B", 2, "space"),
    ("flowchart TD\n  A B", 2, "a link such as"),
    ("flowchart TD\n  subgraph one\n  A --> B", 2, "no end"),
    ("flowchart TD\n  A --> B\nend", 3, "closes no subgraph"),
    ("flowchart TD\n  subgraph one (two)\n  A --> B\n  end", 2, "subgraph name"),
    ("flowchart TD\n  direction XX\n  A --> B", 2, "direction"),
    ("flowchart TD\n  A --> B\n  linkStyle 4 stroke:red", 3, "no link 4"),
    ("---\ntitle: x\nflowchart TD\n  A --> B", 1, "front matter"),
    ("sequenceDiagram\n  A->>B", 2, "message"),
    ("sequenceDiagram\n  A=>B: x", 2, "message"),
    ("sequenceDiagram\n  A->>B: x; y", 2, "message"),
    ("sequenceDiagram\n  A->>end: x", 2, "message"),
    ("sequenceDiagram\n  loop x\n  A->>B: x", 2, "no end"),
    ("sequenceDiagram\n  A->>B: x\n  end", 3, "closes no block"),
    ("sequenceDiagram\n  else x\n  A->>B: x", 2, "only inside"),
    ("sequenceDiagram\n  A->>-B: x", 2, "inactive"),
    ("sequenceDiagram\n  participant A", 1, "no message"),
    ("sequenceDiagram\n  participant A as a: b\n  A->>A: x", 2, "message"),
    ("stateDiagram-v2\n  [*] --> Not open", 2, "transition"),
    ("stateDiagram-v2\n  A -> B", 2, "transition"),
    ("stateDiagram-v2\n  A --> note", 2, "transition"),
    ("stateDiagram-v2\n  state X {\n  A --> B", 2, "not closed"),
    ("stateDiagram-v2\n  A --> B\n  }", 3, "closes nothing"),
    ("stateDiagram-v2\n  A --> B\n  note right of A\n  words", 3, "no end note"),
    ("classDiagram\n  A -> B", 2, "relation"),
    ("classDiagram\n  A --> B\n  A : (p)", 3, "relation"),
    ("classDiagram\n  class A {\n  +x int", 2, "not closed"),
    ("classDiagram\n  class A", 1, "no relation"),
    ("erDiagram\n  A -- B : has", 2, "relation"),
    ("erDiagram\n  A ||--o{ B", 2, "relation"),
    ("erDiagram\n  A ||--o{ B : has\n  A {\n  int\n  }", 4, "attribute"),
    ("pie\n  sleep : 7\n  work : 8", 2, "slice"),
    ('pie\n  "sleep" : 7', 1, "two slices"),
    ('pie\n  "sleep" : -7\n  "work" : 8', 2, "slice"),
    ("timeline\n  22:00 : begins\n  23:00 : ends", 2, "period"),
    ("timeline\n  22.00 : begins", 1, "two periods"),
    ("gantt\n  Write, 3d", 2, "task"),
    ("gantt\n  title x", 1, "no task"),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_mermaid_draws_is_accepted(text: str) -> None:
    assert fault(text) is None
    assert fault(text.replace("\n", "\r\n")) is None
    assert fault(f"\n\n{text}\n\n") is None


@pytest.mark.parametrize(("text", "line", "words"), REFUSED)
def test_what_it_would_not_draw_is_refused_with_line_and_reason(text: str, line: int, words: str) -> None:
    found = fault(text)
    assert found is not None
    assert found[0] == line
    assert words in found[1]


def test_every_kind_is_accepted_somewhere() -> None:
    assert {text.split("---\n")[-1].split()[0].rstrip(";") for text in ACCEPTED} >= set(KINDS) - {"stateDiagram"} - {
        "graph"
    }


@given(st.sampled_from(ACCEPTED), st.data())
def test_cutting_a_diagram_anywhere_breaks_no_reader(text: str, data: st.DataObject) -> None:
    """A model that stops in the middle: the reader answers, and says a line that is there."""
    cut = text[: data.draw(st.integers(0, len(text)))]
    found = fault(cut)
    assert found is None or 1 <= found[0] <= max(1, len(cut.splitlines()))


@given(st.text("ABx -->|[](){}\"';:=.&~%\n", max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    for kind in KINDS:
        found = fault(f"{kind} {text}")
        assert found is None or found[1]


@pytest.mark.parametrize("piece", ["A-->", "A[", "subgraph x\n", "A & ", '"', "A -- x ", "a:::b "])
def test_no_repetition_makes_it_slow(piece: str) -> None:
    fault("flowchart TD\n" + piece * 20_000)


@pytest.mark.parametrize(
    "text",
    [
        "", "flow TD\n  A --> B", "flowchart XY\n  A --> B", "flowchart TD\n  A --> end", "flowchart TD\n  A -->", "graph TD\n  A[x --> B",
        "graph TD\n  A[x (y)] --> B", "graph TD\n  A -->|x (y)| B", "graph TD\n  A -> B", "graph TD\n  A B", "graph TD\n  A &B --> C",
        "graph TD\n  subgraph x\n  A --> B", "graph TD\n  A --> B\n  end", "graph TD\n  A --> B\n  linkStyle 5 stroke:red",
        "sequenceDiagram\n  A->>B", "sequenceDiagram\n  loop x\n  A->>B: y", "sequenceDiagram\n  else x", "sequenceDiagram\n  deactivate A",
        'pie\n  "a" : x', "gantt\n  foo bar", "erDiagram\n  A ||--o{ B", "---\ntitle: x\ngraph TD\n  A --> B",
    ],
)  # fmt: skip
def test_what_mermaid_11_refused_is_refused_for_sure(text: str) -> None:
    assert sure_fault(text) == fault(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        *ACCEPTED, *(f"{kind}\n  a" for kind in sorted(OTHERS)), "stars-beta\n  a", "flowchart\n  A --> B", "flowchart TD\n  A[x]", "flowchart TD\n  A -->\n  B",
        'flowchart TD\n  A["x\n  y"] --> B', "flowchart TD\n  A[x\n  y] --> B", "flowchart LR\n  A e1@--> B", "flowchart TD\n  A --> default",
        "sequenceDiagram\n  A->>B:", "sequenceDiagram\n  box x\n  participant A\n  end\n  A->>B: y", "stateDiagram-v2\n  A : x", 'pie\n  "a" : 1',
        "timeline\n  2002 : a", "erDiagram\n  A ||--o{ B : x y", "gantt\n  dateFormat\n  A : 2024-01-01, 3d", "classDiagram\n  A : {x}",
    ],
)  # fmt: skip
def test_what_mermaid_11_took_is_never_refused_for_sure(text: str) -> None:
    assert sure_fault(text) is None
