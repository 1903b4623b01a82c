"""air.api: programs of tensors, buffers, channels and elementwise expressions."""

from . import ops
from ._levels import (
    CompiledKernel,
    channel,
    compile,
    herd,
    launch,
    segment,
    sequential,
    symbol,
    Symbol,
    wait,
)
from ._memory import Buffer, Tensor, Tensor as tensor, Token, alloc, dealloc
from ._packed import MicroTile, PackedShape, micro_tile
from .types import DType, bf16, f16, f32, i16, i32, i8, ui16, ui32, ui8

Channel, SegmentContext, HerdContext, LaunchContext = channel, segment, herd, launch


def _missing(name):
    def function(*_, **__):
        raise NotImplementedError(f"air.api.{name}")
    return function


extern, parallel, jit = (_missing(name) for name in ("extern", "parallel", "jit"))
