// Every operation of the dialect, custom to custom and through the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s | airlite-opt | FileCheck %s

// CHECK: air.channel @c0 [] {channel_type = "npu_dma_packet"}
air.channel @c0 [] {channel_type = "npu_dma_packet"}
// CHECK: air.channel @c1 [1, 4] {broadcast_shape = [4, 4], depth = 2 : i64}
air.channel @c1 [1, 4] {broadcast_shape = [4, 4], depth = 2 : i64}
// The default type is not printed; the compute model's spellings are kept.
// CHECK: air.channel @c2 []{{$}}
air.channel @c2 [] {channel_type = "npu_dma_stream"}
// CHECK: air.channel @c3 [] {channel_type = "cascade"}
air.channel @c3 [] {channel_type = "cascade"}

// CHECK-LABEL: func.func @hierarchy
func.func @hierarchy(%m: memref<64x64xf32>, %n: index) {
  // CHECK: air.launch (%[[X:.*]], %{{.*}}) in (%{{.*}}=%{{.*}}, %{{.*}}=%{{.*}}) args(%[[A:.*]]=%arg0) : memref<64x64xf32> attributes {id = 7 : i32} {
  air.launch (%x, %y) in (%sx=%n, %sy=%n) args(%a=%m) : memref<64x64xf32> attributes {id = 7 : i32} {
    // CHECK: air.segment @seg unroll(%{{.*}}) in (%{{.*}}=%{{.*}}) args(%{{.*}}=%[[A]], %{{.*}}=%[[X]]) : memref<64x64xf32>, index {
    air.segment @seg unroll (%u) in (%su=%sx) args(%b=%a, %i=%x) : memref<64x64xf32>, index {
      %c2 = arith.constant 2 : index
      // CHECK: air.herd @h tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c2, %{{.*}}=%c2) attributes {link_with = "k.o", x_loc = 1 : i64} {
      air.herd @h tile (%tx, %ty) in (%tsx=%c2, %tsy=%c2) x_loc=1 link_with="k.o" {
        %l1 = memref.alloc() : memref<32xf32, 2>
        memref.dealloc %l1 : memref<32xf32, 2>
      }
    }
  }
  // CHECK: air.launch @named () in ()
  air.launch @named () in ()
  return
}

// CHECK-LABEL: func.func @asynchronous
func.func @asynchronous(%m: memref<64x64xf32>, %l2: memref<64x64xf32, 1>, %o: index) {
  // CHECK: %[[T0:.*]] = air.wait_all async
  %t0 = air.wait_all async
  // CHECK: %[[T1:.*]] = air.dma_memcpy_nd async [%[[T0]]] (%arg1[] [] [], %arg0[%arg2, 0] [32, 64] [64, 1]) {id = 1 : i32} : (memref<64x64xf32, 1>, memref<64x64xf32>)
  %t1 = air.dma_memcpy_nd async [%t0] (%l2[] [] [], %m[%o, 0] [32, 64] [64, 1]) {id = 1 : i32} : (memref<64x64xf32, 1>, memref<64x64xf32>)
  // CHECK: air.channel.put async [%[[T0]], %[[T1]]] @c1[%arg2, %arg2] (%arg0[] [] []) : (memref<64x64xf32>)
  %t2 = air.channel.put async [%t0, %t1] @c1[%o, %o] (%m[] [] []) : (memref<64x64xf32>)
  // CHECK: air.channel.get @c0[] (%arg1[0] [16] [1]) {pad_after = array<i32: 1>, pad_before = array<i32: 2>} : (memref<64x64xf32, 1>)
  air.channel.get @c0[] (%l2[0] [16] [1]) {pad_after = array<i32: 1>, pad_before = array<i32: 2>} : (memref<64x64xf32, 1>)
  // CHECK: %async_token, %results = air.execute [%{{.*}}] -> (memref<8xf32, 1>) {
  %t3, %r = air.execute [%t2] -> (memref<8xf32, 1>) {
    %a = memref.alloc() : memref<8xf32, 1>
    // CHECK: air.execute_terminator %{{.*}} : memref<8xf32, 1>
    air.execute_terminator %a : memref<8xf32, 1>
  }
  // CHECK: air.execute [%async_token] {
  %t4 = air.execute [%t3] {
    memref.dealloc %r : memref<8xf32, 1>
  } {id = 3 : i32}
  // CHECK: air.wait_all [%{{.*}}]
  air.wait_all [%t4]
  // CHECK: air.custom operands (%arg2, %arg2) : index, index attributes {latency = 4 : i64}
  air.custom operands (%o, %o) : index, index attributes {latency = 4 : i64}
  return
}

// The compute model's tokens: !air.token, three lists, no `async`.
// CHECK-LABEL: func.func @model_tokens
func.func @model_tokens(%n: index) {
  // CHECK: %[[G:.*]] = air.token.alloc : !air.token
  %g = air.token.alloc : !air.token
  %c2 = air.token.alloc : !air.token
  // CHECK: %[[L:.*]] = air.launch (%{{.*}}) in (%{{.*}}=%arg0) {
  %l = air.launch (%x) in (%s=%n) {
  }
  // CHECK: %[[S:.*]] = air.segment @a [dependency = {{\[}}%[[L]]]] [affinity = {{\[}}%[[G]]]] [concurrency = {{\[}}%{{.*}}]] attributes {"backend-granularity" = "XCD"} {
  %s1 = air.segment @a [dependency = [%l]] backend-granularity=XCD [affinity = [%g]] [concurrency = [%c2]] {
    %k = arith.constant 1 : index
    air.herd sync tile (%tx) in (%ts=%k) {
    }
  }
  // CHECK: air.wait_all [dependency = {{\[}}%[[S]]]]
  air.wait_all [dependency = [%s1]]
  return
}

// CHECK-LABEL: func.func @ranks
func.func @ranks(%bases: memref<?xindex>) {
  %c4 = arith.constant 4 : index
  // CHECK: %[[U:.*]] = air.universe.alloc(%c4)
  %u = air.universe.alloc(%c4)
  // CHECK: air.rank universe(%[[U]]) (%{{.*}}) in (%{{.*}}=%c4) args(%{{.*}}=%arg0) : memref<?xindex> {
  air.rank universe(%u) (%r) in (%s=%c4) args(%b=%bases) : memref<?xindex> {
    %m = memref.alloc() {air.symmetric} : memref<8xf32, #air.symmetric_heap>
    // CHECK: air.translate %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<8xf32, #air.symmetric_heap>, memref<?xindex>
    %p = air.translate %m, %r, %s, %b : memref<8xf32, #air.symmetric_heap>, memref<?xindex>
  }
  return
}
