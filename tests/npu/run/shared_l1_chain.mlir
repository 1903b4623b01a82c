// Three herds one after the other work on one L1 memory, in place: a ring of three turns. The launch runs three times, and
// the cores of one run begin while others are still in the one before.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-opt %s --check-each --pipeline=air-npu --air-to-aie='device=npu1 emit-while-loop=true' | FileCheck %s --check-prefix=AIE
// AIE-DAG: {init = 1 : i32, sym_name = "shared_l1_0_prod_lock"}
// AIE-DAG: {init = 0 : i32, sym_name = "shared_l1_0_1_turn_lock"}
// AIE-DAG: {init = 0 : i32, sym_name = "shared_l1_0_cons_lock"}
// AIE: aie.use_lock(%shared_l1_0_1_turn_lock, AcquireGreaterEqual
// AIE-NEXT: linalg.generic
// AIE: aie.use_lock(%shared_l1_0_cons_lock, Release
air.channel @in []
air.channel @out []
func.func @main(%a: memref<3x64xi32>, %b: memref<3x64xi32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  air.launch (%i, %j) in (%si = %c3, %sj = %c1) args(%x = %a, %y = %b) : memref<3x64xi32>, memref<3x64xi32> {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k64 = arith.constant 64 : index
    %t0 = air.channel.put async @in[] (%x[%i, %k0] [%k1, %k64] [%k64, %k1]) : (memref<3x64xi32>)
    %t1 = air.channel.get async @out[] (%y[%i, %k0] [%k1, %k64] [%k64, %k1]) : (memref<3x64xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %shared = memref.alloc() : memref<64xi32, 2>
      air.herd @produce tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
        scf.for %k = %c0 to %c64 step %c1_0 {
          %v = memref.load %l[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %v : i32
          memref.store %w, %s[%k] : memref<64xi32, 2>
        }
        memref.dealloc %l : memref<64xi32, 2>
      }
      air.herd @update tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
        %five = arith.constant 5 : i32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%s : memref<64xi32, 2>) {
        ^bb0(%o: i32):
          %v = arith.muli %o, %five : i32
          linalg.yield %v : i32
        }
      }
      air.herd @consume tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 4 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %three = arith.constant 3 : i32
        %l = memref.alloc() : memref<64xi32, 2>
        scf.for %k = %c0 to %c64 step %c1_0 {
          %v = memref.load %s[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %three : i32
          memref.store %w, %l[%k] : memref<64xi32, 2>
        }
        air.channel.put @out[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %shared : memref<64xi32, 2>
    }
    air.wait_all [%t0, %t1]
  }
  return
}
