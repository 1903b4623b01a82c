"""Package air.api: tensors, buffers, channels and expressions."""
from itertools import product

import airlite
import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")
bfloat16 = ml_dtypes.bfloat16

from air import api as air
from air.api._index import IndexExpr
from air.api.types import bf16, f32, i16, i32, ui8


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def elementwise(expression, shape=(256,), tile=64, dtype=i32, vector=None, inputs=2, cores=None):
    tensors = [air.tensor(shape, dtype) for _ in range(inputs)]
    out = air.tensor(shape, dtype)
    size = air.symbol(hint=tile, name="tile")
    with air.launch(name="elementwise") as launch:

        @launch.body
        def _():
            axes = [range(0, extent, size) for extent in shape]
            with air.herd(axes[0] if len(axes) == 1 else product(*axes), shape=cores) as h:

                @h.body
                def _(*tiles):
                    window = tuple(slice(at * each, at * each + each) for at, each in zip(tiles, h.tile_sizes))
                    buffers = [air.alloc(h.tile_sizes, dtype, scope=h.private(), vector=vector)
                               for _ in tensors]
                    result = air.alloc(h.tile_sizes, dtype, scope=h.private(), vector=vector)
                    for buffer, tensor in zip(buffers, tensors):
                        air.ops.load(buffer, tensor[window])
                    result[:] = expression(*(buffer[:] for buffer in buffers))
                    air.ops.store(result, out[window])

    return launch


@pytest.mark.parametrize("shape, tile, vector, cores", [
    ((256,), 64, None, None), ((256,), 64, 0, None), ((256,), 64, None, (2,)), ((128, 64), 32, None, None),
    ((192,), 64, None, None)])
def test_elementwise(shape, tile, vector, cores):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-99, 99, shape).astype(np.int32) for _ in range(2))
    launch = elementwise(lambda x, y: 3 * x - y + 1, shape, tile, vector=vector, cores=cores)
    kernel = launch.compile()
    assert (kernel(a, b) == 3 * a - b + 1).all()
    assert launch.search_space == {"tile": tile} and launch.target == "npu1"
    assert ("vector<16xi32>" in launch.mlir()) == (vector is None)


def test_functions_of_floats():
    x = np.linspace(-4, 4, 256).astype(np.float32)
    launch = elementwise(lambda x: air.ops.maximum(x, 0.0) + 0.25 * air.ops.minimum(x, 0.0), dtype=f32, inputs=1,
                         vector=0)
    assert (air.compile(launch)(x) == np.where(x > 0, x, x * np.float32(0.25))).all()
    y = x.astype(bfloat16)
    got = elementwise(lambda x: air.ops.relu(x) * 2, dtype=bf16, inputs=1).compile()(y)
    assert got.dtype == bfloat16 and (got.astype(np.float32) == np.maximum(y.astype(np.float32), 0) * 2).all()


@pytest.mark.parametrize("name, function", [
    ("tanh", np.tanh), ("sigmoid", lambda x: 1 / (1 + np.exp(-x))), ("silu", lambda x: x / (1 + np.exp(-x))),
    ("gelu", lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))])
def test_composed_functions(name, function):
    """In the interpreter: what the expressions mean."""
    launch = elementwise(lambda x: getattr(air.ops, name)(x), dtype=f32, inputs=1, vector=0)
    x, out = np.linspace(-4, 4, 256).astype(np.float32), np.zeros(256, np.float32)
    airlite.run(launch.build()._native, x, out, on="interp")
    assert np.allclose(out, function(x.astype(np.float64)), atol=1e-5)


def test_channels_and_loops():
    a, b = air.tensor([64], i16), air.tensor([64], i16)
    into, out = air.channel("Into"), air.channel("Out", size=[2])
    with air.launch(name="stream") as launch:

        @launch.body
        def _():
            with air.segment(name="seg") as seg:

                @seg.body
                def _():
                    into.put(a)
                    staged = air.alloc([64], i16, scope=seg.private())
                    into.get(staged)
                    halves = air.channel("Halves", size=[2])
                    for at in range(2):
                        halves.put(staged[at * 32:at * 32 + 32], indices=[at])
                    with air.herd([range(1), range(2)], shape=(1, 2)) as h:

                        @h.body
                        def _(tx, ty):
                            x = air.alloc([16], i16, scope=h.private())
                            y = air.alloc([16], i16, scope=h.private())
                            for i in air.sequential(0, 2):
                                halves.get(x, indices=[ty])
                                y[:] = x[:] + 10 * ty + i
                                out.put(y, indices=[(ty + 1) % 2])
                            air.dealloc(x)

                    for at in range(2):
                        air.wait(out.get(b[at * 32:at * 32 + 32], indices=[(at + 1) % 2]))

    x = np.arange(64, dtype=np.int16)
    got = launch.compile()(x)
    wanted = x + np.repeat([0, 1, 10, 11], 16).astype(np.int16)
    assert (got == wanted).all() and launch.outputs == [b] and launch.inputs == [a]


def product_in_blocks(m, k, n, dtype=i16, step=32):
    """A product on 2 x 2 cores, in blocks of 4 x 4, with sums that stay with the cores."""
    blocks = air.micro_tile(4, 4, 4)
    a, b, c = air.tensor([m, k], dtype), air.tensor([k, n], dtype), air.tensor([m, n], dtype)
    tile_m, tile_n = m // 2, n // 2
    with air.launch(name="product") as launch:

        @launch.body
        def _():
            with air.segment(name="s") as seg:

                @seg.body
                def _():
                    l2_a = air.alloc([m, step], dtype, scope=seg.private())
                    l2_b = air.alloc([step, n], dtype, scope=seg.private())
                    l2_c = air.alloc([m, n], dtype, scope=seg.private())
                    sums = air.alloc(blocks.c(tile_m, tile_n, lead=(2, 2)), dtype, scope=seg.shared())

                    def herd(body):
                        with air.herd([range(2), range(2)], name="cores", shape=(2, 2)) as h:
                            h.body(lambda x, y: body(h, x, y))

                    def clear(h, x, y):
                        sums[:] = 0

                    def add(h, x, y):
                        left = air.alloc(blocks.a(tile_m, step), dtype, scope=h.private())
                        right = air.alloc(blocks.b(step, tile_n), dtype, scope=h.private())
                        air.ops.load(left, l2_a[x * tile_m:x * tile_m + tile_m, :])
                        air.ops.load(right, l2_b[:, y * tile_n:y * tile_n + tile_n])
                        air.ops.dot(left, right, acc=sums)

                    def drain(h, x, y):
                        air.ops.store(sums[x, y, :, :], l2_c[x * tile_m:x * tile_m + tile_m,
                                                             y * tile_n:y * tile_n + tile_n])

                    herd(clear)
                    for at in air.sequential(0, k, step):
                        air.ops.load(l2_a, a[:, at:at + step])
                        air.ops.load(l2_b, b[at:at + step, :])
                        herd(add)
                    herd(drain)
                    air.ops.store(l2_c, c)

    return launch


def test_a_product_in_blocks():
    rng = np.random.default_rng(3)
    a, b = rng.integers(-9, 9, (32, 96)).astype(np.int16), rng.integers(-9, 9, (96, 64)).astype(np.int16)
    got = product_in_blocks(32, 96, 64).compile()(a, b)
    assert (got == a @ b).all()


def test_wrong_blocks():
    with pytest.raises(ValueError, match="has no blocks of 4 x 4"):
        air.micro_tile(4, 4, 4).a(6, 8)
    with pytest.raises(NotImplementedError, match="without acc"):
        air.ops.dot(None, None)


def test_index_expressions():
    x, y = IndexExpr.of_value("x"), IndexExpr.of_value("y")
    assert (x * 4 + 8) - x * 4 == 8 and (x + y) - y == x and (x - x).is_constant
    assert (IndexExpr.of(7) // 2, IndexExpr.of(7) % 4) == (3, 3) and range(IndexExpr.of(3)) == range(3)
    assert (x + 1) % 3 == (1 + x) % 3 and (x % 3) != (x % 4)
    for wrong in (lambda: x * y, lambda: x // y, lambda: x % 0, lambda: range(x)):
        with pytest.raises(TypeError):
            wrong()


def test_mistakes():
    with pytest.raises(RuntimeError, match="body of a launch"):
        air.alloc([4], i32, scope=None)
    with pytest.raises(ValueError, match="does not fit"):
        elementwise(lambda x, y: x, cores=(3,)).build()
    with pytest.raises(ValueError, match="65536 bytes of a core"):
        elementwise(lambda x, y: x, shape=(65536,), tile=32768).build()
    with pytest.raises(NotImplementedError):
        elementwise(lambda x: x + 1, dtype=ui8, inputs=1).build()
    with pytest.raises(TypeError, match="no i32"):
        elementwise(lambda x, y: x + 0.5).build()
    with pytest.raises(NotImplementedError, match="extern"):
        air.extern("f", "f.o", [])
    kernel = elementwise(lambda x, y: x + y).compile()
    with pytest.raises(TypeError, match="takes 2 arrays"):
        kernel(np.zeros(256, np.int32))
    with pytest.raises(TypeError, match="input 1: expected i32 of shape"):
        kernel(np.zeros(256, np.int32), np.zeros(256, np.float32))


def test_memory_of_another_scope():
    a = air.tensor([16], i32)
    with air.launch() as launch:

        @launch.body
        def _():
            with air.herd(range(1)) as h:

                @h.body
                def _(tx):
                    launch.kept = air.alloc([16], i32, scope=h.private())

            with air.herd(range(1)) as g:

                @g.body
                def _(tx):
                    air.ops.load(launch.kept, a)

    with pytest.raises(RuntimeError, match="outside of the scope"):
        launch.build()


def test_a_product_with_a_transposed_factor():
    m, k, n = 8, 16, 4
    a, b, c = air.tensor([m, k], i32), air.tensor([n, k], i32), air.tensor([m, n], i32)
    with air.launch(name="transposed") as launch:

        @launch.body
        def _():
            with air.herd([range(1)], shape=(1,)) as h:

                @h.body
                def _(x):
                    left, right, sums = (air.alloc(each.shape, i32, scope=h.private()) for each in (a, b, c))
                    air.ops.load(left, a[:, :])
                    air.ops.load(right, b[:, :])
                    sums[:] = 0
                    air.ops.dot(left, right, acc=sums, transpose_b=True)
                    air.ops.store(sums, c[:, :])

    rng = np.random.default_rng(5)
    x, y = rng.integers(-9, 9, (m, k)).astype(np.int32), rng.integers(-9, 9, (n, k)).astype(np.int32)
    assert (launch.compile()(x, y) == x @ y.T).all()


def test_numbers_of_gelu():
    assert abs(air.ops.GELU_SQRT_2_OVER_PI - 0.7978845608) < 1e-9 and air.ops.GELU_BETA == 0.044715


def rows_and_bias(dtype, vector, compute):
    """out = compute(row of x, bias, number of the row), in a herd of one core."""
    x, bias, out = air.tensor([8, 32], dtype), air.tensor([32], dtype), air.tensor([8, 32], dtype)
    with air.launch(name="rows") as launch:

        @launch.body
        def _():
            with air.herd([range(1)], shape=(1,)) as h:

                @h.body
                def _(tx):
                    rows = air.alloc([8, 32], dtype, scope=h.private(), vector=vector)
                    numbers = air.alloc([32], dtype, scope=h.private(), vector=vector)
                    made = air.alloc([8, 32], dtype, scope=h.private(), vector=vector)
                    air.ops.load(rows, x[0:8, 0:32])
                    air.ops.load(numbers, bias[0:32])
                    for row in air.sequential(0, 8):
                        compute(made, rows, numbers, row)
                    air.ops.store(made, out[0:8, 0:32])

    return launch


@pytest.mark.parametrize("vector", [0, None])
def test_parts_of_buffers(vector):
    def compute(made, rows, numbers, row):
        made[row, :] = rows[row, :] * 3 + numbers[:]
        made[row, 16:32] = rows[row:row + 1, 0:16] - numbers[16:32]

    x, bias = np.arange(256, dtype=np.int32).reshape(8, 32), np.arange(32, dtype=np.int32) * 1000
    wanted = x * 3 + bias
    wanted[:, 16:] = x[:, :16] - bias[16:]
    assert (rows_and_bias(i32, vector, compute).compile()(x, bias) == wanted).all()


@pytest.mark.parametrize("vector", [0, None])
@pytest.mark.parametrize("to, of", [(1, 0), (4, 0), (0, 1), (0, 4), (16, 0), (0, 0)])
def test_parts_of_one_buffer(vector, to, of):
    def compute(made, rows, numbers, row):
        made[row, :] = rows[row, :] + numbers[:]
        made[row, to:to + 16] = made[row, of:of + 16] * 2 + numbers[to:to + 16]

    x, bias = np.arange(256, dtype=np.int32).reshape(8, 32) ** 2, np.arange(32, dtype=np.int32) * 1000
    wanted = np.zeros_like(x)
    for row in range(8):
        wanted[row] = x[row] + bias
        wanted[row, to:to + 16] = wanted[row, of:of + 16] * 2 + bias[to:to + 16]
    assert (rows_and_bias(i32, vector, compute).compile()(x, bias) == wanted).all()


def test_mistakes_in_parts_of_buffers():
    for compute, error, text in [
            (lambda made, rows, numbers, row: made.__setitem__((row, slice(0, 16)), numbers[:]), ValueError,
             r"of shape \[32\] is assigned to one of shape \[1, 16\]"),
            (lambda made, rows, numbers, row: made.__setitem__((8, slice(0, 32)), numbers[:]), IndexError,
             r"a part of shape \[1, 32\] of a buffer of shape \[8, 32\]"),
            (lambda made, rows, numbers, row: made.__setitem__((0, slice(-2, 2)), numbers[0:4]), IndexError, "a part of shape")]:
        with pytest.raises(error, match=text):
            rows_and_bias(i32, None, compute).build()
    x = air.tensor([32], i32)
    with pytest.raises(TypeError, match="a part of a tensor is loaded by ops.load"):
        rows_and_bias(i32, None, lambda made, rows, numbers, row: made.__setitem__((0, slice(0, 32)), x[0:32])).build()
