// A reduction in each round of a parallel loop: each row of cores has a cascade of its own, and in a launch or segment
// the loop and the herd in it become one herd.
// RUN: airlite-opt %s --split-input-file --air-par-to-herd=depth=-1 --air-par-to-herd=depth=-1 | FileCheck %s
// RUN: airlite-opt %s --split-input-file --air-par-to-herd=depth=-1 | FileCheck %s --check-prefix=ONCE
// RUN: airlite-opt %s --split-input-file --air-par-to-herd=depth=-1 --air-par-to-herd=depth=-1 -o %t && airlite-run %t --on=sim --compare=interp --init=random:1 --async-transfers | FileCheck %s --check-prefix=SIM
// SIM: 1 arguments are as in the interpreter, bit by bit

// CHECK: #[[FLOOR:.*]] = affine_map<(d0) -> (d0 floordiv 16)>
// CHECK: #[[LAST:.*]] = affine_set<()[s0, s1] : (s1 - 2 == 0, s0 >= 0, -s0 + 1 >= 0)>
// CHECK: air.channel @channel_0 [2, 2] {channel_type = "npu_cascade"}
// CHECK: air.herd @herd_0 tile (%[[Y:.*]], %[[X:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c3{{.*}})
// CHECK: %[[ROUND:.*]] = affine.apply #[[FLOOR]](%{{.*}})
// CHECK: affine.if #[[LAST]]()[%[[Y]], %[[X]]]
// CHECK:   air.channel.put @channel_0[%[[ROUND]], %{{.*}}]
// CHECK:   air.channel.get @channel_0[%[[ROUND]], %[[X]]]
// CHECK-NOT: air.herd
// ONCE: scf.parallel (%[[Y:.*]]) =
// ONCE: %[[ROUND:.*]] = affine.apply #{{.*}}(%[[Y]])
// ONCE: %[[AT:.*]] = affine.apply #{{.*}}(%[[Y]])
// ONCE: air.herd @herd_0 tile {{.*}} args({{.*}}=%[[ROUND]]{{.*}}=%[[AT]]
func.func @main(%out: memref<32xi32>) {
  air.launch () in () args(%o = %out) : memref<32xi32> {
    air.segment @s args(%oo = %o) : memref<32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0 : i32
      %l2 = memref.alloc() : memref<32xi32, 1>
      scf.parallel (%y) = (%c0) to (%c32) step (%c16) {
        %init = memref.alloc() : memref<16xi32, 2>
        linalg.fill ins(%zero : i32) outs(%init : memref<16xi32, 2>)
        %sum = scf.parallel (%x) = (%c0) to (%c3) step (%c1) init (%init) -> memref<16xi32, 2> {
          %part = memref.alloc() : memref<16xi32, 2>
          %first = arith.addi %x, %y : index
          %number = arith.index_cast %first : index to i32
          linalg.fill ins(%number : i32) outs(%part : memref<16xi32, 2>)
          scf.reduce(%part : memref<16xi32, 2>) {
          ^bb0(%a: memref<16xi32, 2>, %b: memref<16xi32, 2>):
            linalg.add ins(%a, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%a : memref<16xi32, 2>)
            scf.reduce.return %a : memref<16xi32, 2>
          }
        }
        // Computed after the loop, of what is there before it.
        %at = affine.apply affine_map<(d0) -> (-d0 + 16)>(%y)
        air.dma_memcpy_nd (%l2[%at] [%c16] [%c1], %sum[] [] []) : (memref<32xi32, 1>, memref<16xi32, 2>)
      }
      air.dma_memcpy_nd (%oo[] [] [], %l2[] [] []) : (memref<32xi32>, memref<32xi32, 1>)
      memref.dealloc %l2 : memref<32xi32, 1>
    }
  }
  return
}
