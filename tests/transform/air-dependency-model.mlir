// The spelling of the compute model; read back, it is the same program.
// RUN: airlite-opt %s --air-dependency=model-tokens=true | FileCheck %s
// RUN: airlite-opt %s --air-dependency=model-tokens=true --print-generic -o %t.1
// RUN: airlite-opt %s --air-dependency=model-tokens=true | airlite-opt - --print-generic -o %t.2
// RUN: diff %t.1 %t.2

// CHECK: %[[I:.*]] = air.wait_all {id = 1 : i32}
// CHECK: %[[L:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[I]]) -> (!air.token) {
// CHECK: %[[A:.*]], %[[B:.*]] = air.execute [dependency = []] -> (memref<16xf32, 1>) {
// CHECK: %[[D:.*]] = air.dma_memcpy_nd [dependency = [%[[T]], %[[A]]]] (%[[B]][] [] []
// CHECK: air.execute [%[[D]]] {
// CHECK: air.herd [dependency = [%[[L]]]] tile
func.func @f(%a: memref<64xf32>, %b: memref<64xf32, 1>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc() : memref<16xf32, 1>
    air.dma_memcpy_nd (%m[] [] [], %a[%i] [16] [1]) : (memref<16xf32, 1>, memref<64xf32>)
    memref.store %v, %m[%c0] : memref<16xf32, 1>
    air.dma_memcpy_nd (%b[%i] [16] [1], %m[] [] []) : (memref<64xf32, 1>, memref<16xf32, 1>)
    memref.dealloc %m : memref<16xf32, 1>
  }
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%p=%b) : memref<64xf32, 1> {
  }
  return
}
