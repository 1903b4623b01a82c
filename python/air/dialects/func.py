"""func: functions, from Python functions too, and calls."""

import inspect

import airlite

from .. import _attributes, _types
from .._program import Block, InsertionPoint, OpView, make, native_value, register_view
from ._common import result_or_op


class FuncOp(OpView):
    def __init__(self, name, type, *, visibility=None, body_builder=None, loc=None, ip=None):
        if isinstance(type, tuple):
            type = _types.FunctionType.get(inputs=type[0], results=type[1])
        self._native = make("func.func", results=[], loc=loc, ip=ip, regions=1, attributes={
            "sym_name": name, "function_type": type, "sym_visibility": visibility})._native
        if body_builder:
            with InsertionPoint(self.add_entry_block()):
                body_builder(self)

    @property
    def name(self):
        return self.attributes["sym_name"]

    @property
    def type(self):
        return self.attributes["function_type"].value

    @property
    def visibility(self):
        return self.attributes["sym_visibility"] if "sym_visibility" in self.attributes else None

    @property
    def is_external(self):
        return not self.regions[0].blocks

    def add_entry_block(self, arg_locs=None):
        if not self.is_external:
            raise IndexError("The function already has an entry block!")
        inputs = [each._native for each in self.type.inputs]
        return Block(self._native.regions[0].add_block(inputs))

    @property
    def entry_block(self):
        if self.is_external:
            raise IndexError("External function does not have a body")
        return self.regions[0].blocks[0]

    @property
    def arguments(self):
        return self.entry_block.arguments

    @classmethod
    def from_py_func(cls, *inputs, results=None, name=None):
        """Makes a function of a function of Python: it is called once, with the arguments as values."""
        def decorate(python):
            function = cls(name or python.__name__, (list(inputs), list(results or ())))
            entry = function.add_entry_block()
            with InsertionPoint(entry):
                options = {"func_op": function} if "func_op" in inspect.signature(python).parameters else {}
                returned = _values(python(*entry.arguments, **options))
                ReturnOp(returned)
            if results is None:
                function.attributes["function_type"] = _types.FunctionType.get(
                    inputs, [_types.of(native_value(each).type) for each in returned])
            return _Callable(python, function)

        return decorate


class _Callable:
    """What a decorated function has become: a call of it is an operation."""

    def __init__(self, python, function):
        self.func_op = function
        self.__name__, self.__doc__ = python.__name__, python.__doc__

    def __call__(self, *arguments):
        return result_or_op(CallOp(self.func_op, list(arguments)))


def _values(returned):
    if returned is None:
        return []
    given = list(returned) if isinstance(returned, (list, tuple)) else [returned]
    return [each.result if isinstance(each, OpView) else each for each in given]


class ReturnOp(OpView):
    def __init__(self, operands_=(), *, loc=None, ip=None):
        self._native = make("func.return", [list(operands_ or ())], results=[], loc=loc, ip=ip)._native


def return_(operands_=(), **options):
    return ReturnOp(operands_, **options)


class CallOp(OpView):
    """CallOp(function, arguments), or CallOp(types of the results, name, arguments)."""

    def __init__(self, callee_or_results, arguments_or_callee=(), arguments=None, *, loc=None, ip=None):
        if isinstance(callee_or_results, (FuncOp, _Callable)):
            function = getattr(callee_or_results, "func_op", callee_or_results)
            results, callee, given = function.type.results, function.name.value, arguments_or_callee
        else:
            results, callee, given = callee_or_results, arguments_or_callee, arguments
        if not isinstance(callee, str):
            callee = _attributes.of(_attributes.native(callee)).value
        self._native = make("func.call", [list(given or ())], list(results), loc=loc, ip=ip, attributes={
            "callee": airlite.Attribute.symbol(callee)})._native


def call(*arguments, **options):
    return result_or_op(CallOp(*arguments, **options))


register_view("func.func", FuncOp)
