// exp, exp2 and tanh of bf16 are instructions of npu2 (support/UnitFunctions.hpp): in rows of any length, ends included, and in softmax.
// RUN: for f in functions rows chain; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// CHECK-COUNT-3: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu2 --function=functions %s -o %t && cat %t/*core_*.s | FileCheck %s --check-prefix=CORE
// CORE-DAG: vexp2
// CORE-DAG: vtanh
// RUN: airlite-compile --target=npu2 --exact --function=functions %s -o %t.exact && cat %t.exact/*core_*.s | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: vexp2
// EXACT-NOT: vtanh
#id = affine_map<(i, j) -> (i, j)>
func.func @functions(%x: memref<16x128xbf16>, %y: memref<16x128xbf16>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<16x128xbf16>) outs(%y : memref<16x128xbf16>) {
  ^bb0(%number: bf16, %old: bf16):
    %e = math.exp %number : bf16
    %t = math.tanh %e : bf16
    linalg.yield %t : bf16
  }
  return
}
func.func @rows(%x: memref<9x100xbf16>, %y: memref<9x100xbf16>) {
  linalg.softmax dimension(1) ins(%x : memref<9x100xbf16>) outs(%y : memref<9x100xbf16>)
  return
}
func.func @chain(%x: memref<7x13xbf16>, %y: memref<7x13xbf16>) {
  %half = arith.constant 0.5 : bf16
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<7x13xbf16>) outs(%y : memref<7x13xbf16>) {
  ^bb0(%number: bf16, %old: bf16):
    %p = math.exp2 %number : bf16
    %q = arith.mulf %p, %half : bf16
    %t = math.tanh %q : bf16
    %s = arith.addf %t, %p : bf16
    linalg.yield %s : bf16
  }
  return
}
