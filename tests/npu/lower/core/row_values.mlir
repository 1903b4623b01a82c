// RUN: airlite-opt %s --air-aie-row-values | FileCheck %s

// 1 / s[i] for 16 rows is one row of lanes, and so is it for five rows, which are filled up.
// What the op writes is nothing that it may compute before; an index is in its way, too. Integers
// are cheap, and two columns are too few.

// CHECK: %[[X:.*]] = aie.buffer({{.*}}) {sym_name = "x"}
// CHECK: %[[S:.*]] = aie.buffer({{.*}}) {sym_name = "s"}
// CHECK: %[[T:.*]] = aie.buffer({{.*}}) {sym_name = "t"}
// CHECK: %[[IN:.*]] = aie.buffer({{.*}}) {sym_name = "tiles"} : memref<16xf32>
// CHECK: %[[OUT:.*]] = aie.buffer({{.*}}) {sym_name = "tiles_0"} : memref<16xf32>
// CHECK: aie.core
// CHECK: linalg.generic {{.*}} ins(%[[S]] : memref<16xf32>) outs(%{{.*}} : memref<16xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[IN]] : memref<16xf32>) outs(%[[OUT]] : memref<16xf32>)
// CHECK: arith.divf
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [16], strides: [1]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[S]], %[[ROWS]] :
// CHECK-NOT: arith.divf
// CHECK: arith.mulf

// CHECK: linalg.fill {{.*}} outs(%[[IN]] : memref<16xf32>)
// CHECK: %[[FIVE:.*]] = memref.reinterpret_cast %[[IN]] to offset: [0], sizes: [5], strides: [1]
// CHECK: linalg.generic {{.*}} ins(%[[T]] : memref<5xf32>) outs(%[[FIVE]] : memref<5xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[IN]] : memref<16xf32>) outs(%[[OUT]] : memref<16xf32>)
// CHECK: math.rsqrt
// CHECK: linalg.generic
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: linalg.generic
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %x = aie.buffer(%tile) {sym_name = "x"} : memref<16x32xf32>
  %y = aie.buffer(%tile) {sym_name = "y"} : memref<5x32xf32>
  %z = aie.buffer(%tile) {sym_name = "z"} : memref<16x2xf32>
  %n = aie.buffer(%tile) {sym_name = "n"} : memref<16x32xi32>
  %s = aie.buffer(%tile) {sym_name = "s"} : memref<16xf32>
  %t = aie.buffer(%tile) {sym_name = "t"} : memref<5xf32>
  %m = aie.buffer(%tile) {sym_name = "m"} : memref<16xi32>
  aie.core(%tile) {
    linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x, %s : memref<16x32xf32>, memref<16xf32>) outs(%x : memref<16x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %one = arith.constant 1.0 : f32
      %i = arith.divf %one, %b : f32
      %r = arith.mulf %a, %i : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%y, %t : memref<5x32xf32>, memref<5xf32>) outs(%y : memref<5x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %i = math.rsqrt %b : f32
      %r = arith.mulf %a, %i : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %s : memref<16x32xf32>, memref<16xf32>) outs(%s : memref<16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %i = math.rsqrt %b : f32
      %p = arith.mulf %a, %i : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<16x32xf32>) outs(%x : memref<16x32xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i32
      %f = arith.sitofp %c : i32 to f32
      %e = math.rsqrt %f : f32
      %r = arith.mulf %a, %e : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%n, %m : memref<16x32xi32>, memref<16xi32>) outs(%n : memref<16x32xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %i = arith.muli %b, %b : i32
      %r = arith.addi %a, %i : i32
      linalg.yield %r : i32
    }
    linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%z, %s : memref<16x2xf32>, memref<16xf32>) outs(%z : memref<16x2xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %i = math.rsqrt %b : f32
      %r = arith.mulf %a, %i : f32
      linalg.yield %r : f32
    }
    aie.end
  }
}
