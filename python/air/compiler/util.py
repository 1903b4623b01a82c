"""Transform scripts on a program."""

import os
import tempfile

import airlite

from .._program import native_op

# Tensors as buffers, those of arguments and results of functions too.
LINALG_TENSOR_TO_MEMREF_PIPELINE = ("builtin.module(one-shot-bufferize{copy-before-write bufferize-function-boundaries "
                                    "function-boundary-type-conversion=identity-layout-map},cse)")


def run_transform(transform_ir, module):
    """Runs the script of a module with transform ops on a program."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "transform.mlir")
        with open(script, "w") as file:
            file.write(str(transform_ir))
        airlite.run_passes(native_op(module), f"air-transform{{filename={script}}}")
