"""vector: reads, writes and computation on vectors."""

import enum

import airlite

from .. import _attributes
from .._affine import AffineMap
from .._program import OpView, make
from ._common import Names, indices as as_indices, result_or_op

_names = Names("vector", typed=["bitcast", "shape_cast", "broadcast", "splat"])


class CombiningKind(enum.Enum):
    ADD = "add"
    MUL = "mul"
    MINUI = "minui"
    MINSI = "minsi"
    MINNUMF = "minnumf"
    MAXUI = "maxui"
    MAXSI = "maxsi"
    MAXNUMF = "maxnumf"
    AND = "and"
    OR = "or"
    XOR = "xor"
    MAXIMUMF = "maximumf"
    MINIMUMF = "minimumf"


def _kind(kind):
    if isinstance(kind, CombiningKind):
        return airlite.Attribute.parse(f"#vector.kind<{kind.value}>")
    if isinstance(kind, str):
        return airlite.Attribute.parse(kind if kind.startswith("#") else f"#vector.kind<{kind}>")
    return kind


def _map(map):
    return _attributes.AffineMapAttr.get(map) if isinstance(map, AffineMap) else map


def _bounds(in_bounds):
    if isinstance(in_bounds, (list, tuple)):
        return [bool(each) if isinstance(each, (bool, int)) else each for each in in_bounds]
    return in_bounds


class TransferReadOp(OpView):
    def __init__(self, vector, source, indices, permutation_map, padding, in_bounds=None, *, mask=None,
                 loc=None, ip=None):
        self._native = make(
            "vector.transfer_read", [[source], as_indices(indices), [padding], [mask] if mask else None],
            [vector], {"permutation_map": _map(permutation_map), "in_bounds": _bounds(in_bounds)},
            loc=loc, ip=ip)._native


def transfer_read(vector, source, indices, permutation_map, padding, in_bounds=None, **options):
    return TransferReadOp(vector, source, indices, permutation_map, padding, in_bounds, **options).result


class TransferWriteOp(OpView):
    def __init__(self, result, value_to_store, base, indices, permutation_map, in_bounds=None, *, mask=None,
                 loc=None, ip=None):
        self._native = make(
            "vector.transfer_write",
            [[value_to_store], [base], as_indices(indices), [mask] if mask else None],
            [] if result is None else [result],
            {"permutation_map": _map(permutation_map), "in_bounds": _bounds(in_bounds)},
            loc=loc, ip=ip)._native


def transfer_write(result, value_to_store, base, indices, permutation_map, in_bounds=None, **options):
    return result_or_op(TransferWriteOp(result, value_to_store, base, indices, permutation_map, in_bounds,
                                        **options))


class ReductionOp(OpView):
    def __init__(self, dest, kind, vector, *, acc=None, fastmath=None, loc=None, ip=None):
        self._native = make("vector.reduction", [[vector], [acc] if acc is not None else None], [dest],
                            {"kind": _kind(kind), "fastmath": fastmath}, loc=loc, ip=ip)._native


def reduction(dest, kind, vector, **options):
    return ReductionOp(dest, kind, vector, **options).result


class ContractionOp(OpView):
    def __init__(self, result, lhs, rhs, acc, indexing_maps, iterator_types, *, kind=None, loc=None, ip=None):
        self._native = make("vector.contract", [lhs, rhs, acc], [result], loc=loc, ip=ip, attributes={
            "indexing_maps": [_map(each) for each in indexing_maps],
            "iterator_types": [airlite.Attribute.parse(each) if isinstance(each, str) and "#" in each else each
                               for each in iterator_types],
            "kind": _kind(kind or CombiningKind.ADD)})._native


def contract(result, lhs, rhs, acc, indexing_maps, iterator_types, **options):
    return ContractionOp(result, lhs, rhs, acc, indexing_maps, iterator_types, **options).result


class ExtractOp(OpView):
    def __init__(self, source, dynamic_position=(), static_position=(), *, loc=None, ip=None):
        self._native = make("vector.extract", [[source], list(dynamic_position or ())], loc=loc, ip=ip,
                            attributes={"static_position": airlite.Attribute.dense_array(
                                list(static_position))})._native


def extract(source, dynamic_position=(), static_position=(), **options):
    return ExtractOp(source, dynamic_position, static_position, **options).result


def __getattr__(name):
    return _names.find(name)
