// RUN: airlite-opt %s --air-broadcast-detection --verify-diagnostics --remarks | FileCheck %s

#all = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, s0 >= 0, -s0 >= 0)>
func.func private @touch(memref<8xi32, 1>)

// CHECK-LABEL: func.func @accesses
// CHECK: broadcast_pattern = #set
// CHECK-NOT: broadcast_pattern
func.func @accesses(%m: memref<8xi32, 1>, %t: memref<8xindex, 2>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m, %u=%t) : memref<8xi32, 1>, memref<8xindex, 2> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<1xi32, 2>
    // expected-remark@+1 {{it has a broadcast pattern or set}}
    air.dma_memcpy_nd (%l[] [] [], %a[%c0] [%c1] [%c1]) {broadcast_pattern = #all} : (memref<1xi32, 2>, memref<8xi32, 1>)
    %both = arith.addi %x, %y : index
    // expected-remark@+1 {{each core gets data of its own}}
    air.dma_memcpy_nd (%l[] [] [], %a[%both] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
    // The other id is in the if around it.
    %first = arith.cmpi eq, %y, %c0 : index
    scf.if %first {
      // expected-remark@+1 {{each core gets data of its own}}
      air.dma_memcpy_nd (%l[] [] [], %a[%x] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
    }
    // Each core has its own table.
    %loaded = memref.load %u[%c0] : memref<8xindex, 2>
    // expected-remark@+1 {{each core gets data of its own}}
    air.dma_memcpy_nd (%l[] [] [], %a[%loaded] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
    // Carried from one iteration to the next.
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%at = %c0) -> (index) {
      // expected-remark@+1 {{each core gets data of its own}}
      air.dma_memcpy_nd (%l[] [] [], %a[%at] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
      %next = arith.addi %at, %x : index
      scf.yield %next : index
    }
  }
  return
}

// Which buffer it is, each core decides.
// CHECK-LABEL: func.func @chosen
// CHECK-NOT: broadcast_pattern
func.func @chosen(%m: memref<8xi32, 1>, %n: memref<8xi32, 1>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m, %b=%n) : memref<8xi32, 1>, memref<8xi32, 1> {
    %c0 = arith.constant 0 : index
    %l = memref.alloc() : memref<8xi32, 2>
    %first = arith.cmpi eq, %x, %c0 : index
    %one = arith.select %first, %a, %b : memref<8xi32, 1>
    // expected-remark@+1 {{its source is not shared by the cores of the herd}}
    air.dma_memcpy_nd (%l[] [] [], %one[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}

// What one core reads another has perhaps written: directly, by another name, in a function.
// CHECK-LABEL: func.func @written
// CHECK-NOT: broadcast_pattern
func.func @written(%m: memref<8xi32, 1>, %n: memref<8xi32, 1>, %o: memref<8xi32, 1>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m, %b=%n, %c=%n, %d=%o) : memref<8xi32, 1>, memref<8xi32, 1>, memref<8xi32, 1>, memref<8xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-remark@+1 {{the herd may write its source}}
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    air.dma_memcpy_nd (%a[] [] [], %l[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
    // expected-remark@+1 {{the herd may write its source}}
    air.dma_memcpy_nd (%l[] [] [], %b[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    air.dma_memcpy_nd (%c[] [] [], %l[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
    // expected-remark@+1 {{the herd may write its source}}
    air.dma_memcpy_nd (%l[] [] [], %d[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    func.call @touch(%d) : (memref<8xi32, 1>) -> ()
  }
  return
}

// CHECK-LABEL: func.func @herds
// CHECK-NOT: broadcast_pattern
func.func @herds(%m: memref<8xi32, 1>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @line tile (%x) in (%sx=%c2) args(%a=%m) : memref<8xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-remark@+1 {{the herd is not of two constant sizes}}
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  air.herd @open tile (%x, %y) in (%sx=%c2, %sy=%n) args(%a=%m) : memref<8xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-remark@+1 {{the herd is not of two constant sizes}}
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  air.herd @core tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<8xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-remark@+1 {{each core gets data of its own}}
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}
