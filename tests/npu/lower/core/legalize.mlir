// RUN: airlite-opt %s --split-input-file --air-aie-legalize-core | FileCheck %s
// RUN: airlite-opt %s --split-input-file --air-aie-legalize-core --air-aie-legalize-core | FileCheck %s

// Loops, one dimension, sums hoisted; the descriptor sees the buffer's new type. A routine is
// added once, and only when it is used.
// CHECK-LABEL: aie.device(npu1)
// CHECK: %[[A:.*]] = aie.buffer(%{{.*}}) {sym_name = "a"} : memref<32xf32, 2 : i32>
// CHECK: %[[B:.*]] = aie.buffer(%{{.*}}) {sym_name = "b"} : memref<32xf32, 2 : i32>
// CHECK: aie.core
// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual
// CHECK: scf.for %[[AT:.*]] = %c0 to %c32 step
// CHECK-NEXT: %[[X:.*]] = memref.load %[[A]][%[[AT]]] : memref<32xf32, 2 : i32>
// CHECK-NEXT: %[[Y:.*]] = memref.load %[[B]][%[[AT]]]
// CHECK-NEXT: %[[S:.*]] = func.call @__air_f32_mul(%[[X]], %[[Y]]) : (f32, f32) -> f32
// CHECK-NEXT: memref.store %[[S]], %[[B]][%[[AT]]]
// CHECK: scf.for %[[I:.*]] = %c0 to %c4 step
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[I]], %c8 : index
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %c8 step
// CHECK-NEXT: memref.load %[[A]][%[[J]]]
// CHECK-NEXT: %[[ROW_J:.*]] = arith.addi %[[ROW]], %[[J]] : index
// CHECK-NEXT: memref.load %[[B]][%[[ROW_J]]]
// CHECK-NOT: linalg
// CHECK: aie.dma_bd(%[[B]] : memref<32xf32, 2 : i32> offset = 0 len = 32)
// CHECK: func.func private @__air_f32_mul(%{{.*}}: f32, %{{.*}}: f32) -> f32
// CHECK-NOT: func.func
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %lock = aie.lock(%tile, 0) {init = 1 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<4x8xf32, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<4x8xf32, 2 : i32>
  %core = aie.core(%tile) {
    %c1 = arith.constant 1 : i32
    aie.use_lock(%lock, AcquireGreaterEqual, %c1)
    linalg.mul ins(%a, %b : memref<4x8xf32, 2 : i32>, memref<4x8xf32, 2 : i32>)
               outs(%b : memref<4x8xf32, 2 : i32>)
    %row = memref.subview %a[0, 0] [1, 8] [1, 1]
        : memref<4x8xf32, 2 : i32> to memref<8xf32, strided<[1]>, 2 : i32>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%row : memref<8xf32, strided<[1]>, 2 : i32>) outs(%b : memref<4x8xf32, 2 : i32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
    aie.end
  }
  %mem = aie.mem(%tile) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<4x8xf32, 2 : i32> offset = 0 len = 32)
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
}

// -----

// Two cores share a buffer; what it holds at first keeps its order. A function takes it whole.
// CHECK-LABEL: aie.device(npu1)
// CHECK: aie.buffer(%{{.*}}) {sym_name = "shared"} : memref<6xi32> = dense<[1, 2, 3, 4, 5, 6]>
// CHECK: func.func private @kernel(memref<6xi32>)
// CHECK: memref.load %shared[%c4] : memref<6xi32>
// CHECK: call @kernel(%shared) : (memref<6xi32>) -> ()
// CHECK: memref.load %shared[%c4] : memref<6xi32>
// CHECK-LABEL: func.func @host
// CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<2x3xi32>
module {
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %other = aie.tile(0, 3)
  %shared = aie.buffer(%tile) {sym_name = "shared"} : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
  func.func private @kernel(memref<2x3xi32>)
  %core = aie.core(%tile) {
    %c1 = arith.constant 1 : index
    %v = memref.load %shared[%c1, %c1] : memref<2x3xi32>
    %c0 = arith.constant 0 : index
    memref.store %v, %shared[%c0, %c0] : memref<2x3xi32>
    func.call @kernel(%shared) : (memref<2x3xi32>) -> ()
    aie.end
  }
  %core2 = aie.core(%other) {
    %c1 = arith.constant 1 : index
    %v = memref.load %shared[%c1, %c1] : memref<2x3xi32>
    %c0 = arith.constant 0 : index
    memref.store %v, %shared[%c0, %c0] : memref<2x3xi32>
    aie.end
  }
}
func.func @host(%m: memref<2x3xi32>, %i: index) -> i32 {
  %v = memref.load %m[%i, %i] : memref<2x3xi32>
  return %v : i32
}
}

// -----

// A transfer of a row is a vector load or store, through a view or not.
// CHECK-LABEL: aie.device(npu1)
// CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c16 {
// CHECK-NEXT: %[[V:.*]] = vector.load %a[%[[I]]] : memref<64xi32, 2 : i32>, vector<16xi32>
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[I]], %c64 : index
// CHECK-NEXT: vector.store %[[V]], %b[%[[AT]]] : memref<128xi32, 2 : i32>, vector<16xi32>
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<64xi32, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<2x64xi32, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    scf.for %i = %c0 to %c64 step %c16 {
      %part = memref.subview %a[%i] [16] [1] : memref<64xi32, 2 : i32> to memref<16xi32, strided<[1], offset: ?>, 2 : i32>
      %v = vector.transfer_read %part[%c0], %zero {in_bounds = [true]} : memref<16xi32, strided<[1], offset: ?>, 2 : i32>, vector<16xi32>
      vector.transfer_write %v, %b[%c1, %i] {in_bounds = [true]} : vector<16xi32>, memref<2x64xi32, 2 : i32>
    }
    aie.end
  }
}
