// Names for locations: defined anywhere at the top, also after their use; printed as MLIR 19 does.
// RUN: airlite-opt %s --print-debuginfo | FileCheck %s
// RUN: airlite-opt %s --print-debuginfo > %t && airlite-opt %t --print-debuginfo | diff %t -
// RUN: airlite-opt %s --print-debuginfo --print-generic > %t && airlite-opt %t --print-debuginfo --print-generic | diff %t -
// RUN: airlite-opt %s --emit=json > %t.json
// RUN: airlite-opt %s --print-debuginfo > %t && airlite-opt %t.json --print-debuginfo | diff %t -
// RUN: airlite-opt %s | FileCheck %s --check-prefix=PLAIN

// What an attribute or an argument needs stands in front, by depth.
// CHECK: #[[ARG:loc[0-9]*]] = loc("arg":3:4)
// CHECK: #[[ATTR:loc[0-9]*]] = loc("attr":7:8)
// CHECK: #map = affine_map<(d0) -> (d0 + 1)>
// CHECK: module
// CHECK: func.func @f(%arg0: i32 loc("arg":3:4), %arg1: memref<4xi32, #map> {test.x} loc("named"(#[[ARG]]))) attributes {where = #[[ATTR]]}
// CHECK-NEXT: arith.addi %arg0, %arg0 : i32 loc(#[[LATER:loc[0-9]*]])
// CHECK-NEXT: arith.addi %arg0, %arg0 : i32 loc(#[[UNKNOWN:loc[0-9]*]])
// CHECK-NEXT: arith.addi %arg0, %arg0 : i32 loc(#[[FUSED:loc[0-9]*]])
// CHECK-NEXT: arith.addi %arg0, %arg0 : i32 loc(#[[ONE:loc[0-9]*]])
// CHECK-NEXT: cf.br ^bb1(%0 : i32) loc(#[[CALL:loc[0-9]*]])
// CHECK-NEXT: ^bb1(%4: i32 loc("argument"(#[[ARG]]))):
// CHECK-NEXT: return loc(#[[MAPPED:loc[0-9]*]])
// CHECK: } loc(#{{loc[0-9]*}})
// CHECK-NEXT: } loc(#{{loc[0-9]*}})
// CHECK-DAG: #[[UNKNOWN]] = loc(unknown)
// CHECK-DAG: #[[ONE]] = loc("y":1:1)
// CHECK-DAG: #[[Z:loc[0-9]*]] = loc("z":2:2)
// CHECK-DAG: #map1 = affine_map<(d0) -> (d0 * 3)>
// CHECK-DAG: #[[FUSED]] = loc(fused[#[[ONE]], #[[Z]]])
// CHECK-DAG: #[[DEEP:loc[0-9]*]] = loc("deep"(#[[ONE]]))
// CHECK-DAG: #[[LATER]] = loc("later"(#[[DEEP]]))
// CHECK-DAG: #[[CALL]] = loc(callsite(#[[Z]] at #[[DEEP]]))
// CHECK-DAG: #[[MAPPED]] = loc(fused<#map1>[#[[Z]]])

// Without locations only the attribute has one.
// PLAIN: #loc = loc("attr":7:8)
// PLAIN-NEXT: #map = affine_map<(d0) -> (d0 + 1)>
// PLAIN-NEXT: module {
// PLAIN-NEXT: func.func @f(%arg0: i32, %arg1: memref<4xi32, #map> {test.x}) attributes {where = #loc}
// PLAIN-NOT: loc

#early = loc("early")
func.func @f(%a: i32 loc("arg":3:4), %b: memref<4xi32, affine_map<(d0) -> (d0 + 1)>> {test.x} loc("named"("arg":3:4))) attributes {where = loc("attr":7:8)} {
  %0 = arith.addi %a, %a : i32 loc(#later)
  %1 = arith.addi %a, %a : i32 loc(unknown)
  // A fusion has each location once and no unknown ones.
  %2 = arith.addi %a, %a : i32 loc(fused["y":1:1, #z, "y":1:1, unknown, fused[#z]])
  %3 = arith.addi %a, %a : i32 loc(fused["y":1:1])
  cf.br ^bb1(%0 : i32) loc(callsite(#z at #deep))
^bb1(%c: i32 loc("argument"("arg":3:4))):
  return loc(fused<affine_map<(d0) -> (d0 * 3)>>[#z])
} loc(#early)
#later = loc("later"(#deep))
#deep = loc("deep"("y":1:1))
#z = loc("z":2:2)
