// Numbers of f32 in pieces of bf16: values of a round live longer than its slots take, so that two rounds become one. There are fifteen
// of them, the first of which is the second half of such a pair.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=LOOP
// CHECK: 2 arguments are as in the interpreter, bit by bit
// LOOP: rounds begin {{.*}}; each is two of the program
#row = affine_map<(i) -> (i)>
air.channel @a [1]
air.channel @c [1]
func.func @main(%a: memref<240xf32>, %c: memref<240xbf16>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<240xf32>, memref<240xbf16> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<240xf32>)
    %1 = air.channel.get async @c[] (%lc[] [] []) : (memref<240xbf16>)
    %2 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %ma = memref.alloc() : memref<240xf32, 2>
        %high = memref.alloc() : memref<240xbf16, 2>
        %middle = memref.alloc() : memref<240xbf16, 2>
        %low = memref.alloc() : memref<240xbf16, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<240xf32, 2>)
        linalg.generic {indexing_maps = [#row, #row, #row, #row], iterator_types = ["parallel"]}
            ins(%ma : memref<240xf32, 2>) outs(%high, %middle, %low : memref<240xbf16, 2>, memref<240xbf16, 2>, memref<240xbf16, 2>) {
        ^bb0(%p: f32, %o0: bf16, %o1: bf16, %o2: bf16):
          %h = arith.truncf %p : f32 to bf16
          %wh = arith.extf %h : bf16 to f32
          %rh = arith.subf %p, %wh : f32
          %m = arith.truncf %rh : f32 to bf16
          %wm = arith.extf %m : bf16 to f32
          %rm = arith.subf %rh, %wm : f32
          %l = arith.truncf %rm : f32 to bf16
          linalg.yield %h, %m, %l : bf16, bf16, bf16
        }
        linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
            ins(%middle, %low : memref<240xbf16, 2>, memref<240xbf16, 2>) outs(%high : memref<240xbf16, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: bf16):
          %s = arith.addf %p, %q : bf16
          %r = arith.addf %s, %o : bf16
          linalg.yield %r : bf16
        }
        air.channel.put @c[] (%high[] [] []) : (memref<240xbf16, 2>)
        memref.dealloc %ma : memref<240xf32, 2>
        memref.dealloc %high : memref<240xbf16, 2>
        memref.dealloc %middle : memref<240xbf16, 2>
        memref.dealloc %low : memref<240xbf16, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
