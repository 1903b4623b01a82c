"""The command line of aircc, with the options of the other compiler of this name."""

import argparse
import os
import sys

import airlite

from ..._prepare import prepared
from ...backend.abc import AirBackendError
from ...backend.xrt import target_of, warn_once

_FORMATS = ("xclbin", "elf", "pdi", "txn", "none")

# Options that say how another compiler does what airlite decides by itself: (name, takes a value).
_WITHOUT_MEANING = (
    ("row-offset", True), ("col-offset", True), ("num-rows", True), ("num-cols", True), ("trace-size", True),
    ("trace-offset", True), ("cc", True), ("sysroot", True), ("host-target", True), ("shared", False),
    ("xbridge", False), ("no-xbridge", False), ("xchesscc", False), ("no-xchesscc", False), ("peano", True),
    ("gpu-runtime", True), ("omit-while-true-loop", False), ("lower-linalg-to-func", True),
    ("air-loop-fusion", False), ("air-runtime-loop-tiling-sizes", True), ("omit-auto-broadcast", False),
    ("air-channel-multiplexing", True), ("use-lock-race-condition-fix", False),
    ("use-lock-race-condition-fix-v2", False), ("coalesce-shim-dma", False), ("placed-ir-verifiers", False),
    ("xclbin-kernel-name", True), ("xclbin-instance-name", True), ("xclbin-kernel-id", True),
    ("bf16-emulation", False), ("stack-size", True),
)
_OMIT = "omit-ping-pong-transform"  # its value, if any, stands after `=`
_NOT_SUPPORTED = (("derive-library-call", False), ("emit-txn-cpp", False), ("xclbin-input", True))


def _flags(name):
    """-name and --name: the other tool takes both."""
    return [f"-{name}", f"--{name}"]


def parser():
    made = argparse.ArgumentParser(
        prog="aircc", allow_abbrev=False, description="Compiles a program of AIR for an NPU or a GPU.",
        epilog="Options of the other compiler of this name that say how it works are accepted, with a warning.")
    made.add_argument("input", metavar="FILE", help="the program, text or JSON")
    made.add_argument("-o", dest="output", metavar="FILE", help="the xclbin, or the pdi; NAME.xclbin without it")
    made.add_argument("-i", dest="insts", metavar="FILE", help="the instruction stream; NAME.insts.bin without it")
    made.add_argument(*_flags("tmpdir"), default="air_project", metavar="DIR",
                      help="folder for all files of the compilation (air_project)")
    made.add_argument("-v", *_flags("verbose"), action="store_true", dest="verbose", help="show what passes did")
    made.add_argument(*_flags("device"), metavar="NAME",
                      help="an NPU: without it that of AIR_TARGET_DEVICE, else npu1")
    made.add_argument(*_flags("target"), choices=("aie", "gpu"), default="aie", help="what to compile for (aie)")
    made.add_argument(*_flags("gpu-arch"), default="gfx942", metavar="NAME", help="the GPU, with --target=gpu (gfx942)")
    made.add_argument(*_flags("output-format"), choices=_FORMATS, default="xclbin",
                      help="what -o is; none: only the files in --tmpdir")
    made.add_argument(*_flags("pdi-name"), metavar="FILE", help="the pdi, with --output-format=pdi")
    made.add_argument(*_flags("elf-name"), metavar="FILE", help=argparse.SUPPRESS)
    made.add_argument(*_flags("debug-ir"), action="store_true",
                      help="also the program after the recipe and the design of the tiles, in DIR/debug_ir")
    made.add_argument(*_flags(_OMIT), help=argparse.SUPPRESS)
    for name, has_value in _WITHOUT_MEANING + _NOT_SUPPORTED:
        made.add_argument(*_flags(name), help=argparse.SUPPRESS, default=None,
                          **({} if has_value else {"action": "store_const", "const": True}))
    return made


def _check(options):
    given = vars(options)
    for name, _ in _NOT_SUPPORTED:
        if given[name.replace("-", "_")] is not None:
            raise AirBackendError(f"not supported: --{name}")
    for name in [name for name, _ in _WITHOUT_MEANING] + [_OMIT]:
        if given[name.replace("-", "_")] is not None:
            warn_once(f"the option --{name} has no meaning here: airlite decides this by itself")


def main(arguments=None):
    """Runs the command; the exit code: 0, 1 for a program or an option that is wrong."""
    given = sys.argv[1:] if arguments is None else arguments
    options = parser().parse_args([f"{each}=all" if each in _flags(_OMIT) else each for each in given])
    try:
        run(options)
    except airlite.Error as error:
        print(error, file=sys.stderr)
        return 1
    except (AirBackendError, OSError) as error:
        print(f"aircc: error: {error}", file=sys.stderr)
        return 1
    return 0


def run(options):
    """Compiles as parsed options say, and writes the files. The airlite.Compiled."""
    _check(options)
    target = options.gpu_arch if options.target == "gpu" else target_of(options.device)
    if options.target == "aie" and options.output_format == "elf":
        raise AirBackendError(f"output-format 'elf' is not for {target}: use 'xclbin'")
    kinds = ["images", "air", "aie"] if options.debug_ir and options.target == "aie" else ["images"]
    with airlite.Context():
        module = airlite.load(options.input)
        if options.target == "gpu":
            compiled = airlite.compile(module, target, emit=kinds, remarks=options.verbose)
        else:
            folders = [os.path.dirname(os.path.abspath(options.input)), os.getcwd()]
            compiled = airlite.compile(prepared(module), target, emit=kinds, remarks=options.verbose,
                                       async_transfers=True, object_folders=folders)
    for diagnostic in compiled.diagnostics:
        print(diagnostic, file=sys.stderr)
    _save(compiled, options)
    return compiled


def _save(compiled, options):
    programs = {"program.mlir", "design.mlir"}
    os.makedirs(options.tmpdir, exist_ok=True)
    for name, content in compiled.files.items():
        folder = os.path.join(options.tmpdir, "debug_ir") if name in programs else options.tmpdir
        os.makedirs(folder, exist_ok=True)
        _write(os.path.join(folder, name), content)
    if options.target == "gpu" or options.output_format == "none":
        return
    base = os.path.splitext(os.path.basename(options.input))[0]
    if options.output_format in ("xclbin", "pdi"):
        kind = options.output_format
        name = options.output or (options.pdi_name if kind == "pdi" else None) or f"{base}.{kind}"
        _save_designs(compiled, f".{kind}", name)
    _save_designs(compiled, ".insts.bin", options.insts or f"{base}.insts.bin")


def _save_designs(compiled, ending, name):
    """The file of each design; those after the first get numbers."""
    found = [content for file, content in compiled.files.items() if file.endswith(ending)]
    for at, content in enumerate(found):
        stem, dot, last = name.rpartition(".")
        _write(name if at == 0 else f"{stem}.{at}{dot}{last}" if dot else f"{name}.{at}", content)
        if at == 1:
            warn_once(f"the program has {len(found)} designs: {name} is the first, the others have numbers")


def _write(path, content):
    with open(path, "wb") as file:
        file.write(content)
