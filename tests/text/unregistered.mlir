// What belongs to unknown dialects is kept to the character.
// RUN: airlite-opt %s --allow-unregistered | FileCheck %s
// RUN: airlite-opt %s --allow-unregistered > %t && airlite-opt %t --allow-unregistered | diff %t -
// RUN: airlite-opt %s --allow-unregistered --print-generic > %t && airlite-opt %t --allow-unregistered --print-generic | diff %t -
// RUN: airlite-opt %s --allow-unregistered > %t && airlite-opt %s --allow-unregistered --emit=json > %t.json && airlite-opt %t.json --allow-unregistered | diff %t -
// RUN: not airlite-opt %s 2>&1 | FileCheck %s --check-prefix=STRICT

// STRICT: error: unknown attribute '#foo.bar': its dialect is not registered

#al = #foo.bar<any [balanced] text, "str > )">
!ty = !foo.bar<any  [balanced]   text, "str">
// The long spelling of a name, with or without brackets, is the short one.
// CHECK: module attributes {
// CHECK-SAME: foo.long = #foo<bar baz>
// CHECK-SAME: foo.minus = #foo<a-b ? c * d, #map, %x, !t, $é>
// CHECK-SAME: foo.name = #foo.bar, foo.nested = #foo.bar<<x>>, foo.plain = #foo.plain
// CHECK-SAME: foo.quoted = #foo<"quoted">, foo.short = #foo.bar<x -> y>
// CHECK-SAME: foo.text = #foo.bar<any [balanced] text, "str > )">
module attributes {foo.text = #al, foo.long = #foo<bar baz>, foo.plain = #foo.plain, foo.quoted = #foo<"quoted">, foo.short = #foo.bar<x -> y>, foo.minus = #foo<a-b ? c * d, #map, %x, !t, $é>, foo.name = #foo<bar>, foo.nested = #foo<bar<<x>>>} {
  // CHECK: func.func @f(%arg0: !foo.bar<any  [balanced]   text, "str">, %arg1: !foo<pretty thing>, %arg2: !foo.none, %arg3: tensor<4x!foo.elt<1>>, %arg4: !foo.elt<2>) -> !foo.bar<{a = 1}> {
  func.func @f(%a: !ty, %b: !foo<pretty thing>, %c: !foo.none, %d: tensor<4x!foo.elt<1>>, %e: !foo<elt<2>>) -> !foo.bar<{a = 1}> {
    // CHECK-NEXT: %0 = "foo.op"(%arg0, %arg1) <{arr = [1, "x"], prop = 1 : i32, u}> ({
    // CHECK-NEXT: ^bb0(%arg5: i32):
    // CHECK-NEXT:   "foo.yield"(%arg5) : (i32) -> ()
    // CHECK-NEXT: }, {
    // CHECK-NEXT: }) {attr = #foo.bar<any [balanced] text, "str > )">, "quoted name" = 5 : i64} :
    // CHECK-SAME: (!foo.bar<any  [balanced]   text, "str">, !foo<pretty thing>) -> !foo.bar<{a = 1}>
    %0 = "foo.op"(%a, %b) <{prop = 1 : i32, arr = [1, "x"], u}> ({
      ^bb0(%x: i32):
        "foo.yield"(%x) : (i32) -> ()
      }, {
      }) {attr = #al, "quoted name" = 5 : i64} : (!ty, !foo<pretty thing>) -> !foo.bar<{a = 1}>
    %1:2 = "foo.two"() : () -> (i32, i32)
    // CHECK: "foo.br"(%1#0)[^bb1, ^bb2] : (i32) -> ()
    "foo.br"(%1#0)[^bb1, ^bb2] : (i32) -> ()
  ^bb1:
    "foo.br"()[^bb2] {x = !foo.bar<y>} : () -> ()
  ^bb2:
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    // CHECK: scf.for
    // CHECK-NEXT: "foo.inside"(%arg5) : (index) -> ()
    scf.for %i = %c0 to %c4 step %c4 {
      "foo.inside"(%i) : (index) -> ()
    }
    return %0 : !foo.bar<{a = 1}>
  }
}
