// RUN: airlite-opt %s --air-sink-loops-into-herds --check-each | FileCheck %s
// RUN: airlite-opt %s --air-sink-loops-into-herds --emit=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

air.channel @in [1]
air.channel @mid [1]
air.channel @out [1]

// The loop's number, and what is computed from it, is computed in the core. The herd blocked in the loop:
// what follows the loop waits for it.
// CHECK-LABEL: func.func @blocking
// CHECK: air.segment
// CHECK: %[[T:.*]] = air.herd @h async tile
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: %[[TWICE:.*]] = arith.muli %[[K]],
// CHECK: air.channel.get @in
// CHECK: arith.index_cast %[[TWICE]]
// CHECK: air.channel.put @out
// CHECK: scf.for
// CHECK-NOT: air.herd
// CHECK: air.wait_all [%[[T]]]
func.func @blocking(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  air.launch () in () args(%c = %a, %d = %b) : memref<4x8xi32>, memref<4x8xi32> {
    %0 = air.channel.put async @in[] (%c[] [] []) : (memref<4x8xi32>)
    %1 = air.channel.get async @out[] (%d[] [] []) : (memref<4x8xi32>)
    %2 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      scf.for %k = %c0 to %c4 step %c1 {
        %twice = arith.muli %k, %c2 : index
        air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%n = %twice) : index {
          %h0 = arith.constant 0 : index
          %m = memref.alloc() : memref<8xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 2>)
          %v = arith.index_cast %n : index to i32
          memref.store %v, %m[%h0] : memref<8xi32, 2>
          air.channel.put @out[] (%m[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %m : memref<8xi32, 2>
        }
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}

// A token goes around the loop: what waited for the last herd waits for all.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[START:.*]] = air.wait_all async
// CHECK: %[[H:.*]] = air.herd @h async [%[[START]]]
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[ALL:.*]] = air.wait_all async [%[[H]], %[[R]]]
// CHECK: air.wait_all [%[[ALL]]
func.func @tokens(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  air.launch () in () args(%c = %a, %d = %b) : memref<4x8xi32>, memref<4x8xi32> {
    %0 = air.channel.put async @in[] (%c[] [] []) : (memref<4x8xi32>)
    %1 = air.channel.get async @out[] (%d[] [] []) : (memref<4x8xi32>)
    %2 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = air.wait_all async
      %last = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %h = air.herd @h async [%t] tile (%x, %y) in (%sx = %c1, %sy = %c1) {
          %m = memref.alloc() : memref<8xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 2>)
          air.channel.put @mid[] (%m[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %m : memref<8xi32, 2>
        }
        scf.yield %h : !air.async.token
      }
      %g = air.herd @g async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        %m = memref.alloc() : memref<4x8xi32, 2>
        air.channel.get @mid[] (%m[] [] []) : (memref<4x8xi32, 2>)
        air.channel.put @out[] (%m[] [] []) : (memref<4x8xi32, 2>)
        memref.dealloc %m : memref<4x8xi32, 2>
      }
      air.wait_all [%last, %g]
    }
    air.wait_all [%0, %1, %2]
  }
  return
}

// REMARK: remark: [air-sink-loops-into-herds] not sunk: another op of the loop uses the same end of a channel
// REMARK: remark: [air-sink-loops-into-herds] not sunk: another op of the loop uses the same end of a channel
// REMARK: remark: [air-sink-loops-into-herds] not sunk: it uses memory from outside
// REMARK: remark: [air-sink-loops-into-herds] not sunk: another op of the loop uses its memory
// REMARK: remark: [air-sink-loops-into-herds] not sunk: another op of the loop uses its memory
// CHECK-LABEL: func.func @declined
func.func @declined(%a: memref<4x8xi32>) {
  air.launch () in () args(%c = %a) : memref<4x8xi32> {
    %0 = air.channel.put async @in[] (%c[] [] []) : (memref<4x8xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %shared = memref.alloc() : memref<8xi32, 1>
      %both = memref.alloc() : memref<8xi32, 2>
      scf.for %k = %c0 to %c2 step %c1 {
        air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
          %m = memref.alloc() : memref<8xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %m : memref<8xi32, 2>
        }
        air.herd @g tile (%x, %y) in (%sx = %c1, %sy = %c1) {
          %m = memref.alloc() : memref<8xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %m : memref<8xi32, 2>
        }
      }
      scf.for %k = %c0 to %c2 step %c1 {
        air.herd @i tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %shared) : memref<8xi32, 1> {
          %l1 = memref.alloc() : memref<8xi32, 2>
          air.dma_memcpy_nd (%l1[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
          memref.dealloc %l1 : memref<8xi32, 2>
        }
      }
      scf.for %k = %c0 to %c2 step %c1 {
        air.herd @p tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %both) : memref<8xi32, 2> {
          %h0 = arith.constant 0 : index
          %v = arith.constant 1 : i32
          memref.store %v, %m[%h0] : memref<8xi32, 2>
        }
        air.herd @p tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %both) : memref<8xi32, 2> {
          %h0 = arith.constant 0 : index
          %v = memref.load %m[%h0] : memref<8xi32, 2>
          %w = arith.addi %v, %v : i32
          memref.store %w, %m[%h0] : memref<8xi32, 2>
        }
      }
      memref.dealloc %both : memref<8xi32, 2>
      memref.dealloc %shared : memref<8xi32, 1>
    }
    air.wait_all [%0]
  }
  return
}

// Memory of which each core has its own stays with it: the loop goes into the herd.
// CHECK-LABEL: func.func @own
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK: air.herd @j {{.*}}args(%[[M:.*]]=%[[SUM]])
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[M]]
func.func @own() {
  air.launch () in () {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %sum = memref.alloc() : memref<8xi32, 2>
      scf.for %k = %c0 to %c2 step %c1 {
        air.herd @j tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%m = %sum) : memref<8xi32, 2> {
          %h0 = arith.constant 0 : index
          %v = memref.load %m[%h0] : memref<8xi32, 2>
          %w = arith.addi %v, %v : i32
          memref.store %w, %m[%h0] : memref<8xi32, 2>
        }
      }
      memref.dealloc %sum : memref<8xi32, 2>
    }
  }
  return
}
