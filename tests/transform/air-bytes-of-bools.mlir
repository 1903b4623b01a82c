// Booleans in memory become bytes; a herd that has some keeps them.
// RUN: airlite-opt %s --air-bytes-of-bools | FileCheck %s
// RUN: airlite-opt %s --air-bytes-of-bools --remarks 2>&1 | FileCheck %s --check-prefix=SAYS

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @logic(%arg0: memref<8xi8>, %arg1: memref<8xi8>)
// CHECK: ^bb0(%[[A:.*]]: i8, %[[OLD:.*]]: i8):
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: %[[IS:.*]] = arith.cmpi ne, %[[A]], %[[ZERO]] : i8
// CHECK-NOT: arith.cmpi
// CHECK: %[[NOT:.*]] = arith.xori %[[IS]], %{{.*}} : i1
// CHECK: %[[BYTE:.*]] = arith.extui %[[NOT]] : i1 to i8
// CHECK: linalg.yield %[[BYTE]] : i8
func.func @logic(%a: memref<8xi1>, %b: memref<8xi1>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<8xi1>) outs(%b : memref<8xi1>) {
  ^bb0(%x: i1, %o: i1):
    %true = arith.constant true
    %n = arith.xori %x, %true : i1
    linalg.yield %n : i1
  }
  return
}

// What is only moved stays a byte, fills have a number, loads and stores convert.
// CHECK-LABEL: func.func @moved(
// CHECK: %[[ONE:.*]] = arith.constant 1 : i8
// CHECK: linalg.fill ins(%[[ONE]] : i8)
// CHECK: linalg.copy ins({{.*}} : memref<8xi8>) outs({{.*}} : memref<8xi8>)
// CHECK: %[[BYTE:.*]] = memref.load {{.*}} : memref<8xi8>
// CHECK: %[[IS:.*]] = arith.cmpi ne, %[[BYTE]]
// CHECK: %[[NEW:.*]] = arith.extui %[[IS]] : i1 to i8
// CHECK: memref.store %[[NEW]], {{.*}} : memref<8xi8>
func.func @moved(%a: memref<8xi1>, %b: memref<8xi1>, %i: index, %j: index) {
  %true = arith.constant true
  linalg.fill ins(%true : i1) outs(%a : memref<8xi1>)
  linalg.copy ins(%a : memref<8xi1>) outs(%b : memref<8xi1>)
  %v = memref.load %b[%i] : memref<8xi1>
  memref.store %v, %b[%j] : memref<8xi1>
  return
}

// A named op that computes becomes a generic one.
// CHECK-LABEL: func.func @named(
// CHECK: linalg.generic
// CHECK: ^bb0(%[[C:.*]]: i8, %[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.select %{{.*}}, %[[X]], %[[Y]] : f32
func.func @named(%c: memref<8xi1>, %x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  linalg.select ins(%c, %x, %y : memref<8xi1>, memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @herd(%arg0: memref<8xi1>)
// SAYS: remark: [air-bytes-of-bools] booleans stay: it has memory of i1
func.func @herd(%a: memref<8xi1>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %a) : memref<8xi1> {
  }
  return
}
