"""What the names of a frame stand for, and what is in tuples, lists, dicts and objects: their values by paths."""

import copy
import operator
import sys
import types
import warnings
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
        self.names = dict(frame.f_locals)
        for name, value in self.names.items():
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
        elif isinstance(value, types.GeneratorType):
            frame = value.gi_frame
            self.contents[path] = _Held(value, [] if frame is None else [frame.f_lasti, *frame.f_locals.values()])
        elif hasattr(value, "__next__"):
            self.contents[path] = _state_of(value)
        elif isinstance(value, types.FunctionType):
            self.contents[path] = _Held(value, hidden_in(value, self.names))

    def others(self, path):
        """Other paths to what has parts at a path."""
        return [other for other, each in self.wholes.items() if each is self.wholes[path] and other != path]


class _Held:
    """What an object keeps where no path leads to: objects, which are the same ones while nothing changes."""

    def __init__(self, owner, objects):
        self.owner, self.objects = owner, [part for each in objects for part in (each, *(part for _, part in parts_of(each) or ()))]

    def __eq__(self, other):
        """Of another owner nothing is said."""
        return self.owner is not other.owner or len(self.objects) == len(other.objects) and all(
            one is two or type(one) is type(two) and isinstance(one, (int, float, str)) and one == two
            for one, two in zip(self.objects, other.objects))


def hidden_in(function, names):
    """What a function keeps in variables of functions around it, but those of the names, and in its defaults."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    found = [cell.cell_contents for name, cell in cells if cell.cell_contents is not names.get(name) and cell.cell_contents is not function]
    return found + list(function.__defaults__ or ()) + list((function.__kwdefaults__ or {}).values())


def _state_of(iterator, depth=4):
    """How far an iterator is: that of zip, of itertools.cycle and the like is in iterators inside."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # itertools
        try:
            given = iterator.__reduce__()
        except (TypeError, AttributeError):
            given = ()
    parts = [part for each in given if isinstance(each, tuple) for part in each]
    inside = [part if isinstance(part, int) else _state_of(part, depth - 1) for part in parts if isinstance(part, int) or depth and hasattr(part, "__next__")]
    return operator.length_hint(iterator, -1), repr(iterator), *inside


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
