// RUN: airlite-opt %s --air-par-to-herd --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-par-to-herd=first-dim=1 --split-input-file | FileCheck %s --check-prefix=SWAP
// RUN: airlite-opt %s --air-par-to-herd=depth=1 --split-input-file | FileCheck %s --check-prefix=DEPTH1
// RUN: airlite-opt %s --air-par-to-herd=depth=-1 --split-input-file | FileCheck %s --check-prefix=INNER

// CHECK-DAG: [[SCALE:#map[0-9]*]] = affine_map<(d0) -> (d0 * 8 + 16)>
// CHECK-LABEL: func.func @one_dim
// CHECK: air.herd @herd_0 tile (%[[X:.*]], %{{.*}}) in (%{{.*}}=%c6{{.*}}, %{{.*}}=%c1{{.*}}) args(%[[A:.*]]=%arg0) : memref<64xi32, 2> attributes {air.actual_sizes = array<i64: 40>}
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[I:.*]] = affine.apply [[SCALE]](%[[X]])
// CHECK: memref.store %[[ZERO]], %[[A]][%[[I]]]
// SWAP-LABEL: func.func @one_dim
// SWAP: air.herd @herd_0 tile (%{{.*}}, %[[Y:.*]]) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c6{{.*}})
// SWAP: affine.apply {{.*}}(%[[Y]])
func.func @one_dim(%m: memref<64xi32, 2>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%i) = (%c16) to (%c64) step (%c8) {
    memref.store %zero, %m[%i] : memref<64xi32, 2>
  } {air.actual_sizes = array<i64: 40>}
  return
}

// -----

// The first dimensions stay a loop with its own bounds; its variables come first, innermost before.
// CHECK-LABEL: func.func @four_dims
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c2{{.*}}, %c0{{.*}}) to (%c6{{.*}}, %c3{{.*}}) step (%c2{{.*}}, %c1{{.*}}) {
// CHECK:   air.herd @herd_0 tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c5{{.*}}) args(%[[B:.*]]=%[[J]], %[[A:.*]]=%[[I]], %[[M:.*]]=%arg0)
// CHECK:     memref.load %[[M]][%[[A]], %[[B]], %[[X]], %[[Y]]]
func.func @four_dims(%m: memref<8x8x8x8xi32, 2>) {
  scf.forall (%i, %j, %k, %l) = (2, 0, 0, 0) to (6, 3, 4, 5) step (2, 1, 1, 1) {
    %v = memref.load %m[%i, %j, %k, %l] : memref<8x8x8x8xi32, 2>
  }
  return
}

// -----

// Not nested herds, but loops one below the other: by depth, and named by shared buffers.
// CHECK-LABEL: func.func @nested
// CHECK: air.herd @herd_2
// CHECK:   air.herd @herd_0
// CHECK:   air.herd @herd_1
// CHECK:   air.herd @herd_0
// DEPTH1-LABEL: func.func @nested
// DEPTH1: scf.forall
// DEPTH1:   air.herd @herd_0
// DEPTH1:   air.herd @herd_1
// DEPTH1:   air.herd @herd_0
// INNER-LABEL: func.func @nested
// INNER: scf.forall
// INNER:   air.herd @herd_0
func.func @nested() {
  %v = arith.constant 1 : i32
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<4xi32, 2>
    %b = memref.alloc() : memref<4xi32, 2>
    scf.forall (%j) in (4) {
      memref.store %v, %a[%j] : memref<4xi32, 2>
    }
    scf.forall (%j) in (4) {
      memref.store %v, %b[%j] : memref<4xi32, 2>
    }
    scf.forall (%j) in (4) {
      memref.store %v, %a[%j] : memref<4xi32, 2>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @affine
// CHECK: air.herd @herd_0 tile ({{.*}}) in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c5{{.*}})
// CHECK-NOT: affine.yield
func.func @affine(%m: memref<16x16xi32, 2>) {
  %v = arith.constant 1 : i32
  affine.parallel (%i, %j) = (0, 2) to (4, 12) step (1, 2) {
    memref.store %v, %m[%i, %j] : memref<16x16xi32, 2>
  }
  return
}

// -----

// CHECK-LABEL: func.func @calls
// CHECK: air.herd @herd_0 {{.*}}attributes {link_with = "kernel.o"}
func.func private @kernel(memref<4xi32, 2>) attributes {link_with = "kernel.o"}
func.func @calls(%m: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (2) {
    scf.for %k = %c0 to %c1 step %c1 {
      func.call @kernel(%m) : (memref<4xi32, 2>) -> ()
    }
  }
  return
}

// -----

// CHECK-DAG: [[LAST:#set[0-9]*]] = affine_set<()[s0] : (s0 - 2 == 0)>
// CHECK-DAG: [[MIDDLE:#set[0-9]*]] = affine_set<()[s0] : (s0 - 1 >= 0, -s0 + 1 >= 0)>
// CHECK: air.channel @channel_0 [2] {channel_type = "npu_cascade"}
// CHECK-LABEL: func.func @reduction
// CHECK-SAME: (%[[OUT:.*]]: memref<8xi32>)
// CHECK-NOT: memref.alloc
// CHECK: air.herd @herd_0 tile (%[[X:.*]], %{{.*}}) in (%{{.*}}=%c3{{.*}}, %{{.*}}=%c1{{.*}}) args(%[[O:.*]]=%[[OUT]]) : memref<8xi32>
// CHECK:   %[[PART:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK:   affine.if [[LAST]]()[%[[X]]] {
// CHECK:     %[[INIT:.*]] = memref.alloc()
// CHECK:     linalg.fill {{.*}}outs(%[[INIT]]
// CHECK:     linalg.add ins(%[[PART]], %[[INIT]] {{.*}} outs(%[[PART]]
// CHECK:     %[[BELOW:.*]] = arith.subi %[[X]], %c1
// CHECK:     air.channel.put @channel_0[%[[BELOW]]] (%[[PART]][] [] [])
// CHECK:     memref.dealloc %[[INIT]]
// CHECK:   } else {
// CHECK:     affine.if [[MIDDLE]]()[%[[X]]] {
// CHECK:       air.channel.get @channel_0[%[[X]]]
// CHECK:       linalg.add
// CHECK:       air.channel.put @channel_0
// CHECK:     } else {
// CHECK:       air.channel.get @channel_0[%[[X]]]
// CHECK:       linalg.add
// CHECK:       air.dma_memcpy_nd (%[[O]][] [] [], %[[PART]][] [] [])
// CHECK:     }
// CHECK:   }
// CHECK: }
// CHECK-NEXT: return
func.func @reduction(%out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = memref.alloc() : memref<8xi32, 2>
  linalg.fill ins(%zero : i32) outs(%init : memref<8xi32, 2>)
  %sum = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%init) -> memref<8xi32, 2> {
    %part = memref.alloc() : memref<8xi32, 2>
    scf.reduce(%part : memref<8xi32, 2>) {
    ^bb0(%a: memref<8xi32, 2>, %b: memref<8xi32, 2>):
      linalg.add ins(%a, %b : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
      scf.reduce.return %a : memref<8xi32, 2>
    }
  }
  air.dma_memcpy_nd (%out[] [] [], %sum[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
  memref.dealloc %init : memref<8xi32, 2>
  return
}

// -----

// Two cores have no middle; one has no cascade. A buffer that only the consumer uses moves along.
// CHECK: air.channel @channel_0 [1] {channel_type = "npu_cascade"}
// CHECK-LABEL: func.func @short_reductions
// CHECK: air.herd @herd_0 tile
// CHECK:   affine.if
// CHECK:     air.channel.put
// CHECK:   } else {
// CHECK-NOT: affine.if
// CHECK:     air.channel.get
// CHECK: air.herd @herd_1 tile
// CHECK-NOT: affine.if
// CHECK:   linalg.add
// CHECK:   %[[OWN:.*]] = memref.alloc() : memref<4xi32, 2>
// CHECK:   memref.copy %{{.*}}, %[[OWN]]
// CHECK:   memref.dealloc %[[OWN]]
// CHECK: return
func.func @short_reductions() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = memref.alloc() : memref<8xi32, 2>
  %sum = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%init) -> memref<8xi32, 2> {
    %part = memref.alloc() : memref<8xi32, 2>
    scf.reduce(%part : memref<8xi32, 2>) {
    ^bb0(%a: memref<8xi32, 2>, %b: memref<8xi32, 2>):
      linalg.add ins(%a, %b : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
      scf.reduce.return %a : memref<8xi32, 2>
    }
  }
  %own = memref.alloc() : memref<4xi32, 2>
  %init1 = memref.alloc() : memref<4xi32, 2>
  %sum1 = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%init1) -> memref<4xi32, 2> {
    %part = memref.alloc() : memref<4xi32, 2>
    scf.reduce(%part : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      linalg.add ins(%a, %b : memref<4xi32, 2>, memref<4xi32, 2>) outs(%a : memref<4xi32, 2>)
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  memref.copy %sum1, %own : memref<4xi32, 2> to memref<4xi32, 2>
  memref.dealloc %own : memref<4xi32, 2>
  return
}
