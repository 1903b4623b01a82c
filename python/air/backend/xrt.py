"""XRTBackend: programs compiled for an NPU, and run on the one of this machine or on the simulator."""

import os
import sys

import airlite

from .._prepare import prepared
from .._program import native_op
from .abc import AirBackend, AirBackendError

_MAX_ARRAYS = 5  # that an xclbin takes

# Options that say how another compiler does what airlite decides by itself.
_WITHOUT_MEANING = {
    "omit_while_true_loop": False, "omit_pingpong": "", "runtime_loop_tiling_sizes": None,
    "omit_auto_broadcast": False, "channel_multiplexing": None, "use_lock_race_condition_fix": False,
    "use_lock_race_condition_fix_v2": False, "coalesce_shim_dma": None, "air_loop_fusion": False,
    "lower_linalg_to_func": None, "kernel_id": "", "bf16_emulation": False, "stack_size": 1024,
    "num_device_cols": 0, "instance_name": "", "kernel_name": "", "xclbin_input": "",
}
_NOT_SUPPORTED = {"derive_library_call": False, "emit_txn_cpp": ""}

_warned = set()


def warn_once(text):
    if text not in _warned:
        _warned.add(text)
        print(f"air: warning: {text}", file=sys.stderr)


def target_of(device):
    """A device of airlite: the one that is asked for, of the environment, or npu1."""
    name = device or os.environ.get("AIR_TARGET_DEVICE") or "npu1"
    if name not in airlite.targets():
        raise AirBackendError(f"the device {name!r} is not one of {', '.join(airlite.targets())}")
    return name


class XRTCompileArtifact:
    """What was compiled, and the files that hold it."""

    def __init__(self, output_binary, kernel, insts, compiled=None):
        self.output_binary, self.kernel, self.insts, self.compiled = output_binary, kernel, insts, compiled
        self.txn_header = None


class XRTBackend(AirBackend):
    """Compiles programs. Options that only another compiler needs are accepted."""

    def __init__(self, verbose=False, target_device=None, output_format="xclbin", debug_ir=False,
                 trace_offset=0, trace_size=0, n_perf_iters=0, n_warmup_iters=10, **options):
        for name, value in options.items():
            if name in _NOT_SUPPORTED:
                if value != _NOT_SUPPORTED[name]:
                    raise NotImplementedError(f"XRTBackend({name}={value!r})")
            elif name not in _WITHOUT_MEANING:
                raise TypeError(f"XRTBackend has no option {name!r}")
            elif value != _WITHOUT_MEANING[name]:
                warn_once(f"the option {name} has no meaning here: airlite decides this by itself")
        if options.get("use_lock_race_condition_fix") and options.get("use_lock_race_condition_fix_v2"):
            raise AirBackendError("use_lock_race_condition_fix and its v2 exclude each other")
        if output_format not in ("xclbin", "elf", "pdi", "txn", "none"):
            raise AirBackendError(f"there is no output format {output_format!r}")
        self.verbose, self.output_format, self.debug_ir = verbose, output_format, debug_ir
        self.target_device = target_device
        self.traces = trace_size > 0
        self.n_perf_iters = n_perf_iters
        self.loaded = None
        self.last_run = None

    def compile(self, air_module, output_binary_name="air", kernel="MLIR_AIE", insts="air.insts.bin"):
        if self.loaded is not None:
            raise AirBackendError("Cannot use XRTBackend to compile while the artifact is currently loaded. "
                                  "Call unload() first.")
        target = target_of(self.target_device)
        if self.output_format == "elf":
            if not target.startswith("npu2"):
                raise AirBackendError(f"output_format='elf' is not for {target}: use 'xclbin'")
            warn_once("airlite writes no ELF file of a whole program: with output_format='elf' it writes and runs an xclbin")
        with open("air.mlir", "w") as file:
            file.write(str(air_module))
        kinds = ["images", "air", "aie"] if self.debug_ir else ["images"]
        compiled = airlite.compile(prepared(native_op(air_module)), target, remarks=self.verbose,
                                   async_transfers=True, emit=kinds)
        for diagnostic in compiled.diagnostics:
            if self.verbose or diagnostic.severity == "warning":
                print(diagnostic, file=sys.stderr)
        if self.debug_ir:
            _save_programs(compiled)
        binary = f"{output_binary_name}.xclbin"
        if self.output_format != "none":
            _save(compiled, output_binary_name, insts)
        return XRTCompileArtifact(binary, kernel, insts, compiled)

    def compile_from_torch_mlir(self, *_, **__):
        raise NotImplementedError("XRTBackend.compile_from_torch_mlir: give a program of air")

    def load(self, artifact):
        """A function of arrays: it returns all of them, flat, as they are after the run."""
        if self.loaded is not None:
            raise AirBackendError("Cannot use XRTBackend to load while an artifact is loaded. Call unload() "
                                  "first.")
        if artifact.compiled is None:
            raise AirBackendError(f"'{artifact.output_binary}' was not compiled by this process")
        self.loaded = artifact.compiled

        def invoke(*arrays):
            # A program that is meant for an ELF file may have more; the simulator takes them.
            takes_more = self.output_format == "elf" and os.environ.get("AIRLITE_ON", "sim") != "xrt"
            if len(arrays) > _MAX_ARRAYS and not takes_more:
                raise ValueError(f"an xclbin takes at most {_MAX_ARRAYS} arrays, got {len(arrays)}")
            return self._run(arrays)

        return invoke

    def _run(self, arrays):
        import numpy as np
        flat = [np.array(array).reshape(-1) for array in arrays]
        given = [_as_argument(array, shape, dtype)
                 for array, (shape, dtype) in zip(flat, _parameters(self.loaded))]
        where = os.environ.get("AIRLITE_ON", "sim")
        options = {"trace": self.traces} if where == "sim" else {}
        self.last_run = airlite.run(self.loaded, *given, on=where, **options)
        if self.last_run.cycles is not None:
            print(f"air: {self.last_run.cycles} cycles on the simulated {self.loaded.target}", file=sys.stderr)
        return tuple(array.reshape(-1).view(old.dtype) for array, old in zip(given, flat))

    def compile_and_load(self, module):
        return self.load(self.compile(module))

    def unload(self):
        self.loaded = None


def _save(compiled, name, insts):
    """The files of the first design by the names that are wanted; those of others get numbers."""
    images = [file for file in compiled.files if file.endswith(".xclbin")]
    for at, image in enumerate(images):
        number = "" if at == 0 else f".{at}"
        with open(f"{name}{number}.xclbin", "wb") as file:
            file.write(compiled.files[image])
        with open(f"{insts}{number}", "wb") as file:
            file.write(compiled.files[image.replace(".xclbin", ".insts.bin")])


def _save_programs(compiled):
    folder = os.path.join("air_project", "debug_ir")
    os.makedirs(folder, exist_ok=True)
    for name in ("program.mlir", "design.mlir"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(compiled.files[name])


def _parameters(compiled):
    """(shape, element type) of the buffers of a design."""
    import json
    manifest = json.loads(compiled.files["manifest.json"])
    return [(each["shape"], each["element_type"]) for each in manifest["arguments"]]


def _as_argument(array, shape, element):
    """The array with the shape of the parameter: the number of elements has to fit, or the bytes. A size that the
    program leaves open (None) follows from the array."""
    import numpy as np
    from .xrt_runner import dtype_of
    dtype = dtype_of(element)
    if array.dtype.itemsize == np.dtype(dtype).itemsize:
        typed = array if array.dtype == dtype else array.view(dtype)
    else:
        typed = array.view(np.uint8).view(dtype)
    if None in shape:
        if shape.count(None) > 1:
            raise airlite.Error(f"not supported: a parameter with several sizes that the program leaves open: {shape}")
        return typed.reshape([-1 if size is None else size for size in shape])
    wanted = int(np.prod(shape))
    if typed.size != wanted:
        raise airlite.Error(f"the program takes an array of {wanted} elements of type {element}, got "
                            f"{array.size} of {array.dtype}")
    return typed.reshape(shape)
