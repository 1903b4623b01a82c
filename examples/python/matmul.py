"""c = a @ b in i32: as a function of arrays, and in tiles on 2 x 2 cores."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def product(a, b):
    return a @ b


@airlite.jit
def product_by_hand(a, b, c):
    m, n, k = 32, 32, 32
    with api.launch(a.shape[0] // (2 * m), b.shape[1] // (2 * n)) as (row, column), api.segment():
        with api.herd(2, 2) as (x, y):
            rows = slice((row * 2 + x) * m, (row * 2 + x) * m + m)
            columns = slice((column * 2 + y) * n, (column * 2 + y) * n + n)
            left, right = api.empty((m, k), a.dtype), api.empty((k, n), b.dtype)
            sums = api.empty((m, n), c.dtype)
            sums[:] = 0
            for at in api.loop(0, a.shape[1], k):
                api.copy(a[rows, at:at + k], left)
                api.copy(b[at:at + k, columns], right)
                sums[:] = sums + left @ right
            api.copy(sums, c[rows, columns])


rng = np.random.default_rng(0)
a, b = rng.integers(-9, 9, (128, 64)).astype(np.int32), rng.integers(-9, 9, (64, 128)).astype(np.int32)
c = product(a, b)
assert (c == a @ b).all()
print("product:", c.cycles, "cycles")
c = np.zeros((128, 128), np.int32)
run = product_by_hand(a, b, c)
assert (c == a @ b).all()
print("product_by_hand:", run.cycles, "cycles")
