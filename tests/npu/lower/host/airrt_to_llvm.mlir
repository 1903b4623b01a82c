// What a host does, as calls of a run time library.
// RUN: airlite-opt %s --airrt-to-llvm | FileCheck %s
// RUN: airlite-opt %s --airrt-to-llvm | airlite-opt | FileCheck %s
// CHECK-LABEL: func.func @run(%arg0: memref<8x16xi32>, %arg1: !llvm.ptr) -> !llvm.ptr
func.func @run(%m: memref<8x16xi32>, %before: !airrt.event) -> !airrt.event {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %id = arith.constant 3 : i32
  %o = arith.constant 0 : i64
  %l = arith.constant 8 : i64
  // CHECK: %[[SEGMENT:.*]] = llvm.mlir.addressof @__airrt_string_part : !llvm.ptr
  // CHECK-NEXT: %[[NAME:.*]] = llvm.bitcast %[[SEGMENT]] : !llvm.ptr to !llvm.ptr
  // CHECK-NEXT: call @__airrt_segment_load(%[[NAME]]) : (!llvm.ptr) -> i64
  %p = airrt.segment_load "part" : i64
  // CHECK: call @__airrt_herd_load({{.*}}) : (!llvm.ptr) -> i64
  %h = airrt.herd_load "deer" () : () -> i64
  // CHECK: %[[COUNT:.*]] = arith.constant 128 : index
  // CHECK-NEXT: %[[OPEN:.*]] = call @__airrt_alloc_L2_2d1i32(%[[COUNT]]) : (index) -> memref<?x?xi32, 1>
  // CHECK-NEXT: %[[L2:.*]] = memref.cast %[[OPEN]] : memref<?x?xi32, 1> to memref<8x16xi32, 1>
  %l2 = airrt.alloc : memref<8x16xi32, 1>
  // Nothing waits for it.
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: call @__airrt_nd_memcpy_2d1i32_2d0i32(%[[NULL]], {{.*}}) : (!llvm.ptr, memref<?x?xi32, 1>, memref<?x?xi32>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
  airrt.memcpy_nd(%l2, %m, [%o, %o, %o, %o], [%l, %l, %l, %l], [%o, %o, %o, %o]) : (memref<8x16xi32, 1>, memref<8x16xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
  // CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[AT:.*]] = %arg1) -> (!llvm.ptr)
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%at = %before) -> (!airrt.event) {
    // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
    // CHECK-NEXT: %[[SIGNAL:.*]] = llvm.alloca %[[ONE]] x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
    // CHECK-NEXT: %[[MEMORY:.*]] = memref.cast %arg0 : memref<8x16xi32> to memref<?x?xi32>
    // CHECK: arith.constant 64 : i64
    // CHECK: func.call @__airrt_dma_nd_memcpy_2d0i32(%[[SIGNAL]], %{{.*}}, %{{.*}}, %{{.*}}, %[[MEMORY]], {{.*}}) : (!llvm.ptr, i32, i64, i64, memref<?x?xi32>, i64, {{.*}}) -> ()
    %moved = airrt.dma_memcpy_nd(%id, %o, %o, %m[0, 0, 0, %o], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<8x16xi32>) : !airrt.event
    // CHECK: %[[BOTH:.*]] = func.call @__airrt_wait_all_1_2(%[[AT]], %[[SIGNAL]]) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    // CHECK-NEXT: scf.yield %[[BOTH]] : !llvm.ptr
    %both = airrt.wait_all %at, %moved : !airrt.event
    scf.yield %both : !airrt.event
  }
  // CHECK: call @__airrt_wait_all_0_1(%[[LAST]]) : (!llvm.ptr) -> ()
  airrt.wait_all %last
  // CHECK: call @__airrt_dealloc_L2_2d1i32({{.*}}) : (memref<?x?xi32, 1>) -> ()
  airrt.dealloc %l2 : memref<8x16xi32, 1>
  // CHECK: return %[[LAST]] : !llvm.ptr
  return %last : !airrt.event
}
// Stack of one word for all rounds of a loop that waits in each, none where nothing waits.
// CHECK-LABEL: func.func @rounds
// CHECK-NEXT: llvm.mlir.constant(1 : i32)
// CHECK-NEXT: %[[WORD:.*]] = llvm.alloca
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// CHECK: func.call @__airrt_dma_nd_memcpy_2d0i32(%[[WORD]]
// CHECK: func.call @__airrt_wait_all_0_1(%[[WORD]])
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: func.call @__airrt_dma_nd_memcpy_2d0i32(%[[NULL]]
func.func @rounds(%m: memref<8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %id = arith.constant 3 : i32
  %o = arith.constant 0 : i64
  scf.for %i = %c0 to %c4 step %c1 {
    %moved = airrt.dma_memcpy_nd(%id, %o, %o, %m[0, 0, 0, %o], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<8x16xi32>) : !airrt.event
    airrt.wait_all %moved
    %alone = airrt.dma_memcpy_nd(%id, %o, %o, %m[0, 0, 0, %o], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<8x16xi32>) : !airrt.event
  }
  return
}
// CHECK: llvm.mlir.global internal constant @__airrt_string_part("part")
// CHECK: func.func private @__airrt_segment_load(!llvm.ptr) -> i64
// CHECK: llvm.mlir.global internal constant @__airrt_shim_location_data(dense<{{.*}}> : tensor<1024xi64>) {{.*}} : !llvm.array<1024 x i64>
// CHECK: llvm.mlir.global internal constant @__airrt_shim_channel_data
// CHECK: llvm.mlir.global internal constant @__airrt_shim_descriptor() {{.*}} : !llvm.struct<(ptr, ptr)> {
// CHECK: llvm.mlir.addressof @__airrt_shim_location_data
// CHECK: llvm.insertvalue {{.*}}[0] : !llvm.struct<(ptr, ptr)>
// CHECK: llvm.mlir.global internal constant @__airrt_herd_descriptor() {{.*}} : !llvm.struct<(i64, ptr, ptr)> {
// CHECK: llvm.mlir.constant(4 : i64) : i64
// CHECK: llvm.mlir.addressof @__airrt_string_deer
// CHECK: llvm.mlir.global external constant @__airrt_segment_descriptor() {{.*}} : !llvm.struct<(i64, ptr, i64, ptr)> {
// CHECK: llvm.mlir.global external constant @__airrt_module_descriptor() {{.*}} : !llvm.struct<(i64, ptr)> {
// CHECK: llvm.mlir.constant(1 : i64) : i64
// CHECK-NOT: airrt.

airrt.module_metadata {
  airrt.segment_metadata attributes {sym_name = "part"} {
    airrt.herd_metadata {sym_name = "deer", dma_allocations = [{id = 3, row = 0, col = 2, channel = 1, location = 7}]}
  }
}
