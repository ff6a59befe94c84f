"""`firewall.values.NamedTuple` is `typing.NamedTuple` made at a tenth of its cost: what is done to a class of the one
gives the same with a class of the other, and no module of the firewall makes the dear ones.
"""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
import threading
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import firewall
from firewall import values
from firewall.verdict import Finding, Outcome

LEAN: Any = values.NamedTuple
TYPED: Any = typing.NamedTuple
NAMES = [
    "a", "b", "c", "count", "index", "self", "cls", "fields", "kwds", "iterable", "made", "new", "place", "tuple",
    "typename", "äö", "x1", "A",
]  # fmt: skip
"""Names of fields, among them those of what a tuple has, and of what the making of a class calls its own things."""


MANY = 25
"""Values after which a class surely has a `__new__` of its own."""


def made(base: Any, names: list[str], defaults: list[object], **body: object) -> Any:
    """A class with such fields, the last of which have the defaults."""
    given = dict(zip(reversed(names), defaults, strict=False))
    space = {"__module__": __name__, "__annotations__": dict.fromkeys(names, int), **given, **body}
    return types.new_class("Value", (base,), exec_body=lambda ns: ns.update(space))


def outcome(work: Callable[[], object]) -> object:
    """What the work gives, or how it fails."""
    try:
        done = work()
    except Exception as error:
        return type(error), str(error)
    return (type(done).__name__, tuple(done), repr(done)) if isinstance(done, tuple) else done


def both(work: Callable[[Any], object], *classes: Any) -> None:
    """The work gives the same with both classes."""
    lean, typed = (outcome(lambda c=c: work(c)) for c in classes)  # type: ignore[misc]
    assert lean == typed


class Lean(LEAN):  # type: ignore[misc]
    """A value with all that a class may have."""

    name: str
    size: int = 3
    found: typing.Mapping[str, object] = {}
    last: int = 0

    @property
    def twice(self) -> int:
        return 2 * self.size

    @classmethod
    def of(cls, name: str) -> Lean:
        return cls(name)

    @staticmethod
    def four() -> int:
        return 4

    def __bool__(self) -> bool:
        return self.size > 0

    def grown(self) -> Any:
        return self._replace(size=self.size + 1)


class Below(Lean):
    """A class below one that nobody has used yet."""

    def __new__(cls, name: str) -> typing.Self:
        return super().__new__(cls, name.upper(), 7)  # type: ignore[no-any-return]


FIELDS = st.lists(st.sampled_from(NAMES), unique=True, max_size=len(NAMES))
VALUES = st.integers() | st.text(max_size=3) | st.none()


@given(
    FIELDS, st.lists(VALUES, max_size=5), st.lists(VALUES, max_size=8), st.dictionaries(st.sampled_from(NAMES), VALUES)
)
@example(["a"], [], [], {})
@example(["a"], [], [1], {"a": 1})
@example(["a", "b"], [], [1, 2, 3], {})
@example(["a", "b"], [9], [1], {})
@example([], [], [], {})
def test_a_value_is_made_as_that_of_typing(
    names: list[str], defaults: list[object], args: list[object], kwargs: dict[str, object]
) -> None:
    classes = made(LEAN, names, defaults), made(TYPED, names, defaults)
    for _ in range(MANY):  # after some values a class has a `__new__` of its own, with the same outcome
        both(lambda c: c(*args[: len(names)], **{n: kwargs.get(n, 0) for n in names[len(args) :]}), *classes)
        both(lambda c: c(*args[: len(names)], **dict.fromkeys(names[len(args) : -len(defaults) or None], 1)), *classes)
    both(lambda c: c(*args, **kwargs), *classes)
    both(lambda c: c(*args, **kwargs), *classes)
    both(lambda c: c._make(args), *classes)
    both(lambda c: c._make(iter(range(len(names)))), *classes)
    both(lambda c: tuple.__new__(c, range(len(names))), *classes)


@given(FIELDS, st.lists(VALUES, max_size=5), st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=2), st.booleans())
def test_a_value_does_what_that_of_typing_does(
    names: list[str], defaults: list[object], changed: dict[str, object], used: bool
) -> None:
    classes = made(LEAN, names, defaults), made(TYPED, names, defaults)
    for _ in range(used * MANY):
        both(lambda c: c(*range(len(names))), *classes)
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__", "__slots__", "__module__", "__qualname__"):
        both(lambda c, name=name: getattr(c, name), *classes)  # type: ignore[misc]
    both(lambda c: str(inspect.signature(c)), *classes)
    both(lambda c: {n: inspect.getdoc(getattr(c, n)) for n in names}, *classes)
    both(lambda c: (c.__new__.__name__, c.__new__.__qualname__, c.__new__.__doc__), *classes)
    both(lambda c: str(inspect.signature(type("Below", (c,), {}))), *classes)
    lean, typed = (c._make(range(len(names))) for c in classes)
    assert lean == typed == tuple(range(len(names)))
    assert hash(lean) == hash(typed)
    assert repr(lean) == repr(typed)
    assert [getattr(lean, n) for n in names] == list(range(len(names)))
    assert lean._asdict() == typed._asdict()
    assert list(lean._asdict()) == names
    both(lambda c: c._make(range(len(names)))._replace(**changed), *classes)
    both(lambda c: copy.copy(c._make(range(len(names)))), *classes)
    both(lambda c: setattr(c._make(range(len(names))), "a", 1), *classes)
    both(lambda c: c._make(range(len(names))).__dict__, *classes)
    assert not hasattr(lean, "__dict__")


@pytest.mark.parametrize(
    "body",
    [
        {"__annotations__": {"_a": int}},
        {"__annotations__": {"a": int, "b": int, "c": int}, "a": 1},
        {"__annotations__": {"a": int, "b": int, "c": int}, "a": 1, "b": 1},
        *({"__annotations__": {"a": int}, name: None} for name in (
            "__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults", "_make", "_replace",
            "_asdict",
        )),
    ],
)  # fmt: skip
def test_what_typing_refuses_in_a_class_is_refused(body: dict[str, object]) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError)) as lean:
        types.new_class("Value", (LEAN,), exec_body=lambda ns: ns.update(body))
    with pytest.raises(lean.type) as typed:
        types.new_class("Value", (TYPED,), exec_body=lambda ns: ns.update({"__module__": "m", **body}))
    assert str(lean.value) == str(typed.value)


def test_a_class_without_fields_or_with_other_bases_is_refused() -> None:
    with pytest.raises(TypeError, match="annotations"):
        types.new_class("Value", (LEAN,))
    with pytest.raises(TypeError, match="only inherit"):
        types.new_class("Value", (LEAN, dict), exec_body=lambda ns: ns.update(__annotations__={"a": int}))


def test_methods_properties_and_defaults_of_a_body_work() -> None:
    value = Lean("a", last=5)
    assert (value.twice, Lean.four(), bool(value), bool(Lean("a", 0, {}, 0))) == (6, 4, True, False)
    assert value.grown() == ("a", 4, {}, 5)
    assert type(value.grown()) is Lean
    assert Lean.__doc__ == "A value with all that a class may have."
    assert Lean.__annotations__["name"] == "str"
    assert typing.get_type_hints(Lean)["size"] is int
    with pytest.raises(AttributeError):
        value.name = "b"
    with pytest.raises(TypeError, match=r"^Lean\.__new__\(\) missing 1 required positional argument: 'name'$"):
        Lean()
    assert Lean.of("b") == ("b", 3, {}, 0)
    match value:
        case Lean(name, size):
            assert (name, size) == ("a", 3)
        case _:
            pytest.fail("it does not match")


def test_a_class_below_has_its_own_new_and_calls_that_above() -> None:
    class Fresh(LEAN):  # type: ignore[misc]
        a: int
        b: int = 2

    class Under(Fresh):
        def both(self) -> int:
            return int(self.a + self.b)

    for _ in range(MANY):
        assert Under(1).both() == 3
        assert type(Under(1)) is Under
        assert type(Fresh(1)) is Fresh
        assert Below("a")[:2] == ("A", 7)
        assert type(Below("a")) is Below
    assert Fresh.__new__ is Under.__new__
    assert list(inspect.signature(Below).parameters) == ["name"]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_value_is_pickled_and_copied(protocol: int) -> None:
    value = Lean("a", 1, {"b": [2]}, 3)
    again = pickle.loads(pickle.dumps(value, protocol))
    assert again == value
    assert type(again) is Lean
    deep = copy.deepcopy(value)
    assert deep == value
    assert deep.found["b"] is not value.found["b"]
    finding = Finding("rule", Outcome.HOLD, "said")
    assert pickle.loads(pickle.dumps(finding, protocol)) == finding


def test_copy_replace_takes_a_value_where_python_has_it() -> None:
    replace = getattr(copy, "replace", lambda value, **fields: value._replace(**fields))
    assert replace(Lean("a"), size=9) == ("a", 9, {}, 0)
    assert hasattr(Lean, "__replace__") == hasattr(made(TYPED, ["a"], []), "__replace__")


def test_threads_that_make_the_first_values_at_once_all_get_theirs() -> None:
    for _ in range(50):
        kind = made(LEAN, ["a", "b"], [5])
        start, got = threading.Barrier(4), []

        def work(kind: Any = kind, start: threading.Barrier = start, got: list[object] = got) -> None:
            start.wait()
            got.extend(kind(1) for _ in range(MANY))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == [(1, 5)] * 4 * MANY


def test_every_value_of_the_firewall_is_made_so() -> None:
    """And its module keeps its annotations as text, which Python 3.14 needs and which costs least."""
    found = 0
    for path in Path(firewall.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        froms = [(n.module, a.name) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names]
        assert path.name == "values.py" or not {("typing", "NamedTuple"), ("collections", "namedtuple")} & set(froms)
        if ("firewall.values", "NamedTuple") in froms:
            assert ("__future__", "annotations") in froms, path
            found += 1
    assert found > 60
