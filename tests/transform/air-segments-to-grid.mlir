// RUN: airlite-opt %s --air-segments-to-grid --check-each | FileCheck %s
// RUN: airlite-opt %s --air-segments-to-grid --emit=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// The four levels of MI3xx: the XCD changes fastest from workgroup to workgroup.
// CHECK-LABEL: func.func @device(
// CHECK: %[[N:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: air.launch (%[[W:.*]]) in (%{{.*}}=%[[N]])
// CHECK: %[[XCDS:.*]] = arith.constant 4 : index
// CHECK: %[[XCD:.*]] = arith.remui %[[W]], %[[XCDS]] : index
// CHECK: %[[CU:.*]] = arith.divui %[[W]], %[[XCDS]] : index
// CHECK: air.segment @cu args({{.*}}) : index, index, memref<12x8xi32>, memref<12x8xi32> {
// CHECK-NOT: air.segment
// CHECK: air.herd
func.func @device(%a: memref<12x8xi32>, %b: memref<12x8xi32>) {
  air.launch () in () args(%c=%a, %d=%b) : memref<12x8xi32>, memref<12x8xi32> {
    %xcds = arith.constant 4 : index
    air.segment @xcd unroll(%x) in (%xn=%xcds) args(%e=%c, %f=%d) : memref<12x8xi32>, memref<12x8xi32> attributes {"backend-granularity" = "XCD"} {
      %cus = arith.constant 3 : index
      %first = arith.muli %x, %cus : index
      air.segment @cu unroll(%y) in (%yn=%cus) args(%g=%e, %h=%f, %at=%first) : memref<12x8xi32>, memref<12x8xi32>, index {
        %row = arith.addi %at, %y : index
        %one = arith.constant 1 : index
        air.herd tile (%tx, %ty) in (%sx=%one, %sy=%one) args(%i=%g, %j=%h, %r=%row) : memref<12x8xi32>, memref<12x8xi32>, index {
          %m = memref.alloc() : memref<1x8xi32, 2>
          air.dma_memcpy_nd (%m[] [] [], %i[%r, 0] [1, 8] [8, 1]) : (memref<1x8xi32, 2>, memref<12x8xi32>)
          air.dma_memcpy_nd (%j[%r, 0] [1, 8] [8, 1], %m[] [] []) : (memref<12x8xi32>, memref<1x8xi32, 2>)
          memref.dealloc %m : memref<1x8xi32, 2>
        }
      }
    }
  }
  return
}

// Without XCDs and in three dimensions nothing is divided; sizes may be open, and tokens stay those of the launch.
// CHECK-LABEL: func.func @open
// CHECK: %[[T:.*]] = air.launch async [%{{.*}}] (%[[I:.*]], %[[X:.*]]) in (%{{.*}}=%{{.*}}, %{{.*}}=%arg1)
// CHECK-NOT: arith.divui
// CHECK: air.segment args(
// CHECK: air.wait_all [%[[T]]]
func.func @open(%a: memref<3x?xi32>, %n: index) {
  %c3 = arith.constant 3 : index
  %z = air.wait_all async
  %t = air.launch async [%z] (%i) in (%s=%c3) args(%c=%a, %m=%n) : memref<3x?xi32>, index {
    %u = air.wait_all async
    %v = air.segment async [%u] unroll(%x) in (%xn=%m) args(%e=%c, %at=%i) : memref<3x?xi32>, index {
      %seven = arith.constant 7 : i32
      memref.store %seven, %e[%at, %x] : memref<3x?xi32>
    }
    air.wait_all [%v]
  }
  air.wait_all [%t]
  return
}

// A segment that is an XCD, in a launch of one point for each: ids of the launch change fastest.
// CHECK-LABEL: func.func @launch_of_xcds
// CHECK: air.launch (%[[W:.*]]) in
// CHECK: %[[X:.*]] = arith.remui %[[W]], %{{.*}} : index
// CHECK: air.segment args({{.*}}=%[[X]]
func.func @launch_of_xcds(%a: memref<4x6xi32>) {
  %c4 = arith.constant 4 : index
  air.launch (%x) in (%s=%c4) args(%c=%a) : memref<4x6xi32> {
    air.segment args(%d=%c, %i=%x) : memref<4x6xi32>, index attributes {"backend-granularity" = "XCD"} {
      %six = arith.constant 6 : index
      air.segment unroll(%y) in (%yn=%six) args(%j=%i, %e=%d) : index, memref<4x6xi32> {
        %v = arith.index_cast %j : index to i32
        memref.store %v, %e[%j, %y] : memref<4x6xi32>
      }
    }
  }
  return
}

// REMARK: remark: [air-segments-to-grid] no points of its launch: instances that use channels may wait for each other
// CHECK-LABEL: func.func @talk
// CHECK: air.segment unroll
air.channel @c [2]
func.func @talk(%a: memref<2xi32>) {
  air.launch () in () args(%c=%a) : memref<2xi32> {
    %two = arith.constant 2 : index
    air.segment unroll(%x) in (%xn=%two) args(%d=%c) : memref<2xi32> {
      %m = memref.alloc() : memref<2xi32, 1>
      air.dma_memcpy_nd (%m[] [] [], %d[] [] []) : (memref<2xi32, 1>, memref<2xi32>)
      %n = memref.alloc() : memref<2xi32, 1>
      %t = air.channel.put async @c[%x] (%m[] [] []) : (memref<2xi32, 1>)
      air.channel.get @c[%x] (%n[] [] []) : (memref<2xi32, 1>)
      air.wait_all [%t]
      memref.dealloc %n : memref<2xi32, 1>
      memref.dealloc %m : memref<2xi32, 1>
    }
  }
  return
}

// REMARK: remark: [air-segments-to-grid] no points of its launch: the sizes of its segments are not known outside of the launch
// CHECK-LABEL: func.func @triangle
// CHECK: air.segment unroll
func.func @triangle(%a: memref<3x3xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%x) in (%s=%c3) args(%c=%a) : memref<3x3xi32> {
    air.segment unroll(%y) in (%yn=%x) args(%d=%c, %i=%x) : memref<3x3xi32>, index {
      %v = arith.index_cast %y : index to i32
      memref.store %v, %d[%i, %y] : memref<3x3xi32>
    }
  }
  return
}

// REMARK: remark: [air-segments-to-grid] no points of its launch: something with an effect stands beside it
// CHECK-LABEL: func.func @shared
// CHECK: air.segment unroll
func.func @shared(%a: memref<2xi32>) {
  air.launch () in () args(%c=%a) : memref<2xi32> {
    %two = arith.constant 2 : index
    %m = memref.alloc() : memref<2xi32, 1>
    air.segment unroll(%x) in (%xn=%two) args(%d=%c, %s=%m) : memref<2xi32>, memref<2xi32, 1> {
      air.dma_memcpy_nd (%s[%x] [1] [1], %d[%x] [1] [1]) : (memref<2xi32, 1>, memref<2xi32>)
      air.dma_memcpy_nd (%d[%x] [1] [1], %s[%x] [1] [1]) : (memref<2xi32>, memref<2xi32, 1>)
    }
    memref.dealloc %m : memref<2xi32, 1>
  }
  return
}
