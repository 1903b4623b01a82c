"""XRTRunner: compiles a program, runs it on inputs, and compares the outputs with what is expected."""


from .. import _types
from .xrt import XRTBackend, warn_once

_SHOWN = 20  # wrong elements


def _types_by_dtype():
    import numpy as np
    from ml_dtypes import bfloat16
    named = {np.int8: "i8", np.int16: "i16", np.int32: "i32", np.int64: "i64", np.uint8: "ui8",
             np.uint16: "ui16", np.uint32: "ui32", np.uint64: "ui64", np.float16: "f16", np.float32: "f32",
             np.float64: "f64", bfloat16: "bf16"}
    return {np.dtype(dtype): text for dtype, text in named.items()}


def type_mapper(np_dtype):
    """The type of elements for a dtype of numpy."""
    import numpy as np
    text = _types_by_dtype().get(np.dtype(np_dtype))
    if text is None:
        raise AttributeError(f"Failed to map {np_dtype} to a type of elements")
    return _types.of(_types.native(text))


def dtype_of(element):
    """The dtype for a type of elements, by its name."""
    for dtype, text in _types_by_dtype().items():
        if text == element:
            return dtype
    raise AttributeError(f"there is no dtype for elements of type {element}")


class XRTRunner:
    """As XRTBackend, and the run with its checks."""

    def __init__(self, verbose=False, trace_file=None, perf_flops=None, report_precision=False,
                 n_perf_iters=0, omit_while_true_loop=True, **options):
        self.verbose, self.report_precision = verbose, report_precision
        self.trace_file, self.perf_flops, self.n_perf_iters = trace_file, perf_flops, n_perf_iters
        self.options = {**options, "verbose": verbose, "n_perf_iters": n_perf_iters}
        XRTBackend(**self.options)  # what is wrong is said now

    def run_test(self, mlir_module, inputs, expected_outputs=(), stochastic_expected_outputs=(), rtol=1e-3,
                 atol=1e-8, max_mismatch_percentage=0, min_correlation=None, trace_file=None):
        """0 and "PASS!" when the outputs are as expected, else -1 and "failed."."""
        import numpy as np
        wanted = [_Expected.of_array(each) for each in expected_outputs] + \
                 [_Expected.of_samples(each) for each in stochastic_expected_outputs]
        outputs = [np.zeros(each.shape, each.dtype) for each in wanted]
        backend = XRTBackend(**self.options)
        invoke = backend.compile_and_load(mlir_module)
        try:
            after = invoke(*inputs, *outputs)
        finally:
            backend.unload()
        self._tell(backend.last_run, trace_file or self.trace_file)
        check = _Check(rtol, atol, max_mismatch_percentage, min_correlation)
        results = after[len(inputs):]
        good = [check.fits(at, result.reshape(each.shape), each)
                for at, (result, each) in enumerate(zip(results, wanted))]
        if self.report_precision:
            for at, (result, each) in enumerate(zip(results, wanted)):
                print(_precision(at, result.reshape(each.shape), each))
        print("PASS!" if all(good) else "failed.")
        return 0 if all(good) else -1

    def _tell(self, run, trace_file):
        if self.n_perf_iters and run.cycles is not None:
            # The array has a clock of 1 GHz.
            seconds = run.cycles * 1e-9
            print(f"Latency (us): {seconds * 1e6:.3f}")
            if self.perf_flops:
                print(f"Throughput: {self.perf_flops / seconds * 1e-9:.3f} GFLOP/s")
        if run.traces and trace_file:
            with open(trace_file, "w") as file:
                file.write(run.traces[0])
            warn_once(f"{trace_file} has the trace of the simulator, for Perfetto and chrome://tracing")


class _Expected:
    """Values of an output, of all elements or of some."""

    def __init__(self, shape, dtype, indices, values):
        self.shape, self.dtype, self.indices, self.values = shape, dtype, indices, values

    @staticmethod
    def of_array(array):
        import numpy as np
        array = np.asarray(array)
        return _Expected(array.shape, array.dtype, None, array)

    @staticmethod
    def of_samples(given):
        import numpy as np
        missing = {"shape", "indices", "values"} - set(given)
        if missing:
            raise ValueError(f"an expected output of samples has no {sorted(missing)[0]!r}")
        values = np.asarray(given["values"])
        return _Expected(tuple(np.atleast_1d(given["shape"])), values.dtype, np.asarray(given["indices"]), values)

    def of(self, result):
        return result if self.indices is None else result[tuple(self.indices)]


class _Check:
    def __init__(self, rtol, atol, max_mismatch_percentage, min_correlation):
        self.rtol, self.atol = rtol, atol
        self.allowed, self.correlation = max_mismatch_percentage, min_correlation

    def fits(self, number, result, expected):
        import numpy as np
        got, wanted = expected.of(result), expected.values
        if got.shape != wanted.shape:
            raise ValueError(f"output {number}: expected values of shape {wanted.shape}, got {got.shape}")
        if np.issubdtype(wanted.dtype, np.integer) or wanted.dtype == np.bool_:
            same = got == wanted
        else:
            got, wanted = got.astype(np.float64), wanted.astype(np.float64)
            same = np.isclose(got, wanted, rtol=self.rtol, atol=self.atol)
        wrong = np.argwhere(~np.atleast_1d(same))
        share = 100.0 * len(wrong) / max(same.size, 1)
        self._show(number, got, wanted, wrong, share)
        return share <= self.allowed and self._correlates(number, got, wanted)

    def _show(self, number, got, wanted, wrong, share):
        import numpy as np
        if not len(wrong):
            return
        print(f"output {number}: {len(wrong)} elements ({share:.3f} %) are not as expected")
        got, wanted = np.atleast_1d(got), np.atleast_1d(wanted)
        for at in wrong[:_SHOWN]:
            place = tuple(int(each) for each in at)
            print(f"  {list(place)}: expected {wanted[place]}, got {got[place]}")

    def _correlates(self, number, got, wanted):
        import numpy as np
        if self.correlation is None:
            return True
        both = [np.asarray(each, np.float64).reshape(-1) for each in (got, wanted)]
        found = float(np.corrcoef(*both)[0, 1]) if both[0].size > 1 else 1.0
        if found < self.correlation:
            print(f"output {number}: the correlation is {found:.6f}, expected {self.correlation}")
        return found >= self.correlation


def _precision(number, result, expected):
    import numpy as np
    got, wanted = (np.asarray(each).astype(np.float64) for each in (expected.of(result), expected.values))
    error = np.abs(got - wanted)
    size = np.maximum(np.abs(wanted), np.finfo(np.float64).tiny)
    return (f"output {number}: mean relative L1 {error.sum() / max(np.abs(wanted).sum(), 1e-300):.3e}, "
            f"largest relative error {(error / size).max():.3e}, largest error {error.max():.3e}")
