"""notebook: what is written to a .ipynb must be a valid notebook (nbformat 4)."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.prose import NotANotebook, notebook_text
from firewall.writes.rules.base import Example, example

NAME = "notebook"
STRUCTURAL = False


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks a proposal for a notebook that no notebook program would open."""
    if facts.proposed is None or not facts.path.lower().endswith(".ipynb"):
        return []
    try:
        notebook_text(facts.proposed)
    except NotANotebook as error:
        message = f"{facts.path}: this is no valid notebook: {error}. Keep the nbformat JSON and edit cells in it."
        return [Finding(NAME, Outcome.BLOCK, message, {"problem": str(error)})]
    return []


_CELL = '{"cell_type": "markdown", "metadata": {}, "source": ["one"]}'
_GOOD = f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{_CELL}]}}'


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("text over a notebook", _GOOD, "# Notes\n", True, path="a.ipynb"),
        example("no cells", _GOOD, '{"nbformat": 4}', True, path="a.ipynb"),
        example("a cell of no kind", _GOOD, _GOOD.replace("markdown", "prose"), True, path="a.ipynb"),
        example("a source of numbers", _GOOD, _GOOD.replace('["one"]', "[1]"), True, path="a.ipynb"),
        example("code without outputs", _GOOD, _GOOD.replace("markdown", "code"), True, path="a.ipynb"),
        example("good", _GOOD, _GOOD.replace("one", "two"), False, path="a.ipynb"),
        example("not a notebook's name", "one", "two", False),
    )
