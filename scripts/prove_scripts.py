#!/usr/bin/env python3
"""Runs Python scripts written for the MLIR AIR project on airlite, unmodified, and prints a table.

usage: prove_scripts.py CHECKOUT [--python FOLDER] [--filter TEXT] [--timeout SECONDS] [--jobs N] [--acceptance]

CHECKOUT is a clone of Xilinx/mlir-air. A script counts when it prints its line PASS!; every other one is
listed with the last line of what it said. FOLDER has the packages (build/dev/python). Each script runs in a
folder of its own, by /usr/bin/python3, on the simulator.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
PE = "programming_examples/"
VECTOR = PE + "primitives/vector_examples/"
CHANNELS = PE + "channel_examples/"
PRODUCT = ("--herd-m 4 --herd-n 4 --m 512 --n 512 --k 512 --tile-m 128 --tile-k-l2 64 --tile-k-l1 32 --tile-n 64 "
           "--compile-mode compile-and-run --arch aie2 --direct-codegen")
MATVEC = PE + "matrix_vector_multiplication/bf16_cascade/"

# Command lines as the tests of that project have them.
ACCEPTANCE = [
    PE + "axpy/axpy.py --n 65536 --tile-n 1024 --alpha 2.0 --dtype bf16",
    PE + "axpy/axpy.py --n 65536 --tile-n 1024 --alpha 2.0 --dtype f32",
    PE + "eltwise_add/eltwise_add.py --shape 1024 1024 --dtype bf16",
    PE + "eltwise_add/eltwise_add.py --shape 65536 --dtype f32",
    PE + "passthrough/passthrough_channel/passthrough_channel.py",
    CHANNELS + "worker_to_worker/worker_to_worker.py",
    CHANNELS + "broadcast/single_herd/broadcast.py",
    PE + "matrix_multiplication/i16/run.py --herd-m 4 --herd-n 4 --m 512 --n 512 --k 512 "
         "--compile-mode compile-and-run --arch aie2 --direct-codegen",
    PE + "matrix_scalar_add/single_core_dma/single_core_dma.py",
    PE + "data_transfer_transpose/dma/transpose.py -m 64 -k 32 -t uint32",
    PE + "data_transfer_transpose/dma/transpose.py -m 64 -k 32 -t float32",
    VECTOR + "vector_add/vector_add.py --vector-size 16",
    VECTOR + "vector_add/vector_add.py --vector-size 16 --bf16-emulation",
    VECTOR + "vector_reduce_add/vector_reduce_add.py --n 16",
    VECTOR + "vector_reduce_add/vector_reduce_add.py --n 32",
    MATVEC + "matvec_cascade.py --m 128 --k 128 --tile-m 2 --m-input 1 --herd-cols 1 --n-cascade 2",
    "test/xrt/31_triton_blk_ptr_eltwise_mul/run.py",
    "test/xrt/02_mul_shim_1x1/run.py --backend peano",
    "test/xrt/35_herd_reduce/run.py",
    "test/xrt/01_air_to_npu/gen.py",
]

# Others that check themselves in Python, are for npu1 and need no kernel; with what they have to be told.
OTHERS = [
    PE + "average_pool/average_pool.py",
    PE + "cascade_reduction/cascade_reduction.py",
    PE + "conditional_branching/single_core.py",
    PE + "conv2d/conv2d.py",
    PE + "data_transfer_transpose/channel/transpose.py",
    PE + "eltwise_add_with_l2/eltwise_add.py",
    PE + "leaky_relu/leaky_relu.py",
    PE + "matrix_multiplication/bf16/run.py " + PRODUCT,
    PE + "matrix_multiplication/i8/run.py " + PRODUCT,
    PE + "matrix_scalar_add/multi_core_channel/multi_core_channel.py",
    PE + "matrix_scalar_add/multi_core_dma/multi_core_dma.py",
    PE + "matrix_scalar_add/single_core_channel/single_core_channel.py",
    PE + "passthrough/passthrough_dma/passthrough_dma.py",
    PE + "primitives/scalar_examples/scalar_reciprocal/scalar_reciprocal.py",
    PE + "relu/relu.py",
    PE + "segment_alloc/segment_alloc.py",
    PE + "segment_unroll/segment_unroll.py",
    PE + "shared_l1_multi_herd/run.py",
    PE + "shared_l1_single_herd/run.py",
    PE + "shim_dma_2d/run.py",
    CHANNELS + "broadcast/multi_herd/broadcast.py",
    CHANNELS + "broadcast_selective_capture/broadcast_selective_capture.py",
    CHANNELS + "channel_size/channel_size.py",
    CHANNELS + "herd_to_herd/single_segment/herd_to_herd.py",
    CHANNELS + "hierarchical/hierarchical.py",
    CHANNELS + "mmio/mmio.py",
    CHANNELS + "worker_to_self/worker_to_self.py",
    MATVEC + "matvec_cascade_add.py --m 128 --k 128 --tile-m 2 --m-input 1 --herd-cols 1 --n-cascade 2",
    "test/xrt/03_mul_L1L2_1x1/run.py --backend peano",
    "test/xrt/30_mul_rtp_1x1/run.py --backend peano",
    "test/xrt/32_triton_matmul/run.py",
    "test/xrt/33_triton_matmul_ver2/run.py",
    "test/xrt/36_cascade_vecmat_i32/run.py",
    "test/xrt/55_matmul_padding_bf16_npu1/run.py",
    "test/xrt/51_scf_if_channel_herd/run.py",
    "test/xrt/52_dma_pad_passthrough/run.py",
] + [VECTOR + f"vector_{name}/vector_{name}.py" for name in (
    "andi", "broadcast_scalar", "exp", "fma", "fptosi", "max", "mul", "muladd", "ori", "reciprocal",
    "reduce_max", "select", "sitofp", "sub")] + [VECTOR + "vector_rsqrt/vector_rsqrt_v1.py"]

# Scripts that the table of facts does not name. HERE is the folder of the script, NAME=VALUE a variable of its environment.
MORE = [PE + each for each in (
    "gelu/gelu.py", "sigmoid/sigmoid.py", "silu/silu.py", "swiglu/swiglu.py", "rms_norm/rms_norm.py",
    "weighted_rms_norm/weighted_rms_norm.py", "layer_norm/layer_norm.py", "mnist_fc/argmax/run.py",
    "multi_segment/multi_segment_channel/multi_segment.py", "multi_segment/multi_segment_dma/multi_segment.py",
    "matrix_scalar_add/multi_launch_channel/multi_launch_channel.py",
    "channel_examples/broadcast/cross_herd/broadcast.py",
    "channel_examples/channel_3d_segment_unroll/channel_3d_segment_unroll.py",
    "channel_examples/herd_to_herd/multi_segment/herd_to_herd.py",
    "primitives/scalar_examples/scalar_invsqrt/scalar_invsqrt.py",
)] + [VECTOR + each for each in (
    "vector_div/vector_div.py", "vector_rsqrt/vector_rsqrt_v3.py", "vector_tanh/vector_tanh.py",
    "vector_xori/vector_xori.py",
)] + [
    "test/xrt/34_cascade_vecadd/run_peano.py",
    "test/xrt/37_matmul_transform_4x4_bf16/run.py --transform-script HERE/transform_aie2.mlir",
    "test/xrt/38_cascade_vecmat_transform_2x4_i32/run.py --transform-script HERE/transform.mlir",
    "test/xrt/39_triton_matmul_ver3_vectorized/run.py --transform-script HERE/transform.mlir",
    "test/xrt/40_triton_vec_add/run.py --transform-script HERE/transform.mlir",
    "test/xrt/40_triton_vec_add/run.py --transform-script HERE/transform.mlir --dtype i8",
    "test/xrt/41_triton_softmax/run.py --transform-script HERE/transform.mlir",
    "test/xrt/42_triton_softmax_bf16/run.py --transform-script HERE/transform_aie2.mlir",
    "test/xrt/43_triton_layernorm/run.py --transform-script HERE/transform_aie2.mlir",
    "test/xrt/43_triton_layernorm/run.py --transform-script HERE/transform_aie2_bf16emu.mlir --bf16-emulation",
    "test/xrt/44_triton_matmul_ver4_vector_ptr_opt/run.py --transform-script HERE/transform_aie2.mlir",
] + ["AIR_TARGET_DEVICE=npu2 " + each for each in (
    PE + "mnist_fc/relu/run.py", PE + "mnist_fc/broadcast_bias_add/run.py", PE + "mnist_fc/argmax/run.py",
    CHANNELS + "dual_herd_packet_switch/dual_herd_packet_switch.py", "test/xrt/47_multi_launch_pdi_reconfig/run.py",
    "test/xrt/49_triton_softmax_optimized_bf16_strix/run.py --transform-script HERE/transform_aie2p.mlir",
    "test/xrt/53_matmul_padding_bf16/run.py --transform-script HERE/transform_aie2p.mlir",
)]


def environment(folder):
    paths = [str(folder), str(folder / "fallback")]
    return {**os.environ, "PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1",
            "PEANO_INSTALL_DIR": "none"}


def reason(text):
    """The first error that names one, or the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if re.search(r"\berror: |Error: ", line):
            return line
    if "failed." in lines:
        return "other values than expected"
    return lines[-1] if lines else "it says nothing"


def run(command, checkout, folder, timeout):
    words = command.split()
    variables = dict(word.split("=") for word in words if re.match(r"[A-Z_]+=", word))
    script, *arguments = words[len(variables):]
    if not (checkout / script).exists():
        return command, "missing", "", 0, "there is no such script"
    arguments = [each.replace("HERE/", f"{(checkout / script).parent}/") for each in arguments]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        process = subprocess.Popen(["/usr/bin/python3", str(checkout / script), *arguments], text=True, cwd=work,
                                   env={**environment(folder), **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            said, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            return command, "late", "", time.monotonic() - begin, f"more than {timeout} s"
    passed = process.returncode == 0 and "PASS!" in said
    cycles = re.findall(r"air: (\d+) cycles", said)
    why = "" if passed else reason(said)
    return command, "passed" if passed else "failed", cycles[-1] if cycles else "", time.monotonic() - begin, why


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--python", type=Path, default=REPO / "build/dev/python")
    parser.add_argument("--filter", default="")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--acceptance", action="store_true", help="only those that must pass")
    options = parser.parse_args()
    if not (options.python / "airlite" / "__init__.py").exists():
        sys.exit(f"prove_scripts.py: {options.python} has no package airlite: give --python")
    commands = [each for each in ACCEPTANCE + (OTHERS + MORE) * (not options.acceptance) if options.filter in each]
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = pool.map(lambda each: run(each, options.checkout.resolve(), options.python.resolve(),
                                         options.timeout), commands)
        for command, state, cycles, seconds, why in rows:
            passed += state == "passed"
            print(f"{state:7} {cycles:>10} {seconds:6.1f} s  {command}{'  -- ' + why[:300] if why else ''}",
                  flush=True)
    print(f"{passed} of {len(commands)} passed")
    return 0 if passed == len(commands) else 1


if __name__ == "__main__":
    sys.exit(main())
