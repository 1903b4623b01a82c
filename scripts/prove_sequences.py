#!/usr/bin/env python3
"""Random host programs through airrt-to-npu, and what must hold for every runtime sequence:

  scripts/prove_sequences.py build/dev/bin/airlite-opt [--runs 200] [--seed 0] [FILE.mlir ...]

Elements: the tasks of one transfer move the elements of its lists, in their order (brute force).
Queues:   no channel has more than 4 tasks that are not known to be through, no shim more than 16
          descriptors; tokens are awaited in the order of the tasks, each once.
Memory:   a task starts when those are through that share an element with it which one writes.
Joins:    join-iterations moves the same elements in the same order on every channel, and reaches each
          element that something writes in the same order.
FILEs are outputs of airrt-to-npu that are checked as they are. Exit code 1: something does not hold.
"""
import argparse
import itertools
import random
import re
import subprocess
import sys

CONFIGURE = (r'(?P<name>%\w+) = aiex\.dma_configure_task_for @(?P<shim>\S+) \{\s*'
             r'aie\.dma_bd\((?P<buffer>%\w+) : \S+ offset = (?P<offset>\d+) len = (?P<length>\d+)'
             r'(?: sizes = \[(?P<sizes>[^\]]*)\] strides = \[(?P<strides>[^\]]*)\])?\)[^\n]*\s*'
             r'aie\.end\s*\}(?P<attrs>[^\n]*)')
USE = r'aiex\.dma_(?P<use>start|await|free)_task\((?P<task>%\w+)\)'
STEP = re.compile(CONFIGURE + '|' + USE)
SHIM = re.compile(r'aie\.shim_dma_allocation @(\S+?)\((%\w+), (\w+), (\d)\)')


def walk(start, dims):
    """The elements of nested dimensions, outermost first."""
    places = [start]
    for size, stride in dims:
        places = [place + i * stride for place in places for i in range(size)]
    return places


def numbers(text):
    return [int(part) for part in text.split(',')]


class Task:
    def __init__(self, match, channel):
        self.name, self.channel, self.buffer = match['name'], channel, match['buffer']
        self.length = int(match['length'])
        self.dims = list(zip(numbers(match['sizes'] or match['length']),
                             numbers(match['strides'] or '1')))
        self.start = int(match['offset'])
        repeat = re.search(r'repeat_count = (\d+)', match['attrs'])
        self.runs = int(repeat[1]) + 1 if repeat else 1
        self.has_token = 'issue_token' in match['attrs']
        self.receives = channel[1] == 'S2MM'
        self.state = 'configured'

    def elements(self):
        """In the order in which they move; the fourth dimension goes with the runs."""
        if len(self.dims) < 4:
            return walk(self.start, self.dims) * self.runs
        (size, stride), inner = self.dims[0], self.dims[1:]
        assert size == self.runs, 'iterations are not those of the task'
        return [e for i in range(size) for e in walk(self.start + i * stride, inner)]


def sequences(text):
    """The shim channels of each device, and the text of each sequence in it."""
    for device in re.split(r'\n  aie\.device', text)[1:]:
        shims = {m[1]: (m[2], m[3], m[4]) for m in SHIM.finditer(device)}
        for body in re.split(r'\n    aie\.runtime_sequence', device)[1:]:
            yield shims, body.split('\n    }')[0]


class Checker:
    def __init__(self):
        self.tasks, self.queues, self.in_use, self.errors = {}, {}, {}, []

    def require(self, holds, what):
        if not holds:
            self.errors.append(what)

    def configure(self, match, shims):
        task = Task(match, shims[match['shim']])
        self.tasks[task.name] = task
        used = self.in_use.setdefault(task.channel[0], set())
        used.add(task.name)
        self.require(len(used) <= 16, 'more than 16 descriptors')

    def start(self, task):
        queue = self.queues.setdefault(task.channel, [])
        self.require(task.state == 'configured', 'started twice')
        self.require(len(queue) < 4, 'more than 4 tasks under way')
        mine = set(task.elements())
        for other in (t for q in self.queues.values() for t in q if t.channel != task.channel):
            meets = other.buffer == task.buffer and (other.receives or task.receives)
            self.require(not meets or not mine & set(other.elements()),
                         f'{task.name} meets {other.name} in memory')
        queue.append(task)
        task.state = 'started'

    def wait(self, task):
        self.require(task.has_token and task.state in ('started', 'freed'), 'awaits no token')
        queue = self.queues.get(task.channel, [])
        if task not in queue:
            return self.require(False, 'awaits what is done')
        index = queue.index(task)
        self.require(not any(t.has_token for t in queue[:index]), 'tokens out of order')
        del queue[:index + 1]
        self.in_use[task.channel[0]].discard(task.name)
        task.state = 'done'
        return None

    def free(self, task):
        self.require(task.state == 'started', 'frees what does not run')
        self.in_use[task.channel[0]].discard(task.name)
        task.state = 'freed'

    def run(self, shims, body):
        for match in STEP.finditer(body):
            if match['name']:
                self.configure(match, shims)
                continue
            use = {'start': self.start, 'await': self.wait, 'free': self.free}[match['use']]
            use(self.tasks[match['task']])
        self.require(all(t.state != 'configured' for t in self.tasks.values()), 'never started')


def check_text(text):
    errors, count = [], 0
    for shims, body in sequences(text):
        if 'scf.for' in body:
            continue  # how often it runs is not known here
        checker = Checker()
        checker.run(shims, body)
        errors += checker.errors
        count += len(checker.tasks)
    return errors, count


# -- Random programs ------------------------------------------------------------------------------

def module(shims, arguments, body):
    tiles = ''.join(f'    %t{i} = aie.tile({i}, 0)\n' for i in range(2))
    names = ''.join(f'    aie.shim_dma_allocation @{n}(%t{t}, {d}, {c})\n' for n, t, d, c in shims)
    return (f'module {{\n  aie.device(npu1) @seg {{\n{tiles}{names}    func.func @f({arguments}) {{\n'
            '      %i = arith.constant 1 : i32\n      %z = arith.constant 0 : i64\n'
            + '\n'.join(body) + '\n      return\n    }\n  }\n}\n')


def transfer(memref, shim, kind, offsets, sizes, strides, marks='', event=''):
    lists = ', '.join(f'[{", ".join(map(str, entries))}]' for entries in (sizes, strides))
    return (f'      {event}airrt.dma_memcpy_nd(%i, %z, %z, {memref}[{", ".join(map(str, offsets))}], '
            f'{lists}) {{metadata = @{shim}{marks}}} : (i32, i64, i64, {kind})'
            + (' : !airrt.event' if event else ''))


def random_lists(rng):
    sizes = [rng.choice([1, 1, 2, 3, 5, 16, 17, 67, 100, 128, 1024, 1500, 2048])
             if rng.random() < .5 else rng.choice([1, 2, 3, 4, 8]) for _ in range(4)]
    strides = [rng.choice([0, 0, 1, 2, 8, 16, 64, 100, 1000, 4096]) for _ in range(3)] + [1]
    volume = sizes[0] * sizes[1] * sizes[2] * sizes[3]
    return (sizes, strides) if volume <= 60000 else random_lists(rng)


def check_elements(tool, rng):
    sizes, strides = random_lists(rng)
    offsets = [rng.randrange(3) for _ in range(4)]
    kind = 'memref<100000000x%s>' % rng.choice(['i32', 'bf16', 'i8', 'f32'])
    body = [transfer('%a', 'in', kind, offsets, sizes, strides)]
    code, out, err = run(tool, module([('in', 0, 'MM2S', 0)], f'%a: {kind}', body))
    if code:
        return [] if re.search('cannot tile|repeats elements', err) else [err[:200]], 0
    tasks = [Task(m, ('%t', 'MM2S', '0')) for m in STEP.finditer(out) if m['name']]
    moved = [e for task in tasks for e in task.elements()]
    wanted = walk(sum(o * s for o, s in zip(offsets, strides)), list(zip(sizes, strides)))
    return ([] if moved == wanted else [f'other elements: {offsets} {sizes} {strides}']), len(tasks)


class Program:
    """Loops, waits and transfers of a few buffers by some channels of two shims."""

    def __init__(self, rng, iterates=False):
        self.rng, self.body, self.count, self.iterates = rng, [], 0, iterates
        self.shims = [(f'{d.lower()}_{t}_{c}', t, d, c) for t in (0, 1) for d in ('MM2S', 'S2MM')
                      for c in (0, 1) if rng.random() < .7] or [('in', 0, 'MM2S', 0)]
        self.buffers = rng.choice([1, 2, 4])
        self.loop(0) if iterates else self.block(0, None)

    def fresh(self):
        self.count += 1
        return self.count

    def move(self, variable):
        rng, event = self.rng, f'%e{self.fresh()}'
        rows, columns = rng.choice([1, 1, 2, 4]), rng.choice([2, 4, 8])
        start = f'%o{variable}' if variable and rng.random() < .6 else rng.randrange(40)
        marks = rng.choice([''] * 6 + [', air.preserve_shim_dma_order', ', air.runtime_hoist'])
        self.body.append(transfer(f'%b{rng.randrange(self.buffers)}', rng.choice(self.shims)[0],
                                  'memref<4096xi32>', [0, 0, 0, start], [1, 1, rows, columns],
                                  [0, 0, rng.choice([8, 16]), 1], marks, event + ' = '))
        return event

    def loop(self, depth):
        v, step = self.fresh(), self.rng.choice([0, 4, 8, 64])
        self.body += [f'      affine.for %k{v} = 0 to {self.rng.randrange(1, 6)} {{',
                      f'      %a{v} = affine.apply affine_map<(d0) -> (d0 * {step})>(%k{v})',
                      f'      %o{v} = arith.index_cast %a{v} : index to i64']
        self.block(depth + 1, v)
        self.body.append('      }')

    def block(self, depth, variable):
        events = []
        for _ in range(self.rng.randrange(1, 7)):
            kind = self.rng.random()
            if kind < .6 or depth > 1:
                events += [self.move(variable) for _ in range(self.rng.choice([1, 1, 2, 6]))]
            elif kind < .8 and events:
                self.body.append('      airrt.wait_all ' + self.rng.choice(events))
            else:
                self.loop(depth)
        if events:
            self.end(events)

    def end(self, events):
        marks = ['', ' {air.launch_end}', ' {air.iteration_end} : !airrt.event']
        mark = marks[2] if self.iterates and self.rng.random() < .8 else self.rng.choice(marks)
        result = f'%w{self.fresh()} = ' if 'iteration' in mark else ''
        self.body.append(f'      {result}airrt.wait_all {", ".join(events)}{mark}')

    def text(self):
        arguments = ', '.join(f'%b{i}: memref<4096xi32>' for i in range(self.buffers))
        return module(self.shims, arguments, self.body)


def run(tool, text, options=''):
    done = subprocess.run([tool, '-', '--airrt-to-npu' + options], input=text, text=True,
                          capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def check_program(tool, rng):
    options = rng.choice(['', '=coalesce-shim-dma=true'])
    code, out, err = run(tool, Program(rng).text(), options)
    return ([err[:200]], 0) if code else check_text(out)


def accesses(text):
    """By channel the elements in their order; by element the channels that reach it."""
    moved, reached = {}, {}
    for number, (shims, body) in enumerate(sequences(text)):
        tasks = {}
        for match in STEP.finditer(body):
            if match['name']:
                tasks[match['name']] = Task(match, shims[match['shim']])
            elif match['use'] == 'start':
                task = tasks[match['task']]
                moved.setdefault((number, task.channel), []).extend(
                    (task.buffer, element) for element in task.elements())
                for element in task.elements():
                    reached.setdefault((number, task.buffer, element), []).append(task.channel)
    return moved, {place: in_order(channels) for place, channels in reached.items()}


def in_order(channels):
    """Channels that only read between two writes come in any order."""
    parts = itertools.groupby(channels, key=lambda channel: channel[1] == 'S2MM')
    return [channel for writes, part in parts for channel in (part if writes else sorted(part))]


def check_joins(tool, rng):
    """Iterations of a launch are common in programs, and rare among random ones: one more is around."""
    text = Program(rng, iterates=True).text()
    code, plain, err = run(tool, text)
    if code:
        return [err[:200]], 0
    code, joined, err = run(tool, text, '=join-iterations=true')
    if code:
        return [err[:200]], 0
    errors, count = check_text(joined)
    global fewer
    fewer += check_text(plain)[1] - count
    for what, a, b in zip(('elements of a channel', 'order of writes'), accesses(plain), accesses(joined)):
        if a != b:
            errors.append('joined: other ' + what)
    return errors, count


fewer = 0  # tasks, because they were joined


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool', help='airlite-opt')
    parser.add_argument('files', nargs='*')
    parser.add_argument('--runs', type=int, default=200)
    parser.add_argument('--seed', type=int, default=0)
    args = parser.parse_args()
    checks = [(name, lambda name=name: check_text(open(name, encoding='utf-8').read()))
              for name in args.files]
    if not args.files:
        for seed in range(args.seed, args.seed + args.runs):
            for check in (check_elements, check_program, check_joins):
                checks.append((f'{check.__name__} {seed}',
                               lambda c=check, s=seed: c(args.tool, random.Random(s))))
    wrong = tasks = 0
    for name, check in checks:
        errors, count = check()
        tasks += count
        wrong += bool(errors)
        for error in errors[:3]:
            print(f'{name}: {error}')
    print(f'{len(checks)} checked, {tasks} tasks, {fewer} joined, {wrong} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
