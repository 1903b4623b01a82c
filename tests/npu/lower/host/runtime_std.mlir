// RUN: airlite-opt %s --split-input-file --air-to-std | FileCheck %s

// The iterations of a launch are loops; puts and gets of L3 become transfers on the shim channel of
// their place, with lists of four. The other end gives the id. What is received is waited for at
// the end, and nowhere else.
// CHECK-LABEL: func.func @launch
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK: %[[X:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: airrt.segment_load "seg" : i64
// CHECK: %[[IN:.*]] = airrt.dma_memcpy_nd(%c11_i32, %[[X]], %{{.*}}, %arg0[0, 0, 0, %{{.*}}], [1, 1, 1, 16], [0, 0, 0, 1]) {chan_name = @in, metadata = @in_1} : (i32, i64, i64, memref<64xi32>) : !airrt.event
// CHECK: %[[SENT:.*]] = airrt.wait_all %[[IN]] : !airrt.event
// CHECK: %[[OUT:.*]] = airrt.dma_memcpy_nd(%c12_i32, {{.*}}, %arg1[0, 0, 2, 0], [1, 2, 3, 4], [0, 32, 8, 1]) {chan_name = @out, metadata = @out_0}
// CHECK-NEXT: airrt.wait_all %[[SENT]] : !airrt.event
// CHECK: airrt.herd_load "h" (%{{.*}}) {segment_name = "seg"} : (index) -> i64
// CHECK-NOT: channel
// CHECK: airrt.wait_all %[[IN]], %[[OUT]] {air.launch_end}
// CHECK-NEXT: } {affine_opt_label = "tiling"}
#map = affine_map<()[s0] -> (s0 * 16)>
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in_1(%tile, MM2S, 0)
    aie.shim_dma_allocation @out_0(%tile, S2MM, 0)
  }
  air.channel @in [2]
  air.channel @out []
  func.func @launch(%a: memref<64xi32>, %b: memref<2x4x8xi32>) {
    %c4 = arith.constant 4 : index
    %t = air.launch async (%i) in (%n = %c4) args(%x = %a, %y = %b) : memref<64xi32>, memref<2x4x8xi32> {
      %c1 = arith.constant 1 : index
      %at = affine.apply #map()[%i]
      %p = air.channel.put async @in[%c1] (%x[%at] [16] [1]) {id = 1 : i32, metadataArray = [{base = "in_0", index = 0 : i32}, {base = "in_1", index = 1 : i32}]} : (memref<64xi32>)
      %g = air.channel.get async [%p] @out[] (%y[0, 2, 0] [2, 3, 4] [32, 8, 1]) {id = 2 : i32, metadata = @out_0} : (memref<2x4x8xi32>)
      %s = air.segment @seg async args(%ii = %i) : index {
        %c1_0 = arith.constant 1 : index
        %h = air.herd @h async tile (%hx, %hy) in (%hsx = %c1_0, %hsy = %c1_0) args(%k = %ii) : index {
          %m = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[%hx] (%m[] [] []) {id = 11 : i32} : (memref<16xi32, 2>)
          memref.dealloc %m : memref<16xi32, 2>
          %o = memref.alloc() : memref<24xi32, 2>
          air.channel.put @out[] (%o[] [] []) {id = 12 : i32} : (memref<24xi32, 2>)
          memref.dealloc %o : memref<24xi32, 2>
        }
      }
    }
    return
  }
}

// -----

// A launch that says where it ends: what the device sends is received first, but for memory that is
// read before it is written.
// CHECK-LABEL: func.func @receive_first
// CHECK: airrt.segment_load
// CHECK: metadata = @o0
// CHECK: metadata = @i0
// CHECK: metadata = @i1
// CHECK: metadata = @o1
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    %tile_1 = aie.tile(1, 0)
    aie.shim_dma_allocation @i0(%tile, MM2S, 0)
    aie.shim_dma_allocation @i1(%tile, MM2S, 1)
    aie.shim_dma_allocation @o0(%tile_1, S2MM, 0)
    aie.shim_dma_allocation @o1(%tile_1, S2MM, 1)
  }
  air.channel @a []
  air.channel @b []
  air.channel @c []
  air.channel @d []
  func.func @receive_first(%m: memref<8xi32>, %n: memref<8xi32>, %o: memref<8xi32>) {
    %t = air.launch async () in () args(%x = %m, %y = %n, %z = %o) : memref<8xi32>, memref<8xi32>, memref<8xi32> {
      %0 = air.channel.put async @a[] (%x[] [] []) {metadata = @i0} : (memref<8xi32>)
      %1 = air.channel.put async @b[] (%y[] [] []) {metadata = @i1} : (memref<8xi32>)
      %2 = air.channel.get async @c[] (%z[] [] []) {metadata = @o0} : (memref<8xi32>)
      %3 = air.channel.get async [%1] @d[] (%y[] [] []) {metadata = @o1} : (memref<8xi32>)
      %s = air.segment @seg async {
      }
      air.wait_all [%0, %1, %2, %3] {air.launch_end}
    }
    return
  }
}

// -----

// Tokens: an execute that touches memory waits first; one that computes does not. Loops that only
// join events are gone.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[M:.*]] = memref.alloc
// CHECK: %[[E:.*]] = airrt.wait_all : !airrt.event
// CHECK: %[[S:.*]] = arith.addi
// CHECK-NEXT: %[[F:.*]] = airrt.wait_all %[[E]] : !airrt.event
// CHECK: airrt.wait_all %[[F]]{{$}}
// CHECK-NEXT: memref.dealloc %[[M]]
// CHECK-NOT: scf.for
// CHECK: scf.index_switch %{{.*}} -> !airrt.event
// CHECK: return
func.func @tokens(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0, %m = air.execute -> (memref<8xi32>) {
    %alloc = memref.alloc() : memref<8xi32>
    air.execute_terminator %alloc : memref<8xi32>
  }
  %t1, %s = air.execute [%t0] -> (index) {
    %sum = arith.addi %n, %c1 : index
    air.execute_terminator %sum : index
  }
  %t2 = air.execute [%t1] {
    memref.dealloc %m : memref<8xi32>
  }
  %t3 = scf.for %i = %c0 to %s step %c1 iter_args(%t = %t2) -> (!air.async.token) {
    %w = air.wait_all async [%t]
    scf.yield %w : !air.async.token
  }
  %t4 = scf.index_switch %n -> !air.async.token
  case 0 {
    scf.yield %t3 : !air.async.token
  }
  default {
    %w = air.wait_all async [%t2, %t3]
    scf.yield %w : !air.async.token
  }
  air.wait_all [%t4] {air.segment_end}
  return
}

// -----

// DMAs of a herd: the host does its half of each, in loops over the herd; the rest of the core is
// not its business. Coordinates of the memref are counted in one offset.
// CHECK-LABEL: func.func @herd_dma
// CHECK: airrt.herd_load "h" (%{{.*}}) : (index) -> i64
// CHECK-NEXT: affine.for %[[X:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[Y:.*]] = 0 to 1 {
// CHECK: scf.for %[[K:.*]] =
// CHECK-NOT: memref
// CHECK: %[[ROW:.*]] = arith.muli %[[K]]
// CHECK: %[[SUM:.*]] = arith.addi %[[ROW]]
// CHECK: %[[AT:.*]] = arith.index_cast %[[SUM]] : index to i64
// CHECK: airrt.dma_memcpy_nd(%c3_i32, {{.*}}, %arg0[0, 0, %[[AT]], 0], [1, 1, 1, 8], [0, 0, 1, 1]) : (i32, i64, i64, memref<4x8xi32>)
// CHECK-NOT: memref.load
// CHECK: } {air.herd = "inner"}
// CHECK-NEXT: } {air.herd = "outer"}
func.func @herd_dma(%a: memref<4x8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%m = %a, %n = %c2) : memref<4x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %l = memref.alloc() : memref<8xi32, 2>
    scf.for %k = %c0 to %n step %c1_0 {
      air.dma_memcpy_nd (%l[] [] [], %m[%k, 2] [8] [1]) {id = 3 : i32} : (memref<8xi32, 2>, memref<4x8xi32>)
      %e = memref.load %l[%c0] : memref<8xi32, 2>
      memref.store %e, %l[%c1_0] : memref<8xi32, 2>
    }
    memref.dealloc %l : memref<8xi32, 2>
  }
  return
}

// -----

// Between L2 and L3: the host copies.
// CHECK-LABEL: func.func @l2
// CHECK: %[[M:.*]] = airrt.alloc : memref<8xi32, 1>
// CHECK: airrt.memcpy_nd(%[[M]], %arg0, [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], [{{.*}}], [{{.*}}]) : (memref<8xi32, 1>, memref<16xi32>
// CHECK: airrt.dealloc %[[M]]
func.func @l2(%a: memref<16xi32>) {
  %m = memref.alloc() : memref<8xi32, 1>
  air.dma_memcpy_nd (%m[] [] [], %a[8] [8] [1]) {id = 1 : i32} : (memref<8xi32, 1>, memref<16xi32>)
  memref.dealloc %m : memref<8xi32, 1>
  return
}

// -----

// A choice between things on the device is none for the host; parallel iterations follow each other.
// CHECK-LABEL: func.func @choice
// CHECK: affine.for %{{.*}} = 0 to 2 {
// CHECK: affine.for %{{.*}} = 0 to 1 {
// CHECK: airrt.segment_load "seg"
// CHECK-NOT: scf.if
// CHECK: affine.for %[[I:.*]] = 2 to 8 step 3 {
// CHECK: airrt.dma_memcpy_nd
// CHECK: return
air.channel @c [2]
air.channel @d []
func.func @choice(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0 = air.wait_all async
  %s = air.segment @seg async unroll (%u, %v) in (%su = %c2, %sv = %c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 1>
    %is = arith.cmpi eq, %u, %c0 : index
    %t = scf.if %is -> (!air.async.token) {
      %p = air.channel.put async @c[%c0] (%m[] [] []) : (memref<8xi32, 1>)
      scf.yield %p : !air.async.token
    } else {
      %p = air.channel.put async @c[%c1_0] (%m[] [] []) : (memref<8xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %d = air.execute [%t] {
      memref.dealloc %m : memref<8xi32, 1>
    }
  }
  %1 = scf.parallel (%i) = (%c2) to (%c8) step (%c3) init (%0) -> !air.async.token {
    %p = air.channel.put async @d[] (%a[%i] [1] [1]) : (memref<8xi32>)
    scf.reduce(%p : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %w = air.wait_all async [%x, %y]
      scf.reduce.return %w : !air.async.token
    }
  }
  return
}

// -----

// A loop over the places of a channel: a transfer for each, on its shim channel.
// CHECK-LABEL: func.func @places
// CHECK-NOT: scf.parallel
// CHECK: %[[A:.*]] = airrt.dma_memcpy_nd({{.*}}%arg0[0, 0, 0, 0]{{.*}}metadata = @in_0
// CHECK: %[[WA:.*]] = airrt.wait_all %[[A]]
// CHECK: %[[B:.*]] = airrt.dma_memcpy_nd({{.*}}%arg0[0, 0, 0, 1]{{.*}}metadata = @in_1
// CHECK: %[[WB:.*]] = airrt.wait_all %[[B]]
// CHECK: %[[ALL:.*]] = airrt.wait_all %{{.*}}, %[[WA]], %[[WB]] : !airrt.event
// CHECK: airrt.wait_all %[[ALL]]
air.channel @in [1, 2]
func.func @places(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = air.wait_all async
  %1 = scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %c2) step (%c1, %c1) init (%0) -> !air.async.token {
    %p = air.channel.put async @in[%i, %j] (%a[%j] [1] [1]) {metadataArray = [{base = "in_0", index = 0 : i32}, {base = "in_1", index = 1 : i32}]} : (memref<8xi32>)
    scf.reduce(%p : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %w = air.wait_all async [%x, %y]
      scf.reduce.return %w : !air.async.token
    }
  }
  air.wait_all [%1]
  return
}

// -----

// Cores that take nothing from the host but data: iterations only say where they end, and the launch
// ends after them.
// CHECK-LABEL: func.func @overlap
// CHECK: affine.for
// CHECK: %[[IN:.*]] = airrt.dma_memcpy_nd
// CHECK: airrt.wait_all %[[IN]] {air.iteration_end} : !airrt.event
// CHECK-NEXT: } {affine_opt_label = "tiling"}
// CHECK-NEXT: airrt.wait_all {air.launch_end}
// CHECK-NEXT: return
air.channel @c []
func.func @overlap(%a: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  air.launch (%i) in (%n = %c4) args(%x = %a) : memref<8xi32> {
    %0 = air.channel.put async @c[] (%x[%i] [2] [1]) {metadata = @in} : (memref<8xi32>)
  }
  return
}

// -----

// A condition on ids, which are not symbols in loops.
// CHECK-LABEL: func.func @herd_choice
// CHECK: affine.for %[[X:.*]] = 0 to 2 {
// CHECK: affine.for %[[Y:.*]] = 0 to 1 {
// CHECK: affine.if #{{.*}}(%[[X]], %[[Y]]) {
// CHECK: airrt.dma_memcpy_nd
func.func @herd_choice(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%e=%m) : memref<8xi32> {
    %l1 = memref.alloc() : memref<1xi32, 2>
    affine.if affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 == 0)>()[%x, %y] {
      air.dma_memcpy_nd (%l1[] [] [], %e[%x] [1] [1]) {id = 1 : i32} : (memref<1xi32, 2>, memref<8xi32>)
    }
  }
  return
}

// -----

// Data that does not end with a word is extended to one: what is sent by any bytes, what is received by the rest of
// the last word of memory. Each repetition is extended by itself; rows that are not whole words stay as they are.
// CHECK-LABEL: func.func @words
// CHECK: airrt.dma_memcpy_nd({{.*}}, %arg0[0, 0, 0, 4], [1, 1, 1, 4], [0, 0, 0, 1])
// CHECK: airrt.dma_memcpy_nd({{.*}}, %arg0[0, 0, 0, 0], [1, 2, 1, 36], [0, 0, 7, 1])
// CHECK: airrt.dma_memcpy_nd({{.*}}, %arg0[0, 0, 0, 0], [1, 1, 5, 3], [0, 0, 7, 1])
// CHECK: airrt.dma_memcpy_nd({{.*}}, %arg1[0, 0, 0, 2], [1, 1, 1, 2], [0, 0, 0, 1])
air.channel @c []
func.func @words(%m: memref<5x7xi8>, %n: memref<3xbf16>) {
  air.channel.put @c[] (%m[4] [3] [1]) : (memref<5x7xi8>)
  air.channel.put @c[] (%m[0, 0, 0] [2, 5, 7] [0, 7, 1]) : (memref<5x7xi8>)
  air.channel.put @c[] (%m[0, 0] [5, 3] [7, 1]) : (memref<5x7xi8>)
  air.channel.get @c[] (%n[2] [1] [1]) : (memref<3xbf16>)
  return
}
