// The least integer has no positive twin: its sign belongs to the number.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt --print-generic %s | airlite-opt | FileCheck %s

// CHECK-DAG: affine_map<() -> (-9223372036854775808)>
// CHECK-DAG: affine_map<(d0) -> (d0 + -9223372036854775808, d0 * -9223372036854775808, -d0 + 5)>
func.func @least(%a: index) -> (index, index) {
  %0 = affine.apply affine_map<() -> (-9223372036854775808)>()
  %1 = affine.min affine_map<(d0) -> (d0 + -9223372036854775808, d0 * -9223372036854775808, -d0 + 5)>(%a)
  return %0, %1 : index, index
}
