// RUN: airlite-opt %s --air-linalg-to-func --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-linalg-to-func='link-with=k.o derive-library-call=true' --split-input-file | FileCheck %s --check-prefix=DERIVED

// Declared once, before the last op of the module.
// CHECK: func.func private @linalg_fill_i32_view4xsxi32as1(i32, memref<4x?xi32, 1>) attributes {llvm.emit_c_interface}
// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @named
// CHECK: call @linalg_fill_i32_view4xsxi32as1(%arg1, %arg0) : (i32, memref<4x?xi32, 1>) -> ()
// CHECK: call @linalg_fill_i32_view4xsxi32as1
// DERIVED: func.func private @linalg_fill_i32_view4xsxi32as1(i32, memref<4x?xi32, 1>) attributes {link_with = "k.o", llvm.emit_c_interface}
func.func @named(%m: memref<4x?xi32, 1>, %v: i32) {
  linalg.fill ins(%v : i32) outs(%m : memref<4x?xi32, 1>)
  linalg.fill ins(%v : i32) outs(%m : memref<4x?xi32, 1>)
  return
}

// -----

// The value before a reshape is passed, the name is that of the op. The herd gets link_with.
// CHECK: func.func private @linalg_fill_i32_view16xi32as2(i32, memref<4x4xi32, 2>)
// CHECK: air.herd {{.*}}attributes {link_with = ""}
// CHECK:   %[[M:.*]] = memref.alloc() : memref<4x4xi32, 2>
// CHECK:   func.call @linalg_fill_i32_view16xi32as2(%{{.*}}, %[[M]])
// DERIVED: air.herd {{.*}}attributes {link_with = "k.o"}
func.func @reshaped() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%s=%c1) {
    %v = arith.constant 0 : i32
    %m = memref.alloc() : memref<4x4xi32, 2>
    %flat = memref.collapse_shape %m [[0, 1]] : memref<4x4xi32, 2> into memref<16xi32, 2>
    linalg.fill ins(%v : i32) outs(%flat : memref<16xi32, 2>)
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
// In the innermost module.
// CHECK: module @outer
// CHECK-NEXT: module @inner
// CHECK-NEXT: func.func private @mine
// CHECK-NEXT: func.func private @op_has_no_registered_library_name
// DERIVED: func.func private @mine
// DERIVED-NEXT: func.func private @linalg_generic_view8xi32_view8xi32
module @outer {
  module @inner {
    func.func @generics(%a: memref<8xi32>, %b: memref<8xi32>) {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], library_call = "mine"} ins(%a : memref<8xi32>) outs(%b : memref<8xi32>) {
      ^bb0(%x: i32, %y: i32):
        linalg.yield %x : i32
      }
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<8xi32>) outs(%b : memref<8xi32>) {
      ^bb0(%x: i32, %y: i32):
        linalg.yield %x : i32
      }
      return
    }
  }
}
