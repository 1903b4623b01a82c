// RUN: airlite-opt %s --air-narrow-sums --check-each | FileCheck %s

#rows = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>

// Sums that are only cut are made in what the cut writes; what they begin with is cut as well.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: memref.alloc
// CHECK: %[[FIRST:.*]] = arith.constant 44 : i8
// CHECK: linalg.fill ins(%[[FIRST]] : i8) outs(%arg2 : memref<16x8xi8>)
// CHECK: linalg.generic {{.*}} outs(%arg2 : memref<16x8xi8>){{.*}} attrs = {air.followers = 0 : index, air.plans_tried = 1 : index} {
// CHECK-NEXT: ^bb0(%{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i8)
// CHECK-NEXT: arith.muli %{{.*}} : i8
// CHECK-NEXT: arith.addi %{{.*}} : i8
// CHECK-NEXT: linalg.yield
// CHECK-NOT: arith.trunci
// CHECK: return
func.func @whole(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi8>) {
  %first = arith.constant 300 : i32
  %sums = memref.alloc() : memref<16x8xi32>
  linalg.fill ins(%first : i32) outs(%sums : memref<16x8xi32>)
  linalg.matmul {air.plans_tried = 1 : index, air.followers = 0 : index} ins(%a, %b : memref<16x32xi8>, memref<32x8xi8>) outs(%sums : memref<16x8xi32>)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<16x8xi32>) outs(%c : memref<16x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  }
  memref.dealloc %sums : memref<16x8xi32>
  return
}

// What does more than cut reads narrow sums of a buffer; factors are extended to 16 bits.
// CHECK-LABEL: func.func @more
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<16x8xi16>
// CHECK: linalg.fill {{.*}} outs(%[[SUMS]] : memref<16x8xi16>)
// CHECK: arith.extsi %{{.*}} : i8 to i16
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %arg3 : memref<16x8xi16>, memref<16xi16>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i16, %[[Z:.*]]: i16, %{{.*}}: i16)
// CHECK-NEXT: arith.maxsi %[[X]], %[[Z]] : i16
// CHECK: memref.dealloc %[[SUMS]] : memref<16x8xi16>
func.func @more(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi16>, %d: memref<16xi16>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<16x8xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<16x8xi32>)
  linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x8xi8>) outs(%sums : memref<16x8xi32>)
  linalg.generic {indexing_maps = [#rows, #column, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums, %d : memref<16x8xi32>, memref<16xi16>) outs(%c : memref<16x8xi16>) {
  ^bb0(%x: i32, %z: i16, %y: i16):
    %t = arith.trunci %x : i32 to i16
    %m = arith.maxsi %t, %z : i16
    linalg.yield %m : i16
  }
  memref.dealloc %sums : memref<16x8xi32>
  return
}

// The output is read before the cut writes it: the sums have a buffer of their own.
// CHECK-LABEL: func.func @read
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<16x8xi8>
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]] : memref<16x8xi8>)
// CHECK: linalg.copy ins(%arg2 : memref<16x8xi8>) outs(%arg3 : memref<16x8xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : memref<16x8xi8>) outs(%arg2 : memref<16x8xi8>)
func.func @read(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi8>, %d: memref<16x8xi8>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<16x8xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<16x8xi32>)
  linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x8xi8>) outs(%sums : memref<16x8xi32>)
  linalg.copy ins(%c : memref<16x8xi8>) outs(%d : memref<16x8xi8>)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<16x8xi32>) outs(%c : memref<16x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  }
  memref.dealloc %sums : memref<16x8xi32>
  return
}
