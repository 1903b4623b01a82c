// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s 2>/dev/null | FileCheck %s --check-prefix=SAME
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s 2>/dev/null | FileCheck %s --check-prefix=SAME
// SAME: 4 arguments are as in the interpreter, bit by bit

// A core has two DMA channels for what comes, and a stream of words that it reads itself: that is for the place
// with the fewest words, in front of what uses them.
// CHECK-LABEL: aie.core(%tile_0_2)
// CHECK: %[[ROW:.*]] = memref.collapse_shape %[[BIAS:.*]] {{\[\[0, 1\]\]}} : memref<2x4xf32, 2> into memref<8xf32, 2>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c8 step
// CHECK-NEXT: %[[WORD:.*]] = aie.get_stream(%{{.*}} : i32) : i32
// CHECK-NEXT: %[[NUMBER:.*]] = arith.bitcast %[[WORD]] : i32 to f32
// CHECK-NEXT: memref.store %[[NUMBER]], %[[ROW]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: %{{.*}} = memref.load %[[BIAS]]
// CHECK: aie.flow(%{{.*}}, DMA : {{[01]}}, %tile_0_2, DMA : 0)
// CHECK-NEXT: aie.flow(%{{.*}}, DMA : {{[01]}}, %tile_0_2, DMA : 1)
// CHECK-NEXT: aie.flow(%{{.*}}, DMA : {{[01]}}, %tile_0_2, Core : 0)
air.channel @a [1]
air.channel @b [1]
air.channel @bias [1]
air.channel @out [1]
func.func @main(%a: memref<64xf32>, %b: memref<64xf32>, %bias: memref<2x4xf32>, %out: memref<64xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lbias = %bias, %lout = %out)
      : memref<64xf32>, memref<64xf32>, memref<2x4xf32>, memref<64xf32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<64xf32>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : (memref<64xf32>)
    %2 = air.channel.put async @bias[] (%lbias[] [] []) : (memref<2x4xf32>)
    %3 = air.channel.get async @out[] (%lout[] [] []) : (memref<64xf32>)
    %4 = air.segment @seg async {
      %one = arith.constant 1 : index
      air.herd @herd tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c64 = arith.constant 64 : index
        %ma = memref.alloc() : memref<64xf32, 2>
        %mb = memref.alloc() : memref<64xf32, 2>
        %mbias = memref.alloc() : memref<2x4xf32, 2>
        %mo = memref.alloc() : memref<64xf32, 2>
        %5 = air.channel.get async @bias[] (%mbias[] [] []) : (memref<2x4xf32, 2>)
        %6 = air.channel.get async @a[] (%ma[] [] []) : (memref<64xf32, 2>)
        %7 = air.channel.get async @b[] (%mb[] [] []) : (memref<64xf32, 2>)
        air.wait_all [%5, %6, %7]
        %z = memref.load %mbias[%c1, %c3] : memref<2x4xf32, 2>
        scf.for %i = %c0 to %c64 step %c1 {
          %p = memref.load %ma[%i] : memref<64xf32, 2>
          %q = memref.load %mb[%i] : memref<64xf32, 2>
          %r = arith.addf %p, %q : f32
          %s = arith.addf %r, %z : f32
          memref.store %s, %mo[%i] : memref<64xf32, 2>
        }
        air.channel.put @out[] (%mo[] [] []) : (memref<64xf32, 2>)
        memref.dealloc %ma : memref<64xf32, 2>
        memref.dealloc %mb : memref<64xf32, 2>
        memref.dealloc %mbias : memref<2x4xf32, 2>
        memref.dealloc %mo : memref<64xf32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3, %4]
  }
  return
}
