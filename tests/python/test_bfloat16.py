"""The fallback for ml_dtypes: bfloat16 as a dtype of numpy."""
import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")
bfloat16 = ml_dtypes.bfloat16


def rounded(values):
    """To nearest even, by the bits."""
    words = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    words += 0x7FFF + ((words >> np.uint64(16)) & np.uint64(1))
    return ((words >> np.uint64(16)) << np.uint64(16)).astype(np.uint32).view(np.float32)


def test_type():
    assert np.dtype(bfloat16).itemsize == 2 and np.dtype(bfloat16).name == "bfloat16"
    assert np.dtype(bfloat16) == bfloat16 and bfloat16(1.5).dtype == np.dtype(bfloat16)
    assert np.zeros(3, bfloat16).nbytes == 6


def test_casts():
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    assert (values.astype(bfloat16).astype(np.float32) == rounded(values)).all()
    assert (values.astype(np.float64).astype(bfloat16) == values.astype(bfloat16)).all()
    for dtype in (np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.float16, np.bool_):
        array = np.array([0, 1, 1, 0], dtype)
        assert (array.astype(bfloat16).astype(np.float32) == array).all()
    for dtype in (np.int8, np.int32, np.int64, np.float64, np.bool_):
        assert np.array([0, 1], bfloat16).astype(dtype).tolist() == [0, 1]
    assert np.array([1.5], bfloat16).view(np.uint16)[0] == 0x3FC0
    assert np.array([2**-24, -2.0, np.inf], np.float16).astype(bfloat16).astype(float).tolist() == [
        2**-24, -2.0, np.inf]


def test_a_double_is_rounded_once():
    middle = 1 + 2**-8
    assert float(np.array([middle], np.float64).astype(bfloat16)[0]) == 1
    assert float(np.array([middle + 2**-40], np.float64).astype(bfloat16)[0]) == 1 + 2**-7
    assert float(np.array([1 + 3 * 2**-8 - 2**-40], np.float64).astype(bfloat16)[0]) == 1 + 2**-7
    assert float(bfloat16(-(middle + 2**-40))) == -(1 + 2**-7)
    assert np.isnan(float(bfloat16(float("nan")))) and float(bfloat16(1e60)) == np.inf


@pytest.mark.parametrize("function", [np.add, np.subtract, np.multiply, np.divide, np.maximum,
                                      np.minimum, np.power, np.fmod])
def test_binary_functions(function):
    rng = np.random.default_rng(1)
    a, b = (rng.uniform(0.1, 4, 500).astype(bfloat16) for _ in range(2))
    got = function(a, b)
    assert got.dtype == bfloat16
    assert (got.astype(np.float32) == rounded(function(a.astype(np.float32), b.astype(np.float32)))).all()


@pytest.mark.parametrize("function", [np.exp, np.log, np.tanh, np.sqrt, np.negative, np.abs, np.square])
def test_unary_functions(function):
    a = np.random.default_rng(2).uniform(0.1, 4, 500).astype(bfloat16)
    wide = function(a.astype(np.float64))
    got = function(a)
    assert got.dtype == bfloat16
    assert np.allclose(got.astype(np.float64), wide, rtol=2**-8)


def test_comparisons():
    a, b = np.array([1, 2, 3], bfloat16), np.array([3, 2, 1], bfloat16)
    assert (a < b).tolist() == [True, False, False] and (a == b).tolist() == [False, True, False]
    assert np.isnan(np.array([np.nan, 1], bfloat16)).tolist() == [True, False]
    assert a.argmax() == 2 and a.argmin() == 0 and np.sort(b).tolist() == [1, 2, 3]


def test_arrays():
    assert np.arange(0, 8, dtype=bfloat16).astype(int).tolist() == list(range(8))
    assert np.ones((2, 3), bfloat16).sum() == 6 and np.full(2, 7, bfloat16)[1] == 7
    a = np.arange(6, dtype=bfloat16).reshape(2, 3)
    assert (a @ a.T).astype(int).tolist() == [[5, 14], [14, 50]]
    # As with the package ml_dtypes: sums of matrices are float, those of np.dot have the dtype.
    assert (a @ a.T).dtype == np.float32 and np.dot(a, a.T).dtype == a.dtype
    assert np.dot(a[0], a[1]) == 14 and (a * 2).dtype == bfloat16
    assert (a + np.float32(1)).dtype in (bfloat16, np.float32)
    assert (a + a.astype(np.float32)).dtype == np.float32
    assert np.max(a) == 5 and np.transpose(a)[2, 1] == 5
    a[a > 3] = 0
    assert a.sum() == 6 and np.zeros_like(a).dtype == bfloat16
    assert np.concatenate([a, a]).dtype == bfloat16 and np.array([bfloat16(1), bfloat16(2)]).dtype == bfloat16


def test_numbers():
    x = bfloat16(1.5)
    assert x + x == 3 and isinstance(x + x, bfloat16) and isinstance(x * 2, bfloat16)
    assert float(x) == 1.5 and int(x) == 1 and -x == -1.5 and abs(-x) == x and bool(bfloat16(0)) is False
    assert x < 2 and 2 > x and hash(x) == hash(1.5) and str(x) == "1.5" and repr(x) == "1.5"
    assert bfloat16("2.5") == 2.5 and {x: 1}[bfloat16(1.5)] == 1
    assert isinstance(x / bfloat16(3), bfloat16) and float(x + 0.1) == pytest.approx(1.6, rel=0.01)
    with pytest.raises((TypeError, ValueError)):
        bfloat16("text")


def test_large_arrays_cost_no_objects():
    import time
    a = np.arange(1 << 20, dtype=np.float32).astype(bfloat16)
    begin = time.perf_counter()
    b = a + a
    assert time.perf_counter() - begin < 0.2 and b.nbytes == 1 << 21
