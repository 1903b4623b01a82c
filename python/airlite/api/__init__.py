"""airlite.api: programs as functions on arrays of numpy.

    import airlite, numpy as np

    @airlite.jit
    def matmul(a, b):
        return a @ b

    a = np.arange(64 * 64, dtype=np.int32).reshape(64, 64) % 7
    c = matmul(a, a)
    print(c.cycles, "cycles")

help(airlite.jit) says how functions become programs. In their bodies:

    operators and functions of numpy    x @ y, x + 1, np.exp(x), x.sum(axis=1, keepdims=True), x.T, x[1:, None],
                                        x.reshape(4, -1), np.concatenate([x, y]), np.einsum("ij,kj->ik", x, y)
    functions of this module            matmul, where, relu, sigmoid, silu, gelu, softmax, layer_norm, rms_norm ...
    a schedule by hand                  launch, segment, herd, loop, empty, copy, channel
"""

from .._cache import folder as cache_folder
from ._arrays import Expression
from ._functions import (
    erf,
    exp,
    gelu,
    layer_norm,
    log,
    maximum,
    minimum,
    relu,
    rms_norm,
    rsqrt,
    sigmoid,
    silu,
    softmax,
    sqrt,
    tanh,
    where,
)
from ._index import Index
from ._jit import Array, Jitted, Kernel, Picture, Run, best_place, jit
from ._levels import Part, channel, copy, empty, herd, launch, loop, segment
from ._shapes import concatenate, einsum, matmul, pad, stack, take
from ._trace import Buffer
from ._windows import avg_pool2d, conv2d, max_pool2d

__all__ = [
    "Array", "Buffer", "Expression", "Index", "Jitted", "Kernel", "Part", "Picture", "Run", "avg_pool2d",
    "best_place", "cache_folder", "channel", "concatenate", "conv2d", "copy", "einsum", "empty", "erf", "exp", "gelu", "herd", "jit", "launch",
    "layer_norm", "log", "loop", "matmul", "max_pool2d", "maximum", "minimum", "pad", "relu", "rms_norm", "rsqrt", "segment",
    "sigmoid", "silu", "softmax", "sqrt", "stack", "take", "tanh", "where",
]
