// A loop in a loop: what counts the outer one, and its jump, stand beside the last rounds of the inner one. When it has ended, the
// lock waits for the last stores.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --target=npu2 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 -o %t
// RUN: FileCheck %s --check-prefix=CODE < %t/core_0_2.s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// CODE: vst {{.*}} add
// CODE: vst {{.*}} jnz
// CODE: vst
// CODE-NOT: rel
// CODE: nop
// CODE: rel

#row = affine_map<(i) -> (i)>

air.channel @a [1]
air.channel @c [1]
func.func @main(%a: memref<1024xbf16>, %c: memref<1024xbf16>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<1024xbf16>, memref<1024xbf16> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<1024xbf16>)
    %1 = air.channel.get async @c[] (%lc[] [] []) : (memref<1024xbf16>)
    %2 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 5 : index
        %ma = memref.alloc() : memref<1024xbf16, 2>
        %mc = memref.alloc() : memref<1024xbf16, 2>

        air.channel.get @a[] (%ma[] [] []) : (memref<1024xbf16, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
              ins(%ma : memref<1024xbf16, 2>) outs(%mc : memref<1024xbf16, 2>) {
          ^bb0(%x0: bf16, %o: bf16):
            %z = arith.constant 0.0 : bf16
            %r = arith.maximumf %x0, %z : bf16
            linalg.yield %r : bf16
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<1024xbf16, 2>)
        memref.dealloc %ma : memref<1024xbf16, 2>
        memref.dealloc %mc : memref<1024xbf16, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
