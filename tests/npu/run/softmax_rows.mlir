// Softmax of rows of bf16 in a herd written by hand: what depends on the row alone is computed once a row, in front of
// the loop over its elements.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=LOOP
// CHECK: 2 arguments are as in the interpreter, bit by bit
// LOOP-COUNT-3: remark: rounds begin {{[0-9]+}} cycles after each other
#row = affine_map<(i) -> (i)>
#matrix = affine_map<(i, j) -> (i, j)>
#ofRow = affine_map<(i, j) -> (i)>
air.channel @a [1]
air.channel @c [1]
func.func @main(%a: memref<4x64xbf16>, %c: memref<4x64xbf16>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<4x64xbf16>, memref<4x64xbf16> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<4x64xbf16>)
    %1 = air.channel.get async @c[] (%lc[] [] []) : (memref<4x64xbf16>)
    %2 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 1 : index
        %ma = memref.alloc() : memref<4x64xbf16, 2>
        %mc = memref.alloc() : memref<4x64xbf16, 2>
        %m = memref.alloc() : memref<4xf32, 2>
        %s = memref.alloc() : memref<4xf32, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<4x64xbf16, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          %n0 = arith.constant 0xFF800000 : f32
          linalg.fill ins(%n0 : f32) outs(%m : memref<4xf32, 2>)
          linalg.generic {indexing_maps = [#matrix, #ofRow], iterator_types = ["parallel", "reduction"]}
              ins(%ma : memref<4x64xbf16, 2>) outs(%m : memref<4xf32, 2>) {
          ^bb0(%x0: bf16, %o: f32):
            %w = arith.extf %x0 : bf16 to f32
            %r = arith.maximumf %w, %o : f32
            linalg.yield %r : f32
          }
          linalg.generic {indexing_maps = [#matrix, #ofRow, #matrix], iterator_types = ["parallel", "parallel"]}
              ins(%ma, %m : memref<4x64xbf16, 2>, memref<4xf32, 2>) outs(%mc : memref<4x64xbf16, 2>) {
          ^bb0(%x0: bf16, %x1: f32, %o: bf16):
            %w = arith.extf %x0 : bf16 to f32
            %d = arith.subf %w, %x1 : f32
            %e = arith.truncf %d : f32 to bf16
            %r = math.exp %e : bf16
            linalg.yield %r : bf16
          }
          %n3 = arith.constant 0.0 : f32
          linalg.fill ins(%n3 : f32) outs(%s : memref<4xf32, 2>)
          linalg.generic {indexing_maps = [#matrix, #ofRow], iterator_types = ["parallel", "reduction"]}
              ins(%mc : memref<4x64xbf16, 2>) outs(%s : memref<4xf32, 2>) {
          ^bb0(%x0: bf16, %o: f32):
            %w = arith.extf %x0 : bf16 to f32
            %r = arith.addf %w, %o : f32
            linalg.yield %r : f32
          }
          linalg.generic {indexing_maps = [#matrix, #ofRow, #matrix], iterator_types = ["parallel", "parallel"]}
              ins(%mc, %s : memref<4x64xbf16, 2>, memref<4xf32, 2>) outs(%mc : memref<4x64xbf16, 2>) {
          ^bb0(%x0: bf16, %x1: f32, %o: bf16):
            %w = arith.extf %x0 : bf16 to f32
            %q = arith.divf %w, %x1 : f32
            %r = arith.truncf %q : f32 to bf16
            linalg.yield %r : bf16
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<4x64xbf16, 2>)
        memref.dealloc %ma : memref<4x64xbf16, 2>
        memref.dealloc %mc : memref<4x64xbf16, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
