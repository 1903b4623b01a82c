"""The transpose of a matrix: each core turns one tile."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def transpose(x):
    return x.T


@airlite.jit
def transpose_by_hand(x, out):
    size = 32
    with api.herd(2, 2) as (row, column):
        tile, turned = api.empty((size, size), x.dtype), api.empty((size, size), x.dtype)
        rows, columns = slice(row * size, row * size + size), slice(column * size, column * size + size)
        api.copy(x[rows, columns], tile)
        turned[:] = tile.T
        api.copy(turned, out[columns, rows])


x = np.arange(64 * 64, dtype=np.int32).reshape(64, 64)
y = transpose(x)
assert (y == x.T).all()
print("transpose:", y.cycles, "cycles")
y = np.zeros_like(x)
run = transpose_by_hand(x, y)
assert (y == x.T).all()
print("transpose_by_hand:", run.cycles, "cycles")
