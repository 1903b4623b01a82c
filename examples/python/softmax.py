"""The softmax of each row."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@airlite.jit
def softmax_by_hand(x, out):
    rows = x.shape[0] // 4
    with api.herd(4) as core:
        tile = api.empty((rows, x.shape[1]), x.dtype)
        api.copy(x[core * rows:core * rows + rows, :], tile)
        tile[:] = api.softmax(tile)
        api.copy(tile, out[core * rows:core * rows + rows, :])


x = np.random.default_rng(0).standard_normal((64, 48)).astype(np.float32)
powers = np.exp(x)
wanted = powers / powers.sum(axis=1, keepdims=True)
y = softmax(x)
assert np.allclose(y, wanted, atol=1e-5)
print("softmax:", y.cycles, "cycles")
y = np.zeros_like(x)
run = softmax_by_hand(x, y)
assert np.allclose(y, wanted, atol=1e-5)
print("softmax_by_hand:", run.cycles, "cycles")
