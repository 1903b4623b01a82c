// RUN: airlite-compile %s --target=npu1 --report=plan -o %T/out > %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: airlite-compile %s --target=npu1 --report=plan --Werror -o %T/out 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: not airlite-compile %s --target=gfx942 --report=plan -o %T/out 2>&1 | FileCheck %s --check-prefix=GPU
// REQUIRES: gpu

// How the product is shared out, what bounds it, and what would be next best. Other remarks are not asked for.
// CHECK: report_plan.mlir:[[@LINE+8]]:3: tiled: launch {{.*}}, herd {{.*}}, tile of a core {{.*}}, about {{[0-9]+}} cycles, bound by
// CHECK-SAME: (starts {{[0-9]+}}, reads {{[0-9]+}}, cores {{[0-9]+}}, writes {{[0-9]+}}); next best: herd {{.*}}, tile of a core {{.*}}, about {{[0-9]+}} cycles
// CHECK-NOT: tiled
// QUIET-NOT: remark:
// GPU: error: --report=plan is for npu1
func.func @main(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %z = arith.constant 0 : i32
  linalg.fill ins(%z : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  return
}
