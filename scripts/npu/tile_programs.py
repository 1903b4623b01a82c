#!/usr/bin/env python3
"""Random AIR programs as people write them by hand: tiles of matrices, reductions, products, neighbours, pipelines, patterns,
work of segments on L2 memory, segments that feed each other, windows and herds that no array has room for.

usage: tile_programs.py SEED      (prints the program of this number)

Each program has one or two launches, each of a kind below. They differ in what air_programs.py keeps fixed: element types and
sizes, patterns of up to four dimensions on either side, iteration spaces of launches, DMAs in cores, broadcasts of rows and
columns, cascades, rings, accumulators that stay in a core, herds that take other pieces than their neighbours send, parallel
loops around transfers, affine and structured ops. All of them are right: nothing hangs, races, leaves its memory or is read
unwritten. scripts/prove_npu.py --tiles N runs them, scripts/prove_checker.py makes mistakes in them.
"""
import random
import sys

TYPES = ("i32", "i32", "i16", "i8", "bf16", "f32")
BYTES = {"i8": 1, "i16": 2, "bf16": 2, "i32": 4, "f32": 4}


def is_float(element):
    return "f" in element


class Text:
    """Lines of a program. `channels` go in front of the function."""

    def __init__(self, rng):
        self.rng, self.lines, self.depth, self.count, self.channels, self.arguments = rng, [], 1, 0, [], []

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def begin(self, text):
        self.line(text + " {")
        self.depth += 1

    def end(self, text="}"):
        self.depth -= 1
        self.line(text)

    def new(self, stem="v"):
        self.count += 1
        return f"%{stem}{self.count}"

    def number(self, value):
        if isinstance(value, str):
            return value
        name = self.new("c")
        self.line(f"{name} = arith.constant {value} : index")
        return name

    def constant(self, value, element):
        name = self.new("k")
        self.line(f"{name} = arith.constant {float(value) if is_float(element) else value} : {element}")
        return name

    def op(self, op, a, b, element="index"):
        name = self.new()
        self.line(f"{name} = arith.{op} {a}, {b} : {element}")
        return name

    def sum_of(self, *terms):
        """Of pairs (value, factor), as arithmetic or one affine map."""
        terms = [(value, factor) for value, factor in terms if factor and value != 0]
        if not terms:
            return self.number(0)
        if self.rng.random() < 0.4:
            dims = ", ".join(f"s{i}" for i in range(len(terms)))
            text = " + ".join(f"s{i} * {factor}" for i, (_, factor) in enumerate(terms))
            name, values = self.new("o"), [self.number(value) for value, _ in terms]
            self.line(f"{name} = affine.apply affine_map<()[{dims}] -> ({text})>()[{', '.join(values)}]")
            return name
        total = None
        for value, factor in terms:
            value = self.number(value)
            part = value if factor == 1 else self.op("muli", value, self.number(factor))
            total = self.op("addi", total, part) if total else part
        return total

    def argument(self, shape, element):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((name, memref(shape, element)))
        return name

    def channel(self, sizes, broadcast=None, kind=None):
        name = f"@ch{len(self.channels)}"
        attributes = [f"broadcast_shape = {list(broadcast)}"] if broadcast else []
        attributes += [f'channel_type = "{kind}"'] if kind else []
        text = f" {{{', '.join(attributes)}}}" if attributes else ""
        self.channels.append(f"air.channel {name} {list(sizes)}{text}")
        return name

    def level(self, head, values, types):
        """Opens a launch, segment or herd, and hands `values` in; what they are called inside."""
        names = [self.new("a") for _ in values]
        pairs = ", ".join(f"{name} = {value}" for name, value in zip(names, values))
        self.begin(f"{head} args({pairs}) : {', '.join(types)}" if values else head)
        return names

    def alloc(self, shape, element, space):
        name = self.new("m")
        self.line(f"{name} = memref.alloc() : {memref(shape, element, space)}")
        return name

    def dealloc(self, name, kind):
        if self.rng.random() < 0.7:
            self.line(f"memref.dealloc {name} : {kind}")

    def access(self, memory, lists):
        if not lists:
            return f"{memory}[] [] []"
        return memory + " ".join(f"[{', '.join(self.number(entry) for entry in part)}]" for part in lists)

    def transfer(self, kind, channel, place, memory, memory_type, lists=None, after=(), sync=True):
        """A put or get; its token when it is asynchronous."""
        index = ", ".join(self.number(at) for at in place)
        text = f"{channel}[{index}] ({self.access(memory, lists)}) : ({memory_type})"
        if sync:
            return self.line(f"air.channel.{kind} {text}")
        token = self.new("t")
        self.line(f"{token} = air.channel.{kind} async [{', '.join(after)}] {text}")
        return token

    def copy(self, to, to_type, to_lists, source, source_type, source_lists):
        self.line(f"air.dma_memcpy_nd ({self.access(to, to_lists)}, {self.access(source, source_lists)}) : "
                  f"({to_type}, {source_type})")

    def over(self, sizes, body):
        """For each place of `sizes`, in a parallel loop or one by one."""
        if self.rng.random() < 0.6:
            zero, one, ids = self.number(0), self.number(1), [self.new("p") for _ in sizes]
            bounds = [self.number(size) for size in sizes]
            same = lambda value: ", ".join([value] * len(sizes))  # noqa: E731
            self.begin(f"scf.parallel ({', '.join(ids)}) = ({same(zero)}) to ({', '.join(bounds)}) step ({same(one)})")
            body(ids)
            self.line("scf.reduce")
            self.end()
            return
        for x in range(sizes[0]):
            for y in range(sizes[1]):
                body([x, y])

    def loop(self, count, body):
        if count == 1:
            return body(0)
        i = self.new("i")
        if self.rng.random() < 0.3:
            self.begin(f"affine.for {i} = 0 to {count}")
        else:
            zero, one, bound = self.number(0), self.number(1), self.number(count)
            self.begin(f"scf.for {i} = {zero} to {bound} step {one}")
        body(i)
        self.end()

    def each(self, shape, body):
        """Of a buffer: loops with `body(indices)`."""
        if not shape:
            return body([])
        ids = []
        use_affine = self.rng.random() < 0.5
        zero, one = self.number(0), self.number(1)
        for size in shape:
            ids.append(self.new("e"))
            bound = None if use_affine else self.number(size)
            self.begin(f"affine.for {ids[-1]} = 0 to {size}" if use_affine else
                       f"scf.for {ids[-1]} = {zero} to {bound} step {one}")
        body(ids)
        for _ in shape:
            self.end()

    def load(self, memory, kind, ids):
        name = self.new()
        self.line(f"{name} = memref.load {memory}[{', '.join(ids)}] : {kind}")
        return name

    def store(self, value, memory, kind, ids):
        self.line(f"memref.store {value}, {memory}[{', '.join(ids)}] : {kind}")

    def compute(self, sources, target, shape, element, space=2):
        """target = a function of all sources, element by element."""
        kind = memref(shape, element, space)
        pick = self.rng.choice
        ops = [pick(("addf", "mulf", "subf", "maximumf") if is_float(element) else
                    ("addi", "muli", "subi", "xori", "maxsi", "minsi")) for _ in sources]
        value = pick((1, 2, 3))

        def formula(values):
            result = self.constant(value, element)
            for op, operand in zip(ops, values):
                result = self.op(op, result, operand, element)
            return result

        if self.rng.random() < 0.35:
            maps = ", ".join(["affine_map<({0}) -> ({0})>".format(", ".join(f"d{i}" for i in range(len(shape))))]
                             * (len(sources) + 1))
            kinds = ", ".join(['"parallel"'] * len(shape))
            self.begin(f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins("
                       f"{', '.join(sources)} : {', '.join([kind] * len(sources))}) outs({target} : {kind})")
            names = [self.new("x") for _ in range(len(sources) + 1)]
            self.line(f"^bb0({', '.join(f'{name}: {element}' for name in names)}):")
            self.line(f"linalg.yield {formula(names[:-1])} : {element}")
            return self.end()
        return self.each(shape, lambda ids: self.store(formula([self.load(s, kind, ids) for s in sources]), target,
                                                       kind, ids))

    def text(self):
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.arguments)
        return "\n".join([*self.channels, f"func.func @f({arguments}) {{", *self.lines, "  return", "}"]) + "\n"


def memref(shape, element, space=0):
    dims = "".join(f"{size}x" for size in shape)
    return f"memref<{dims}{element}{f', {space}' if space else ''}>"


def herd(text, sizes, values, types, name):
    """Opens a herd; its ids and what was handed in."""
    x, y = text.new("x"), text.new("y")
    bounds = [text.number(size) for size in sizes]
    ns = text.new("n"), text.new("n")
    inside = text.level(f"air.herd @{name} tile ({x}, {y}) in ({ns[0]} = {bounds[0]}, {ns[1]} = {bounds[1]})", values,
                        types)
    return [x, y], inside


def async_herd(text, sizes, name):
    x, y, token = text.new("x"), text.new("y"), text.new("h")
    bounds = [text.number(size) for size in sizes]
    ns = text.new("n"), text.new("n")
    text.begin(f"{token} = air.herd @{name} async tile ({x}, {y}) in ({ns[0]} = {bounds[0]}, {ns[1]} = {bounds[1]})")
    return [x, y], token


def row_step(element):
    """Elements of a word: rows of whole words can be moved in every way."""
    return max(1, 4 // BYTES[element])


# -- Kinds of launches --------------------------------------------------------------------------------


def tiles(text, rng):
    """Each core computes its tiles of matrices: a launch for each block of them, DMAs in cores, channels, or by way of L2."""
    element, cores = rng.choice(TYPES), rng.choice(((1, 1), (2, 1), (1, 2), (2, 2), (1, 4), (4, 1)))
    style = rng.choice(("dma", "dma", "channel", "l2"))
    grid = rng.choice(((1, 1), (1, 1), (2, 1), (1, 3), (2, 2)))
    step = 1 if style == "dma" and rng.random() < 0.4 else row_step(element)
    high, wide = rng.choice((1, 2, 4, 6)), rng.choice((2, 4, 5, 8)) * step
    inputs, rounds = rng.randint(1, 3 if style == "dma" else 2), rng.choice((1, 1, 2, 3))
    rows, columns = cores[0] * high * rounds, cores[1] * wide
    shape, block = (rows * grid[0], columns * grid[1]), (high, wide)
    names = [text.argument(shape, element) for _ in range(inputs + 1)]
    far, near = memref(shape, element), memref(block, element, 2)
    pattern = ([high, wide], [shape[1], 1])
    # Tiles in blocks: the far side goes through them block by block.
    layout, tile_shape = pattern, block
    if high % 2 == 0 and wide % (2 * row_step(element)) == 0 and rng.random() < 0.4:
        inner = (2, 2 * row_step(element))
        tile_shape = (high // inner[0], wide // inner[1], *inner)
        near = memref(tile_shape, element, 2)
        layout = ([*tile_shape], [shape[1] * inner[0], inner[1], shape[1], 1])

    def far_lists(i, j, x, y, k):
        row = text.sum_of((i, rows), (x, high * rounds), (k, high))
        column = text.sum_of((j, columns), (y, wide))
        if layout is pattern:
            return [row, column], *pattern
        at = text.sum_of((row, shape[1]), (column, 1))
        return [0, 0, 0, at], layout[0], layout[1]

    ids = [text.new("l"), text.new("l")]
    bounds = [text.number(size) for size in grid]
    sizes = text.new("n"), text.new("n")
    inside = text.level(f"air.launch ({ids[0]}, {ids[1]}) in ({sizes[0]} = {bounds[0]}, {sizes[1]} = {bounds[1]})", names,
                        [far] * len(names))
    if style == "dma":
        inside = text.level(f"air.segment @tiles{text.count}", [*ids, *inside], ["index"] * 2 + [far] * len(names))
        place, inside = herd(text, cores, inside, ["index"] * 2 + [far] * len(names), f"tiles{text.count}")
        i, j, *memory = inside

        def one(k):
            buffers = [text.alloc(tile_shape, element, 2) for _ in names]
            for source, buffer in zip(memory[:-1], buffers):
                text.copy(buffer, near, None, source, far, far_lists(i, j, *place, k))
            text.compute(buffers[:-1], buffers[-1], tile_shape, element)
            text.copy(memory[-1], far, far_lists(i, j, *place, k), buffers[-1], near, None)
            for buffer in buffers:
                text.dealloc(buffer, near)
        text.loop(rounds, one)
        for _ in range(3):
            text.end()
        return
    channels = [text.channel(cores) for _ in names]
    if style == "channel":
        for number, (memory, channel) in enumerate(zip(inside, channels)):
            kind = "get" if number == inputs else "put"

            def side(at):
                last = ()
                for k in range(rounds):
                    last = [text.transfer(kind, channel, at, memory, far, far_lists(*ids, *at, k), after=last,
                                          sync=False)]
            text.over(cores, side)
        text.begin(f"air.segment @tiles{text.count}")
        tile_cores(text, cores, channels, tile_shape, element, rounds)
        text.end()
        text.end()
        return
    # A block of the launch at a time: rounds are in L2 one after the other.
    part = (cores[0] * high, columns)
    middle, outer = memref(part, element, 1), [text.channel((1, 1)) for _ in names]
    for number, (memory, channel) in enumerate(zip(inside, outer)):
        kind = "get" if number == inputs else "put"
        last = ()
        for k in range(rounds):
            lists = [0, text.sum_of((ids[0], rows), (k, high)), text.sum_of((ids[1], columns))], \
                [cores[0], high, columns], [high * rounds * shape[1], shape[1], 1]
            last = [text.transfer(kind, channel, (0, 0), memory, far, lists, after=last, sync=False)]
    text.begin(f"air.segment @tiles{text.count}")
    token = tile_cores(text, cores, channels, tile_shape, element, rounds, True)
    lists_of = (lambda at: ([text.sum_of((at[0], high)), text.sum_of((at[1], wide))], [high, wide], [columns, 1]))
    if layout is not pattern:
        inner = tile_shape[2:]
        lists_of = (lambda at: ([0, 0, 0, text.sum_of((at[0], high * columns), (at[1], wide))], [*tile_shape],
                                [columns * inner[0], inner[1], columns, 1]))

    def round_of(_):
        for number in range(inputs + 1):
            buffer = text.alloc(part, element, 1)
            if number < inputs:
                text.transfer("get", outer[number], (0, 0), buffer, middle)
            text.over(cores, lambda at: text.transfer("get" if number == inputs else "put", channels[number], at,
                                                      buffer, middle, lists_of(at)))
            if number == inputs:
                text.transfer("put", outer[number], (0, 0), buffer, middle)
            text.line(f"memref.dealloc {buffer} : {middle}")
    text.loop(rounds, round_of)
    text.line(f"air.wait_all [{token}]")
    text.end()
    text.end()


def tile_cores(text, cores, channels, shape, element, rounds, is_async=False):
    """A herd whose cores get from all channels but the last, compute, and put into that."""
    kind = memref(shape, element, 2)
    if is_async:
        place, token = async_herd(text, cores, f"cores{text.count}")
    else:
        place, token = herd(text, cores, [], [], f"cores{text.count}")[0], None

    def one(_):
        buffers = [text.alloc(shape, element, 2) for _ in channels]
        for channel, buffer in zip(channels[:-1], buffers):
            text.transfer("get", channel, place, buffer, kind)
        text.compute(buffers[:-1], buffers[-1], shape, element)
        text.transfer("put", channels[-1], place, buffers[-1], kind)
        for buffer in buffers:
            text.dealloc(buffer, kind)
    text.loop(rounds, one)
    text.end()
    return token


def launch_of(text, names, types):
    return text.level("air.launch () in ()", names, types)


def scattered(text, kind, channel, cores, memory, memory_type, size):
    """A row of the host for each core."""
    def one(at):
        row = text.sum_of((at[0], cores[1]), (at[1], 1))
        text.transfer(kind, channel, at, memory, memory_type, ([row, 0], [1, size], [size, 1]), sync=False)
    text.over(cores, one)


def branch(text, op, a, b, then, otherwise=None):
    test = text.op(f"cmpi {op},", a, text.number(b))
    text.begin(f"scf.if {test}")
    then()
    if otherwise:
        text.end("} else {")
        text.depth += 1
        otherwise()
    text.end()


def reduction(text, rng):
    """A row for each core, and their sum: along a chain of channels or of cascades, or each core has all of it by a ring."""
    element, count = rng.choice(TYPES), rng.choice((2, 3, 4))
    how = rng.choice(("chain", "cascade", "ring"))
    if how == "cascade":
        element = rng.choice(("i32", "i16", "f32"))
    size = rng.choice((16, 32, 64))
    # Cascades go to the east and to the south only.
    cores, axis = ((count, 1), 0) if rng.random() < 0.5 else ((1, count), 1)
    down = axis == 1
    far, row = memref((count, size), element), memref((size,), element, 2)
    rows = count if how == "ring" else 1
    result = memref((rows, size), element)
    names = [text.argument((count, size), element), text.argument((rows, size), element)]
    feed = text.channel(cores)
    out = text.channel(cores if how == "ring" else (1, 1))
    link = text.channel(cores, kind="npu_cascade" if how == "cascade" else None)
    inside = launch_of(text, names, [far, result])
    scattered(text, "put", feed, cores, inside[0], far, size)
    if how == "ring":
        scattered(text, "get", out, cores, inside[1], result, size)
    else:
        text.transfer("get", out, (0, 0), inside[1], result, sync=False)
    text.begin(f"air.segment @sum{text.count}")
    place, _ = herd(text, cores, [], [], f"sum{text.count}")
    own, other, total = (text.alloc((size,), element, 2) for _ in range(3))
    text.transfer("get", feed, place, own, row)
    me = place[axis]
    add = "addf" if is_float(element) else "addi"

    def plus(a, b, to):
        text.each((size,), lambda ids: text.store(text.op(add, text.load(a, row, ids), text.load(b, row, ids), element),
                                                  to, row, ids))

    def to(core):
        return [core, place[1]] if axis == 0 else [place[0], core]

    if how == "ring":
        text.each((size,), lambda ids: text.store(text.load(own, row, ids), total, row, ids))
        following = text.op("remui", text.op("addi", me, text.number(1)), text.number(count))

        def turn(_):
            sent = text.transfer("put", link, to(following), own, row, sync=False)
            taken = text.transfer("get", link, place, other, row, sync=False)
            text.line(f"air.wait_all [{sent}, {taken}]")
            plus(other, total, total)
            text.each((size,), lambda ids: text.store(text.load(other, row, ids), own, row, ids))
        text.loop(count - 1, turn)
        text.transfer("put", out, place, total, row)
    else:
        first, last = (count - 1, 0) if down else (0, count - 1)

        def send(memory):
            follower = text.op("subi" if down else "addi", me, text.number(1))
            text.transfer("put", link, to(follower), memory, row)

        def receive():
            text.transfer("get", link, place, other, row)
            plus(own, other, total)
            branch(text, "eq", me, last, lambda: text.transfer("put", out, (0, 0), total, row), lambda: send(total))
        branch(text, "eq", me, first, lambda: send(own), receive)
    for _ in range(3):
        text.end()


def product(text, rng):
    """A product of matrices: rows and columns are broadcast from L2, sums stay in the cores while K goes by."""
    element = rng.choice(("i32", "i16", "f32", "bf16"))
    cores = rng.choice(((1, 1), (2, 2), (2, 1), (1, 2), (1, 4)))
    m, n, k, rounds = 8, 8, 8, rng.choice((2, 3, 4))
    sizes = (cores[0] * m, k * rounds), (k * rounds, cores[1] * n), (cores[0] * m, cores[1] * n)
    types = [memref(shape, element) for shape in sizes]
    names = [text.argument(shape, element) for shape in sizes]
    a_in, b_in, c_out = (text.channel((1, 1)) for _ in range(3))
    a_to = text.channel((cores[0], 1), broadcast=cores if cores[1] > 1 else None)
    b_to = text.channel((1, cores[1]), broadcast=cores if cores[0] > 1 else None)
    c_from = text.channel(cores)
    inside = launch_of(text, names, types)
    ins = [(a_in, inside[0], types[0], lambda i: ([0, i * k], [cores[0] * m, k], [k * rounds, 1])),
           (b_in, inside[1], types[1], lambda i: ([i * k, 0], [k, cores[1] * n], [cores[1] * n, 1]))]
    for channel, memory, kind, lists in ins:
        last = ()
        for i in range(rounds):
            last = [text.transfer("put", channel, (0, 0), memory, kind, lists(i), after=last, sync=False)]
    text.transfer("get", c_out, (0, 0), inside[2], types[2], sync=False)
    text.begin(f"air.segment @product{text.count}")
    place, token = async_herd(text, cores, f"product{text.count}")
    tile = memref((m, n), element, 2)
    sums = text.alloc((m, n), element, 2)
    zero = text.constant(0, element)
    text.line(f"linalg.fill ins({zero} : {element}) outs({sums} : {tile})")

    def step(_):
        a, b = text.alloc((m, k), element, 2), text.alloc((k, n), element, 2)
        text.transfer("get", a_to, [place[0], place[1] if cores[1] > 1 else 0], a, tile)
        text.transfer("get", b_to, [place[0] if cores[0] > 1 else 0, place[1]], b, tile)
        text.line(f"linalg.matmul ins({a}, {b} : {tile}, {tile}) outs({sums} : {tile})")
        text.dealloc(a, tile)
        text.dealloc(b, tile)
    text.loop(rounds, step)
    text.transfer("put", c_from, place, sums, tile)
    text.end()
    a_kind, b_kind = memref((cores[0] * m, k), element, 1), memref((k, cores[1] * n), element, 1)

    def feed(_):
        a, b = text.alloc((cores[0] * m, k), element, 1), text.alloc((k, cores[1] * n), element, 1)
        text.transfer("get", a_in, (0, 0), a, a_kind)
        text.transfer("get", b_in, (0, 0), b, b_kind)
        for x in range(cores[0]):
            text.transfer("put", a_to, (x, 0), a, a_kind, ([x * m, 0], [m, k], [k, 1]))
        for y in range(cores[1]):
            text.transfer("put", b_to, (0, y), b, b_kind, ([0, y * n], [k, n], [cores[1] * n, 1]))
        text.line(f"memref.dealloc {a} : {a_kind}")
        text.line(f"memref.dealloc {b} : {b_kind}")
    text.loop(rounds, feed)
    c_kind = memref(sizes[2], element, 1)
    c = text.alloc(sizes[2], element, 1)
    text.over(cores, lambda at: text.transfer("get", c_from, at, c, c_kind,
                                              ([text.sum_of((at[0], m)), text.sum_of((at[1], n))], [m, n],
                                               [cores[1] * n, 1])))
    text.transfer("put", c_out, (0, 0), c, c_kind)
    text.line(f"air.wait_all [{token}]")
    text.line(f"memref.dealloc {c} : {c_kind}")
    text.end()
    text.end()


def neighbours(text, rng):
    """Each core adds what its neighbours have: it sends to both sides, and to the host."""
    element, count, size = rng.choice(TYPES), rng.choice((2, 3, 4)), rng.choice((16, 32))
    cores, axis = ((count, 1), 0) if rng.random() < 0.5 else ((1, count), 1)
    far, row = memref((count, size), element), memref((size,), element, 2)
    names = [text.argument((count, size), element) for _ in range(2)]
    feed, up, down, out = (text.channel(cores) for _ in range(4))
    rounds = rng.choice((1, 1, 2))
    inside = launch_of(text, names, [far, far])
    scattered(text, "put", feed, cores, inside[0], far, size)
    scattered(text, "get", out, cores, inside[1], far, size)
    text.begin(f"air.segment @halo{text.count}")
    place, _ = herd(text, cores, [], [], f"halo{text.count}")
    own, above, below, result = (text.alloc((size,), element, 2) for _ in range(4))
    zero = text.constant(0, element)
    for memory in (above, below):
        text.line(f"linalg.fill ins({zero} : {element}) outs({memory} : {row})")
    text.transfer("get", feed, place, own, row)
    me = place[axis]

    def to(step):
        core = text.op("addi" if step > 0 else "subi", me, text.number(1))
        return [core, place[1]] if axis == 0 else [place[0], core]

    def sent(op, bound, channel, step):
        token, test = text.new("t"), text.op(f"cmpi {op},", me, text.number(bound))
        text.begin(f"{token} = scf.if {test} -> (!air.async.token)")
        inner = text.transfer("put", channel, to(step), own, row, sync=False)
        text.line(f"scf.yield {inner} : !air.async.token")
        text.end("} else {")
        text.depth += 1
        nothing = text.new("t")
        text.line(f"{nothing} = air.wait_all async")
        text.line(f"scf.yield {nothing} : !air.async.token")
        text.end()
        return token

    def turn(_):
        tokens = [sent("slt", count - 1, up, 1), sent("sgt", 0, down, -1)]
        branch(text, "sgt", me, 0, lambda: text.transfer("get", up, place, above, row))
        branch(text, "slt", me, count - 1, lambda: text.transfer("get", down, place, below, row))
        text.line(f"air.wait_all [{', '.join(tokens)}]")
        text.compute([own, above, below], result, (size,), element)
        text.each((size,), lambda ids: text.store(text.load(result, row, ids), own, row, ids))
    text.loop(rounds, turn)
    text.transfer("put", out, place, result, row)
    for _ in range(3):
        text.end()


def pipeline(text, rng):
    """Herds one after the other, each of which takes pieces of another size, or of another type."""
    element, stages, unit = rng.choice(("i32", "i32", "i16", "f32")), rng.choice((2, 3)), 24
    count = rng.choice((1, 2, 3))
    total = unit * 4
    far = memref((count, total), element)
    names = [text.argument((count, total), element) for _ in range(2)]
    cores = (1, count) if rng.random() < 0.5 else (count, 1)
    if cores[0] * stages > 4:
        cores = (1, count)
    channels = [text.channel(cores) for _ in range(stages + 1)]
    inside = launch_of(text, names, [far, far])
    scattered(text, "put", channels[0], cores, inside[0], far, total)
    scattered(text, "get", channels[-1], cores, inside[1], far, total)
    text.begin(f"air.segment @pipeline{text.count}")
    tokens = []
    for stage in range(stages):
        pieces = rng.choice((1, 2, 3, 4, 6))
        size = total // pieces
        place, token = async_herd(text, cores, f"stage{text.count}")
        kind = memref((size,), element, 2)

        def one(_):
            source, target = text.alloc((size,), element, 2), text.alloc((size,), element, 2)
            text.transfer("get", channels[stage], place, source, kind)
            text.compute([source], target, (size,), element)
            text.transfer("put", channels[stage + 1], place, target, kind)
            text.dealloc(source, kind)
            text.dealloc(target, kind)
        text.loop(pieces, one)
        text.end()
        tokens.append(token)
    text.line(f"air.wait_all [{', '.join(tokens)}]")
    text.end()
    text.end()


def shuffle(text, rng):
    """A core passes on what it gets: elements in another order at each end."""
    element = rng.choice(TYPES)
    shape = [rng.choice((1, 2, 3, 4)), rng.choice((2, 3, 4)), rng.choice((2, 4)), rng.choice((1, 2, 3)) * row_step(element)]
    size = shape[0] * shape[1] * shape[2] * shape[3]
    far, near = memref((size,), element), memref((size,), element, 2)
    names = [text.argument((size,), element) for _ in range(2)]

    def pattern():
        """The lists of all elements in some order; words stay whole."""
        if rng.random() < 0.3:
            return None
        strides = [shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1]
        order = [0, 1, 2]
        rng.shuffle(order)
        order.append(3)
        return [0] * 4, [shape[at] for at in order], [strides[at] for at in order]
    feed, out = text.channel((1, 1)), text.channel((1, 1))
    l2 = [text.channel((1, 1)), text.channel((1, 1))] if rng.random() < 0.5 else None
    inside = launch_of(text, names, [far, far])
    text.transfer("put", feed, (0, 0), inside[0], far, pattern(), sync=False)
    text.transfer("get", out, (0, 0), inside[1], far, pattern(), sync=False)
    text.begin(f"air.segment @shuffle{text.count}")
    place, token = async_herd(text, (1, 1), f"shuffle{text.count}")
    memory = text.alloc((size,), element, 2)
    text.transfer("get", l2[0] if l2 else feed, place, memory, near, pattern())
    text.transfer("put", l2[1] if l2 else out, place, memory, near, pattern())
    text.end()
    if l2:
        middle = memref((size,), element, 1)
        for first, second in ((feed, l2[0]), (l2[1], out)):
            buffer = text.alloc((size,), element, 1)
            text.transfer("get", first, (0, 0), buffer, middle, pattern())
            text.transfer("put", second, (0, 0), buffer, middle, pattern())
            text.line(f"memref.dealloc {buffer} : {middle}")
    text.line(f"air.wait_all [{token}]")
    text.end()
    text.end()


def l2_work(text, rng):
    """The segment itself fills, computes and copies L2 memory in front of a herd that uses it."""
    element, high, wide = rng.choice(("i32", "i16", "f32")), rng.choice((2, 4)), rng.choice((8, 12))
    shape = (high, wide)
    far, near = memref(shape, element), memref(shape, element, 1)
    inputs = rng.randint(1, 2)
    names = [text.argument(shape, element) for _ in range(inputs + 1)]
    inside = launch_of(text, names, [far] * len(names))
    inside = text.level(f"air.segment @work{text.count}", inside, [far] * len(names))
    buffers = [text.alloc(shape, element, 1) for _ in names]
    for source, buffer in zip(inside[:-1], buffers):
        text.copy(buffer, near, None, source, far, None)
    zero = text.constant(rng.choice((0, 5)), element)
    text.line(f"linalg.fill ins({zero} : {element}) outs({buffers[-1]} : {near})")
    if rng.random() < 0.5:
        text.compute([rng.choice(buffers)], buffers[0], shape, element, 1)
    if rng.random() < 0.5:
        moved = text.alloc(shape, element, 1)
        turned = rng.random() < 0.5 and BYTES[element] == 4
        text.copy(moved, near, None, buffers[0], near,
                  ([0, 0], [wide, high], [1, wide]) if turned else None)
        buffers[0] = moved
    place, handed = herd(text, (1, 1), buffers, [near] * len(buffers), f"uses{text.count}")
    kind = memref(shape, element, 2)
    own = [text.alloc(shape, element, 2) for _ in handed]
    for memory, buffer in zip(handed, own):
        text.copy(buffer, kind, None, memory, near, None)
    text.compute(own, own[-1], shape, element)
    text.copy(handed[-1], near, None, own[-1], kind, None)
    text.end()
    if rng.random() < 0.5:
        text.compute([buffers[-1]], buffers[-1], shape, element, 1)
    text.copy(inside[-1], far, None, buffers[-1], near, None)
    text.end()
    text.end()


def joined(text, rng):
    """Segments side by side, each of which sends to the next one; some by way of their L2."""
    element, size, stages = rng.choice(("i32", "i16", "f32")), rng.choice((16, 32)), rng.choice((2, 3))
    far, row, middle = memref((size,), element), memref((size,), element, 2), memref((size,), element, 1)
    names = [text.argument((size,), element) for _ in range(2)]
    channels = [text.channel((1, 1)) for _ in range(stages + 1)]
    inside = launch_of(text, names, [far, far])
    text.transfer("put", channels[0], (0, 0), inside[0], far, sync=False)
    text.transfer("get", channels[-1], (0, 0), inside[1], far, sync=False)
    for stage in range(stages):
        token = text.new("s")
        text.begin(f"{token} = air.segment @stage{text.count} async")
        first, by_l2 = channels[stage], rng.random() < 0.5
        if by_l2:
            first = text.channel((1, 1))
        place, herd_token = async_herd(text, (1, 1), f"of{text.count}")
        own = text.alloc((size,), element, 2)
        text.transfer("get", first, place, own, row)
        text.compute([own], own, (size,), element)
        text.transfer("put", channels[stage + 1], place, own, row)
        text.end()
        if by_l2:
            buffer = text.alloc((size,), element, 1)
            text.transfer("get", channels[stage], (0, 0), buffer, middle)
            text.transfer("put", first, (0, 0), buffer, middle)
            text.line(f"memref.dealloc {buffer} : {middle}")
        text.end()
    text.end()


def windows(text, rng):
    """Windows of a matrix that begin anywhere, also inside of words, and more cores than an array has or not."""
    element, cores = rng.choice(TYPES), rng.choice(((1, 1), (2, 1), (2, 2), (8, 2), (5, 3)))
    high, wide = rng.choice((1, 2, 3)), rng.choice((3, 4, 7))
    above, left = rng.randint(0, 3), rng.randint(0, 3)
    shape = (cores[0] * high + above + rng.randint(0, 2), cores[1] * wide + left + rng.randint(0, 5))
    result = (cores[0] * high, cores[1] * wide)
    kinds, near = [memref(shape, element), memref(result, element)], memref((high, wide), element, 2)
    names = [text.argument(shape, element), text.argument(result, element)]
    by_dma = rng.random() < 0.5
    inside = launch_of(text, names, kinds)

    def lists(number, at):
        row = text.sum_of((at[0], high), *([(above, 1)] if number == 0 else []))
        column = text.sum_of((at[1], wide), *([(left, 1)] if number == 0 else []))
        return [row, column], [high, wide], [(shape, result)[number][1], 1]
    if by_dma:
        inside = text.level(f"air.segment @windows{text.count}", inside, kinds)
        place, inside = herd(text, cores, inside, kinds, f"windows{text.count}")
        own, made = (text.alloc((high, wide), element, 2) for _ in range(2))
        text.copy(own, near, None, inside[0], kinds[0], lists(0, place))
        text.compute([own], made, (high, wide), element)
        text.copy(inside[1], kinds[1], lists(1, place), made, near, None)
        for _ in range(3):
            text.end()
        return
    channels = [text.channel(cores), text.channel(cores)]
    zero, one, bounds = text.number(0), text.number(1), [text.number(size) for size in cores]
    for number, kind in enumerate(("put", "get")):
        ids = text.new("p"), text.new("p")
        text.begin(f"scf.parallel ({ids[0]}, {ids[1]}) = ({zero}, {zero}) to ({', '.join(bounds)}) step ({one}, {one})")
        text.transfer(kind, channels[number], ids, inside[number], kinds[number], lists(number, ids), sync=False)
        text.line("scf.reduce")
        text.end()
    text.begin(f"air.segment @windows{text.count}")
    tile_cores(text, cores, channels, (high, wide), element, 1)
    text.end()
    text.end()


def gather(text, rng):
    """Cores of one herd send to a core of another one, which adds what each of them has, one after the other."""
    element, count, rounds = rng.choice(("i32", "i16", "f32")), rng.choice((2, 3, 4)), rng.choice((1, 1, 2, 3))
    size, takers = rng.choice((16, 32)), rng.choice((1, 1, 2))
    far, row = memref((count, size), element), memref((size,), element, 2)
    result = memref((takers, size), element)
    names = [text.argument((count, size), element), text.argument((takers, size), element)]
    feed, link, out = text.channel((1, count)), text.channel((count, takers)), text.channel((takers, 1))
    inside = launch_of(text, names, [far, result])
    scattered(text, "put", feed, (1, count), inside[0], far, size)
    scattered(text, "get", out, (takers, 1), inside[1], result, size)
    text.begin(f"air.segment @gather{text.count}")
    place, first = async_herd(text, (1, count), f"senders{text.count}")
    own = text.alloc((size,), element, 2)
    text.transfer("get", feed, place, own, row)
    text.loop(rounds, lambda _: [text.transfer("put", link, [place[1], to], own, row) for to in range(takers)])
    text.end()
    place, second = async_herd(text, (takers, 1), f"taker{text.count}")
    total, taken = text.alloc((size,), element, 2), text.alloc((size,), element, 2)
    text.line(f"linalg.fill ins({text.constant(0, element)} : {element}) outs({total} : {row})")

    def turn(_):
        for sender in range(count):
            text.transfer("get", link, [sender, place[0]], taken, row)
            text.compute([total, taken], total, (size,), element)
    text.loop(rounds, turn)
    text.transfer("put", out, place, total, row)
    text.end()
    text.line(f"air.wait_all [{first}, {second}]")
    text.end()
    text.end()


KINDS = (tiles, tiles, tiles, reduction, product, neighbours, pipeline, shuffle, l2_work, joined, windows, gather)


def generate(seed):
    rng = random.Random(seed)
    text = Text(rng)
    for _ in range(rng.choice((1, 1, 1, 2))):
        rng.choice(KINDS)(text, rng)
    return text.text()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
