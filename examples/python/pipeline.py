"""(x + 1) * 2 in two cores: the first sends what it has computed to the second."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def compute(x):
    return (x + 1) * 2


@airlite.jit
def compute_by_hand(x, out):
    size = 256
    first, middle, last = api.channel(), api.channel(), api.channel()
    first.put(x)
    last.get(out)
    with api.segment():
        with api.herd(1):
            for _ in api.loop(0, x.shape[0], size):
                tile = api.empty(size, x.dtype)
                first.get(tile)
                tile[:] = tile + 1
                middle.put(tile)
        with api.herd(1):
            for _ in api.loop(0, x.shape[0], size):
                tile = api.empty(size, x.dtype)
                middle.get(tile)
                tile[:] = tile * 2
                last.put(tile)


x = np.arange(1024, dtype=np.int32)
y = compute(x)
assert (y == (x + 1) * 2).all()
print("compute:", y.cycles, "cycles")
y = np.zeros_like(x)
run = compute_by_hand(x, y)
assert (y == (x + 1) * 2).all()
print("compute_by_hand:", run.cycles, "cycles")
