"""Types by the names of MLIR's bindings: each class is a view of an airlite.Type."""

import airlite

DYNAMIC = -(2**63)  # the size of an open dimension


def native(type):
    """The airlite.Type of a type, or of its text."""
    if isinstance(type, Type):
        return type._native
    return airlite.Type.parse(type) if isinstance(type, str) else type


def native_shape(shape):
    return [None if size == DYNAMIC else int(size) for size in shape]


class Type:
    """Any type. Equal types print alike."""

    kind = None

    def __init__(self, type):
        self._native = native(type)
        if not self.fits(self._native):
            raise ValueError(f"Cannot cast type to {self.__class__.__name__} (from {self._native})")

    @classmethod
    def fits(cls, type):
        return cls.kind is None or type.kind == cls.kind

    @classmethod
    def isinstance(cls, type):
        return cls.fits(native(type))

    @staticmethod
    def parse(text, context=None):
        return of(airlite.Type.parse(text))

    @property
    def context(self):
        from ._program import Context
        return Context.of(self._native.context)

    def maybe_downcast(self):
        return of(self._native)

    def __eq__(self, other):
        return isinstance(other, Type) and self._native == other._native

    def __hash__(self):
        return hash(self._native)

    def __str__(self):
        return str(self._native)

    def __repr__(self):
        return f"{self.__class__.__name__}({self._native})"


class IndexType(Type):
    kind = "index"

    @staticmethod
    def get(context=None):
        return IndexType("index")


class NoneType(Type):
    kind = "none"

    @staticmethod
    def get(context=None):
        return NoneType("none")


class IntegerType(Type):
    kind = "integer"

    @staticmethod
    def get_signless(width, context=None):
        return IntegerType(f"i{width}")

    @staticmethod
    def get_signed(width, context=None):
        return IntegerType(f"si{width}")

    @staticmethod
    def get_unsigned(width, context=None):
        return IntegerType(f"ui{width}")

    width = property(lambda self: self._native.width)
    is_signless = property(lambda self: self._native.signedness == "signless")
    is_signed = property(lambda self: self._native.signedness == "signed")
    is_unsigned = property(lambda self: self._native.signedness == "unsigned")


class FloatType(Type):
    kind = "float"
    text = None

    @classmethod
    def fits(cls, type):
        return type.kind == "float" and (cls.text is None or str(type) == cls.text)

    @classmethod
    def get(cls, context=None):
        return cls(cls.text)

    width = property(lambda self: self._native.width)


class F16Type(FloatType):
    text = "f16"


class BF16Type(FloatType):
    text = "bf16"


class F32Type(FloatType):
    text = "f32"


class F64Type(FloatType):
    text = "f64"


class FunctionType(Type):
    kind = "function"

    @staticmethod
    def get(inputs, results, context=None):
        return FunctionType(airlite.Type.function([native(each) for each in inputs],
                                                  [native(each) for each in results]))

    inputs = property(lambda self: [of(each) for each in self._native.inputs])
    results = property(lambda self: [of(each) for each in self._native.results])


class ShapedType(Type):
    @classmethod
    def fits(cls, type):
        return type.kind in ("vector", "tensor", "memref") if cls.kind is None else type.kind == cls.kind

    @staticmethod
    def get_dynamic_size():
        return DYNAMIC

    @staticmethod
    def get_dynamic_stride_or_offset():
        return DYNAMIC

    has_rank = property(lambda self: self._native.has_rank)
    rank = property(lambda self: self._native.rank)
    element_type = property(lambda self: of(self._native.element_type))
    shape = property(lambda self: [DYNAMIC if size is None else size for size in self._native.shape])
    has_static_shape = property(lambda self: self.has_rank and None not in self._native.shape)

    def get_dim_size(self, dim):
        return self.shape[dim]

    def is_dynamic_dim(self, dim):
        return self.shape[dim] == DYNAMIC


class VectorType(ShapedType):
    kind = "vector"

    @staticmethod
    def get(shape, element_type, loc=None, **_):
        return VectorType(airlite.Type.vector(native_shape(shape), native(element_type)))


class RankedTensorType(ShapedType):
    kind = "tensor"

    @staticmethod
    def get(shape, element_type, encoding=None, loc=None):
        if encoding is not None:
            raise NotImplementedError("tensors with an encoding")
        return RankedTensorType(airlite.Type.tensor(native_shape(shape), native(element_type)))


class MemRefType(ShapedType):
    kind = "memref"

    @classmethod
    def fits(cls, type):
        return type.kind == "memref" and type.has_rank

    @staticmethod
    def get(shape, element_type, layout=None, memory_space=None, loc=None):
        from . import _attributes
        if layout is not None:
            layout = _attributes.native(layout)
        if memory_space is not None:
            memory_space = _attributes.native(memory_space)
        return MemRefType(airlite.Type.memref(native_shape(shape), native(element_type), memory_space,
                                              layout))

    @property
    def memory_space(self):
        from . import _attributes
        space = self._native.memory_space
        return None if space is None else _attributes.of(space)

    @property
    def layout(self):
        from . import _affine, _attributes
        layout = self._native.layout
        if layout is None:
            return _attributes.AffineMapAttr.get(_affine.AffineMap.get_identity(self.rank))
        return _attributes.of(layout)

    def get_strides_and_offset(self):
        strides, offset = self._native.strides
        opened = lambda value: DYNAMIC if value is None else value
        return [opened(stride) for stride in strides], opened(offset)


class UnrankedMemRefType(ShapedType):
    kind = "memref"

    @classmethod
    def fits(cls, type):
        return type.kind == "memref" and not type.has_rank

    @staticmethod
    def get(element_type, memory_space=None, loc=None):
        from . import _attributes
        space = "" if memory_space is None else f", {_attributes.native(memory_space)}"
        return UnrankedMemRefType(f"memref<*x{native(element_type)}{space}>")


_CLASSES = (IndexType, IntegerType, F16Type, BF16Type, F32Type, F64Type, FloatType, FunctionType, VectorType,
            RankedTensorType, MemRefType, UnrankedMemRefType, NoneType)


def of(type):
    """The view of an airlite.Type."""
    for each in _CLASSES:
        if each.fits(type):
            return each(type)
    return Type(type)
