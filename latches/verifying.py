"""What `stet verify` does: read files, judge each as a whole and by section, and say what was found."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from firewall.errors import UsageError
from firewall.policy.style import Style
from firewall.text.markdown import Document, parse
from firewall.verdict import Finding, Outcome, Verdict, judge
from latches.blueprint import Blueprint, SectionPlan, from_json
from latches.checks.anchors import names
from latches.checks.links import Shelf, targets
from latches.documents import ENDINGS, Styles, documents, read
from latches.elements import ELEMENTS
from latches.elements.base import line_of
from latches.errors import BadBlueprint, BadShape, NoStyle
from latches.rhythm import rhythm
from latches.schema import verify, verify_document
from latches.shapes import EVERYDAY, SHAPES, Shape
from latches.vocabulary import checked


class Asked(NamedTuple):
    """What the user wants checked besides what must hold in any document."""

    shape: str | None
    elements: tuple[str, ...]
    words: int
    blueprint: Path | None


class Judged(NamedTuple):
    """A verdict on a file, or on one section of it, and the text that its places are in."""

    path: str
    section: str
    verdict: Verdict
    text: str


class Report(NamedTuple):
    """All verdicts, in the order of files and sections."""

    judged: tuple[Judged, ...]

    @property
    def allowed(self) -> bool:
        """True when every verdict lets its text stand."""
        return all(j.verdict.allowed for j in self.judged)

    def to_json(self) -> dict[str, object]:
        """The report as one JSON object."""
        return {
            "outcome": max((j.verdict.outcome for j in self.judged), default=Outcome.ALLOW).label,
            "documents": [
                {
                    "path": j.path,
                    "section": j.section,
                    "outcome": j.verdict.outcome.label,
                    "checks": list(j.verdict.checks),
                    "findings": [f.to_json() for f in j.verdict.findings],
                }
                for j in self.judged
            ],
        }

    def to_lines(self) -> list[str]:
        """The report for people: a line for each file or section, and its findings under it, each once a file."""
        out = []
        told: set[tuple[str, str, int, str]] = set()
        for j in self.judged:
            name = f"{j.path} · {j.section}" if j.section else j.path
            state = "passes" if j.verdict.allowed else "does not pass"
            out.append(f"{name}: {state} ({len(j.verdict.checks)} checks)")
            for finding in j.verdict.findings:
                said = (j.path, finding.rule, finding.start, finding.message)
                if said in told:
                    continue
                told.add(said)
                word = "note" if finding.outcome == Outcome.ALLOW else finding.outcome.label
                at = finding.start
                where = f"line {line_of(j.text, at)}, " if at >= 0 and "ine " not in finding.message[:20] else ""
                out.append(f"  {word:<5} {where}{finding.rule}: {finding.message}")
        return out


def verify_files(files: Sequence[Path], asked: Asked, root: Path | None, config: Path | None) -> Report:
    """Judge every file. Raises NotFound, NoDocuments, BadShape, BadBlueprint, StyleConfigError, PolicyError."""
    plan = _plan(asked)
    blueprint = _blueprint(asked.blueprint) if asked.blueprint else None
    styles = Styles(config)
    anchors: dict[Path, frozenset[str]] = {}
    out: list[Judged] = []
    sections_found: set[int] = set()
    for path in documents(files):
        text, problem = read(path)
        if problem:
            unread = Finding("unreadable", Outcome.BLOCK, problem)
            out.append(Judged(str(path), "", judge([unread], ["readable"]), ""))
            continue
        doc = parse(text)
        shelf = _shelf(doc, path, root or path.parent, anchors)
        whole = verify_document(text, shelf)
        style = _style(styles, path)
        out.append(Judged(str(path), "", _joined(whole, rhythm(doc, style), ["rhythm"]), text))
        if plan is not None:
            out.append(Judged(str(path), plan.shape, verify(text, plan, body_level=0), text))
        if blueprint is not None:
            for section, start, end in _sections(doc, blueprint):
                sections_found.add(section.number)
                alone = re.sub(r"[^\r\n]", " ", text[:start]) + text[start:end]  # lines and places stay true
                out.append(Judged(str(path), section.title, verify(alone, section), text))
    if blueprint is not None:
        out.extend(_not_found(blueprint, sections_found))
    return Report(tuple(out))


def _joined(verdict: Verdict, findings: list[Finding], checks: list[str]) -> Verdict:
    return judge([*verdict.findings, *findings], [*verdict.checks, *checks])


def _style(styles: Styles, path: Path) -> Style:
    try:
        return styles.of(path)
    except NoStyle:
        return Style()  # the limits of rhythm have defaults


def _plan(asked: Asked) -> SectionPlan | None:
    """The shape and elements asked for as a plan of one section, or None when none are."""
    if not asked.shape and not asked.elements:
        return None
    shapes = {shape.name: shape for shape in (*SHAPES, *EVERYDAY)}
    if asked.shape and asked.shape not in shapes:
        raise BadShape(shape=asked.shape, problem="it does not exist", fix=f"Shapes: {', '.join(shapes)}.")
    base = shapes[asked.shape] if asked.shape else Shape("elements asked for", ())
    named = [_element(text) for text in asked.elements]
    extra = tuple(name for name, _ in named if name not in base.elements)
    options = base.options + tuple((name, key, value) for name, given in named for key, value in given)
    shape = checked(Shape(base.name, base.elements + extra, base.about, options))
    return SectionPlan(1, 1, 1, "", "", shape.name, shape.elements, asked.words, "", shape.options)


def _element(text: str) -> tuple[str, list[tuple[str, int | str]]]:
    """`timeline_steps:items=4,key=text` as a name and its parameters."""
    name, _, rest = text.partition(":")
    given: list[tuple[str, int | str]] = []
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(detail=f"{part!r} in --element {text} is not KEY=VALUE")
        options = ELEMENTS[name].options if name in ELEMENTS else {}
        whole = isinstance(options.get(key), int) and value.isdecimal()
        given.append((key, int(value) if whole else value))
    return name, given


def _blueprint(path: Path) -> Blueprint:
    """A blueprint from a file; what `stet plan --json` says besides is left out."""
    text, problem = read(path)
    try:
        raw = json.loads(text) if not problem else None
    except ValueError as error:
        raise BadBlueprint(detail=f"{path} is not JSON ({error})") from None
    if not isinstance(raw, dict):
        raise BadBlueprint(detail=f"{path} {'is no JSON object' if not problem else 'cannot be read'}")
    kept = ("format", "book", "sections", "relaxed", "hash")
    return from_json({key: raw[key] for key in kept if key in raw})


def _sections(doc: Document, blueprint: Blueprint) -> list[tuple[SectionPlan, int, int]]:
    """Planned sections that a document has, by the words of their headings, with where they stand.

    A section goes from its heading to the next heading of its level or a higher one. Of two planned sections
    with one title the one in the chapter that the document is named after, by its H1, is meant.
    """
    headings = [node for node in doc.blocks if node.kind == "heading"]
    chapter = next((n.plain().strip().casefold() for n in headings if n.attrs["level"] == 1), "")
    planned: dict[str, list[SectionPlan]] = {}
    for section in blueprint.sections:
        planned.setdefault(section.title.strip().casefold(), []).append(section)
    out = []
    for index, node in enumerate(headings):
        wanted = planned.get(node.plain().strip().casefold())
        if not wanted:
            continue
        after = (n.start for n in headings[index + 1 :] if n.attrs["level"] <= node.attrs["level"])
        own = [s for s in wanted if s.chapter_title.strip().casefold() == chapter]
        out.append(((own or wanted)[0], node.start, next(after, len(doc.source))))
    return out


def _not_found(blueprint: Blueprint, found: set[int]) -> list[Judged]:
    """A verdict for each planned section that none of the files has."""
    out = []
    for section in blueprint.sections:
        if section.number in found:
            continue
        message = (
            f"The plan has the section {section.title!r} (chapter {section.chapter}, {section.chapter_title!r}), "
            "and no file has a heading with those words."
        )
        finding = Finding("missing-section", Outcome.HOLD, message, {"section": section.title})
        out.append(Judged("(no file)", section.title, judge([finding], ["sections"]), ""))
    return out


def _shelf(doc: Document, path: Path, root: Path, anchors: dict[Path, frozenset[str]]) -> Shelf:
    """The files that the document's links name, as far as they are there, and those beside them.

    `anchors` keeps what was read of each file for the next document.
    """
    base = root.resolve()
    full = path.resolve()
    own = full.relative_to(base).as_posix() if full.is_relative_to(base) else full.name
    files: set[str] = set()
    found: dict[str, frozenset[str]] = {}
    for target in targets(doc, own):
        file = base / target
        try:
            if file != base and file.parent.is_dir():
                files.update(near.relative_to(base).as_posix() for near in file.parent.iterdir())
            if file.is_dir():
                files.update(near.relative_to(base).as_posix() for near in file.iterdir())
            elif file.suffix.lower() in ENDINGS and file.is_file():
                if file not in anchors:
                    anchors[file] = names(parse(read(file).text))
                found[target] = anchors[file]
        except (OSError, ValueError):  # a name that no file can have leads to no file
            continue
    return Shelf(own, found, frozenset(files))
