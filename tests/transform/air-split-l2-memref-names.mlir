// Names of other symbols are taken, too.
// RUN: airlite-opt %s --pipeline='air-npu{l1-tile=16,16}' | FileCheck %s
// CHECK: air.channel @channel_5 [4, 1]
// CHECK: air.channel @channel_6 [4, 1]
// CHECK: memref.global "private" @channel_4
// CHECK: memref.get_global @channel_4
memref.global "private" @channel_4 : memref<4xi32> = dense<1>
func.func @f(%a: memref<512x512xi32>, %b: memref<512x512xi32>) -> index {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @channel_4 : memref<4xi32>
  %v = memref.load %g[%c0] : memref<4xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<512x512xi32>) outs(%b : memref<512x512xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %x : i32
    linalg.yield %y : i32
  }
  %i = arith.index_cast %v : i32 to index
  return %i : index
}
