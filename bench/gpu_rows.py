#!/usr/bin/env python3
"""Print what airlite makes of ops on rows for GPUs: one row for each device, op and element type.

usage: gpu_rows.py --bin BUILD/bin [--rows N] [--columns N ...]

The rows are read back from the objects (airlite-compile --report=kernel) and from the remarks of air-gpu-rows. Accesses
are those of the code of a kernel: a row that is held is read by all of them once. Nothing runs on a GPU.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

DEVICES = ("gfx90a", "gfx942", "gfx1100", "gfx1201")
BYTES = {"f32": 4, "bf16": 2}
MAPS = """#r = affine_map<(i, j) -> (i, j)>
#s = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
"""


def widen(name, value, element):
    return f"{name} = arith.extf {value} : {element} to f32" if element != "f32" else f"{name} = arith.addf {value}, %z : f32"


def narrow(value, element):
    if element == "f32":
        return f"linalg.yield {value} : f32"
    return f"%n = arith.truncf {value} : f32 to {element}\n    linalg.yield %n : {element}"


def rms_norm(rows, columns, element):
    matrix, row, stat = f"memref<{rows}x{columns}x{element}>", f"memref<{columns}x{element}>", f"memref<{rows}xf32>"
    return f"""func.func @main(%x: {matrix}, %g: {row}, %y: {matrix}) {{
  %z = arith.constant 0.0 : f32
  %size = arith.constant {columns}.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %q = memref.alloc() : {stat}
  linalg.fill ins(%z : f32) outs(%q : {stat})
  linalg.generic {{indexing_maps = [#r, #s], iterator_types = ["parallel", "reduction"]}}
      ins(%x : {matrix}) outs(%q : {stat}) {{
  ^bb0(%e: {element}, %o: f32):
    {widen("%w", "%e", element)}
    %w2 = arith.mulf %w, %w : f32
    %t = arith.addf %o, %w2 : f32
    linalg.yield %t : f32
  }}
  linalg.generic {{indexing_maps = [#r, #s, #c, #r], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %q, %g : {matrix}, {stat}, {row}) outs(%y : {matrix}) {{
  ^bb0(%e: {element}, %s: f32, %h: {element}, %o: {element}):
    {widen("%w", "%e", element)}
    {widen("%wh", "%h", element)}
    %mean = arith.divf %s, %size : f32
    %safe = arith.addf %mean, %eps : f32
    %root = math.rsqrt %safe : f32
    %v = arith.mulf %w, %root : f32
    %u = arith.mulf %v, %wh : f32
    {narrow("%u", element)}
  }}
  memref.dealloc %q : {stat}
  return
}}
"""


def softmax(rows, columns, element):
    matrix = f"memref<{rows}x{columns}x{element}>"
    return f"""func.func @main(%x: {matrix}, %y: {matrix}) {{
  linalg.softmax dimension(1) ins(%x : {matrix}) outs(%y : {matrix})
  return
}}
"""


def bias_relu(rows, columns, element):
    matrix, row = f"memref<{rows}x{columns}x{element}>", f"memref<{columns}x{element}>"
    return f"""func.func @main(%x: {matrix}, %g: {row}, %y: {matrix}) {{
  %z = arith.constant 0.0 : f32
  linalg.generic {{indexing_maps = [#r, #c, #r], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %g : {matrix}, {row}) outs(%y : {matrix}) {{
  ^bb0(%e: {element}, %h: {element}, %o: {element}):
    {widen("%w", "%e", element)}
    {widen("%wh", "%h", element)}
    %t = arith.addf %w, %wh : f32
    %u = arith.maximumf %t, %z : f32
    {narrow("%u", element)}
  }}
  return
}}
"""


OPS = {"softmax": softmax, "RMS norm": rms_norm, "bias, relu": bias_relu}


def row(bin_dir, device, name, rows, columns, element):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "rows.mlir"
        source.write_text(MAPS + OPS[name](rows, columns, element))
        done = subprocess.run([bin_dir / "airlite-compile", source, f"--target={device}", "-o", folder, "--report=kernel",
                               "--timing", "--remarks"], capture_output=True, text=True, check=True)
    kernel = done.stdout
    plan = re.search(r"ops? on rows: (.*)", done.stderr)[1]
    lane = re.search(r"(\d+) elements in a lane|blocks of (\d+) columns", plan)
    wave = 64 if device.startswith("gfx9") else 32
    elements = int(lane[1]) if lane[1] else int(lane[2]) // wave
    registers = re.search(r"registers  (\d+) vector .*; (\d+) bytes of scratch, (\d+) of LDS", kernel)
    loads = int(re.search(r"(\d+) global loads", kernel)[1])
    stores = int(re.search(r"(\d+) global stores", kernel)[1])
    return [device, name, element, str(columns), plan, str(kernel.count("\nkernel ")), registers[1], registers[3],
            registers[2], re.search(r"occupancy  (\d+)", kernel)[1], str(loads), str(stores),
            str(elements * BYTES[element] // stores), re.search(r"([\d.]+) s  in all", done.stderr)[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--columns", type=int, nargs="+", default=[8192])
    options = parser.parse_args()
    print("| device | op | elements | columns | plan | kernels | registers | LDS | scratch | waves in a SIMD | loads | "
          "stores | bytes of each | s |")
    print("|---|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for device in DEVICES:
        for name in OPS:
            for element in BYTES:
                for columns in options.columns:
                    cells = row(options.bin, device, name, options.rows, columns, element)
                    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
