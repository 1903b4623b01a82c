"""Transform scripts on a program."""

import os
import re
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
# A memref or tensor with a size that is not known; an offset may be.
_OPEN_SIZE = re.compile(r"(memref|tensor)<[^,>]*\?")
_warned = []


def _tunes_cores(script, program):
    """Whether a script does nothing but tune the code of cores: it vectorizes herds that the program has."""
    names = {op.name for op in script.walk() if not op.name.startswith("transform.apply_patterns.")}
    return "transform.air.herd_vectorize" in names and names <= _TUNING and bool(program.walk("air.herd"))


def _is_unscheduled(program):
    """Whether a program says nothing about where it runs, and all sizes are known: structured ops on whole arrays, or
    on the parts of arrays that a point of a grid computes."""
    return not any(op.name.startswith(("air.", "scf.", "affine.for", "affine.parallel")) or
                   any(_OPEN_SIZE.match(str(each.type)) for each in op.results + op.operands)
                   for op in program.walk())


def _is_point(program):
    """Whether a program computes parts of arrays that lie where its arguments say, as those of Triton do."""
    return any(op.name == "memref.reinterpret_cast" for op in program.walk())


def _lacks_an_op(error):
    return "op not supported: this op in a script" in str(error)


def run_transform(transform_ir, module):
    """Runs the script of a module with transform ops on a program.

    The code generator of cores chooses blocks, vectors and unrolling by itself. A script that only says how cores
    compute is not run, with a warning once: it would hide from the code generator what is computed. Nor is a script with
    ops that airlite lacks, when the program is structured ops on whole arrays or on a point of a grid: airlite chooses
    tiles and places for all of them.
    """
    program = native_op(module)
    if _tunes_cores(native_op(transform_ir), program):
        return _warn_once("a transform script that only tunes the code of cores has no meaning here: airlite decides "
                          "this by itself")
    may_stay = _is_unscheduled(program)
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "transform.mlir")
        with open(script, "w") as file:
            file.write(str(transform_ir))
        if not may_stay:
            airlite.run_passes(program, f"air-transform{{filename={script}}}")
            return
        try:
            airlite.run_passes(program.clone(), f"air-transform{{filename={script}}}")
        except airlite.Error as error:
            if not _lacks_an_op(error):
                raise
            if _is_point(program):  # the launch around it, which comes next, has no other memory for its buffers
                airlite.run_passes(program, "air-override-memref-memory-space{scope=func memory-space=1}")
            return _warn_once(f"a transform script is not run, airlite chooses tiles and places by itself: {error}")
        airlite.run_passes(program, f"air-transform{{filename={script}}}")


def _warn_once(text):
    if text not in _warned:
        _warned.append(text)
        print(f"air: warning: {text}", file=sys.stderr)
