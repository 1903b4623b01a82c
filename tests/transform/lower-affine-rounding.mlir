// lower-affine rounds as affine does: the expanded arithmetic, folded, gives these values.
// RUN: airlite-opt --lower-affine --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @minus_seven(
// CHECK-NEXT: %c-3 = arith.constant -3 : index
// CHECK-NEXT: %c-2 = arith.constant -2 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: return %c-3, %c-2, %c2 : index, index, index
func.func @minus_seven() -> (index, index, index) {
  %c = arith.constant -7 : index
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%c)
  %1 = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%c)
  %2 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%c)
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @minus_six(
// CHECK-NEXT: %c-2 = arith.constant -2 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: return %c-2, %c-2, %c0 : index, index, index
func.func @minus_six() -> (index, index, index) {
  %c = arith.constant -6 : index
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%c)
  %1 = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%c)
  %2 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%c)
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @seven(
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: return %c2, %c3, %c1 : index, index, index
func.func @seven() -> (index, index, index) {
  %c = arith.constant 7 : index
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%c)
  %1 = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%c)
  %2 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%c)
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @least(
// CHECK-NEXT: %c-4611686018427387904 = arith.constant -4611686018427387904 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: return %c-4611686018427387904, %c0, %c-4611686018427387904 : index, index, index
func.func @least() -> (index, index, index) {
  %c = arith.constant -9223372036854775808 : index
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%c)
  %1 = affine.apply affine_map<(d0) -> (d0 mod 2)>(%c)
  %2 = affine.apply affine_map<(d0) -> (d0 ceildiv 2)>(%c)
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @divisor_operand(
// CHECK-NEXT: %c-3 = arith.constant -3 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: return %c-3, %c2 : index, index
func.func @divisor_operand() -> (index, index) {
  %c = arith.constant -7 : index
  %d = arith.constant 3 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%c)[%d]
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%c)[%d]
  return %0, %1 : index, index
}
