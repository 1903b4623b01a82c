// RUN: airlite-opt %s --check-each --air-prune-linalg-generic-input-dma | FileCheck %s
// RUN: airlite-opt %s --check-each --air-dependency --air-prune-linalg-generic-input-dma | FileCheck %s --check-prefix=ASYNC

// The fill overwrites what was copied.
// CHECK-LABEL: func.func @output
// CHECK: memref.alloc
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: air.dma_memcpy_nd (%arg1

// ASYNC-LABEL: func.func @output
// ASYNC: %[[ALLOCATED:.*]], %{{.*}} = air.execute
// ASYNC-NOT: air.dma_memcpy_nd
// ASYNC: %[[FILLED:.*]] = air.execute [%[[ALLOCATED]]] {
// ASYNC-NEXT: linalg.fill
// ASYNC: air.dma_memcpy_nd async [%[[FILLED]]] (%arg1
func.func @output(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c7 = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32, 1>
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  linalg.fill ins(%c7 : i32) outs(%a : memref<8xi32, 1>)
  air.dma_memcpy_nd (%n[] [] [], %a[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  memref.dealloc %a : memref<8xi32, 1>
  return
}

// An input that gives the op no more than its shape.
// CHECK-LABEL: func.func @input
// CHECK-NOT: air.dma_memcpy_nd (%{{.*}}, %arg0
// CHECK: linalg.generic
// CHECK: air.dma_memcpy_nd (%arg1

// ASYNC-LABEL: func.func @input
// ASYNC-NOT: air.dma_memcpy_nd{{.*}}%arg0
// ASYNC: linalg.generic
// ASYNC: return
func.func @input(%m: memref<8xi32>, %n: memref<8xi32>) {
  %a = memref.alloc() : memref<8xi32, 1>
  %b = memref.alloc() : memref<8xi32, 1>
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xi32, 1>) outs(%b : memref<8xi32, 1>) {
  ^bb0(%in: i32, %out: i32):
    %c3 = arith.constant 3 : i32
    linalg.yield %c3 : i32
  }
  air.dma_memcpy_nd (%n[] [] [], %b[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  memref.dealloc %a : memref<8xi32, 1>
  memref.dealloc %b : memref<8xi32, 1>
  return
}

// Through the levels: the cores of the herd write all of the buffer between, so nobody needs the
// copy that filled it either.
// CHECK-LABEL: func.func @levels
// CHECK-NOT: air.dma_memcpy_nd (%{{.*}}, %arg0
// CHECK: air.herd
// CHECK: memref.alloc() : memref<4xi32, 2>
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: linalg.fill
// CHECK-NEXT: air.dma_memcpy_nd
// CHECK-NEXT: memref.dealloc
// CHECK: air.dma_memcpy_nd (%arg1

// ASYNC-LABEL: func.func @levels
// ASYNC: %[[ALLOCATED:.*]], %{{.*}} = air.execute
// ASYNC: %[[HERD:.*]] = air.herd @herd_0 async [%[[ALLOCATED]]]
// ASYNC-NOT: air.dma_memcpy_nd{{.*}} (memref<4xi32, 2>, memref<8xi32, 1>)
// ASYNC: air.dma_memcpy_nd async [%[[HERD]]] (%arg1
func.func @levels(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8xi32, 1>
  air.dma_memcpy_nd (%between[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  air.herd @herd_0 tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%shared = %between) : memref<8xi32, 1> {
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : i32
    %own = memref.alloc() : memref<4xi32, 2>
    %at = arith.muli %x, %c4 : index
    air.dma_memcpy_nd (%own[] [] [], %shared[%at] [4] [1]) : (memref<4xi32, 2>, memref<8xi32, 1>)
    linalg.fill ins(%c7 : i32) outs(%own : memref<4xi32, 2>)
    air.dma_memcpy_nd (%shared[%at] [4] [1], %own[] [] []) : (memref<8xi32, 1>, memref<4xi32, 2>)
    memref.dealloc %own : memref<4xi32, 2>
  }
  air.dma_memcpy_nd (%n[] [] [], %between[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  memref.dealloc %between : memref<8xi32, 1>
  return
}
