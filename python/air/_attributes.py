"""Attributes by the names of MLIR's bindings: each class is a view of an airlite.Attribute."""

import airlite

from . import _affine, _types


def native(value):
    """The airlite.Attribute of a view, or of what Python code may give for one."""
    if isinstance(value, Attribute):
        return value._native
    if isinstance(value, _types.Type):
        return airlite.Attribute.of(value._native)
    if isinstance(value, _affine.AffineMap):
        return airlite.Attribute.parse(f"affine_map<{value}>")
    if isinstance(value, _affine.IntegerSet):
        return airlite.Attribute.parse(f"affine_set<{value}>")
    if isinstance(value, (list, tuple)):
        return airlite.Attribute.of([native(each) for each in value])
    if isinstance(value, dict):
        return airlite.Attribute.of({name: native(each) for name, each in value.items()})
    return value if isinstance(value, airlite.Attribute) else airlite.Attribute.of(value)


class Attribute:
    kind = None

    def __init__(self, attribute):
        self._native = native(attribute)
        if self.kind is not None and self._native.kind != self.kind:
            raise ValueError(f"Cannot cast attribute to {self.__class__.__name__} (from {self._native})")

    @classmethod
    def isinstance(cls, attribute):
        return cls.kind is None or native(attribute).kind == cls.kind

    @staticmethod
    def parse(text, context=None):
        return of(airlite.Attribute.parse(text))

    @property
    def type(self):
        type = self._native.type
        return None if type is None else _types.of(type)

    def maybe_downcast(self):
        return of(self._native)

    def __eq__(self, other):
        return isinstance(other, Attribute) and self._native == other._native

    def __hash__(self):
        return hash(self._native)

    def __str__(self):
        return str(self._native)

    def __repr__(self):
        return f"{self.__class__.__name__}({self._native})"


class IntegerAttr(Attribute):
    kind = "integer"

    @staticmethod
    def get(type, value):
        return IntegerAttr(airlite.Attribute.of(int(value), _types.native(type)))

    value = property(lambda self: self._native.value)

    def __int__(self):
        return int(self.value)


class BoolAttr(IntegerAttr):
    @staticmethod
    def get(value, context=None):
        return BoolAttr(airlite.Attribute.of(bool(value)))


class FloatAttr(Attribute):
    kind = "float"

    @staticmethod
    def get(type, value, loc=None):
        return FloatAttr(airlite.Attribute.of(float(value), _types.native(type)))

    @staticmethod
    def get_f32(value, context=None):
        return FloatAttr.get("f32", value)

    @staticmethod
    def get_f64(value, context=None):
        return FloatAttr.get("f64", value)

    value = property(lambda self: self._native.value)


class StringAttr(Attribute):
    kind = "string"

    @staticmethod
    def get(value, context=None):
        return StringAttr(airlite.Attribute.of(str(value)))

    value = property(lambda self: self._native.value)


class UnitAttr(Attribute):
    kind = "unit"

    @staticmethod
    def get(context=None):
        return UnitAttr(airlite.Attribute.of(None))


class TypeAttr(Attribute):
    kind = "type"

    @staticmethod
    def get(type, context=None):
        return TypeAttr(airlite.Attribute.of(_types.native(type)))

    value = property(lambda self: _types.of(self._native.value))


class ArrayAttr(Attribute):
    kind = "array"

    @staticmethod
    def get(attributes, context=None):
        return ArrayAttr(list(attributes))

    def __len__(self):
        return len(self._native.value)

    def __getitem__(self, at):
        return of(self._native.value[at])

    def __iter__(self):
        return iter([of(each) for each in self._native.value])


class DictAttr(Attribute):
    kind = "dictionary"

    @staticmethod
    def get(value=None, context=None):
        return DictAttr(dict(value or {}))

    def __len__(self):
        return len(self._native.value)

    def __contains__(self, name):
        return name in self._native.value

    def __getitem__(self, name):
        return of(self._native.value[name])


class SymbolRefAttr(Attribute):
    kind = "symbol"

    @staticmethod
    def get(symbols, context=None):
        return SymbolRefAttr(airlite.Attribute.symbol("::".join(symbols)))

    value = property(lambda self: self._native.value)


class FlatSymbolRefAttr(SymbolRefAttr):
    @staticmethod
    def get(value, context=None):
        return FlatSymbolRefAttr(airlite.Attribute.symbol(value))


class _DenseArray(Attribute):
    kind = "dense_array"
    element = None

    @classmethod
    def get(cls, values, context=None):
        return cls(airlite.Attribute.dense_array([int(each) for each in values], cls.element))

    def __len__(self):
        return len(self._native.value)

    def __getitem__(self, at):
        return self._native.value[at]

    def __iter__(self):
        return iter(self._native.value)


class DenseI64ArrayAttr(_DenseArray):
    element = "i64"


class DenseI32ArrayAttr(_DenseArray):
    element = "i32"


class DenseElementsAttr(Attribute):
    kind = "dense_elements"

    @staticmethod
    def get(array, signless=True, type=None, shape=None, context=None):
        """From an array of numpy, or from attributes and the type of the whole."""
        if isinstance(array, (list, tuple)):
            if type is None:
                raise ValueError("DenseElementsAttr.get of a list of attributes needs their type")
            body = ", ".join(str(native(each)).split(" : ")[0] for each in array)
            return Attribute.parse(f"dense<[{body}]> : {_types.native(type)}")
        import numpy as np
        from .backend.xrt_runner import type_mapper
        array = np.ascontiguousarray(array)
        if type is None:
            element = type_mapper(array.dtype)
            if signless and isinstance(element, _types.IntegerType):
                element = _types.IntegerType.get_signless(element.width)
            type = _types.RankedTensorType.get(shape or array.shape, element)
        elif not isinstance(type, _types.ShapedType):
            type = _types.RankedTensorType.get(shape or array.shape, type)
        return DenseElementsAttr(airlite.Attribute.dense(_types.native(type), array.tobytes()))

    @staticmethod
    def get_splat(type, attribute):
        value = str(native(attribute)).split(" : ")[0]
        return Attribute.parse(f"dense<{value}> : {_types.native(type)}")

    def __len__(self):
        return len(self._native.value)

    def __getitem__(self, at):
        return self._native.value[at]


class AffineMapAttr(Attribute):
    kind = "affine_map"

    @staticmethod
    def get(map, context=None):
        return AffineMapAttr(map)


class IntegerSetAttr(Attribute):
    kind = "integer_set"

    @staticmethod
    def get(set, context=None):
        return IntegerSetAttr(set)


class StridedLayoutAttr(Attribute):
    kind = "strided"

    @staticmethod
    def get(offset, strides, context=None):
        shown = lambda value: "?" if value == _types.DYNAMIC else str(int(value))
        return Attribute.parse(
            f"strided<[{', '.join(map(shown, strides))}], offset: {shown(offset)}>")


_CLASSES = {each.kind: each for each in (
    IntegerAttr, FloatAttr, StringAttr, UnitAttr, TypeAttr, ArrayAttr, DictAttr, SymbolRefAttr,
    DenseElementsAttr, AffineMapAttr, IntegerSetAttr, StridedLayoutAttr)}


def of(attribute):
    """The view of an airlite.Attribute."""
    if attribute.kind == "dense_array":
        text = str(attribute)
        made = {"array<i64": DenseI64ArrayAttr, "array<i32": DenseI32ArrayAttr}.get(text[:9])
        return made(attribute) if made else Attribute(attribute)
    return _CLASSES.get(attribute.kind, Attribute)(attribute)
