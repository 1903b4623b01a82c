"""The program that is being traced: its module, the levels that are open, and their memory."""

import re
import threading

import numpy as np

from .. import _native
from ._arrays import Expression, Read, broadcast_to, expression, pointwise, power, view
from ._choice import chosen, gather, masked
from ._elements import stored_element
from ._subscripts import is_all, is_whole, subscripts

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
        self.made = {}  # by the id of an expression: itself, and memory with its elements that nothing else is written to


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
        here = current().memory_here()
        if self.memory != here:
            raise TypeError(f"{self.name!r} is in {self.memory}, and the program computes in {here} here: copy it there "
                            "first")
        if self._read is None or self._read.version != self.version:
            self._read = Read(self, current().levels[-1])
        return self._read

    def about_to_change(self):
        """What was read until here may be wanted later: this is where it has to be copied then."""
        if self._read is not None and self._read.version == self.version and self._read.level is current().levels[-1]:
            block = _native.InsertionPoint.current().block
            done = block.operations
            self._read.end = block, done[-1] if len(done) else None

    def check(self):
        """An error outside of the body that the buffer belongs to."""
        if self.level not in current().levels:
            raise _native.Error(f"{self.name!r} is used outside of the body that it belongs to")

    def __getitem__(self, index):
        if isinstance(index, (list, np.ndarray)):
            return self.take(index, 0)
        if chosen(index):
            return gather(self, index)
        from ._shapes import flip
        place, backwards = self._place(index)
        return flip(place, backwards) if backwards else place  # a part that is no expression yet can be assigned to

    def __setitem__(self, index, given):
        from ._levels import assign
        from ._shapes import flip
        if given is self and is_all(index, self.shape):  # what `buffer[:] += 1` has done
            return
        if isinstance(index, Expression):
            index, given = ..., masked(self, index, given)
        place, backwards = self._place(index)
        if backwards:
            given = flip(broadcast_to(expression(given, self.dtype), place.shape), backwards)
        assign(place, given)

    def _place(self, index):
        """The buffer, a part or a view of it, and which axes of it run backwards."""
        ranges, axes, backwards = subscripts(index, self.shape)
        if not is_whole(ranges, self.shape):
            from ._levels import Part
            return Part(self, ranges, axes), backwards
        return self if axes == list(range(self.ndim)) else view(self, axes), backwards

    # As of an array of numpy: they change the elements, and nothing else gets the name.

    def __iadd__(self, other):
        return self._changed("add", other)

    def __isub__(self, other):
        return self._changed("sub", other)

    def __imul__(self, other):
        return self._changed("mul", other)

    def __itruediv__(self, other):
        return self._changed("div", other)

    def __ifloordiv__(self, other):
        return self._changed("floordiv", other)

    def __imod__(self, other):
        return self._changed("mod", other)

    def __iand__(self, other):
        return self._changed("and", other)

    def __ior__(self, other):
        return self._changed("or", other)

    def __ixor__(self, other):
        return self._changed("xor", other)

    def __ilshift__(self, other):
        return self._changed("shl", other)

    def __irshift__(self, other):
        return self._changed("shr", other)

    def __ipow__(self, exponent):
        self[...] = power(self, exponent)
        return self

    def _changed(self, function, other):
        self[...] = pointwise(function, self, other)
        return self

    __hash__ = Expression.__hash__


class Trace:
    """Makes a module with one function of memrefs."""

    def __init__(self, name):
        self.module = _native.Module()
        self.name = re.sub(r"\W", "_", name) or "kernel"
        self.levels = []
        self.channels = {}
        self.constants = {}  # by the id of an array of numpy that the function reads: itself, its copy and its buffer
        self.has_transfers = False
        self.broken = None  # what went wrong where an exception would be lost
        self.unsupported = None
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

    def captured(self, array):
        """An array that is no argument of the function, as it is now: the program gets it as one."""
        if id(array) not in self.constants:
            copy = np.array(array, order="C")
            self.constants[id(array)] = (array, copy, self.add_argument("array", copy.shape, copy.dtype))
        return self.constants[id(array)][2]

    def captured_here(self, array):
        """The same, in the memory that the program computes in here: a core copies it once in each body that reads it."""
        buffer = self.captured(array)
        if self.memory_here() == "L3":
            return buffer
        from ._levels import copy, empty
        made = self.levels[-1].made
        if id(array) not in made:
            made[id(array)] = array, empty(array.shape, array.dtype)
            copy(buffer, made[id(array)][1])
        return made[id(array)][1]

    def add_argument(self, name, shape, dtype):
        """One more argument of the function: for a result, or an array that it reads."""
        kind = _native.Type.memref(list(shape), stored_element(dtype))
        value = self.op.body.add_argument(kind)
        types = [each.type for each in self.op.body.arguments]
        self.op.attributes["function_type"] = _native.Type.function(types, [])
        return Buffer(name, shape, dtype, value, self.levels[0], "L3")

    def note_unsupported(self, location, dtype):
        """The first line that NPUs cannot compute, and why."""
        self.unsupported = self.unsupported or (
            location, f"NPUs compute in float32 and bfloat16, not in {dtype}: convert the array of numpy before, as in "
            "x.astype(np.float32)")

    def memory_here(self):
        """Where memory of the body that is open lies."""
        for level in reversed(self.levels):
            if level.name in ("herd", "segment"):
                return "L1" if level.name == "herd" else "L2"
        return "L3"

    def allocate(self, shape, dtype, memory=None, level=None):
        """A memref, freed at the end of its body: without `level` the one that is open."""
        space = SPACES[memory or self.memory_here()]
        kind = _native.Type.memref(list(shape), stored_element(dtype), space)
        value = _native.create("memref.alloc", [[], []], [kind]).result
        (level or self.levels[-1]).owned.append(value)
        return value

    def close_level(self):
        for value in reversed(self.levels.pop().owned):
            _native.create("memref.dealloc", [value])
