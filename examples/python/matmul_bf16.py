"""A product of bf16 with sums in f32, as the matrix unit makes them."""
import airlite
import numpy as np
from airlite import api
from ml_dtypes import bfloat16


@airlite.jit
def product(a, b):
    return api.matmul(a, b, dtype=np.float32)


@airlite.jit
def product_by_hand(a, b, c):
    m, n, k = 16, 16, 32
    with api.herd(2, 2) as (x, y):
        left, right, sums = api.empty((m, k), a.dtype), api.empty((k, n), b.dtype), api.empty((m, n), c.dtype)
        sums[:] = 0
        for at in api.loop(0, a.shape[1], k):
            api.copy(a[x * m:x * m + m, at:at + k], left)
            api.copy(b[at:at + k, y * n:y * n + n], right)
            sums[:] = sums + api.matmul(left, right, dtype=np.float32)
        api.copy(sums, c[x * m:x * m + m, y * n:y * n + n])


rng = np.random.default_rng(0)
a, b = rng.standard_normal((32, 64)).astype(bfloat16), rng.standard_normal((64, 32)).astype(bfloat16)
wanted = a.astype(np.float32) @ b.astype(np.float32)
c = product(a, b)
assert np.allclose(c, wanted, rtol=1e-4, atol=1e-4)
print("product:", c.cycles, "cycles")
c = np.zeros((32, 32), np.float32)
run = product_by_hand(a, b, c)
assert np.allclose(c, wanted, rtol=1e-4, atol=1e-4)
print("product_by_hand:", run.cycles, "cycles")
