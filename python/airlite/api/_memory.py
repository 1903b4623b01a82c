"""Parts of memory, and memory with another shape: both are the same elements, nothing is moved."""

from .. import _native

_DYNAMIC = -(1 << 63)


def window(memory, offsets, sizes, steps):
    """A rectangle of a memref: `offsets` are indices of the program."""
    given = memory.type
    strides, offset = given.strides
    is_fixed = offset is not None and all(each.is_constant for each in offsets)
    start = offset + sum(each.constant * stride for each, stride in zip(offsets, strides)) if is_fixed else "?"
    steps_in_memory = ", ".join(str(step * stride) for step, stride in zip(steps, strides))
    layout = _native.Attribute.parse(f"strided<[{steps_in_memory}], offset: {start}>")
    kind = _native.Type.memref(list(sizes), given.element_type, given.memory_space, layout)
    return _native.create(
        "memref.subview", [memory, [each.emit() for each in offsets if not each.is_constant], [], []], [kind], {
            "static_offsets": _list([each.constant if each.is_constant else _DYNAMIC for each in offsets]),
            "static_sizes": _list(sizes), "static_strides": _list(steps)}).result


def reshaped(memory, shape):
    """A row-major memref with other sizes."""
    if memory.type.rank > 1:
        size = 1
        for each in memory.type.shape:
            size *= each
        memory = _changed("memref.collapse_shape", memory, [size], memory.type.rank, {})
    if len(shape) > 1:
        memory = _changed("memref.expand_shape", memory, shape, len(shape), {"static_output_shape": _list(shape)})
    return memory


def _changed(op, memory, shape, rank, attributes):
    """One axis on one side, `rank` axes on the other."""
    groups = _native.Attribute.of([[_native.Attribute.of(axis, "i64") for axis in range(rank)]])
    kind = _native.Type.memref(list(shape), memory.type.element_type, memory.type.memory_space)
    operands = [memory] if op == "memref.collapse_shape" else [memory, []]
    return _native.create(op, operands, [kind], {"reassociation": groups, **attributes}).result


def _list(numbers):
    return _native.Attribute.dense_array(list(numbers))
