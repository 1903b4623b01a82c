"""Transfers and elementwise functions."""

import math

from ..dialects.air import dma_memcpy_nd
from ._expr import GELU_BETA, GELU_SQRT_2_OVER_PI, Apply  # noqa: F401: numbers that programs use
from ._memory import Tensor, Token, region
from ._packed import dot as _dot, walk_in_blocks
from ._trace import current


def _same_size(dst, src):
    if math.prod(dst.sizes) != math.prod(src.sizes):
        raise ValueError(f"a transfer of {src.sizes} elements to {dst.sizes}")
    if dst.dtype is not src.dtype:
        raise TypeError(f"a transfer of {src.dtype} to {dst.dtype}")


def load(dst, src, dependency=None):
    """Copies `src`, a part of a tensor or of a buffer farther away, to `dst`."""
    return _copy(dst, src)


def store(src, dst, dependency=None):
    """Copies `src` to `dst`, which is an output when it is a tensor."""
    return _copy(dst, src)


def _copy(dst, src):
    to, came = region(dst), region(src)
    _same_size(to, came)
    if isinstance(to.owner, Tensor) and to.owner not in current().stored:
        current().stored.append(to.owner)
    packed = [getattr(each, "packed", None) for each in (to, came)]
    if all(packed) and packed[0] != packed[1]:
        raise NotImplementedError("a transfer between matrices in other blocks")
    # The side in rows is taken in the order of the blocks of the other one.
    dst_lists = walk_in_blocks(to, packed[1]) if packed[1] and not packed[0] else to.lists()
    src_lists = walk_in_blocks(came, packed[0]) if packed[0] and not packed[1] else came.lists()
    dma_memcpy_nd(to.owner.value(), came.owner.value(), *dst_lists, *src_lists)
    return Token()


def maximum(a, b):
    return Apply("maximum", a, b)


def minimum(a, b):
    return Apply("minimum", a, b)


def relu(a):
    return Apply("maximum", a, 0)


def tanh(a):
    return Apply("tanh", a)


def sigmoid(a):
    return Apply("sigmoid", a)


def silu(a):
    return Apply("silu", a)


def gelu(a):
    return Apply("gelu", a)


def dot(a, b, acc=None, alpha=1, transpose_b=False, dependency=None, kernel=None):
    """acc += a @ b, of buffers of a core; with `transpose_b` b holds the rows of its transpose."""
    if acc is None or alpha != 1 or kernel is not None:
        raise NotImplementedError("air.api.ops.dot without acc, or with alpha or kernel")
    _dot(a, b, acc, transpose_b)
    return Token()


def _missing(name):
    def function(*_, **__):
        raise NotImplementedError(f"air.api.ops.{name}")
    return function


copy, exp, reduce, stack, dequant, atomic_add = (
    _missing(name) for name in ("copy", "exp", "reduce", "stack", "dequant", "atomic_add"))
