// Products of packed i8 tiles on one core: blocks of the matrix unit in a hardware loop whose rounds overlap.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// CHECK: 3 arguments are as in the interpreter, bit by bit
// REMARK: rounds begin {{[0-9]+}} cycles after each other, {{.*}} under way; slots allow {{[0-9]+}}, results {{[0-9]+}}
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
air.channel @a [1]
air.channel @b [1]
air.channel @c [1]
func.func @main(%a: memref<5x12x4x8xi8>, %b: memref<4x5x8x8xi8>, %c: memref<4x12x4x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<5x12x4x8xi8>, memref<4x5x8x8xi8>, memref<4x12x4x8xi32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<5x12x4x8xi8>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : (memref<4x5x8x8xi8>)
    %2 = air.channel.get async @c[] (%lc[] [] []) : (memref<4x12x4x8xi32>)
    %3 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 2 : index
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<5x12x4x8xi8, 2>
        %mb = memref.alloc() : memref<4x5x8x8xi8, 2>
        %mc = memref.alloc() : memref<4x12x4x8xi32, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<5x12x4x8xi8, 2>)
        air.channel.get @b[] (%mb[] [] []) : (memref<4x5x8x8xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<4x12x4x8xi32, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          linalg.generic {indexing_maps = [#a, #b, #c], iterator_types =
              ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
              ins(%ma, %mb : memref<5x12x4x8xi8, 2>, memref<4x5x8x8xi8, 2>) outs(%mc : memref<4x12x4x8xi32, 2>) {
          ^bb0(%p: i8, %q: i8, %o: i32):
            %e = arith.extsi %p : i8 to i32
            %f = arith.extsi %q : i8 to i32
            %g = arith.muli %e, %f : i32
            %h = arith.addi %o, %g : i32
            linalg.yield %h : i32
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<4x12x4x8xi32, 2>)
        memref.dealloc %ma : memref<5x12x4x8xi8, 2>
        memref.dealloc %mb : memref<4x5x8x8xi8, 2>
        memref.dealloc %mc : memref<4x12x4x8xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3]
  }
  return
}
