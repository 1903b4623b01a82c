"""scf: loops and conditions."""

import airlite

from .. import _types
from .._program import InsertionPoint, OpView, make, native_value
from ._common import Names, index, mixed, result_or_op

_names = Names("scf")


def _type_of(given):
    return _types.of(native_value(given).type if not isinstance(given, OpView)
                     else given._native.result.type)


class ForOp(OpView):
    def __init__(self, lower_bound, upper_bound, step, iter_args=None, *, loc=None, ip=None):
        carried = list(iter_args or ())
        types = [_type_of(each) for each in carried]
        bounds = [index(each) for each in (lower_bound, upper_bound, step)]
        self._native = make("scf.for", [*([each] for each in bounds), carried], types, loc=loc, ip=ip,
                            regions=[[_type_of(bounds[0])._native, *(each._native for each in types)]])._native

    @property
    def induction_variable(self):
        return self.body.arguments[0]

    @property
    def inner_iter_args(self):
        return self.body.arguments[1:]


def for_(start, stop=None, step=None, iter_args=None, *, loc=None, ip=None):
    """A loop: the body of the `for` of Python that goes over it is its body, and ends in yield_."""
    if stop is None:
        start, stop = 0, start
    loop = ForOp(start, stop, 1 if step is None else step, iter_args, loc=loc, ip=ip)
    carried, results = loop.inner_iter_args, loop.results
    with InsertionPoint(loop.body):
        if not carried:
            yield loop.induction_variable
        elif len(carried) == 1:
            yield loop.induction_variable, carried[0], results[0]
        else:
            yield loop.induction_variable, tuple(carried), tuple(results)


class YieldOp(OpView):
    def __init__(self, results_=(), *, loc=None, ip=None):
        self._native = make("scf.yield", list(results_ or ()), results=[], loc=loc, ip=ip)._native


def yield_(results_=None, *, loc=None, ip=None):
    given = results_ if isinstance(results_, (list, tuple)) or results_ is None else [results_]
    return YieldOp(given or (), loc=loc, ip=ip)


class IfOp(OpView):
    def __init__(self, cond, results_=None, *, has_else=False, hasElse=False, loc=None, ip=None):
        self._native = make("scf.if", [cond], list(results_ or ()), loc=loc, ip=ip,
                            regions=[[], [] if has_else or hasElse else None])._native

    @property
    def then_block(self):
        return self.regions[0].blocks[0]

    @property
    def else_block(self):
        blocks = self.regions[1].blocks
        return blocks[0] if blocks else None


class ParallelOp(OpView):
    def __init__(self, results_, lowerBound, upperBound, step, initVals=(), *, loc=None, ip=None):
        groups = [[index(each) for each in group] for group in (lowerBound, upperBound, step)]
        self._native = make("scf.parallel", [*groups, list(initVals)], list(results_ or ()), loc=loc, ip=ip,
                            regions=[["index"] * len(groups[0])])._native


def _bounds(given):
    values, statics = mixed(given)
    return [index(each) for each in values], statics


class ForallOp(OpView):
    def __init__(self, lower_bounds, upper_bounds, steps, shared_outs=(), *, mapping=None, loc=None, ip=None):
        groups = [_bounds(each) for each in (lower_bounds, upper_bounds, steps)]
        outputs = list(shared_outs or ())
        types = [_type_of(each) for each in outputs]
        names = ("staticLowerBound", "staticUpperBound", "staticStep")
        attributes = {name: statics for name, (_, statics) in zip(names, groups)}
        self._native = make(
            "scf.forall", [*(values for values, _ in groups), outputs], types,
            {**attributes, "mapping": mapping}, loc=loc, ip=ip,
            regions=[["index"] * len(list(upper_bounds)) + [each._native for each in types]])._native

    @property
    def induction_variables(self):
        return self.body.arguments[:len(self.body.arguments) - len(self.results)]

    @property
    def inner_iter_args(self):
        return self.body.arguments[len(self.body.arguments) - len(self.results):]

    def terminator(self):
        return self.body.operations[-1]


class InParallelOp(OpView):
    def __init__(self, *, loc=None, ip=None):
        self._native = make("scf.forall.in_parallel", results=[], regions=[[]], loc=loc, ip=ip)._native

    @property
    def block(self):
        return self.regions[0].blocks[0]


def index_switch(results, arg, cases, case_body_builder, default_body_builder=None, *, loc=None, ip=None):
    """Regions by the value of an index: builders get the switch, and the case that they are for."""
    switch = make("scf.index_switch", [index(arg)], list(results or ()),
                  {"cases": airlite.Attribute.dense_array([int(each) for each in cases])}, loc=loc, ip=ip,
                  regions=[[]] * (len(cases) + 1))
    for at, block in enumerate(region.blocks[0] for region in switch.regions):
        with InsertionPoint(block):
            if at == 0 and default_body_builder is not None:
                default_body_builder(switch)
            elif at > 0:
                case_body_builder(switch, at - 1, cases[at - 1])
            if not block.operations or block.operations[-1].name != "scf.yield":
                yield_([])
    return result_or_op(switch)


def __getattr__(name):
    return _names.find(name)
