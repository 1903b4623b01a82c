"""Transform scripts on a program."""

import os
import sys
import tempfile

import airlite

from .._program import native_op

# Tensors as buffers, those of arguments and results of functions too.
LINALG_TENSOR_TO_MEMREF_PIPELINE = ("builtin.module(one-shot-bufferize{copy-before-write bufferize-function-boundaries "
                                    "function-boundary-type-conversion=identity-layout-map},cse)")

# Ops of scripts that choose ops, or change how code computes and not what: simplifications, loops around parts of an
# op, vectors and where they are loaded.
_TUNING = {
    "builtin.module", "transform.named_sequence", "transform.yield", "transform.structured.match",
    "transform.split_handle", "transform.merge_handles", "transform.get_parent_op", "transform.apply_patterns",
    "transform.apply_cse", "transform.apply_dce", "transform.apply_licm", "transform.structured.tile_using_for",
    "transform.structured.vectorize_children_and_apply_patterns", "transform.loop.unroll",
    "transform.air.herd_vectorize", "transform.air.fold_unit_extent_dims",
    "transform.air.eliminate_redundant_vector_transfers", "transform.air.vector_type_cast",
    "transform.air.hoist_loop_invariant_transfers", "transform.air.flatten_for_iter_args",
    "transform.air.hoist_vector_transfer_pointers", "transform.air.hoist_cast_pair",
}
_warned = []


def _tunes_cores(script, program):
    """Whether a script does nothing but tune the code of cores: it vectorizes herds that the program has."""
    names = {op.name for op in script.walk() if not op.name.startswith("transform.apply_patterns.")}
    return "transform.air.herd_vectorize" in names and names <= _TUNING and bool(program.walk("air.herd"))


def run_transform(transform_ir, module):
    """Runs the script of a module with transform ops on a program.

    The code generator of cores chooses blocks, vectors and unrolling by itself. A script that only says how cores
    compute is not run, with a warning once: it would hide from the code generator what is computed.
    """
    if _tunes_cores(native_op(transform_ir), native_op(module)):
        if not _warned:
            _warned.append(True)
            print("air: warning: a transform script that only tunes the code of cores has no meaning here: airlite "
                  "decides this by itself", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "transform.mlir")
        with open(script, "w") as file:
            file.write(str(transform_ir))
        airlite.run_passes(native_op(module), f"air-transform{{filename={script}}}")
