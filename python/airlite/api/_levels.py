"""Launches, segments, herds, loops, memory and channels: the schedule of a program written by hand."""

import contextlib
import math
import sys

import numpy as np

from .. import _native
from ._arrays import (Constant, Expression, Flip, Inset, Join, Pointwise, Product, Read, Reduce, Reshape, Window, assignable, expression,
                      only_number, view)
from ._elements import index_constant, stored_element
from ._index import Index
from ._memory import window
from ._names import Names, is_at_for
from ._subscripts import is_all, positive, shape_of
from ._trace import SPACES, Buffer, Level, current, error_at

_GROUPS = {"air.launch": "launch_operands", "air.segment": "segment_operands", "air.herd": "herd_operands"}
_ORDER = ("function", "launch", "segment", "herd")


def launch(*sizes):
    """A launch: `with launch(4, 4) as (x, y):` runs its body once for each point."""
    return _open("launch", sizes)


def segment():
    """A segment: a group of cores with L2 memory. `with segment():`"""
    return _open("segment", ())


def herd(*sizes):
    """An array of one or two dimensions of cores: `with herd(2, 4) as (x, y):` runs its body on each core."""
    if len(sizes) not in (1, 2):
        raise ValueError("a herd has one or two dimensions")
    return _open("herd", sizes)


@contextlib.contextmanager
def _open(kind, sizes):
    trace, name = current(), f"air.{kind}"
    sizes = [positive(each) for each in sizes]
    for level in trace.levels:
        if level.name in _ORDER and _ORDER.index(level.name) >= _ORDER.index(kind):
            raise _native.Error(f"a {kind} inside of a {level.name}: the order is launch, segment, herd")
    given = sizes + [1] if kind == "herd" and len(sizes) == 1 else sizes
    trace.keep()
    op = _native.create(name, [[], [index_constant(each) for each in given], [], [], []], [],
                        {} if kind == "launch" else {"sym_name": f"{kind}_{_count(trace, name)}"},
                        regions=[["index"] * (2 * len(given))])
    trace.levels.append(Level(kind, op.body))
    places = [Index._variable(value, 0, size - 1) for value, size in zip(op.body.arguments, sizes)]
    with _native.InsertionPoint(op.body):
        yield places[0] if len(places) == 1 else tuple(places)
        trace.close_level()
        _native.create(f"{name}_terminator", results=[])
    _close_over(op, _GROUPS[name])


def _count(trace, name):
    return len(trace.module.walk(name))


def _close_over(op, group):
    """What the body uses of outside becomes an operand; constants are made anew inside."""
    inside = {inner.block for inner in op.walk() if inner != op} | {op.body}
    seen = {}
    for inner in op.walk():
        for at, value in enumerate(inner.operands if inner != op else ()):
            home = value.owner if value.is_argument else value.owner.block
            if home not in inside:
                inner.set_operand(at, _captured(op, group, value, seen))


def _captured(op, group, value, seen):
    if value not in seen:
        if not value.is_argument and value.owner.name == "arith.constant":
            copy = value.owner.clone()
            _native.InsertionPoint.at_start(op.body).insert(copy)
            seen[value] = copy.result
        else:
            op.set_operand_group(group, [*op.operand_group(group), value])
            seen[value] = op.body.add_argument(value.type)
    return seen[value]


class loop:
    """A loop of the program: `for i in loop(0, 64, 16):`. The body of the `for` becomes its body, once."""

    def __init__(self, start, stop=None, step=1):
        self.bounds = start, stop, step

    def __iter__(self):
        """What Python calls in the line of the `for`: another caller would take one trip for all."""
        if not is_at_for(sys._getframe(1)):
            raise TypeError("a loop of the program stands in a `for` itself, as in `for i in loop(3):`: enumerate, zip, map and list would "
                            "find one trip, since its body is traced once")
        return _trips(*self.bounds)


def _trips(start, stop, step):
    if stop is None:
        start, stop = 0, start
    trace, step = current(), positive(step)
    trace.keep()
    bounds = [Index.of(each) for each in (start, stop, step)]
    if (bounds[1] - bounds[0])._limits()[1] <= 0:  # no trip changes anything
        return
    names = Names(trace, sys._getframe(1), bounds[1] - bounds[0])
    op = _native.create("scf.for", [*(each.emit() for each in bounds), []], [], regions=[["index"]])
    trips = [max(0, end if math.isinf(end) else -(-end // step)) for end in (bounds[1] - bounds[0])._limits()]
    trace.levels.append(Level("loop", op.body, trips))
    # No `with`: a loop that an exception leaves is finished when Python drops it, out of order.
    trace.enter(op.body)
    variable = Index._variable(op.body.arguments[0], bounds[0]._limits()[0], bounds[1]._limits()[1] - 1)
    names.enter(variable, bounds[0], step)
    try:
        yield variable
    except GeneratorExit:
        trace.broken = "a loop of a program is not left by break or return: its body is traced once"
        raise
    names.leave()
    trace.close_level()
    _native.create("scf.yield")
    trace.leave()
    names.end(bounds[0], bounds[1], step)


def empty(shape, dtype, memory=None):
    """Memory of the body that is open, freed at its end: "L1" of each core of a herd, "L2" of a segment, "L3" of
    the host. Without `memory` that of the body."""
    trace = current()
    memory = memory or trace.memory_here()
    if memory not in SPACES:
        raise ValueError(f"memory is 'L1', 'L2' or 'L3', got {memory!r}")
    shape = tuple(positive(each) for each in (shape if isinstance(shape, (tuple, list)) else (shape,)))
    stored_element(dtype)
    return Buffer("memory", shape, dtype, trace.allocate(shape, dtype, memory), trace.levels[-1], memory)


# -- Parts of buffers

class Part(Expression):
    """A rectangle of a buffer, to copy it, to compute with it, or to assign to it: offsets are indices of the
    program, sizes and steps are numbers."""

    _taken = None  # of an element, which is a copy in numpy: what it was read from; its version

    def __init__(self, buffer, ranges, axes):
        self.buffer, self.ranges, self.axes = buffer, ranges, axes
        super().__init__(shape_of(ranges, axes), buffer.dtype)

    def lists(self):
        """Offsets, sizes and strides as operands."""
        strides, stride = [], 1
        for size in reversed(self.buffer.shape):
            strides.insert(0, stride)
            stride *= size
        return ([start.emit() for start, _, _ in self.ranges], [index_constant(size) for _, size, _ in self.ranges],
                [index_constant(step * each) for (_, _, step), each in zip(self.ranges, strides)])

    def read(self):
        """The elements as they are now."""
        from ._shapes import part_of
        base = self.buffer.read()
        if self._taken is not None:  # not what a later trip of a loop would read
            taken, version = self._taken
            if taken is None and version != self.buffer.version:
                self._refuse_changed()
            base = base if taken is None else taken
        return view(part_of(base, self.ranges), self.axes)

    def _as_element(self):
        """A copy of the one element; in memory where the program does not compute, as long as nothing changes it."""
        is_here = self.buffer.memory == current().memory_here()
        self._taken = self.buffer.read() if is_here else None, self.buffer.version
        return self

    def _refuse_changed(self):
        raise error_at(self.location, f"an element of {self.buffer.name!r} is used after the array has changed: copy it before")

    def __setitem__(self, index, given):
        if self._taken is not None:
            raise TypeError("an element, as x[0], is a number: assign to x[0] itself")
        if not (isinstance(given, Part) and is_all(index, self.shape) and self._is_place_of(given)):  # as after `part[:] += 1`
            assign(self, self._with(index, given))

    def _became(self, made):
        if self._taken is not None:
            return made
        assign(self, made)
        return self

    def _is_place_of(self, other):
        """Whether another part is the same elements in the same order."""
        if isinstance(other, Part) and other._taken is not None and other._taken[1] != self.buffer.version:
            return False
        return isinstance(other, Part) and self.buffer is other.buffer and (self.ranges, self.axes) == (other.ranges, other.axes)

    def memref(self):
        """The memory of the part, made at the insertion point."""
        offsets, sizes, steps = zip(*self.ranges)
        return window(self.buffer.memref, offsets, sizes, steps)


class _Whole:
    """All of a buffer, in a transfer."""

    def __init__(self, buffer):
        self.buffer, self.shape, self.dtype = buffer, buffer.shape, buffer.dtype

    def lists(self):
        return [], [], []


def _as_part(given):
    if isinstance(given, np.ndarray):
        given = current().captured(given)
    if isinstance(given, Buffer):
        given = _Whole(given)
    if not isinstance(given, (_Whole, Part)):
        raise TypeError(f"expected a buffer or a part of one, got {type(given).__name__}")
    if isinstance(given, Part) and given._taken is not None and given._taken[1] != given.buffer.version:
        given._refuse_changed()
    given.buffer.check()
    return given


def _as_target(given):
    if isinstance(given, np.ndarray):
        raise TypeError("the target of a copy is memory of the program, got an array of numpy from outside of the function: make it an argument")
    return _as_part(given)


def _squeezed(shape):
    return [size for size in shape if size != 1]


# -- What is done with memory

def copy(source, target):
    """Copies a buffer or a part of one to another, between any two levels of memory: `copy(a[i:i + 16, :], tile)`."""
    source, target = _as_part(source), _as_target(target)
    if source.dtype != target.dtype:
        raise TypeError(f"a copy from {source.dtype} to {target.dtype}")
    if _squeezed(source.shape) != _squeezed(target.shape):
        raise ValueError(f"a copy from shape {source.shape} to shape {target.shape}")
    target.buffer.about_to_change()
    _native.create("air.dma_memcpy_nd", [[], target.buffer.memref, *target.lists(), source.buffer.memref,
                                         *source.lists()], [])
    target.buffer._has_changed()
    current().has_transfers = True


def assign(target, given):
    """`buffer[:] = given` and `buffer[part] = given`. A sum of a buffer and a product is added by the product."""
    from ._emit import Emitter, emit, fill
    buffer = target.buffer if isinstance(target, Part) else target
    if not isinstance(target, (Buffer, Part)):
        raise TypeError("a buffer is assigned without new axes")
    buffer.check()
    if isinstance(given, np.ndarray):
        given = current().captured(given) if only_number(given) is None else expression(given)
    if isinstance(given, (Buffer, Part)) and _memory_of(given) != buffer.memory:
        return copy(given, target)
    here = current().memory_here()
    if buffer.memory != here:
        raise TypeError(f"{buffer.name!r} is in {buffer.memory}, and the program computes in {here} here: assign to memory "
                        "of this body, and copy that")
    node = assignable(given, buffer.dtype, target.shape)
    buffer.about_to_change()
    product = _added_product(target, node)
    if product is not None:
        Emitter([product]).accumulate(product, buffer.memref)
    elif isinstance(node, Constant):
        fill(target.memref() if isinstance(target, Part) else buffer.memref, node.number, buffer.dtype)
    else:
        node = _broadcast(node, target)
        emit(_apart(node, buffer, target), target.memref() if isinstance(target, Part) else buffer.memref)
    buffer._has_changed()


def _memory_of(given):
    return given.buffer.memory if isinstance(given, Part) else given.memory


def _broadcast(node, target):
    """With the shape of the target, or of the rectangle that it is of its buffer."""
    if node.shape != target.shape:
        node = Pointwise("same", (node,), target.shape, node.dtype)
    if not isinstance(target, Part):
        return node
    kept = [axis for axis in target.axes if axis is not None]
    node = node[tuple(slice(None) if axis is not None else 0 for axis in target.axes)] if None in target.axes else node
    return view(node, [kept.index(axis) if axis in kept else None for axis in range(target.buffer.ndim)])


def _apart(node, buffer, target):
    """An expression that reads other elements of the buffer than the one it computes is made elsewhere first."""
    from ._emit import Emitter
    if not _reads_others(node, buffer, not isinstance(target, Part), True):
        return node
    trace = current()
    elsewhere = Buffer("memory", node.shape, node.dtype, trace.allocate(node.shape, node.dtype), trace.levels[-1],
                       trace.memory_here())
    Emitter([node]).into(node, elsewhere.memref)
    return elsewhere.read()


def _reads_others(node, buffer, is_same, is_root=False):
    """Whether an operation that computes `node` into the buffer reads elements of it that are not those that it
    writes at the time. What is computed into memory of its own before is no danger."""
    if isinstance(node, Read):
        return node.buffer is buffer and not (is_same and node.shape == buffer.shape)
    if isinstance(node, (Reduce, Product, Flip, Inset, Join)) and not is_root:
        return False
    keeps_places = is_same and isinstance(node, Pointwise) and node.shape == buffer.shape
    # What gets other sizes is computed where the result is.
    is_moved = is_root and (isinstance(node, Reshape) or isinstance(node, Pointwise) and node.function == "same")
    return any(_reads_others(each, buffer, keeps_places, is_moved) for each in node.operands)


def _added_product(buffer, node):
    """`buffer + a @ b`: the product."""
    if not isinstance(buffer, Buffer) or not isinstance(node, Pointwise) or node.function != "add":
        return None
    for old, product in (node.operands, node.operands[::-1]):
        if isinstance(old, Read) and old.buffer is buffer and isinstance(product, Product) and product.first == 0 and \
                product.shape == buffer.shape and old.version == buffer.version and \
                not any(_reads_others(each, buffer, False) for each in product.operands):
            return product
    return None


class channel:
    """A named stream of data, or an array of streams: `c = channel(4)`, then `c.put(part, i)` and `c.get(tile, x)`.

    sizes            of the array; one stream without
    broadcast_shape  of the side that gets, where one put is for several gets
    """

    def __init__(self, *sizes, broadcast_shape=None):
        trace = current()
        self.sizes = [positive(each) for each in sizes] or [1]
        self.name = f"channel_{len(trace.channels)}"
        attributes = {"sym_name": self.name, "size": _native.Attribute.of(self.sizes)}
        if broadcast_shape is not None:
            attributes["broadcast_shape"] = _native.Attribute.of([positive(each) for each in broadcast_shape])
        trace.channels[self.name] = self
        _native.create("air.channel", [], [], attributes,
                       at=_native.InsertionPoint.at_start(trace.module.body))

    def put(self, source, *indices):
        """Sends a buffer or a part of one."""
        self._transfer("air.channel.put", _as_part(source), indices, [[]])

    def get(self, target, *indices):
        """Takes what was sent into a buffer or a part of one."""
        target = _as_target(target)
        target.buffer.about_to_change()
        self._transfer("air.channel.get", target, indices, [])
        target.buffer._has_changed()

    def _transfer(self, op, given, indices, last):
        wanted = 0 if self.sizes == [1] and not indices else len(self.sizes)
        if len(indices) != wanted:
            raise IndexError(f"{len(indices)} indices of an array of channels of {len(self.sizes)} dimensions")
        where = [Index.of(each).emit() for each in indices]
        _native.create(op, [[], where, given.buffer.memref, *given.lists(), *last], [],
                       {"chan_name": _native.Attribute.symbol(self.name)})
        current().has_transfers = True
