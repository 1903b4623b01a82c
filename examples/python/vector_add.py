"""c = a + b: as a function of arrays, and as a schedule for four cores."""
import airlite
import numpy as np
from airlite import api


@airlite.jit
def add(a, b):
    return a + b


@airlite.jit
def add_by_hand(a, b, c):
    part, size = a.shape[0] // 4, 256
    with api.herd(4) as core:
        x, y = api.empty(size, a.dtype), api.empty(size, b.dtype)
        for at in api.loop(0, part, size):
            here = slice(core * part + at, core * part + at + size)
            api.copy(a[here], x)
            api.copy(b[here], y)
            x[:] = x + y
            api.copy(x, c[here])


a, b = np.arange(4096, dtype=np.int32), np.arange(4096, dtype=np.int32)[::-1].copy()
c = add(a, b)
assert (c == a + b).all()
print("add:", c.cycles, "cycles")
c = np.zeros_like(a)
run = add_by_hand(a, b, c)
assert (c == a + b).all()
print("add_by_hand:", run.cycles, "cycles")
