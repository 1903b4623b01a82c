"""airlite.api: functions on arrays, which compute the same as with numpy."""
import os
import random
import subprocess
import sys
import threading
import time
import traceback

import airlite
import numpy as np
import pytest
from airlite import api
from ml_dtypes import bfloat16


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("AIRLITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("AIRLITE_ON", raising=False)
    return tmp_path / "cache"


def floats(*shape):
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def integers(*shape, dtype=np.int32, least=-50, most=50):
    return np.random.default_rng(2).integers(least, most, shape).astype(dtype)


def compare(function, *arguments, on=("interp", "sim"), tolerance=0.0):
    wanted = function(*arguments)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for place in on:
        got = airlite.jit(function, on=place)(*arguments)
        for result, array in zip(got if isinstance(got, tuple) else (got,), wanted):
            # numpy sums int32 in int64.
            array = np.asarray(array)
            array = array.astype(np.int32) if array.dtype == np.int64 and result.dtype == np.int32 else array
            assert result.shape == array.shape and result.dtype == array.dtype
            np.testing.assert_allclose(np.asarray(result, np.float64), np.asarray(array, np.float64),
                                       rtol=tolerance, atol=tolerance)


# -- What functions compute

def test_a_product_with_its_cycles_and_its_picture(tmp_path):
    @airlite.jit
    def product(a, b):
        return a @ b

    a, b = integers(64, 32), integers(32, 48)
    c = product(a, b)
    assert (c == a @ b).all()
    assert c.cycles > 100 and c.run.result.on == "sim"
    c.picture.save(tmp_path / "product.svg")
    assert (tmp_path / "product.svg").read_text().startswith("<svg")
    assert (c + 1).run is None


def test_layers():
    compare(lambda x, w, b: np.maximum(x @ w + b, 0), floats(64, 32), floats(32, 64), floats(64), tolerance=1e-5)


def test_softmax_written_with_numpy():
    def softmax(x):
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    compare(softmax, floats(64, 48), tolerance=1e-5)
    x = floats(32, 64)
    assert np.allclose(airlite.jit(api.softmax)(x), softmax(x), atol=1e-5)


def test_norms():
    x, scale, shift = floats(32, 64), floats(64), floats(64)
    normal = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    assert np.allclose(airlite.jit(api.layer_norm)(x, scale, shift), normal * scale + shift, atol=1e-4)
    rms = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)
    assert np.allclose(airlite.jit(api.rms_norm)(x, scale), rms * scale, atol=1e-4)


def test_activations():
    x = floats(512)
    sigmoid = 1 / (1 + np.exp(-x))
    for function, wanted in [(api.relu, np.maximum(x, 0)), (api.sigmoid, sigmoid), (api.silu, x * sigmoid),
                             (api.tanh, np.tanh(x))]:
        assert np.allclose(airlite.jit(function)(x), wanted, atol=1e-5)
    assert abs(float(airlite.jit(api.gelu)(np.full(16, 1.0, np.float32))[0]) - 0.841345) < 1e-5


def test_reductions_along_all_kinds_of_axes():
    compare(lambda x: (x.sum(), x.sum(axis=0), np.max(x, axis=1), x.min(axis=-1, keepdims=True), x.sum(axis=(0, 1))),
            integers(16, 32))
    compare(lambda x: x.mean(axis=1), floats(16, 32), tolerance=1e-5)


def test_axes_in_another_order():
    compare(lambda x, y: (x.T + y, x[:, None].sum(axis=0), np.transpose(x) * 2, np.expand_dims(x, 0) + y.T[None]),
            integers(16, 32), integers(32, 16))
    compare(lambda x, y: x @ y.T, integers(32, 16), integers(48, 16))


def test_products_of_vectors_and_batches():
    for left, right in [((64, 96), (96,)), ((96,), (96, 64)), ((96,), (96,)), ((2, 32, 16), (2, 16, 32))]:
        compare(lambda a, b: a @ b, integers(*left), integers(*right))


def test_sums_of_products_in_a_wider_dtype():
    a = integers(32, 32, dtype=np.int8)
    got = airlite.jit(lambda a, b: api.matmul(a, b, dtype=np.int32))(a, a)
    assert got.dtype == np.int32 and (got == a.astype(np.int32) @ a.astype(np.int32)).all()
    ones = np.ones((32, 32), bfloat16)
    got = airlite.jit(lambda a, b: api.matmul(a, b, dtype=np.float32))(ones, ones)
    assert got.dtype == np.float32 and (got == 32).all()


def test_integers_divide_as_in_numpy():
    compare(lambda x, y: (x // y, x % y, x * 2), integers(256),
            np.where(integers(256) == 0, 7, integers(256)[::-1] | 1).astype(np.int32))
    compare(lambda x, y: (x + y, np.maximum(x, y), x // y, x % y, x >> y % 8),
            integers(256, dtype=np.uint8, least=0, most=255), integers(256, dtype=np.uint8, least=1, most=255))


def test_conversions():
    compare(lambda x: (x.astype(np.float32) * 2, x.astype(np.int8), x.astype(np.int64)), integers(64), on=["interp"])
    compare(lambda x: (x * 100).astype(np.int32), floats(64))
    compare(lambda x: x.astype(bfloat16), floats(64))
    compare(lambda x, y, z: (x > y, z, z & (x < 3), np.where(z, x, y)), integers(64), integers(64)[::-1].copy(),
            integers(64) > 0)
    compare(lambda x, y: np.where((x > y) | (x == 0), x, y * 2), integers(256), integers(256)[::-1].copy())


def test_parts_and_shapes():
    x, y = integers(64, 32), integers(2, 3, 8, 4)
    compare(lambda x: (x[:32] + x[32:], x[1::2, -4:] * 3, x[0] + x[-1], x[..., 5], (x * 2)[3:5, None, 7] + 1), x)
    compare(lambda x, y: (x.reshape(16, -1) + 1, (x.T * 2).reshape(64, 32), y.ravel() + 1, y.reshape(6, 8, 4).sum(axis=0),
                          x.reshape(64, 1, 32).squeeze(1), np.moveaxis(y, 0, 2) + 0, y.swapaxes(1, 3) * 2), x, y)
    compare(lambda x: (np.concatenate([x[:, 16:], -x[:, :16]], axis=1), np.stack([x, x * 2], axis=1), np.tile(x, (2, 1)),
                       np.repeat(x, 3, axis=1), np.roll(x, -3, axis=0), np.pad(x, ((1, 0), (2, 3)), constant_values=7)), x)
    compare(lambda x: np.concatenate([x.reshape(32, 64)[:, 8:40].reshape(16, 64), x.reshape(32, 64)[::2] + 1]), x)


def test_products_as_numpy_has_them():
    for left, right in [((2, 3, 16, 8), (2, 3, 8, 16)), ((3, 16, 8), (8, 16)), ((8,), (3, 8, 16)), ((3, 16, 8), (8,)),
                        ((2, 1, 16, 8), (3, 8, 16)), ((16, 8), (3, 8, 4))]:
        compare(lambda a, b: a @ b, integers(*left), integers(*right))
    for text, left, right in [("ij,jk->ik", (16, 8), (8, 24)), ("bij,bkj->bki", (2, 8, 16), (2, 4, 16)),
                              ("i,j", (16,), (8,)), ("ij,j", (16, 8), (8,)), ("bhqd,bhkd->bqhk", (2, 2, 8, 4), (2, 2, 8, 4)),
                              ("ijk,ij->j", (4, 8, 2), (4, 8))]:
        compare(lambda a, b: np.einsum(text, a, b), integers(*left, least=-9, most=9), integers(*right, least=-9, most=9))
    compare(lambda x: (np.einsum("ij->ji", x), np.einsum("ij->", x), np.outer(x[0], x[1]), x[0].dot(x[1])), integers(16, 8))


def test_more_functions_of_numpy():
    x, y = floats(32, 16), floats(16, 32).T
    compare(lambda x, y: (np.clip(x, -0.5, None), np.sign(x), np.round(y), x.var(axis=1), np.std(y, axis=0, ddof=1)), x, y,
            tolerance=1e-5)
    compare(lambda x: (abs(x) ** 0.5, (x * x + 1) ** -1, np.power(x, 3), 2.0 ** x, np.exp2(x), x ** 0), x, tolerance=1e-4)
    compare(lambda x, y: (np.logical_and(x > 0, ~(y > 0)), (x > y).any(axis=1), np.all(x > -4, axis=0), np.isnan(x / y),
                          np.logical_not(x > y) ^ (x < 0)), x, y)
    compare(lambda x: (~x, np.invert(x) & 7, 3 | x, np.zeros_like(x) + 1, np.tril(x), np.triu(x, 2)), integers(16, 32))
    compare(lambda x: (x.argmax(axis=1).astype(np.int64), np.argmin(x, axis=0).astype(np.int64),
                       x.argmax().astype(np.int64)), integers(16, 32, least=-5, most=5))
    gaps = floats(8, 16)
    gaps[2, 3] = gaps[2, 9] = np.nan
    compare(lambda x: np.argmax(x, axis=1).astype(np.int64), gaps)


def test_arrays_that_the_function_finds_outside():
    weights, offsets = integers(32, 16), np.arange(16, dtype=np.int32)
    layer = airlite.jit(lambda x: (weights.T @ x.T).T + offsets + np.where(np.eye(16, dtype=bool), x @ weights, 0), on="sim")
    x = integers(16, 32)
    wanted = layer.function(x)
    assert (layer(x) == wanted).all()
    weights[:] = 0  # it was read when the function was traced
    assert (layer(x) == wanted).all()
    assert len(next(iter(layer.kernels.values())).constants) == 4  # weights.T is an array of its own


def test_constants_of_numpy_have_dtypes():
    table = np.arange(40, dtype=np.float32).reshape(10, 4)
    places = np.arange(10, dtype=np.int32)
    compare(lambda at: np.where(at[:, None] == places, np.float32(1), np.float32(0)) @ table,
            integers(16, least=0, most=10))
    compare(lambda at: np.where(at > 3, places[:8], 7) + at, integers(8))


def test_tuples_are_constants():
    pick = airlite.jit(lambda x, axes: x.sum(axis=axes), on="interp")
    x = integers(4, 8, 2)
    assert (pick(x, (0, 2)) == x.sum(axis=(0, 2))).all() and (pick(x, (1,)) == x.sum(axis=1)).all()
    assert len(pick.kernels) == 2
    with pytest.raises(TypeError, match="or a tuple of them"):
        pick(x, [0])


@pytest.mark.parametrize("place", ["interp", "sim"])
def test_arrays_that_change(place):
    def transposed(x, y):
        x[:] = x.T

    def product(x, y):
        x[:] = x + x @ y

    def parts(x, y):
        x[4:12, ::2] = y[4:12, ::2] * 2
        x[0] = x[1] + 1
        x[1:] = x[:-1]
        x[2] += 5
        x[3, 4:6] = 9
        y[:, 0] = x[0]

    def in_place(x, y):
        x += 1
        x *= y
        y -= x.sum(axis=0)

    for function in transposed, product, parts, in_place:
        wanted, given = ([integers(32, 32), integers(32, 32)[::-1].copy()] for _ in range(2))
        function(*wanted)
        airlite.jit(function, on=place)(*given)
        assert all((a == b).all() for a, b in zip(wanted, given)), function.__name__


def test_parts_of_tiles():
    def shift(a, out):
        size = a.shape[0] // 4
        with api.herd(4) as core:
            here, tile, steps = slice(core * size, core * size + size), api.empty(size, a.dtype), api.empty(size, a.dtype)
            tile[:] = a[here]  # a copy, as are the next one and the last one
            steps[:] = np.arange(size, dtype=np.int32)
            tile += steps
            tile[0:8] = tile[8:16] * 2
            tile[4:20] = tile[0:16]
            out[here] = tile

    a = integers(256)
    wanted = a.reshape(4, 64) + np.arange(64, dtype=np.int32)
    wanted[:, 0:8] = wanted[:, 8:16] * 2
    wanted[:, 4:20] = wanted[:, 0:16].copy()
    for place in "interp", "sim":
        out = np.zeros_like(a)
        airlite.jit(shift, on=place)(a, out)
        assert (out.reshape(4, 64) == wanted).all(), place


@pytest.mark.parametrize("body, text", [
    (lambda a, tile, here: tile.__setitem__(slice(None), a[here] * 2), "'a' is in L3, .* computes in L1 here: copy it"),
    (lambda a, tile, here: a.__setitem__(here, tile * 2), "'a' is in L3, .* assign to memory of this body"),
])
def test_memory_that_is_elsewhere(body, text):
    def program(a):
        with api.herd(4) as core:
            tile = api.empty(64, a.dtype)
            api.copy(a[core * 64:core * 64 + 64], tile)
            body(a, tile, slice(core * 64, core * 64 + 64))

    with pytest.raises(TypeError, match=text):
        airlite.jit(program)(integers(256))


def test_a_function_does_something():
    with pytest.raises(ValueError, match="idle returns no array and assigns to none of its arguments"):
        def idle(x):
            x * 2
        airlite.jit(idle)(integers(16))
    with pytest.raises(ValueError, match="argument 'x' has no elements"):
        airlite.jit(lambda x: x + 1)(np.zeros((0, 4), np.int32))


def test_errors_name_the_line_of_the_expression():
    def halves(x):
        y = x + x
        return y * y

    with pytest.raises(airlite.Error, match="not in float16: convert the array") as caught:
        airlite.jit(halves, on="sim")(floats(16).astype(np.float16))
    assert caught.value.line in (halves.__code__.co_firstlineno + 1, halves.__code__.co_firstlineno + 2)


# What moves elements of a matrix, and keeps its shape.
_SHAPES = [
    lambda x, axis: np.roll(x, 1 + axis, axis=axis),
    lambda x, axis: x.T.reshape(x.shape),
    lambda x, axis: x.reshape(-1)[None].reshape(x.shape) * 2,
    lambda x, axis: np.repeat(x, 3, axis=axis)[(slice(None),) * axis + (slice(1, None, 3),)],
    lambda x, axis: np.concatenate([x, x + 1], axis=axis)[x.shape[0] * (1 - axis):, x.shape[1] * axis:],
    lambda x, axis: np.pad(x, ((1, 2), (0, 3)), constant_values=4)[1:-2, :-3],
    lambda x, axis: np.stack([x, x * x], axis=axis).swapaxes(0, axis)[1],
    lambda x, axis: np.einsum(["ij->i", "ij->j"][axis], x).reshape([(-1, 1), (1, -1)][axis]) + x,
    lambda x, axis: np.where(x.argmax(axis=axis).reshape([(1, -1), (-1, 1)][axis]) > 1, x, -x),
]


def _random_expression(rng, arrays, depth):
    """A function of arrays as numpy and airlite.api understand it."""
    if depth == 0 or rng.random() < 0.15:
        at = rng.randrange(len(arrays))
        return lambda given: given[at]
    kind = rng.choice(["binary", "binary", "binary", "number", "reduce", "where", "share", "shape", "shape"])
    first = _random_expression(rng, arrays, depth - 1)
    if kind == "number":
        number = rng.randrange(-3, 4)
        return lambda given: first(given) * number + 1
    if kind == "reduce":
        what, axis = rng.choice(["sum", "max", "min"]), rng.randrange(2)
        return lambda given: getattr(first(given), what)(axis=axis, keepdims=True)
    if kind == "share":
        def shared(given):
            value = first(given)
            return value.sum(axis=1, keepdims=True) + value * value
        return shared
    if kind == "shape":
        change, axis = rng.choice(_SHAPES), rng.randrange(2)
        return lambda given: change(first(given), axis)
    second = _random_expression(rng, arrays, depth - 1)
    if kind == "where":
        return lambda given: np.where(first(given) > second(given), second(given), first(given))
    function = rng.choice([np.add, np.subtract, np.multiply, np.maximum, np.minimum])
    return lambda given: function(first(given), second(given))


@pytest.mark.parametrize("seed", range(60))
def test_random_expressions(seed):
    rng = random.Random(seed)
    rows, columns = rng.choice([(1, 8), (4, 1), (4, 8), (8, 16)])
    shapes = [(rows, columns), (1, columns), (rows, 1), (rows, columns)]
    arrays = [integers(*shape, least=-3, most=2) + at % 2 for at, shape in enumerate(shapes)]
    expression = _random_expression(rng, arrays, 3)
    compare(lambda *given: expression(given) + given[0], *arrays, on=["interp"] if seed % 6 else ["interp", "sim"])


# -- Schedules by hand

def test_a_herd_with_tiles():
    @airlite.jit
    def scale(a, out, factor):
        part, size = a.shape[0] // 4, a.shape[0] // 8
        with api.herd(4) as core:
            tile = api.empty(size, a.dtype)
            for at in api.loop(0, part, size):
                here = slice(core * part + at, core * part + at + size)
                api.copy(a[here], tile)
                tile[:] = tile * factor + 1
                api.copy(tile, out[here])

    a, out = integers(1024), np.zeros(1024, np.int32)
    run = scale(a, out, 3)
    assert (out == a * 3 + 1).all() and run.cycles > 100
    scale(a, out, 4)
    assert (out == a * 4 + 1).all() and len(scale.kernels) == 2


def test_a_product_in_tiles():
    @airlite.jit
    def product(a, b, c):
        size = 32
        with api.herd(2, 2) as (x, y):
            left, right = api.empty((size, size), a.dtype), api.empty((size, size), b.dtype)
            sums = api.empty((size, size), c.dtype)
            sums[:] = 0
            for at in api.loop(0, a.shape[1], size):
                api.copy(a[x * size:x * size + size, at:at + size], left)
                api.copy(b[at:at + size, y * size:y * size + size], right)
                sums[:] = sums + api.matmul(left, right, dtype=c.dtype)
            api.copy(sums, c[x * size:x * size + size, y * size:y * size + size])

    a, b = integers(64, 96, dtype=np.int16), integers(96, 64, dtype=np.int16)
    c = np.zeros((64, 64), np.int32)
    product(a, b, c)
    assert (c == a.astype(np.int32) @ b.astype(np.int32)).all()
    assert "linalg.matmul" in str(product.program(a, b, c))


def test_channels_between_herds():
    @airlite.jit
    def pipe(a, out):
        first, middle, last = api.channel(), api.channel(), api.channel()
        first.put(a)
        last.get(out)
        with api.segment():
            with api.herd(1):
                tile = api.empty(a.shape, a.dtype)
                first.get(tile)
                tile[:] = tile + 1
                middle.put(tile)
            with api.herd(1):
                tile = api.empty(a.shape, a.dtype)
                middle.get(tile)
                tile[:] = tile * 2
                last.put(tile)

    a, out = integers(256), np.zeros(256, np.int32)
    pipe(a, out)
    assert (out == (a + 1) * 2).all()


def test_launches_and_memory_tiles():
    @airlite.jit
    def less(a, out):
        with api.launch(4) as at, api.segment():
            middle = api.empty(256, a.dtype)
            api.copy(a[at * 256:at * 256 + 256], middle)
            with api.herd(2) as core:
                tile = api.empty(128, a.dtype)
                api.copy(middle[core * 128:core * 128 + 128], tile)
                tile[:] = tile - 7
                api.copy(tile, middle[core * 128:core * 128 + 128])
            api.copy(middle, out[at * 256:at * 256 + 256])

    a, out = integers(1024), np.zeros(1024, np.int32)
    less(a, out)
    assert (out == a - 7).all()


def test_an_array_that_is_assigned_changes():
    @airlite.jit
    def update(a, b):
        total = a + b
        b[:] = total * 2
        return b - a

    a, b = integers(64), integers(64)[::-1].copy()
    wanted = (a + b) * 2
    result = update(a, b)
    assert (b == wanted).all() and (result == wanted - a).all()


# -- Compiling once

def test_each_shape_and_constant_is_compiled_once(monkeypatch):
    compiled = []
    real = airlite._native.compile
    monkeypatch.setattr(airlite._native, "compile", lambda *a, **k: compiled.append(1) or real(*a, **k))

    @airlite.jit
    def power(x, times):
        return x ** times

    x = integers(64, least=-3, most=3)
    for _ in range(3):
        assert (power(x, 2) == x * x).all()
    assert len(compiled) == 1
    assert (power(x, times=3) == x * x * x).all()
    assert (power(integers(32, least=-3, most=3), 2) >= 0).all()
    assert len(compiled) == 3


def test_the_disk_keeps_what_was_compiled(cache, monkeypatch):
    function = lambda x: x + 5
    x = integers(64)
    assert (airlite.jit(function)(x) == x + 5).all()
    entry, = cache.iterdir()
    monkeypatch.setattr(airlite._native, "compile", None)  # is not called
    again = airlite.jit(function)(x)
    assert (again == x + 5).all() and again.picture is not None
    monkeypatch.undo()
    monkeypatch.setenv("AIRLITE_CACHE", str(cache))
    (entry / "manifest.json").write_text("{")  # is made again
    assert (airlite.jit(function)(x) == x + 5).all()
    assert '"' in (entry / "manifest.json").read_text()


def test_the_key_has_the_target_the_options_and_the_compiler(cache, monkeypatch):
    x = floats(64)
    for options in ({}, {"exact": True}, {"target": "npu1_2col"}):
        airlite.jit(lambda x: np.exp(x), **options)(x)
    assert len(list(cache.iterdir())) == 3
    monkeypatch.setattr(airlite._native, "__version__", "another")
    airlite.jit(lambda x: np.exp(x))(x)
    assert len(list(cache.iterdir())) == 4


def test_without_a_cache_on_disk(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AIRLITE_CACHE", "")
    assert api.cache_folder() is None
    assert (airlite.jit(lambda x: x + 1)(integers(16)) == integers(16) + 1).all()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AIRLITE_CACHE", str(tmp_path / "file" / "cache"))
    assert (airlite.jit(lambda x: x + 2)(integers(16)) == integers(16) + 2).all()
    assert "are not kept" in capsys.readouterr().err


def test_a_call_costs_little_beside_the_simulation():
    import time

    add = airlite.jit(lambda a, b: a + b)
    a = integers(64)
    add(a, a)
    best = 1.0
    for _ in range(20):
        begin = time.perf_counter()
        result = add(a, a)
        best = min(best, time.perf_counter() - begin - result.run.result.seconds)
    assert best < 0.002


def test_threads_call_one_function():
    function = airlite.jit(lambda a: a * 3, on="interp")
    results = {}

    def call(size):
        results[size] = function(np.arange(size, dtype=np.int32))

    threads = [threading.Thread(target=call, args=(size,)) for size in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((results[size] == np.arange(size) * 3).all() for size in range(1, 9))


def test_places(monkeypatch):
    assert api.best_place() in ("sim", "xrt")
    monkeypatch.setenv("AIRLITE_ON", "interp")
    assert airlite.jit(lambda x: x + 1)(integers(4)).run.result.on == "interp"
    monkeypatch.setenv("AIRLITE_ON", "moon")
    with pytest.raises(airlite.Error, match="AIRLITE_ON"):
        airlite.jit(lambda x: x + 1)(integers(4))


def test_an_npu_is_found_with_its_library(tmp_path):
    from airlite.api._jit import _has_npu
    assert not _has_npu(tmp_path)
    device = tmp_path / "sys/class/accel/accel0/device"
    device.mkdir(parents=True)
    (device / "vendor").write_text("0x8086\n")
    assert not _has_npu(tmp_path)


def test_airlite_alone_does_not_load_numpy():
    code = "import sys, airlite; assert 'numpy' not in sys.modules; airlite.jit; assert 'numpy' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)


# -- What is wrong is an error of Python

def _times_index(x):
    for i in api.loop(3):
        x[:] = x * i


def _with_global(x):
    global _kept
    for _ in api.loop(3):
        _kept = _kept + x
    return _kept + x


_kept = 0
_outside = np.zeros(64, np.int32)


_matrix = np.matrix(np.arange(64))


@pytest.mark.parametrize("function, error, text", [
    (lambda x: x + np.ones(64), TypeError, "operands of dtypes int32 and float64"),
    (lambda x: x / 2, TypeError, "// divides integers"),
    (lambda x: x + 0.5, TypeError, "0.5 beside elements of int32: numpy makes float64 of both"),
    (lambda x: x + 2 ** 40, OverflowError, "outside of the range of int32"),
    (lambda x: x + x.astype(np.float32), TypeError, r"operands of dtypes int32 and float32: .* x.astype\(np.float32\)"),
    (lambda x: x * 2.0, TypeError, "2.0 beside elements of int32: numpy makes float64"),
    (lambda x: x ** 2.0, TypeError, "2.0 beside elements of int32"),
    (lambda x: np.maximum(x, np.float32(0)), TypeError, "0.0 beside elements of int32"),
    (lambda x: np.where(x > 0, x, 0.0), TypeError, "0.0 beside elements of int32"),
    (lambda x: (x > 0) + 1, TypeError, "1 beside elements of bool: numpy makes integers"),
    (lambda x: np.log1p(x), TypeError, "log1p is for floats"),
    (lambda x: np.heaviside(x, 0.5), TypeError, "heaviside is for floats"),
    (lambda x: np.copysign(x.astype(np.float32), x.astype(np.uint8)), TypeError, "copysign is for floats, got uint8"),
    (lambda x: np.fabs(x), TypeError, "fabs is for floats"),
    (lambda x: np.nonzero(x), TypeError, "how many elements are found"),
    (lambda x: np.where(x > 0), TypeError, "how many elements are found"),
    (lambda x: np.bincount(x, minlength=64), TypeError, "how many counts there are"),
    (lambda x: np.histogram(x, 8), TypeError, r"give range=\(first, last\)"),
    (lambda x: np.delete(x, x), TypeError, "how many elements are found"),
    (lambda x: np.insert(x, x, 1), TypeError, "where insert puts elements"),
    (lambda x: np.repeat(x, x), TypeError, "how many elements repeat makes"),
    (lambda x: x + _matrix, TypeError, "is a matrix of numpy"),
    (lambda x: np.add(x[x > 0], 1, out=x), TypeError, "how many elements a mask chooses"),
    (lambda x: x + x[:3], ValueError, r"arrays of shapes \(64,\) and \(3,\) cannot be broadcast"),
    (lambda x: x[x > 0], TypeError, "how many elements a mask chooses"),
    (lambda x: x[x:], TypeError, "elements of the program cannot choose elements"),
    (lambda x: x[None][x, x], TypeError, "choose along one axis"),
    (lambda x: x[None].__setitem__((x, x), 1), TypeError, "choose what is assigned to along the first axis"),
    (lambda x: x[x > 0].shape, AttributeError, "what a mask chooses has no attribute 'shape'"),
    (lambda x: x[x > 0] + x, TypeError, "how many elements a mask chooses"),
    (lambda x: x[[]], TypeError, "places along an axis are a list of integers"),
    (lambda x: x[np.ones(3, bool)], IndexError, "a mask of 3 elements for an axis of size 64"),
    (lambda x: x.__setitem__([1, 2], x), ValueError, r"an array of shape \(64,\) is assigned to elements of shape \(2,\)"),
    (lambda x: np.full(3, x), ValueError, "cannot be broadcast"),
    (lambda x: np.sort(np.tile(x, 17)), TypeError, "at most 1024"),
    (lambda x: np.percentile(x.astype(np.float32), 101), ValueError, "percentiles from 0 to 100"),
    (lambda x: np.median(x), TypeError, "quantiles are for floats"),
    (lambda x: x.__setitem__(x[None] > 0, 1), ValueError, "a mask of shape"),
    (lambda x: np.add(x, x, out=_outside), TypeError, "out is an array of the program"),
    (lambda x: np.add(x, x, where=x > 0), TypeError, "with where= needs out="),
    (lambda x: np.add(x, x, out=np.zeros(64, bool)), TypeError, "elements of int32 are put into elements of bool"),
    (lambda x: np.add(x, x, casting="no"), TypeError, "numpy.add of arrays of a program has no option 'casting'"),
    (lambda x: x.max(where=x > 0), ValueError, "needs initial="),
    (lambda x: np.add.reduceat(x, [0, 3]), TypeError, "numpy.add.reduceat"),
    (lambda x: x.searchsorted(3), AttributeError, "no attribute 'searchsorted'"),
    (lambda x: x.diagonal(), ValueError, "it is for matrices"),
    (lambda x: np.linalg.matrix_power(x[None], 0), ValueError, "positive numbers"),
    (lambda x: np.pad(x, 65, mode="reflect"), ValueError, "a border of 65 elements of an axis of size 64"),
    (lambda x: np.take(x, [3, 64]), IndexError, "on an axis of size 64"),
    (lambda x: x * float(x[0]), TypeError, "cannot become a number"),
    (lambda x: api.conv2d(x, x), ValueError, "they have 4 axes"),
    (lambda x: api.conv2d(x.reshape(1, 4, 4, 4), x.reshape(4, 4, 2, 2), groups=2), ValueError, "in 2 groups"),
    (lambda x: api.max_pool2d(x.reshape(1, 4, 4, 4), 5), ValueError, "a window of 5 x 5 elements on 4 x 4"),
    (lambda x: np.split(x, 5), ValueError, "has no 5 equal parts"),
    (lambda x: np.linalg.norm(x, "nuc"), TypeError, "ord='nuc'"),
    (lambda x: (x.reshape(8, 8).T * 2).reshape(4, 16).__setitem__(0, 1), TypeError, "may be a copy in numpy"),
    (lambda x: x[0].__setitem__(..., 1), TypeError, "is a number: assign to"),
    (lambda x: _outside.__setitem__(slice(2, 4), x[:2]), TypeError, "np.zeros_like"),
    (lambda x: x @ x[None, None], ValueError, "a product of arrays of shapes"),
    (lambda x: x.reshape(7, -1), ValueError, "cannot be reshaped"),
    (lambda x: np.concatenate([x, x.astype(np.float32)]), TypeError, "numpy computes them in float64"),
    (lambda x: np.concatenate([x[None], x[:32][None]]), ValueError, "side by side along axis 0"),
    (lambda x: np.einsum("ii->i", x[None]), ValueError, "'i' is of size 1 and 64"),
    (lambda x: np.einsum("i,j->k", x, x, x), TypeError, "of 3 arrays: it takes a letter for each axis"),
    (lambda x: np.pad(x, 1, mode="mean"), TypeError, "pad with mode='mean'"),
    (lambda x: x[::0], ValueError, "a step of 0"),
    (lambda x: x[64:], ValueError, "an array without elements, of shape"),
    (lambda x: x[3:3:-1].max(), ValueError, "max of no elements"),
    (lambda x: x.__setitem__(slice(3, 3), x[:2]), ValueError, r"an array of shape \(2,\) is assigned to one of shape \(0,\)"),
    (lambda x: x[64], IndexError, "of an axis of size 64"),
    (lambda x: x["a"], TypeError, "got str"),
    (lambda x: ~x.astype(np.float32), TypeError, "~ is for integers and bools"),
    (lambda x: x.astype(np.float32).var(ddof=64), ValueError, "var with ddof=64"),
    (lambda x: x[None] @ x[None], ValueError, "a product of arrays of shapes"),
    (lambda x: x if x.sum() > 3 else -x, TypeError, "cannot branch"),
    (lambda x: [each for each in x], TypeError, "cannot iterate over more than 16"),
    (lambda x: np.lexsort(x), TypeError, "numpy.lexsort"),
    (lambda x: list(np.asanyarray(x)), TypeError, "cannot become an array"),
    (lambda x: [x for _ in range(x.argmax())], TypeError, "cannot become a number"),
    (lambda x: f"{x.max():.3f}", TypeError, "cannot become a text of the form '.3f'"),
    (lambda x: x.astype(np.complex64), TypeError, "no elements of dtype complex64"),
    (lambda x: 3, ValueError, "returns no array and assigns to none of its arguments"),
    (lambda x: {1, x}, TypeError, "returns arrays of the program, got set"),
    (lambda x: np.floor(x), TypeError, "floor of int32 is float64 in numpy"),
    (lambda x: 7 - (x > 0), TypeError, "7 beside elements of bool: numpy makes integers of both"),
    (lambda x: np.fft.rfft(x), TypeError, "numpy.fft.rfft of arrays of a program is not supported: programs have no complex numbers"),
    (lambda x: np.linalg.svd(x[None]), TypeError, "numpy.linalg.svd of arrays of a program is not supported: of this module there are det"),
    (lambda x: np.linalg.inv(x.reshape(8, 8)), TypeError, "inv is for floats, got int32"),
    (lambda x: np.linalg.solve(np.tile(x, (64, 1)).astype(np.float32), x), TypeError, "of a matrix of 64 rows is not supported"),
    (lambda x: x.sum(axis=3), ValueError, "axis 3 of an array of 1 axes"),
    (lambda x: x[:, :, None], IndexError, "2 subscripts"),
    (lambda x: x.__setitem__(slice(None), x[:, None]), ValueError, "is assigned to one of shape"),
    (lambda x: api.copy(x, x[:3]), ValueError, "a copy from shape"),
    (lambda x: api.copy(x, _outside), TypeError, "make it an argument"),
    (lambda x: api.copy(x[3:80], x), ValueError, "a copy from shape"),
    (lambda x: api.empty(0, np.int32), ValueError, "sizes are positive"),
    (lambda x: api.empty(4, np.int32, "L7"), ValueError, "'L1', 'L2' or 'L3'"),
    (lambda x: x ** -1, ValueError, "Integers to negative integer powers"),
    (lambda x: [x * i for i in api.loop(3)][0], airlite.Error, "no part of a generator, or of a list"),
    (lambda x: sum(x[i] for i in api.loop(3)), airlite.Error, "no part of a generator, or of a list"),
    (lambda x: [x[k] for k, i in enumerate(api.loop(3))][0], TypeError, "stands in a `for` itself"),
    (lambda x: _with_global(x), airlite.Error, "or a global name"),
    (lambda x: np.expand_dims(x, (0, 0)), ValueError, "an axis comes twice"),
    (lambda x: np.expand_dims(x, 5), ValueError, "axis 5 of an array of 2 axes"),
    (lambda x: np.broadcast_to(x[:1], (2, 1)).__setitem__(0, 1), TypeError, "a view that is only read"),
    (lambda x: _times_index(x), TypeError, "is an index of the program: it chooses elements"),
])
def test_wrong_functions(function, error, text):
    with pytest.raises(error, match=text):
        airlite.jit(function, on="interp")(integers(64))
    # The next program of this thread is not disturbed.
    assert (airlite.jit(lambda x: x + 1, on="interp")(integers(4)) == integers(4) + 1).all()


def test_errors_end_at_the_line_of_the_function():
    def wrong(x):
        y = x + 1
        return np.lexsort(y)

    with pytest.raises(TypeError) as caught:
        airlite.jit(wrong, on="interp")(integers(64))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.name, last.lineno) == ("wrong", wrong.__code__.co_firstlineno + 2)


def test_errors_of_arguments_end_at_the_call():
    with pytest.raises(TypeError, match="got list") as caught:
        airlite.jit(lambda x: x + 1, on="interp")([1, 2])
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [each.name for each in frames] == ["test_errors_of_arguments_end_at_the_call", "__call__"]


# Each computes what numpy does, in a dtype of its own where numpy has 64 bits.
_LIKE_NUMPY = {
    "norms": lambda x, y: (np.linalg.norm(x), np.linalg.norm(x, axis=1, keepdims=True), np.linalg.norm(x, 1, axis=0),
                           np.linalg.norm(x, np.inf, axis=1)),
    "parts": lambda x, y: (np.diff(x), np.diff(x, n=2, axis=0), np.split(x, 2)[1] * 2, np.split(x, [1, 5], axis=1)[1] + 1),
    "places": lambda x, y: (np.take(x, [0, 1, 2, 5, -1], axis=0) * 2, x[[3, 4, 1]] + 0, y[np.array([7, 0])] * 1),
    "products": lambda x, y: (np.inner(x, y), np.tensordot(x, y, axes=([1], [1])), np.vdot(x, y),
                              np.linalg.multi_dot([x, y.T, x]), np.kron(x[:2], y[:2])),
    "near 0": lambda x, y: (np.log1p(x * 1e-5), np.expm1(x * 1e-5)),
    "far from 0": lambda x, y: (np.log1p(abs(x) * 9), np.expm1(x * 9), np.hypot(x, y), np.logaddexp(x, y)),
    "counts": lambda x, y: ((x > 0).sum(axis=0), (x > y).sum(), np.where(x > 0, 1, 2) * 3, np.where(x > 0, 1.0, 0.5)),
    "dtypes": lambda x, y: (x + (x > 0), x.astype(np.float16) + y, (x * 20).astype(np.int8) + (y * 50).astype(np.int32),
                            np.concatenate([x.astype(np.float16), y]), np.mean((x * 9).astype(np.int32), dtype=np.float32)),
    "rows": lambda x, y: sum(a * b for a, b in zip(x, y)),
    "up to each": lambda x, y: (x.cumsum(axis=1), np.cumsum(y[:, 0]), np.cumsum(x), np.maximum.accumulate(y, axis=0),
                                np.cumprod(1 + y * 0.1, axis=1), np.add.accumulate(np.tile(x, (1, 9)), axis=1)),
    "backwards": lambda x, y: (x[::-1, ::-2] * 1, np.flip(x), np.fliplr(y)[2:], x[6:2:-1] + y[:4], np.tile(x, (20, 1))[::-3] + 0),
    "diagonals": lambda x, y: (np.diagonal(x), x.diagonal(2), np.diagonal(y, -1), np.trace(x), np.trace(y, offset=1)),
    "methods of functions": lambda x, y: (np.add.reduce(x), np.maximum.reduce(x, axis=1), np.subtract.outer(x[0], y[:, 1])),
    "borders": lambda x, y: (np.pad(x, 1, mode="edge"), np.pad(y, ((2, 0), (0, 3)), mode="reflect"), np.pad(x, 2, mode="wrap"),
                             np.pad(x, ((0, 0), (2, 2)), mode="symmetric")),
    "many factors": lambda x, y: (np.einsum("ij,kj,kl->il", x, y, x), np.linalg.matrix_power(x[:4, :4] * 0.5, 3)),
    "grids": lambda x, y: (np.meshgrid(x[0], y[:, 0])[1] + np.meshgrid(x[0], y[:, 0])[0], np.array_split(x, 3)[0] * 2),
    "angles": lambda x, y: (np.arctan(x * 3), np.arctan2(y, x), np.tan(x), np.sinh(x), np.cosh(x), np.deg2rad(x)),
    "weights": lambda x, y: (np.average(x, axis=1, weights=abs(y[0])), np.ptp(x, axis=0), np.count_nonzero(x > 0, axis=1),
                             np.select([x > 1, x < -1], [x * 2, y], default=0), np.nan_to_num(np.where(x > 0, x, -np.inf))),
    "moved": lambda x, y: (np.roll(x, 5), x.repeat(2, axis=0), np.append(x[0], y[0]), np.column_stack([x[:, 0], y])),
}


@pytest.mark.parametrize("name", list(_LIKE_NUMPY))
def test_more_functions_of_numpy(name):
    x, y = floats(8, 6), floats(8, 6) - np.float32(0.25)
    wanted, found = _LIKE_NUMPY[name](x, y), airlite.jit(_LIKE_NUMPY[name], on="interp")(x, y)
    for want, got in zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]:
        assert np.shape(want) == np.shape(got)
        assert np.allclose(got, want, rtol=1e-5, atol=1e-6 * float(np.abs(want).max())), name


def test_functions_at_the_ends_of_floats():
    ends = np.array([0.0, -0.0, 1, -1, 1e-30, 1e30, -1e30, 45, 88.8, -89, 95, np.inf, -np.inf, np.nan], np.float32)
    y, x = (each.ravel().copy() for each in np.meshgrid(ends, ends))
    functions = {
        "arctan2": lambda y, x: np.arctan2(y, x), "logaddexp": lambda y, x: np.logaddexp(y, x), "sinh": lambda y, x: np.sinh(y), "cosh": lambda y, x: np.cosh(y),
        "arctan": lambda y, x: np.arctan(y), "log1p": lambda y, x: np.log1p(y), "negative": lambda y, x: -y,
        "isclose": lambda y, x: np.isclose(y, x), "isclose of a number": lambda y, x: np.isclose(y, np.inf)}
    for name, function in functions.items():
        with np.errstate(all="ignore"):
            wanted = function(y, x)
        got = np.asarray(airlite.jit(function, on="interp")(y, x))
        assert np.allclose(got, wanted, rtol=1e-6, atol=0, equal_nan=True), name
        is_number = wanted == wanted
        assert (np.signbit(got) == np.signbit(wanted))[is_number].all(), name


@pytest.mark.parametrize("dtype, tolerance", [(np.float32, 1e-5), (bfloat16, 0.02)])
def test_angles_of_points_on_the_axes(dtype, tolerance):
    numbers = np.array([0.0, -0.0, 1, -3], np.float32)
    y, x = (each.ravel().copy() for each in np.meshgrid(numbers, numbers))
    got = airlite.jit(lambda y, x: np.arctan2(y, x), on="sim")(y.astype(dtype), x.astype(dtype))
    assert np.allclose(got.astype(np.float32), np.arctan2(y, x), atol=tolerance)


def _convolution(x, w, stride, padding, dilation, is_depthwise):
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    height, width = ((size - 2 * dilation - 1) // stride + 1 for size in x.shape[2:])
    made = 0
    for i, j in np.ndindex(3, 3):
        rows, columns = (slice(at * dilation, at * dilation + stride * (size - 1) + 1, stride)
                         for at, size in ((i, height), (j, width)))
        part, weights = x[:, :, rows, columns], w[:, :, i, j]
        made = made + (part * weights[:, 0, None, None] if is_depthwise else np.einsum("bchw,oc->bohw", part, weights))
    return made


@pytest.mark.parametrize("stride, padding, dilation, is_depthwise", [
    (1, 0, 1, False), (2, 1, 1, False), (1, 2, 2, False), (1, 1, 1, True), (2, 0, 1, True)])
def test_convolutions(stride, padding, dilation, is_depthwise):
    x = integers(2, 4, 9, 8)
    w = integers(4 if is_depthwise else 5, 1 if is_depthwise else 4, 3, 3, least=-3, most=4)
    bias = integers(w.shape[0])
    wanted = _convolution(x, w, stride, padding, dilation, is_depthwise) + bias[:, None, None]

    @airlite.jit(on="interp")
    def convolve(x, w, bias):
        return api.conv2d(x, w, bias, stride, padding, dilation, groups=4 if is_depthwise else 1)
    assert (convolve(x, w, bias) == wanted).all()
    assert (airlite.jit(lambda x, w: api.conv2d(x, w), on="interp")(x[0], integers(5, 4, 3, 3)).shape == (5, 7, 6))


def test_poolings():
    x = floats(2, 3, 8, 6)
    blocks = x.reshape(2, 3, 4, 2, 3, 2)
    for place in "interp", "sim":
        most, mean = airlite.jit(lambda x: (api.max_pool2d(x, 2), api.avg_pool2d(x, (2, 2))), on=place)(x)
        assert (most == blocks.max(axis=(3, 5))).all()
        assert np.allclose(mean, blocks.mean(axis=(3, 5)), rtol=1e-6, atol=1e-7)
    # Windows that overlap, and a border that is never the greatest.
    found = airlite.jit(lambda x: api.max_pool2d(x, 3, stride=2, padding=1), on="interp")(x - 100)
    padded = np.pad(x - 100, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    wanted = [[padded[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 3].max(axis=(2, 3)) for j in range(3)] for i in range(4)]
    assert (found == np.transpose(np.array(wanted), (2, 3, 0, 1))).all()


def _assigned(x):
    y = x * 2
    before = y + 1
    y[0] = 0
    y[:, 1] += x[:, 2]
    for row in range(2, 4):
        y[row] = y[row - 1] * 0.5 + x[row]
    z = y.copy()
    z[5] = 3
    filled = np.zeros_like(x)
    filled[2:4] = x[:2]
    return before, y, z, filled


@pytest.mark.parametrize("place", ["interp", "sim"])
def test_assignments_to_what_was_computed(place):
    x = floats(8, 6)
    for want, got in zip(_assigned(x), airlite.jit(_assigned, on=place)(x)):
        assert np.allclose(got, want, rtol=1e-6)


def test_a_call_of_a_compiled_program_takes_as_long_as_its_simulation():
    add = airlite.jit(lambda x, y: x + y, on="sim")
    x = floats(16)
    add(x, x)
    beside = []
    for _ in range(30):
        begin = time.perf_counter()
        result = add(x, x).run.result
        beside.append(time.perf_counter() - begin - result.seconds)
    assert min(beside) < 0.002


def test_wrong_arguments():
    add = airlite.jit(lambda x: x + 1, on="interp")
    with pytest.raises(TypeError, match="argument 'x' is an array of numpy or a constant"):
        add([1, 2])
    for array, text in ((np.ma.masked_array([1, 2], [0, 1]), "'x' is a MaskedArray of numpy"), (np.arange(4, dtype=">i4"), "in the other order")):
        with pytest.raises(TypeError, match=text):
            airlite.jit(lambda x: x + 1, on="interp")(array)
    with pytest.raises(TypeError, match="argument 'x': programs have no elements of dtype complex128"):
        add(np.zeros(3, complex))
    with pytest.raises(TypeError, match="missing a required argument"):
        add()
    with pytest.raises(ValueError):
        airlite.jit(lambda x, y: x + y, on="interp")(integers(4), integers(5))


def test_wrong_options():
    with pytest.raises(TypeError, match="jit has no option 'speed'"):
        airlite.jit(speed=3)(lambda x: x)
    with pytest.raises(ValueError, match="on is"):
        airlite.jit(on="moon")(lambda x: x)
    with pytest.raises(ValueError, match="target is an NPU"):
        airlite.jit(target="gfx942")(lambda x: x)


def test_wrong_schedules():
    def left_by_break(x):
        for _ in api.loop(4):
            break
        return x + 1

    def out_of_its_body(x):
        with api.herd(1):
            tile = api.empty(4, x.dtype)
        tile[:] = 3

    def herd_in_a_herd(x):
        with api.herd(1), api.herd(1):
            pass

    def number_after_each_trip(x):
        factor = 0.5
        for _ in api.loop(4):
            x[:] = x * int(factor)
            factor = factor * 2

    def another_shape_after_each_trip(x):
        y = x * 2
        for _ in api.loop(4):
            y = y.sum()
        return y

    def list_that_grows(x):
        made = []
        for _ in api.loop(4):
            made.append(x + 1)
        return made[0]

    def changed_and_replaced(x):
        for _ in api.loop(4):
            x += 1
            x = x * 2
        return x

    def variable_of_a_loop_that_has_ended(x):
        for i in api.loop(4):
            x[i] += 1
        return x[i] + 1

    def computed_by_the_host(x):
        y = x * 2
        with api.herd(1):
            y[0] = 1
        return y

    def size_of_a_value(x):
        with api.herd(2) as core:
            tile = api.empty(4, x.dtype)
            api.copy(x[0:core], tile)

    def error_in_a_loop(x):
        for _ in api.loop(4):
            raise KeyError("mine")

    for function, error, text in [
            (left_by_break, airlite.Error, "left by break"), (out_of_its_body, airlite.Error, "outside of the body"),
            (herd_in_a_herd, airlite.Error, "a herd inside of a herd"),
            (number_after_each_trip, airlite.Error, "'factor', which it uses, is 0.5 before it and 1.0 after it"),
            (another_shape_after_each_trip, airlite.Error, r"'y' is int32\[64\] before the body of this loop"),
            (list_that_grows, airlite.Error, "the list 'made' has 0 elements before it and 1 after it"),
            (changed_and_replaced, airlite.Error, "changes elements of 'x', and gives it another array"),
            (variable_of_a_loop_that_has_ended, airlite.Error, r"test_jit.py:\d+: error: a variable of a loop"),
            (computed_by_the_host, TypeError, "is in L3, and the program computes in L1"),
            (size_of_a_value, ValueError, "the size of a part is a number"), (error_in_a_loop, KeyError, "mine")]:
        with pytest.raises(error, match=text):
            airlite.jit(function, on="interp")(integers(64))
        assert airlite.InsertionPoint.current() is None
    with pytest.raises(airlite.Error, match="@airlite.jit"):
        api.empty(4, np.int32)


def test_errors_of_herds_name_their_lines():
    def waits(x):
        stream = api.channel(1)
        with api.herd(1):
            tile = api.empty(16, x.dtype)
            api.copy(x, tile)
            stream.put(tile, 0)
        with api.herd(1):
            tile = api.empty(16, x.dtype)
            stream.get(tile, 0)
            api.copy(tile, x)

    with pytest.raises(airlite.Error, match="deadlock") as caught:
        airlite.jit(waits, on="interp")(integers(16))
    assert "contextlib" not in str(caught.value)
    first = waits.__code__.co_firstlineno
    assert {note.line for each in caught.value.diagnostics for note in each.notes} <= set(range(first, first + 11))


def test_the_stub_has_all_names_and_members():
    import ast
    with open(os.path.splitext(api.__file__)[0] + ".pyi") as file:
        body = ast.parse(file.read()).body
    stated = {each.name: each for each in body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
    assert {name for name in stated if not name.startswith("_")} == set(api.__all__)
    for name, node in stated.items():
        if isinstance(node, ast.ClassDef):
            members = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            assert all(hasattr(getattr(api, name), member) for member in members), name


def test_help_says_what_there_is():
    assert "cycles" in airlite.jit.__doc__ and "launch, segment" in api.__doc__
    for name in api.__all__:
        thing = getattr(api, name)
        assert thing.__doc__ or name in ("exp", "log", "sqrt", "tanh", "erf", "maximum", "minimum", "relu", "silu")


# -- Elements that are chosen when the program runs, and arrays that change

def test_rows_by_numbers():
    table, numbers = floats(10, 24), integers(5, 7, least=-10, most=10)
    places = integers(10, 3, least=0, most=24)
    compare(lambda t, n: (t[n], t.T[:, n[0]], np.take(t, n, axis=0)), table, numbers)
    compare(lambda t, p: (np.take_along_axis(t, p, axis=1), t[np.arange(10), p[:, 0]]), table, places)
    compare(lambda t, n: t[n], table > 0, numbers)
    compare(lambda t, n: t[n], floats(200, 3), integers(6, dtype=np.int8, least=-128, most=127), on=("interp",))
    special = np.array([[np.nan, -0.0], [np.inf, -np.inf]], np.float32)
    got = airlite.jit(lambda t, n: t[n], on="interp")(special, np.array([1, 0, 1], np.int32))
    assert (np.asarray(got).view(np.int32) == special[[1, 0, 1]].view(np.int32)).all()


def test_masks_are_assigned_through():
    def masked(x, out):
        y = x.copy()
        y[y < 0] = 0
        y[x[:, 0] > 0] = x[0]
        out[out > 1] = -1
        return y

    for place in ("interp", "sim"):
        x, out, wanted = floats(8, 16), floats(8, 16), floats(8, 16)
        y = masked(x, wanted)
        assert (airlite.jit(masked, on=place)(x, out) == y).all() and (out == wanted).all()


def test_old_elements_are_kept():
    def swapped(a, b):
        old = a.copy()
        more = a + 1
        a[:] = b
        a[0] = 7
        b[:] = old
        return more

    for place in ("interp", "sim"):
        a, b = integers(8, 8), integers(8, 8) * 2
        wanted_a, wanted_b = a.copy(), b.copy()
        more = swapped(wanted_a, wanted_b)
        assert (airlite.jit(swapped, on=place)(a, b) == more).all()
        assert (a == wanted_a).all() and (b == wanted_b).all()


def test_operators_in_place():
    def changed(x):
        x //= 3
        x %= 7
        x **= 2
        x &= 0xf
        x <<= 2
        x |= 1
        x ^= 5
        x >>= 1

    x = integers(4, 8)
    wanted = x.copy()
    changed(wanted)
    airlite.jit(changed, on="interp")(x)
    assert (x == wanted).all()


# Each changes arrays in loops; `loop` and `empty` are those of the program, or of Python and numpy.
def _whole(x, loop, empty):
    y = x.copy()
    for _ in loop(5):
        y[:] = y + x
    return y


def _no_trips(x, loop, empty):
    y = x.copy()
    for _ in loop(0):
        y[:] = 0
        y[0] = 7
    return y


def _operators(x, loop, empty):
    y, z = x.copy(), np.zeros_like(x)
    for _ in loop(5):
        y += x
        np.add(z, y, out=z)
        z[...] = z * 2
    y -= z
    return y


def _parts(x, loop, empty):
    y, z = x.copy(), x * 2
    z[0] = 3
    for i in loop(3):
        y[i] = y[i + 1] + 1
        y[4:] = y[3:-1] * 2
        z[z > 9] = 4
    return y + z


def _used_before(x, loop, empty):
    y, out = x * 2, empty((3, *x.shape), x.dtype)
    for i in loop(3):
        out[i] = y
        y[:] = y + x
    return out


def _old_elements(x, loop, empty):
    old, out = x + 1, np.zeros_like(x)
    for _ in loop(3):
        out += old
        x[:] = x * 2
        out -= old * 3
    return out + old


def _exchanged(x, loop, empty):
    a, b = x.copy(), x + 1
    for _ in loop(6):
        total = a + b
        a[:] = b
        b[:] = total
    return b


def _nested(x, loop, empty):
    y = x.copy()
    for _ in loop(3):
        z = y * 1
        for j in loop(2):
            z += x
            y[j] += z[j]
        y -= z
    y[:] = y * 2
    for j in loop(2):
        y[j] = x[j]
    return y


def _second_name(x, loop, empty):
    y = x.copy()
    z = y
    y += 1
    for i in loop(3):
        y[:] = y * y[i]
    return z


@pytest.mark.parametrize("function", [_whole, _no_trips, _operators, _parts, _used_before, _old_elements, _exchanged, _nested,
                                      _second_name])
def test_arrays_that_loops_change(function):
    x, wanted_x = integers(12, least=1, most=6), integers(12, least=1, most=6)
    wanted = function(wanted_x, range, np.empty)
    traced = lambda x: function(x, api.loop, api.empty)
    assert (airlite.jit(traced, on="interp")(x) == wanted).all() and (x == wanted_x).all()


@pytest.mark.parametrize("function", [_whole, _no_trips, _operators, _old_elements, _exchanged, _nested, _second_name])
@pytest.mark.parametrize("place", ["interp", "sim"])
def test_arrays_that_loops_of_cores_change(function, place):
    def by_cores(a, out):
        with api.herd(2) as core:
            tile = api.empty(16, a.dtype)
            api.copy(a[core * 16:core * 16 + 16], tile)
            tile[:] = function(tile, api.loop, api.empty)
            api.copy(tile, out[core * 16:core * 16 + 16])

    a, out = integers(32, least=1, most=6), np.zeros(32, np.int32)
    airlite.jit(by_cores, on=place)(a, out)
    assert (out == np.concatenate([function(part.copy(), range, np.empty) for part in a.reshape(2, 16)])).all()


def test_names_get_other_arrays_in_loops():
    def renamed(x, loop):
        y = x + 1
        for i in loop(4):
            y = x[i] * 2
            x[i] = y + 1
        for i in loop(2):
            y = x[i + 1] * 3
            x[i] = y
        return x * 1

    x, wanted_x = integers(8, 4), integers(8, 4)
    wanted = renamed(wanted_x, range)
    assert (airlite.jit(lambda x: renamed(x, api.loop), on="interp")(x) == wanted).all() and (x == wanted_x).all()


def test_operators_change_parts_that_have_a_name():
    def changes(x, loop):
        part, row = x[2:], x[1]
        part += 1
        for i in loop(3):
            part *= 2
            row -= x[i]
            x[i, 1:] += x[i, :-1]
        x[::-1] += part[0]

    x, wanted = integers(6, 4), integers(6, 4)
    changes(wanted, range)
    airlite.jit(lambda x: changes(x, api.loop), on="interp")(x)
    assert (x == wanted).all()


def test_arguments_that_share_memory():
    def changes(a, b):
        a += 1
        return a + b

    x = integers(12)
    jitted = airlite.jit(changes, on="interp")
    for a, b in ((x, x), (x[1:], x[:-1]), (x[::-1], x)):
        before = x.copy()
        with pytest.raises(ValueError, match="arguments 'a' and 'b' share memory, and the function changes 'a'"):
            jitted(a, b)
        assert (x == before).all()
    wanted = x[::2] + 1 + x[1::2]
    assert (jitted(x[::2], x[1::2]) == wanted).all()
    assert (airlite.jit(lambda a, b: a + b, on="interp")(x, x) == x + x).all()


def test_out():
    def through(a, b):
        made = np.empty_like(a)
        np.multiply(a, b, out=made)
        np.maximum(made, 0, out=made)
        np.add(a, b, out=b)
        return made

    a, b, wanted = floats(4, 8), floats(4, 8), floats(4, 8)
    made = through(a, wanted)
    assert (airlite.jit(through, on="interp")(a, b) == made).all() and (b == wanted).all()


def test_results_with_names():
    import collections
    Pair = collections.namedtuple("Pair", "low high")
    x = integers(4, 8)
    named = airlite.jit(lambda x: {"low": x.min(), "high": x.max()}, on="interp")(x)
    assert list(named) == ["low", "high"] and named["low"] == x.min() and named["high"] == x.max()
    pair = airlite.jit(lambda x: Pair(x.min(), x.max()), on="interp")(x)
    assert type(pair) is Pair and pair.high == x.max()


# -- What is emitted

def _ops(function, *arguments):
    """Structured ops that are not fills."""
    names = [op.name for op in airlite.jit(function, on="interp").program(*arguments).walk()]
    return [name for name in names if name.startswith("linalg.") and name not in ("linalg.fill", "linalg.yield")]


def test_what_is_the_same_is_computed_once():
    x = floats(8, 16)
    assert _ops(lambda x: (x - x.mean(0)) * x.mean(0), x) == _ops(lambda x: (lambda m: (x - m) * m)(x.mean(0)), x)
    assert len(_ops(lambda x: x @ x.T + x @ x.T, x)) == len(_ops(lambda x: (lambda p: p + p)(x @ x.T), x))

    def halves(x, out):
        product = x @ x
        out[:4] = product[:4]
        out[4:] = product[4:] * 2
    assert _ops(halves, floats(8, 8), floats(8, 8)).count("linalg.matmul") == 1


def test_results_with_other_sizes_are_made_in_place():
    assert len(_ops(lambda x: (x * 2).reshape(4, 32), floats(8, 16))) == 1
    assert len(_ops(lambda x: (x @ x).reshape(-1), floats(8, 8))) == 1


def test_constants_are_compared_in_the_dtype_of_the_array():
    text = str(airlite.jit(lambda x: x[:, None] == np.arange(8), on="interp").program(integers(4)))
    assert "xi64" not in text
    compare(lambda x: (x[:, None] < np.array([2 ** 40, -3]), x == np.arange(4) - 2), integers(4), on=("interp",))


_PRODUCTS_OF_TRANSPOSED = {
    "linalg.matmul_transpose_b": lambda a, b, v: a @ b.T,
    "linalg.matmul_transpose_a": lambda a, b, v: a.T @ b,
    "linalg.vecmat": lambda a, b, v: a.T @ v,
    "linalg.matvec": lambda a, b, v: v @ b.T,
    "linalg.batch_matmul_transpose_b": lambda a, b, v: np.einsum("hij,hkj->hik", np.stack([a, b]), np.stack([b, a * v])),
    "linalg.batch_matmul_transpose_a": lambda a, b, v: np.stack([a, b]).swapaxes(1, 2) @ np.stack([b, a * v]),
}


@pytest.mark.parametrize("op", _PRODUCTS_OF_TRANSPOSED)
def test_transposed_factors_are_not_copied(op):
    function = _PRODUCTS_OF_TRANSPOSED[op]
    arguments = floats(12, 12), floats(12, 12) * 2, floats(12)
    assert [name for name in _ops(function, *arguments) if name != "linalg.generic"] == [op]
    compare(function, *arguments, tolerance=1e-4)
    # A matrix that a view of an array with more axes has is no transposed one.
    compare(lambda a, b, v: a[None, :, :, None].swapaxes(1, 2)[0, :, :, 0] @ b, *arguments, tolerance=1e-4)


def test_few_arrays_side_by_side_are_one_operation():
    x = floats(8, 12)
    turned = lambda x: np.stack([x[:, ::2] - x[:, 1::2], x[:, ::2] * x[:, 1::2]], axis=-1).reshape(8, 12)
    assert _ops(turned, x) == ["linalg.generic"]
    text = str(airlite.jit(turned, on="interp").program(x))
    assert text.count("memref.subview") == 2  # each half of the elements is one input
    compare(turned, x, tolerance=1e-6)
    compare(lambda x: np.stack([x > 0, x < 1, x == x], axis=2), x)
    compare(lambda x: (x[:, 1::3] - x[:, ::3], x.reshape(4, 2, 12)[1:, 0, 1::4]), x)


def _random_changes(rng):
    """The text of a function that changes its two arrays, step by step."""
    names, steps = ["a", "b"], []

    def named(value):
        names.append(f"t{len(names)}")
        return f"{names[-1]} = {value}"

    for _ in range(rng.randint(3, 8)):
        x, y, target = rng.choice(names), rng.choice(names), rng.choice(names)
        steps.append(rng.choice([
            lambda: named(f"{x}.T"), lambda: named(f"{x}[::-1]"), lambda: named(f"np.moveaxis({x}[:, None], 2, 0)[..., 0]"),
            lambda: f"{x}[{rng.randint(0, 7)}][2:6] -= {y}[3, :4]", lambda: f"{x}[1:3].T[::2] *= {rng.randint(-1, 2)}",
            lambda: named(f"{x}.copy()"), lambda: named(f"{x} + {y} * {rng.randint(1, 3)}"),
            lambda: named(f"{x}[::-1] + {y}.T"), lambda: named(f"{x}.sum(axis=1, dtype=np.int32)[None] + {y}"),
            lambda: f"{target}[:] = {x} - {y}", lambda: f"{target}[{rng.randint(0, 3)}:5] = {rng.randint(0, 9)}",
            lambda: f"{target} += {x}", lambda: f"{target}[::-1] = {x}", lambda: f"{target}[{x} > 1] = {rng.randint(-5, 5)}",
            lambda: f"{target}[1:5, 2:6] = {x}[2:6, 1:5] * 2"])())
    made = rng.sample(names, 2)
    return "def function(a, b):\n" + "".join(f"    {step}\n" for step in steps) + f"    return {made[0]} + 0, {made[1]} + 0\n"


def _views_that_change(x):
    turned, row, z = x.T, x[1], x * 2
    turned += 1
    row[2:4] = 7
    flat, column, heads = z.reshape(-1), z[:, 1], z.reshape(6, 2, 2).swapaxes(0, 1)
    flat[5] = 0
    column *= 3
    heads[0] -= 1
    z[0] = 4
    z[::2, ::-1][1:] += row
    sums = x.sum(axis=1, keepdims=True, dtype=np.int32)
    sums //= 2
    one = np.expand_dims(z, (0, 2))
    one[:, :2] = 9
    np.squeeze(one)[3] = 8
    copied = z.flatten()
    copied[:] = 0
    first, second = np.split(x, 2)
    first -= second
    return turned * 1, row + 0, z, flat + 0, column + heads[1, :, 0], sums, np.flip(one) * 1


@pytest.mark.parametrize("place", ["interp", "sim"])
def test_views_show_and_change_their_array(place):
    x, wanted_x = integers(6, 4), integers(6, 4)
    wanted = _views_that_change(wanted_x)
    got = airlite.jit(_views_that_change, on=place)(x)
    assert (x == wanted_x).all() and all((each == want).all() for each, want in zip(got, wanted))


def _copies_and_views(x, y):
    rows, columns, turned, strided, joined = x[1:].reshape(-1), x[:, 1:].reshape(-1), x.T.reshape(-1), x[:, ::2].ravel(), x[:, ::2].reshape(-1)
    same, plus, corner, one = x.T.astype(np.int32), +x, x[0, 1], y[2]
    z = x * 2
    first, flat = z[1, 0], z.T.reshape(-1)
    z[1, 0] = 5
    flat += 1
    corner *= 2
    y[2] = y[3]
    y[3] = one
    x[:] = 7
    rows[0] = 9
    return rows * 1, columns, turned * 1, strided * 1, joined * 1, same * 1, plus * 1, corner + y, first + z, flat + 0, x + 0


def _constants_and_views_to_read(x, y):
    weights, other = np.ones(6, np.int32), np.arange(6, dtype=np.int32)
    total = y * weights + other
    weights[2] = 5
    total = total + y * weights + other
    wide, middle, row, scalar = np.broadcast_to(x[0], (3, 6)), x.diagonal(1), x.take(-1, axis=0), np.take(x, 3)
    x[0] = 7
    x[3] = 8
    return total, wide * 1, middle * 1, row + scalar, np.maximum.reduce(x, dtype=np.int8), np.minimum.accumulate(x, dtype=np.int16)


def _compare_changed(function, *arguments, loops=()):
    """What a function returns, and what it does to its arguments, is as with numpy; `loops` are what it takes for loops."""
    given, wanted = [each.copy() for each in arguments], [each.copy() for each in arguments]
    plain = [range for _ in loops]
    results = zip(airlite.jit(lambda *arrays: function(*arrays, *loops), on="interp")(*given), function(*wanted, *plain))
    assert all((np.asarray(got) == want).all() for got, want in [*results, *zip(given, wanted)])


def test_copies_and_views_are_as_in_numpy():
    _compare_changed(_copies_and_views, integers(4, 6), integers(8))
    _compare_changed(_constants_and_views_to_read, integers(4, 6), integers(6))
    reduced = airlite.jit(lambda x: np.maximum.reduce(x, dtype=np.int8), on="interp")(integers(8))
    assert reduced.dtype == np.int8


def test_diagonals_in_einsum_and_rolls_of_several_axes():
    a, b, batch = integers(6, 6), integers(6, 6), integers(3, 6, 6)
    compare(lambda a, b: (np.einsum("ii", a), np.einsum("ii->i", a), np.einsum("ii,ij->j", a, b)), a, b)
    compare(lambda x: np.einsum("bii->b", x), batch)
    compare(lambda a: (np.roll(a, (1, 2), axis=(0, 1)), np.roll(a, 2, axis=(0, 1))), a)
    labels = integers(8, least=0, most=5)
    rows = airlite.jit(lambda labels: api.take(np.eye(6, dtype=np.float32), labels, axis=0), on="sim")(labels)
    assert (rows == np.eye(6)[labels]).all()


def test_sums_of_short_integers():
    x = np.arange(70, dtype=np.int8)
    compare(lambda x: (x.sum(), np.cumsum(x), np.add.reduce(x), (x + 1).prod(), np.add.accumulate(x)), x)
    totals = airlite.jit(lambda x: x.sum(axis=0), on="interp")(np.full((3, 4), 40000, np.uint16))
    assert totals.dtype == np.uint32 and (totals == 120000).all()
    compare(lambda x: x.reshape(7, 10).cumsum(axis=1, dtype=np.int8), x)


@pytest.mark.parametrize("seed", range(120))
def test_random_changes_of_arrays(seed):
    text = _random_changes(random.Random(seed))
    made = {"np": np}
    exec(text, made)
    a, b = integers(8, 8, least=-5, most=5), integers(8, 8, least=-5, most=5).T.copy()
    wanted_a, wanted_b = a.copy(), b.copy()
    wanted = made["function"](wanted_a, wanted_b)
    got = airlite.jit(made["function"], on="sim" if seed % 10 == 0 else "interp")(a, b)
    assert (a == wanted_a).all() and (b == wanted_b).all(), text
    assert all((np.asarray(x) == y).all() for x, y in zip(got, wanted)), text


def _random_loops(rng):
    """The text of a function with loops that change its arrays and what it computes."""
    lines = []

    def body(variables, indent, names):
        names = list(names)
        for _ in range(rng.randint(2, 5)):
            x, y, target, new = *rng.choices([*names, "r", "s"], k=2), rng.choice(names), f"t{len(lines)}"
            at, of = (rng.choice([str(rng.randint(0, 7)), *variables, "k % 8"]) for _ in range(2))
            step = rng.choice([
                f"{new} = {x}.copy()", f"{new} = {x} + {y} * {rng.randint(1, 3)}", f"{new} = {x}[::-1] - {y}", "loop",
                f"{target}[:] = {x} - {y}", f"{target}[{rng.randint(0, 3)}:5] = {x}[{at}]", f"{target} += {x}",
                f"{target}[::-1] = {x}", f"{target}[{x} > 1] = {rng.randint(-5, 5)}", f"{target}[1:5] = {x}[2:6] * 2",
                f"r = r - {x}", f"r, s = s, {x} + {y}", f"k += {rng.randint(1, 3)}", f"{target}[{at}] = {x}[{of}] + 1", f"np.subtract({x}, {y}, out={target})"])
            if step != "loop":
                lines.append(f"{indent}{step}")
                names += [new] if step.startswith(f"{new} = ") else []
            elif len(variables) < 2:
                variable = "ij"[len(variables)]
                lines.extend([f"{indent}for {variable} in loop({rng.randint(0, 3)}):", f"{indent}    pass"])
                body([*variables, variable], indent + "    ", names)
        return names

    lines.append("    r, s, k = a + 1, b * 2, 1")
    names = body([], "    ", ["a", "b"])
    lines.append("    for i in loop(2):")
    body(["i"], "        ", names)
    made = rng.choices([*names, "r", "s"], k=2)
    return "def function(a, b, loop):\n" + "\n".join(lines) + f"\n    return {made[0]} + 0, {made[1]} + 0\n"


@pytest.mark.parametrize("seed", range(150))
def test_random_loops(seed):
    text = _random_loops(random.Random(seed))
    made = {"np": np}
    exec(text, made)
    a, b, wanted_a, wanted_b = (integers(8, least=-5, most=5) for _ in range(4))
    wanted = made["function"](wanted_a, wanted_b, range)
    got = airlite.jit(lambda a, b: made["function"](a, b, api.loop), on="interp")(a, b)
    assert (a == wanted_a).all() and (b == wanted_b).all(), text
    assert all((np.asarray(x) == y).all() for x, y in zip(got, wanted)), text


def _names_that_loops_change(x, y, loop):
    """What a trip gives a name, the next one finds: arrays, what is in tuples, lists and dicts, and integers."""
    state, pair, total, at, first = {"h": x, "n": 0}, (x, y), 0, 1, x
    for i in loop(3):
        previous, double = x, y * 2
        x = x + double
        total = total + y[i:i + 1]
        pair = pair[1], pair[0] - y
        state["h"] = state["h"] + x[at]
        at += 2
        state["n"] -= 1
        for _ in loop(2):
            y = y + first
    return x, previous, double, total, *pair, state["h"] * state["n"], y * at, first


@pytest.mark.parametrize("place", ["interp", "sim"])
def test_names_that_loops_change(place):
    x, y = integers(8, 16), integers(8, 16)
    wanted = _names_that_loops_change(x, y, range)
    got = airlite.jit(lambda x, y: _names_that_loops_change(x, y, api.loop), on=place)(x, y)
    assert len(got) == len(wanted) and all((each == want).all() for each, want in zip(got, wanted))


def _views_that_change_places(x, y, loop):
    m, n, r, s, flat = x * 1, y * 1, x * 2, y + 1, x.reshape(-1)
    for _ in loop(3):
        m, n = n, m.T
        r, s = s[::-1], r.reshape(2, 8).reshape(4, 4)
    first = flat[0]
    for i in loop(1, 4):
        second = flat[i]
        flat[i] = first + second
        first = second
    return m * 1, n * 1, r * 1, s * 1, x + first


def _functions_that_read(x, y, loop):
    out, at = np.zeros_like(x), 0

    def step():
        nonlocal x, at
        x, at = x + 1, at + 1
        return x

    for _ in loop(3):
        out += step()
        try:
            raise KeyError
        except KeyError:
            out += y
        y = out * 2
    return out, y[at] * 1


def _loops_without_trips(x, y, loop):
    k, n = 1, 0
    for i in loop(0):
        k, x = 5, x * 2
    for i in loop(3, 1):
        n += 1
    for i in loop(2):
        for j in loop(i, 2):
            n += 1
        n -= 2 - i
    return x * k, y[n] * 1


def _kinds_of_state(x, y, loop):
    import collections
    import dataclasses
    Pair, Fixed = collections.namedtuple("Pair", "h n"), dataclasses.make_dataclass("Fixed", ["h"], frozen=True)
    Slots = type("Slots", (), {"__slots__": ("h",)})
    pair, fixed, slots, row, named = Pair(x, 0), Fixed(x), Slots(), collections.deque([x]), collections.OrderedDict(h=x)
    slots.h, deep, first = x, {"a": {"b": {"c": {"d": x}}}}, (x, y)
    second, out = first, np.zeros_like(x)
    for _ in loop(3):
        out += pair.h + fixed.h * 2 + slots.h * 3 + row[0] * 4 + named["h"] * 5 + deep["a"]["b"]["c"]["d"] * 6 + first[0] - second[1]
        pair, fixed, slots.h, row[0], named["h"] = Pair(pair.h + 1, 0), Fixed(fixed.h + 1), slots.h + 1, row[0] + 1, named["h"] + 1
        deep["a"]["b"]["c"]["d"] = deep["a"]["b"]["c"]["d"] + 1
        first = first[1], first[0] + 1
    return out, second[0] + first[0]


@pytest.mark.parametrize("function", [_kinds_of_state, _views_that_change_places, _functions_that_read, _loops_without_trips])
def test_loops_are_as_in_numpy(function):
    _compare_changed(function, integers(4, 4), integers(4, 4), loops=[api.loop])


def _trips_that_are_not_known(x):
    at = 0
    for i in api.loop(4):
        for _ in api.loop(i, 2):
            at += 1
        x[i] = x[at]


def _maybe_without_trips(x):
    at = 1
    for i in api.loop(4):
        for _ in api.loop(i):
            at = 3
        x[i] = x[at]


_SECOND_NAMES = {
    "a, b = x * 1, x * 2\nfor _ in api.loop(3):\n    c = a + b\n    a, b = b, c\na += 1\nreturn a + b": None,
    "for _ in api.loop(3):\n    a = {'h': (x * 2, x)}\n    x += a['h'][0]\nfor _ in api.loop(2):\n    a = [x + 1]\n    x -= a[0]\nreturn x": None,
    "for _ in api.loop(3):\n    a = (x * 2, x)\nreturn a[0]": "makes a\\[0\\]: make it before the loop",
    "for _ in api.loop(2): z = x\nz += 1\nreturn z": "'z' may be a second name of another array after a loop",
    "y = x + 1\nz = x\nfor _ in api.loop(2): z = y\ny += 1\nreturn z + x": "'z' may be a second name of an array whose elements",
    "z = x\nfor _ in api.loop(2):\n    x += 1\n    z = z * 2\nreturn z * 1": "'z' may be a second name of an array whose",
    "y = x * 2\nz = y[2:]\nfor _ in api.loop(2):\n    y += 1\n    z = z * 2\nreturn z * 1": "'z' may be a second name of an array",
    "z = x * 2\nfor _ in api.loop(2):\n    y = z + 1\n    x += y\n    z = x\nreturn z * 1": None,
    "z = x * 2\nfor _ in api.loop(2):\n    x += 1\n    y = z + 1\n    z = x\nreturn y * 1": "begin with a copy, as in x.copy",
    "y = x * 1\na = y[1]\nb = x[2]\nfor _ in api.loop(3):\n    z = x + a + b\n    x += 1\n    y -= z\nreturn z + a + b + y": None,
    "t, s = x, x * 2\nfor _ in api.loop(2):\n    for _ in api.loop(1): t, s = s, t\nt += 1\nreturn t + s": "'t' may be a second name",
    "a, b = x * 1, x * 2\nfor _ in api.loop(2): a, b = b, a\na += 1\nreturn a + b": None,
    "a, t, b = x, x, x * 2\nfor _ in api.loop(3):\n    a, t = t, a\n    b += 1\n    t = b\nreturn a + t": "'t' may be a second name",
    "a, b, s = x * 1, x * 2, x * 3\nfor _ in api.loop(3):\n    a = b\n    b = s\nb += 1\nreturn a + b": "'b' may be a second name",
    "a, b, s = x * 1, x * 2, x * 3\nfor _ in api.loop(3):\n    a = b\n    b = s\nreturn a + b": None,
    "for _ in api.loop(3): q = x[2:]\nfor _ in api.loop(2): x[1:7] += q\nreturn x * 1": "'q' may be a second name of an array that the body",
    "r = x + 1\nfor _ in api.loop(2):\n    r[7] = r[4]\n    q = r[2:]\nr[:] = x\nr[2:5] = 1\nreturn r[:6] + q": "'q' may be a second name",
    "a = {'h': x}\nb = a\nfor _ in api.loop(2): b = {'h': b['h'] + 1}\nreturn a['h'] + b['h']": "'b' and 'a' are one object before",
    "a = {}\nfor _ in api.loop(2): a['h'] = a.get('h', x) + 1\nreturn a['h']": "makes a\\['h'\\]: make it before the loop",
    "w = np.ones(8, np.int32)\nfor _ in api.loop(2):\n    x += w\n    w *= 2\nreturn x + 0": "it changes 'w', which is no array",
    "w = iter(range(8))\nfor _ in api.loop(2): x += x[next(w)]\nreturn x + 0": "it changes 'w', which is no array",
    "def gen():\n    k = 0\n    while True:\n        k += 1\n        yield k\ng = gen()\nfor _ in api.loop(3): x += next(g)\nreturn x * 1": "it changes 'g'",
    "def make():\n    h = []\n    def step(v):\n        h.append(v)\n        return sum(h)\n    return step\ns = make()\nfor _ in api.loop(3): y = s(x)\nreturn y": "changes 's'",
    "def s(v, old={}):\n    old[0] = old.get(0, 0) + v\n    return old[0]\nfor _ in api.loop(3): y = s(x)\nreturn y": "it changes 's'",
    "w = zip([1, 2, 3], [4, 5, 6])\nfor _ in api.loop(3): x += next(w)[0]\nreturn x * 1": "it changes 'w'",
    "k, y = 2, x * 1\ns = lambda v: v * k + y\nfor _ in api.loop(3): y = s(x)\nreturn y": None,
    "w = slice(0, 2)\nfor _ in api.loop(2):\n    x[w] += 1\n    w = slice(2, 4)\nreturn x + 0": "'w', which it uses",
}


@pytest.mark.parametrize("text", _SECOND_NAMES)
def test_second_names_of_arrays_that_loops_change(text):
    made = {"np": np, "api": api, "range": range}
    exec("def function(x, api):\n" + "".join(f"    {line}\n" for line in text.split("\n")), made)
    if _SECOND_NAMES[text]:
        with pytest.raises((airlite.Error, TypeError), match=_SECOND_NAMES[text]):
            airlite.jit(lambda x: made["function"](x, api), on="interp")(integers(8))
        return
    plain = type("plain", (), {"loop": range})
    x, wanted = integers(8), integers(8)
    assert (airlite.jit(lambda x: made["function"](x, api), on="interp")(x) == made["function"](wanted, plain)).all()
    assert (x == wanted).all()


@pytest.mark.parametrize("function, text", [
    (_trips_that_are_not_known, "how many trips there are is not known"),
    (_maybe_without_trips, "'at', which it uses, is 1 before it and 3 after it"),
])
def test_loops_that_cannot_be_as_in_numpy(function, text):
    with pytest.raises(airlite.Error, match=text):
        airlite.jit(function, on="interp")(integers(8))


def test_names_that_loops_of_cores_change():
    def by_cores(a, out):
        with api.herd(2) as core:
            part = a[core * 16:core * 16 + 16]
            sums, tile = api.empty(16, a.dtype), api.empty(16, a.dtype)
            api.copy(part, tile)
            power = tile
            for _ in api.loop(3):
                power = power * tile + 1
            sums[:] = power
            api.copy(sums, out[core * 16:core * 16 + 16])

    a = integers(32, least=-3, most=3)
    for place in ("interp", "sim"):
        out = np.zeros(32, np.int32)
        airlite.jit(by_cores, on=place)(a, out)
        assert (out == ((a * a + 1) * a + 1) * a + 1).all()


def test_constants_and_functions_of_numpy_in_cores():
    def by_cores(a, out):
        with api.herd(2) as core:
            tile = api.empty(64, a.dtype)
            api.copy(a[core * 64:core * 64 + 64], tile)
            double = tile * 2
            tile[tile > 5] = 0
            tile[:] = np.cumsum(tile) + np.arange(64, dtype=np.int32)[::-1]
            tile **= 2
            tile[:] = tile[::-1] + double
            api.copy(tile, out[core * 64:core * 64 + 64])

    a, out = integers(128, least=-9, most=9), np.zeros(128, np.int32)
    wanted = []
    for half in a.reshape(2, 64):
        sums = np.where(half > 5, 0, half).cumsum() + np.arange(64)[::-1]
        wanted.append((sums ** 2)[::-1] + half * 2)
    for place in ("interp", "sim"):
        out[:] = 0
        airlite.jit(by_cores, on=place)(a, out)
        assert (out == np.concatenate(wanted)).all()
