// RUN: airlite-opt %s --air-split-launch-for-padding=pad-location=memtile --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-split-launch-for-padding=split-mode=single-launch --remarks 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not airlite-opt %s --air-split-launch-for-padding=pad-location=l1 2>&1 | FileCheck %s --check-prefix=WHERE

// SINGLE: remark: {{.*}}a single launch takes synchronous DMAs only
// WHERE: error: {{.*}}pad-location

// CHECK-LABEL: func.func @launches
// CHECK-COUNT-5: air.launch
// CHECK-NOT: boundary
func.func @launches(%m: memref<16xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // Nothing says how large its data is.
  air.launch (%i) in (%si = %c3) {
  }
  // expected-remark@+1 {{the launch has no constant sizes}}
  air.launch (%i) in (%si = %n) attributes {air.actual_sizes = array<i64: 10>} {
  }
  // expected-remark@+1 {{the size of its tiles is not known}}
  air.launch (%i) in (%si = %c3) attributes {air.actual_sizes = array<i64: 10>} {
    %c1_0 = arith.constant 1 : index
    %x = arith.addi %i, %c1_0 : index
  }
  // expected-remark@+1 {{its tiles divide the data}}
  air.launch (%i) in (%si = %c3) attributes {air.actual_sizes = array<i64: 12>} {
    %c4 = arith.constant 4 : index
    %x = arith.muli %i, %c4 : index
  }
  // expected-remark@+1 {{a dimension after the second one has a rest}}
  air.launch (%i, %j, %k) in (%si = %c1, %sj = %c1, %sk = %c3) attributes {air.actual_sizes = array<i64: 1, 1, 10>} {
    %c4 = arith.constant 4 : index
    %x = arith.muli %k, %c4 : index
  }
  return
}

// CHECK-LABEL: func.func @shared
// CHECK-COUNT-3: air.launch
air.channel @c []
air.channel @d []
air.channel @d_interior []
func.func @shared(%m: memref<16xi32>) {
  %c3 = arith.constant 3 : index
  // expected-remark@+1 {{it shares a channel with others}}
  air.launch (%i) in (%si = %c3) args(%all = %m) : memref<16xi32> attributes {air.actual_sizes = array<i64: 10>} {
    %c4 = arith.constant 4 : index
    %x = arith.muli %i, %c4 : index
    air.channel.put @c[] (%all[%x] [4] [1]) : (memref<16xi32>)
  }
  air.launch (%i) in (%si = %c3) {
    %a = memref.alloc() : memref<4xi32, 1>
    air.channel.get @c[] (%a[] [] []) : (memref<4xi32, 1>)
    memref.dealloc %a : memref<4xi32, 1>
  }
  // expected-remark@+1 {{a name that a part of it would get is taken}}
  air.launch (%i) in (%si = %c3) args(%all = %m) : memref<16xi32> attributes {air.actual_sizes = array<i64: 10>} {
    %c4 = arith.constant 4 : index
    %x = arith.muli %i, %c4 : index
    air.channel.put @d[] (%all[%x] [4] [1]) : (memref<16xi32>)
  }
  return
}

// The launch is split, and transfers of which not enough is known stay whole.
// CHECK-LABEL: func.func @transfers
// CHECK-COUNT-2: air.launch
// CHECK-NOT: pad_after = array<i32: {{[1-9]}}
// CHECK: return
func.func @transfers(%m: memref<16x16xi32>, %n: index) {
  %c3 = arith.constant 3 : index
  air.launch (%i) in (%si = %c3) args(%all = %m, %size = %n) : memref<16x16xi32>, index attributes {air.actual_sizes = array<i64: 10>} {
    %c4 = arith.constant 4 : index
    %x = arith.muli %i, %c4 : index
    %a = memref.alloc() : memref<4x4xi32, 1>
    // expected-remark@+1 {{it stays whole: its place in the tile is not known}}
    air.dma_memcpy_nd (%a[] [] [], %all[%x, 0] [%size, 4] [16, 1]) : (memref<4x4xi32, 1>, memref<16x16xi32>)
    // Three rows are not an even part of a tile.
    // expected-remark@+1 {{it stays whole: its place in the tile is not known}}
    air.dma_memcpy_nd (%a[] [] [], %all[%x, 0] [3, 4] [16, 1]) : (memref<4x4xi32, 1>, memref<16x16xi32>)
    // expected-remark@+1 {{it stays whole: it does not fill buffers in L2 of its own shape}}
    air.dma_memcpy_nd (%a[0, 0] [4, 4] [1, 4], %all[%x, 0] [4, 4] [16, 1]) : (memref<4x4xi32, 1>, memref<16x16xi32>)
    // expected-remark@+1 {{it stays whole: it pads already}}
    air.dma_memcpy_nd (%a[] [] [], %all[%x, 0] [4, 3] [16, 1]) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 0, 1>} : (memref<4x4xi32, 1>, memref<16x16xi32>)
    memref.dealloc %a : memref<4x4xi32, 1>
  }
  return
}

// Fine for launches in a row; a single launch declines it.
func.func @single(%m: memref<16xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%i) in (%si = %c3) args(%all = %m) : memref<16xi32> attributes {air.actual_sizes = array<i64: 10>} {
    %c4 = arith.constant 4 : index
    %x = arith.muli %i, %c4 : index
    %t, %a = air.execute -> (memref<4xi32, 1>) {
      %new = memref.alloc() : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t] (%a[] [] [], %all[%x] [4] [1]) : (memref<4xi32, 1>, memref<16xi32>)
  }
  return
}
