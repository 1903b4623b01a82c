// What no pass brings to a core: the error is at the first op that computes.
// RUN: not airlite-compile %s --target=npu1 -o %t 2>&1 | FileCheck %s
// CHECK: nothing.mlir:[[#@LINE+6]]:3: error: there is no segment or herd to compile: all of this stays on the host, --remarks says why
// CHECK: note: not tiled: the size of a loop is not known
// RUN: not airlite-compile %s --target=npu1 -o %t --remarks 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: remark: [air-tile-linalg] not tiled: the size of a loop is not known
// WHY: error: there is no segment or herd to compile: all of this stays on the host
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}
