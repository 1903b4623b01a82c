"""Systems of linear equations: elimination of one column after the other, each by the row with its greatest element, as LAPACK chooses it."""

import numpy as np

from ._arrays import as_dtype, common_dtype, expression, full, select, view
from ._elements import is_float

_MOST_ROWS = 16  # each is a step of a few kernels


def det(x):
    """The determinant of a matrix, or of each matrix of a batch."""
    x = _square("det", x)
    return _of_two_rows(x)[1] if x.shape[-1] == 2 else _eliminated(x, None)[1]


def inv(x):
    """The inverse of a matrix. numpy has an error for a singular one, here its elements are infinite or NaN."""
    x = _square("inv", x)
    if x.shape[-1] == 2:
        adjugate, determinant = _of_two_rows(x)
        return adjugate / determinant[..., None, None]
    one = np.eye(x.shape[-1], dtype=np.float32)
    return _eliminated(x, select(one != 0, full(x.shape, 1, x.dtype), full(x.shape, 0, x.dtype)))[0]


def solve(left, right):
    """The x of left @ x == right."""
    left, right = _square("solve", left), expression(right)
    dtype = common_dtype([left.dtype, right.dtype])
    left, right = as_dtype(left, dtype), as_dtype(right, dtype)
    is_vector = right.ndim == left.ndim - 1
    right = right[..., None] if is_vector else right
    if right.shape[:-1] != left.shape[:-1]:
        raise ValueError(f"solve of arrays of shapes {left.shape} and {right.shape[:-1] if is_vector else right.shape}")
    made = _eliminated(left, right)[0]
    return made[..., 0] if is_vector else made


def _square(name, x):
    x = expression(x)
    if not is_float(x.dtype):
        raise TypeError(f"{name} is for floats, got {x.dtype}: x.astype(np.float32) converts")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"{name} is for matrices of as many rows as columns, got shape {x.shape}")
    if x.shape[-1] > _MOST_ROWS:
        raise TypeError(f"{name} of a matrix of {x.shape[-1]} rows is not supported: each is a step of the program, so it has at most {_MOST_ROWS}")
    return x


def _of_two_rows(x):
    """The adjugate and the determinant, which take few kernels."""
    signs = np.array([[1, -1], [-1, 1]], np.float32)
    turned = x[..., ::-1, ::-1]
    adjugate = as_dtype(expression(signs), x.dtype) * turned.swapaxes(-1, -2)
    return adjugate, x[..., 0, 0] * x[..., 1, 1] - x[..., 0, 1] * x[..., 1, 0]


def _eliminated(left, right):
    """What right becomes, where it is given, when left becomes the identity, and the determinant of left."""
    from ._functions import FUNCTIONS
    size, determinant = left.shape[-1], None
    wide = left if right is None else FUNCTIONS["concatenate"]([left, right], -1)
    places = np.arange(size, dtype=np.int32)
    for step in range(size):
        column = wide[..., :, step]
        size_of = select(places >= step, abs(column), -1)
        best = select(size_of == size_of.max(-1, keepdims=True), places, size).min(-1, keepdims=True)
        is_best, is_step = best == places, places == step
        pivots = _of_rows(is_best, wide)
        pivot = pivots[..., 0, step:step + 1]
        exchanged = select(_by_row(is_best), wide[..., step:step + 1, :], wide)
        factor = select(is_best, wide[..., step, step:step + 1], column) / pivot
        wide = select(_by_row(expression(is_step)), pivots / pivot[..., None], exchanged - _by_row(factor) * pivots)
        signed = select(best == step, pivot, -pivot)
        determinant = signed if determinant is None else determinant * signed
    return wide[..., size:], determinant[..., 0]


def _by_row(x):
    return view(x, [*range(x.ndim), None])


def _of_rows(is_chosen, x):
    """The one row of each matrix that is chosen."""
    return select(_by_row(is_chosen), x, 0).sum(-2, keepdims=True)
