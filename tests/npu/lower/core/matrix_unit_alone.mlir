// Products whose sums begin as zeros are added to nothing: neither the fill nor its loads are left. A lock that the core takes in between
// changes nothing; one that it gives hands the zeros to another actor. Sums that begin with other numbers are loaded.
// RUN: airlite-opt %s --allow-unregistered --air-aie-matrix-unit | FileCheck %s

// CHECK: aie.core
// CHECK-NOT: linalg.fill
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0> : vector<4x8xi32>
// CHECK: vector.contract {{.*}} %{{.*}}, %{{.*}}, %[[ZEROS]]
// CHECK-NOT: vector.load %{{.*}} : memref<1024xi32
// CHECK: "test.alone"
// CHECK: linalg.fill
// CHECK: vector.load %{{.*}} : memref<1024xi32
// CHECK: "test.given"
// CHECK: linalg.fill
// CHECK: vector.load %{{.*}} : memref<1024xi32
#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d0, d3, d4)>
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %lock = aie.lock(%tile, 0) {init = 0 : i32}
  %A = aie.buffer(%tile) {sym_name = "a"} : memref<8x8x4x8xi8, 2 : i32>
  %B = aie.buffer(%tile) {sym_name = "b"} : memref<4x8x8x8xi8, 2 : i32>
  %C = aie.buffer(%tile) {sym_name = "c"} : memref<4x8x4x8xi32, 2 : i32>
  %core = aie.core(%tile) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    linalg.fill ins(%zero : i32) outs(%C : memref<4x8x4x8xi32, 2 : i32>)
    aie.use_lock(%lock, AcquireGreaterEqual)
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%A, %B : memref<8x8x4x8xi8, 2 : i32>, memref<4x8x8x8xi8, 2 : i32>) outs(%C : memref<4x8x4x8xi32, 2 : i32>) {
    ^bb0(%x: i8, %y: i8, %o: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %o, %2 : i32
      linalg.yield %3 : i32
    }
    "test.alone"() : () -> ()
    linalg.fill ins(%zero : i32) outs(%C : memref<4x8x4x8xi32, 2 : i32>)
    aie.use_lock(%lock, Release)
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%A, %B : memref<8x8x4x8xi8, 2 : i32>, memref<4x8x8x8xi8, 2 : i32>) outs(%C : memref<4x8x4x8xi32, 2 : i32>) {
    ^bb0(%x: i8, %y: i8, %o: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %o, %2 : i32
      linalg.yield %3 : i32
    }
    "test.given"() : () -> ()
    linalg.fill ins(%one : i32) outs(%C : memref<4x8x4x8xi32, 2 : i32>)
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%A, %B : memref<8x8x4x8xi8, 2 : i32>, memref<4x8x8x8xi8, 2 : i32>) outs(%C : memref<4x8x4x8xi32, 2 : i32>) {
    ^bb0(%x: i8, %y: i8, %o: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %o, %2 : i32
      linalg.yield %3 : i32
    }
    aie.end
  }
}
