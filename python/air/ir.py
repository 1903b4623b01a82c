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

__all__ = [name for name in dir() if not name.startswith("_")]
