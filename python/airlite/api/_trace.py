"""The program that is being traced: its module, the levels that are open, and their memory."""

import re
import threading

from .. import _native
from ._arrays import Expression, Read
from ._elements import stored_element

_local = threading.local()
SPACES = {"L3": None, "L2": 1, "L1": 2}


def current():
    """The trace of this thread."""
    trace = getattr(_local, "trace", None)
    if trace is None:
        raise _native.Error("this belongs into a function with @airlite.jit: it makes operations of a program")
    return trace


class Level:
    """A body: of the function, a launch, a segment, a herd or a loop."""

    def __init__(self, name):
        self.name = name
        self.owned = []  # memory that is freed at its end


class Buffer(Expression):
    """Memory with an array in it: an argument of the function, or memory of a level.

    `buffer[:] = expression` computes all of its elements. `buffer[a:b, c:d]` is a part for copy, put and get;
    a, b, c and d may be coordinates of cores and variables of loops.
    """

    def __init__(self, name, shape, dtype, memref, level, memory):
        super().__init__(shape, dtype)
        self.name, self.memref, self.level, self.memory = name, memref, level, memory
        self.version = 0
        self._read = None

    def read(self):
        """The elements as they are now: one expression, so that a kernel has it as an input once."""
        self.check()
        if self._read is None or self._read.version != self.version:
            self._read = Read(self)
        return self._read

    def check(self):
        if self.level not in current().levels:
            raise _native.Error(f"{self.name!r} is used outside of the body that it belongs to")

    def __getitem__(self, index):
        given = index if isinstance(index, tuple) else (index,)
        if all(each is None or each is Ellipsis or each == slice(None) for each in given):
            return self if given in ((slice(None),), (Ellipsis,)) else super().__getitem__(index)
        from ._levels import part
        return part(self, given)

    def __setitem__(self, index, given):
        if index not in (slice(None), Ellipsis):
            raise TypeError("a part of a buffer is written by copy(source, buffer[...]); buffer[:] = ... computes all")
        from ._levels import assign
        assign(self, given)

    __hash__ = Expression.__hash__


class Trace:
    """Makes a module with one function of memrefs."""

    def __init__(self, name):
        self.module = _native.Module()
        self.name = re.sub(r"\W", "_", name) or "kernel"
        self.levels = []
        self.channels = {}
        self.has_transfers = False
        self.broken = None  # what went wrong where an exception would be lost
        self.points = []  # insertion points of bodies that are open

    def __enter__(self):
        self.outer, _local.trace = getattr(_local, "trace", None), self
        return self

    def __exit__(self, *error):
        _local.trace = self.outer
        while self.points:
            self.leave()

    def enter(self, block):
        self.points.append(_native.InsertionPoint(block))
        self.points[-1].__enter__()

    def leave(self):
        self.points.pop().__exit__(None, None, None)

    def function(self, arrays):
        """Opens the function: `arrays` are (name, shape, dtype). Gives their buffers."""
        types = [_native.Type.memref(list(shape), stored_element(dtype)) for _, shape, dtype in arrays]
        self.op = _native.create("func.func", at=self.module.body, regions=[types], attributes={
            "sym_name": self.name, "function_type": _native.Type.function(types, [])})
        self.levels.append(Level("function"))
        return [Buffer(name, shape, dtype, value, self.levels[0], "L3")
                for (name, shape, dtype), value in zip(arrays, self.op.body.arguments)]

    def add_result(self, shape, dtype):
        """One more argument of the function, for a result."""
        kind = _native.Type.memref(list(shape), stored_element(dtype))
        value = self.op.body.add_argument(kind)
        types = [each.type for each in self.op.body.arguments]
        self.op.attributes["function_type"] = _native.Type.function(types, [])
        return Buffer("result", shape, dtype, value, self.levels[0], "L3")

    def memory_here(self):
        """Where memory of the body that is open lies."""
        for level in reversed(self.levels):
            if level.name in ("herd", "segment"):
                return "L1" if level.name == "herd" else "L2"
        return "L3"

    def allocate(self, shape, dtype, memory=None):
        """A memref, freed at the end of the body that is open."""
        space = SPACES[memory or self.memory_here()]
        kind = _native.Type.memref(list(shape), stored_element(dtype), space)
        value = _native.create("memref.alloc", [[], []], [kind]).result
        self.levels[-1].owned.append(value)
        return value

    def close_level(self):
        for value in reversed(self.levels.pop().owned):
            _native.create("memref.dealloc", [value])
