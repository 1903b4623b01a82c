"""Matrices in blocks, as the matrix unit takes them: shapes, transfers of them, and their product."""

from ..dialects._text import from_text
from ._trace import current


class PackedShape(list):
    """A matrix of `rows` x `columns` that lies in blocks: [lead ..., columns of blocks, rows of blocks, rows of a
    block, columns of a block]."""

    def __init__(self, rows, columns, block, lead):
        self.rows, self.columns, self.block, self.lead = int(rows), int(columns), block, [int(each) for each in lead]
        for size, part in zip((self.rows, self.columns), block):
            if size % part:
                raise ValueError(f"a matrix of {self.rows} x {self.columns} has no blocks of {block[0]} x {block[1]}")
        super().__init__([*self.lead, self.columns // block[1], self.rows // block[0], *block])

    @property
    def of_core(self):
        """The part that one core has: without the dimensions of the cores, the layout that the matrix unit takes."""
        return self[len(self.lead):]


class MicroTile:
    """The blocks of a product: m x k times k x n."""

    def __init__(self, m, k, n):
        self.m, self.k, self.n = (int(each) for each in (m, k, n))

    def a(self, rows, columns, lead=(1, 1)):
        return PackedShape(rows, columns, (self.m, self.k), lead)

    def b(self, rows, columns, lead=(1, 1)):
        return PackedShape(rows, columns, (self.k, self.n), lead)

    def c(self, rows, columns, lead=(1, 1)):
        return PackedShape(rows, columns, (self.m, self.n), lead)


def micro_tile(m, k, n):
    return MicroTile(m, k, n)


class PackedRegion:
    """All of the matrix in blocks that a core has."""

    offsets = None

    def __init__(self, owner):
        self.owner, self.packed = owner, owner.packed
        self.sizes = [self.packed.rows, self.packed.columns]

    shape = property(lambda self: self.sizes)
    dtype = property(lambda self: self.owner.dtype)

    def lists(self):
        return [], [], []


def part_of_packed(owner, index):
    """`buffer[x, y, :, :]`: the part of the core x, y. Each core has memory of its own, and sees no other part."""
    index = index if isinstance(index, tuple) else (index,)
    rest = index[len(owner.packed.lead):]
    if len(index) != len(owner.packed.lead) + 2 or any(each != slice(None) for each in rest):
        raise NotImplementedError("a part of a matrix in blocks: take all of it, buffer[x, y, :, :]")
    return PackedRegion(owner)


def walk_in_blocks(plain, packed):
    """The lists of a transfer that takes a part of a matrix in rows in the order of its blocks."""
    sizes = [size for at, size in enumerate(plain.sizes) if size != 1 or at >= len(plain.sizes) - 2]
    if sizes != [packed.rows, packed.columns]:
        raise ValueError(f"a transfer of {plain.sizes} elements to a matrix of {packed.rows} x {packed.columns}")
    offsets = plain.offsets or [0] * len(plain.sizes)
    outer = [current().scope.index(each) for each in offsets[:-2]]
    row, column = (current().scope.index(each) for each in offsets[-2:])
    strides = plain.strides
    step = strides[-2]
    rows, columns = packed.block
    return ([*outer, 0, 0, row, column],
            [1] * len(outer) + [packed.columns // columns, packed.rows // rows, rows, columns],
            [*strides[:-2], columns, rows * step, step, 1])


_PACKED_MAPS = ", ".join(f"affine_map<(d0, d1, d2, d3, d4, d5) -> ({results})>" for results in (
    "d2, d0, d3, d5", "d1, d2, d5, d4", "d1, d0, d3, d4"))
_TRANSPOSED_OPS = {(2, 2): "linalg.matmul_transpose_b"}
_MATRIX_OPS = {(1, 1): "linalg.dot", (1, 2): "linalg.vecmat", (2, 1): "linalg.matvec", (2, 2): "linalg.matmul"}


def dot(a, b, acc, transpose_b=False):
    """acc += a @ b, of buffers: matrices in blocks, or matrices and vectors in rows."""
    values = [each.value() for each in (a, b, acc)]
    types = [each.type for each in (a, b, acc)]
    packed = [getattr(each, "packed", None) for each in (a, b, acc)]
    if not all(packed):
        op = (_TRANSPOSED_OPS if transpose_b else _MATRIX_OPS).get((len(a.shape), len(b.shape)))
        if any(packed) or op is None:
            raise NotImplementedError(f"air.api.ops.dot of shapes {list(a.shape)} and {list(b.shape)}"
                                      + (" with transpose_b" if transpose_b else ""))
        return from_text(f"{op} ins(%0, %1 : {types[0]}, {types[1]}) outs(%2 : {types[2]})", values)
    if transpose_b:
        raise NotImplementedError("air.api.ops.dot of matrices in blocks with transpose_b")
    if (packed[0].columns, packed[0].rows, packed[1].columns) != (packed[1].rows, packed[2].rows, packed[2].columns):
        raise ValueError(f"the product of {packed[0].rows} x {packed[0].columns} and {packed[1].rows} x "
                         f"{packed[1].columns} is added to {packed[2].rows} x {packed[2].columns}")
    kinds = ", ".join(f'"{kind}"' for kind in ("parallel", "parallel", "reduction") * 2)
    elements = [each.dtype.type for each in (a, b, acc)]
    return from_text(
        f"linalg.generic {{indexing_maps = [{_PACKED_MAPS}], iterator_types = [{kinds}]}} ins(%0, %1 : {types[0]}, {types[1]}) "
        f"outs(%2 : {types[2]}) {{\n^bb0(%x: {elements[0]}, %y: {elements[1]}, %z: {elements[2]}):\n"
        f"{_multiply_add(a.dtype, acc.dtype)}}}", values)


def _multiply_add(factor, total):
    """The body: factors are extended to the type of the sum."""
    lines, names = [], ["%x", "%y"]
    if factor is not total:
        extend = "arith.extf" if factor.is_float else "arith.extsi"
        lines += [f"%e{at} = {extend} {name} : {factor.mlir} to {total.mlir}" for at, name in enumerate(names)]
        names = ["%e0", "%e1"]
    kind = "f" if total.is_float else "i"
    lines += [f"%p = arith.mul{kind} {names[0]}, {names[1]} : {total.mlir}",
              f"%s = arith.add{kind} %z, %p : {total.mlir}", f"linalg.yield %s : {total.mlir}"]
    return "\n".join(lines) + "\n"


def fill(buffer, number):
    from ..dialects._common import constant
    value = constant(buffer.dtype.type, float(number) if buffer.dtype.is_float else int(number)).result
    return from_text(f"linalg.fill ins(%0 : {buffer.dtype.mlir}) outs(%1 : {buffer.type})", [value, buffer.value()])
