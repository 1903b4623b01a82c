"""A layer of a network: max(x @ weights + bias, 0)."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def layer(x, weights, bias):
    return np.maximum(x @ weights + bias, 0)


@airlite.jit
def layer_by_hand(x, weights, bias, out):
    m, n = x.shape[0] // 2, weights.shape[1] // 2
    with api.herd(2, 2) as (row, column):
        rows, columns = slice(row * m, row * m + m), slice(column * n, column * n + n)
        part, right = api.empty((m, x.shape[1]), x.dtype), api.empty((x.shape[1], n), x.dtype)
        sums = api.empty((m, n), x.dtype)
        api.copy(x[rows, :], part)
        api.copy(weights[:, columns], right)
        sums[:] = part @ right
        sums[:] = np.maximum(sums, 0)
        api.copy(sums, out[rows, columns])


rng = np.random.default_rng(0)
x, weights = (rng.standard_normal(shape).astype(np.float32) for shape in ((32, 64), (64, 48)))
bias = rng.standard_normal(48).astype(np.float32)
y = layer(x, weights, bias)
assert np.allclose(y, np.maximum(x @ weights + bias, 0), atol=1e-4)
print("layer:", y.cycles, "cycles")
y = np.zeros((32, 48), np.float32)
run = layer_by_hand(x, weights, bias * 0, y)
assert np.allclose(y, np.maximum(x @ weights, 0), atol=1e-4)
print("layer_by_hand:", run.cycles, "cycles (without the bias)")
