"""`NamedTuple` as in `typing`, for a process that lives for 50 ms: an agent's hook makes sixty such classes.

`typing.NamedTuple` compiles a function for every class, and every annotation that is text; that was a third of what
the hook took. Here a class is made of what all of them share, and gets a `__new__` of its own only when it has made
some values. From then on nothing is slower than it was: `__new__` has the same bytecode, fields the same getters in C.

To type checkers it is `typing.NamedTuple`. What differs when it runs: an annotation that is text stays text
(`typing.get_type_hints` reads both), there is no functional form, and no class has other bases beside it. A module
that uses it imports `annotations` from `__future__`.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""`typing.TYPE_CHECKING` without the import, which takes longer than all else that a hook imports of Python's own:
what only annotations name is imported from `typing` below an `if`."""
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    import sys

    try:
        from _collections import _tuplegetter
    except ImportError:  # not every Python has it; `collections` does the same

        def _tuplegetter(place, doc):
            return property(lambda self: tuple.__getitem__(self, place), doc=doc)

    _tuple_new = tuple.__new__
    _getters = []
    """What reads each place of a tuple: a getter does not know whose it is."""
    _codes = {}
    """For each number of fields the code of a `__new__`, whose arguments await their names."""
    _made = {}
    """For each class how many values it made without a `__new__` of its own."""
    _FEW = 20
    """Values that take less time to make slowly than to compile a function for."""
    _OWN = {"__new__", "__init__", "__slots__", "__getnewargs__"}
    _OWN |= {"_fields", "_field_defaults", "_make", "_replace", "_asdict"}
    """What no class may say of itself."""

    def _code(count):
        """The code of `__new__` for so many fields."""
        if count not in _codes:
            names = "".join(f"f{i}, " for i in range(count))
            _codes[count] = eval(f"lambda _cls, {names}: _tuple_new(_cls, ({names}))").__code__  # noqa: S307
        return _codes[count]

    def _listed(fields):
        """The names of the fields as those of a tuple."""
        return ", ".join(fields) + "," * (len(fields) == 1)

    def _give_new(cls):
        """Give the class a `__new__` of its own."""
        _made.pop(cls, None)
        space = {"_tuple_new": _tuple_new, "__builtins__": {}, "__name__": f"namedtuple_{cls.__name__}"}
        code = _code(len(cls._fields)).replace(co_varnames=("_cls", *cls._fields))
        new = type(_code)(code, space, "__new__", tuple(cls._field_defaults.values()))
        new.__qualname__ = f"{cls.__name__}.__new__"
        new.__doc__ = f"Create new instance of {cls.__name__}({_listed(cls._fields)})"
        new.__annotations__ = cls.__annotations__
        cls.__new__ = staticmethod(new)
        return new

    class _Signature:
        """What `inspect.signature` asks for: that of the `__new__` that a class has, or will have."""

        def __get__(self, instance, owner):
            from inspect import signature

            new = owner.__new__
            whole = signature(_give_new(_with_fields(owner)) if new is _Named.__new__ else new)
            return whole.replace(parameters=list(whole.parameters.values())[1:])

    def _with_fields(cls):
        """The class itself, or the one above it that names the fields."""
        return next(c for c in cls.__mro__ if "_fields" in c.__dict__)

    class _Named(tuple):
        """What all of them share."""

        __slots__ = ()
        __signature__ = _Signature()

        def __new__(cls, /, *args, **fields):
            own = _with_fields(cls)
            names, count = own._fields, _made.get(own, 0)
            if count < _FEW and len(args) <= len(names):
                given = dict(zip(names, args))  # noqa: B905 - of the others the defaults hold
                values = {**own._field_defaults, **given, **fields}
                if given.keys().isdisjoint(fields) and values.keys() == set(names):
                    _made[own] = count + 1
                    return _tuple_new(cls, [values[name] for name in names])
            return _give_new(own)(cls, *args, **fields)  # which also says what is wrong with the arguments

        @classmethod
        def _make(cls, iterable):
            """Make a new value from a sequence or iterable."""
            made = _tuple_new(cls, iterable)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **fields):
            """Return a new value with the named fields replaced."""
            made = self._make(map(fields.pop, self._fields, self))
            if fields:
                error = TypeError if sys.version_info >= (3, 13) else ValueError
                raise error(f"Got unexpected field names: {list(fields)!r}")
            return made

        if sys.version_info >= (3, 13):
            __replace__ = _replace

        def __repr__(self):
            fields = ", ".join([f"{name}={self[place]!r}" for place, name in enumerate(self._fields)])
            return f"{type(self).__name__}({fields})"

        def _asdict(self):
            """Return a new dict from the names of the fields to their values."""
            return dict(zip(self._fields, self))  # noqa: B905 - they are as many

        def __getnewargs__(self):
            """Return self as a plain tuple, for copy and pickle."""
            return tuple(self)

    class _Making(type):
        """Makes of the body of a class what `typing.NamedTuple` would."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            if bases != (NamedTuple,):
                raise TypeError("can only inherit from NamedTuple")
            if not _OWN.isdisjoint(body):
                raise AttributeError(f"Cannot overwrite NamedTuple attribute {min(_OWN & body.keys())}")
            if "__annotations__" not in body:  # from Python 3.14 on a function makes them
                raise TypeError(f"{name} has no fields, or its module lacks `from __future__ import annotations`")
            fields, defaults = tuple(body["__annotations__"]), {}
            for field in fields:
                if field[0] == "_":
                    raise ValueError(f"Field names cannot start with an underscore: {field!r}")
                if field in body:
                    defaults[field] = body[field]
                elif defaults:
                    raise TypeError(
                        f"Non-default namedtuple field {field} cannot follow default field"
                        f"{'s' * (len(defaults) > 1)} {', '.join(defaults)}"
                    )
            for place in range(len(_getters), len(fields)):
                _getters.append(_tuplegetter(place, f"Alias for field number {place}"))
            body.update(zip(fields, _getters, strict=False))
            body.update(__slots__=(), _fields=fields, _field_defaults=defaults)
            body.setdefault("__match_args__", fields)
            body.setdefault("__doc__", f"{name}({_listed(fields)})")
            return type(name, (_Named,), body)

    class NamedTuple(metaclass=_Making):
        """A tuple whose fields have names."""


__all__ = ["TYPE_CHECKING", "NamedTuple"]
