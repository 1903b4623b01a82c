// The airrt dialect as the AIR tools write it, in both forms.
// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --mlir-print-op-generic | airlite-opt | FileCheck %s

module {
  // CHECK: airrt.module_metadata{
  // CHECK-NEXT: airrt.segment_metadata attributes {dma_allocations = [], sym_name = "seg"}{
  // CHECK-NEXT: airrt.herd_metadata {loc_x = 2 : i64, sym_name = "herd"}
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  airrt.module_metadata {
    airrt.segment_metadata attributes {sym_name = "seg", dma_allocations = []} {
      airrt.herd_metadata {sym_name = "herd", loc_x = 2 : i64}
    }
  }
  // CHECK: airrt.module_metadata{
  // CHECK-NEXT: }
  airrt.module_metadata {}

  // CHECK-LABEL: func.func @loads
  func.func @loads(%a: i32, %b: f32) {
    // CHECK-NEXT: %p = airrt.segment_load "s" : i64
    %0 = airrt.segment_load "s" : i64
    // CHECK-NEXT: %p_0, %event = airrt.segment_load "t" {x.y} : i64, !airrt.event
    %1, %2 = airrt.segment_load "t" {x.y} : i64, !airrt.event
    // CHECK-NEXT: %h = airrt.herd_load "h" () {segment_name = "t"} : () -> i64
    %3 = airrt.herd_load "h" () {segment_name = "t"} : () -> i64
    // CHECK-NEXT: %h_1, %event_2 = airrt.herd_load "h" (%arg0, %arg1) : (i32, f32) -> (i64, !airrt.event)
    %4, %5 = airrt.herd_load "h" (%a, %b) : (i32, f32) -> (i64, !airrt.event)
    return
  }

  // CHECK-LABEL: func.func @transfers
  func.func @transfers(%id: i32, %x: i64, %m: memref<64x64xi32>, %u: memref<*xi32>) {
    // CHECK-NEXT: airrt.dma_memcpy_nd(%arg0, %arg1, %arg1, %arg2[%arg1, 0, 0, 4], [1, 1, %arg1, 16], [0, 0, 64, 1]) {metadata = @chan} : (i32, i64, i64, memref<64x64xi32>)
    airrt.dma_memcpy_nd(%id, %x, %x, %m[%x, 0, 0, 4], [1, 1, %x, 16], [0, 0, 64, 1]) {metadata = @chan} : (i32, i64, i64, memref<64x64xi32>)
    // CHECK-NEXT: %0 = airrt.dma_memcpy_nd(%arg0, %arg1, %arg1, %arg3[0, 0, 0, 0], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<*xi32>) : !airrt.event
    %e = airrt.dma_memcpy_nd(%id, %x, %x, %u[0, 0, 0, 0], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<*xi32>) : !airrt.event
    // CHECK-NEXT: %1 = airrt.alloc : memref<64x64xi32, 1>
    %d = airrt.alloc : memref<64x64xi32, 1>
    // CHECK-NEXT: airrt.memcpy_nd(%1, %arg2, [%arg1, %arg1, %arg1, %arg1], [%arg1, %arg1, %arg1, %arg1], [%arg1, %arg1, %arg1, %arg1]) {a.b} : (memref<64x64xi32, 1>, memref<64x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
    airrt.memcpy_nd(%d, %m, [%x, %x, %x, %x], [%x, %x, %x, %x], [%x, %x, %x, %x]) {a.b} : (memref<64x64xi32, 1>, memref<64x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
    // CHECK-NEXT: airrt.dealloc %1 : memref<64x64xi32, 1>
    airrt.dealloc %d : memref<64x64xi32, 1>
    // CHECK-NEXT: %2 = airrt.wait_all : !airrt.event
    %n = airrt.wait_all : !airrt.event
    // CHECK-NEXT: %3 = airrt.wait_all %0, %2 {air.segment_end} : !airrt.event
    %w = airrt.wait_all %e, %n {air.segment_end} : !airrt.event
    // CHECK-NEXT: airrt.wait_all %3
    airrt.wait_all %w
    return
  }
}
