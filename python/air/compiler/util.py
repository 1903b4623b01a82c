"""Transform scripts on a program."""

import os
import tempfile

import airlite

from .._program import native_op


def run_transform(transform_ir, module):
    """Runs the script of a module with transform ops on a program."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "transform.mlir")
        with open(script, "w") as file:
            file.write(str(transform_ir))
        airlite.run_passes(native_op(module), f"air-transform{{filename={script}}}")
