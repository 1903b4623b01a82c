"""x + 1 for a matrix: as a function of arrays, and tile by tile on one core."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def add_one(x):
    return x + 1


@airlite.jit
def add_one_by_hand(x, out):
    m, n = 16, 8
    with api.herd(1):
        tile = api.empty((m, n), x.dtype)
        for row in api.loop(0, x.shape[0], m):
            for column in api.loop(0, x.shape[1], n):
                api.copy(x[row:row + m, column:column + n], tile)
                tile[:] = tile + 1
                api.copy(tile, out[row:row + m, column:column + n])


x = np.arange(32 * 16, dtype=np.int32).reshape(32, 16)
y = add_one(x)
assert (y == x + 1).all()
print("add_one:", y.cycles, "cycles")
y = np.zeros_like(x)
run = add_one_by_hand(x, y)
assert (y == x + 1).all()
print("add_one_by_hand:", run.cycles, "cycles")
