// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s 2>/dev/null | FileCheck %s --check-prefix=SAME
// SAME: 4 arguments are as in the interpreter, bit by bit

// Bytes that a core reads itself come four in a word, which it stores as one.
// CHECK-LABEL: aie.core(%tile_0_2)
// CHECK: %[[ROW:.*]] = memref.collapse_shape %{{.*}} {{\[\[0, 1\]\]}} : memref<2x4xi8, 2> into memref<8xi8, 2>
// CHECK: %[[WORDS:.*]] = builtin.unrealized_conversion_cast %[[ROW]] : memref<8xi8, 2> to memref<2xi32, 2>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c2 step
// CHECK-NEXT: %[[WORD:.*]] = aie.get_stream(%{{.*}} : i32) : i32
// CHECK-NEXT: memref.store %[[WORD]], %[[WORDS]][%[[I]]]
// CHECK-NEXT: }
// CHECK: aie.flow(%{{.*}}, DMA : {{[01]}}, %tile_0_2, Core : 0)
air.channel @a [1]
air.channel @b [1]
air.channel @bias [1]
air.channel @out [1]
func.func @main(%a: memref<64xi32>, %b: memref<64xi32>, %bias: memref<2x4xi8>, %out: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lbias = %bias, %lout = %out)
      : memref<64xi32>, memref<64xi32>, memref<2x4xi8>, memref<64xi32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<64xi32>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : (memref<64xi32>)
    %2 = air.channel.put async @bias[] (%lbias[] [] []) : (memref<2x4xi8>)
    %3 = air.channel.get async @out[] (%lout[] [] []) : (memref<64xi32>)
    %4 = air.segment @seg async {
      %one = arith.constant 1 : index
      air.herd @herd tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c64 = arith.constant 64 : index
        %ma = memref.alloc() : memref<64xi32, 2>
        %mb = memref.alloc() : memref<64xi32, 2>
        %mbias = memref.alloc() : memref<2x4xi8, 2>
        %mo = memref.alloc() : memref<64xi32, 2>
        %5 = air.channel.get async @bias[] (%mbias[] [] []) : (memref<2x4xi8, 2>)
        %6 = air.channel.get async @a[] (%ma[] [] []) : (memref<64xi32, 2>)
        %7 = air.channel.get async @b[] (%mb[] [] []) : (memref<64xi32, 2>)
        air.wait_all [%5, %6, %7]
        %z = memref.load %mbias[%c1, %c3] : memref<2x4xi8, 2>
        scf.for %i = %c0 to %c64 step %c1 {
          %p = memref.load %ma[%i] : memref<64xi32, 2>
          %q = memref.load %mb[%i] : memref<64xi32, 2>
          %r = arith.addi %p, %q : i32
          %w = arith.extsi %z : i8 to i32
          %s = arith.addi %r, %w : i32
          memref.store %s, %mo[%i] : memref<64xi32, 2>
        }
        air.channel.put @out[] (%mo[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %ma : memref<64xi32, 2>
        memref.dealloc %mb : memref<64xi32, 2>
        memref.dealloc %mbias : memref<2x4xi8, 2>
        memref.dealloc %mo : memref<64xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3, %4]
  }
  return
}
