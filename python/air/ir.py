"""Contexts, locations, types, attributes, affine maps and the program, by the names of MLIR's bindings."""

from ._affine import (
    AffineAddExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineMulExpr,
    AffineSymbolExpr,
    IntegerSet,
)
from ._attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    BoolAttr,
    DenseElementsAttr,
    DenseI32ArrayAttr,
    DenseI64ArrayAttr,
    DictAttr,
    FlatSymbolRefAttr,
    FloatAttr,
    IntegerAttr,
    IntegerSetAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from ._program import (
    Block,
    BlockArgument,
    Context,
    InsertionPoint,
    Location,
    MLIRError,
    Module,
    OpResult,
    OpView,
    Operation,
    Region,
    Value,
)
from ._types import (
    BF16Type,
    F16Type,
    F32Type,
    F64Type,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    RankedTensorType,
    ShapedType,
    Type,
    UnrankedMemRefType,
    VectorType,
)

# The other package hands on numpy as well, and scripts use it; it is loaded by `from air.ir import *`.
__all__ = [name for name in dir() if not name.startswith("_")] + ["np"]


def __getattr__(name):
    if name == "np":
        import numpy
        return numpy
    raise AttributeError(f"module 'air.ir' has no attribute {name!r}")
