"""air: launches, segments, herds, channels and copies."""

import enum

import airlite
import numpy as np

from .. import _attributes, _types
from .._program import Block, Context, InsertionPoint, Location, Module, OpView, make, native_value
from ..extras import types as T
from . import arith, func, linalg, memref, scf
from ._common import index, indices as as_indices, is_value, mixed, result_or_op
from .func import CallOp, FuncOp


class MemorySpace(enum.IntEnum):
    """Memory spaces of memrefs."""

    L3 = 0
    L2 = 1
    L1 = 2


def module_builder(function):
    """A function that makes a program: what its body makes is in the module that a call returns."""
    def build(*arguments, **options):
        with Context(), Location.unknown():
            module = Module.create()
            with InsertionPoint(module.body):
                function(*arguments, **options)
            module.verify()
            return module

    build.__name__, build.__doc__ = function.__name__, function.__doc__
    return build


# -- Levels

def _level(op, body, sizes, operands, name, attributes, loc, ip):
    """Makes the operation of a level, and its body by the function of Python."""
    sizes = [index(each) for each in sizes or ()]
    operands = [each.result if isinstance(each, OpView) else each for each in operands or ()]
    types = ["index"] * (2 * len(sizes)) + [native_value(each).type for each in operands]
    made = make(op, [[], sizes, operands, [], []], results=[], regions=[types], loc=loc, ip=ip,
                attributes={"sym_name": name, **attributes})
    with InsertionPoint(made.body):
        body(*made.body.arguments)
        if made.body._native.terminator is None:
            make(op + "_terminator", results=[])
    return made


class _Level:
    op, least_sizes = "", 0

    def __init__(self, name=None, sizes=None, operands=None, *, attributes=None, link_with=None, loc=None,
                 ip=None, **unknown):
        if unknown:
            raise TypeError(f"{self.op} has no argument {sorted(unknown)[0]!r}")
        self.name, self.sizes, self.operands = name, sizes, operands
        self.attributes = {**(attributes or {}), **({"link_with": link_with} if link_with else {})}
        self.loc, self.ip = loc, ip

    def __call__(self, body):
        return _level(self.op, body, self.sizes, self.operands, self.name, self.attributes, self.loc, self.ip)


class launch(_Level):
    op = "air.launch"


class segment(_Level):
    op = "air.segment"


class herd(_Level):
    op = "air.herd"


# -- Channels

def _sizes(given):
    return [airlite.Attribute.of(int(each), "i64") for each in given]


class Channel(OpView):
    """A channel, or an array of channels of this size."""

    def __init__(self, sym_name, size=None, broadcast_shape=None, channel_type=None, *, loc=None, ip=None):
        self._native = make("air.channel", results=[], loc=loc, ip=ip, attributes={
            "sym_name": sym_name, "size": _sizes(size if size is not None else [1]),
            "broadcast_shape": _sizes(broadcast_shape) if broadcast_shape is not None else None,
            "channel_type": channel_type})._native


ChannelOp = Channel


def channel(name, size=None, broadcast_shape=None, channel_type=None, *, loc=None, ip=None):
    return Channel(name, size, broadcast_shape, channel_type, loc=loc, ip=ip)


def _region(offsets, sizes, strides):
    """The lists of a part of a memref, as values and constants. Missing offsets are zeros."""
    offsets, sizes, strides = list(offsets or ()), list(sizes or ()), list(strides or ())
    if sizes and not offsets:
        offsets = [0] * len(sizes)
    return [mixed(each) for each in (offsets, sizes, strides)]


def _statics(side, region):
    return {f"static_{side}_{what}": statics
            for what, (_, statics) in zip(("offsets", "sizes", "strides"), region)}


def _pad(values):
    return airlite.Attribute.dense_array([int(each) for each in values], "i32") if values else None


def _symbol(name):
    return airlite.Attribute.symbol(name if isinstance(name, str) else name.attributes["sym_name"].value)


class ChannelPut(OpView):
    def __init__(self, chan_name, src, offsets=(), sizes=(), strides=(), indices=(), *, pad_before=None,
                 pad_after=None, loc=None, ip=None):
        region = _region(offsets, sizes, strides)
        self._native = make(
            "air.channel.put", [[], as_indices(list(indices)), [src], *(values for values, _ in region), []],
            results=[], loc=loc, ip=ip, attributes={
                "chan_name": _symbol(chan_name), **_statics("src", region), "pad_before": _pad(pad_before),
                "pad_after": _pad(pad_after)})._native


class ChannelGet(OpView):
    def __init__(self, chan_name, dst, offsets=(), sizes=(), strides=(), indices=(), *, loc=None, ip=None):
        region = _region(offsets, sizes, strides)
        self._native = make(
            "air.channel.get", [[], as_indices(list(indices)), [dst], *(values for values, _ in region)],
            results=[], loc=loc, ip=ip,
            attributes={"chan_name": _symbol(chan_name), **_statics("dst", region)})._native


# -- Copies

class DmaMemcpyNdOp(OpView):
    def __init__(self, dst, src, dst_offsets=(), dst_sizes=(), dst_strides=(), src_offsets=(), src_sizes=(),
                 src_strides=(), *, pad_before=None, pad_after=None, loc=None, ip=None):
        to = _region(dst_offsets, dst_sizes, dst_strides)
        came = _region(src_offsets, src_sizes, src_strides)
        self._native = make(
            "air.dma_memcpy_nd",
            [[], [dst], *(values for values, _ in to), [src], *(values for values, _ in came)],
            results=[], loc=loc, ip=ip, attributes={
                **_statics("dst", to), **_statics("src", came), "pad_before": _pad(pad_before),
                "pad_after": _pad(pad_after)})._native


def dma_memcpy_nd(dst, src, *arguments, **options):
    return DmaMemcpyNdOp(dst, src, *arguments, **options)


# -- Functions of objects

def external_func(name, inputs, outputs=None, *, link_with=None, loc=None, ip=None):
    """Declares a function that an object file has."""
    function = FuncOp(name, (list(inputs), list(outputs or ())), visibility="private", loc=loc, ip=ip)
    if link_with:
        function.attributes["link_with"] = link_with
    return function


def call(callee, inputs=(), input_types=None, output_types=None, *, loc=None, ip=None):
    if isinstance(callee, str):
        return result_or_op(CallOp(output_types or [], callee, list(inputs), loc=loc, ip=ip))
    return result_or_op(CallOp(callee, list(inputs), loc=loc, ip=ip))


def wait_all(async_token=None, async_dependencies=(), *, loc=None, ip=None):
    return result_or_op(make("air.wait_all", [list(async_dependencies)],
                             [] if async_token is None else [async_token], loc=loc, ip=ip))
