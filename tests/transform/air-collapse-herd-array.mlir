// Herds that are wider or higher than the array get another shape; their cores stay.
// RUN: airlite-opt %s --air-collapse-herd=array=4,4 | FileCheck %s
// RUN: airlite-opt %s --air-collapse-herd=array=4,4 --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @wide
// CHECK: air.herd @a tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c4{{.*}})
// CHECK: %[[B:.*]] = arith.muli %[[X]], %{{.*}}
// CHECK: %[[N:.*]] = arith.addi %[[B]], %[[Y]]
// CHECK: %[[OY:.*]] = arith.remsi %[[N]], %[[C2:.*]] : index
// CHECK: %[[OX:.*]] = arith.divsi %[[N]], %[[C2]] : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[OX]], %[[OY]]]
func.func @wide() {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  air.herd @a tile (%x, %y) in (%sx = %c8, %sy = %c2) {
    %t = memref.alloc() : memref<8x2xi32, 2>
    %v = arith.index_cast %x : index to i32
    memref.store %v, %t[%x, %y] : memref<8x2xi32, 2>
  }
  return
}

// Six cores are two columns of three.
// CHECK-LABEL: func.func @high
// CHECK: air.herd @b tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c3{{.*}})
func.func @high() {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  air.herd @b tile (%x, %y) in (%sx = %c1, %sy = %c6) {
    %t = memref.alloc() : memref<6xi32, 2>
    %v = arith.constant 1 : i32
    memref.store %v, %t[%y] : memref<6xi32, 2>
  }
  return
}

// REMARK: [[@LINE+5]]:3: remark: [air-collapse-herd] the array has room for the herd
// REMARK: [[@LINE+6]]:3: remark: [air-collapse-herd] no shape of the array has so many cores
func.func @stay() {
  %c2 = arith.constant 2 : index
  %c17 = arith.constant 17 : index
  air.herd @c tile (%x, %y) in (%sx = %c2, %sy = %c2) {
  }
  air.herd @d tile (%x, %y) in (%sx = %c17, %sy = %c2) {
  }
  return
}
