#!/usr/bin/env python3
"""Print what airlite makes of attention for GPUs: one row for each device, element type, size of a head and mask.

usage: gpu_attention.py --bin BUILD/bin [--heads H] [--queries M] [--keys N]

The rows are read back from the objects (airlite-compile --report=kernel). Nothing runs on a GPU.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

DEVICES = ("gfx90a", "gfx942", "gfx1100", "gfx1201")
FLOAT8 = {"gfx942": "f8E4M3FNUZ"}  # that the device knows; the last rows have keys and values of it
PARALLEL = 'iterator_types = ["parallel", "parallel", "parallel"]'
CAUSAL = """%m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %is = arith.cmpi ule, %n, %m : index
    %w = arith.select %is, %y, %least : f32"""


def attention(heads, queries, keys, head, element, kept, is_causal):
    """Products as named ops, scores of f32, probabilities and result of `element`, keys and values of `kept`."""
    q, k = f"memref<{heads}x{queries}x{head}x{element}>", f"memref<{heads}x{keys}x{head}x{kept}>"
    s, p = (f"memref<{heads}x{queries}x{keys}x{e}>" for e in ("f32", element))
    wide = f"memref<{heads}x{queries}x{head}xf32>"

    def narrow(source, source_type, result, result_type):
        return f"""linalg.generic {{indexing_maps = [#id, #id], {PARALLEL}}}
      ins({source} : {source_type}) outs({result} : {result_type}) {{
  ^bb0(%x: f32, %y: {element}):
    %w = arith.truncf %x : f32 to {element}
    linalg.yield %w : {element}
  }}"""

    return f"""#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @main(%q: {q}, %k: {k}, %v: {k}, %o: {q}) {{
  %z = arith.constant 0.0 : f32
  %scale = arith.constant {head ** -0.5} : f32
  %least = arith.constant 0xFF800000 : f32
  %s = memref.alloc() : {s}
  linalg.fill ins(%z : f32) outs(%s : {s})
  linalg.batch_matmul_transpose_b ins(%q, %k : {q}, {k}) outs(%s : {s})
  linalg.generic {{indexing_maps = [#id], {PARALLEL}}} outs(%s : {s}) {{
  ^bb0(%x: f32):
    %y = arith.mulf %x, %scale : f32
    {CAUSAL if is_causal else ""}
    linalg.yield {"%w" if is_causal else "%y"} : f32
  }}
  linalg.softmax dimension(2) ins(%s : {s}) outs(%s : {s})
  %p = memref.alloc() : {p}
  {narrow("%s", s, "%p", p)}
  %r = memref.alloc() : {wide}
  linalg.fill ins(%z : f32) outs(%r : {wide})
  linalg.batch_matmul ins(%p, %v : {p}, {k}) outs(%r : {wide})
  {narrow("%r", wide, "%o", q)}
  memref.dealloc %s : {s}
  memref.dealloc %p : {p}
  memref.dealloc %r : {wide}
  return
}}
"""


def row(bin_dir, device, element, kept, head, is_causal, options):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "attention.mlir"
        source.write_text(attention(options.heads, options.queries, options.keys, head, element, kept, is_causal))
        done = subprocess.run([bin_dir / "airlite-compile", source, f"--target={device}", "-o", folder, "--report=kernel",
                               "--timing", "--remarks"], capture_output=True, text=True, check=True)
    kernel = done.stdout
    plan = re.search(r"(\d+) queries of a workgroup of (\d+) waves, blocks of (\d+) keys", done.stderr)
    registers = re.search(r"registers  (\d+) vector .*; (\d+) bytes of scratch, (\d+) of LDS", kernel)
    loop = re.search(r"main loop  (\d+) instructions: (\d+) matrix", kernel)
    share = re.search(r"([\d.]+) % of the issue slots of a wave alone, ([\d.]+) %", kernel)
    return [device, element if kept == element else f"{element}, {kept}", str(head), "causal" if is_causal else "none", str(kernel.count("\nkernel ")), plan[1], plan[2],
            plan[3], registers[1], registers[3], registers[2], re.search(r"occupancy  (\d+)", kernel)[1], loop[1], loop[2],
            share[1], share[2], f'{float(re.search(r"([0-9.]+) s  in all", done.stderr)[1]):.2f}']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--queries", type=int, default=4096)
    parser.add_argument("--keys", type=int, default=4096)
    options = parser.parse_args()
    names = ["device", "elements", "head", "mask", "kernels", "queries", "waves", "keys", "registers", "LDS", "scratch",
             "waves in a SIMD", "main loop", "matrix", "% alone", "% all waves", "s"]
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * 4 + "---:|" * (len(names) - 4))
    for device in DEVICES:
        for element, kept in (("bf16", "bf16"), ("f16", "f16"), ("bf16", FLOAT8.get(device, "f8E4M3FN"))):
            for head in (64, 128):
                for is_causal in (False, True):
                    cells = row(options.bin, device, element, kept, head, is_causal, options)
                    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
