// The fastest way to map a product, by the performance model, and what the others take of it.
// RUN: airlite tune %s -o %t.json --most=6 | FileCheck %s
// CHECK: cycles by the performance model
// CHECK-NEXT: 0 {{[0-9,]+}} 100.0 % what the compiler does by itself
// CHECK-NEXT: 1 {{[0-9,]+}} {{[0-9.]+}} % air-npu{product-plan={{[0-9,]+}} herd=4,4 l2-part=12288}
// CHECK: 6
// CHECK-NOT: {{^ +}}7
// CHECK: best: [[BEST:[0-9,]+]] cycles, {{[0-9.]+}} % of the default: air-npu{product-plan=

// The choice is taken, by the same measure and with the right values.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --tuned=%t.json %s | FileCheck %s --check-prefix=BITS
// BITS: 3 arguments are as in the interpreter, bit by bit
// RUN: airlite-run --on=model --tuned=%t.json %s > %t.tuned && airlite-run --on=model %s > %t.default
// RUN: test $(tr -dc '0-9 ' < %t.tuned | cut -d' ' -f2) -lt $(tr -dc '0-9 ' < %t.default | cut -d' ' -f2)
// RUN: airlite-compile --target=npu1 --tuned=%t.json --report=plan %s -o %T/out | FileCheck %s --check-prefix=PLAN
// PLAN: tiled: launch

// A second search begins with what the first has found, and by the simulator too it is not slower.
// RUN: airlite tune %s -o %t.json --most=1 --by=sim | FileCheck %s --check-prefix=AGAIN
// AGAIN: cycles by the simulator
// AGAIN-NEXT: 0 {{[0-9,]+}} 100.0 %
// AGAIN-NEXT: 1 {{[0-9,]+}} {{[0-9.]+}} % air-npu{product-plan=

// Ctrl-C ends the search, and the file has the best so far.
// RUN: { %{airlite-tune} %s -o %t.int.json --most=100000 > %t.log & } ; for i in $(seq 600); do grep -q '100.0 %%' %t.log && break; sleep 0.1; done; kill -INT $! && wait $!
// RUN: FileCheck %s --check-prefix=STOPPED --input-file=%t.log
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.int.json
// STOPPED: interrupted: this is the best of what was tried
// STOPPED-NEXT: best: {{[0-9,]+}} cycles
// FILE: "format": "airlite-choice"
// FILE: "default_cycles": {{[0-9]+}}
// RUN: airlite-run --on=model --tuned=%t.int.json %s | FileCheck %s --check-prefix=TAKEN
// TAKEN: about {{[0-9]+}} cycles
// RUN: airlite-tune %s -o %t.short.json --seconds=0.001 | FileCheck %s --check-prefix=SHORT
// SHORT: 0 {{[0-9,]+}} 100.0 %
// SHORT-NEXT: best:

// Files that are wrong are told with the place.
// RUN: not airlite-run --on=sim --tuned=%S/Inputs/choice_wrong.json --init=zero %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: choice_wrong.json:4:3: error: unknown member "recipes"; did you mean 'recipe'?
// RUN: not airlite-compile --target=npu2 --tuned=%t.json %s -o %T/out2 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: is for npu1, this compiles for npu2
// RUN: not airlite tune %s --target=gfx942 -o %t.gpu.json 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: --target=gfx942 is not an NPU
// RUN: not airlite-run --on=interp --tuned=%t.json --init=zero %s 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: --tuned needs --on=sim, model or xrt

func.func @main(%a: memref<96x120xi8>, %b: memref<120x80xi8>, %c: memref<96x80xi32>) {
  %z = arith.constant 0 : i32
  linalg.fill ins(%z : i32) outs(%c : memref<96x80xi32>)
  linalg.matmul ins(%a, %b : memref<96x120xi8>, memref<120x80xi8>) outs(%c : memref<96x80xi32>)
  return
}
