// A herd written by hand computes floats as the units do, and the rounds of its loop over rows of lanes overlap:
// constants come from memory, values that live long are copied.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --exact %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=LOOP
// CHECK: 2 arguments are as in the interpreter, bit by bit
// LOOP: remark: rounds begin {{[0-9]+}} cycles after each other
#row = affine_map<(i) -> (i)>
#matrix = affine_map<(i, j) -> (i, j)>
#ofRow = affine_map<(i, j) -> (i)>
air.channel @a [1]
air.channel @c [1]
func.func @main(%a: memref<256xbf16>, %c: memref<256xbf16>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<256xbf16>, memref<256xbf16> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<256xbf16>)
    %1 = air.channel.get async @c[] (%lc[] [] []) : (memref<256xbf16>)
    %2 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 1 : index
        %ma = memref.alloc() : memref<256xbf16, 2>
        %mc = memref.alloc() : memref<256xbf16, 2>

        air.channel.get @a[] (%ma[] [] []) : (memref<256xbf16, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
              ins(%ma : memref<256xbf16, 2>) outs(%mc : memref<256xbf16, 2>) {
          ^bb0(%x0: bf16, %o: bf16):
            %r = math.exp %x0 : bf16
            linalg.yield %r : bf16
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<256xbf16, 2>)
        memref.dealloc %ma : memref<256xbf16, 2>
        memref.dealloc %mc : memref<256xbf16, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
