// A loop of a segment that only puts and gets memory other than that of cores is no herd.
//
// RUN: airlite-opt %s --air-par-to-herd=depth=1 --remarks 2>&1 | FileCheck %s

air.channel @c [2, 2]
air.channel @d [2]

// CHECK: remark: [air-par-to-herd] stays a loop: it only puts and gets, for cores
// CHECK-LABEL: func.func @feeds
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK: air.channel.put
// CHECK: air.herd @computes
// CHECK-LABEL: func.func @cores
// CHECK: scf.parallel
// CHECK: air.herd
// CHECK: air.channel.put
func.func @feeds() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      scf.parallel (%y) = (%c0) to (%c2) step (%c1) {
        %m = memref.alloc() : memref<8xi32, 1>
        air.channel.put @c[%x, %y] (%m[] [] []) : (memref<8xi32, 1>)
        memref.dealloc %m : memref<8xi32, 1>
        scf.reduce
      }
      scf.reduce
    }
    air.herd @computes tile (%x, %y) in (%a = %c2, %b = %c2) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.get @c[%x, %y] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

func.func @cores() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      scf.parallel (%y) = (%c0) to (%c2) step (%c1) {
        %m = memref.alloc() : memref<8xi32, 2>
        air.channel.put @d[%x] (%m[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %m : memref<8xi32, 2>
        scf.reduce
      }
      scf.reduce
    }
  }
  return
}
