"""Parts of memory, and memory with another shape: both are the same elements, nothing is moved."""

import math

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
    """A row-major memref with other sizes: axes that have to be taken apart are joined before."""
    if not len(memory.type.shape):
        return _changed("memref.expand_shape", memory, shape, [], {"static_output_shape": _list(shape)})
    before, after = _groups(memory.type.shape, shape)
    if any(len(group) != 1 for group in before):
        sizes = [math.prod(memory.type.shape[axis] for axis in group) for group in before]
        memory = _changed("memref.collapse_shape", memory, sizes, before, {})
    if any(len(group) != 1 for group in after):
        memory = _changed("memref.expand_shape", memory, shape, after, {"static_output_shape": _list(shape)})
    return memory


def _groups(given, wanted):
    """The axes of both shapes in as many groups as there can be: those of a group hold the same number of elements.
    Axes of one element are in the group before them."""
    left, right = [[]], [[]]
    have = want = 1
    for axis, size in enumerate(given):
        if have == want != 1 and size != 1:
            left.append([]), right.append([])
            have = want = 1
        left[-1].append(axis)
        have *= size
        while want < have and sum(map(len, right)) < len(wanted):
            want *= wanted[sum(map(len, right))]
            right[-1].append(sum(map(len, right)))
    right[-1] += range(sum(map(len, right)), len(wanted))  # axes of one element
    return left, right


def _changed(op, memory, shape, groups, attributes):
    groups = _native.Attribute.of([[_native.Attribute.of(axis, "i64") for axis in group] for group in groups])
    kind = _native.Type.memref(list(shape), memory.type.element_type, memory.type.memory_space)
    operands = [memory] if op == "memref.collapse_shape" else [memory, []]
    return _native.create(op, operands, [kind], {"reassociation": groups, **attributes}).result


def _list(numbers):
    return _native.Attribute.dense_array(list(numbers))
