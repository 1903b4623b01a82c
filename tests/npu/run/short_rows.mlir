// Rows of floats that no vectors divide: of 24 and 25 elements, of 7, even and odd elements of pairs, elements by a table, and a
// row of bf16 whose end is no vector, in place. What a vector can be loaded from is; the rest goes through buffers.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --exact %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=LOOP
// CHECK: 2 arguments are as in the interpreter, bit by bit
// LOOP-NOT: not vectorized
#row = affine_map<(i) -> (i)>
#even = affine_map<(i) -> (2 * i)>
#odd = affine_map<(i) -> (2 * i + 1)>
#turned = affine_map<(i) -> (47 - i)>
#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
air.channel @a [1]
air.channel @c [1]
func.func @main(%a: memref<768xf32>, %c: memref<768xf32>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<768xf32>, memref<768xf32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<768xf32>)
    %1 = air.channel.get async @c[] (%lc[] [] []) : (memref<768xf32>)
    %2 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %ma = memref.alloc() : memref<768xf32, 2>
        %mc = memref.alloc() : memref<768xf32, 2>
        %mb = memref.alloc() : memref<100xbf16, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<768xf32, 2>)
        linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
            ins(%ma : memref<768xf32, 2>) outs(%mc : memref<768xf32, 2>) {
        ^bb0(%p: f32, %o: f32):
          %r = arith.addf %p, %p : f32
          linalg.yield %r : f32
        }
        %rows24 = memref.reinterpret_cast %ma to offset: [0], sizes: [4, 24], strides: [24, 1] : memref<768xf32, 2> to memref<4x24xf32, strided<[24, 1]>, 2>
        %col24 = memref.subview %ma[96] [24] [1] : memref<768xf32, 2> to memref<24xf32, strided<[1], offset: 96>, 2>
        %out24 = memref.reinterpret_cast %mc to offset: [0], sizes: [4, 24], strides: [24, 1] : memref<768xf32, 2> to memref<4x24xf32, strided<[24, 1]>, 2>
        linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
            ins(%rows24, %col24 : memref<4x24xf32, strided<[24, 1]>, 2>, memref<24xf32, strided<[1], offset: 96>, 2>) outs(%out24 : memref<4x24xf32, strided<[24, 1]>, 2>) {
        ^bb0(%p: f32, %q: f32, %o: f32):
          %r = arith.mulf %p, %q : f32
          linalg.yield %r : f32
        }
        %rows25 = memref.reinterpret_cast %ma to offset: [0], sizes: [4, 25], strides: [25, 1] : memref<768xf32, 2> to memref<4x25xf32, strided<[25, 1]>, 2>
        %col25 = memref.subview %ma[128] [25] [1] : memref<768xf32, 2> to memref<25xf32, strided<[1], offset: 128>, 2>
        %out25 = memref.reinterpret_cast %mc to offset: [128], sizes: [4, 25], strides: [25, 1] : memref<768xf32, 2> to memref<4x25xf32, strided<[25, 1], offset: 128>, 2>
        linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
            ins(%rows25, %col25 : memref<4x25xf32, strided<[25, 1]>, 2>, memref<25xf32, strided<[1], offset: 128>, 2>) outs(%out25 : memref<4x25xf32, strided<[25, 1], offset: 128>, 2>) {
        ^bb0(%p: f32, %q: f32, %o: f32):
          %d = arith.subf %p, %q : f32
          %r = arith.mulf %d, %d : f32
          linalg.yield %r : f32
        }
        %rows7 = memref.reinterpret_cast %ma to offset: [0], sizes: [5, 7], strides: [7, 1] : memref<768xf32, 2> to memref<5x7xf32, strided<[7, 1]>, 2>
        %col7 = memref.subview %ma[64] [7] [1] : memref<768xf32, 2> to memref<7xf32, strided<[1], offset: 64>, 2>
        %out7 = memref.reinterpret_cast %mc to offset: [256], sizes: [5, 7], strides: [7, 1] : memref<768xf32, 2> to memref<5x7xf32, strided<[7, 1], offset: 256>, 2>
        linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
            ins(%rows7, %col7 : memref<5x7xf32, strided<[7, 1]>, 2>, memref<7xf32, strided<[1], offset: 64>, 2>) outs(%out7 : memref<5x7xf32, strided<[7, 1], offset: 256>, 2>) {
        ^bb0(%p: f32, %q: f32, %o: f32):
          %r = arith.mulf %p, %q : f32
          linalg.yield %r : f32
        }
        %pairs = memref.subview %ma[320] [48] [1] : memref<768xf32, 2> to memref<48xf32, strided<[1], offset: 320>, 2>
        %sums = memref.subview %mc[320] [24] [1] : memref<768xf32, 2> to memref<24xf32, strided<[1], offset: 320>, 2>
        linalg.generic {indexing_maps = [#even, #odd, #row], iterator_types = ["parallel"]}
            ins(%pairs, %pairs : memref<48xf32, strided<[1], offset: 320>, 2>, memref<48xf32, strided<[1], offset: 320>, 2>) outs(%sums : memref<24xf32, strided<[1], offset: 320>, 2>) {
        ^bb0(%p: f32, %q: f32, %o: f32):
          %t = arith.mulf %p, %q : f32
          %r = arith.addf %t, %p : f32
          linalg.yield %r : f32
        }
        %back = memref.subview %mc[384] [48] [1] : memref<768xf32, 2> to memref<48xf32, strided<[1], offset: 384>, 2>
        linalg.generic {indexing_maps = [#turned, #row], iterator_types = ["parallel"]}
            ins(%pairs : memref<48xf32, strided<[1], offset: 320>, 2>) outs(%back : memref<48xf32, strided<[1], offset: 384>, 2>) {
        ^bb0(%p: f32, %o: f32):
          %r = arith.mulf %p, %p : f32
          linalg.yield %r : f32
        }
        %hundred = memref.subview %ma[512] [100] [1] : memref<768xf32, 2> to memref<100xf32, strided<[1], offset: 512>, 2>
        linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
            ins(%hundred : memref<100xf32, strided<[1], offset: 512>, 2>) outs(%mb : memref<100xbf16, 2>) {
        ^bb0(%p: f32, %o: bf16):
          %r = arith.truncf %p : f32 to bf16
          linalg.yield %r : bf16
        }
        linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%mb : memref<100xbf16, 2>) {
        ^bb0(%o: bf16):
          %r = math.exp %o : bf16
          linalg.yield %r : bf16
        }
        %outs = memref.subview %mc[512] [100] [1] : memref<768xf32, 2> to memref<100xf32, strided<[1], offset: 512>, 2>
        linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
            ins(%mb : memref<100xbf16, 2>) outs(%outs : memref<100xf32, strided<[1], offset: 512>, 2>) {
        ^bb0(%p: bf16, %o: f32):
          %w = arith.extf %p : bf16 to f32
          %r = arith.mulf %w, %w : f32
          linalg.yield %r : f32
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<768xf32, 2>)
        memref.dealloc %ma : memref<768xf32, 2>
        memref.dealloc %mb : memref<100xbf16, 2>
        memref.dealloc %mc : memref<768xf32, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
