// A herd in a loop beside another one, which takes numbers of the loop: the cores go through the loop by themselves.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
air.channel @in [1]
air.channel @mid [1]
air.channel @out [1]
func.func @main(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  air.launch () in () args(%aa = %a, %bb = %b) : memref<4x32xi32>, memref<4x32xi32> {
    %0 = air.channel.put async @in[] (%aa[] [] []) : (memref<4x32xi32>)
    %1 = air.channel.get async @out[] (%bb[] [] []) : (memref<4x32xi32>)
    %2 = air.segment @s async {
  %k3_0_index = arith.constant 0 : index
  %k3_2_index = arith.constant 2 : index
  %k3_1_index = arith.constant 1 : index
      scf.for %j = %k3_0_index to %k3_2_index step %k3_1_index {
      scf.for %k = %k3_0_index to %k3_2_index step %k3_1_index {
        %z = air.herd @h async tile (%x, %y) in (%sx = %k3_1_index, %sy = %k3_1_index) args(%k3 = %k, %j3 = %j) : index, index {
  %k4_0_index = arith.constant 0 : index
  %k4_32_index = arith.constant 32 : index
  %k4_1_index = arith.constant 1 : index
          %kk = arith.addi %k3, %j3 : index
        %l = memref.alloc() : memref<32xi32, 2>
          air.channel.get @in[] (%l[] [] []) : (memref<32xi32, 2>)
          %ki = arith.index_cast %kk : index to i32
          scf.for %i = %k4_0_index to %k4_32_index step %k4_1_index {
            %v = memref.load %l[%i] : memref<32xi32, 2>
            %w = arith.addi %v, %ki : i32
            memref.store %w, %l[%i] : memref<32xi32, 2>
          }
          air.channel.put @mid[] (%l[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %l : memref<32xi32, 2>
        }
        %u = air.herd @g async tile (%x, %y) in (%sx = %k3_1_index, %sy = %k3_1_index) args(%kk = %k) : index {
  %k5_0_index = arith.constant 0 : index
  %k5_32_index = arith.constant 32 : index
  %k5_1_index = arith.constant 1 : index
        %l = memref.alloc() : memref<32xi32, 2>
          air.channel.get @mid[] (%l[] [] []) : (memref<32xi32, 2>)
          %ki = arith.index_cast %kk : index to i32
          scf.for %i = %k5_0_index to %k5_32_index step %k5_1_index {
            %v = memref.load %l[%i] : memref<32xi32, 2>
            %w = arith.addi %v, %ki : i32
            memref.store %w, %l[%i] : memref<32xi32, 2>
          }
          air.channel.put @out[] (%l[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %l : memref<32xi32, 2>
        }
        air.wait_all [%z, %u]
      }
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
