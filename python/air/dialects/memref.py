"""memref: allocations, accesses and views."""

import airlite

from .. import _attributes
from .._program import OpView, make, native_value
from ._common import Names, indices, mixed

_names = Names("memref", typed=["cast", "memory_space_cast"])


class AllocOp(OpView):
    operation_name = "memref.alloc"

    def __init__(self, memref, dynamicSizes=(), symbolOperands=(), *, alignment=None, loc=None, ip=None):
        self._native = make(self.operation_name, [list(dynamicSizes), list(symbolOperands)], [memref],
                            {"alignment": _alignment(alignment)}, loc=loc, ip=ip)._native


class AllocaOp(AllocOp):
    operation_name = "memref.alloca"


def _alignment(value):
    return airlite.Attribute.of(value, "i64") if isinstance(value, int) else value


def alloc(memref, dynamic_sizes=(), symbol_operands=(), **options):
    return AllocOp(memref, dynamic_sizes, symbol_operands, **options).result


class DeallocOp(OpView):
    def __init__(self, memref, *, loc=None, ip=None):
        self._native = make("memref.dealloc", [memref], results=[], loc=loc, ip=ip)._native


def dealloc(memref, **options):
    return DeallocOp(memref, **options)


class LoadOp(OpView):
    def __init__(self, memref, indices_=(), *, indices=None, loc=None, ip=None):
        at = _indices(indices if indices is not None else indices_)
        self._native = make("memref.load", [[memref], at], loc=loc, ip=ip)._native


class StoreOp(OpView):
    def __init__(self, value, memref, indices_=(), *, indices=None, loc=None, ip=None):
        at = _indices(indices if indices is not None else indices_)
        self._native = make("memref.store", [[value], [memref], at], results=[], loc=loc, ip=ip)._native


_indices = indices


def load(memref, indices=(), **options):
    return LoadOp(memref, indices, **options).result


def store(value, memref, indices=(), **options):
    return StoreOp(value, memref, indices, **options)


def copy(source, target, *, loc=None, ip=None):
    return make("memref.copy", [source, target], results=[], loc=loc, ip=ip)


# -- Views

def _opened(left, right, combine):
    return None if left is None or right is None else combine(left, right)


def _number(each):
    """A constant, or None for a value."""
    return int(each) if isinstance(each, int) or hasattr(each, "__index__") else None


def _view_type(source, offsets, sizes, strides, rank_reduce=False):
    """The type of a part of a memref: its strides are those of the whole times those of the part."""
    base_strides, base_offset = source.strides
    offset = base_offset
    for at, stride in zip(offsets, base_strides):
        step = _opened(_number(at), stride, lambda a, b: a * b)
        if _number(at) == 0:
            step = 0
        offset = _opened(offset, step, lambda a, b: a + b)
    shape = [_number(size) for size in sizes]
    steps = [_opened(_number(stride), base, lambda a, b: a * b)
             for stride, base in zip(strides, base_strides)]
    if rank_reduce:
        kept = [at for at, size in enumerate(shape) if size != 1]
        shape, steps = [shape[at] for at in kept], [steps[at] for at in kept]
    return _strided(source, shape, steps, offset)


def _strided(source, shape, strides, offset):
    shown = lambda value: "?" if value is None else str(value)
    dense = 1
    plain = offset == 0
    for size, stride in reversed(list(zip(shape, strides))):
        plain = plain and dense is not None and stride == dense
        dense = None if size is None or dense is None else dense * size
    layout = None if plain else airlite.Attribute.parse(
        f"strided<[{', '.join(map(shown, strides))}], offset: {shown(offset)}>")
    return airlite.Type.memref(shape, source.element_type, source.memory_space, layout)


def subview(source, offsets, sizes, strides, *, result_type=None, rank_reduce=False, loc=None, ip=None):
    offsets, sizes, strides = list(offsets), list(sizes), list(strides)
    if result_type is None:
        result_type = _view_type(native_value(source).type if not isinstance(source, OpView)
                                 else source._native.result.type, offsets, sizes, strides, rank_reduce)
    groups = [mixed(each) for each in (offsets, sizes, strides)]
    names = ("static_offsets", "static_sizes", "static_strides")
    return make("memref.subview", [[source], *[values for values, _ in groups]], [result_type],
                {name: statics for name, (_, statics) in zip(names, groups)}, loc=loc, ip=ip).result


class SubViewOp(OpView):
    def __init__(self, result, source, offsets, sizes, strides, static_offsets, static_sizes, static_strides,
                 *, loc=None, ip=None):
        self._native = make(
            "memref.subview", [[source], list(offsets), list(sizes), list(strides)], [result],
            {name: _dense(each) for name, each in (("static_offsets", static_offsets),
                                                   ("static_sizes", static_sizes),
                                                   ("static_strides", static_strides))},
            loc=loc, ip=ip)._native


def _dense(values):
    return airlite.Attribute.dense_array(list(values)) if isinstance(values, (list, tuple)) else values


def _reassociation(groups):
    return [[airlite.Attribute.of(int(dim), "i64") for dim in group]
            if isinstance(group, (list, tuple)) else group for group in groups]


class CollapseShapeOp(OpView):
    def __init__(self, result, src, reassociation, *, loc=None, ip=None):
        self._native = make("memref.collapse_shape", [src], [result],
                            {"reassociation": _reassociation(reassociation)}, loc=loc, ip=ip)._native


def collapse_shape(result, src, reassociation, **options):
    return CollapseShapeOp(result, src, reassociation, **options).result


def _statics(given, values):
    """The static list of an operation that was given values and, maybe, constants."""
    if given is not None:
        return values or [], _dense(list(given) if not isinstance(given, _attributes.Attribute) else given)
    return mixed(values)


class ExpandShapeOp(OpView):
    def __init__(self, result, src, reassociation, output_shape=(), static_output_shape=None, *, loc=None,
                 ip=None):
        values, statics = _statics(static_output_shape, list(output_shape))
        self._native = make("memref.expand_shape", [[src], values], [result],
                            {"reassociation": _reassociation(reassociation),
                             "static_output_shape": statics}, loc=loc, ip=ip)._native


def expand_shape(result, src, reassociation, output_shape=(), static_output_shape=None, **options):
    return ExpandShapeOp(result, src, reassociation, output_shape, static_output_shape, **options).result


class ReinterpretCastOp(OpView):
    def __init__(self, result, source, offsets, sizes, strides, static_offsets=None, static_sizes=None,
                 static_strides=None, *, loc=None, ip=None):
        groups = [_statics(static, list(values or ())) for static, values in
                  ((static_offsets, offsets), (static_sizes, sizes), (static_strides, strides))]
        names = ("static_offsets", "static_sizes", "static_strides")
        self._native = make("memref.reinterpret_cast", [[source], *[values for values, _ in groups]],
                            [result], {name: each for name, (_, each) in zip(names, groups)},
                            loc=loc, ip=ip)._native


def reinterpret_cast(result, source, offsets, sizes, strides, *static, **options):
    return ReinterpretCastOp(result, source, offsets, sizes, strides, *static, **options).result


class GlobalOp(OpView):
    def __init__(self, sym_name, type_, *, sym_visibility=None, initial_value=None, constant=None,
                 alignment=None, loc=None, ip=None):
        self._native = make("memref.global", results=[], loc=loc, ip=ip, attributes={
            "sym_name": sym_name, "type": type_, "sym_visibility": sym_visibility,
            "initial_value": initial_value, "constant": _attributes.UnitAttr.get() if constant else None,
            "alignment": _alignment(alignment)})._native


class GetGlobalOp(OpView):
    def __init__(self, result, name, *, loc=None, ip=None):
        self._native = make("memref.get_global", results=[result], loc=loc, ip=ip, attributes={
            "name": airlite.Attribute.symbol(name) if isinstance(name, str) else name})._native


def get_global(result, name, **options):
    return GetGlobalOp(result, name, **options).result


def __getattr__(name):
    return _names.find(name)
