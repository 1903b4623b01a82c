"""Types by short names: i32(), bf16(), memref(4, 8, element) ..."""

from .. import _types


def _named(text):
    def make():
        return _types.of(_types.native(text))
    make.__name__ = text
    return make


index = _named("index")
bool = i1 = _named("i1")
i8, i16, i32, i64 = (_named(text) for text in ("i8", "i16", "i32", "i64"))
si8, si16, si32, si64 = (_named(text) for text in ("si8", "si16", "si32", "si64"))
ui8, ui16, ui32, ui64 = (_named(text) for text in ("ui8", "ui16", "ui32", "ui64"))
f16, bf16, f32, f64 = (_named(text) for text in ("f16", "bf16", "f32", "f64"))


def memref(*shape_and_element, memory_space=None, layout=None):
    *shape, element = shape_and_element
    return _types.MemRefType.get(shape, element, layout, memory_space)


def vector(*shape_and_element):
    *shape, element = shape_and_element
    return _types.VectorType.get(shape, element)


def tensor(*shape_and_element):
    *shape, element = shape_and_element
    return _types.RankedTensorType.get(shape, element)


def function(inputs, results):
    return _types.FunctionType.get(inputs, results)
