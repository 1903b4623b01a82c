"""Element types."""

from .. import _types


class DType:
    """An element type, with the dtype of numpy and the vectors that cores compute it with."""

    def __init__(self, name, mlir, np_name, itemsize, lanes):
        self.name, self.mlir, self.itemsize, self.default_vector_width = name, mlir, itemsize, lanes
        self._np_name = np_name

    @property
    def np_dtype(self):
        import numpy as np
        if self._np_name == "bfloat16":
            from ml_dtypes import bfloat16
            return bfloat16
        return getattr(np, self._np_name)

    @property
    def type(self):
        return _types.of(_types.native(self.mlir))

    is_float = property(lambda self: self.mlir in ("bf16", "f16", "f32"))
    is_unsigned = property(lambda self: self.mlir.startswith("ui"))

    def __repr__(self):
        return self.name


bf16 = DType("bf16", "bf16", "bfloat16", 2, 16)
f16 = DType("f16", "f16", "float16", 2, 16)
f32 = DType("f32", "f32", "float32", 4, 16)
i8 = DType("i8", "i8", "int8", 1, 32)
i16 = DType("i16", "i16", "int16", 2, 16)
i32 = DType("i32", "i32", "int32", 4, 16)
ui8 = DType("ui8", "ui8", "uint8", 1, 32)
ui16 = DType("ui16", "ui16", "uint16", 2, 16)
ui32 = DType("ui32", "ui32", "uint32", 4, 16)
