// Cascades of what does not divide into their steps of 64 bytes, and of a part of memory whose place changes: a buffer takes the
// place of either, and the core copies.
// RUN: sed -e 's/ELEMENT/i16/; s/COUNT/16/' %s > %t.mlir
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --sanitize --function=sums --async-transfers %t.mlir | FileCheck %s
// RUN: sed -e 's/ELEMENT/i8/; s/COUNT/68/' %s > %t.mlir
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=sums --async-transfers --reverse-tiles %t.mlir | FileCheck %s
// RUN: sed -e 's/ELEMENT/bf16/; s/COUNT/24/' %s > %t.mlir
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --target=npu2 --function=sums --async-transfers %t.mlir | FileCheck %s
// RUN: sed -e 's/ELEMENT/f32/; s/COUNT/1/' %s > %t.mlir
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=sums --async-transfers %t.mlir | FileCheck %s
// CHECK: bit by bit
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --function=windows --async-transfers %t.mlir | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --target=npu2 --function=windows --async-transfers %t.mlir | FileCheck %s
// RUN: not airlite-compile --target=npu1 --function=parts --async-transfers %t.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: error: 'air.channel.put' op not supported: moves 96 bytes, no whole 512-bit words
// PARTS: note: which another end of the channel moves in other parts
!all = memref<3xCOUNTxELEMENT>
!row = memref<COUNTxELEMENT>
!own = memref<COUNTxELEMENT, 2>
air.channel @in [1, 3]
air.channel @c [1, 2] {channel_type = "npu_cascade"}
air.channel @out [1]
func.func @sums(%a: !all, %b: !row) {
  air.launch () in () args(%la = %a, %lb = %b) : !all, !row {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %cn = arith.constant COUNT : index
    scf.parallel (%p) = (%c0) to (%c3) step (%c1) {
      air.channel.put @in[%c0, %p] (%la[%p, %c0] [%c1, %cn] [%cn, %c1]) : (!all)
      scf.reduce
    }
    air.segment @s {
      %k1 = arith.constant 1 : index
      %k3 = arith.constant 3 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k3) {
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h0 = arith.constant 0 : index
        %m = memref.alloc() : !own
        air.channel.get @in[%x, %y] (%m[] [] []) : (!own)
        %top = arith.cmpi eq, %y, %h2 : index
        %below = arith.subi %y, %h1 : index
        scf.if %top {
          air.channel.put @c[%x, %below] (%m[] [] []) : (!own)
        } else {
          %n = memref.alloc() : !own
          air.channel.get @c[%x, %y] (%n[] [] []) : (!own)
          linalg.add ins(%m, %n : !own, !own) outs(%n : !own)
          %low = arith.cmpi eq, %y, %h0 : index
          scf.if %low {
            air.channel.put @out[] (%n[] [] []) : (!own)
          } else {
            air.channel.put @c[%x, %below] (%n[] [] []) : (!own)
          }
          memref.dealloc %n : !own
        }
        memref.dealloc %m : !own
      }
    }
    air.channel.get @out[] (%lb[] [] []) : (!row)
  }
  return
}
air.channel @pieces [1, 2]
air.channel @window [1, 1] {channel_type = "npu_cascade"}
air.channel @picked [1]
func.func @windows(%a: memref<2x8x8xi32>, %b: memref<4x4xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x8x8xi32>, memref<4x4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    scf.parallel (%p) = (%c0) to (%c2) step (%c1) {
      air.channel.put @pieces[%c0, %p] (%la[%p, %c0, %c0] [%c1, %c8, %c8] [%c64, %c8, %c1]) : (memref<2x8x8xi32>)
      scf.reduce
    }
    air.segment @s {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h4 = arith.constant 4 : index
        %h8 = arith.constant 8 : index
        %m = memref.alloc() : memref<8x8xi32, 2>
        air.channel.get @pieces[%x, %y] (%m[] [] []) : (memref<8x8xi32, 2>)
        %top = arith.cmpi eq, %y, %h1 : index
        scf.if %top {
          scf.for %i = %h0 to %h4 step %h2 {
            air.channel.put @window[%h0, %h0] (%m[%i, %h4] [%h2, %h4] [%h8, %h1]) : (memref<8x8xi32, 2>)
          }
        } else {
          %n = memref.alloc() : memref<4x4xi32, 2>
          scf.for %i = %h0 to %h4 step %h2 {
            air.channel.get @window[%h0, %h0] (%n[%i, %h0] [%h2, %h4] [%h4, %h1]) : (memref<4x4xi32, 2>)
          }
          air.channel.put @picked[] (%n[] [] []) : (memref<4x4xi32, 2>)
          memref.dealloc %n : memref<4x4xi32, 2>
        }
        memref.dealloc %m : memref<8x8xi32, 2>
      }
    }
    air.channel.get @picked[] (%lb[] [] []) : (memref<4x4xi32>)
  }
  return
}
air.channel @rows [1, 2]
air.channel @split [1, 1] {channel_type = "npu_cascade"}
air.channel @joined [1]
func.func @parts(%a: memref<2x32xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%p) = (%c0) to (%c2) step (%c1) {
      air.channel.put @rows[%c0, %p] (%la[%p, %c0] [%c1, %c32] [%c32, %c1]) : (memref<2x32xi32>)
      scf.reduce
    }
    air.segment @s {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h8 = arith.constant 8 : index
        %h24 = arith.constant 24 : index
        %h16 = arith.constant 16 : index
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @rows[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
        %top = arith.cmpi eq, %y, %h1 : index
        scf.if %top {
          air.channel.put @split[%h0, %h0] (%m[%h0] [%h24] [%h1]) : (memref<32xi32, 2>)
        } else {
          air.channel.get @split[%h0, %h0] (%m[%h0] [%h16] [%h1]) : (memref<32xi32, 2>)
          air.channel.get @split[%h0, %h0] (%m[%h16] [%h8] [%h1]) : (memref<32xi32, 2>)
          air.channel.put @joined[] (%m[] [] []) : (memref<32xi32, 2>)
        }
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
    air.channel.get @joined[] (%lb[] [] []) : (memref<32xi32>)
  }
  return
}
