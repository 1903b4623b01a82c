// Products of packed tiles of i16 and i8 on one core: the i8 are extended, and the unit multiplies i16.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-compile --target=npu1 %s -o %t && grep -l vmac %t/core_*.s > /dev/null
// CHECK: 3 arguments are as in the interpreter, bit by bit
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
air.channel @a [1]
air.channel @b [1]
air.channel @c [1]
func.func @main(%a: memref<6x4x4x4xi16>, %b: memref<3x6x4x4xi8>, %c: memref<3x4x4x4xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<6x4x4x4xi16>, memref<3x6x4x4xi8>, memref<3x4x4x4xi32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<6x4x4x4xi16>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : (memref<3x6x4x4xi8>)
    %2 = air.channel.get async @c[] (%lc[] [] []) : (memref<3x4x4x4xi32>)
    %3 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 2 : index
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<6x4x4x4xi16, 2>
        %mb = memref.alloc() : memref<3x6x4x4xi8, 2>
        %mc = memref.alloc() : memref<3x4x4x4xi32, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<6x4x4x4xi16, 2>)
        air.channel.get @b[] (%mb[] [] []) : (memref<3x6x4x4xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<3x4x4x4xi32, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          linalg.generic {indexing_maps = [#a, #b, #c], iterator_types =
              ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
              ins(%ma, %mb : memref<6x4x4x4xi16, 2>, memref<3x6x4x4xi8, 2>) outs(%mc : memref<3x4x4x4xi32, 2>) {
          ^bb0(%p: i16, %q: i8, %o: i32):
            %e = arith.extsi %p : i16 to i32
            %f = arith.extsi %q : i8 to i32
            %g = arith.muli %e, %f : i32
            %h = arith.addi %o, %g : i32
            linalg.yield %h : i32
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<3x4x4x4xi32, 2>)
        memref.dealloc %ma : memref<6x4x4x4xi16, 2>
        memref.dealloc %mb : memref<3x6x4x4xi8, 2>
        memref.dealloc %mc : memref<3x4x4x4xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3]
  }
  return
}
