"""Random changes of programs, right and wrong ones: each is done or refused, none ends the process."""
import gc
import random

import airlite
import pytest
from airlite import InsertionPoint, create
from conftest import function


class Changes:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.modules = [self.module() for _ in range(3)]
        self.ops, self.values, self.blocks = [], [], []
        self.done = self.refused = 0
        self.look()

    @staticmethod
    def module():
        return function(["i32", "index"])[0]

    def look(self):
        """Forgets what is gone, and finds what the modules have."""
        self.ops = [op for op in self.ops if op.is_valid][-200:]
        for module in self.modules:
            for each in module.functions:
                for block in each.regions[0]:
                    self.blocks.append(block)
                    self.values += block.arguments
        self.blocks = [block for block in self.blocks if self.is_there(lambda: block.operations)][-200:]
        self.values = [value for value in self.values if self.is_there(lambda: value.type)][-400:]

    @staticmethod
    def is_there(use):
        try:
            use()
            return True
        except airlite.Error:
            return False

    def one(self, things):
        return self.rng.choice(things)

    def place(self):
        places = [None, *self.blocks]
        return InsertionPoint.before(self.one(self.ops)) if self.ops and self.rng.random() < 0.3 else self.one(places)

    def step(self):
        if len(self.ops) < 4:
            return self.add()
        change = self.one([
            self.add, self.add, self.add, self.loop, self.unlink, self.arguments, self.module_changes, self.ask,
            lambda: self.one(self.ops).erase(),
            lambda: self.one(self.ops).move_before(self.one(self.ops)),
            lambda: self.one(self.ops).set_operand(self.rng.randrange(3), self.one(self.values)),
            lambda: self.ops.append(self.one(self.ops).clone()),
            lambda: self.one(self.blocks).append(self.one(self.ops)),
            lambda: self.one(self.values).replace_all_uses_with(self.one(self.values)),
            lambda: self.one(self.ops).replace_all_uses_with(self.one(self.values)),
            lambda: self.one(self.blocks).erase() if self.rng.random() < 0.2 else None])
        return change()

    def add(self):
        op = create("arith.addi", [self.one(self.values), self.one(self.values)], results=["i32"], at=self.place())
        self.ops.append(op)
        self.values.append(op.result)

    def loop(self):
        op = create("scf.for", [[self.one(self.values)] for _ in range(4)], results=["i32"], at=self.place(),
                    regions=[["index", "i32"]])
        self.ops.append(op)
        self.blocks.append(op.body)
        self.values += [op.result, *op.body.arguments]

    def unlink(self):
        self.one(self.ops).remove_from_parent()

    def arguments(self):
        block = self.one(self.blocks)
        if self.rng.random() < 0.5:
            self.values.append(block.add_argument("i32"))
        else:
            block.erase_argument(self.rng.randrange(3))

    def module_changes(self):
        at = self.rng.randrange(3)
        chance = self.rng.random()
        if chance < 0.1:
            airlite.run_passes(self.modules[at], "canonicalize,cse")
        elif chance < 0.3:
            self.modules[at] = self.module()
        elif chance < 0.4:
            self.modules[0] = self.modules[at].clone()

    def ask(self):
        op = self.one(self.ops)
        assert op.name in str(op) and op in op.walk()
        for value in op.operands:
            assert any(user == op for user, _ in value.uses) and value.owner is not None
        self.ops.pop(self.rng.randrange(len(self.ops)))
        op.verify()


@pytest.mark.parametrize("seed", range(6))
def test_random_changes(seed):
    changes = Changes(seed)
    for number in range(2500):
        try:
            changes.step()
            changes.done += 1
        except (airlite.Error, IndexError):
            changes.refused += 1
        if number % 100 == 0:
            gc.collect()
            changes.look()
    assert changes.done > 500 and changes.refused > 100
    del changes
    gc.collect()
