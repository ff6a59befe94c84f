"""The packages import one way, the pure core has no effects, and each heavy thing has one importer."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import firewall
import latches
import pipeline
from firewall.errors import StetError

PACKAGES = (firewall, latches, pipeline)
ROOTS = {p.__name__: Path(p.__file__ or "").parent for p in PACKAGES}
EFFECTS = {
    "os",
    "time",
    "random",
    "sqlite3",
    "subprocess",
    "git",
    "watchdog",
    "anthropic",
    "click",
    "socket",
    "tempfile",
}
PURE = (
    "firewall.text",
    "firewall.verdict",
    "firewall.writes.rules",
    "firewall.writes.decide",
    "firewall.writes.facts",
    "firewall.writes.gains",
    "firewall.writes.reference",
    "firewall.writes.measures",
    "firewall.writes.marks",
    "firewall.writes.prose",
    "firewall.writes.protection",
    "firewall.policy",
    "latches",
)
NOT_PURE = ("latches.commands", "latches.documents", "latches.project", "latches.configuration")
"""Modules of `latches` that read files for its commands."""


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module of the three packages, parsed, by dotted name."""
    out = {}
    for name, root in ROOTS.items():
        for path in root.rglob("*.py"):
            parts = [name, *path.relative_to(root).with_suffix("").parts]
            out[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    return out


@functools.cache
def imports(tree: ast.Module, *, top_only: bool = False) -> frozenset[str]:
    """Dotted names of what a module imports; with `top_only` not those inside functions."""
    nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
    if top_only:
        nodes = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    out = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif node.module and not node.level:
            out.add(node.module)
            out |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(out)


def packages_import_one_way() -> None:
    below = {"firewall": {"latches", "pipeline"}, "latches": {"pipeline"}, "pipeline": set()}
    for name, tree in modules().items():
        forbidden = below[name.split(".")[0]]
        used = {i.split(".")[0] for i in imports(tree)} & forbidden
        assert not used, f"{name} imports {used}"


def pure_modules_have_no_effects() -> None:
    for name, tree in modules().items():
        if not name.startswith(PURE) or name.startswith(NOT_PURE):
            continue
        used = {i.split(".")[0] for i in imports(tree)} & EFFECTS
        assert not used, f"{name} imports {used}"


OWNERS = {
    "git": {"firewall.writes.git", "firewall.writes.staging"},
    "watchdog": {"firewall.agents.watch"},
    "mcp": {"firewall.agents.mcp_server"},
    "anthropic": {"pipeline.models.anthropic"},
    "sqlite3": {"pipeline.db"},
    "_sqlite3": {"firewall.writes.database"},
    "dbos": {"pipeline.durable"},
}
"""What takes long to import, and what may do it."""


def a_heavy_thing_has_one_importer() -> None:
    for heavy, owners in OWNERS.items():
        users = {n for n, tree in modules().items() if heavy in {i.split(".")[0] for i in imports(tree)}}
        assert users, heavy
        assert users <= owners, users
        assert len({u.split(".")[0] for u in users}) == len(users), f"{heavy}: one in each package at most"


def no_import_cycle() -> None:
    graph = {n: {i for i in imports(t, top_only=True) if i in modules() and i != n} for n, t in modules().items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name in done:
            return
        for other in sorted(graph[name]):
            visit(other, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def every_error() -> list[type[StetError]]:
    """All error classes of the three packages."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    out: list[type[StetError]] = []
    todo = [StetError]
    while todo:
        for kind in todo.pop().__subclasses__():
            if kind.__module__.split(".")[0] in ROOTS and kind not in out:
                out.append(kind)
                todo.append(kind)
    return out


def every_error_has_a_code_a_sentence_and_a_next_step() -> None:
    codes: dict[str, type] = {}
    errors = every_error()
    assert len(errors) > 15
    for kind in errors:
        if "template" not in vars(kind):
            continue  # a family, never raised itself
        assert kind.code == kind.code.lower(), kind
        assert " " not in kind.code, kind
        assert codes.setdefault(kind.code, kind) is kind, f"{kind} and {codes[kind.code]} share {kind.code}"
        assert kind.template.rstrip().endswith((".", "}", "?")), kind
        assert kind.next_step, f"{kind} has no next step"
        assert kind.exit_status in (1, 2, 4), kind


def public_things_say_what_they_are() -> None:
    for name in modules():
        module = importlib.import_module(name)
        if module.__file__ and Path(module.__file__).name == "__init__.py" and not Path(module.__file__).read_text():
            continue
        assert inspect.getdoc(module), f"{name} has no docstring"


def everything_imported_is_declared() -> None:
    """A package that happens to be on a developer's machine must not hide a missing dependency."""
    import sys
    import tomllib
    from importlib.metadata import packages_distributions

    declared = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [d for name, more in declared["optional-dependencies"].items() if name != "dev" for d in more]
    names = {re.split(r"[<>=\[ ]", d)[0].lower().replace("_", "-") for d in [*declared["dependencies"], *extras]}
    carried = {"httpx2": "anthropic", "pydantic_core": "pydantic"}  # a part of what is declared
    providers = packages_distributions()
    for name, tree in modules().items():
        for top in {i.split(".")[0] for i in imports(tree)} - set(ROOTS) - sys.stdlib_module_names - set(carried):
            found = {d.lower().replace("_", "-") for d in providers.get(top, [])}
            assert found & names, f"{name} imports {top}, which pyproject.toml does not declare"


# Each of these reads all modules, which takes longer than what it asks: so one worker does it, once.
def test_who_imports_what() -> None:
    packages_import_one_way()
    pure_modules_have_no_effects()
    a_heavy_thing_has_one_importer()
    no_import_cycle()
    everything_imported_is_declared()


def test_what_every_module_and_error_says() -> None:
    every_error_has_a_code_a_sentence_and_a_next_step()
    public_things_say_what_they_are()
