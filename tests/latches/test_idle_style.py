"""What a style says in vain is told, and what has an effect is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from firewall.policy.style import Apart, Style
from latches.commands.lint import command
from latches.style.idle import idle


@pytest.mark.parametrize(
    ("style", "told"),
    [
        ({"banned": ["a b", "a b"]}, 'banned has "a b" 2 times'),
        ({"banned": ["leverage", "=leverage"]}, 'which is that form of it'),
        ({"banned": ["leverage"], "ceilings": {"leverage": 2}}, 'ceilings allows "leverage" 2, and banned none'),
        ({"banned": ["x"], "alternatives": {"leverage": ["use"]}}, 'of which no rule speaks'),
        ({"banned": ["leverage"], "alternatives": {"Leverage": ["use"]}}, 'of which no rule speaks'),
        ({"banned": ["leverage"], "alternatives": {"leverage": ["leverage"]}}, 'is that word again'),
        ({"banned": ["leverage"], "alternatives": {"leverage": ["use", "Leveraging"]}}, '"Leveraging" for'),
        ({"ceilings": {"pump": 1}, "alternatives": {"pump": ["oil pump"]}}, 'is that word again'),
        ({"banned": ["=state"], "alternatives": {"state": ["state"]}}, 'is that word again'),
        ({"banned": ["leverage", "use"], "alternatives": {"leverage": ["use"]}}, 'may not stand itself: "use"'),
        ({"banned": ["leverage"], "ceilings": {"use": 0}, "alternatives": {"leverage": ["uses"]}}, 'not stand itself'),
        ({"banned": ["leverage"], "alternatives": {"leverage": [" "]}}, "is blank"),
        ({"banned": ["x"], "number": {"dta": "plural"}}, 'number has "dta"'),
    ],
)  # fmt: skip
def test_it_is_told(style: dict[str, object], told: str) -> None:
    (note,) = idle(Style.model_validate(style))
    assert told in note


def test_a_style_that_works_is_told_nothing() -> None:
    style = Style(
        banned=["leverage", "?!", "\u2014", "=state", "in order to"],
        ceilings={"telemetry": 3, "use": 2, "state": 4},
        per_thousand={"robust": 0.5},
        apart=[Apart(words=["robust", "robust"], within=9)],
        alternatives={
            "leverage": ["use"],
            "telemetry": ["measurements", "data"],
            "state": ["condition"],
            "robust": ["sturdy"],
        },
        number={"data": "plural"},
    )
    assert idle(style) == []
    assert idle(Style()) == []


def test_lint_tells_it_once_beside_its_findings(tmp_path: Path) -> None:
    (tmp_path / "stet-style.toml").write_text('banned = ["leverage"]\nalternatives = { obtain = ["get"] }\n')
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("We leverage it.\n")
    done = CliRunner().invoke(command, [str(tmp_path)])
    assert done.exit_code == 1
    assert done.stderr == 'note: alternatives has "obtain", of which no rule speaks.\n'
    assert "2 findings" in done.stdout
