// Loops that carry no tokens stay as they are around transfers. What the program waits for itself there is not waited for
// earlier: each core of a ring sends before it takes. What nothing waits for ends with its op.
// RUN: airlite-opt %s --air-dependency=keep-channel-order=true --check-each | FileCheck %s
// RUN: airlite-opt %s --air-dependency=keep-channel-order=true --air-verify-program --emit=none

// CHECK-LABEL: func.func @around
// CHECK: affine.for
// CHECK-NEXT: %[[P:.*]] = air.channel.put async{{ *}}@ring
// CHECK-NEXT: %[[G:.*]] = air.channel.get async{{ *}}@ring
// CHECK-NEXT: air.wait_all [%[[P]], %[[G]]]
air.channel @ring [3, 1]
func.func @around() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      air.herd @h tile (%x, %y) in (%sx = %c3, %sy = %c1) {
        %h1 = arith.constant 1 : index
        %h3 = arith.constant 3 : index
        %z = arith.constant 1 : i32
        %own = memref.alloc() : memref<4xi32, 2>
        %other = memref.alloc() : memref<4xi32, 2>
        linalg.fill ins(%z : i32) outs(%own : memref<4xi32, 2>)
        %next = arith.addi %x, %h1 : index
        %to = arith.remui %next, %h3 : index
        affine.for %i = 0 to 2 {
          %0 = air.channel.put async @ring[%to, %y] (%own[] [] []) : (memref<4xi32, 2>)
          %1 = air.channel.get async @ring[%x, %y] (%other[] [] []) : (memref<4xi32, 2>)
          air.wait_all [%0, %1]
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @ends
// CHECK: affine.for
// CHECK-NEXT: %[[T:.*]] = air.dma_memcpy_nd async
// CHECK-NEXT: air.wait_all [%[[T]]]
func.func @ends(%a: memref<4xi32>) {
  %b = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 2 {
    %0 = air.dma_memcpy_nd async (%b[] [] [], %a[] [] []) : (memref<4xi32>, memref<4xi32>)
  }
  return
}
