// RUN: airlite-opt %s --air-copy-to-linalg --check-each | FileCheck %s
// RUN: airlite-opt %s --air-copy-to-linalg='herds=true' --check-each | FileCheck %s --check-prefix=HERDS

// A copy of the host is made by the device; what a function made goes out with one buffer; cores copy as they do.
// CHECK-LABEL: func.func @main
// CHECK: linalg.copy ins(%{{.*}} : memref<8xi32>) outs(%{{.*}} : memref<8xi32>)
// CHECK: memref.copy %{{.*}} : memref<4xi32, 2> to memref<4xi32, 2>
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8xi32> to memref<8xi32>
// With herds those of cores are generics, and no others change.
// HERDS: memref.copy %{{.*}} : memref<8xi32> to memref<8xi32>
// HERDS: linalg.generic
// HERDS-SAME: ins(%{{.*}} : memref<4xi32, 2>) outs(%{{.*}} : memref<4xi32, 2>)
// HERDS: memref.copy %{{.*}} : memref<8xi32> to memref<8xi32>
func.func @main(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %two = arith.constant 2 : i32
    %m = memref.alloc() : memref<4xi32, 2>
    %n = memref.alloc() : memref<4xi32, 2>
    linalg.fill ins(%two : i32) outs(%m : memref<4xi32, 2>)
    memref.copy %m, %n : memref<4xi32, 2> to memref<4xi32, 2>
    memref.dealloc %m : memref<4xi32, 2>
    memref.dealloc %n : memref<4xi32, 2>
  }
  %made = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%made : memref<8xi32>)
  memref.copy %made, %c : memref<8xi32> to memref<8xi32>
  memref.dealloc %made : memref<8xi32>
  return
}
