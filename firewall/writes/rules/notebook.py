"""notebook: what is written to a .ipynb must be a valid notebook (nbformat 4)."""

from __future__ import annotations

from collections.abc import Iterator

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.prose import BOM, NotANotebook, notebook_text, parsed
from firewall.writes.rules.base import Example, example

NAME = "notebook"
STRUCTURAL = False


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks a proposal for a notebook that no notebook program would open, or that breaks the schema where the one on
    disk does not."""
    if facts.proposed is None or not facts.path.lower().endswith(".ipynb"):
        return []
    problem = _problem(facts.proposed, facts.disk)
    if not problem:
        return []
    message = f"{facts.path}: this is no valid notebook: {problem}. Keep the nbformat JSON and edit cells in it."
    return [Finding(NAME, Outcome.BLOCK, message, {"problem": problem})]


def _problem(new: bytes, old: bytes | None) -> str:
    """What is wrong with a notebook and was not before, or ''."""
    try:
        notebook_text(new)
    except NotANotebook as error:
        return str(error)
    found = list(_problems(new))
    had = _kinds(old) if found else set()
    return next((what for kind, what in found if kind not in had), "")


def _problems(data: bytes) -> Iterator[tuple[str, str]]:
    """The faults of a notebook's bytes, by kind."""
    from firewall.text.notebooks import problems

    if data.startswith(BOM):
        yield "byte-order mark", "it begins with a byte-order mark, at which nbformat stops"
    yield from problems(parsed(data))


def _kinds(old: bytes | None) -> set[str]:
    """The kinds of faults that the notebook on disk has."""
    try:
        notebook_text(old or b"")
    except NotANotebook:
        return set()
    return {kind for kind, _ in _problems(old or b"")}


_CELL = '{"cell_type": "markdown", "metadata": {}, "source": ["one"]}'
_IMAGE = '"attachments": {"a.png": {"image/png": "AAAA"}}, '
_GOOD = f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{_CELL}]}}'

_TWO = _GOOD.replace(_CELL, ", ".join(_CELL.replace('"source"', f'"id": "{name}", "source"') for name in "ab"))
_CODE = (
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "source": "x", '
    '"id": "a", "outputs": [OUT], "execution_count": null}]}'
)
_RESULT = '{"output_type": "execute_result", "data": {"text/plain": "1"}, "metadata": {}, "execution_count": 1}'


def _code(output: str = "") -> str:
    return _CODE.replace("OUT", output)


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("text over a notebook", _GOOD, "# Notes\n", True, path="a.ipynb"),
        example("a byte-order mark", _GOOD, "\ufeff" + _GOOD, True, path="a.ipynb"),
        example(
            "a byte-order mark that was there",
            "\ufeff" + _GOOD,
            "\ufeff" + _GOOD.replace("one", "two"),
            False,
            path="a.ipynb",
        ),
        example("an unknown key", _GOOD, _GOOD.replace('"cells"', '"x": 1, "cells"'), True, path="a.ipynb"),
        example(
            "a key of code on text", _GOOD, _GOOD.replace('"source"', '"outputs": [], "source"'), True, path="a.ipynb"
        ),
        example("the same id twice", _TWO, _TWO.replace('"b"', '"a"'), True, path="a.ipynb"),
        example(
            "ids before they were known",
            _GOOD.replace(": 5", ": 4"),
            _TWO.replace(": 5", ": 4"),
            True,
            path="a.ipynb",
        ),
        example("other ids", _TWO, _TWO.replace('"b"', '"c"'), False, path="a.ipynb"),
        example("no cells", _GOOD, '{"nbformat": 4}', True, path="a.ipynb"),
        example("a cell of no kind", _GOOD, _GOOD.replace("markdown", "prose"), True, path="a.ipynb"),
        example("a source of numbers", _GOOD, _GOOD.replace('["one"]', "[1]"), True, path="a.ipynb"),
        example("code without outputs", _GOOD, _GOOD.replace("markdown", "code"), True, path="a.ipynb"),
        example("half a character", _GOOD, _GOOD.replace("one", "one \\ud800"), True, path="a.ipynb"),
        example(
            "a version with a point", _GOOD, _GOOD.replace('"nbformat": 4', '"nbformat": 4.0'), True, path="a.ipynb"
        ),
        example("a minor version that is a truth", _GOOD, _GOOD.replace(": 5", ": true"), True, path="a.ipynb"),
        example("a minor version below 0", _GOOD, _GOOD.replace(": 5", ": -1"), True, path="a.ipynb"),
        example(
            "attachments that are a number",
            _GOOD,
            _GOOD.replace('"source"', '"attachments": 5, "source"'),
            True,
            path="a.ipynb",
        ),
        example(
            "tags that are a number",
            _GOOD,
            _GOOD.replace('"metadata": {}, "source"', '"metadata": {"tags": 5}, "source"'),
            True,
            path="a.ipynb",
        ),
        example("an id that is a number", _GOOD, _GOOD.replace('"source"', '"id": 5, "source"'), True, path="a.ipynb"),
        example(
            "a kernel that is a number",
            _GOOD,
            _GOOD.replace('"metadata": {}, "cells"', '"metadata": {"kernelspec": 5}, "cells"'),
            True,
            path="a.ipynb",
        ),
        *(
            example(f"the output {output}", _code(), _code(output), True, path="a.ipynb")
            for output in (
                "42",
                "{}",
                '{"output_type": "zzz"}',
                '{"output_type": "display_data", "data": null, "metadata": {}}',
                '{"output_type": "display_data", "data": {"text/plain": 5}, "metadata": {}}',
                '{"output_type": "stream", "name": "stdout", "text": 5}',
                '{"output_type": "error", "ename": "E"}',
            )
        ),
        example("no execution_count", _code(), _code().replace(', "execution_count": null', ""), True, path="a.ipynb"),
        example("an execution_count of letters", _code(), _code().replace("null", '"a"'), True, path="a.ipynb"),
        example(
            "a fault that was there",
            _code().replace("null", '"a"'),
            _code().replace("null", '"a"').replace('"x"', '"y"'),
            False,
            path="a.ipynb",
        ),
        example("results", _code(), _code(_RESULT), False, path="a.ipynb"),
        example("outputs cleared", _code(_RESULT), _code(), False, path="a.ipynb"),
        example(
            "data of a JSON type",
            _code(),
            _code('{"output_type": "display_data", "data": {"application/vnd.x+json": {"a": 1}}, "metadata": {}}'),
            False,
            path="a.ipynb",
        ),
        example("an emoji as a pair", _GOOD, _GOOD.replace("one", "\\ud83d\\ude00"), False, path="a.ipynb"),
        example("an image attached", _GOOD, _GOOD.replace('"source"', _IMAGE + '"source"'), False, path="a.ipynb"),
        example("good", _GOOD, _GOOD.replace("one", "two"), False, path="a.ipynb"),
        example("not a notebook's name", "one", "two", False),
    )
