// RUN: airlite-opt %s --buffer-results-to-out-params --verify-diagnostics --remarks | FileCheck %s

// CHECK: func.func private @elsewhere() -> memref<8xi32>
// expected-remark@+1 {{what a declaration returns is not known}}
func.func private @elsewhere() -> memref<8xi32>

// CHECK: func.func @same({{.*}}) -> memref<8xi32>
// expected-remark@+1 {{it returns a buffer that it does not make}}
func.func @same(%m: memref<8xi32>) -> memref<8xi32> {
  return %m : memref<8xi32>
}

// expected-remark@+1 {{it returns a buffer twice}}
func.func @twice() -> (memref<8xi32>, memref<8xi32>) {
  %a = memref.alloc() : memref<8xi32>
  return %a, %a : memref<8xi32>, memref<8xi32>
}

// expected-remark@+1 {{it has several blocks}}
func.func @blocks() -> memref<8xi32> {
  %a = memref.alloc() : memref<8xi32>
  cf.br ^end
^end:
  return %a : memref<8xi32>
}

// expected-remark@+1 {{its callers cannot allocate the buffer}}
func.func @sized(%n: index) -> memref<?xi32> {
  %a = memref.alloc(%n) : memref<?xi32>
  return %a : memref<?xi32>
}
func.func @caller(%n: index) {
  %a = call @sized(%n) : (index) -> memref<?xi32>
  return
}

// expected-remark@+1 {{it is named by something that is not a call}}
func.func @named() -> memref<8xi32> {
  %a = memref.alloc() : memref<8xi32>
  return %a : memref<8xi32>
}
func.func @pointer() -> (() -> memref<8xi32>) {
  %f = func.constant @named : () -> memref<8xi32>
  return %f : () -> memref<8xi32>
}

// expected-remark@+1 {{asynchronous work may still fill what it returns}}
func.func @later(%m: memref<8xi32>) -> memref<8xi32> {
  %a = memref.alloc() : memref<8xi32>
  %t = air.dma_memcpy_nd async (%a[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32>)
  return %a : memref<8xi32>
}
