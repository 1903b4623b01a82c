// Each run of a launch gives its herd another number: a core waits for it before each run.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
air.channel @in [1]
air.channel @out [1]
func.func @main(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %k1_4_index = arith.constant 4 : index
  air.launch (%i0) in (%n = %k1_4_index) args(%aa = %a, %bb = %b) : memref<4x32xi32>, memref<4x32xi32> {
  %k2_0_index = arith.constant 0 : index
  %k2_1_index = arith.constant 1 : index
  %k2_32_index = arith.constant 32 : index
    %0 = air.channel.put async @in[] (%aa[%i0, %k2_0_index] [%k2_1_index, %k2_32_index] [%k2_32_index, %k2_1_index]) : (memref<4x32xi32>)
    %1 = air.channel.get async @out[] (%bb[%i0, %k2_0_index] [%k2_1_index, %k2_32_index] [%k2_32_index, %k2_1_index]) : (memref<4x32xi32>)
    %2 = air.segment @s async args(%k = %i0) : index {
  %k3_1_index = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k3_1_index, %sy = %k3_1_index) args(%kk = %k) : index {
  %k4_0_index = arith.constant 0 : index
  %k4_32_index = arith.constant 32 : index
  %k4_1_index = arith.constant 1 : index
        %l = memref.alloc() : memref<32xi32, 2>
          air.channel.get @in[] (%l[] [] []) : (memref<32xi32, 2>)
          %ki = arith.index_cast %kk : index to i32
          scf.for %i = %k4_0_index to %k4_32_index step %k4_1_index {
            %v = memref.load %l[%i] : memref<32xi32, 2>
            %w = arith.addi %v, %ki : i32
            memref.store %w, %l[%i] : memref<32xi32, 2>
          }
          air.channel.put @out[] (%l[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %l : memref<32xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
