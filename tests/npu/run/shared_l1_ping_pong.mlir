// Two L1 buffers in turn: while the DMA of core (0, 1) sends one, core (0, 0) fills the other one. Each has its
// own locks; both are next to the DMA that sends them.
// REQUIRES: !sanitize
// RUN: airlite-run --on=interp --init=random:1 --schedules=20 %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit

// Transfers stay in their rounds.
// RUN: airlite-opt %s --check-each --pipeline=air-npu -o %t.mlir
// RUN: airlite-opt %s --air-specialize-channel-wrap-and-stride --remarks 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: remark: {{.*}}cores take turns with the memory in each of its rounds
air.channel @in []
air.channel @out []
func.func @main(%a: memref<16x64xi32>, %b: memref<16x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i, %j) in (%si = %c1, %sj = %c1) args(%x = %a, %y = %b) : memref<16x64xi32>, memref<16x64xi32> {
    %t0 = air.channel.put async @in[] (%x[] [] []) : (memref<16x64xi32>)
    %t1 = air.channel.get async @out[] (%y[] [] []) : (memref<16x64xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %ping = memref.alloc() : memref<64xi32, 2>
      %pong = memref.alloc() : memref<64xi32, 2>
      air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %two) args(%p = %ping, %q = %pong) : memref<64xi32, 2>, memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c64 = arith.constant 64 : index
        %three = arith.constant 3 : i32
        %l = memref.alloc() : memref<64xi32, 2>
        %first = arith.cmpi eq, %ty, %c0 : index
        scf.if %first {
          scf.for %r = %c0 to %c8 step %c1_0 {
            air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
            scf.for %k = %c0 to %c64 step %c1_0 {
              %v = memref.load %l[%k] : memref<64xi32, 2>
              %w = arith.addi %v, %v : i32
              memref.store %w, %p[%k] : memref<64xi32, 2>
            }
            air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
            scf.for %k = %c0 to %c64 step %c1_0 {
              %v = memref.load %l[%k] : memref<64xi32, 2>
              %w = arith.muli %v, %three : i32
              memref.store %w, %q[%k] : memref<64xi32, 2>
            }
          }
        } else {
          scf.for %r = %c0 to %c8 step %c1_0 {
            air.channel.put @out[] (%p[] [] []) : (memref<64xi32, 2>)
            air.channel.put @out[] (%q[] [] []) : (memref<64xi32, 2>)
          }
        }
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %ping : memref<64xi32, 2>
      memref.dealloc %pong : memref<64xi32, 2>
    }
    air.wait_all [%t0, %t1]
  }
  return
}
