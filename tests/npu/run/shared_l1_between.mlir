// The cores of rows 2 and 4 reach the memory of the core between them, which does nothing itself.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-opt %s --air-to-aie='device=npu1' | FileCheck %s --check-prefix=AIE
// AIE: aie.buffer(%tile_0_3) {sym_name = "shared_l1_0"} : memref<64xi32, 2>
air.channel @in []
air.channel @out []
func.func @main(%a: memref<16x64xi32>, %b: memref<16x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i, %j) in (%si = %c1, %sj = %c1) args(%x = %a, %y = %b) : memref<16x64xi32>, memref<16x64xi32> {
    %t0 = air.channel.put async @in[] (%x[] [] []) : (memref<16x64xi32>)
    %t1 = air.channel.get async @out[] (%y[] [] []) : (memref<16x64xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %two = arith.constant 3 : index
      %shared = memref.alloc() : memref<64xi32, 2>
      air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %two) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c64 = arith.constant 64 : index
        %three = arith.constant 3 : i32
        %first = arith.cmpi eq, %ty, %c0 : index
        %c2 = arith.constant 2 : index
        %last = arith.cmpi eq, %ty, %c2 : index
        scf.for %r = %c0 to %c16 step %c1_0 {
          %l = memref.alloc() : memref<64xi32, 2>
          scf.if %first {
            air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
            scf.for %k = %c0 to %c64 step %c1_0 {
              %v = memref.load %l[%k] : memref<64xi32, 2>
              %w = arith.addi %v, %v : i32
              memref.store %w, %s[%k] : memref<64xi32, 2>
            }
          }
          scf.if %last {
            scf.for %k = %c0 to %c64 step %c1_0 {
              %v = memref.load %s[%k] : memref<64xi32, 2>
              %w = arith.addi %v, %three : i32
              memref.store %w, %l[%k] : memref<64xi32, 2>
            }
            air.channel.put @out[] (%l[] [] []) : (memref<64xi32, 2>)
          }
          memref.dealloc %l : memref<64xi32, 2>
        }
      }
      memref.dealloc %shared : memref<64xi32, 2>
    }
    air.wait_all [%t0, %t1]
  }
  return
}
