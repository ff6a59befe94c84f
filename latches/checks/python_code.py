"""Python that parses, by one fixed grammar: the verdict is the same under every interpreter that runs Stet.

The grammar is that of tree-sitter-python, Python 3.14's syntax: `match`, `type`, nested and template strings,
`except A, B`. It is made for editors and forgives what Python does not, so its tree is walked for that:
indentation, empty blocks, Python 2, the order of arguments. A subscript that is called within an annotation, as in
`x: t[int]()`, it does not know, and nobody writes it. What `compile` finds after the parse, such as a
`return` outside a function, is let stand here as it is by `ast.parse`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Fault = tuple[int, str]
"""(line inside the code from 1, what is wrong there)"""

_KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except finally for from "
    "global if import in is lambda nonlocal not or pass raise return try while with yield".split()
)
_CLAUSES = frozenset(("elif_clause", "else_clause", "except_clause", "finally_clause"))
_BRACKETS = frozenset(
    "argument_list parenthesized_expression tuple list dictionary set subscript parameters generator_expression "
    "list_comprehension set_comprehension dictionary_comprehension interpolation".split()
)
_PREFIXES = frozenset(("", *"rubft", "br", "rb", "fr", "rf", "tr", "rt"))
_OLD_OCTAL = re.compile(r"0[0-9_]*[1-9][0-9_]*")
_DELETABLE = frozenset(("identifier", "attribute", "subscript", "tuple", "list", "parenthesized_expression"))
_BLANK = frozenset(("comment", "line_continuation"))


def fault(text: str) -> Fault | None:
    """The first thing in `text` that is no Python, or None. `text` has no indentation in common."""
    import tree_sitter
    import tree_sitter_python

    if "\0" in text:
        return text.count("\n", 0, text.index("\0")) + 1, "it holds a NUL"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    root = parser.parse("\n".join(lines).encode("utf-8", "replace")).root_node
    stack = [root]
    while stack:
        node = stack.pop()
        found = _broken(node) or _unlike(node, lines)
        if found is not None:
            return found
        stack.extend(reversed(node.children))
    return None


def _broken(node: Any) -> Fault | None:
    """Where the grammar itself finds a fault."""
    if node.type == "ERROR" or node.is_missing:
        what = f"{node.type!r} is missing" if node.is_missing else f"at {_seen(node)!r}"
        return _line(node), what
    return None


def _unlike(node: Any, lines: list[str]) -> Fault | None:
    """Where Python is stricter than the grammar."""
    if node.type in ("module", "block"):
        return _indented(node, lines)
    check = _CHECKS.get(node.type)
    what = check(node) if check is not None else None
    if what:
        return _line(node), what
    for child in node.children:
        if child.type in _CLAUSES and _column(child, lines) != _column(node, lines):
            return _line(child), f"{_seen(child).split()[0].rstrip(':')!r} is not indented as what it belongs to"
    return None


def _indented(block: Any, lines: list[str]) -> Fault | None:
    """A block has something in it, further in than what it belongs to, and all of it in one column."""
    inside = [child for child in block.children if child.is_named and child.type not in _BLANK]
    if not inside:
        return None if block.type == "module" else (_line(block.parent), "its block is empty")
    column = _column(inside[0], lines)
    if block.type == "module":
        if column is not None and column != (0, 0):
            return _line(inside[0]), "it is indented for no reason"
    elif column is not None and (outer := _outer(block, lines)) is not None:
        if column[0] <= outer[0] or column[1] <= outer[1]:
            return _line(inside[0]), "it should be indented further"
    elif column is None and any(c.start_point[0] != inside[0].start_point[0] for c in inside):
        return _line(inside[-1]), "its indentation fits no block"
    if (run_on := _run_on(block)) is not None:
        return _line(run_on), f"at {_seen(run_on)!r}"
    for child in inside:
        here = _column(child, lines)
        if here is not None and here != column:
            return _line(child), "its indentation fits no block"
        definition = child.child_by_field_name("definition")
        if definition is not None and _column(definition, lines) != column:
            return _line(definition), "its indentation fits no block"
    return None


def _run_on(block: Any) -> Any:
    """A statement that begins on the line where the one before it ends, with no semicolon between."""
    before = None
    for child in block.children:
        if child.type == ";":
            before = None
        elif child.is_named and child.type not in _BLANK:
            if before is not None and child.start_point[0] == before.end_point[0]:
                return child
            before = child
    return None


def _outer(block: Any, lines: list[str]) -> tuple[int, int] | None:
    """The column of the statement that a block belongs to; None where it stands behind another."""
    node = block.parent
    if node.parent is not None and node.parent.type == "decorated_definition":
        node = node.parent
    return _column(node, lines)


def _column(node: Any, lines: list[str]) -> tuple[int, int] | None:
    """Where a node begins, with tabs to every eighth column and with tabs as one; None behind other text.

    Python compares both, so that a block does not hang on the width of a tab.
    """
    row, at = node.start_point
    before = lines[row].encode("utf-8", "replace")[:at].decode("utf-8", "replace").rpartition("\f")[2]
    if before.strip(" \t\ufeff"):
        return None
    before = before.lstrip("\ufeff")
    return len(before.expandtabs(8)), len(before)


def _python2(_: Any) -> str:
    return "`print` and `exec` without brackets are Python 2"


def _identifier(node: Any) -> str | None:
    name = _text(node)
    return f"{name!r} is a keyword" if name in _KEYWORDS else None


def _comparison(node: Any) -> str | None:
    return "`<>` is Python 2" if any(child.type == "<>" for child in node.children) else None


def _integer(node: Any) -> str | None:
    number = _text(node)
    if number[-1:] in "lL" or (_OLD_OCTAL.fullmatch(number) and number[-1:] not in "jJ"):
        return f"{number!r} is a number of Python 2"
    return None


def _string(node: Any) -> str | None:
    opening = _text(node.children[0])
    if "`" in opening:
        return "backticks are Python 2"
    prefix = opening.rstrip("\"'").lower()
    return None if prefix in _PREFIXES else f"{prefix!r} is no prefix of a string"


def _conversion(node: Any) -> str | None:
    return None if _text(node) in ("!r", "!s", "!a") else f"{_text(node)!r} is no conversion"


def _raise(node: Any) -> str | None:
    return "`raise A, b` is Python 2" if any(c.type == "expression_list" for c in node.children) else None


def _try(node: Any) -> str | None:
    there = {child.type for child in node.children}
    return None if there & {"except_clause", "finally_clause"} else "`try` needs `except` or `finally`"


def _delete(node: Any) -> str | None:
    targets = [c for c in node.named_children if c.type != "comment"]
    if len(targets) == 1 and targets[0].type == "expression_list":
        targets = [c for c in targets[0].named_children if c.type != "comment"]
    wrong = next((t for t in targets if t.type not in _DELETABLE), None)
    return None if wrong is None else f"{_seen(wrong)!r} cannot be deleted"


def _statement(node: Any) -> str | None:
    alone = node.named_children[0] if node.named_child_count == 1 else None
    return "`:=` needs brackets here" if alone is not None and alone.type == "named_expression" else None


def _assignment(node: Any) -> str | None:
    kind, right = node.child_by_field_name("type"), node.child_by_field_name("right")
    chained = right is not None and right.type in ("assignment", "augmented_assignment")
    if chained and (kind is not None or right.type != "assignment" or right.child_by_field_name("type") is not None):
        return f"at {_seen(right)!r}"  # a = b = c, and nothing else
    if kind is None:
        return None
    colon = next(c for c in node.children if c.type == ":")
    if kind.start_point[0] != colon.end_point[0] or any(c.type == "constrained_type" for c in kind.children):
        return f"at {_seen(node)!r}"
    return None


def _lambda(node: Any) -> str | None:
    colon = next((c for c in node.children if c.type == ":"), None)
    body = node.child_by_field_name("body")
    if colon is None or body is None or colon.end_point[0] == body.start_point[0]:
        return None
    above = node.parent
    while above is not None and above.type not in _BRACKETS:
        above = above.parent
    return f"at {_seen(node)!r}" if above is None else None


def _comprehension(node: Any) -> str | None:
    more = len(node.children_by_field_name("right")) > 1
    return "a list without brackets in a comprehension is Python 2" if more else None


def _arguments(node: Any) -> str | None:
    keyword = splat = False
    for child in node.named_children:
        if child.type == "keyword_argument":
            keyword = True
        elif child.type == "dictionary_splat":
            splat = True
        elif child.type == "list_splat" and splat:
            return "`*` stands behind `**`"
        elif child.type not in ("list_splat", "comment", "line_continuation") and (keyword or splat):
            return "a positional argument stands behind a keyword argument"
    return None


def _parameters(node: Any) -> str | None:
    kinds = [_kind_of(child) for child in node.named_children if child.type not in _BLANK]
    default = star = False
    for at, kind in enumerate(kinds):
        if at and kinds[at - 1] == "**":
            return "nothing may stand behind a `**` parameter"
        if kind == "tuple":
            return "a parameter in brackets is Python 2"
        if kind == "/" and (at == 0 or star or "/" in kinds[:at]):
            return "`/` stands in the wrong place"
        if kind in ("*", "bare *"):
            if star:
                return "`*` may stand once among parameters"
            star = True
            if kind == "bare *" and (at + 1 == len(kinds) or kinds[at + 1] == "**"):
                return "a name must follow the bare `*`"
        if kind == "plain" and default and not star:
            return "a parameter without a default stands behind one with a default"
        default = default or kind == "default"
    return None


def _kind_of(parameter: Any) -> str:
    if parameter.type in ("default_parameter", "typed_default_parameter"):
        return "default"
    inner = parameter.named_children[0] if parameter.type == "typed_parameter" else parameter
    return {
        "list_splat_pattern": "*", "dictionary_splat_pattern": "**", "keyword_separator": "bare *",
        "positional_separator": "/", "tuple_pattern": "tuple",
    }.get(inner.type, "plain")  # fmt: skip


def _line(node: Any) -> int:
    return int(node.start_point[0]) + 1


def _text(node: Any) -> str:
    return str((node.text or b"").decode("utf-8", "replace"))


def _seen(node: Any) -> str:
    text = _text(node).strip()
    return text.splitlines()[0][:40] if text else ""


_CHECKS: dict[str, Callable[[Any], str | None]] = {
    "print_statement": _python2,
    "exec_statement": _python2,
    "identifier": _identifier,
    "comparison_operator": _comparison,
    "integer": _integer,
    "string": _string,
    "type_conversion": _conversion,
    "raise_statement": _raise,
    "try_statement": _try,
    "delete_statement": _delete,
    "expression_statement": _statement,
    "assignment": _assignment,
    "lambda": _lambda,
    "for_in_clause": _comprehension,
    "argument_list": _arguments,
    "parameters": _parameters,
    "lambda_parameters": _parameters,
}
