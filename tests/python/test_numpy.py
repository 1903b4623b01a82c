"""Functions of numpy as users write them: airlite.jit gives what numpy gives."""
import random

import airlite
import numpy as np
import pytest
from airlite import api
from ml_dtypes import bfloat16

_random = np.random.default_rng(3)


def floats(*shape):
    return _random.uniform(-2, 2, shape).astype(np.float32)


def integers(*shape, dtype=np.int32, least=-9, most=9):
    return _random.integers(least, most, shape).astype(dtype)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("AIRLITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("AIRLITE_ON", raising=False)


def flat(given):
    given = given if isinstance(given, (tuple, list)) else () if given is None or isinstance(given, api.Run) else (given,)
    return [leaf for each in given for leaf in (flat(each) if isinstance(each, (tuple, list)) else [np.asarray(each)])]


def check(function, arguments, on):
    """What it returns and what it does to its arguments."""
    ours, theirs = ([each.copy() for each in arguments] for _ in range(2))
    with np.errstate(all="ignore"):
        wanted = flat(function(*theirs))
    got = flat(airlite.jit(function, on=on)(*ours))
    assert len(got) == len(wanted)
    for made, array in zip(got + ours, wanted + theirs):
        assert made.shape == array.shape
        is_exact = array.dtype.kind in "iub" or array.dtype == bfloat16
        tolerance = 0 if is_exact else 1e-5 if on == "interp" else 2e-4
        np.testing.assert_allclose(made.astype(np.float64), array.astype(np.float64), rtol=tolerance, atol=tolerance)


CASES = []  # (function, arguments, whether it runs on the simulator as well)


def case(*arguments, sim=False):
    def add(function):
        CASES.append(pytest.param(function, arguments, sim, id=function.__name__))
        return function
    return add


# -- Arrays that numpy makes in the function

@case(floats(8, 8), sim=True)
def rows_are_assigned_to_zeros(x):
    out, k = np.zeros(8, np.float32), np.zeros((3, 3), np.float32)
    k[1, 1] = 4  # stays an array of numpy
    for row in range(8 if k[1, 1] > 3 else 0):
        out[row] = x[row].sum()
    return out


@case(floats(8, 8))
def views_of_what_numpy_makes(x):
    out = np.zeros((8, 8), np.float32)
    part, same = out[2:4], out
    part += x[:2]
    same[0] = x[1] * 2
    out[5, ::2] = 1
    return out, np.full((2, 8), x[0])


@case(floats(6, 6))
def sums_in_place(x):
    out, row = np.zeros((4, 4), np.float32), np.arange(6, dtype=np.float32)
    for i in range(3):
        for j in range(3):
            out += x[i:i + 4, j:j + 4] * (i + j)
    np.add(row, x[0], out=row)
    np.copyto(row, x[1], where=x[0] > 0)
    return out, row


@case(floats(3), floats(2))
def lists_of_elements(x, y):
    c, s = np.cos(x[0]), np.sin(x[0])
    return np.array([[c, -s], [s, c]]) @ y, np.asarray(x) + 1, np.array([x, x * 2]), np.max([x, x * 2], axis=0), np.mean([x, x + 1]), np.sum((c, s))


@case(integers(8, least=0, most=10), floats(8), sim=True)
def tables_of_numpy(labels, x):
    places = np.clip(x, 0, 1).astype(np.int32)
    return np.eye(10, dtype=np.float32)[labels], np.take(np.array([3, 5]).astype(np.int32), places)


# -- Elements that are chosen

_MASK = np.array([True, False, True, True, False, False])


@case(floats(6, 5), sim=True)
def lists_choose(x):
    return x[[0, 2]], x[:, [0, 4, 2]], x[np.arange(5), [1, 0, 3, 2, 4]], x[_MASK], x[1:, [0, -1]]


@case(floats(2, 6, 5))
def arrays_choose(x):
    return (x[0][np.ix_([0, 2], [1, 3])], x[1][np.triu_indices(5)], x[0, [1, 2]], x[..., [[1, 2], [0, 4]]], x[:, [1, 2], [3, 4]],
            x[[0, 1], :, [0, 1]], x[:, None, [0, 1]], x[:, _MASK, 1:])


@case(floats(6, 5), floats(5), floats(3, 5), sim=True)
def lists_choose_what_is_assigned(x, row, rows):
    x[[0, 2]] = 1
    x[:, [1, 3]] *= 2
    x[_MASK] = rows
    x[np.arange(5), [1, 0, 3, 2, 4]] = row
    x[[5, 4, 4]] += rows
    x[1:4, [0, 2]] = 7
    np.fill_diagonal(x, 0)


@case(floats(6, 4), integers(5, least=-6, most=6), floats(5, 4), integers(6, least=0, most=4))
def elements_choose_what_is_assigned(x, rows, values, columns):
    x[rows] = values
    x[rows] += 1
    x[np.arange(6), columns] = values[0, 0]
    x[np.arange(6), columns] *= 2


@case(floats(6, 5), floats(6, 5), sim=True)
def masks_choose(x, y):
    bigger = x > y
    x[bigger] = y[bigger]
    x[x < 0] = -x[x < 0]
    y[bigger] += 1
    y[y < -1] *= 2
    return x[bigger].sum(), x[x > 1].mean(), np.max(y[bigger]), (x[bigger] > 0).all(), np.sqrt(x[x > 0]).sum()


# -- Order

@case(floats(4, 9), sim=True)
def sorted_rows(x):
    y = x * 1
    y.sort(axis=0)
    return np.sort(x), y, np.argsort(x, kind="stable").astype(np.int32), np.sort(x, axis=None)


_SPECIAL = np.array([[3, np.nan, 1, -np.inf], [np.nan, 2, 2, 0]], np.float32)


@case(_SPECIAL, sim=True)
def nans_in_order(x):
    return np.sort(x), np.argsort(x, kind="stable").astype(np.int32), np.median(x, axis=1), x[:, [3, 1, 0, 2, 1, 3]]


@case(_SPECIAL)
def without_nans(x):
    return np.nansum(x, 1), np.nanmax(x, 1), np.nanmin(x, 0, keepdims=True), np.nanmean(x[:, :3], 0), np.nanprod(x)


@case(floats(8, 12), sim=True)
def greatest_of_each_row(x):
    places = np.argsort(-x, axis=1, kind="stable")[:, :4]
    return np.take_along_axis(x, places, axis=1), places.astype(np.int32)


@case(floats(5, 8), integers(6), sim=True)
def quantiles(x, y):
    bins = np.array([-1, 0, 1], np.float32)
    return (np.median(x, axis=1, keepdims=True), np.median(x), np.percentile(x, 25, axis=0), np.quantile(x, [0.1, 0.5], axis=1),
            np.searchsorted(bins, x[0]).astype(np.int32), np.digitize(x[1], bins).astype(np.int32), np.sort(y)[::-1])


# -- Functions and their options

@case(floats(20), floats(4), floats(5), sim=True)
def sums_over_windows(x, even, odd):
    return [function(x, taps, mode=mode) for taps in (even, odd) for function in (np.convolve, np.correlate)
            for mode in ("full", "same", "valid")] + [np.convolve(even, x), np.lib.stride_tricks.sliding_window_view(x, 3) @ odd[:3]]


@case(floats(5, 7), floats(5, 7))
def options(x, y):
    z = np.full((5, 7), 3, np.float32)
    np.add(x, y, out=z, where=x > 0)
    return (z, np.sum(x, axis=0, where=x > 0), np.max(x, axis=1, initial=0.25, where=x < 0), np.prod(x, initial=2), x.min(initial=-9),
            np.round(x, 2), x.round(1), np.round(x * 100, -1), np.add(x, 1, dtype=np.float32), np.sum(x, 1, out=z[:, 0]))


@case(floats(5, 7), floats(5, 7))
def functions(x, y):
    special = np.array([np.nan, 1, -1, 0, -0.0, np.inf, 2], np.float32)
    return (np.fmax(special, y), np.fmin(x, special), np.copysign(x, y), np.heaviside(x, 0.5), np.sinc(x), np.cbrt(x), np.signbit(special),
            np.cross(x[:, :3], y[:, 4:]), np.trace(x))


@case(floats(6, 4), np.array([0.5, -1, 1, 0, 1e-4, -0.99], np.float32), np.array([1, 1.5, 30, 1e9, 1.0001, 7], np.float32), sim=True)
def inverse_functions(x, y, z):
    return (np.arcsin(y), np.arccos(y), np.arcsinh(x * 30), np.arcsinh(y), np.arcsinh(-z), np.arccosh(z), np.arctanh(y[3:]), np.logaddexp2(x, 1), np.fix(x), np.hsplit(x, 2), np.vsplit(x, 3),
            np.broadcast_arrays(x, x[:1]), np.rollaxis(x[None], 2), np.rollaxis(x[None], 0, 3), np.diagflat(x[:2, :2], 1), np.isposinf(x), np.conj(y))


@case(integers(5, 6), integers(5, 6) > 0, np.array([1, np.nan, 2, -1], np.float32))
def of_other_dtypes(x, y, z):
    return ~np.square(y), np.isclose(x, x + (x > 3)), np.isclose(x * 300000, x * 300000 + 1), np.allclose(x, x), np.tril(y), np.triu(x, 1), np.nancumsum(z), np.nancumprod(z)


@case(floats(5, 6), floats(5, 6), integers(9, 9, dtype=np.uint8, least=0), sim=True)
def stacks(x, y, image):
    both = np.stack([x, y, x * 2])
    return (both.mean(0), both.max(0, keepdims=True), both.sum(0), np.stack([x, y], 1).prod(1), np.array([x, y]).std(0),
            np.stack([image[i:i + 7, j:j + 7] for i in range(3) for j in range(3)]).min(0))


@case(floats(40) * 25, floats(40), integers(40), sim=True)
def remainders(x, y, z):
    return (x % 1, x % -0.7, x % y, x // 0.5, x // y, np.fmod(x, 1.5), divmod(x, 3), np.modf(x), np.fmod(z, 4), divmod(z, -3),
            (x + np.float32(np.pi)) % np.float32(2 * np.pi))


@case(integers(5, 8, least=-40, most=40), integers(5, 8, least=-9, most=40), integers(9, dtype=np.int8), integers(9, dtype=np.uint8, least=0, most=20), sim=True)
def shifts_and_quotients_of_any_numbers(x, by, short, byte):
    zero = by * (by > 9)
    return (x >> by, x << by, short >> byte.astype(np.int8), short << (byte.astype(np.int8) - 4), byte >> byte, byte << byte, x >> 40, x << 33, byte >> 9,
            x // zero, x % zero, divmod(byte, byte % 3))


@case(integers(4), integers(4, 1), sim=True)
def sums_of_what_is_repeated(x, y):
    wide, tall = np.broadcast_to(x, (3, 4)), np.broadcast_to(y, (4, 5))
    return wide.sum(0), tall.max(1), (wide + 1).prod(0), tall[::-1].sum(1), np.broadcast_to(x[0], (3, 4)).sum(), (wide * wide).sum(), tall.sum(), np.repeat(y, 3, 1).sum(1)


@case(floats(8), np.array([0, 1, -2, 0, 3, 0, 0.5, 0], np.float32))
def quotients_by_zero(x, y):
    return x // y, (x - x) // y


@case(integers(5, 8) > 0, integers(5, 8) > 2, sim=True)
def bools(x, y):
    x[0] += y[1]
    x[1] *= y[0]
    return (x + y, x * y, x < y, x >= y, np.maximum(x, y), np.minimum(x, y), x.max(axis=0), x.min(), np.sort(x, axis=0), abs(x), np.argmax(x, 1).astype(np.int32),
            x.sum(0, dtype=np.int32), x > 0, x == 1)


@case(np.array([-2 ** 31, -5, 0, 7], np.int32), np.array([-1, -1, 0, -2], np.int32), np.array([-128, 127, -128, 9], np.int8), sim=True)
def the_least_integer_has_no_quotient_by_minus_one(x, by, byte):
    return x // by, x % by, x // -1, x % -1, byte // -1, divmod(byte, by.astype(np.int8)), -128 // byte, x[0] // by


@case(np.array([2, 3, -2, 5, -1, 0], np.int32), np.array([3, 0, 5, 40, 2 ** 31 - 1, 0], np.int32), integers(6, dtype=np.uint8, least=0), sim=True)
def powers_of_integers(x, by, byte):
    return x ** by, 2 ** by, np.power(byte, byte), np.power(3, byte), x ** 3, (x * 0 + 1) ** by


@case(integers(6), integers(3, 4), sim=True)
def nothing_is_in_order(x, y):
    return np.sort(x[:0]).sum() + x, np.argsort(y[:0]).sum() + x, np.sort(y[:, :0], 0).sum(0).size + x


@case(floats(2, 2), floats(3, 2, 2), sim=True)
def matrices_of_two_rows(x, batch):
    return np.linalg.inv(x), np.linalg.det(batch)


@case(np.array([0.0, -0.0, 3e19, -2.5, 1e-30, np.inf], np.float32), np.array([0.0, 4, -4e19, 6, 1e-30, 1], np.float32), np.array([-2 ** 31, 5, -5, 7], np.int32),
      np.array([3, -2 ** 31, 3, -2], np.int32))
def ends_of_ranges(x, y, whole, by):
    return np.hypot(x, y), np.copysign(np.float32(1), np.sign(x)), np.fmod(whole, 3), np.fmod(whole, by), np.hypot(x, 0)


@case(floats(8))
def results_that_are_known(x):
    return x + 1, True, (x.ndim, 0.5), x.size


@case(floats(64))
def maps_that_are_iterated(x):
    x = abs(x) / 2
    for _ in range(360):
        x = np.float32(3.2) * x * (1 - x)
    return x


@case(floats(64))
def many_kernels_that_read_each_other(x):
    for _ in range(170):
        x = np.concatenate([x[40:], x[:40]]) * np.float32(0.99)
    return x.reshape(8, 8)


@case(floats(4, 4), floats(4), floats(3, 2, 2), floats(3, 2, 5), np.array([[0, 2, 1], [1, 0, 0], [0, 3, 1]], np.float32))
def systems_of_equations(a, b, batch, right, with_zeros):
    shifted = a + 4 * np.eye(4, dtype=np.float32)
    return (np.linalg.solve(shifted, b), np.linalg.inv(shifted), np.linalg.det(batch), np.linalg.solve(batch + 3 * np.eye(2, dtype=np.float32), right),
            np.linalg.inv(with_zeros), np.linalg.det(with_zeros), np.linalg.det(shifted), np.linalg.inv(batch))


# -- What is read of the array that is assigned to

@case(integers(4, 4), integers(4, 4), sim=True)
def results_in_the_place_of_operands(x, m):
    x[:] = (x @ m) @ m
    m[:] = np.concatenate([m.sum(1, keepdims=True), m.max(1, keepdims=True), x[:, :2]], 1)
    x[:] = np.pad((x.sum(0, keepdims=True) * np.array([[1], [2]], np.int32)), ((1, 1), (0, 0)))
    m[...] = np.argsort(m, axis=1, kind="stable")
    x[:] = np.stack([x.sum(0), x.max(0), x.min(1), m.sum(1)])
    m[1:3] = np.stack([m.sum(0), m.max(0)])
    x[::-1] = x
    m[:, ::-1] = m
    x[0, ::-1] = x[0]
    m[:] = np.flip(m.reshape(2, 8), 1).reshape(4, 4) + 0


@case(floats(4, 4))
def shapes(a):
    return ([np.rot90(a, k) for k in range(5)], np.atleast_3d(a), np.atleast_2d(a[0]), np.atleast_1d(a[0, 0]), np.atleast_3d(a[0]),
            np.vstack([a[0], a[1]]), np.hstack([a[0], a[2]]), np.dstack([a, a]), np.diag(a), np.diag(a[0], 1), np.diag(a[0], -2))


@case(floats(6, 6), sim=True)
def single_elements(a):
    corner = a[0, 0] * (a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1])
    return corner, a[:1, :1].sum(), a[3:4].max(0, keepdims=True), a[0] / corner


@case(floats(6), integers(6), integers(6, dtype=np.int8))
def assignments_convert(x, y, z):
    x[1:3] = y[1:3]
    y[2:] = x[2:] * 3
    z += y.astype(np.int16)


# -- Statistics, and points along a line

@case(floats(4, 30), floats(30), sim=True)
def covariances(x, y):
    return (np.cov(x), np.cov(x, bias=True), np.cov(x[:3].T, rowvar=False), np.cov(x[0], y), np.cov(y), np.cov(x, ddof=0, dtype=np.float32),
            np.corrcoef(x), np.corrcoef(x[0], y), np.corrcoef(y))


@case(integers(40, dtype=np.uint8, least=0, most=255), floats(40), integers(50), sim=True)
def counts(x, weights, y):
    return (np.bincount(x, minlength=256), np.bincount(x, weights, minlength=300), np.histogram(y, 5, range=(-6, 7)), np.histogram(weights, 7, range=(-1, 1.5)),
            np.histogram(weights, [-1, 0, 0.3, 1.7], density=True), np.histogram(y, bins=[-3, 0, 4], weights=np.ones(50, np.float32)))


@case(np.linspace(-1, 1, 11).astype(np.float32)[::2].copy() * np.float32(0.3))
def elements_at_the_edges_of_intervals(x):
    return np.histogram(x, 6, range=(-0.3, 0.3)), np.histogram(x, np.array([-0.18, 0.06, 0.18]))


@case(floats(12) * 2, np.array([-2, -1, 0.5, 3], np.float32), floats(4), sim=True)
def lines_between_points(x, places, values):
    return (np.interp(x, places, values), np.interp(x, places, values, left=7, right=8), np.interp(np.float32(0.25), places, values),
            np.interp(x, [0.0, 1.0], [2.0, 4.0]), np.trapz(x), np.trapz(values, places), np.trapz(x.reshape(3, 4), dx=0.5, axis=0),
            np.polyval([2, -1, 0.5], x), np.polyval(values, x))


@case(floats(6, 8), sim=True)
def slopes(x):
    return np.gradient(x), np.gradient(x[0]), np.gradient(x, 0.5, axis=1), np.gradient(x, 2, 3), np.gradient(x[:2], axis=0), np.ediff1d(x)


@case(_SPECIAL)
def deviations_without_nans(x):
    x[np.isinf(x)] = 4
    return np.nanstd(x), np.nanvar(x, axis=1), np.nanvar(x, 0, ddof=1, keepdims=True)


# -- Elements put in and taken out

@case(floats(4, 6), integers(12, dtype=np.uint8, least=0, most=255), sim=True)
def put_in_and_taken_out(x, bytes_):
    row = x[0]
    return (np.insert(row, 0, 0), np.insert(row, [1, 3], [7, 8]), np.insert(row, 2, [7, 8]), np.insert(x, 1, 5, axis=0), np.insert(x, 1, x[:, 0], axis=1),
            np.delete(row, 0), np.delete(x, [0, -1], axis=1), np.delete(x, slice(0, 3), 0), np.repeat(row, [0, 2, 1, 0, 3, 1]),
            np.block([[x, np.zeros((4, 1), np.float32)], [np.ones((1, 7), np.float32)]]), np.block([row, row]),
            np.packbits(bytes_ & 1), np.packbits(bytes_.reshape(4, 3) & 1, axis=0, bitorder="little"), np.unpackbits(bytes_), np.unpackbits(bytes_.reshape(4, 3), axis=1),
            np.isin(bytes_, [3, 4, 250]), np.isin(bytes_, [0], invert=True), np.compress([0, 1, 1, 0], x, axis=0))


@case(floats(3), floats(5, 3), sim=True)
def unpacked_elements(p, points):
    x, y, z = p
    first, *others = points
    return x * y - z, first + others[-1], np.allclose(points, points + 1e-9), np.array_equal(p, points[0])


@case(floats(8), integers(8))
def options_by_their_places(x, y):
    z = np.zeros((), np.float32)
    np.sum(x, 0, None, z)
    return (z, np.max(x.reshape(2, 4), 1, None, True), np.clip(x, a_min=-1, a_max=1), np.std(y, dtype=np.float32), np.var(x, ddof=1), np.clip(y, None, 3),
            np.mean(x.reshape(2, 4), 0, None, None, True))


@case(floats(6, 4))
def copies_of_what_is_not_in_rows(x):
    other, same, plain = np.ascontiguousarray(x.T), np.ascontiguousarray(x), np.asarray(x, dtype=np.float32)
    other[0] = 1
    same[1] = 2
    plain[2] = 3
    numbers = np.nan_to_num(x, copy=False)
    numbers[3] = 4
    row = np.zeros_like(x)
    row.reshape(-1)[3] = 5
    return other, row, x * np.array(0.5)


@airlite.jit
def _halved(x):
    return x * np.float32(0.5)


def _in_numpy(x):
    return _halved.function(x) if isinstance(x, np.ndarray) else _halved(x)


@case(floats(6), integers(6), sim=True)
def methods(x, y):
    half = np.float32(0.5) * x
    guess = (np.int32(0x5f3759df) - (abs(x).view(np.int32) >> 1)).view(np.float32)  # of 1 / sqrt(x)
    bits = x.view(np.uint32)
    x[0] = 2
    y.fill(3)
    return guess, bits * 1, half, y.ptp(), x.ptp(), np.zeros(x.nbytes // x.itemsize, np.float32) + x, _in_numpy(x)


# -- Elements of 8 and 16 bits that do not lie in words

@case(integers(9, 7, dtype=np.uint8, least=0, most=200), sim=True)
def parts_of_bytes(x):
    return (x[1:, 1:], x[::2, ::3], x[1:-1, 1:-1] + 1, x[:, ::-1], x.T, x[3], x[:, 3], np.pad(x, 1), np.roll(x, 1, 1),
            np.concatenate([x, x[:, 2:5]], 1), x[1:, 2:5].sum(0, dtype=np.int32))


@case(integers(9, 5, dtype=np.int16), integers(4, 3, dtype=np.int16), sim=True)
def parts_of_halves_are_assigned_to(x, y):
    x[1:5, 1:4] = y
    x[:, 0] = 1
    x[5::2, ::2] -= 1
    x[0, 3] = y[2, 2]


@case(floats(9, 7).astype(bfloat16), integers(3, 5, 7) > 0, sim=True)
def parts_of_bf16_and_bools(x, y):
    x[2:4, 1:4] += x[3:5, 2:5]
    return x[::2, 1:] * 1, np.stack([x, x, x, x, x], -1), y[:, 1:, 2:], ~y[1, :, 3], np.tile(y[0], (1, 3))


# -- Parts without elements, as the first and the last trips of loops have them

@case(np.eye(4, dtype=np.float32) * 5 + 1, sim=True)
def triangular_factor(a):
    factor = np.zeros_like(a)
    for i in range(4):
        for j in range(i + 1):
            rest = a[i, j] - np.dot(factor[i, :j], factor[j, :j])
            factor[i, j] = np.sqrt(rest) if i == j else rest / factor[j, j]
    return factor


@case(floats(4, 6))
def parts_without_elements(x):
    none, end = x[:0], x[9:]
    end += 1
    x[4:] = 3
    x[:, 2:2] *= x[:, :1]
    made = np.zeros(0, np.float32)
    for i in range(3):
        made = np.append(made, x[0, i])
    return (none.sum(0), none.prod(axis=0), none.any(), none.all(0), x[:, 3:3] @ x[:3, 3:3].T, np.einsum("ij,ik->jk", none, none), np.concatenate([none, x, end]), made,
            (none * x[0] + 1).T.sum(1), none.reshape(3, 0, 2).sum((1, 2)), np.pad(x[0, :0], 2), np.roll(none, 1).sum(), np.linalg.norm(x[0, 6:]))


@case(floats(4, 6))
def parts_beyond_the_end(x):
    x[1:100] += 1
    return x[2:100] * 1, x[-100:2] * 1, x[100:1:-2] * 1, np.shape(x)[0] * x[0], np.size(x) * x[1]


def test_parts_without_elements_in_loops_and_returned():
    @airlite.jit(on="interp")
    def counted(x):
        made = x.copy()
        for i in api.loop(3):
            made[i:i] = 3
            made[i] += x[i:i].sum() + 1
        return made

    assert (counted(np.zeros(4, np.int32)) == [1, 1, 1, 0]).all()


# -- What a review has found

@case(floats(4, 6))
def rows_put_in(x):
    return (np.insert(x, 1, np.ones((2, 6), np.float32), axis=0), np.insert(x, [1], x[:, :2], axis=1), np.insert(x[0], slice(0, 4), [1, 2, 3, 4]),
            np.block([x[0], np.float32(1)]))


@case(floats(8), integers(8))
def conditions_that_are_no_bools(x, n):
    return np.where([True, False] * 4, x, -x), np.where(n & 1, n, 0), np.where(x, 1.0, x), np.where(1, n, 0)


@case(floats(4, 6), floats(4, 2), integers(12), sim=True)
def differences_with_ends_and_numbers_of_other_kinds(x, ends, n):
    return (np.diff(x, append=ends), np.diff(x, axis=0, append=1.0, prepend=x[1:2]), np.diff(n, prepend=0), np.isin(n, [1.5, 2, 1e30]), np.isin(n.astype(np.float32), [1, 2, 0.1]),
            np.isin(n.astype(np.uint8), [-1, 3, 260]), np.isin(n, []))


@case(floats(4, 5, 3), integers(5, least=0, most=4), integers(4, least=0, most=5), sim=True)
def experts_that_elements_choose(x, first, second):
    return x[first, np.arange(5)], x[np.arange(4), second], x[..., 0][first, np.arange(5)]


@pytest.mark.parametrize("function, arguments, sim", CASES)
def test_as_numpy(function, arguments, sim):
    check(function, arguments, "interp")
    if sim:
        check(function, arguments, "sim")


# -- Loops and cores

def _accumulated(x):
    total, rows, weights = np.zeros(8, np.float32), np.zeros(8, np.float32), np.array([1, 2, 3, 4, 5, 6, 7, 8], np.float32)
    for i in api.loop(8):
        total += x[i] * weights[i]
        rows[i] = x[i].sum()
        x[x > 1] *= 0.5
    return total, rows


def test_arrays_that_numpy_makes_in_loops():
    x = floats(8, 8)
    wanted_total, wanted_rows, changed = np.zeros(8, np.float32), np.zeros(8, np.float32), x.copy()
    for i in range(8):
        wanted_total += changed[i] * (i + 1)
        wanted_rows[i] = changed[i].sum()
        changed[changed > 1] *= 0.5
    for on in ("interp", "sim"):
        given = x.copy()
        total, rows = airlite.jit(_accumulated, on=on)(given)
        for got, wanted in ((total, wanted_total), (rows, wanted_rows), (given, changed)):
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


def test_arrays_that_numpy_makes_on_cores():
    @airlite.jit
    def sums(a, out):
        with api.herd(4) as core:
            tile, total = api.empty(8, np.int32), np.full(8, 3, np.int32)
            for at in api.loop(0, 16, 8):
                api.copy(a[core * 16 + at:core * 16 + at + 8], tile)
                total += tile
            tile[:] = total
            api.copy(tile, out[core * 8:core * 8 + 8])

    a, out = integers(64), np.zeros(32, np.int32)
    sums(a, out)
    assert (out == a.reshape(4, 2, 8).sum(1).reshape(-1) + 3).all()


# -- Programs of small arrays, which one core computes

def _edit_distance(a, b):
    before = np.arange(7, dtype=np.int32)
    for row in range(4):
        here = np.zeros(7, np.int32)
        here[0] = row + 1
        for column in range(6):
            here[column + 1] = np.minimum(np.minimum(before[column + 1], here[column]) + 1, before[column] + (a[row] != b[column]).astype(np.int32))
        before = here
    return before[6]


def _shortest_ways(d):
    for k in range(8):
        d[:] = np.minimum(d, d[:, k:k + 1] + d[k:k + 1, :])


def _smoothed(x):
    y, state, weights = np.zeros_like(x), np.zeros((), np.float32), np.arange(5, dtype=np.float32)
    for n in api.loop(24):
        state = state * 0.9 + x[n] * 0.1
        y[n] = state
    return y, x[:5] @ weights


@pytest.mark.parametrize("function, arguments, most", [
    (_edit_distance, [integers(4, least=0, most=3), integers(6, least=0, most=3)], 20_000), (_shortest_ways, [floats(8, 8) ** 2], 10_000),
    (_smoothed, [floats(24)], 20_000)])
def test_small_programs_run_on_one_core(function, arguments, most):
    general, small = (airlite.jit(function, on=on) for on in ("interp", "sim"))
    results = [(flat(jitted(*given)), given, jitted) for jitted in (general, small) for given in [[each.copy() for each in arguments]]]
    for one, two in zip(results[0][0] + results[0][1], results[1][0] + results[1][1]):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-4)
    kernel = small._kernel(arguments, {})[0]
    assert kernel._cycles(small.compile(*arguments)) < most < 3000 * kernel.effort.kernels


def test_programs_that_do_not_fit_a_core_have_launches():
    def steps(x):
        y = np.zeros_like(x)
        for n in range(1, 20):
            y[n] = np.exp(x[n] / (abs(y[n - 1]) + 1))
        return y

    check(steps, [floats(20)], "sim")


# -- Copies

_COPIES = {
    "tile": lambda x: np.tile(x, 1), "repeat": lambda x: np.repeat(x, 1), "roll": lambda x: np.roll(x, 6), "pad": lambda x: np.pad(x, 0),
    "concatenate": lambda x: np.concatenate([x]), "flatten": lambda x: x.flatten(), "sum": lambda x: x.sum(()), "positive": lambda x: +x,
    "astype": lambda x: x.astype(x.dtype), "array": lambda x: np.array(x), "trunc": lambda x: np.trunc(x), "power": lambda x: x ** 1,
    "nan_to_num": lambda x: np.nan_to_num(x), "take": lambda x: x[[0, 1, 2, 3, 4, 5]], "sort": lambda x: np.sort(x), "where": lambda x: np.where(x == x, x, 0),
    "asarray": lambda x: np.asarray(x), "same dtype": lambda x: np.asarray(x, dtype=np.float32), "np.positive": lambda x: np.positive(x), "view": lambda x: x[0:6], "reshape": lambda x: x.reshape(6), "split": lambda x: np.split(x, 1)[0],
}


@pytest.mark.parametrize("name", _COPIES)
def test_copies_are_arrays_of_their_own(name):
    def one(x):
        y = x * 1
        y[0] = 2
        z = _COPIES[name](y)
        y[:] = 9
        return z * 1, y * 1

    def other(x):
        y = x * 1
        z = _COPIES[name](y)
        z[2] = 7
        return z * 1, y * 1
    check(one, [floats(6)], "interp")
    check(other, [floats(6)], "interp")


# -- Random programs

def _index(rng, shape):
    parts = []
    for size in shape:
        start, kind = rng.randrange(size), rng.random()
        part = f"{start}:{rng.randint(start + 1, size)}:{rng.choice([1, 1, 2, 3])}"
        parts.append(":" if kind < 0.3 else str(start) if kind < 0.45 else "::-1" if kind < 0.55 else part)
    return ", ".join(parts)


def _moves(rng, shape):
    """The text of a function that moves elements of an array."""
    lines, axis = ["y, r = x.copy(), []"], rng.randrange(len(shape))
    for _ in range(rng.randint(1, 4)):
        part = f"y[{_index(rng, shape)}]"
        lines.append(rng.choice([
            f"r.append({part})", f"r.append({part})", f"{part} = {part} + {part}", f"{part} = y[{', '.join('0' for _ in shape)}]",
            f"r.append(np.concatenate([y, y[{rng.randrange(shape[0])}:]], 0))", f"r.append(np.pad(y, {rng.randint(0, 2)}))",
            f"r.append(np.roll(y, {rng.randint(0, 3)}, {axis}))", f"r.append(np.concatenate([y, y], {axis}).T)"]))
    return "def function(x):\n" + "".join(f"    {line}\n" for line in lines) + "    return (*r, y)\n"


@pytest.mark.parametrize("seed", range(60))
def test_random_moves_of_short_elements(seed):
    rng = random.Random(seed)
    shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
    made = {"np": np}
    exec(_moves(rng, shape), made)
    x = integers(*shape, dtype=rng.choice([np.int8, np.uint8, np.int16, np.uint16, bfloat16]), least=0, most=60)
    check(made["function"], [x], "sim" if seed % 10 == 0 else "interp")


def test_numpy_is_as_it_was_after_a_trace():
    before = np.zeros, np.array
    airlite.jit(lambda x: x + np.zeros(3, np.float32), on="interp")(floats(3))
    with pytest.raises(TypeError):
        airlite.jit(lambda x: np.lexsort(x), on="interp")(floats(3))
    assert (np.zeros, np.array) == before and type(np.zeros(3)) is np.ndarray
