"""arith: constants, comparisons, and every other operation by its name (AddFOp, addf ...)."""

import enum

import airlite

from .. import _attributes, _types
from .._program import OpView, make, native_value
from ._common import Names, is_value

_names = Names("arith", typed=["index_cast", "index_castui", "extf", "extsi", "extui", "truncf", "trunci",
                               "sitofp", "uitofp", "fptosi", "fptoui", "bitcast"])


class CmpIPredicate(enum.IntEnum):
    eq = 0
    ne = 1
    slt = 2
    sle = 3
    sgt = 4
    sge = 5
    ult = 6
    ule = 7
    ugt = 8
    uge = 9


class CmpFPredicate(enum.IntEnum):
    AlwaysFalse = 0
    OEQ = 1
    OGT = 2
    OGE = 3
    OLT = 4
    OLE = 5
    ONE = 6
    ORD = 7
    UEQ = 8
    UGT = 9
    UGE = 10
    ULT = 11
    ULE = 12
    UNE = 13
    UNO = 14
    AlwaysTrue = 15


def _attribute_of(type, value):
    if isinstance(value, (_attributes.Attribute, airlite.Attribute)):
        return value
    native = _types.native(type)
    if native.kind in ("vector", "tensor"):
        import numpy as np
        number = _attribute_of(native.element_type, value) if np.ndim(value) == 0 else None
        return (_attributes.DenseElementsAttr.get_splat(native, number) if number is not None
                else _attributes.DenseElementsAttr.get(value, type=native))
    return airlite.Attribute.of(value, native)


class ConstantOp(OpView):
    """A number, or an attribute with its type."""

    def __init__(self, result, value=None, *, loc=None, ip=None):
        if isinstance(result, _attributes.Attribute):  # which has the type
            result, value = result.type, result
        self._native = make("arith.constant", results=[result],
                            attributes={"value": _attribute_of(result, value)}, loc=loc, ip=ip)._native

    @staticmethod
    def create_index(value, *, loc=None, ip=None):
        return ConstantOp("index", value, loc=loc, ip=ip)

    @property
    def value(self):
        return self.attributes["value"]

    @property
    def literal_value(self):
        return self.value.value


def constant(result, value, *, loc=None, ip=None):
    return ConstantOp(result, value, loc=loc, ip=ip).result


class _Compare(OpView):
    operation_name, predicates = "", None

    def __init__(self, predicate, lhs, rhs, *, loc=None, ip=None):
        if isinstance(predicate, str):
            predicate = self.predicates[predicate]
        lhs, rhs = _alike(lhs, rhs)
        self._native = make(self.operation_name, [lhs, rhs], loc=loc, ip=ip, attributes={
            "predicate": airlite.Attribute.of(int(predicate), "i64")})._native


class CmpIOp(_Compare):
    operation_name, predicates = "arith.cmpi", CmpIPredicate


class CmpFOp(_Compare):
    operation_name, predicates = "arith.cmpf", CmpFPredicate


def cmpi(predicate, lhs, rhs, *, loc=None, ip=None):
    return CmpIOp(predicate, lhs, rhs, loc=loc, ip=ip).result


def cmpf(predicate, lhs, rhs, *, loc=None, ip=None):
    return CmpFOp(predicate, lhs, rhs, loc=loc, ip=ip).result


def _alike(left, right):
    """A number beside a value is a constant of its type."""
    if is_value(left) and is_value(right):
        return left, right
    given = left if is_value(left) else right
    type = native_value(given).type if not isinstance(given, airlite.Operation) else given.result.type
    made = lambda each: each if is_value(each) else constant(type, each)
    return made(left), made(right)


def of_operator(what, left, right, type):
    """The operation of an operator of Python on values of this type."""
    native = _types.native(type)
    element = native.element_type if native.kind == "vector" else native
    spelled = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf", "rem": "remf"} \
        if element.kind == "float" else \
        {"add": "addi", "sub": "subi", "mul": "muli", "div": "divsi", "floordiv": "floordivsi", "rem": "remsi"}
    if element.kind not in ("float", "integer", "index") or what not in spelled:
        raise TypeError(f"values of type {native} have no such operator")
    return make("arith." + spelled[what], list(_alike(left, right))).result


def __getattr__(name):
    return _names.find(name)
