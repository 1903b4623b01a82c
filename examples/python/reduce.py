"""The sum and the greatest element of each row."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def reduce(x):
    return x.sum(axis=1), x.max(axis=1)


@airlite.jit
def reduce_by_hand(x, sums):
    rows = x.shape[0] // 4
    with api.herd(4) as core:
        tile, total = api.empty((rows, x.shape[1]), x.dtype), api.empty(rows, x.dtype)
        api.copy(x[core * rows:core * rows + rows, :], tile)
        total[:] = tile.sum(axis=1)
        api.copy(total, sums[core * rows:core * rows + rows])


x = np.random.default_rng(0).integers(-99, 99, (64, 128)).astype(np.int32)
sums, greatest = reduce(x)
assert (sums == x.sum(axis=1)).all() and (greatest == x.max(axis=1)).all()
print("reduce:", sums.cycles, "cycles")
sums = np.zeros(64, np.int32)
run = reduce_by_hand(x, sums)
assert (sums == x.sum(axis=1)).all()
print("reduce_by_hand:", run.cycles, "cycles (sums alone)")
