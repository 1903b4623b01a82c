// Two cores write one half each, the core between them reads both, round by round. Each writer has a lock of its
// own: with one for both, a fast one could come twice in a round.
// REQUIRES: !sanitize
// RUN: airlite-run --on=interp --init=random:1 --schedules=20 %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --reverse-tiles %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit

// RUN: airlite-opt %s --check-each --pipeline=air-npu --air-to-aie='device=npu1' | FileCheck %s --check-prefix=AIE
// AIE-DAG: aie.lock(%[[T:.*]], {{.*}}) {init = 1 : i32, sym_name = "shared_l1_0_0_prod_lock"}
// AIE-DAG: aie.lock(%[[T]], {{.*}}) {init = 1 : i32, sym_name = "shared_l1_0_1_prod_lock"}
// AIE-DAG: aie.lock(%[[T]], {{.*}}) {init = 0 : i32, sym_name = "shared_l1_0_cons_lock"}
// AIE-DAG: %[[TWO:.*]] = arith.constant 2 : i32
// AIE-DAG: aie.use_lock(%shared_l1_0_cons_lock, AcquireGreaterEqual, %[[TWO]])
air.channel @in [2]
air.channel @out []
func.func @main(%a: memref<8x32xi32>, %b: memref<8x32xi32>, %c: memref<8x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i, %j) in (%si = %c1, %sj = %c1) args(%x = %a, %y = %b, %z = %c) : memref<8x32xi32>, memref<8x32xi32>, memref<8x32xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %t0 = air.channel.put async @in[%h0] (%x[] [] []) : (memref<8x32xi32>)
    %t1 = air.channel.put async @in[%h1] (%y[] [] []) : (memref<8x32xi32>)
    %t2 = air.channel.get async @out[] (%z[] [] []) : (memref<8x32xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %three = arith.constant 3 : index
      %shared = memref.alloc() : memref<2x32xi32, 2>
      air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %three) args(%s = %shared) : memref<2x32xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c32 = arith.constant 32 : index
        %l = memref.alloc() : memref<32xi32, 2>
        scf.for %r = %c0 to %c8 step %c1_0 {
          scf.index_switch %ty
          case 1 {
            scf.for %k = %c0 to %c32 step %c1_0 {
              %u = memref.load %s[%c0, %k] : memref<2x32xi32, 2>
              %v = memref.load %s[%c1_0, %k] : memref<2x32xi32, 2>
              %w = arith.subi %u, %v : i32
              memref.store %w, %l[%k] : memref<32xi32, 2>
            }
            air.channel.put @out[] (%l[] [] []) : (memref<32xi32, 2>)
            scf.yield
          }
          case 0 {
            air.channel.get @in[%c0] (%l[] [] []) : (memref<32xi32, 2>)
            scf.for %k = %c0 to %c32 step %c1_0 {
              %v = memref.load %l[%k] : memref<32xi32, 2>
              memref.store %v, %s[%c0, %k] : memref<2x32xi32, 2>
            }
            scf.yield
          }
          default {
            air.channel.get @in[%c1_0] (%l[] [] []) : (memref<32xi32, 2>)
            scf.for %k = %c0 to %c32 step %c1_0 {
              %v = memref.load %l[%k] : memref<32xi32, 2>
              memref.store %v, %s[%c1_0, %k] : memref<2x32xi32, 2>
            }
            scf.yield
          }
        }
        memref.dealloc %l : memref<32xi32, 2>
      }
      memref.dealloc %shared : memref<2x32xi32, 2>
    }
    air.wait_all [%t0, %t1, %t2]
  }
  return
}
