// RUN: airlite-opt %s --air-dma-to-channel --verify-diagnostics --remarks | FileCheck %s

// Each copy here stays.
// CHECK-NOT: air.channel @channel_

func.func @levels(%m: memref<4xi32>, %n: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  // Outside of segments and herds there is nothing to leave: no remark.
  air.dma_memcpy_nd (%m[] [] [], %n[] [] []) : (memref<4xi32>, memref<4xi32>)
  air.segment @s args(%a=%m, %b=%n) : memref<4xi32>, memref<4xi32> {
    %c1_0 = arith.constant 1 : index
    %l1 = memref.alloc() : memref<4xi32, 2>
    // expected-remark@+1 {{stays: not one of its sides is in the L2 memory of the segment}}
    air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
    %l2 = memref.alloc() : memref<4xi32, 1>
    // expected-remark@+1 {{stays: a segment moves data of its cores' memory}}
    air.dma_memcpy_nd (%l1[] [] [], %l2[] [] []) : (memref<4xi32, 2>, memref<4xi32, 1>)
    air.herd tile (%x, %y) in (%sx=%c1_0, %sy=%c1_0) args(%c=%l1, %d=%l2, %e=%a) : memref<4xi32, 2>, memref<4xi32, 1>, memref<4xi32> {
      %l = memref.alloc() : memref<4xi32, 2>
      // expected-remark@+1 {{stays: not one of its sides is in the L1 memory of the core}}
      air.dma_memcpy_nd (%l[] [] [], %c[] [] []) : (memref<4xi32, 2>, memref<4xi32, 2>)
      // expected-remark@+1 {{stays: not one of its sides is in the L1 memory of the core}}
      air.dma_memcpy_nd (%d[] [] [], %e[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
      // expected-remark@+1 {{stays: it moves nothing}}
      air.dma_memcpy_nd (%l[0] [0] [1], %e[0] [0] [1]) : (memref<4xi32, 2>, memref<4xi32>)
    }
  }
  return
}

func.func @spaces(%m: memref<4xi32, 7>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32, 7> {
    %l1 = memref.alloc() : memref<4xi32, 2>
    // expected-remark@+1 {{stays: a memory space of it is not a level of the hierarchy}}
    air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32, 7>)
  }
  return
}

// What the far half needs.
func.func @values(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %b = memref.alloc() : memref<4xindex, 2>
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<1xi32, 2>
    %o = memref.load %b[%c0] : memref<4xindex, 2>
    // expected-remark@+1 {{stays: an index, size or bound that its far half needs is not computed from}}
    air.dma_memcpy_nd (%l1[] [] [], %a[%o] [1] [1]) : (memref<1xi32, 2>, memref<4xi32>)
    %last = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%at = %c0) -> (index) {
      // expected-remark@+1 {{stays: an index, size or bound that its far half needs is not computed from}}
      air.dma_memcpy_nd (%l1[] [] [], %a[%at] [1] [1]) : (memref<1xi32, 2>, memref<4xi32>)
      %next = arith.addi %at, %c1_0 : index
      scf.yield %next : index
    }
  }
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<4xi32, 2>
    %last = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%at = %a) -> (memref<4xi32>) {
      // expected-remark@+1 {{stays: which memref its far side is can only be told inside of what that leaves}}
      air.dma_memcpy_nd (%l1[] [] [], %at[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
      scf.yield %at : memref<4xi32>
    }
  }
  return
}

// What is around.
func.func @around(%m: memref<4xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<1xi32, 2>
    scf.parallel (%i) = (%c0) to (%c4) step (%c1_0) {
      // expected-remark@+1 {{stays: runs of a parallel loop around it are in no order, and would share its channel; air-lower-herd-parallel gives them one}}
      air.dma_memcpy_nd (%a[%i] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
    }
    affine.for %i = 0 to 4 {
      // expected-remark@+1 {{stays: it is inside of an op that is not a sequential loop}}
      air.dma_memcpy_nd (%a[%i] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
    }
  }
  air.herd tile (%x, %y) in (%sx=%n, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %l1 = memref.alloc() : memref<1xi32, 2>
    // expected-remark@+1 {{stays: the herd has no constant size, which its channel would have}}
    air.dma_memcpy_nd (%a[%x] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
  }
  %t = air.token.alloc : !air.token
  %g = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> affinity = [%t] {
    %l1 = memref.alloc() : memref<1xi32, 2>
    // expected-remark@+1 {{stays: its far half would not take part in the affinity of an op around it}}
    air.dma_memcpy_nd (%a[%x] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
  }
  return
}

// Who else would use the channel.
func.func @called(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %l1 = memref.alloc() : memref<4xi32, 2>
    // expected-remark@+1 {{stays: calls of the function would share its channel}}
    air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
  }
  return
}

air.channel @c []
func.func @shared(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  func.call @called(%m) : (memref<4xi32>) -> ()
  air.segment @s unroll(%i) in (%n=%c2) args(%a=%m) : memref<4xi32> {
    %l2 = memref.alloc() : memref<4xi32, 1>
    // expected-remark@+1 {{stays: the instances of the unrolled segment would share its channel}}
    air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %h = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
      %l1 = memref.alloc() : memref<4xi32, 2>
      // expected-remark@+1 {{stays: runs of an op around it are in no order, and would share its channel}}
      air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
    }
  }
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %c0_0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<4xi32, 2>
    scf.for %i = %c0_0 to %c4 step %c1_0 {
      // expected-remark@+1 {{stays: runs of it in a loop are in no order}}
      %d = air.dma_memcpy_nd async (%l1[%i] [1] [1], %a[%i] [1] [1]) : (memref<4xi32, 2>, memref<4xi32>)
    }
  }
  return
}

// Order that the nests would not keep: with what stays, and with what cores tell each other.
air.channel @go []
func.func @order(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %l1 = memref.alloc() : memref<4xi32, 2>
    // expected-remark@+1 {{stays: what is not moved uses the memory of its far side at the same time}}
    air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
    // expected-remark@+1 {{stays: not one of its sides is in the L1 memory of the core}}
    air.dma_memcpy_nd (%a[0] [2] [1], %a[2] [2] [1]) : (memref<4xi32>, memref<4xi32>)
  }
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %c0 = arith.constant 0 : index
    %l1 = memref.alloc() : memref<4xi32, 2>
    %is = arith.cmpi eq, %x, %c0 : index
    scf.if %is {
      // expected-remark@+1 {{stays: its far half has to be ordered with another one}}
      air.dma_memcpy_nd (%a[%x] [1] [1], %l1[%x] [1] [1]) : (memref<4xi32>, memref<4xi32, 2>)
      air.channel.put @go[] (%l1[0] [1] [1]) : (memref<4xi32, 2>)
    } else {
      air.channel.get @go[] (%l1[0] [1] [1]) : (memref<4xi32, 2>)
      // expected-remark@+1 {{stays: its far half has to be ordered with another one}}
      air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
    }
  }
  return
}

// Core 0 may write before or after core 1, as the channel says.
func.func @same_place(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %c0 = arith.constant 0 : index
    %l1 = memref.alloc() : memref<4xi32, 2>
    %is = arith.cmpi eq, %x, %c0 : index
    scf.if %is {
      air.channel.get @go[] (%l1[0] [1] [1]) : (memref<4xi32, 2>)
    }
    // expected-remark@+1 {{stays: cores that wait for each other may write the same memory}}
    air.dma_memcpy_nd (%a[] [] [], %l1[] [] []) : (memref<4xi32>, memref<4xi32, 2>)
    %not = arith.cmpi ne, %x, %c0 : index
    scf.if %not {
      air.channel.put @go[] (%l1[0] [1] [1]) : (memref<4xi32, 2>)
    }
  }
  return
}

// The second herd knows by a channel that the first one has written.
func.func @by_channel(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %g = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %l1 = memref.alloc() : memref<4xi32, 2>
    // expected-remark@+1 {{stays: nothing but data between cores may order it with another use of the memory of its far side}}
    air.dma_memcpy_nd (%a[] [] [], %l1[] [] []) : (memref<4xi32>, memref<4xi32, 2>)
    air.channel.put @c[] (%l1[0] [1] [1]) : (memref<4xi32, 2>)
  }
  %h = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<4xi32> {
    %l1 = memref.alloc() : memref<4xi32, 2>
    air.channel.get @c[] (%l1[0] [1] [1]) : (memref<4xi32, 2>)
    // expected-remark@+1 {{stays: nothing but data between cores may order it with another use of the memory of its far side}}
    air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
  }
  return
}
