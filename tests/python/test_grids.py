"""Random launches of linalg ops on parts of arrays: as ops on whole arrays they compute the same (air-launch-to-linalg,
air-fold-moves)."""
import random

import airlite
import numpy as np
import pytest

PASSES = "func.func(air-launch-to-linalg,air-fold-moves,canonicalize)"


class Point:
    """A launch whose points compute tiles of `rows` x `columns` of arrays of any shape."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.grid = [self.rng.choice([1, 2, 3]) for _ in range(2)]
        self.rows, self.columns = self.rng.choice([1, 2, 4]), self.rng.choice([1, 3, 4])
        self.shape = (self.grid[0] * self.rows, self.grid[1] * self.columns)
        self.lines, self.tiles, self.count = [], [], 0
        self.arrays = []  # shapes of the arguments
        for _ in range(2):
            self.tiles.append(self.loaded())
        for _ in range(self.rng.randint(1, 5)):
            self.rng.choice([self.elementwise, self.centered, self.turned, self.biased, self.in_place])()
        self.stored(self.tiles[-1])

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def part(self, array, is_row=False):
        """A part of an argument: a tile, or a row for all tiles of a column."""
        offset, view = self.name(), self.name()
        shape = (self.columns,) if is_row else (self.rows, self.columns)
        across = self.shape[1]
        expr = f"d1 * {self.columns}" if is_row else f"d0 * {self.rows * across} + d1 * {self.columns}"
        strides = [1] if is_row else [across, 1]
        self.lines.append(f"{offset} = affine.apply affine_map<(d0, d1) -> ({expr})>(%i, %j)")
        kind = f"memref<{'x'.join(map(str, shape))}xi32, strided<{strides}, offset: ?>>"
        self.lines.append(f"{view} = memref.reinterpret_cast %l{array} to offset: [{offset}], sizes: {list(shape)}, "
                          f"strides: {strides} : {self.type_of(array)} to {kind}")
        return view, kind

    def type_of(self, array):
        return f"memref<{int(np.prod(self.arrays[array]))}xi32>"

    def alloc(self, *shape):
        made, kind = self.name(), f"memref<{'x'.join(map(str, shape))}xi32>"
        self.lines.append(f"{made} = memref.alloc() : {kind}")
        return made, kind

    def loaded(self):
        self.arrays.append(self.shape)
        view, tile = self.part(len(self.arrays) - 1), self.alloc(self.rows, self.columns)
        self.lines.append(f"memref.copy {view[0]}, {tile[0]} : {view[1]} to {tile[1]}")
        return tile

    def stored(self, tile):
        self.arrays.append(self.shape)
        view = self.part(len(self.arrays) - 1)
        self.lines.append(f"memref.copy {tile[0]}, {view[0]} : {tile[1]} to {view[1]}")

    def generic(self, op, inputs, output, maps, kinds="parallel, parallel"):
        kinds = ", ".join(f'"{kind.strip()}"' for kind in kinds.split(","))
        maps = ", ".join(f"affine_map<(d0, d1) -> ({each})>" for each in maps)
        self.lines += [f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
                       f"ins({', '.join(name for name, _ in inputs)} : {', '.join(kind for _, kind in inputs)}) "
                       f"outs({output[0]} : {output[1]}) {{",
                       f"^bb0({''.join(f'%p{at}: i32, ' for at in range(len(inputs)))}%o: i32):",
                       f"%r = arith.{op} %p0, {'%o' if len(inputs) == 1 else '%p1'} : i32" if op else "",
                       f"linalg.yield {'%r' if op else '%p0'} : i32", "}"]

    def tile(self):
        return self.rng.choice(self.tiles)

    def elementwise(self):
        made = self.alloc(self.rows, self.columns)
        self.generic(self.rng.choice(["addi", "subi", "muli"]), [self.tile(), self.tile()], made, ["d0, d1"] * 3)
        self.tiles.append(made)

    def in_place(self):
        tile = self.tile()
        self.generic("subi", [self.tile(), tile], tile, ["d0, d1"] * 3)

    def biased(self):
        self.arrays.append((self.shape[1],))
        row, made = self.part(len(self.arrays) - 1, True), self.alloc(self.rows, self.columns)
        self.generic("addi", [self.tile(), row], made, ["d0, d1", "d1", "d0, d1"])
        self.tiles.append(made)

    def turned(self):
        """Twice transposed, with an op in between."""
        there, back = self.alloc(self.columns, self.rows), self.alloc(self.rows, self.columns)
        tile = self.tile()
        self.lines.append(f"linalg.transpose ins({tile[0]} : {tile[1]}) outs({there[0]} : {there[1]}) permutation = [1, 0]")
        self.generic("muli", [there, tile], back, ["d1, d0", "d0, d1", "d0, d1"])
        self.tiles.append(back)

    def centered(self):
        """Less the sums of rows, which are kept as a column and repeated."""
        tile, sums = self.tile(), self.alloc(self.rows)
        self.lines.append(f"linalg.fill ins(%zero : i32) outs({sums[0]} : {sums[1]})")
        self.generic("addi", [tile], sums, ["d0, d1", "d0"], "parallel, reduction")
        column, kind = self.name(), f"memref<{self.rows}x1xi32>"
        self.lines.append(f"{column} = memref.expand_shape {sums[0]} [[0, 1]] output_shape [{self.rows}, 1] : {sums[1]} into {kind}")
        wide, made = self.alloc(self.rows, self.columns), self.alloc(self.rows, self.columns)
        self.generic(None, [(column, kind)], wide, ["d0, 0", "d0, d1"])
        self.generic("subi", [tile, wide], made, ["d0, d1"] * 3)
        self.tiles.append(made)

    def text(self):
        count = len(self.arrays)
        types = [self.type_of(at) for at in range(count)]
        return (f"func.func @main({', '.join(f'%a{at}: {each}' for at, each in enumerate(types))}) {{\n"
                f"%rows = arith.constant {self.grid[0]} : index\n%columns = arith.constant {self.grid[1]} : index\n"
                f"air.launch (%i, %j) in (%x = %rows, %y = %columns) "
                f"args({', '.join(f'%l{at} = %a{at}' for at in range(count))}) : {', '.join(types)} {{\n%zero = arith.constant 0 : i32\n" +
                "\n".join(self.lines) + "\n}\nreturn\n}\n")


@pytest.mark.parametrize("first", range(0, 160, 40))
def test_grids_as_arrays(first):
    joined = 0
    for seed in range(first, first + 40):
        point = Point(seed)
        module = airlite.parse(point.text(), name=f"grid{seed}")
        rng = np.random.default_rng(seed)
        arrays = [rng.integers(-9, 9, int(np.prod(shape))).astype(np.int32) for shape in point.arrays]
        wanted = [each.copy() for each in arrays]
        airlite.run(module, *wanted, on="interp")
        airlite.run_passes(module, PASSES)
        joined += not module.walk("air.launch")
        airlite.run(module, *arrays, on="interp")
        for want, got in zip(wanted, arrays):
            assert (want == got).all(), seed
    assert joined == 40
