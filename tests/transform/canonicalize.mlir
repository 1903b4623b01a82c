// Constants are shared at the top of the isolated region; dead code and dead blocks go.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants(%a: index) -> (index, index) {
  // CHECK-NEXT: %c5 = arith.constant 5 : index
  // CHECK-NEXT: %[[S:.*]] = arith.addi %arg0, %c5
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.addi %c2, %c3 : index
  %s = arith.addi %a, %c5 : index
  %dead = arith.muli %s, %s : index
  // CHECK-NEXT: return %[[S]], %c5
  return %s, %c5 : index, index
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%a: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  // CHECK-NOT: ^bb
  %true = arith.constant true
  cf.cond_br %true, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  return %x : i32
^bb2:
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}

// Access lists take constants, hierarchy ops lose what they do not use.
// CHECK-LABEL: func.func @air
func.func @air(%m: memref<64xf32>, %unused: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  // CHECK: air.launch (%{{.*}}) in (%{{.*}}=%c1) args(%[[M:.*]]=%arg0) : memref<64xf32>
  air.launch (%x) in (%s=%c1) args(%a=%m, %u=%unused, %b=%m) : memref<64xf32>, index, memref<64xf32> {
    air.segment args(%k=%a, %l=%b) : memref<64xf32>, memref<64xf32> {
      %c16 = arith.constant 16 : index
      %one = arith.constant 1 : index
      %l2 = memref.alloc() : memref<16xf32, 1>
      // CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[16] [16] [1])
      air.dma_memcpy_nd (%l2[] [] [], %k[%c16] [%c16] [%one]) : (memref<16xf32, 1>, memref<64xf32>)
      air.dma_memcpy_nd (%l[0] [16] [1], %l2[] [] []) : (memref<64xf32>, memref<16xf32, 1>)
    }
  }
  return
}
