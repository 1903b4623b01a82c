"""affine: maps applied to indices, and conditions."""

from .._affine import AffineExpr
from .._program import OpView, make
from ._common import Names, index

_names = Names("affine")


class AffineApplyOp(OpView):
    def __init__(self, map, mapOperands=(), *, loc=None, ip=None):
        self._native = make("affine.apply", [[index(each) for each in mapOperands]], ["index"],
                            {"map": map}, loc=loc, ip=ip)._native


def apply(map, map_operands=(), *, loc=None, ip=None):
    if isinstance(map, AffineExpr):
        raise TypeError("affine.apply takes an AffineMap: AffineMap.get(dims, symbols, [expression])")
    return AffineApplyOp(map, map_operands, loc=loc, ip=ip).result


class AffineIfOp(OpView):
    def __init__(self, condition, results_=None, *, cond_operands=(), has_else=False, loc=None, ip=None):
        self._native = make("affine.if", [[index(each) for each in cond_operands]], list(results_ or ()),
                            {"condition": condition}, loc=loc, ip=ip,
                            regions=[[], [] if has_else else None])._native

    then_block = property(lambda self: self.regions[0].blocks[0])

    @property
    def else_block(self):
        blocks = self.regions[1].blocks
        return blocks[0] if blocks else None


class AffineYieldOp(OpView):
    def __init__(self, operands_=(), *, loc=None, ip=None):
        self._native = make("affine.yield", [list(operands_ or ())], results=[], loc=loc, ip=ip)._native


def yield_(operands_=(), **options):
    return AffineYieldOp(operands_, **options)


def __getattr__(name):
    return _names.find(name)
