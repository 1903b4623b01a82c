"""Transfers and elementwise functions."""

import math

from ..dialects.air import dma_memcpy_nd
from ._expr import Apply
from ._memory import Tensor, Token, region
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
    dst_lists, src_lists = to.lists(), came.lists()
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


def _missing(name):
    def function(*_, **__):
        raise NotImplementedError(f"air.api.ops.{name}")
    return function


dot, copy, exp, reduce, stack, dequant, atomic_add = (
    _missing(name) for name in ("dot", "copy", "exp", "reduce", "stack", "dequant", "atomic_add"))
