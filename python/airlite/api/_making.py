"""Arrays that a function makes by numpy itself, as np.zeros(8): they are numpy's, and constants of the program, until elements of the
program are assigned to them. The function is traced once more then, and what that line makes is an array of the program."""

import contextlib
import functools
import sys
import threading

import numpy as np

from ._arrays import Expression, Pointwise, broadcast_to, common_dtype, expression
from ._index import Index
from ._trace import TraceAgain, trace_here

_NAMES = ("array", "asarray", "ascontiguousarray", "zeros", "ones", "empty", "full", "eye", "identity", "tri", "arange", "linspace", "copy", "zeros_like",
          "ones_like", "empty_like", "full_like")


_OF_LISTS = ("sum", "prod", "max", "min", "mean", "median", "any", "all", "argmax", "argmin", "std", "var", "cumsum", "sort", "transpose")


class MadeArray(np.ndarray):
    """An array of numpy, and the line that has made it."""

    _line = None

    def __setitem__(self, index, given):
        if _is_of_program(index) or isinstance(given, Expression):
            want_array(self)
        super().__setitem__(index, given)

    def __getitem__(self, index):
        return expression(self)[index] if _is_of_program(index) else super().__getitem__(index)

    def take(self, places, axis=None, **options):
        return expression(self).take(places, axis) if isinstance(places, Expression) else super().take(places, axis, **options)


def _is_of_program(index):
    return any(isinstance(each, (Expression, Index)) for each in (index if isinstance(index, tuple) else (index,)))


def want_array(array):
    """Has an array of numpy as one of the program, where the line is known that has made it: a view is of what it shows."""
    while isinstance(array.base, np.ndarray) and getattr(array, "_line", None) is None:
        array = array.base
    if getattr(array, "_line", None) is not None:
        raise TraceAgain(lines=(array._line,))


def _making(name, original):
    @functools.wraps(original)
    def make(*given, **named):
        trace = trace_here()
        caller = sys._getframe(1)
        if trace is None or caller.f_globals.get("__name__", "").split(".")[0] in ("airlite", "numpy"):
            return original(*given, **named)
        if name in ("array", "asarray", "ascontiguousarray") and given and _holds_program(given[0]):
            return _of_elements(name, *given, **named)
        if name == "full" and any(isinstance(each, Expression) for each in (*given[1:2], named.get("fill_value"))):
            return _full(*given, **named)
        made = original(*given, **named)
        if type(made) not in (np.ndarray, MadeArray) or any(made is each for each in given):
            return made
        line = trace.key_at(caller.f_code.co_filename, caller.f_lineno, name)
        if line in trace.wanted.lines:
            return Pointwise("same", (expression(made),), made.shape, made.dtype)
        made = made.view(MadeArray)
        made._line = line
        return made
    return make


def _of_list(original):
    """Takes a list of arrays of the program as one array, as numpy does with its own."""
    @functools.wraps(original)
    def take(*given, **named):
        is_list = trace_here() is not None and given and isinstance(given[0], (tuple, list)) and _holds_program(given[0])
        return original(*((_of_elements("array", given[0]), *given[1:]) if is_list else given), **named)
    return take


def _full(shape, fill_value, dtype=None):
    number = fill_value if dtype is None else fill_value.astype(dtype)
    return broadcast_to(number, shape if isinstance(shape, (tuple, list)) else (shape,)).copy()


def _holds_program(given):
    return isinstance(given, Expression) or isinstance(given, (tuple, list)) and any(map(_holds_program, given))


def _of_elements(name, given, dtype=None, copy=True, order=None):
    """np.array of lists with elements of the program."""
    made = given if isinstance(given, Expression) else _stacked(given, common_dtype([each.dtype for each in _leaves(given)]))
    if dtype is not None and made.dtype != np.dtype(dtype):
        return made.astype(dtype)
    if name == "ascontiguousarray" and made is given:
        from ._shapes import contiguous
        return contiguous(made)
    return made.copy() if name == "array" and copy and made is given else made


def _leaves(given):
    if isinstance(given, (tuple, list)):
        return [leaf for each in given for leaf in _leaves(each)]
    return [given] if hasattr(given, "dtype") else []


def _stacked(given, dtype):
    from ._shapes import stack
    if not isinstance(given, (tuple, list)):
        return expression(given, dtype)
    return stack([_stacked(each, dtype) for each in given])


_lock, _traces, _originals = threading.Lock(), 0, {}


@contextlib.contextmanager
def watched():
    """While functions are traced, numpy's functions that make arrays note their line. In other threads they do what they did."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(more):
    global _traces
    with _lock:
        if not _traces:
            _originals.update({name: getattr(np, name) for name in _NAMES + _OF_LISTS})
        _traces += more
        for name, original in _originals.items():
            watching = _of_list(original) if name in _OF_LISTS else _making(name, original)
            setattr(np, name, watching if _traces else original)
