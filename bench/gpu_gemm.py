#!/usr/bin/env python3
"""Print what airlite makes of products of matrices for GPUs: one row for each device and element type.

usage: gpu_gemm.py --bin BUILD/bin [--size N]

The rows are read back from the objects (airlite-compile --report=kernel). Time is that of airlite-compile as a whole,
the best of three runs. Nothing runs on a GPU.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

DEVICES = ("gfx90a", "gfx942", "gfx1100", "gfx1201")
# f8: of the format that the device multiplies, with B transposed, as models have it.
ELEMENTS = (("bf16", "f32"), ("f16", "f32"), ("i8", "i32"), ("f8", "f32"), ("f32", "f32"), ("f64", "f64"))
FLOAT8 = {"gfx942": "f8E4M3FNUZ"}


def program(size, factor, result):
    def memref(element):
        return f"memref<{size}x{size}x{element}>"

    zero = "0" if result[0] == "i" else "0.0"
    op = "matmul_transpose_b" if factor.startswith("f8") else "matmul"
    return f"""func.func @main(%a: {memref(factor)}, %b: {memref(factor)}, %c: {memref(result)}) {{
  %z = arith.constant {zero} : {result}
  linalg.fill ins(%z : {result}) outs(%c : {memref(result)})
  linalg.{op} ins(%a, %b : {memref(factor)}, {memref(factor)}) outs(%c : {memref(result)})
  return
}}
"""


def row(bin_dir, device, size, factor, result):
    """The cells of a row; None when the device has no instruction for these elements."""
    if factor == "f8":
        factor = FLOAT8.get(device, "f8E4M3FN")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "product.mlir"
        source.write_text(program(size, factor, result))
        seconds = []
        for _ in range(3):
            done = subprocess.run([bin_dir / "airlite-compile", source, f"--target={device}", "-o", folder,
                                   "--report=kernel", "--timing", "--remarks"], capture_output=True, text=True, check=True)
            seconds.append(float(re.search(r"([\d.]+) s  in all", done.stderr)[1]))
    plan = re.search(r"(\d+ x \d+) of a workgroup of (\d+) waves, steps of (\d+), (\w+)", done.stderr)
    if not plan:
        return None
    kernel = done.stdout
    registers = re.search(r"registers  (\d+) vector .*; (\d+) bytes of scratch, (\d+) of LDS", kernel)
    loop = re.search(r"main loop  (\d+) instructions(?:: (\d+) matrix)?(?:: (\d+) fma)?", kernel)
    share = re.search(r"([\d.]+) % of the issue slots of a wave alone, ([\d.]+) % with (\d+) waves", kernel)
    fma = re.search(r"main loop .* (\d+) fma", kernel)
    return [device, f"{factor} into {result}", plan[4], plan[1], plan[2], plan[3], registers[1], registers[3], registers[2],
            re.search(r"occupancy  (\d+)", kernel)[1], loop[1], loop[2] or (f"{fma[1]} fma" if fma else "0"),
            share[1] if share else "-", share[2] if share else "-", f"{min(seconds):.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, default=4096)
    options = parser.parse_args()
    print("| device | elements | instruction | tile | waves | k step | registers | LDS | scratch | waves in a SIMD | "
          "main loop | matrix | % alone | % all waves | s |")
    print("|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for device in DEVICES:
        for factor, result in ELEMENTS:
            cells = row(options.bin, device, options.size, factor, result)
            if cells:
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
