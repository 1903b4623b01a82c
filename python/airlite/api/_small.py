"""Programs of small arrays on one core: a function whose kernels compute little takes as long as their launches do, 6,170 cycles each at least on
an npu1. One core that has all arrays in its memory computes one kernel after the other.
"""

import contextlib

from .. import _native

_LAUNCH = 3000  # cycles of a launch, at least
_MOST_BYTES = 40_000  # of the arrays of a program, in the 64 KiB of a core
_MOST_CODE = 116  # in units of Effort: longer programs take long to compile, and then do not fit into the 16 KiB of a core
_CYCLES = 8  # that an element takes at least, where one core computes it and few of them are side by side


def may_fit(effort):
    """Whether the arrays and the code may have room in one core."""
    return effort.bytes <= _MOST_BYTES and effort.code <= _MOST_CODE


@contextlib.contextmanager
def on_one_core(trace, arguments):
    """Opens a herd of one core, and gives memory there that holds the arguments; what has changed is copied back."""
    from ._levels import copy, empty, herd
    with herd(1):
        trace.core = trace.levels[-1]
        buffers = [empty(each.shape, each.dtype) for each in arguments]
        for argument, buffer in zip(arguments, buffers):
            copy(argument, buffer)
            buffer.name, buffer.is_argument, buffer.version = argument.name, True, 0
        yield buffers
        for argument, buffer in zip(arguments, buffers):
            if buffer.version:
                copy(buffer, argument)


def into_result(emitter, node, result):
    """Computes a result on the core, and copies it to the memory of the host."""
    from ._levels import copy, empty
    buffer = empty(node.shape, node.dtype)
    emitter.into(node, buffer.memref)
    copy(buffer, result)


def compiled(small, general, compiled_of):
    """What was compiled of the faster one of two kernels, or of the one that compiles."""
    effort = general.effort
    if effort.kernels > 1 and effort.elements * _CYCLES <= 2 * effort.kernels * _LAUNCH:
        return _faster(small, general, compiled_of)
    try:
        return compiled_of(general)
    except _native.Error as error:  # as where memory tiles have no room for the transfers of a kernel
        try:
            return compiled_of(small)
        except _native.Error:
            raise error from None


def _faster(small, general, compiled_of):
    """By the model of the array."""
    try:
        on_core = compiled_of(small)
        cycles = small._cycles(on_core[0])
    except _native.Error:  # too much for the memory of a core
        return compiled_of(general)
    if cycles <= general.effort.kernels * _LAUNCH:
        return on_core
    try:
        made = compiled_of(general)
        return made if general._cycles(made[0]) <= cycles else on_core
    except _native.Error:  # as where DMAs cannot move the parts of an array
        return on_core
