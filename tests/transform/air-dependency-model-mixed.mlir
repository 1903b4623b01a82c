// A function has tokens of one kind: those of the compute model where there are such.
// RUN: airlite-opt %s --air-dependency --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not airlite-opt %s --air-dependency=model-tokens=true --split-input-file 2>&1 | FileCheck %s --check-prefix=ERR

// CHECK-LABEL: func.func @mixed
// CHECK: %[[A:.*]] = air.dma_memcpy_nd (%arg1
// CHECK: %[[B:.*]] = air.dma_memcpy_nd [dependency = [%[[A]]]] (%arg0
// CHECK: air.execute [%[[B]]] {
func.func @mixed(%m: memref<4xf32>, %n: memref<4xf32, 1>, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = air.dma_memcpy_nd (%n[] [] [], %m[] [] []) : (memref<4xf32, 1>, memref<4xf32>)
  %b = air.dma_memcpy_nd async (%m[] [] [], %n[] [] []) : (memref<4xf32>, memref<4xf32, 1>)
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}

// -----

// ERR: 'func.func' op not supported: an !air.async.token as argument of a function that is given tokens of the compute model
func.func @argument(%t: !air.async.token) {
  return
}

// -----

// ERR: 'func.return' op not supported: an !air.async.token leaves a function that is given tokens of the compute model
func.func @result() -> !air.async.token {
  %t = air.wait_all async
  return %t : !air.async.token
}
