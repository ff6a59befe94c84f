"""Tags of a notebook's cells: which put the source out of sight, and which only tell a program to skip it."""

from __future__ import annotations

import json

import pytest

from firewall.verdict import Verdict
from firewall.writes.decide import decide
from firewall.writes.facts import Facts, sha256
from firewall.writes.limits import Limits
from firewall.writes.rules.base import lorem


def notebook(metadata: dict[str, object]) -> bytes:
    cells = [{"cell_type": "markdown", "metadata": metadata, "source": lorem(400, n * 400)} for n in range(3)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).encode()


def tagged(metadata: dict[str, object]) -> Verdict:
    old, new = notebook({}), notebook(metadata)
    return decide(Facts(path="a.ipynb", disk=old, proposed=new, mark=old, disk_sha=sha256(old), limits=Limits()))


@pytest.mark.parametrize("tag", ["skip", "skip-execution", "parameters", "raises-exception", "hide-output"])
def test_a_tag_that_only_a_program_reads_hides_nothing(tag: str) -> None:
    assert tagged({"tags": [tag]}).allowed


@pytest.mark.parametrize(
    "metadata", [{"tags": ["remove-cell"]}, {"tags": ["hide-input"]}, {"slideshow": {"slide_type": "skip"}}]
)
def test_a_tag_that_takes_the_text_from_the_page_hides_it(metadata: dict[str, object]) -> None:
    assert "hidden" in {finding.rule for finding in tagged(metadata).findings}
