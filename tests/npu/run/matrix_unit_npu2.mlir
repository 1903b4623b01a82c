// Products of packed tiles on one core of npu2: 8x8x8 of i8 (function @main) and 8x2x8 of i16 (@halves), two sums at
// a time. The rounds of the former overlap.
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --function=main --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2_2col --compare=interp --function=halves --init=random:2 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu2 --function=main --remarks -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=CODE < %t/core_0_2.s
// CHECK: 3 arguments are as in the interpreter, bit by bit
// REMARK: rounds begin {{[0-9]+}} cycles after each other, 2 are under way; slots allow {{[0-9]+}}, results {{[0-9]+}}
// CODE: {{vmac (dm[0-4]), \1, x}}
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
air.channel @a [1]
air.channel @b [1]
air.channel @c [1]
air.channel @ha [1]
air.channel @hb [1]
air.channel @hc [1]
func.func @main(%a: memref<8x6x8x8xi8>, %b: memref<8x8x8x8xi8>, %c: memref<8x6x8x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<8x6x8x8xi8>, memref<8x8x8x8xi8>, memref<8x6x8x8xi32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<8x6x8x8xi8>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : (memref<8x8x8x8xi8>)
    %2 = air.channel.get async @c[] (%lc[] [] []) : (memref<8x6x8x8xi32>)
    %3 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 2 : index
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<8x6x8x8xi8, 2>
        %mb = memref.alloc() : memref<8x8x8x8xi8, 2>
        %mc = memref.alloc() : memref<8x6x8x8xi32, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<8x6x8x8xi8, 2>)
        air.channel.get @b[] (%mb[] [] []) : (memref<8x8x8x8xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<8x6x8x8xi32, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          linalg.generic {indexing_maps = [#a, #b, #c], iterator_types =
              ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
              ins(%ma, %mb : memref<8x6x8x8xi8, 2>, memref<8x8x8x8xi8, 2>) outs(%mc : memref<8x6x8x8xi32, 2>) {
          ^bb0(%p: i8, %q: i8, %o: i32):
            %e = arith.extsi %p : i8 to i32
            %f = arith.extsi %q : i8 to i32
            %g = arith.muli %e, %f : i32
            %h = arith.addi %o, %g : i32
            linalg.yield %h : i32
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<8x6x8x8xi32, 2>)
        memref.dealloc %ma : memref<8x6x8x8xi8, 2>
        memref.dealloc %mb : memref<8x8x8x8xi8, 2>
        memref.dealloc %mc : memref<8x6x8x8xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3]
  }
  return
}
func.func @halves(%a: memref<16x2x8x2xi16>, %b: memref<4x16x2x8xi16>, %c: memref<4x2x8x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<16x2x8x2xi16>, memref<4x16x2x8xi16>, memref<4x2x8x8xi32> {
    %0 = air.channel.put async @ha[] (%la[] [] []) : (memref<16x2x8x2xi16>)
    %1 = air.channel.put async @hb[] (%lb[] [] []) : (memref<4x16x2x8xi16>)
    %2 = air.channel.get async @hc[] (%lc[] [] []) : (memref<4x2x8x8xi32>)
    %3 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant 2 : index
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<16x2x8x2xi16, 2>
        %mb = memref.alloc() : memref<4x16x2x8xi16, 2>
        %mc = memref.alloc() : memref<4x2x8x8xi32, 2>
        air.channel.get @ha[] (%ma[] [] []) : (memref<16x2x8x2xi16, 2>)
        air.channel.get @hb[] (%mb[] [] []) : (memref<4x16x2x8xi16, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<4x2x8x8xi32, 2>)
        scf.for %round = %c0 to %rounds step %c1 {
          linalg.generic {indexing_maps = [#a, #b, #c], iterator_types =
              ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
              ins(%ma, %mb : memref<16x2x8x2xi16, 2>, memref<4x16x2x8xi16, 2>) outs(%mc : memref<4x2x8x8xi32, 2>) {
          ^bb0(%p: i16, %q: i16, %o: i32):
            %e = arith.extsi %p : i16 to i32
            %f = arith.extsi %q : i16 to i32
            %g = arith.muli %e, %f : i32
            %h = arith.addi %o, %g : i32
            linalg.yield %h : i32
          }
        }
        air.channel.put @hc[] (%mc[] [] []) : (memref<4x2x8x8xi32, 2>)
        memref.dealloc %ma : memref<16x2x8x2xi16, 2>
        memref.dealloc %mb : memref<4x16x2x8xi16, 2>
        memref.dealloc %mc : memref<4x2x8x8xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3]
  }
  return
}
