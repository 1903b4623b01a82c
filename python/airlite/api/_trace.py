"""The program that is being traced: its module, the levels that are open, and their memory."""

import contextlib
import linecache
import math
import re
import threading

import numpy as np

from .. import _native
from ._arrays import Expression, Read, _numbers, assignable, broadcast_to, copied, expression, shape_without_elements, view
from ._choice import chosen, gather, placed
from ._elements import is_float, stored_element
from ._subscripts import is_all, is_element, is_whole, subscripts

_local = threading.local()
SPACES = {"L3": None, "L2": 1, "L1": 2}


def current():
    """The trace of this thread."""
    trace = trace_here()
    if trace is None:
        raise _native.Error("this belongs into a function with @airlite.jit: it makes operations of a program")
    return trace


def trace_here():
    """The trace of this thread; None outside of functions that are traced."""
    return getattr(_local, "trace", None)


def noted(expression):
    """The key and the level of an expression that is being made."""
    trace = trace_here()
    return trace.noted(expression) if trace and trace.levels else (None, None)


class TraceAgain(BaseException):
    """A loop changes what was computed before it, after parts of its body were made as if nothing did: the function is
    traced once more, and puts the expressions of `keys` and the arrays of `names` (see Names) into memory before the loop.
    What numpy makes in `lines` is an array of the program then (see _making)."""

    def __init__(self, keys=(), names=None, lines=()):
        super().__init__(keys)
        self.keys, self.names, self.lines = keys, names or {}, lines


class Wanted:
    """What traces of a function until now have found out."""

    def __init__(self):
        self.keys = set()  # of expressions that are put into memory before the next loop
        self.names = {}  # what names of loops need (see Names)
        self.lines = set()  # where numpy makes what becomes an array of the program

    def add(self, again):
        self.keys |= set(again.keys)
        self.names |= again.names
        self.lines |= set(again.lines)


class Effort:
    """What a program makes: the kernels that it runs, at least, the elements that they compute, at most, the bytes of its memory, and the length of
    its code: that of an element is 1, or 2 of a float, that of a loop 6."""

    def __init__(self):
        self.kernels = self.elements = self.bytes = self.code = 0


class Level:
    """A body: of the function, a launch, a segment, a herd or a loop. `trips` is how often it runs, at least and at most."""

    def __init__(self, name, block, trips=(1, 1)):
        self.name, self.block, self.trips = name, block, trips
        self.owned = []  # memory that is freed at its end
        self.reads = []  # of a loop: what its body uses of what was read before it
        self.made = {}  # by the id of an expression: itself, and memory with its elements that nothing else is written to


def error_at(location, message):
    """As an error of the compiler, with the line of the function."""
    source = linecache.getline(location.file or "", location.line or 0).rstrip()
    error = _native.Error(f"{location.file}:{location.line}: error: {message}\n{source}".rstrip())
    error.file, error.line, error.column = location.file, location.line, location.column
    return error


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
        self.is_rows = True
        self.changes, self.read_at = [], 0  # when it was changed, and last read
        self.is_argument = self.is_alias = False
        self.twins = []  # other names of the array in numpy, and their states while this one holds the same elements

    def read(self):
        """The elements as they are now: one expression, so that a kernel has it as an input once."""
        self.check()
        self._check_twins()
        self.read_at = next(_numbers)
        here = current().memory_here()
        if self.memory != here:
            raise TypeError(f"{self.name!r} is in {self.memory}, and the program computes in {here} here: copy it there "
                            "first")
        level = current().levels[-1]
        if self._read is None or self._read.version != self.version or self._read.level is not level:
            self._read = Read(self, level)
        return self._read

    def _check_twins(self):
        from ._aliases import state_of
        if any(state_of(root) != state for root, state in self.twins):
            raise TypeError(f"{self.name!r} may be a second name of an array whose elements were changed, and a loop has given it memory of "
                            "its own: use a copy, as in x.copy()")

    def about_to_change(self):
        """What was read until here may be wanted later: this is where it has to be copied then."""
        if self.is_alias:
            raise TypeError(f"{self.name!r} may be a second name of another array after a loop, and here it has memory of its own: assign to "
                            "x.copy()")
        if self._read is not None and self._read.version == self.version and self._read.level is current().levels[-1]:
            block = _native.InsertionPoint.current().block
            done = block.operations
            self._read.end = block, done[-1] if len(done) else None

    def _has_changed(self):
        """What a loop uses of what was read before it is copied before the loop: its next trip finds other elements here."""
        self.version += 1
        self.changes.append(next(_numbers))
        for level in current().levels:
            for read in level.reads:
                if read.buffer is self:
                    current().want(read, f"a loop changes {self.name!r}, and uses what was read of it before the loop: assign "
                                   "that to memory of its own before the loop")

    def check(self):
        """An error outside of the body that the buffer belongs to."""
        if self.level not in current().levels:
            raise error_at(self.location, f"{self.name!r} is used outside of the body that it belongs to")

    def __getitem__(self, index):
        from ._fancy import elements, is_fancy
        if is_fancy(index):
            return elements(self, index)
        if chosen(index):
            return gather(self, index)
        from ._shapes import reversed_axes
        if shape_without_elements(self, index) is not None:
            return super().__getitem__(index)
        place, backwards = self._place(index)
        if is_element(index, self.ndim):
            return place._as_element() if hasattr(place, "_as_element") else copied(place)
        return reversed_axes(place, backwards) if backwards else place  # a part that is no expression yet can be assigned to

    def __setitem__(self, index, given):
        from ._fancy import is_fancy, replaced
        from ._levels import assign
        from ._shapes import flip
        if given is self and is_all(index, self.shape):  # what `buffer[:] += 1` has done
            return
        if is_fancy(index):
            index, given = ..., replaced(self, index, given)
        if chosen(index):
            index, given = ..., placed(self, index, given)
        if (shape := shape_without_elements(self, index)) is not None:
            assignable(given, self.dtype, shape)  # there is nothing to assign, but shapes have to agree
            return
        place, backwards = self._place(index)
        if place._source is not None:  # with new axes, or others
            place[...] = flip(broadcast_to(expression(given, self.dtype), place.shape), backwards)
            return
        if isinstance(given, Expression) and getattr(place, "_is_place_of", lambda _: False)(given) and not backwards:
            return  # what `buffer[2:] += 1` has done
        if backwards:
            given = flip(broadcast_to(expression(given, self.dtype), place.shape), backwards)
        assign(place, given)

    def _place(self, index):
        """The buffer, a part or a view of it, and which axes of it run backwards."""
        from ._shapes import axes_as_view
        ranges, axes, backwards = subscripts(index, self.shape)
        if not is_whole(ranges, self.shape):
            from ._levels import Part
            return Part(self, ranges, axes), backwards
        return self if axes == list(range(self.ndim)) else axes_as_view(self, axes), backwards

    def _became(self, made):
        self[...] = made
        return self

    __hash__ = Expression.__hash__


class Trace:
    """Makes a module with one function of memrefs."""

    def __init__(self, name, wanted=None):
        self.module = _native.Module()
        self.wanted = wanted or Wanted()
        self.found = []  # the expressions that are put into memory
        self.counts = {}  # of expressions of a line and a class
        self.is_keeping = False
        self.aliases = []  # memory of names that may be second names of an array
        self.name = re.sub(r"\W", "_", name) or "kernel"
        self.levels = []
        self.limits = {}  # of values of indices: the least and the greatest number
        self.channels = {}
        self.constants = {}  # by the elements of an array of numpy that the function reads: its copy and its buffer
        self.has_transfers = False
        self.broken = None  # what went wrong where an exception would be lost
        self.unsupported = None
        self.points = []  # insertion points of bodies that are open
        self.effort = Effort()
        self.core = None  # the level of the core that computes all, see _small

    def __enter__(self):
        self.outer, _local.trace = trace_here(), self
        return self

    def __exit__(self, *error):
        _local.trace = self.outer
        while self.points:
            self.leave()

    def noted(self, expression):
        if self.is_keeping:  # not there in a trace that keeps something else
            return None, self.levels[-1]
        key = self.key_at(expression.location.file, expression.location.line, type(expression).__name__)
        if key in self.wanted.keys:
            self.found.append(expression)
        return key, self.levels[-1]

    def want(self, expression, otherwise):
        """Has an expression in memory before the body that is open, or says what is wrong."""
        if expression.key is None or expression.key in self.wanted.keys:
            raise error_at(expression.location, otherwise)
        raise TraceAgain({expression.key})

    def loop_key(self, location):
        """What finds a loop in another trace of the function."""
        return self.key_at(location.file, location.line, "loop")

    def key_at(self, *place):
        """What finds in another trace what is made in a line."""
        self.counts[place] = self.counts.get(place, 0) + 1
        return (*place, self.counts[place])

    def keep(self):
        """Before a body: what is wanted in memory."""
        self.is_keeping = True
        for each in self.found:
            if each.level is self.levels[-1]:
                each._keep()
        self.is_keeping = False

    def enter(self, block):
        self.points.append(_native.InsertionPoint(block))
        self.points[-1].__enter__()

    def leave(self):
        self.points.pop().__exit__(None, None, None)

    def function(self, arrays):
        """Opens the function: `arrays` are (name, shape, dtype). Gives their buffers."""
        types = [_native.Type.memref(list(shape), stored_element(dtype)) for _, shape, dtype in arrays]
        for _, shape, dtype in arrays:
            self._count_bytes(shape, dtype)
        self.op = _native.create("func.func", at=self.module.body, regions=[types], attributes={
            "sym_name": self.name, "function_type": _native.Type.function(types, [])})
        self.levels.append(Level("function", self.op.body))
        made = [Buffer(name, shape, dtype, value, self.levels[0], "L3")
                for (name, shape, dtype), value in zip(arrays, self.op.body.arguments)]
        for each in made:
            each.is_argument = True
        return made

    def captured(self, array):
        """An array that is no argument of the function, as it is now: the program gets it as one."""
        copy = np.array(array, order="C")
        key = copy.shape, copy.dtype, copy.tobytes()
        if key not in self.constants:
            self.constants[key] = copy, self.add_argument("array", copy.shape, copy.dtype)
        return self.constants[key][1]

    def captured_here(self, array):
        """The same, in the memory that the program computes in here: a core copies it once in each body that reads it, and once at the beginning
        where it has all of the program."""
        buffer = self.captured(array)
        if self.memory_here() == "L3":
            return buffer
        level, key = self.core or self.levels[-1], id(buffer)
        if key not in level.made:
            with _native.InsertionPoint.at_start(level.block) if self.core else contextlib.nullcontext():
                level.made[key] = buffer, self._copy_of(buffer, level)
        return level.made[key][1]

    def _copy_of(self, buffer, level):
        from ._levels import copy
        memory = self.allocate(buffer.shape, buffer.dtype, level=level)
        made = Buffer("memory", buffer.shape, buffer.dtype, memory, level, self.memory_here())
        copy(buffer, made)
        return made

    def add_argument(self, name, shape, dtype):
        """One more argument of the function: for a result, or an array that it reads."""
        kind = _native.Type.memref(list(shape), stored_element(dtype))
        self._count_bytes(shape, dtype)
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
        self._count_bytes(shape, dtype)
        kind = _native.Type.memref(list(shape), stored_element(dtype), space)
        value = _native.create("memref.alloc", [[], []], [kind]).result
        (level or self.levels[-1]).owned.append(value)
        return value

    def _count_bytes(self, shape, dtype):
        if 0 in shape:
            raise ValueError(f"an array without elements, of shape {tuple(shape)}: a program has no memory for it")
        self.effort.bytes += math.prod(shape) * np.dtype(dtype).itemsize

    def count_kernel(self, elements, dtype):
        """Notes a kernel that is made here."""
        least, most = (math.prod(each.trips[at] for each in self.levels) for at in range(2))
        self.effort.kernels += least
        self.effort.elements += most * elements
        self.effort.code += 6 if elements > 1 else 2 if is_float(dtype) else 1

    def close_level(self):
        for value in reversed(self.levels.pop().owned):
            _native.create("memref.dealloc", [value])
