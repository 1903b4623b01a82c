// RUN: airlite-opt %s --check-each --air-hoist-segment-transfers --remarks 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

air.channel @self [1]
air.channel @go [1]
air.channel @cores [2]

// What is in L3 and L2 alone goes to the segment, with its offset; the transfers of L1 stay.
// CHECK-LABEL: func.func @copies
// CHECK: air.segment
// CHECK: %[[L2:.*]] = memref.alloc() : memref<16xi32, 1>
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[ZERO]]]
// CHECK: air.dma_memcpy_nd (%[[L2]][] [] [], %{{.*}}[%[[AT]]] [16] [1])
// CHECK-NEXT: air.channel.put @self[] (%[[L2]][] [] [])
// CHECK-NEXT: air.herd
// CHECK-NOT: memref<16xi32, 1>)
// CHECK: air.channel.get @self[]
func.func @copies(%a: memref<64xi32>, %b: memref<16xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<64xi32>, memref<16xi32> {
    air.segment @s args(%f = %from, %t = %to) : memref<64xi32>, memref<16xi32> {
      %l2 = memref.alloc() : memref<16xi32, 1>
      %c1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %l2, %in = %f, %out = %t) : memref<16xi32, 1>, memref<64xi32>, memref<16xi32> {
        %at = affine.apply affine_map<()[x] -> (x * 16 + 8)>()[%x]
        %l1 = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %in[%at] [16] [1]) : (memref<16xi32, 1>, memref<64xi32>)
        air.channel.put @self[] (%m[] [] []) : (memref<16xi32, 1>)
        air.channel.get @self[] (%l1[] [] []) : (memref<16xi32, 2>)
        air.dma_memcpy_nd (%out[] [] [], %l1[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        memref.dealloc %l1 : memref<16xi32, 2>
      }
      memref.dealloc %l2 : memref<16xi32, 1>
    }
  }
  return
}

// REMARK: remark: {{.*}}stays: the core communicates or computes before it
// REMARK: remark: {{.*}}stays: the herd has several cores, and each of them makes it
// CHECK-LABEL: func.func @stays
// CHECK: air.herd @after
// CHECK: air.channel.get @go[]
// CHECK: air.channel.put @self[]
// CHECK: air.herd @several
// CHECK: air.channel.put @cores[
func.func @stays(%a: memref<16xi32>) {
  air.launch () in () {
    air.segment @s {
      %l2 = memref.alloc() : memref<16xi32, 1>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @after tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %l2) : memref<16xi32, 1> {
        %l1 = memref.alloc() : memref<16xi32, 2>
        air.channel.get @go[] (%l1[] [] []) : (memref<16xi32, 2>)
        air.channel.put @self[] (%m[] [] []) : (memref<16xi32, 1>)
        memref.dealloc %l1 : memref<16xi32, 2>
      }
      air.herd @several tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%m = %l2) : memref<16xi32, 1> {
        air.channel.put @cores[%x] (%m[] [] []) : (memref<16xi32, 1>)
      }
      memref.dealloc %l2 : memref<16xi32, 1>
    }
  }
  return
}
