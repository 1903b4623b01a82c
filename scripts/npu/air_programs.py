#!/usr/bin/env python3
"""Random AIR programs as a user writes them for an NPU: channels, herds, broadcasts, L2, loops, ordered outputs.

usage: air_programs.py SEED      (prints the program of this number)

A program is planned as one sequence of steps of all processes together (host, segment, herds); each process does its
part of the steps in that order, so the first transfer that is not done can always be done and nothing hangs. Then
each process is written down: with ops that block, or with tokens for exactly what has to wait, in a random order
that the tokens allow. scripts/prove_npu.py --air COUNT:SEED runs them; airlite-opt --generate makes others, with
more ways to write things down that the NPU refuses.
"""
import itertools
import random
import sys

TOKEN = "!air.async.token"
SHAPES = ((1, 1), (1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4), (3, 1))


class Expr:
    """A constant and coordinates times factors. A factor may be a function: a number that is known at the end."""

    def __init__(self, constant=0, terms=()):
        self.constant, self.terms = constant, list(terms)

    def plus(self, coordinate, factor):
        return Expr(self.constant, [*self.terms, (coordinate, factor)])

    def at(self, offset):
        return Expr(self.constant + offset, self.terms)


class Node:
    """Something that a process does. `reads`, `writes`: what it has to be ordered by."""

    def __init__(self, kind, reads=(), writes=(), **fields):
        self.kind, self.body, self.other = kind, None, None
        self.reads, self.writes = set(reads), set(writes)
        self.__dict__.update(fields)

    def touches(self):
        reads, writes = set(self.reads), set(self.writes)
        for node in itertools.chain(self.body or (), self.other or ()):
            more_reads, more_writes = node.touches()
            reads |= more_reads
            writes |= more_writes
        return reads, writes


class Actor:
    """A process: the host in a launch, a segment, the cores of a herd."""

    def __init__(self, name, level, style):
        self.name, self.level, self.style = name, level, style
        self.body = []
        self.blocks = [self.body]
        self.tiles = [[]]  # of each open block: L1 buffers with a value

    def add(self, *arguments, **fields):
        node = Node(*arguments, **fields)
        self.blocks[-1].append(node)
        return node

    def all_tiles(self):
        return [tile for scope in self.tiles for tile in scope]


class Link:
    """How data gets into a herd, out of it, or from one to another."""

    def __init__(self, kind, herd, **fields):
        self.kind, self.herd, self.via_l2, self.peer, self.l2 = kind, herd, False, None, None
        self.__dict__.update(fields)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.element = pick(("i32", "i32", "i32", "i16", "i8"))
        self.height, self.width = pick((1, 2, 4)), pick((4, 8, 16))
        self.names, self.channels = itertools.count(), []
        self.rows = {"in": 0, "out": 0}
        self.launches = [self.launch(number) for number in range(pick((1, 1, 1, 2)))]

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def fresh(self, stem):
        return f"{stem}{next(self.names)}"

    # -- The plan -------------------------------------------------------------------------------------------------

    def launch(self, number):
        self.instances = self.random.choice((1, 1, 1, 2, 3))
        self.host = Actor(f"launch{number}", "launch", self.random.choice(("sync", "async")))
        self.segment = Actor(f"segment{number}", "segment", self.random.choice(("sync", "async")))
        self.loops, self.work = [], 1
        self.base, self.used = dict(self.rows), {"in": 0, "out": 0}
        self.written = []
        self.herds = self.make_herds()
        self.links = self.make_links()
        launch = {"host": self.host, "segment": self.segment, "herds": self.herds, "instances": self.instances,
                  "used": self.used, "base": self.base}
        self.steps(self.random.randint(2, 6), 0)
        self.drain_what_is_left()
        for which in self.rows:
            self.rows[which] += self.used[which] * self.instances
        return launch

    def make_herds(self):
        herds, width = [], 0
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            herd = Actor(self.fresh("herd"), "herd", self.random.choice(("sync", "sync", "async")))
            herd.shape = herds[0].shape if herds and self.chance(60) else self.random.choice(SHAPES)
            if width + herd.shape[0] > 4:
                herd.shape = (1, 1)
            width += herd.shape[0]
            if width > 4:
                break
            herd.lanes = [(x, y) for x in range(herd.shape[0]) for y in range(herd.shape[1])]
            herd.inputs = herd.outputs = 0
            herds.append(herd)
        return herds

    def channel(self, sizes, broadcast=None):
        name = self.fresh("c")
        self.channels.append((name, sizes, broadcast))
        return name

    def make_links(self):
        links = []
        for herd in self.herds:
            for _ in range(self.random.choice((1, 1, 2))):
                links.append(self.feed_link(herd))
            for _ in range(self.random.choice((1, 1, 2))):
                links.append(self.drain_link(herd))
        for one, two in itertools.permutations(self.herds, 2):
            if one.shape == two.shape and one.outputs < 2 and two.inputs < 2 and self.chance(70):
                one.outputs += 1
                two.inputs += 1
                links.append(Link("across", one, peer=two, channel=self.channel(one.shape)))
        for herd in self.herds:
            if herd.shape[0] > 1 and herd.inputs < 2 and herd.outputs < 2 and self.chance(30):
                herd.inputs, herd.outputs = herd.inputs + 1, herd.outputs + 1
                links.append(Link("pipeline", herd, channel=self.channel(herd.shape)))
        return links

    def feed_link(self, herd):
        herd.inputs += 1
        mode = self.random.choice(("scatter", "scatter", "broadcast", "rows")) if len(herd.lanes) > 1 else "scatter"
        sizes = {"scatter": herd.shape, "broadcast": (1, 1), "rows": (herd.shape[0], 1)}[mode]
        link = Link("feed", herd, mode=mode, sizes=sizes, via_l2=self.chance(45),
                    channel=self.channel(sizes, None if mode == "scatter" else herd.shape))
        if link.via_l2:
            self.put_into_l2(link)
        return link

    def drain_link(self, herd):
        herd.outputs += 1
        link = Link("drain", herd, mode="scatter", sizes=herd.shape, via_l2=self.chance(45),
                    channel=self.channel(herd.shape))
        if link.via_l2:
            self.put_into_l2(link)
        return link

    def put_into_l2(self, link):
        link.outer = self.channel((1, 1))
        link.per_step = self.chance(50)
        link.lanes = link.sizes[0] * link.sizes[1]
        if not link.per_step:
            link.l2 = self.allocate(self.segment, link.lanes * self.height, 1)

    def allocate(self, actor, rows, space):
        name = self.fresh("m")
        actor.add("alloc", writes=[name], name=name, rows=rows, space=space)
        return name

    def steps(self, count, depth):
        for _ in range(count):
            if self.chance(25) and depth < 2 and self.work < 12:
                self.loop(depth)
            elif self.chance(15):
                self.compute(self.random.choice(self.herds))
            else:
                self.step(self.random.choice(self.links))

    def loop(self, depth):
        trips, name = self.random.randint(2, 4), self.fresh("i")
        actors = [self.host, self.segment, *self.herds]
        for actor in actors:
            node = actor.add("loop", name=name, trips=trips)
            node.body = []
            actor.blocks.append(node.body)
            actor.tiles.append([])
        self.loops.append((name, trips))
        self.work *= trips
        self.steps(self.random.randint(1, 3), depth + 1)
        self.loops.pop()
        self.work //= trips
        for actor in actors:
            self.free(actor)
            actor.blocks.pop()
            if not actor.blocks[-1][-1].body:
                actor.blocks[-1].pop()

    def free(self, actor):
        for tile in actor.tiles.pop():
            actor.add("free", writes=[tile], name=tile, rows=self.height, space=2)

    def step(self, link):
        if link.kind == "feed":
            self.feed(link)
        elif link.kind == "drain":
            self.drain(link)
        elif link.kind == "across":
            source, target = self.source(link.herd), self.target(link.peer)
            self.transfer(link.herd, "put", link.channel, self.ids(link.herd), source, Expr())
            self.transfer(link.peer, "get", link.channel, self.ids(link.peer), target, Expr())
        else:
            self.pipeline(link)

    def ids(self, herd):
        return [Expr().plus(f"{herd.name}.x", 1), Expr().plus(f"{herd.name}.y", 1)]

    def transfer(self, actor, kind, channel, place, memory, row, rows=None):
        touched = {"reads": [memory]} if kind == "put" else {"writes": [memory]}
        node = actor.add(kind, **touched, channel=channel, place=place, memory=memory, row=row,
                         rows=rows or self.height)
        node.writes.add(f"{kind} of {channel}")

    def source(self, herd):
        """An L1 buffer with a value."""
        if not herd.all_tiles():
            tile = self.allocate(herd, self.height, 2)
            herd.add("fill", writes=[tile], memory=tile, value=self.random.randint(1, 9))
            herd.tiles[-1].append(tile)
        return self.random.choice(herd.all_tiles())

    def target(self, herd):
        """An L1 buffer that may be overwritten, often a new one."""
        if herd.all_tiles() and self.chance(40):
            return self.random.choice(herd.all_tiles())
        tile = self.allocate(herd, self.height, 2)
        herd.tiles[-1].append(tile)
        return tile

    def compute(self, herd):
        source = self.source(herd)
        target = self.random.choice(herd.all_tiles())
        herd.add("compute", reads=[source], writes=[target], memory=target, source=source,
                 op=self.random.choice(("addi", "muli", "subi", "xori")), value=self.random.randint(1, 9))

    def pipeline(self, link):
        herd, tile = link.herd, self.source(link.herd)
        first, before = self.ids(herd), self.ids(herd)
        before[0] = before[0].at(-1)
        for kind, place, bound in (("get", before, 1), ("put", first, herd.shape[0] - 1)):
            node = herd.add("if", coordinate=f"{herd.name}.x", below=bound)
            node.body, node.other = [], []
            herd.blocks.append(node.other if kind == "get" else node.body)
            self.transfer(herd, kind, link.channel, place, tile, Expr())
            herd.blocks.pop()
            if kind == "get":
                self.compute(herd)

    def lanes_of(self, link):
        return list(itertools.product(range(link.sizes[0]), range(link.sizes[1])))

    def l2_of(self, link):
        if not link.per_step:
            return link.l2
        return self.allocate(self.segment, link.lanes * self.height, 1)

    def done_with(self, link, memory):
        if link.per_step:
            self.segment.add("free", writes=[memory], name=memory, rows=link.lanes * self.height, space=1)

    def feed(self, link):
        lanes = self.lanes_of(link)
        which, row = self.input_rows(len(lanes))
        place = [Expr(0), Expr(0)]
        if link.via_l2:
            memory = self.l2_of(link)
            self.transfer(self.host, "put", link.outer, place, which, row, len(lanes) * self.height)
            self.transfer(self.segment, "get", link.outer, place, memory, Expr(), len(lanes) * self.height)
            actor, which, row = self.segment, memory, Expr()
        else:
            actor = self.host
        for number, lane in enumerate(lanes):
            self.transfer(actor, "put", link.channel, [Expr(at) for at in lane], which,
                          row.at(number * self.height))
        if link.via_l2:
            self.done_with(link, memory)
        self.transfer(link.herd, "get", link.channel, self.ids(link.herd), self.target(link.herd), Expr())

    def drain(self, link):
        lanes = self.lanes_of(link)
        source = self.source(link.herd)
        self.transfer(link.herd, "put", link.channel, self.ids(link.herd), source, Expr())
        row, place = self.output_rows(len(lanes)), [Expr(0), Expr(0)]
        actor, which, at = self.host, "out", row
        if link.via_l2:
            memory = self.l2_of(link)
            actor, which, at = self.segment, memory, Expr()
        for number, lane in enumerate(lanes):
            self.transfer(actor, "get", link.channel, [Expr(part) for part in lane], which,
                          at.at(number * self.height))
        if link.via_l2:
            self.transfer(self.segment, "put", link.outer, place, memory, Expr(), len(lanes) * self.height)
            self.done_with(link, memory)
            self.transfer(self.host, "get", link.outer, place, "out", row, len(lanes) * self.height)

    def instance(self, which, constant):
        used, base = self.used, self.base
        return Expr(base[which] + constant).plus("launch", lambda: used[which])

    def input_rows(self, lanes):
        rows = lanes * self.height
        fitting = [region for region in self.written if region[1] >= rows]
        if fitting and self.chance(25):  # what came out goes in again
            return "out", self.random.choice(fitting)[0]
        constant = self.random.randint(0, 3)
        row, extent = self.instance("in", constant), constant + rows
        for name, trips in self.loops:
            factor = self.random.choice((0, rows, 1))
            row, extent = row.plus(name, factor), extent + factor * (trips - 1)
        self.used["in"] = max(self.used["in"], extent)
        return "in", row

    def output_rows(self, lanes):
        rows = lanes * self.height
        start = self.used["out"]
        if start and self.chance(35):  # on top of what is there
            start = self.random.randint(0, start - 1)
        row, extent = self.instance("out", start), rows
        for name, trips in self.loops:
            factor = self.random.choice((0, extent, extent))
            row, extent = row.plus(name, factor), extent + factor * (trips - 1)
        self.used["out"] = max(self.used["out"], start + extent)
        self.written.append((self.instance("out", start), rows))
        return row

    def drain_what_is_left(self):
        for herd in self.herds:
            for link in self.links:
                if link.herd is herd and link.kind == "drain" and self.chance(60):
                    self.drain(link)
            self.free(herd)
        for link in self.links:
            if link.l2:
                self.segment.add("free", writes=[link.l2], name=link.l2, rows=link.lanes * self.height, space=1)

    # -- The text -------------------------------------------------------------------------------------------------

    def text(self):
        return Writer(self).text()


class Writer:
    def __init__(self, program):
        self.program, self.random = program, program.random
        self.lines, self.indent, self.names = [], 0, itertools.count()

    def fresh(self, stem="v"):
        return f"%{stem}_{next(self.names)}"

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def memref(self, rows, space):
        return f"memref<{rows}x{self.program.width}x{self.program.element}{f', {space}' if space else ''}>"

    def text(self):
        program = self.program
        self.types = {which: self.memref(max(rows, 1), 0) for which, rows in program.rows.items()}
        for name, sizes, broadcast in program.channels:
            shape = f" {{broadcast_shape = [{broadcast[0]}, {broadcast[1]}]}}" if broadcast else ""
            self.line(f"air.channel @{name} [{sizes[0]}, {sizes[1]}]{shape}")
        self.line(f"func.func @f(%in: {self.types['in']}, %out: {self.types['out']}) {{")
        self.indent += 1
        for launch in program.launches:
            self.launch(launch)
        self.line("return")
        self.indent -= 1
        self.line("}")
        return "\n".join(self.lines) + "\n"

    def number(self, value):
        name = self.fresh("c")
        self.line(f"{name} = arith.constant {value} : index")
        return name

    def value(self, expr):
        terms = [(coordinate, factor() if callable(factor) else factor) for coordinate, factor in expr.terms]
        terms = [(self.coordinates[coordinate], factor) for coordinate, factor in terms
                 if factor and coordinate in self.coordinates]
        if not terms:
            return self.number(expr.constant)
        total = None
        for name, factor in terms:
            if factor != 1:
                times = self.number(factor)
                scaled = self.fresh()
                self.line(f"{scaled} = arith.muli {name}, {times} : index")
                name = scaled
            if total:
                both = self.fresh()
                self.line(f"{both} = arith.addi {total}, {name} : index")
                name = both
            total = name
        if expr.constant:
            constant, both = self.number(expr.constant), self.fresh()
            self.line(f"{both} = arith.addi {total}, {constant} : index")
            total = both
        return total

    def launch(self, launch):
        ids = ""
        self.coordinates, self.memory = {}, {}
        if launch["instances"] > 1:
            size = self.number(launch["instances"])
            ids, self.coordinates["launch"] = f"(%l) in (%ls = {size})", "%l"
        else:
            ids = "() in ()"
        self.memory = {"in": "%a", "out": "%b"}
        self.memory_types = dict(self.types)
        self.line(f"air.launch {ids} args(%a = %in, %b = %out) : {self.types['in']}, {self.types['out']} {{")
        self.process(launch["host"], [Node("spawn", actor=launch["segment"], herds=launch["herds"])])
        self.line("}")

    def process(self, actor, spawns):
        self.indent += 1
        self.state, self.style, self.spawned = {}, actor.style, []
        nodes = self.placed(spawns, actor)
        self.block(nodes)
        tokens = sorted(set(self.spawned) | self.pending())
        if tokens:
            self.line(f"air.wait_all [{', '.join(tokens)}]")
        self.indent -= 1

    def placed(self, spawns, actor):
        """Where children start: in front of ops that block. With tokens, in an order that the tokens allow."""
        if actor.style == "sync":
            return spawns + actor.body
        nodes = spawns + actor.body
        if self.random.random() < (0.8 if actor.level == "herd" else 0.5):
            return nodes
        order = []
        while nodes:
            free = [node for at, node in enumerate(nodes)
                    if not any(self.conflict(node, earlier) for earlier in nodes[:at])]
            order.append(self.random.choice(free))
            nodes = [node for node in nodes if node is not order[-1]]
        return order

    def conflict(self, a, b):
        (a_reads, a_writes), (b_reads, b_writes) = a.touches(), b.touches()
        if a.body is not None or b.body is not None:  # what comes after a loop waits for all of it
            return bool((a_reads | a_writes) & (b_reads | b_writes))
        return bool(a_writes & (b_reads | b_writes) or b_writes & a_reads)

    # -- Tokens ---------------------------------------------------------------------------------------------------

    def pending(self):
        return {token for writers, readers in self.state.values() for token in writers + readers}

    def needed(self, reads, writes):
        tokens = []
        for name in sorted(reads | writes):
            writers, readers = self.state.get(name, ([], []))
            tokens += writers + (readers if name in writes else [])
        return list(dict.fromkeys(tokens))

    def note(self, reads, writes, token):
        for name in reads - writes:
            writers, readers = self.state.get(name, ([], []))
            self.state[name] = (writers, readers + [token])
        for name in writes:
            self.state[name] = ([token], [])

    def asynchronous(self):
        return self.style == "async"

    def head(self, node):
        """`%t = `, and `async [...]`, of an op that may have tokens."""
        if not self.asynchronous():
            return "", ""
        reads, writes = node.touches()
        token, needed = self.fresh("t"), self.needed(reads, writes)
        self.note(reads, writes, token)
        return f"{token} = ", f"async [{', '.join(needed)}] " if needed else "async "

    def join(self, tokens):
        token = self.fresh("t")
        self.line(f"{token} = air.wait_all async [{', '.join(tokens)}]")
        return token

    # -- Nodes ----------------------------------------------------------------------------------------------------

    def block(self, nodes):
        for node in nodes:
            getattr(self, "write_" + node.kind)(node)

    def write_spawn(self, node):
        actor, outer = node.actor, (self.state, self.style, self.spawned)
        token = self.fresh("t")
        coordinates = dict(self.coordinates)
        if actor.level == "segment":
            self.line(f"{token} = air.segment @{actor.name} async {{")
            self.process(actor, [Node("spawn", actor=herd) for herd in node.herds])
        else:
            x, y = (f"%{actor.name}_{axis}" for axis in "xy")
            sizes = [self.number(extent) for extent in actor.shape]
            self.coordinates.update({f"{actor.name}.x": x, f"{actor.name}.y": y})
            self.line(f"{token} = air.herd @{actor.name} async tile ({x}, {y}) in ({x}s = {sizes[0]}, "
                      f"{y}s = {sizes[1]}) {{")
            self.process(actor, [])
        self.line("}")
        self.state, self.style, self.spawned = outer
        self.coordinates = coordinates
        self.spawned.append(token)

    def write_alloc(self, node):
        name = f"%{node.name}"
        self.memory[node.name] = name
        self.memory_types[node.name] = self.memref(node.rows, node.space)
        self.state[node.name] = ([], [])
        if not self.asynchronous():
            self.line(f"{name} = memref.alloc() : {self.memory_types[node.name]}")
            return
        token, inner = self.fresh("t"), self.fresh("alloc")
        self.line(f"{token}, {name} = air.execute -> ({self.memory_types[node.name]}) {{")
        self.line(f"  {inner} = memref.alloc() : {self.memory_types[node.name]}")
        self.line(f"  air.execute_terminator {inner} : {self.memory_types[node.name]}")
        self.line("}")
        self.state[node.name] = ([token], [])

    def executed(self, node, write):
        head, asynchronous = self.head(node)
        if not asynchronous:
            return write()
        self.line(f"{head}air.execute {asynchronous[len('async '):]}{{")
        self.indent += 1
        write()
        self.indent -= 1
        self.line("}")

    def write_free(self, node):
        self.executed(node, lambda: self.line(
            f"memref.dealloc {self.memory[node.name]} : {self.memory_types[node.name]}"))

    def write_fill(self, node):
        def write():
            value = self.fresh()
            self.line(f"{value} = arith.constant {node.value} : {self.program.element}")
            self.line(f"linalg.fill ins({value} : {self.program.element}) outs({self.memory[node.memory]} : "
                      f"{self.memory_types[node.memory]})")
        self.executed(node, write)

    def write_compute(self, node):
        element = self.program.element

        def write():
            zero, one = self.number(0), self.number(1)
            high, wide = self.number(self.program.height), self.number(self.program.width)
            i, j, value, old, new, done = (self.fresh() for _ in range(6))
            factor = self.fresh()
            self.line(f"{factor} = arith.constant {node.value} : {element}")
            self.line(f"scf.for {i} = {zero} to {high} step {one} {{")
            self.line(f"  scf.for {j} = {zero} to {wide} step {one} {{")
            self.line(f"    {value} = memref.load {self.memory[node.source]}[{i}, {j}] : "
                      f"{self.memory_types[node.source]}")
            self.line(f"    {new} = arith.{node.op} {value}, {factor} : {element}")
            if node.memory != node.source and node.memory in self.defined:
                self.line(f"    {old} = memref.load {self.memory[node.memory]}[{i}, {j}] : "
                          f"{self.memory_types[node.memory]}")
                self.line(f"    {done} = arith.addi {new}, {old} : {element}")
                new = done
            self.line(f"    memref.store {new}, {self.memory[node.memory]}[{i}, {j}] : "
                      f"{self.memory_types[node.memory]}")
            self.line("  }")
            self.line("}")
        self.executed(node, write)

    defined = ()

    def transfer(self, node):
        place = ", ".join(self.value(at) for at in node.place)
        memory, kind = self.memory[node.memory], self.memory_types[node.memory]
        whole = kind.startswith(f"memref<{node.rows}x{self.program.width}x")
        access = "[] [] []"
        if not whole or self.random.random() < 0.3:
            row, zero, one = self.value(node.row), self.number(0), self.number(1)
            rows, columns = self.number(node.rows), self.number(self.program.width)
            access = f"[{row}, {zero}] [{rows}, {columns}] [{columns}, {one}]"
        head, asynchronous = self.head(node)
        self.line(f"{head}air.channel.{node.kind} {asynchronous}@{node.channel}[{place}] ({memory}{access}) : ({kind})")

    write_put = write_get = transfer

    def inner(self, nodes, end):
        self.indent += 1
        self.block(nodes)
        end()
        self.indent -= 1

    def write_loop(self, node):
        reads, writes = node.touches()
        zero, one, trips = self.number(0), self.number(1), self.number(node.trips)
        variable = self.fresh("i")
        self.coordinates[node.name] = variable
        header = f"scf.for {variable} = {zero} to {trips} step {one}"
        if not self.asynchronous():
            self.line(f"{header} {{")
            self.inner(node.body, lambda: None)
            self.line("}")
            return
        first = self.join(self.needed(set(), reads | writes))
        carried, result, before = self.fresh("t"), self.fresh("t"), self.state
        self.line(f"{result} = scf.for {variable} = {zero} to {trips} step {one} iter_args({carried} = {first}) -> "
                  f"({TOKEN}) {{")
        self.state = {name: ([carried], []) for name in reads | writes}
        self.inner(node.body, lambda: self.line(
            f"scf.yield {self.join(sorted(self.pending()))} : {TOKEN}"))
        self.line("}")
        self.state = before
        self.note(set(), reads | writes, result)

    def write_if(self, node):
        bound, test = self.number(node.below), self.fresh()
        self.line(f"{test} = arith.cmpi slt, {self.coordinates[node.coordinate]}, {bound} : index")
        reads, writes = node.touches()
        if not self.asynchronous():
            self.line(f"scf.if {test} {{")
            self.inner(node.body, lambda: None)
            self.line("} else {")
            self.inner(node.other, lambda: None)
            self.line("}")
            return
        first, result, before = self.join(self.needed(set(), reads | writes)), self.fresh("t"), self.state
        self.line(f"{result} = scf.if {test} -> ({TOKEN}) {{")
        for nodes in (node.body, node.other):
            self.state = {name: ([first], []) for name in reads | writes}
            self.inner(nodes, lambda: self.line(f"scf.yield {self.join(sorted(self.pending()))} : {TOKEN}"))
            self.line("} else {" if nodes is node.body else "}")
        self.state = before
        self.note(set(), reads | writes, result)


def generate(seed):
    return Program(seed).text()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
