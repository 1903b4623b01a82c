"""What the names of a frame stand for, and what is in tuples, lists, dicts and objects: their values by paths."""

import copy
import operator
import sys
import zlib
from collections import deque

import numpy as np

from ._arrays import Expression
from ._index import Index

_LEAVES = (Expression, np.ndarray, Index, np.generic, int, float, complex, str, bytes, slice, range, frozenset, type(None))
_DEEPEST, _MOST, _ALL = 8, 1000, 20000


class Values(dict):
    """The values of paths. `wholes` are what has parts; `sizes` those of lists; `contents` tell whether what is watched as
    a whole has changed."""

    def __init__(self, frame):
        super().__init__()
        self.wholes, self.sizes, self.contents, self.seen = {}, {}, {}, set()
        for name, value in dict(frame.f_locals).items():
            self._collect(value, (name,))

    def _collect(self, value, path):
        if isinstance(value, _LEAVES):
            self[path] = value
            if isinstance(value, np.ndarray) and value.dtype.kind != "O":
                self.contents[path] = zlib.crc32(np.ascontiguousarray(value).view(np.uint8).reshape(-1))
            return
        parts = parts_of(value)
        if parts is None:
            self._watch(value, path)
            return
        self.wholes[path] = value
        if len(path) > _DEEPEST or len(parts) > _MOST or len(self) > _ALL:
            self.contents[path] = tuple(id(each) for _, each in parts)
            return
        if id(value) in self.seen:
            return
        if not is_fixed(value):  # one path is enough: what is given to it is there for all
            self.seen.add(id(value))
        if isinstance(value, (list, deque)):
            self.sizes[path] = len(value)
        for step, each in parts:
            self._collect(each, (*path, step))

    def _watch(self, value, path):
        if isinstance(value, (set, bytearray)):
            self.contents[path] = tuple(value)
        elif hasattr(value, "__next__") and not hasattr(value, "gi_frame"):
            self.contents[path] = operator.length_hint(value, -1), repr(value)

    def others(self, path):
        """Other paths to what has parts at a path."""
        return [other for other, each in self.wholes.items() if each is self.wholes[path] and other != path]


def parts_of(value):
    """(step, part) of tuples, lists, dicts, and objects of classes of the user; None of what has no parts."""
    if isinstance(value, (tuple, list, deque)):
        return [(("item", at), each) for at, each in enumerate(value)]
    if isinstance(value, dict):
        return [(("item", key), each) for key, each in value.items()]
    if isinstance(value, type) or type(value).__module__.split(".")[0] in ("airlite", "numpy", "builtins", "_thread", "itertools"):
        return None
    names = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
    if not names and not hasattr(value, "__dict__"):
        return None
    return [(("attribute", name), getattr(value, name)) for name in names] + [
        (("attribute", name), each) for name, each in getattr(value, "__dict__", {}).items()]


def _slots(kind):
    given = kind.__dict__.get("__slots__", ())
    return [name for name in ((given,) if isinstance(given, str) else given) if not name.startswith("__")]


def is_fixed(value):
    """Whether other parts make another object."""
    return isinstance(value, tuple) or getattr(getattr(value, "__dataclass_params__", None), "frozen", False)


def give(frame, values):
    """Gives names of a frame, and parts of what they stand for, other values."""
    if not values:
        return
    names = frame.f_locals
    for (name, *steps), value in values.items():
        names[name] = _with_part(names.get(name), steps, value)
    if sys.version_info < (3, 13):  # later versions of Python assign to the variables themselves
        import ctypes
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))


def _with_part(whole, steps, value):
    if not steps:
        return value
    (kind, step), *rest = steps
    if kind == "attribute":
        made = _with_part(getattr(whole, step), rest, value)
        if is_fixed(whole):
            whole = copy.copy(whole)
            object.__setattr__(whole, step, made)
        else:
            setattr(whole, step, made)
    elif isinstance(whole, tuple):
        parts = [*whole[:step], _with_part(whole[step], rest, value), *whole[step + 1:]]
        return type(whole)._make(parts) if hasattr(whole, "_make") else type(whole)(parts)
    else:
        whole[step] = _with_part(whole[step], rest, value)
    return whole
