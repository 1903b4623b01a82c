// Elements of type index have 64 bits on the host and 32 on cores.
// RUN: not airlite-compile %s --target=npu1 -o %t 2>&1 | FileCheck %s
// RUN: test ! -e %t
// CHECK: refused_indices.mlir:[[#@LINE+1]]:1: error: 'func.func' op not supported on the NPU: memory of the host with elements of type index; i32 and i64 have a size
func.func @main(%a: memref<8xindex>, %b: memref<8xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xindex>) outs(%b : memref<8xi32>) {
  ^bb0(%x: index, %old: i32):
    %y = arith.index_cast %x : index to i32
    linalg.yield %y : i32
  }
  return
}
