// RUN: airlite-opt %s --air-merge-segments --check-each --remarks 2>&1 | FileCheck %s
// RUN: airlite-opt %s --air-merge-segments --air-verify-program --emit=none
// CHECK: [[#@LINE+33]]:10: remark: [air-merge-segments] is not merged: what it holds is not asynchronous
air.channel @m [1]
air.channel @n [1]

// CHECK-LABEL: func.func @joined
// CHECK: %[[T:.*]] = air.segment @a async
// CHECK: air.herd @h async
// CHECK: air.channel.put @m[]
// CHECK: air.herd @g async
// CHECK: air.channel.get @m[]
// CHECK-NOT: air.segment
// CHECK: air.wait_all [%[[T]], %[[T]]]
func.func @joined() {
  air.launch () in () {
    %0 = air.segment @a async {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %b = memref.alloc() : memref<4xi32, 2>
        %z = arith.constant 0 : i32
        linalg.fill ins(%z : i32) outs(%b : memref<4xi32, 2>)
        air.channel.put @m[] (%b[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %b : memref<4xi32, 2>
      }
    }
    %1 = air.segment @b async {
      %c1 = arith.constant 1 : index
      air.herd @g tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %b = memref.alloc() : memref<4xi32, 2>
        air.channel.get @m[] (%b[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %b : memref<4xi32, 2>
      }
    }
    air.wait_all [%0, %1]
    %2 = air.segment @c async {
      %l = memref.alloc() : memref<4xi32, 1>
      %z = arith.constant 0 : i32
      linalg.fill ins(%z : i32) outs(%l : memref<4xi32, 1>)
      air.channel.put @n[] (%l[] [] []) : (memref<4xi32, 1>)
      memref.dealloc %l : memref<4xi32, 1>
    }
    %3 = air.segment @d async {
      %l = memref.alloc() : memref<4xi32, 1>
      air.channel.get @n[] (%l[] [] []) : (memref<4xi32, 1>)
      memref.dealloc %l : memref<4xi32, 1>
    }
    air.wait_all [%2, %3]
  }
  return
}
