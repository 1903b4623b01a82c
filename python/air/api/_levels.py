"""Launches, segments, herds, channels and loops."""

import itertools


from .._program import Context, InsertionPoint, Location, Module, make
from ..dialects import scf
from ..dialects.air import ChannelGet, ChannelPut
from ..dialects.func import FuncOp, ReturnOp
from ._index import IndexExpr
from ._memory import Place, Tensor, Token, declared, region
from ._trace import Scope, Trace, current

_numbers = itertools.count()
_DEFAULT_HERD = {"npu1": (4, 1), "npu2": (8, 1)}  # cores that are there without a question of placement


def _ranges(grid):
    """A range, a list of ranges, or an itertools.product of them."""
    if grid is None:
        return []
    if isinstance(grid, range):
        return [grid]
    if isinstance(grid, itertools.product):
        points = list(grid)
        axes = [sorted(set(axis)) for axis in zip(*points)]
        return [range(axis[0], axis[-1] + _step(axis), _step(axis)) for axis in axes]
    return list(grid)


def _step(axis):
    return axis[1] - axis[0] if len(axis) > 1 else 1


class _Level:
    level, op, group = "", "", ""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def open(self, sizes, name, attributes=None):
        """Makes the operation, and gives its scope; its coordinates are defined under keys."""
        trace = current()
        sizes = list(sizes)
        constants = [_constant(each) for each in sizes]
        made = make(self.op, [[], constants, [], [], []], results=[], regions=[["index"] * (2 * len(sizes))],
                    attributes={"sym_name": name, **(attributes or {})})
        scope = Scope(self.level, made, self.group, trace.scope)
        coordinates = []
        for argument in made.body.arguments[:len(sizes)]:
            key = ("index", next(_numbers))
            scope.define(key, argument)
            coordinates.append(IndexExpr.of_value(key))
        return scope, coordinates

    def fill(self, scope, body):
        """Runs `body` in the scope, and ends it."""
        trace = current()
        outer, trace.scope = trace.scope, scope
        try:
            with InsertionPoint(scope.op.body):
                body()
                trace.close_block()
                make(self.op + "_terminator", results=[])
        finally:
            trace.scope = outer


def _constant(number):
    from ..dialects._common import constant
    return constant("index", number).result


class launch(_Level):
    """A program. Its body is recorded, and traced by build()."""

    level, op, group = "launch", "air.launch", "launch_operands"

    def __init__(self, grid=None, name="kernel", target=None):
        self.ranges, self.name, self.target = _ranges(grid), name, target
        if len(self.ranges) > 2:
            raise ValueError("the grid of a launch has one or two dimensions")
        self.tensors, declared[:] = list(declared), []
        self.search_space = {symbol.name: int(symbol) for symbol in _take_symbols()}
        self.module, self.function, self.outputs = None, None, []

    def body(self, function):
        self.function = function
        return function

    @property
    def inputs(self):
        return [each for each in self.tensors if each not in self.outputs]

    def build(self, target=None):
        """The program, as a module that verifies."""
        wanted = None if target in (None, "auto") else target
        self.target = wanted or self.target or "npu1"
        if self.function is None:
            raise RuntimeError("a launch has a body: @launch.body")
        with Context(), Location.unknown():
            module = Module.create()
            with Trace(module) as trace:
                trace.target = self.target
                with InsertionPoint(module.body):
                    self._make(trace)
            module.verify()
        self.outputs = list(trace.stored)
        self.module = module
        return module

    def mlir(self):
        return str(self.module or self.build())

    def _make(self, trace):
        function = FuncOp(self.name, ([each.type for each in self.tensors], []))
        with InsertionPoint(function.add_entry_block()):
            trace.scope = Scope("function", function, "", None)
            for tensor, argument in zip(self.tensors, function.arguments):
                trace.scope.define(tensor.key, argument)
            scope, coordinates = self.open([len(each) for each in self.ranges], None)
            self.fill(scope, lambda: self.function(*coordinates))
            ReturnOp()

    def compile(self, target=None, verbose=False, output_format="xclbin", **options):
        return CompiledKernel(self, target, dict(verbose=verbose, output_format=output_format, **options))


def compile(launch, **options):
    return launch.compile(**options)


class CompiledKernel:
    """A function of arrays: takes the inputs, gives the outputs."""

    def __init__(self, launch, target, options):
        from ..backend.xrt import XRTBackend
        module = launch.build(target)
        self.launch, self.search_space = launch, launch.search_space
        self.backend = XRTBackend(target_device=launch.target, **options)
        self.invoke = self.backend.compile_and_load(module)

    def __call__(self, *inputs):
        import numpy as np
        wanted = self.launch.inputs
        if len(inputs) != len(wanted):
            raise TypeError(f"{self.launch.name} takes {len(wanted)} arrays, got {len(inputs)}")
        for at, (array, tensor) in enumerate(zip(inputs, wanted)):
            if list(array.shape) != tensor.shape or array.dtype != np.dtype(tensor.dtype.np_dtype):
                raise TypeError(f"input {at}: expected {tensor.dtype} of shape {tensor.shape}, got "
                                f"{array.dtype} of shape {list(array.shape)}")
        given = iter(inputs)
        arrays = [np.zeros(each.shape, each.dtype.np_dtype) if each in self.launch.outputs else next(given)
                  for each in self.launch.tensors]
        after = self.invoke(*arrays)
        results = [array.reshape(tensor.shape) for array, tensor in zip(after, self.launch.tensors)
                   if tensor in self.launch.outputs]
        return results[0] if len(results) == 1 else tuple(results)

    def unload(self):
        self.backend.unload()


class segment(_Level):
    level, op, group = "segment", "air.segment", "segment_operands"

    def __init__(self, grid=None, name="segment"):
        self.ranges, self.name = _ranges(grid), name

    def body(self, function):
        scope, coordinates = self.open([len(each) for each in self.ranges], self.name)
        self.fill(scope, lambda: function(*coordinates))
        return function

    def private(self):
        return Place("L2", "segment")

    def shared(self):
        return Place("L1", "segment")


class herd(_Level):
    """Cores. Where there are more tiles than cores, each core has a block of neighbouring tiles."""

    level, op, group = "herd", "air.herd", "herd_operands"

    def __init__(self, iterable, name="herd", shape=None, target=None):
        self.ranges, self.name = _ranges(iterable), name
        if len(self.ranges) not in (1, 2):
            raise ValueError("a herd has one or two dimensions")
        self.grid = [len(each) for each in self.ranges]
        self.tile_sizes = [each.step for each in self.ranges]
        self.shape = shape

    def private(self):
        return Place("L1", "herd")

    def cores(self):
        if self.shape is not None:
            shape = [int(each) for each in (self.shape if isinstance(self.shape, (list, tuple)) else [self.shape])]
            if len(shape) != len(self.grid) or any(tiles % cores for tiles, cores in zip(self.grid, shape)):
                raise ValueError(f"a grid of {self.grid} tiles does not fit on a herd of shape {shape}")
            return shape
        most = _DEFAULT_HERD.get(getattr(current(), "target", "npu1"), (4, 1))
        return [max(cores for cores in range(1, most[at] + 1) if tiles % cores == 0)
                for at, tiles in enumerate(self.grid)]

    def body(self, function):
        cores = self.cores()
        sizes = cores if len(cores) == 2 else [cores[0], 1]
        scope, coordinates = self.open(sizes, self.name)
        blocks = [tiles // each for tiles, each in zip(self.grid, cores)]
        self.fill(scope, lambda: self._tiles(function, coordinates[:len(cores)], blocks, []))
        return function

    def _tiles(self, function, coordinates, blocks, done):
        """A loop for each dimension in which a core has several tiles."""
        if not blocks:
            return function(*done)
        if blocks[0] == 1:
            return self._tiles(function, coordinates[1:], blocks[1:], done + [coordinates[0]])
        for at in sequential(0, blocks[0]):
            tile = coordinates[0] * blocks[0] + at
            self._tiles(function, coordinates[1:], blocks[1:], done + [tile])


def sequential(start, stop=None, step=1, name=None):
    """A loop of the program: the body of the `for` of Python is its body."""
    if stop is None:
        start, stop = 0, start
    trace = current()
    for made in scf.for_(int(start), int(stop), int(step)):
        key = ("index", next(_numbers))
        trace.scope.define(key, made)
        trace.open_block()
        yield IndexExpr.of_value(key)
        trace.close_block()
        scf.yield_()


class channel:
    """A named stream, or an array of streams."""

    def __init__(self, name, size=None, broadcast_shape=None):
        self.name, self.size, self.broadcast_shape = name, size, broadcast_shape

    def put(self, obj, indices=(), dependency=None, pack=None):
        self._transfer(ChannelPut, obj, indices, pack)
        return Token()

    def get(self, obj, indices=(), dependency=None, pack=None):
        given = region(obj)
        if isinstance(given.owner, Tensor) and given.owner not in current().stored:
            current().stored.append(given.owner)
        self._transfer(ChannelGet, obj, indices, pack)
        return Token()

    def _transfer(self, op, obj, indices, pack):
        if pack is not None:
            raise NotImplementedError("air.api.channel: pack")
        trace, given = current(), region(obj)
        if isinstance(given.owner, Tensor) and trace.scope_of("segment") is None:
            raise RuntimeError(f"channel {self.name!r}: memory of the host is put and got in a segment")
        trace.declare(self)
        where = [trace.scope.index(IndexExpr.of(each)) for each in indices]
        op(self.name, given.owner.value(), *given.lists(), indices=where)


def wait(*tokens):
    """Transfers are ordered by what they touch: there is nothing to wait for but tokens."""
    for token in tokens:
        if not isinstance(token, Token):
            raise TypeError(f"wait takes tokens, got {type(token).__name__}")


# -- Symbols

_symbols = []


class Symbol:
    """A named number, which is chosen at once."""

    def __init__(self, value, name):
        self.value, self.name = value, name

    def __index__(self):
        return self.value

    __int__ = __index__

    def __repr__(self):
        return f"{self.name}={self.value}"


def symbol(choices=None, hint=None, default=64, name=None):
    value = hint if hint is not None else choices[0] if choices else default
    made = Symbol(int(value), name or f"symbol{len(_symbols)}")
    _symbols.append(made)
    return made


def _take_symbols():
    taken, _symbols[:] = list(_symbols), []
    return taken
