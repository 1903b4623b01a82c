"""airlite: programs of the AIR compute model, compiled and run on AMD NPUs and GPUs.

A program is read, looked into, changed by passes, compiled and run on numpy arrays:

    import airlite, numpy as np

    module = airlite.load("vector_add.mlir")
    a, b = np.arange(64, dtype=np.int32), np.ones(64, dtype=np.int32)
    c = np.zeros(64, dtype=np.int32)
    run = airlite.run(module, a, b, c, on="sim")
    print(c, run.cycles)

Or a program is a function on arrays, which `jit` traces and compiles (help(airlite.api)):

    @airlite.jit
    def layer(x, weights, bias):
        return np.maximum(x @ weights + bias, 0)

What goes wrong is an `airlite.Error` with the file, the line and the column. `help(airlite.run)`,
`help(airlite.compile)`, `help(airlite.tune)` and `help(airlite.create)` say what the main functions take.
"""

import os as _os

from ._native import (
    Attribute,
    AttributeMap,
    Block,
    Compiled,
    Context,
    Diagnostic,
    Error,
    InsertionPoint,
    Location,
    Module,
    Operation,
    PassReport,
    Region,
    Type,
    Value,
    __version__,
    _set_internal_folders,
    compile,
    create,
    describe,
    load,
    parse,
    passes,
    run_passes,
    targets,
)
from ._run import RunResult, run
from ._show import floorplan_of as _floorplan_of, html_of_program as _html_of_program

# An operation comes from the line of the program that makes it, not from a line in here.
_folder = _os.path.dirname(_os.path.abspath(__file__))
_set_internal_folders([_os.path.join(_folder, ""), _os.path.join(_os.path.dirname(_folder), "air", ""),
                       _os.path.join(_os.path.dirname(_os.__file__), "contextlib.py"),  # which opens and closes a herd
                       "<__array_function__ internals>"])  # how numpy calls functions of others

TYPE_CHECKING = False  # that of typing, which takes longer to import than all of this package
if TYPE_CHECKING:
    from ._tune import Choice, tune
    from .api import jit
del TYPE_CHECKING

_LATER = {"api": ".api", "jit": ".api", "Choice": "._tune", "tune": "._tune"}


def __getattr__(name):
    # airlite.api needs numpy, and the search needs hashes and JSON: they are loaded when they are asked for.
    if name not in _LATER:
        raise AttributeError(f"module 'airlite' has no attribute {name!r}")
    from importlib import import_module
    module = import_module(_LATER[name], __name__)
    return module if name == "api" else getattr(module, name)


Operation._repr_html_ = _html_of_program
Compiled._repr_svg_ = _floorplan_of

__all__ = [
    "Attribute",
    "AttributeMap",
    "Block",
    "Choice",
    "Compiled",
    "Context",
    "Diagnostic",
    "Error",
    "InsertionPoint",
    "Location",
    "Module",
    "Operation",
    "PassReport",
    "Region",
    "RunResult",
    "Type",
    "Value",
    "__version__",
    "compile",
    "create",
    "describe",
    "jit",
    "load",
    "parse",
    "passes",
    "run",
    "run_passes",
    "targets",
    "tune",
]
