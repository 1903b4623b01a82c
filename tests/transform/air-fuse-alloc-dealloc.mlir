// RUN: airlite-opt %s --check-each --air-fuse-alloc-dealloc | FileCheck %s

air.channel @in [1]
air.channel @out [1]

// Filled and read in each iteration: each gets its own.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT: memref.copy %[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loop(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.copy %in, %a : memref<8xi32> to memref<8xi32>
      memref.copy %a, %out : memref<8xi32> to memref<8xi32>
    }
  }
  memref.dealloc %a : memref<8xi32>
  return
}

// With tokens: the loop no longer waits for the alloc, what it hands on is after the dealloc.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[W:.*]] = air.wait_all async
// CHECK: %[[L:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[W]])
// CHECK-NEXT: %[[AT:.*]], %[[A:.*]] = air.execute [%[[T]]]
// CHECK: %[[G:.*]] = air.channel.get async [%[[AT]], %[[T]]] @in[] (%[[A]]
// CHECK: %[[P:.*]] = air.channel.put async [%[[AT]], %[[G]]] @out[] (%[[A]]
// CHECK: %[[F:.*]] = air.execute [%[[P]]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: %[[J:.*]] = air.wait_all async [%[[P]], %[[F]]]
// CHECK: scf.yield %[[J]]
// CHECK: air.wait_all [%[[L]]]
func.func @tokens(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%q = %c0) -> (index) {
    %t = air.channel.put async @in[] (%x[] [] []) : (memref<8xi32>)
    scf.yield %q : index
  }
  %ta, %a = air.execute -> (memref<8xi32, 1>) {
    %alloc = memref.alloc() : memref<8xi32, 1>
    air.execute_terminator %alloc : memref<8xi32, 1>
  }
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %ta) -> (!air.async.token) {
    %g = air.channel.get async [%t] @in[] (%a[] [] []) : (memref<8xi32, 1>)
    %p = air.channel.put async [%g] @out[] (%a[] [] []) : (memref<8xi32, 1>)
    scf.yield %p : !air.async.token
  }
  %f = air.execute [%end] {
    memref.dealloc %a : memref<8xi32, 1>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.get @out[] (%y[] [] []) : (memref<8xi32>)
  }
  air.wait_all [%f]
  return
}

// Into a herd, through its argument, and there into the branch.
// CHECK-LABEL: func.func @cores
// CHECK: air.herd tile ({{.*}}) in ({{.*}}) args(%{{.*}}=%arg0) : memref<8xi32>
// CHECK: affine.if
// CHECK: %[[A:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK: air.dma_memcpy_nd (%[[A]]
// CHECK: memref.dealloc %[[A]]
func.func @cores(%x: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<8xi32, 2>
  air.herd tile (%i, %j) in (%si = %c2, %sj = %c2) args(%h = %a, %k = %x) : memref<8xi32, 2>, memref<8xi32> {
    affine.if affine_set<()[s0, s1] : (s0 == 0, s1 >= 0)>()[%i, %j] {
      air.dma_memcpy_nd (%h[] [] [], %k[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    }
  }
  memref.dealloc %a : memref<8xi32, 2>
  return
}

// As far as to the loop in which all uses are; each part of a core is its own.
// CHECK-LABEL: func.func @parts
// CHECK: scf.for
// CHECK-NEXT: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: scf.for
// CHECK: scf.for
// CHECK: memref.dealloc %[[A]]
func.func @parts(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  scf.for %n = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %in[%i] : memref<8xi32>
      memref.store %v, %a[%n] : memref<8xi32>
      %w = memref.load %a[%n] : memref<8xi32>
      memref.store %w, %out[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %in[%i] : memref<8xi32>
      memref.store %v, %a[%i] : memref<8xi32>
    }
  }
  memref.dealloc %a : memref<8xi32>
  return
}

// The alloc stands in front of the view: it cannot wait for what comes later.
// CHECK-LABEL: func.func @view
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: %[[AT:.*]], %[[A:.*]] = air.execute ->
// CHECK: memref.subview %[[A]]
// CHECK: %[[B:.*]] = air.wait_all async [%[[T]]]
// CHECK: air.execute [%[[AT]], %[[B]]]
func.func @view(%in: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %ta, %a = air.execute -> (memref<8xi32>) {
    %alloc = memref.alloc() : memref<8xi32>
    air.execute_terminator %alloc : memref<8xi32>
  }
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %ta) -> (!air.async.token) {
    %v = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
    %b = air.wait_all async [%t]
    %e = air.execute [%b] {
      memref.copy %in, %v : memref<4xi32> to memref<4xi32, strided<[1]>>
    }
    scf.yield %e : !air.async.token
  }
  %f = air.execute [%end] {
    memref.dealloc %a : memref<8xi32>
  }
  air.wait_all [%f]
  return
}
