"""y = a @ x for a vector: each core has some rows."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def product(a, x):
    return a @ x


@airlite.jit
def product_by_hand(a, x, y):
    rows = a.shape[0] // 4
    with api.herd(4) as core:
        here = slice(core * rows, core * rows + rows)
        part, vector, sums = api.empty((rows, a.shape[1]), a.dtype), api.empty(x.shape, x.dtype), api.empty(rows, y.dtype)
        api.copy(x, vector)
        api.copy(a[here, :], part)
        sums[:] = part @ vector
        api.copy(sums, y[here])


rng = np.random.default_rng(0)
a, x = rng.integers(-9, 9, (64, 96)).astype(np.int32), rng.integers(-9, 9, 96).astype(np.int32)
y = product(a, x)
assert (y == a @ x).all()
print("product:", y.cycles, "cycles")
y = np.zeros(64, np.int32)
run = product_by_hand(a, x, y)
assert (y == a @ x).all()
print("product_by_hand:", run.cycles, "cycles")
