"""The names of a function around a loop of the program, whose body Python runs once: what a trip gives a name, the next one
finds there. An array gets memory, which each trip fills; an integer that grows by as much in each trip is an index of the
program. That a name needs this is known at the end of the body: the function is traced once more then.
"""

import dis
import inspect
import re

import numpy as np

from .. import _native
from ._aliases import Aliases, read_before_change, root_of, state_of, with_twins
from ._arrays import Expression, _numbers, copied
from ._elements import is_number
from ._index import Index
from ._trace import TraceAgain, error_at
from ._watch import Values, give, is_fixed

_OPEN = object()  # of a name that has no value
_GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
_ADDS = ("LIST_APPEND", "SET_ADD", "MAP_ADD")
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
_JUMPS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE")


class Names:
    """What the names of a frame, and the tuples, lists, dicts and objects that they stand for, mean before and after the
    body of a loop. A path is a name and the steps from there to a value."""

    def __init__(self, trace, frame, distance):
        self.trace, self.frame, self.location = trace, frame, _native.Location.here()
        self.least_distance = distance._limits()[0]
        self.key = trace.loop_key(self.location)
        self._check_frame()
        wanted = {path: how for (loop, path), how in trace.wanted.names.items() if loop == self.key}
        values = Values(frame)
        self.memory = {path: self._memory(path, how, values.get(path, _OPEN))
                       for path, how in wanted.items() if not isinstance(how, int)}
        self.steps = {path: (values[path], how) for path, how in wanted.items() if isinstance(how, int)}
        self.roots = {path: root_of(value) for path, value in values.items() if path in self.memory}

    def _check_frame(self):
        if self.frame.f_code.co_flags & _GENERATORS or self.frame.f_code.co_name in _COMPREHENSIONS or _Body(self.frame).makes_list():
            raise error_at(self.location, "a loop of the program is no part of a generator, or of a list in one expression: its body is traced once, "
                           "and a list would have the elements of one trip")

    def _memory(self, path, how, value):
        from ._levels import empty
        self.trace.is_keeping = True
        memory = empty(*how)
        memory.name, memory.is_rows = path[0], len(how[0]) < 2  # in numpy its axes may be in another order
        if value is not _OPEN:
            memory[...] = value
        self.trace.is_keeping = False
        return memory

    def enter(self, variable, start, step):
        """Gives the names what they mean in the body: `variable` is that of the loop."""
        self.indices = self._after((variable - start, step))
        give(self.frame, {**self.memory, **self.indices})
        self.versions = {path: each.version for path, each in self.memory.items()}
        self.before = Values(self.frame)
        self.globals = {name: self.frame.f_globals.get(name) for name in _Body(self.frame).stored_globals()}
        self.started, self.level = next(_numbers), self.trace.levels[-1]
        arrays = [root for root in map(root_of, self.before.values()) if root is not None]
        self.states = {id(root): state_of(root) for root in arrays}
        for path, root in self.roots.items():
            self.memory[path].twins = [(each, state_of(each)) for each in with_twins(root)]

    def leave(self):
        """At the end of the body: fills the memory, and looks for names that need some."""
        after, body = Values(self.frame), _Body(self.frame)
        body.is_made = lambda path: self._is_made(path, after)
        self._check_lists(after)
        self._check_wholes(after)
        self._check_contents(after, body)
        self._check_globals()
        found = {}
        for path, value in after.items():
            old = self.before.get(path, _OPEN)
            if value is not old and path not in self.memory and (path not in self.indices or body.reads(path)):
                how = self._wanted(path, old, value, body)
                found.update({} if how is None else {(self.key, path): how})
        if found:
            raise TraceAgain(names=found)
        seen = {path: value for path, value in after.items() if path in self.memory or body.reads(path) or body.is_read_later(path)}
        self.aliases = Aliases(self.memory, self.roots, seen, self.level, self.started, self.least_distance < 1)
        made = {path: self._made(path, after.get(path, _OPEN)) for path in self.memory}
        self._check_aliases()  # what one name hands on to another is read here
        for path, value in made.items():
            if value is not None:
                self.memory[path][...] = value

    def end(self, start, stop, step):
        """After the loop."""
        if self.steps and self.least_distance <= -step:
            raise error_at(self.location, f"the end of this loop may be before its start, and an integer, {_text(next(iter(self.steps)))}, grows "
                           "in each trip: how many trips there are is not known then")
        last = self._after((stop - start + (step - 1), step))
        self.aliases.guard()
        give(self.frame, {**self.memory, **{path: each.constant if each.is_constant else each for path, each in last.items()}})

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
        value = copied(value, memory.dtype)  # a view would show what the other names get meanwhile
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
        if old is _OPEN and (len(path) > 1 or path in self.before.wholes):
            raise self._new_part(path)
        if not _is_array(value) or not (old is _OPEN or _is_array(old) or is_number(old)):
            raise self._changed(path, old, value)
        if _is_array(old) and (old.shape, old.dtype) != (value.shape, value.dtype):
            raise error_at(self.location, f"{_text(path)} is {old.dtype}{list(old.shape)} before the body of this loop, which is traced "
                           f"once, and {value.dtype}{list(value.shape)} after it")
        return value.shape, value.dtype

    def _wanted_number(self, path, old, value, body):
        is_read = body.reads(path) or self.least_distance < 1 and body.is_read_later(path)
        if old is _OPEN or not is_read or type(old) is type(value) and old == value:
            return None
        known = self.steps[path][1] if path in self.steps else None
        if body.reads(path) and all(type(each) in (int, Index) for each in (old, value)):
            growth = Index.of(value) - old
            if growth.is_constant and known in (None, growth.constant):
                return growth.constant if known is None else None
        raise self._changed(path, old, value)

    def _new_part(self, path):
        return error_at(self.location, f"the body of this loop, which is traced once, makes {_text(path)}: make it before the loop")

    def _changed(self, path, old, value):
        return error_at(self.location, f"the body of this loop is traced once, and {_text(path)}, which it uses, is {_shown(old)} before "
                        f"it and {_shown(value)} after it: what each trip changes is an array of the program, as of api.empty, or an "
                        "integer that grows by as much in each trip")

    def _check_wholes(self, after):
        """Objects with two names, one of which gets another object."""
        for path, whole in self.before.wholes.items():
            is_other = after.wholes.get(path) is not whole and not is_fixed(whole)
            if is_other and self.before.others(path) and any(_is_array(each) for at, each in after.items() if at[:len(path)] == path):
                raise error_at(self.location, f"{_text(path)} and {_text(self.before.others(path)[0])} are one object before this loop, and "
                               f"its body gives {_text(path)} another one: begin with a copy")

    def _check_contents(self, after, body):
        """What has gone, and what is watched as a whole."""
        for path in (*self.memory, *self.steps):
            if path not in after and len(path) > 1:
                raise error_at(self.location, f"{_text(path)} has gone, or has a second name, after the body of this loop: the body is "
                               "traced once")
        for path, content in self.before.contents.items():
            is_changed = after.contents.get(path, content) != content and after.get(path) is self.before.get(path)
            if is_changed and (path in after or body.reads(path) or body.is_read_later(path)):
                raise self._whole_changed(path)

    def _is_made(self, path, after):
        """Whether it is a part of an object that the trip has made, and that only its name leads to."""
        old, new = self.before, after
        if len(path) == 1 or new.wholes.get(path[:1]) is old.wholes.get(path[:1]) or path[:1] in old.wholes and old.others(path[:1]):
            return False
        return all(other[0] == path[0] for end in range(1, len(path)) if path[:end] in new.wholes for other in new.others(path[:end]))

    def _check_globals(self):
        for name, old in self.globals.items():
            value = self.frame.f_globals.get(name)
            if value is not old and (_is_array(value) or _is_array(old) or value != old):
                raise self._whole_changed((name,))

    def _whole_changed(self, path):
        return error_at(self.location, f"the body of this loop is traced once, and it changes {_text(path)}, which is no array of the program, or a global "
                        "name: all trips would find what the first one does")

    def _check_aliases(self):
        path = self.aliases.changed_before_read(self.states)
        name = read_before_change(self.started) if path is None else _text(path)
        if name is not None:
            raise error_at(self.location, f"{name} may be a second name of an array that the body of this loop changes: begin "
                           "with a copy, as in x.copy()")

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


# -- Code

def is_at_for(frame):
    """Whether a frame takes the iterator of a `for`."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] == "GET_ITER"


class _Body:
    """The instructions of the `for` that a frame is at."""

    def __init__(self, frame):
        self.all = list(dis.get_instructions(frame.f_code))
        self.places = {each.offset: at for at, each in enumerate(self.all)}
        self.shared = {*frame.f_code.co_cellvars, *frame.f_code.co_freevars}  # with functions inside or around: they may read them
        find = getattr(dis, "_parse_exception_table", lambda code: ())  # until Python 3.10 handlers are places of jumps
        self.handlers = [(each.start, each.end, each.target) for each in find(frame.f_code)]
        loops = [at for at, each in enumerate(self.all) if each.opname == "FOR_ITER" and each.offset <= frame.f_lasti]
        self.loop = loops[-1] if loops else None

    is_made = staticmethod(lambda path: False)  # see Names

    def stored_globals(self):
        inside = self.all[self.loop:self.places[self.all[self.loop].argval]] if self.loop is not None else self.all
        return {each.argval for each in inside if each.opname == "STORE_GLOBAL"}

    def makes_list(self):
        """Whether it is the loop of a list in one expression, which Python 3.12 has in the function itself."""
        inside = [] if self.loop is None else self.all[self.loop + 1:self.places[self.all[self.loop].argval]]
        return next((each.opname in _ADDS for each in inside if each.opname in ("FOR_ITER", *_ADDS)), False)

    def reads(self, path):
        """Whether a trip may read what the name meant before it."""
        return self._may_be_read(path) or self._reads(path[0], self.loop + 1)

    def is_read_later(self, path):
        """Whether something after the loop may read it."""
        return self._may_be_read(path) or self._reads(path[0], self.places[self.all[self.loop].argval])

    def _may_be_read(self, path):
        """Whether instructions do not say who reads it."""
        return len(path) > 1 and not self.is_made(path) or self.loop is None or path[0] in self.shared

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
        yield from (self.places[target] for start, end, target in self.handlers if start <= each.offset < end)


def _accesses(instruction):
    kinds = re.findall("(LOAD|STORE)_(?:FAST|DEREF|CLOSURE|NAME)", instruction.opname)
    names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
    return zip(kinds, names)
