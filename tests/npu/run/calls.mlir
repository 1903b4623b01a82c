// Functions called by the host and by cores.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
air.channel @in [1]
air.channel @out [1]
func.func private @square_all(%l: memref<64xi32, 2>, %k: i32) {
  %k1_0_index = arith.constant 0 : index
  %k1_64_index = arith.constant 64 : index
  %k1_1_index = arith.constant 1 : index
  scf.for %i = %k1_0_index to %k1_64_index step %k1_1_index {
    %v = memref.load %l[%i] : memref<64xi32, 2>
    %w = func.call @f(%v, %k) : (i32, i32) -> i32
    memref.store %w, %l[%i] : memref<64xi32, 2>
  }
  return
}
func.func private @f(%v: i32, %k: i32) -> i32 {
  %w = arith.muli %v, %v : i32
  %u = arith.subi %w, %k : i32
  return %u : i32
}
func.func private @square(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%aa = %a, %bb = %b) : memref<64xi32>, memref<64xi32> {
    %0 = air.channel.put async @in[] (%aa[] [] []) : (memref<64xi32>)
    %1 = air.channel.get async @out[] (%bb[] [] []) : (memref<64xi32>)
    %2 = air.segment @s async {
  %k5_1_index = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k5_1_index, %sy = %k5_1_index) {
  %k6_9_i32 = arith.constant 9 : i32
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
        func.call @square_all(%l, %k6_9_i32) : (memref<64xi32, 2>, i32) -> ()
        air.channel.put @out[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
func.func @main(%a: memref<64xi32>, %b: memref<64xi32>) {
  call @square(%a, %b) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}
