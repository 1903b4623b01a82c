"""Tensors in memory of the host, buffers on the array, and parts of both."""

import itertools

from .. import _attributes, _types
from ..dialects import memref
from ._expr import Expr, Whole, assign
from ._index import IndexExpr
from ._packed import PackedRegion, PackedShape, fill, part_of_packed
from ._trace import current

_numbers = itertools.count()
declared = []  # tensors that no launch has claimed

L1_BYTES = 64 * 1024
SPACES = {"L2": 1, "L1": 2}


class Token:
    """A transfer. The program orders transfers by what they touch."""


class Region(Expr):
    """A part of a memref: offsets as index expressions, sizes and strides as numbers. Cores compute with parts of buffers."""

    def __init__(self, owner, offsets, sizes):
        self.owner, self.offsets, self.sizes = owner, offsets, sizes

    shape = property(lambda self: self.sizes)
    dtype = property(lambda self: self.owner.dtype)

    @property
    def strides(self):
        strides, step = [], 1
        for size in reversed(self.owner.shape):
            strides.append(step)
            step *= size
        return strides[::-1]

    @property
    def buffer(self):
        return self.owner

    def checked_place(self):
        if not isinstance(self.owner, Buffer):
            raise TypeError("a part of a tensor is loaded by ops.load, not assigned or computed with")
        # Offsets that are no numbers are checked in the program.
        ends = [size + (offset.constant if offset.is_constant else 0) for size, offset in zip(self.sizes, self.offsets)]
        if any(size < 1 or not size <= end <= whole for size, end, whole in zip(self.sizes, ends, self.owner.shape)):
            raise IndexError(f"a part of shape {self.sizes} of a buffer of shape {self.owner.shape}")
        return self

    def lists(self):
        """offsets, sizes, strides for an operation; empty ones for the whole."""
        if self.offsets is None:
            return [], [], []
        offsets = [current().scope.index(each) for each in self.offsets]
        return offsets, list(self.sizes), self.strides


def part_of(owner, index):
    """What `owner[index]` is."""
    index = index if isinstance(index, tuple) else (index,)
    if len(index) > len(owner.shape):
        raise IndexError(f"{len(index)} subscripts of an array of rank {len(owner.shape)}")
    offsets, sizes = [], []
    for at, size in itertools.zip_longest(index, owner.shape, fillvalue=slice(None)):
        offset, extent = _range(at, size)
        offsets.append(offset)
        sizes.append(extent)
    return Region(owner, offsets, sizes)


def _range(at, size):
    if not isinstance(at, slice):
        return IndexExpr.of(at), 1
    if at.step not in (None, 1):
        raise NotImplementedError("parts with a step")
    start = IndexExpr.of(0 if at.start is None else at.start)
    stop = IndexExpr.of(size if at.stop is None else at.stop)
    extent = stop - start
    if not extent.is_constant:
        raise ValueError("the size of a part has to be a number: stop - start of a slice is not")
    return start, extent.constant


class Tensor:
    """An argument of the program, in memory of the host."""

    def __init__(self, shape, dtype, name=None):
        self.shape, self.dtype = [int(size) for size in shape], dtype
        self.key = ("tensor", next(_numbers))
        self.name = name or f"arg{self.key[1]}"
        declared.append(self)

    def __getitem__(self, index):
        return part_of(self, index)

    def value(self):
        return current().scope.find(self.key)

    @property
    def type(self):
        return _types.MemRefType.get(self.shape, self.dtype.type)


class Buffer:
    """Memory of the array; `packed` is the shape of a matrix in blocks."""

    def __init__(self, shape, dtype, space, vector):
        self.packed = shape if isinstance(shape, PackedShape) else None
        # Of a matrix in blocks for several cores each core has its own part.
        shape = shape.of_core if self.packed else shape
        self.shape, self.dtype, self.space, self.vector = [int(size) for size in shape], dtype, space, vector
        self.key = ("buffer", next(_numbers))

    @property
    def type(self):
        space = _attributes.IntegerAttr.get("i32", SPACES[self.space])
        return _types.MemRefType.get(self.shape, self.dtype.type, memory_space=space)

    def value(self):
        return current().scope.find(self.key)

    def __getitem__(self, index):
        if index == slice(None):
            return Whole(self)
        return part_of_packed(self, index) if self.packed else part_of(self, index)

    def __setitem__(self, index, given):
        if self.packed and index != slice(None):
            raise NotImplementedError("computation on a part of a matrix in blocks: use all of it, buffer[:]")
        if self.packed and isinstance(given, (int, float)):
            return fill(self, given)
        place = self[index].checked_place()
        assign(place, Whole(given) if isinstance(given, Buffer) else given)


def region(given):
    """A part, or all, of a tensor or buffer."""
    if isinstance(given, (Region, PackedRegion)):
        return given
    if getattr(given, "packed", None):
        return PackedRegion(given)
    if isinstance(given, Whole):
        return Region(given.buffer, None, given.buffer.shape)
    if isinstance(given, (Tensor, Buffer)):
        return Region(given, None, given.shape)
    raise TypeError(f"expected a tensor, a buffer or a part of one, got {type(given).__name__}")


class Place:
    """Where alloc makes memory."""

    def __init__(self, space, level):
        self.space, self.level = space, level


def alloc(shape, dtype, scope, vector=None):
    """Memory of a herd (`h.private()`) or a segment (`seg.private()`, `seg.shared()`)."""
    trace = current()
    if trace.scope.level != scope.level:
        raise RuntimeError(f"memory of a {scope.level} is allocated in its body, not in that of a "
                           f"{trace.scope.level}")
    buffer = Buffer(shape, dtype, scope.space, vector)
    size = dtype.itemsize
    for each in buffer.shape:
        size *= each
    if scope.level == "herd" and size > L1_BYTES:
        raise ValueError(f"a buffer of {size} bytes does not fit into the {L1_BYTES} bytes of a core")
    return _allocated(buffer)


def own(shape, like):
    """Memory beside a buffer, freed at the end of the block that is open."""
    return _allocated(Buffer(shape, like.dtype, like.space, like.vector))


def _allocated(buffer):
    scope = current().scope
    scope.define(buffer.key, memref.alloc(buffer.type))
    scope.frees[-1].append(buffer.key)
    return buffer


def dealloc(buffer):
    """Frees memory before the end of its scope."""
    scope = current().scope
    for frees in scope.frees:
        if buffer.key in frees:
            frees.remove(buffer.key)
            return memref.dealloc(scope.values.pop(buffer.key))
    raise RuntimeError("this buffer was freed, or belongs to another scope")
