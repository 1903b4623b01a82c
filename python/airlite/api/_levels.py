"""Launches, segments, herds, loops, memory and channels: the schedule of a program written by hand."""

import contextlib

from .. import _native
from ._arrays import Constant, Pointwise, Product, Read, expression
from ._elements import index_constant, stored_element
from ._index import Index
from ._trace import SPACES, Buffer, Level, current

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
    sizes = [_size(each) for each in sizes]
    for level in trace.levels:
        if level.name in _ORDER and _ORDER.index(level.name) >= _ORDER.index(kind):
            raise _native.Error(f"a {kind} inside of a {level.name}: the order is launch, segment, herd")
    given = sizes + [1] if kind == "herd" and len(sizes) == 1 else sizes
    op = _native.create(name, [[], [index_constant(each) for each in given], [], [], []], [],
                        {} if kind == "launch" else {"sym_name": f"{kind}_{_count(trace, name)}"},
                        regions=[["index"] * (2 * len(given))])
    trace.levels.append(Level(kind))
    places = [Index({value: 1}) for value in op.body.arguments[:len(sizes)]]
    with _native.InsertionPoint(op.body):
        yield places[0] if len(places) == 1 else tuple(places)
        trace.close_level()
        _native.create(f"{name}_terminator", results=[])
    _close_over(op, _GROUPS[name])


def _size(given):
    size = given.__index__()
    if size < 1:
        raise ValueError(f"a size of {size}: sizes are positive")
    return size


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


def loop(start, stop=None, step=1):
    """A loop of the program: `for i in loop(0, 64, 16):`. The body of the `for` becomes its body, once."""
    if stop is None:
        start, stop = 0, start
    trace, step = current(), _size(step)
    bounds = [Index.of(each).emit() for each in (start, stop, step)]
    op = _native.create("scf.for", [*bounds, []], [], regions=[["index"]])
    trace.levels.append(Level("loop"))
    # No `with`: a loop that an exception leaves is finished when Python drops it, out of order.
    trace.enter(op.body)
    try:
        yield Index({op.body.arguments[0]: 1})
    except GeneratorExit:
        trace.broken = "a loop of a program is not left by break or return: its body is traced once"
        raise
    trace.close_level()
    _native.create("scf.yield")
    trace.leave()


def empty(shape, dtype, memory=None):
    """Memory of the body that is open, freed at its end: "L1" of each core of a herd, "L2" of a segment, "L3" of
    the host. Without `memory` that of the body."""
    trace = current()
    memory = memory or trace.memory_here()
    if memory not in SPACES:
        raise ValueError(f"memory is 'L1', 'L2' or 'L3', got {memory!r}")
    shape = tuple(_size(each) for each in (shape if isinstance(shape, (tuple, list)) else (shape,)))
    stored_element(dtype)
    return Buffer("memory", shape, dtype, trace.allocate(shape, dtype, memory), trace.levels[-1], memory)


# -- Parts of buffers

class Part:
    """A rectangle of a buffer: offsets as indices of the program, sizes and steps as numbers."""

    def __init__(self, buffer, offsets, sizes, steps):
        self.buffer, self.offsets, self.sizes, self.steps = buffer, offsets, sizes, steps

    shape = property(lambda self: tuple(self.sizes))
    dtype = property(lambda self: self.buffer.dtype)

    def lists(self):
        """Offsets, sizes and strides as operands; nothing for all of the buffer."""
        if self.offsets is None:
            return [], [], []
        strides, stride = [], 1
        for size in reversed(self.buffer.shape):
            strides.insert(0, stride)
            stride *= size
        return ([each.emit() for each in self.offsets], [index_constant(each) for each in self.sizes],
                [index_constant(step * each) for step, each in zip(self.steps, strides)])


def part(buffer, index):
    """What `buffer[index]` is."""
    index = list(index)
    if any(each is None for each in index):
        raise TypeError("a part of a buffer has no new axes")
    if Ellipsis in [each if each is Ellipsis else None for each in index]:
        at = next(at for at, each in enumerate(index) if each is Ellipsis)
        index[at:at + 1] = [slice(None)] * (buffer.ndim - len(index) + 1)
    if len(index) > buffer.ndim:
        raise IndexError(f"{len(index)} subscripts of an array of {buffer.ndim} axes")
    index += [slice(None)] * (buffer.ndim - len(index))
    ranges = [_range(each, size) for each, size in zip(index, buffer.shape)]
    return Part(buffer, *zip(*ranges))


def _range(given, size):
    if not isinstance(given, slice):
        start = Index.of(given)
        extent, step = 1, 1
    else:
        step = 1 if given.step is None else _size(given.step)
        start = Index.of(0 if given.start is None else given.start)
        distance = Index.of(size if given.stop is None else given.stop) - start
        if not distance.is_constant:
            raise ValueError("the size of a part is a number: stop - start of this slice is not")
        extent = -(-distance.constant // step)
    last = (extent - 1) * step
    is_outside = start.is_constant and not 0 <= start.constant <= size - 1 - last
    if extent < 1 or last >= size or is_outside:
        raise IndexError(f"a part of {extent} elements from {start.constant if start.is_constant else 'there'} of an "
                         f"axis of size {size}")
    return start, extent, step


def _as_part(given):
    if isinstance(given, Buffer):
        given = Part(given, None, list(given.shape), None)
    if not isinstance(given, Part):
        raise TypeError(f"expected a buffer or a part of one, got {type(given).__name__}")
    given.buffer.check()
    return given


def _squeezed(shape):
    return [size for size in shape if size != 1]


# -- What is done with memory

def copy(source, target):
    """Copies a buffer or a part of one to another, between any two levels of memory: `copy(a[i:i + 16, :], tile)`."""
    source, target = _as_part(source), _as_part(target)
    if source.dtype != target.dtype:
        raise TypeError(f"a copy from {source.dtype} to {target.dtype}")
    if _squeezed(source.shape) != _squeezed(target.shape):
        raise ValueError(f"a copy from shape {source.shape} to shape {target.shape}")
    _native.create("air.dma_memcpy_nd", [[], target.buffer.memref, *target.lists(), source.buffer.memref,
                                         *source.lists()], [])
    target.buffer.version += 1
    current().has_transfers = True


def assign(buffer, given):
    """`buffer[:] = given`. A sum of the buffer and a product is added by the product."""
    from ._emit import Emitter, emit, fill
    buffer.check()
    if isinstance(given, Part):
        raise TypeError("a part is copied by copy(source, target)")
    node = expression(given, buffer.dtype)
    if node.dtype != buffer.dtype:
        raise TypeError(f"elements of {node.dtype} are assigned to elements of {buffer.dtype}: convert them, as in "
                        f"x.astype(np.{buffer.dtype})")
    product = _added_product(buffer, node)
    if product is not None:
        emitter = Emitter([product])
        emitter.accumulate(product, buffer.memref)
    elif isinstance(node, Constant):
        fill(buffer.memref, node.number, buffer.dtype)
    else:
        if node.shape != buffer.shape:
            node = _broadcast(node, buffer)
        emit(node, buffer)
    buffer.version += 1


def _broadcast(node, buffer):
    import numpy as np
    try:
        fits = np.broadcast_shapes(node.shape, buffer.shape) == buffer.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"an array of shape {node.shape} is assigned to one of shape {buffer.shape}")
    return Pointwise("same", (node,), buffer.shape, node.dtype)


def _added_product(buffer, node):
    """`buffer + a @ b`: the product."""
    if not isinstance(node, Pointwise) or node.function != "add":
        return None
    for old, product in (node.operands, node.operands[::-1]):
        if isinstance(old, Read) and old.buffer is buffer and isinstance(product, Product) and \
                product.shape == buffer.shape and old.version == buffer.version:
            return product
    return None


class channel:
    """A named stream of data, or an array of streams: `c = channel(4)`, then `c.put(part, i)` and `c.get(tile, x)`.

    sizes            of the array; one stream without
    broadcast_shape  of the side that gets, where one put is for several gets
    """

    def __init__(self, *sizes, broadcast_shape=None):
        trace = current()
        self.sizes = [_size(each) for each in sizes] or [1]
        self.name = f"channel_{len(trace.channels)}"
        attributes = {"sym_name": self.name, "size": _native.Attribute.of(self.sizes)}
        if broadcast_shape is not None:
            attributes["broadcast_shape"] = _native.Attribute.of([_size(each) for each in broadcast_shape])
        trace.channels[self.name] = self
        _native.create("air.channel", [], [], attributes,
                       at=_native.InsertionPoint.at_start(trace.module.body))

    def put(self, source, *indices):
        """Sends a buffer or a part of one."""
        self._transfer("air.channel.put", _as_part(source), indices, [[]])

    def get(self, target, *indices):
        """Takes what was sent into a buffer or a part of one."""
        target = _as_part(target)
        self._transfer("air.channel.get", target, indices, [])
        target.buffer.version += 1

    def _transfer(self, op, given, indices, last):
        wanted = 0 if self.sizes == [1] and not indices else len(self.sizes)
        if len(indices) != wanted:
            raise IndexError(f"{len(indices)} indices of an array of channels of {len(self.sizes)} dimensions")
        where = [Index.of(each).emit() for each in indices]
        _native.create(op, [[], where, given.buffer.memref, *given.lists(), *last], [],
                       {"chan_name": _native.Attribute.symbol(self.name)})
        current().has_transfers = True
