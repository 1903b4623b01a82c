"""The names of a function around a loop of the program, whose body Python runs once: what a trip gives a name, the next one
finds there. An array gets memory, which each trip fills; an integer that grows by as much in each trip is an index of the
program. That a name needs this is known at the end of the body: the function is traced once more then.
"""

import dis
import re
import sys

import numpy as np

from .. import _native
from ._arrays import Expression, expression
from ._elements import is_number
from ._index import Index
from ._trace import TraceAgain, error_at

_OPEN = object()  # of a name that has no value
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
_JUMPS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE")
_DEEPEST, _MOST = 3, 1000


class Names:
    """What the names of a frame, and the tuples, lists, dicts and objects that they stand for, mean before and after the
    body of a loop. A path is a name and the steps from there to a value."""

    def __init__(self, trace, frame):
        self.trace, self.frame, self.location = trace, frame, _native.Location.here()
        self.key = trace.loop_key(self.location)
        wanted = {path: how for (loop, path), how in trace.wanted_names.items() if loop == self.key}
        values = _values(frame)
        self.memory = {path: self._memory(path, how, values.get(path, _OPEN))
                       for path, how in wanted.items() if not isinstance(how, int)}
        self.steps = {path: (values[path], how) for path, how in wanted.items() if isinstance(how, int)}

    def _memory(self, path, how, value):
        from ._levels import empty
        self.trace.is_keeping = True
        memory = empty(*how)
        memory.name = path[0]
        if value is not _OPEN:
            memory[...] = value
        self.trace.is_keeping = False
        return memory

    def enter(self, variable, start, step):
        """Gives the names what they mean in the body: `variable` is that of the loop."""
        self.indices = self._after((variable - start, step))
        _give(self.frame, {**self.memory, **self.indices})
        self.versions = {path: each.version for path, each in self.memory.items()}
        self.before = _values(self.frame)

    def leave(self):
        """At the end of the body: fills the memory, and looks for names that need some."""
        after, body = _values(self.frame), _Body(self.frame)
        self._check_lists(after)
        found = {}
        for path, value in after.items():
            old = self.before.get(path, _OPEN)
            if value is not old and path not in self.memory and (path not in self.indices or body.reads(path)):
                how = self._wanted(path, old, value, body)
                found.update({} if how is None else {(self.key, path): how})
        if found:
            raise TraceAgain(names=found)
        made = {path: self._made(path, after.get(path, _OPEN)) for path in self.memory}
        for path, value in made.items():
            if value is not None:
                self.memory[path][...] = value

    def end(self, start, stop, step):
        """After the loop."""
        last = self._after((stop - start + (step - 1), step))
        _give(self.frame, {**self.memory, **{path: each.constant if each.is_constant else each for path, each in last.items()}})

    def _after(self, trips):
        """What integers are after so many trips: a distance and a step."""
        if not self.steps:
            return {}
        distance, step = trips
        count = distance if step == 1 else distance // step
        return {path: count * growth + first for path, (first, growth) in self.steps.items()}

    def _made(self, path, value):
        memory = self.memory[path]
        if value is memory or value is _OPEN:
            return None
        if memory.version != self.versions[path]:
            raise error_at(self.location, f"the body of this loop changes elements of {_text(path)}, and gives it another array: "
                           "it can do one of both")
        value = expression(value, memory.dtype)
        if (value.shape, value.dtype) != (memory.shape, memory.dtype):
            raise error_at(self.location, f"{_text(path)} is {memory.dtype}{list(memory.shape)} before the body of this loop, which is "
                           f"traced once, and {value.dtype}{list(value.shape)} after it")
        return value

    def _wanted(self, path, old, value, body):
        """What the name needs: the shape and the dtype of memory, or by how much an integer grows; None where no later trip
        and nothing after the loop reads it."""
        if not _is_array(value) and not _is_array(old):
            return self._wanted_number(path, old, value, body)
        if not (old is not _OPEN and body.reads(path) or body.is_read_later(path)):
            return None
        if not _is_array(value) or not (old is _OPEN or _is_array(old) or is_number(old)):
            raise self._changed(path, old, value)
        if _is_array(old) and (old.shape, old.dtype) != (value.shape, value.dtype):
            raise error_at(self.location, f"{_text(path)} is {old.dtype}{list(old.shape)} before the body of this loop, which is traced "
                           f"once, and {value.dtype}{list(value.shape)} after it")
        return value.shape, value.dtype

    def _wanted_number(self, path, old, value, body):
        if old is _OPEN or not body.reads(path) or type(old) is type(value) and old == value:
            return None
        known = self.steps[path][1] if path in self.steps else None
        if all(type(each) in (int, Index) for each in (old, value)):
            growth = Index.of(value) - old
            if growth.is_constant and known in (None, growth.constant):
                return growth.constant if known is None else None
        raise self._changed(path, old, value)

    def _changed(self, path, old, value):
        return error_at(self.location, f"the body of this loop is traced once, and {_text(path)}, which it uses, is {_shown(old)} before "
                        f"it and {_shown(value)} after it: what each trip changes is an array of the program, as of api.empty, or an "
                        "integer that grows by as much in each trip")

    def _check_lists(self, after):
        for path, size in after.sizes.items():
            if self.before.sizes.get(path, size) != size:
                raise error_at(self.location, f"the body of this loop is traced once, and the list {_text(path)} has "
                               f"{self.before.sizes[path]} elements before it and {size} after it: a list does not grow in a loop of "
                               "the program; a loop over range() does that")


def _is_array(value):
    return isinstance(value, (Expression, np.ndarray))


def _shown(value):
    return "an array" if _is_array(value) else "an index of the program" if isinstance(value, Index) else repr(value)


def _text(path):
    return repr(path[0]) if len(path) == 1 else path[0] + "".join(
        f".{step}" if kind == "attribute" else f"[{step!r}]" for kind, step in path[1:])


# -- Frames

class _Values(dict):
    """The values of paths; `sizes` of lists."""

    def __init__(self):
        super().__init__()
        self.sizes = {}


def _values(frame):
    found, seen = _Values(), set()
    for name, value in dict(frame.f_locals).items():
        _collect(value, (name,), found, seen)
    return found


def _collect(value, path, found, seen):
    if _is_array(value) or isinstance(value, (Index, np.generic, int, float, str, type(None))):
        found[path] = value
        return
    parts = _parts(value)
    if id(value) in seen or len(path) > _DEEPEST or not 0 < len(parts) <= _MOST and not isinstance(value, list):
        return
    seen.add(id(value))
    if isinstance(value, list):
        found.sizes[path] = len(value)
    for step, each in parts:
        _collect(each, (*path, step), found, seen)


def _parts(value):
    """(step, part) of tuples, lists, dicts, and objects of classes of the user."""
    if type(value) in (tuple, list):
        return [(("item", at), each) for at, each in enumerate(value)]
    if type(value) is dict:
        return [(("item", key), each) for key, each in value.items()]
    is_object = type(type(value)) is type and type(value).__module__.split(".")[0] not in ("airlite", "numpy", "builtins")
    return [(("attribute", name), each) for name, each in vars(value).items()] if is_object and hasattr(value, "__dict__") else []


def _give(frame, values):
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
        setattr(whole, step, _with_part(getattr(whole, step), rest, value))
    elif isinstance(whole, tuple):
        return (*whole[:step], _with_part(whole[step], rest, value), *whole[step + 1:])
    else:
        whole[step] = _with_part(whole[step], rest, value)
    return whole


# -- Code

class _Body:
    """The instructions of the `for` that a frame is at."""

    def __init__(self, frame):
        self.all = list(dis.get_instructions(frame.f_code))
        self.places = {each.offset: at for at, each in enumerate(self.all)}
        loops = [at for at, each in enumerate(self.all) if each.opname == "FOR_ITER" and each.offset <= frame.f_lasti]
        self.loop = loops[-1] if loops else None

    def reads(self, path):
        """Whether a trip may read what the name meant before it."""
        return len(path) > 1 or self.loop is None or self._reads(path[0], self.loop + 1)

    def is_read_later(self, path):
        """Whether something after the loop may read it."""
        return len(path) > 1 or self.loop is None or self._reads(path[0], self.places[self.all[self.loop].argval])

    def _reads(self, name, first):
        stack, seen = [first], {self.loop}
        while stack:
            at = stack.pop()
            if at in seen or at >= len(self.all):
                continue
            seen.add(at)
            access = next((kind for kind, each in _accesses(self.all[at]) if each == name), None)
            if access == "LOAD":
                return True
            if access is None:
                stack += self._next(at)
        return False

    def _next(self, at):
        each = self.all[at]
        is_jump = each.opcode in dis.hasjrel or each.opcode in dis.hasjabs
        if not (each.opname in _ENDS or each.opname in _JUMPS):
            yield at + 1
        if is_jump:
            yield self.places[each.argval]


def _accesses(instruction):
    kinds = re.findall("(LOAD|STORE)_(?:FAST|DEREF|CLOSURE|NAME)", instruction.opname)
    names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
    return zip(kinds, names)
