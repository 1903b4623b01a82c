"""The fastest way to map a program to an NPU: searched for once, and kept on disk."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from . import _cache, _native


class Step(NamedTuple):
    """One way that a search has tried.

    number      0 is what the compiler does by itself
    passes      the pipeline; empty: the compiler's own
    cycles      None: it does not compile, or it was given up since it is slower than the best one
    is_slower   it was given up
    """

    number: int
    passes: str
    cycles: Optional[int]
    is_slower: bool


class Choice:
    """The fastest way that a search has found.

    passes          a pipeline for airlite.compile and airlite.run, as in `compile(module, passes=choice.passes)`;
                    empty: the compiler's own way is the fastest one
    cycles          what the program takes so, by `by`
    default_cycles  what it takes as the compiler maps it by itself: never less
    by, target      who counted, "model" or "sim"; the device
    steps           what this search has tried; empty where the choice was found on disk
    """

    def __init__(self, target: str, by: str, passes: str, cycles: int, default_cycles: int,
                 steps: Sequence[Step] = ()):
        self.target, self.by, self.passes = target, by, passes
        self.cycles, self.default_cycles = cycles, default_cycles
        self.steps: List[Step] = list(steps)

    def __repr__(self) -> str:
        return (f"<airlite.Choice for {self.target}: {self.cycles} cycles by {self.by}, {self.default_cycles} as the "
                f"compiler does it, passes={self.passes!r}>")


def tune(program: Any, *arguments: Any, by: str = "model", most: int = 60, seconds: float = 0,
         show: Optional[Callable[[Step], Any]] = None, again: bool = False, **options: Any) -> Choice:
    """Searches for the fastest way to map a program to an NPU, as `airlite tune` does, and keeps it on disk.

        choice = airlite.tune(layer, x, weights, bias)    # layer: a function with @airlite.jit
        y = layer(x, weights, bias)                       # takes the choice, in later processes too

        choice = airlite.tune(module)
        run = airlite.run(module, a, b, c, passes=choice.passes)

    It compiles one way after the other: plans of products of matrices, and the recipes that the compiler knows. The
    choice is never slower than what the compiler does by itself, by the same measure. A second call gives the choice
    that is on disk, where it was searched for by the same measure and as long.

    program  a Module, or a function with @airlite.jit, followed by arguments for which it is compiled
    by       "model": milliseconds for each way; "sim": the simulated array counts
    most     how many ways are tried; seconds: no other way is tried after so long, 0: no limit
    show     is called with each Step
    again    searches although there is a choice, and begins with it

    Of a Module also target, function, numbers, exact, async_transfers and object_folders as of airlite.compile; a
    function has them of its own. Ctrl-C ends the search; what was found until then is kept.
    """
    if by not in ("model", "sim"):
        raise _native.Error(f"by is 'model' or 'sim', got {by!r}")
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise ValueError(f"most is how many ways are tried, at least 1, got {most!r}")
    if not seconds >= 0:
        raise ValueError(f"seconds is at least 0, got {seconds!r}")
    if isinstance(program, _native.Module):
        if arguments:
            raise TypeError("a Module is tuned without arguments: numbers={position: value} fixes numbers")
        return _tuned(program, _checked(options), by, most, seconds, show, again)
    kernel_to_tune = getattr(program, "_kernel_to_tune", None)
    if kernel_to_tune is None:
        raise TypeError(f"tune takes a Module or a function with @airlite.jit, got {type(program).__name__}")
    if options:
        raise TypeError(f"the function has its options of its own: {sorted(options)[0]!r} is one of jit")
    kernel, fixed = kernel_to_tune(*arguments)
    choice = _tuned(kernel.module, _checked(fixed), by, most, seconds, show, again)
    kernel.compiled.clear()
    return choice


_OPTIONS: Dict[str, Any] = {"target": "npu1", "function": "", "numbers": {}, "exact": False, "async_transfers": False,
                            "object_folders": []}


def _checked(options):
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"tune has no option {name!r}: it has by, most, seconds, show, again, {', '.join(_OPTIONS)}")
    return {**_OPTIONS, **options}


def key_of(module, options):
    """The name of a choice on disk: of the program, and how it is compiled."""
    return "tuned-" + _cache.key_of(module.text("generic"), options["target"], {
        name: repr(options[name]) for name in _OPTIONS if name != "target"})


def kept_passes(module, **options) -> str:
    """The passes of a choice on disk, for the next compilation; empty where there is none."""
    known = _record(key_of(module, {**_OPTIONS, **options}))
    return known["passes"] if known else ""


_MEMBERS = {"passes": str, "by": str, "most": int, "cycles": int, "default_cycles": int}


def _record(key):
    """A choice on disk, unless somebody has changed it."""
    found = _cache.find_record(key)
    is_whole = isinstance(found, dict) and all(type(found.get(name)) is kind for name, kind in _MEMBERS.items())
    return found if is_whole else None


def _tuned(module, options, by, most, seconds, show, again):
    key, target = key_of(module, options), options["target"]
    # Objects that a program links with are not a part of the key.
    known = None if options["object_folders"] else _record(key)
    if known and not again and known["by"] == by and known["most"] >= most:
        return Choice(target, by, known["passes"], known["cycles"], known["default_cycles"])
    steps = []

    def told(*step):
        steps.append(Step(*step))
        if show:
            show(steps[-1])

    try:
        passes, cycles, default_cycles = _native._tune(
            module, **options, by_simulator=by == "sim", most=most, seconds=seconds,
            first=known["passes"] if known else "", on_step=told)
    except KeyboardInterrupt:
        _keep(key, by, 0, steps, options)  # a later search is not spared
        raise
    choice = Choice(target, by, passes, cycles, default_cycles, steps)
    _keep(key, by, 0 if seconds else most, steps, options)
    return choice


def _keep(key, by, most, steps, options):
    measured = [step for step in steps if step.cycles is not None]
    if not measured or options["object_folders"]:
        return
    best = min(measured, key=lambda step: step.cycles)
    known = _record(key)
    if known and known["by"] == by and known["cycles"] < best.cycles:
        return  # a search that ended early
    _cache.keep_record(key, {"passes": best.passes, "by": by, "most": most, "cycles": best.cycles,
                             "default_cycles": measured[0].cycles})
