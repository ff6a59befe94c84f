"""Shapes of a book's own, checked against the vocabulary of elements before they are used."""

from __future__ import annotations

import difflib

from latches.elements import ELEMENTS
from latches.errors import BadShape
from latches.shapes import Shape


def checked(shape: Shape) -> Shape:
    """The shape itself. Raises BadShape, naming the nearest right word, for one that cannot be used."""
    if not shape.name.strip():
        raise BadShape(shape=shape.name, problem="it has no name", fix="Give it one.")
    if not shape.elements:
        raise BadShape(shape=shape.name, problem="it has no elements", fix=f"Elements: {', '.join(ELEMENTS)}.")
    for name in shape.elements:
        if name not in ELEMENTS:
            raise BadShape(
                shape=shape.name, problem=f"there is no element {name!r}", fix=_nearest(name, list(ELEMENTS))
            )
        if shape.elements.count(name) > 1:
            raise BadShape(
                shape=shape.name, problem=f"it has {name!r} twice", fix="Take one out; set a number by a parameter."
            )
    for element, key, value in shape.options:
        _check_option(shape, element, key, value)
    return shape


def _check_option(shape: Shape, element: str, key: str, value: int | str) -> None:
    if element not in shape.elements:
        raise BadShape(
            shape=shape.name,
            problem=f"it sets {key!r} of {element!r}, which is not among its elements",
            fix=f"Add {element!r} to its elements, or take the parameter away.",
        )
    options = ELEMENTS[element].options
    if key not in options:
        raise BadShape(
            shape=shape.name, problem=f"{element} has no parameter {key!r}", fix=_nearest(key, list(options))
        )
    kind = type(options[key])
    if type(value) is not kind:
        what = "a whole number" if kind is int else "a text"
        raise BadShape(shape=shape.name, problem=f"{element}.{key} = {value!r} is not {what}", fix="Change it.")
    choices = ELEMENTS[element].choices.get(key, ())
    if choices and value not in (*choices, ""):
        raise BadShape(
            shape=shape.name,
            problem=f"{element}.{key} = {value!r} is none that can be checked",
            fix=_nearest(str(value), list(choices)),
        )
    if isinstance(value, int) and value < 1:
        raise BadShape(
            shape=shape.name, problem=f"{element}.{key} = {value} asks for nothing", fix="Ask for 1 or more."
        )


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
