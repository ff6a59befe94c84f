"""A property computed once. `functools.cached_property` of Python 3.11 takes a lock at each first use."""

from __future__ import annotations

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property as lazy
else:

    class lazy:  # noqa: N801 - used like `property`
        """Like `functools.cached_property`, without a lock: for values that one thread computes."""

        def __init__(self, function):
            self.function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, instance, owner):
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.function(instance)
            return value


__all__ = ["lazy"]
