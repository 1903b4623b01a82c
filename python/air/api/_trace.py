"""The program that is being made: scopes, the values that each sees, and channels by name."""

from .. import _types
from .._program import InsertionPoint, native_value
from ._index import IndexExpr

_traces = []


def current():
    """The trace of the launch that is being built."""
    if not _traces:
        raise RuntimeError("this belongs into the body of a launch: it makes operations")
    return _traces[-1]


class Scope:
    """The body of a launch, segment or herd. Values of outer scopes become operands where they are used."""

    def __init__(self, level, op, group, outer):
        self.level, self.op, self.group, self.outer = level, op, group, outer
        self.values = {}  # by key: of this scope
        self.captured = []
        self.frees = [[]]  # buffers of the blocks that are open

    def define(self, key, made):
        self.values[key] = made

    def find(self, key):
        if key in self.values:
            return self.values[key]
        if self.outer is None:
            raise RuntimeError("a buffer or an index is used outside of the scope that it belongs to")
        given = self.outer.find(key)
        self.captured.append(given)
        argument = self.op.body.add_argument(_types.of(native_value(given).type))
        self.op._native.set_operand_group(self.group, [native_value(each) for each in self.captured])
        self.values[key] = argument
        return argument

    def index(self, expr):
        """An int or a value."""
        return expr.emit(self.find) if isinstance(expr, IndexExpr) else int(expr)


class Trace:
    def __init__(self, module):
        self.module, self.scope, self.channels, self.stored = module, None, set(), []

    def __enter__(self):
        _traces.append(self)
        return self

    def __exit__(self, *error):
        _traces.pop()

    def scope_of(self, level):
        scope = self.scope
        while scope is not None and scope.level != level:
            scope = scope.outer
        return scope

    def open_block(self):
        self.scope.frees.append([])

    def close_block(self):
        """Memory that a block allocates is freed at its end."""
        from ..dialects.memref import dealloc
        for key in self.scope.frees.pop():
            dealloc(self.scope.values.pop(key))

    def declare(self, channel):
        """A channel of the module, once."""
        from ..dialects.air import Channel as ChannelOp
        if channel.name in self.channels:
            return
        self.channels.add(channel.name)
        with InsertionPoint.at_block_begin(self.module.body):
            ChannelOp(channel.name, channel.size, channel.broadcast_shape)
