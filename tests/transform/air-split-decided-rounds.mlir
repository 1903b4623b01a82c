// RUN: airlite-opt %s --air-split-decided-rounds --canonicalize --check-each --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// Every other round: a copy of the body for each of two rounds.
// CHECK-LABEL: func.func @turns
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c2
// CHECK-NOT: scf.if
// CHECK: air.channel.put @b[] (%{{.*}}[%[[I]]]
// CHECK: air.channel.put @a[]
air.channel @a []
air.channel @b []
func.func @turns(%m: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %d8 = arith.constant 8 : index
    scf.for %i = %d0 to %d8 step %d1 {
      %r = arith.remui %i, %d2 : index
      %odd = arith.cmpi eq, %r, %d1 : index
      scf.if %odd {
        air.channel.put @a[] (%x[%i] [%d1] [%d1]) : (memref<32xi32>)
      } else {
        air.channel.put @b[] (%x[%i] [%d1] [%d1]) : (memref<32xi32>)
      }
    }
  }
  return
}

// The first rounds: a loop for each run of rounds.
// CHECK-LABEL: func.func @first
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK-NEXT: air.channel.put @a
// CHECK: scf.for %{{.*}} = %c3 to %c8
// CHECK-NEXT: air.channel.put @b
func.func @first(%m: memref<32xi32>) {
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %is = arith.cmpi ult, %i, %c3 : index
      scf.if %is {
        air.channel.put @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      } else {
        air.channel.put @b[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      }
    }
  }
  return
}

// A value that the loop carries goes from copy to copy.
// CHECK-LABEL: func.func @carried
// CHECK: %[[A:.*]] = scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%{{.*}} = %c0)
// CHECK: scf.for %{{.*}} = %c2 to %c4 step %c1 iter_args(%{{.*}} = %[[A]])
func.func @carried(%m: memref<32xi32>, %o: memref<32xi32>) {
  air.launch () in () args(%x = %m, %y = %o) : memref<32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%at = %c0) -> (index) {
      %is = arith.cmpi ult, %i, %c2 : index
      %next = scf.if %is -> (index) {
        air.dma_memcpy_nd (%y[%i] [%c1] [%c1], %x[%at] [%c1] [%c1]) : (memref<32xi32>, memref<32xi32>)
        %n = arith.addi %at, %c2 : index
        scf.yield %n : index
      } else {
        air.dma_memcpy_nd (%y[%at] [%c1] [%c1], %x[%i] [%c1] [%c1]) : (memref<32xi32>, memref<32xi32>)
        %n = arith.addi %at, %c1 : index
        scf.yield %n : index
      }
      scf.yield %next : index
    }
    air.dma_memcpy_nd (%y[%end] [%c1] [%c1], %x[%c1] [%c1] [%c1]) : (memref<32xi32>, memref<32xi32>)
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK: scf.if
// CHECK: scf.if
// REMARK: [[#@LINE+6]]:5: remark: [air-split-decided-rounds] stays: what is asynchronous in it is in order since it is one op
func.func @declined(%m: memref<32xi32>, %n: index) {
  air.launch () in () args(%x = %m, %k = %n) : memref<32xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %is = arith.cmpi ult, %i, %c1 : index
      scf.if %is {
        %t = air.channel.put async @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      }
    }
    // Not known here.
    scf.for %i = %c0 to %c4 step %c1 {
      %is = arith.cmpi ult, %i, %k : index
      scf.if %is {
        air.channel.put @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      }
    }
  }
  return
}
