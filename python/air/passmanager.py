"""Pipelines of passes on a program."""

import airlite

from ._program import native_op


class PassManager:
    """A pipeline, such as "builtin.module(canonicalize,cse)"."""

    def __init__(self, anchor_op="builtin.module", context=None):
        self.anchor, self.passes = anchor_op, []
        self.prints, self.verifies = False, True

    @staticmethod
    def parse(pipeline, context=None):
        manager = PassManager()
        manager.passes.append(pipeline)
        return manager

    def add(self, pipeline):
        self.passes.append(pipeline)

    def enable_verifier(self, enable=True):
        """Whether the program is verified after each pass."""
        self.verifies = enable

    def enable_ir_printing(self, *_, **__):
        self.prints = True

    def run(self, op):
        module = native_op(op)
        for passes in self.passes:
            report = airlite.run_passes(module, passes, print_after_all=self.prints, verify_each=self.verifies)
            if self.prints:
                print(report.log)

    def __str__(self):
        return ",".join(self.passes)
