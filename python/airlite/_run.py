"""Programs on numpy arrays: in the interpreter, on this processor, on an NPU or its simulator."""

from __future__ import annotations  # their names are for tools, and are not imported

from . import _native

TYPE_CHECKING = False  # as in __init__.py
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Union

_PLACES = ("sim", "model", "interp", "host", "xrt")
_OPTIONS = {
    "interp": ("function", "seed", "max_steps", "levels"),
    "host": ("function", "threads"),
    "sim": ("statistics", "trace", "reverse_tiles", "cycle_limit"),
    "model": ("statistics", "trace", "cycle_limit"),
    "xrt": ("xrt_library",),
}
_COMPILE_OPTIONS = (
    "target", "function", "passes", "verify_program", "exact", "remarks", "async_transfers",
    "object_folders",
)


class RunResult:
    """What a run has come to.

    results     what the function returns: arrays and numbers
    seconds     how long the run took, without compiling
    cycles      of the array, of "sim" and "model"; else None
    compiled    what was run, to run it again: of "sim", "model" and "xrt"; else None
    figures     other figures of the place: steps and processes of the interpreter, launches and
                workgroups of this processor
    """

    def __init__(self, on: str, outcome: Dict[str, Any], compiled: Optional[_native.Compiled]):
        self.on = on
        self.results: List[Any] = outcome.pop("results")
        self.seconds: float = outcome.pop("seconds")
        self.cycles: Optional[int] = outcome.pop("cycles", None)
        self.compiled = compiled
        self._statistics = outcome.pop("statistics", [])
        self._reports = outcome.pop("reports", [])
        self._traces = outcome.pop("traces", [])
        self.figures: Dict[str, int] = outcome

    @property
    def statistics(self) -> List[Dict[str, Any]]:
        """Cycles and traffic of cores and channels, for each design of the program; of a run with
        statistics=True."""
        import json
        return [json.loads(text) for text in self._statistics]

    @property
    def report(self) -> str:
        """The statistics as tables."""
        return "\n".join(self._reports)

    @property
    def traces(self) -> List[str]:
        """JSON for chrome://tracing and Perfetto, for each design; of a run with trace=True."""
        return list(self._traces)

    def __repr__(self) -> str:
        what = f"{self.cycles} cycles" if self.cycles is not None else f"{self.seconds:.4f} s"
        return f"<airlite.RunResult on {self.on}, {what}, {len(self.results)} results>"


def run(module: Union[_native.Module, _native.Compiled], *arguments: Any, on: str = "sim",
        **options: Any) -> RunResult:
    """Runs a function of a program on numpy arrays and numbers.

    Arrays that the program writes are changed in place; what the function returns is in
    `RunResult.results`. Elements of type bf16 are an array of ml_dtypes.bfloat16, or of uint16 with
    the bits.

    on          "sim": compiled for an NPU, on the simulated array (the default)
                "model": how long that takes, in milliseconds: arrays stay as they are, and what
                the function returns is zeros
                "xrt": the same on the NPU of this machine
                "interp": in the reference interpreter, without being compiled
                "host": compiled for this processor, where the build has the GPU backend
    module      a program; or for "sim", "model" and "xrt" what compile() has made of one

    Options of "sim": statistics, trace, reverse_tiles (bool), cycle_limit; of "model": statistics,
    trace, cycle_limit; of "xrt": xrt_library;
    of "interp": function, seed, max_steps, levels ("free", "outer", "strict"); of "host": function,
    threads. A program on "sim", "model" or "xrt" takes those of compile() as well: target, function, passes,
    verify_program, exact, remarks, async_transfers, object_folders.
    """
    if on not in _PLACES:
        raise _native.Error(f"on is 'sim', 'model', 'interp', 'host' or 'xrt', got {on!r}")
    is_compiled = isinstance(module, _native.Compiled)
    if is_compiled and on in ("interp", "host"):
        raise _native.Error(f"on={on!r} runs a program, not what was compiled of one")
    if on == "interp":
        return RunResult(on, _native._run_interp(module, *arguments, **_taken(on, options)), None)
    if on == "host":
        return RunResult(on, _native._run_host(module, *arguments, **_taken(on, options)), None)
    for_compile = {} if is_compiled else {
        name: options.pop(name) for name in _COMPILE_OPTIONS if name in options}
    taken = _taken(on, options)
    compiled, arguments = (module, arguments) if is_compiled else _compiled(
        module, arguments, for_compile)
    start = {"sim": _native._run_sim, "model": _native._run_model, "xrt": _native._run_xrt}[on]
    return RunResult(on, start(compiled, *arguments, **taken), compiled)


def _taken(on, options):
    unknown = sorted(set(options) - set(_OPTIONS[on]))
    if unknown:
        raise _native.Error(
            f"on={on!r} has no option {unknown[0]!r}: it has {', '.join(_OPTIONS[on])}")
    return options


def _compiled(module, arguments, options):
    """A design is for the numbers that it is run with: they are no arguments of it any more."""
    positions = [at for at in _native._number_positions(module, options.get("function", ""))
                 if at < len(arguments)]
    numbers = {at: arguments[at] for at in positions}
    compiled = _native.compile(module, numbers=numbers, **options)
    return compiled, [each for at, each in enumerate(arguments) if at not in numbers]
