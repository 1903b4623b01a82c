"""@jit: functions on arrays, traced, compiled for the arrays of their first call, and run."""

import contextlib
import functools
import inspect
import os
import types

import numpy as np

from .. import _cache, _native, _tune
from .._run import RunResult, run
from .._show import floorplan_of
from ._arrays import Expression, expression
from ._elements import check_plain, element_of
from ._emit import Emitter
from ._making import watched
from ._masked import Masked
from ._small import compiled, into_result, may_fit, on_one_core
from ._trace import Buffer, Trace, TraceAgain, Wanted, error_at, trace_here

_STATIC = (bool, int, float, str, bytes, type(None), np.generic, np.dtype, type)
_COMPILE_OPTIONS = ("exact", "passes", "verify_program", "object_folders")
_RUN_OPTIONS = ("statistics", "trace", "cycle_limit")
_PLACES = ("sim", "xrt", "interp", "host")
_ERRORS = (TypeError, ValueError, IndexError, OverflowError, AttributeError, _native.Error)


class Picture:
    """Where the parts of a program lie on the array: an SVG, which notebooks show."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes the SVG to a file."""
        with open(path, "w") as file:
            file.write(self.svg)

    def __repr__(self):
        return f"<airlite.api.Picture, {len(self.svg)} bytes of SVG: save(path) writes it>"


class Run:
    """What a call has come to.

    result    the airlite.RunResult: statistics, report, traces, seconds
    cycles    of the simulated array; else None
    picture   where the parts of the program lie on the array; None where nothing was compiled for one
    """

    def __init__(self, kernel, result: RunResult):
        self.kernel, self.result = kernel, result

    cycles = property(lambda self: self.result.cycles, doc="Of the simulated array; else None.")
    report = property(lambda self: self.result.report, doc="What statistics=True counts, as a text.")
    picture = property(lambda self: self.kernel.picture, doc="Where the parts of the program lie on the array.")

    def __repr__(self):
        what = f"{self.cycles} cycles" if self.cycles is not None else f"{self.result.seconds:.4f} s"
        return f"<airlite.api.Run of {self.kernel.name} on {self.result.on}, {what}>"


class Array(np.ndarray):
    """An array of numpy that a program has computed; `run` says how. What is computed of it is an array of its own,
    which has no run."""

    run = None

    cycles = property(lambda self: self.run and self.run.cycles, doc="Of the run that has computed it.")
    report = property(lambda self: self.run and self.run.report, doc="Of the run that has computed it.")
    picture = property(lambda self: self.run and self.run.picture, doc="Of the program that has computed it.")


def _share_memory(left, right):
    try:
        return np.may_share_memory(left, right) and np.shares_memory(left, right, max_work=10 ** 5)
    except (getattr(np, "exceptions", np).TooHardError, RuntimeError):
        return True


def _with_run(array, made):
    array = array.view(Array)
    array.run = made
    return array


class Kernel:
    """A program for arrays of certain shapes and dtypes.

    module      the airlite.Module: its arguments are the arrays of the call, then the constants, then the outputs
    constants   arrays of numpy that the function reads and that are no arguments of it, as they were when it was traced
    outputs     (shape, dtype) of what it returns
    """

    def __init__(self, trace, context, arguments, outputs, packed):
        self.names = [each.name for each in arguments]
        self.changed = [at for at, each in enumerate(arguments) if each.version]  # which of them the function assigns to
        self.name, self.context, self.module, self.outputs = trace.name, context, trace.module, outputs
        self.constants = [copy for copy, _ in trace.constants.values()]
        self.packed = packed  # makes of a list of arrays what the function returns
        self.has_transfers, self.unsupported, self.effort = trace.has_transfers, trace.unsupported, trace.effort
        self.arrays = [(each.shape, each.dtype) for each in arguments]
        self.small = None  # the same for one core, see _small
        self.compiled = {}  # by target and options
        self.picture = None

    def run(self, arrays, on, target, options):
        """Runs the program on arrays, and gives what it returns."""
        compile_options = {key: value for key, value in options.items() if key in _COMPILE_OPTIONS}
        run_options = {key: value for key, value in options.items() if key in _RUN_OPTIONS}
        self._check_apart(arrays)
        results = [np.zeros(shape, dtype) for shape, dtype in self.outputs]
        program = self.module if on in ("interp", "host") else self.compile(target, compile_options)
        given = [each.view(np.int8) if each.dtype.kind == "b" else each for each in (*arrays, *self.constants, *results)]
        result = run(program, *given, on=on, **(run_options if on == "sim" else {}))
        made = Run(self, result)
        returned = self.packed([_with_run(each, made) for each in results])
        return made if returned is None else returned

    def _check_apart(self, arrays):
        """A program knows nothing of arguments that are one array, or parts of one."""
        for one in self.changed:
            for other, array in enumerate(arrays):
                if other != one and _share_memory(arrays[one], array):
                    raise ValueError(f"arguments {self.names[one]!r} and {self.names[other]!r} share memory, and the function changes "
                                     f"{self.names[one]!r}: pass a copy of one of them")

    def compile(self, target, options):
        """The airlite.Compiled, of memory, of the disk, or compiled now."""
        if self.unsupported:
            raise error_at(*self.unsupported)
        key = (target, tuple(sorted((name, repr(value)) for name, value in options.items())))
        if key not in self.compiled:
            self.compiled[key], self.picture = self._compiled(target, dict(options))
        return self.compiled[key]

    def tuning(self, options):
        """What a search has to know besides the target."""
        return {"async_transfers": self.has_transfers,
                **{name: options[name] for name in ("exact", "object_folders") if name in options}}

    def _takes_same_arrays(self, other):
        """Whether another program can run in the place of this one."""
        is_same = self.arrays == other.arrays and self.outputs == other.outputs and self.changed == other.changed
        return is_same and len(self.constants) == len(other.constants) and all(
            one.dtype == two.dtype and one.tobytes() == two.tobytes() for one, two in zip(self.constants, other.constants))

    def _cycles(self, compiled):
        """What a run of it takes by the model of the array."""
        sizes = [*self.arrays, *((each.shape, each.dtype) for each in self.constants), *self.outputs]
        return run(compiled, *(np.zeros(shape, np.int8 if dtype.kind == "b" else dtype) for shape, dtype in sizes), on="model").cycles

    def _compiled(self, target, options):
        # Objects that a program links with are not a part of the key.
        is_kept = not options.get("object_folders")
        if is_kept and not options.get("passes"):
            options["passes"] = _tune.kept_passes(self.module, target=target, **self.tuning(options))
        if self.small is None or options.get("passes"):
            return self._compiled_or_found(target, options, is_kept)
        return compiled(self.small, self, lambda kernel: kernel._compiled_or_found(target, options, is_kept))

    def _compiled_or_found(self, target, options, is_kept):
        name = _cache.key_of(self.module.text("generic"), target, options)
        found = _cache.find(name) if is_kept else None
        if found:
            return found[1], _picture_in(found[0])
        compiled = _native.compile(self.module, target, emit=["images", "floorplan"],
                                   async_transfers=self.has_transfers, **options)
        if is_kept:
            _cache.keep(name, compiled)
        svg = floorplan_of(compiled)
        return compiled, svg and Picture(svg)


def _picture_in(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".floorplan.svg"):
            with open(os.path.join(folder, name)) as file:
                return Picture(file.read())
    return None


class Jitted:
    """A function that jit has taken: see help(airlite.jit)."""

    def __init__(self, function, options):
        functools.update_wrapper(self, function)
        self.function, self.options = function, _checked_options(options)
        self.signature = inspect.signature(function)
        self.kernels = {}
        for parameter in self.signature.parameters.values():
            if parameter.kind == inspect.Parameter.VAR_KEYWORD:
                raise TypeError(f"{function.__name__}: a function that is compiled has no **{parameter.name}")

    def __call__(self, *arguments, **named):
        if trace_here() is not None:  # a part of the function that calls it
            return self.function(*arguments, **named)
        try:
            kernel, arrays = self._kernel(arguments, named)
            on = self.options.get("on") or best_place()
            return kernel.run(arrays, on, self.options.get("target", "npu1"), self.options)
        except _ERRORS as error:
            # Errors end at a line of the function, or at the call.
            raise error.with_traceback(_own_frames(error.__traceback__.tb_next)) from None

    def program(self, *arguments, **named):
        """The airlite.Module for these arguments, without compiling or running it."""
        return self._kernel(arguments, named)[0].module

    def compile(self, *arguments, **named):
        """The airlite.Compiled for these arguments."""
        options = {key: value for key, value in self.options.items() if key in _COMPILE_OPTIONS}
        return self._kernel(arguments, named)[0].compile(self.options.get("target", "npu1"), options)

    def _kernel_to_tune(self, *arguments):
        """For airlite.tune: the program for these arguments, and how it is compiled."""
        if self.options.get("passes"):
            raise _native.Error(f"{self.__name__} is compiled by passes={self.options['passes']!r}: there is nothing to tune")
        kernel = self._kernel(arguments, {})[0]
        return kernel, {"target": self.options.get("target", "npu1"), **kernel.tuning(self.options)}

    def _kernel(self, arguments, named):
        bound = self.signature.bind(*arguments, **named)
        bound.apply_defaults()
        flat = list(_flat(bound, self.signature))
        key = tuple(_key_of(name, given) for name, given in flat)
        if key not in self.kernels:
            self.kernels[key] = _traced(self.function, self.signature, bound, flat)
        return self.kernels[key], [given for _, given in flat if isinstance(given, np.ndarray)]

    def __get__(self, instance, owner=None):
        # As a method it is called with its object: an object is no argument of a program.
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self):
        return f"<airlite.jit of {self.__name__}, {len(self.kernels)} programs>"


def _checked_options(options):
    known = ("on", "target", *_COMPILE_OPTIONS, *_RUN_OPTIONS)
    for name in options:
        if name not in known:
            raise TypeError(f"jit has no option {name!r}: it has {', '.join(known)}")
    if options.get("on") not in (None, *_PLACES):
        raise ValueError(f"on is 'sim', 'xrt', 'interp' or 'host', got {options['on']!r}")
    target = options.get("target", "npu1")
    if target not in _native.targets() or target.startswith("gfx"):
        raise ValueError(f"target is an NPU, got {target!r}: 'airlite.targets()' names them")
    return options


def _flat(bound, signature):
    """(name, argument) of all arguments; those of *args one by one."""
    for name, given in bound.arguments.items():
        if signature.parameters[name].kind == inspect.Parameter.VAR_POSITIONAL:
            yield from ((f"{name}{at}", each) for at, each in enumerate(given))
        else:
            yield name, given


def _key_of(name, given):
    if isinstance(given, np.ndarray):
        check_plain(given, f"argument {name!r}")
        return (given.shape, given.dtype.str, given.dtype.name)
    if _is_static(given):
        return (type(given), repr(given))  # 1, 1.0 and True are equal, but no same program
    raise TypeError(f"argument {name!r} is an array of numpy or a constant (a number, str, dtype or a tuple of them), got "
                    f"{type(given).__name__}")


def _is_static(given):
    return isinstance(given, _STATIC) or type(given) is tuple and all(_is_static(each) for each in given)


def _traced(function, signature, bound, flat):
    """The kernel of a function, with the program of one core where it may fit."""
    kernel = _traced_until_known(function, signature, bound, flat, False)
    if may_fit(kernel.effort) and not kernel.has_transfers:
        try:
            kernel.small = _traced_until_known(function, signature, bound, flat, True)
        except _ERRORS:
            return kernel  # as where it has herds of its own
        kernel.small = kernel.small if kernel._takes_same_arrays(kernel.small) else None
    return kernel


def _traced_until_known(function, signature, bound, flat, is_small):
    """Runs the function on arrays that stand for the arguments: once, and again for what a loop needs in memory, and for
    arrays of numpy that are assigned to."""
    wanted = Wanted()
    while True:
        try:
            with watched():
                return _traced_once(function, signature, bound, flat, wanted, is_small)
        except TraceAgain as again:
            wanted.add(again)


def _traced_once(function, signature, bound, flat, wanted, is_small):
    context = _native.Context()
    with context, Trace(function.__name__, wanted) as trace:
        arrays = [(name, given.shape, given.dtype) for name, given in flat if isinstance(given, np.ndarray)]
        for name, given in flat:
            _check_array(name, given) if isinstance(given, np.ndarray) else None
        arguments = trace.function(arrays)
        trace.enter(trace.op.body)
        with on_one_core(trace, arguments) if is_small else contextlib.nullcontext(arguments) as buffers:
            positional, named = _arguments(signature, bound, flat, buffers)
            outputs, packed = _returned(function, _call(function, positional, named), is_small)
            if trace.broken:
                raise _native.Error(trace.broken)
            if not outputs and not any(each.version for each in buffers):
                raise ValueError(f"{function.__name__} returns no array and assigns to none of its arguments: there is nothing to compute")
            emitter = Emitter(outputs)
            for node in outputs:
                result = trace.add_argument("result", node.shape, node.dtype)
                into_result(emitter, node, result) if is_small else emitter.into(node, result.memref)
        trace.close_level()
        _native.create("func.return", [[]])
        trace.leave()
        trace.module.verify()
        return Kernel(trace, context, arguments, [(node.shape, node.dtype) for node in outputs], packed)


def _arguments(signature, bound, flat, buffers):
    """What the function is called with: a list and a dict."""
    left = iter(buffers)
    values = iter([next(left) if isinstance(given, np.ndarray) else given for _, given in flat])
    positional, named = [], {}
    for name, given in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind == inspect.Parameter.VAR_POSITIONAL:
            positional += [next(values) for _ in given]
        elif kind == inspect.Parameter.KEYWORD_ONLY:
            named[name] = next(values)
        else:
            positional.append(next(values))
    return positional, named


def _call(function, positional, named):
    """Calls a function that is traced. Its errors end at its own line: how the line is traced does not matter there."""
    try:
        return function(*positional, **named)
    except _ERRORS as error:
        raise error.with_traceback(_own_frames(error.__traceback__)) from None


def _own_frames(trace):
    """A traceback without the frames of this package, of numpy and of inspect below the last other one."""
    frames = []
    while trace:
        frames.append(trace)
        trace = trace.tb_next
    while frames and frames[-1].tb_frame.f_globals.get("__name__", "").split(".")[0] in (
            "airlite", "numpy", "inspect"):
        frames.pop()
    made = None
    for each in reversed(frames):
        made = types.TracebackType(made, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return made


def _check_array(name, given):
    if given.size == 0:
        raise ValueError(f"argument {name!r} has no elements: its shape is {given.shape}")
    _checked_dtype(name, given.dtype)


def _checked_dtype(name, dtype):
    try:
        element_of(dtype)
    except TypeError as error:
        raise TypeError(f"argument {name!r}: {error}") from None


def _returned(function, given, may_be_on_core):
    """What a function returns, as expressions, and what makes the like of a list of arrays."""
    outputs, packed = _unpacked(given)
    for each in outputs:
        if not isinstance(each, (Expression, np.ndarray)):
            np.asarray(each) if isinstance(each, Masked) else None  # which says that it has no size
            raise TypeError(f"{function.__name__} returns arrays of the program, got {type(each).__name__}")
    for each in outputs:
        if isinstance(each, Buffer) and each.memory != "L3" and not may_be_on_core:
            raise TypeError(f"{function.__name__} returns memory of the array: copy it to an argument")
    return [expression(each) for each in outputs], packed


def _unpacked(given):
    """The arrays in what a function returns, and what makes the like of a list of other arrays."""
    if isinstance(given, _STATIC):  # known when the function is traced, and returned as it is
        return [], lambda arrays: given
    if not isinstance(given, (dict, tuple, list)):
        return [given], lambda arrays: arrays[0]
    parts = [_unpacked(each) for each in (given.values() if isinstance(given, dict) else given)]
    counts, kind, names = [len(arrays) for arrays, _ in parts], type(given), list(given) if isinstance(given, dict) else None

    def packed(arrays):
        left = iter(arrays)
        made = [pack([next(left) for _ in range(count)]) for count, (_, pack) in zip(counts, parts)]
        return dict(zip(names, made)) if names is not None else kind(*made) if hasattr(kind, "_fields") else tuple(made)
    return [each for arrays, _ in parts for each in arrays], packed


def jit(function=None, **options):
    """Makes a program of a function on arrays.

        @airlite.jit
        def layer(x, weights, bias):
            return np.maximum(x @ weights + bias, 0)

        y = layer(x, weights, bias)       # arrays of numpy
        print(y.cycles, y.picture)

    The first call with arrays of these shapes and dtypes runs the function on symbols, compiles the program and keeps
    it in memory and on disk (airlite.api.cache_folder()). Numbers, strs and dtypes among the arguments are constants
    of the program. Arrays that the function assigns to, as in `out[:] = a + b`, are changed in place. The result is
    an array, or a tuple of arrays, with `cycles`, `picture` and `run`; of a function that returns nothing it is the
    Run itself.

    In the body: operators and functions of numpy, the functions of airlite.api, and a schedule by hand with launch,
    segment, herd, loop, empty, copy and channel.

    on       "sim", "xrt", "interp" or "host"; without it the NPU of this machine where there is one, else "sim"
    target   the device, "npu1" without it
    exact, passes, verify_program, object_folders: as of airlite.compile; statistics, trace, cycle_limit: of
    airlite.run on "sim".

    A TypeError, ValueError or airlite.Error says what the function has wrong.
    """
    if function is None:
        return lambda given: Jitted(given, options)
    return Jitted(function, options)


_place = None


def best_place():
    """Where programs run without `on`: $AIRLITE_ON, else "xrt" on a machine with an NPU and XRT, else "sim"."""
    global _place
    given = os.environ.get("AIRLITE_ON")
    if given:
        if given not in _PLACES:
            raise _native.Error(f"AIRLITE_ON is 'sim', 'xrt', 'interp' or 'host', got {given!r}")
        return given
    if _place is None:
        _place = "xrt" if _has_npu() else "sim"
    return _place


def _has_npu(root="/"):
    """An accelerator of AMD that this user may open, and the library of XRT."""
    folder = os.path.join(root, "sys/class/accel")
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        try:
            with open(os.path.join(folder, name, "device/vendor")) as file:
                is_amd = file.read().strip() == "0x1022"
        except OSError:
            continue
        if is_amd and os.access(os.path.join(root, "dev/accel", name), os.R_OK | os.W_OK):
            from ctypes.util import find_library
            return find_library("xrt_coreutil") is not None
    return False
