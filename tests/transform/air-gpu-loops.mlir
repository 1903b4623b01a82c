// Parallel loops of the host: a work-item for each round, the last loop fastest.
// RUN: airlite-opt %s --air-gpu-loops=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --pipeline='scf-forall-to-parallel,air-gpu-loops{device=gfx1201}' --check-each --emit=none
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none

// 13 * 27 rounds, in workgroups of 256.
// CHECK-LABEL: func.func @apart
// CHECK: air.launch
// CHECK: air.segment
// CHECK: air.herd {{.*}}
// CHECK: gpu.lane_id
// CHECK: scf.if
// CHECK: %[[J:.*]] = arith.remui
// CHECK: arith.muli %[[J]]
// CHECK: memref.load
// CHECK: memref.store
// CHECK-NOT: scf.parallel
func.func @apart(%a: memref<27x53xf32>, %c: memref<27x53xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.constant 27 : index
  %n = arith.constant 53 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%m, %n) step (%c2, %c2) {
    %x = memref.load %a[%i, %j] : memref<27x53xf32>
    %r = arith.addf %x, %x : f32
    memref.store %r, %c[%i, %j] : memref<27x53xf32>
  }
  return
}

// Loops in a round stay; a loop around it is one of the host.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: air.launch
// CHECK: scf.for
// CHECK: scf.parallel
// CHECK: return
func.func @nested(%a: memref<8x16xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %t = %c0 to %c8 step %c1 {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      scf.for %k = %c1 to %c16 step %c1 {
        scf.parallel (%z) = (%c0) to (%c1) step (%c1) {
          %x = memref.load %a[%i, %k] : memref<8x16xi32>
          %y = memref.load %a[%i, %z] : memref<8x16xi32>
          %r = arith.addi %x, %y : i32
          memref.store %r, %a[%i, %k] : memref<8x16xi32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @declines
// CHECK: scf.parallel
// CHECK: linalg.fill
// CHECK: scf.parallel
// CHECK: scf.reduce
// WHY: remark: {{.*}}no launch of work-items: its body does more than to compute, read and write elements
// WHY: remark: {{.*}}no launch of work-items: has results
func.func @declines(%a: memref<4x8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %row = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<1x8xi32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%zero : i32) outs(%row : memref<1x8xi32, strided<[8, 1], offset: ?>>)
  }
  %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> i32 {
    %x = memref.load %a[%i, %c0] : memref<4x8xi32>
    scf.reduce(%x : i32) {
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      scf.reduce.return %s : i32
    }
  }
  return %sum : i32
}
