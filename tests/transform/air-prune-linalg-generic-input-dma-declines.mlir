// RUN: airlite-opt %s --check-each --air-prune-linalg-generic-input-dma --verify-diagnostics --remarks | FileCheck %s

// CHECK-LABEL: func.func @part
// CHECK: air.dma_memcpy_nd
// CHECK: linalg.fill
func.func @part(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c7 = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32, 1>
  // The fill leaves the second half.
  // expected-remark@+1 {{no op is known to overwrite the data before all who read the buffer}}
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  %half = memref.subview %a[0] [4] [1] : memref<8xi32, 1> to memref<4xi32, strided<[1]>, 1>
  linalg.fill ins(%c7 : i32) outs(%half : memref<4xi32, strided<[1]>, 1>)
  air.dma_memcpy_nd (%n[] [] [], %a[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  memref.dealloc %a : memref<8xi32, 1>
  return
}

// CHECK-LABEL: func.func @read_before
// CHECK: air.dma_memcpy_nd
// CHECK: memref.load
func.func @read_before(%m: memref<8xi32>, %n: memref<8xi32>, %i: index) -> i32 {
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32, 1>
  // expected-remark@+1 {{no op is known to overwrite the data before all who read the buffer}}
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  %v = memref.load %a[%c0] : memref<8xi32, 1>
  linalg.fill ins(%c7 : i32) outs(%a : memref<8xi32, 1>)
  air.dma_memcpy_nd (%n[] [] [], %a[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  memref.dealloc %a : memref<8xi32, 1>
  return %v : i32
}

// CHECK-LABEL: func.func @elsewhere
// CHECK: air.dma_memcpy_nd
func.func @elsewhere(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-remark@+1 {{the buffer is not made in the block of the DMA}}
    air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    linalg.fill ins(%c7 : i32) outs(%a : memref<8xi32, 1>)
    air.dma_memcpy_nd (%n[] [] [], %a[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  }
  memref.dealloc %a : memref<8xi32, 1>
  return
}

// CHECK-LABEL: func.func @followed
// CHECK: air.dma_memcpy_nd
func.func @followed(%m: memref<8xi32>, %n: memref<8xi32>, %c: i1) {
  %c7 = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32>
  // expected-remark@+1 {{the buffer is passed on to where it cannot be followed}}
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32>)
  %b = arith.select %c, %a, %n : memref<8xi32>
  linalg.fill ins(%c7 : i32) outs(%a : memref<8xi32>)
  %v = func.call @look(%b) : (memref<8xi32>) -> i32
  memref.dealloc %a : memref<8xi32>
  return
}
func.func @look(%b: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %b[%c0] : memref<8xi32>
  return %v : i32
}

// The reader does not wait for the fill by a token.
// CHECK-LABEL: func.func @unordered
// CHECK: air.dma_memcpy_nd
// CHECK: air.dma_memcpy_nd
func.func @unordered(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c7 = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32, 1>
  // expected-remark@+1 {{no op is known to overwrite the data before all who read the buffer}}
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  %t = air.execute {
    linalg.fill ins(%c7 : i32) outs(%a : memref<8xi32, 1>)
  }
  air.wait_all [%t]
  air.dma_memcpy_nd (%n[] [] [], %a[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  memref.dealloc %a : memref<8xi32, 1>
  return
}
