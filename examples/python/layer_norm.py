"""Layer norm of each row, with a scale and a shift for each column."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def norm(x, scale, shift):
    return api.layer_norm(x, scale, shift)


@airlite.jit
def norm_by_hand(x, out):
    rows = x.shape[0] // 4
    with api.herd(4) as core:
        tile = api.empty((rows, x.shape[1]), x.dtype)
        api.copy(x[core * rows:core * rows + rows, :], tile)
        tile[:] = api.layer_norm(tile)
        api.copy(tile, out[core * rows:core * rows + rows, :])


rng = np.random.default_rng(0)
x, scale, shift = (rng.standard_normal(shape).astype(np.float32) for shape in ((32, 64), 64, 64))
normal = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
y = norm(x, scale, shift)
assert np.allclose(y, normal * scale + shift, atol=1e-4)
print("norm:", y.cycles, "cycles")
y = np.zeros_like(x)
run = norm_by_hand(x, y)
assert np.allclose(y, normal, atol=1e-4)
print("norm_by_hand:", run.cycles, "cycles (without scale and shift)")
