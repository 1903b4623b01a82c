// RUN: airlite-opt %s --air-tile-linalg='herd=4,4' --air-par-to-herd=depth=1 --air-par-to-launch='depth=0 has-air-segment=true' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-fuse-rows --air-par-to-herd=depth=1 --air-par-to-launch='depth=0 has-air-segment=true' --check-each | FileCheck %s --check-prefix=ROWS

// A launch that updates memory says that it reads an element before it writes it.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
// CHECK-LABEL: @update
// CHECK: air.launch {{.*}}attributes {air.reads_first}
func.func @update(%a: memref<64x64xi32>, %c: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x64xi32>) outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  }
  return
}

// The same by an input.
// CHECK-LABEL: @input
// CHECK: air.launch {{.*}}attributes {air.reads_first}
func.func @input(%a: memref<64x64xi32>, %c: memref<64x64xi32>) {
  linalg.add ins(%a, %c : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>)
  return
}

// What it writes it does not read.
// CHECK-LABEL: @other
// CHECK-NOT: air.reads_first
func.func @other(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>) {
  linalg.add ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>)
  return
}

// Others of its elements would be read when they are written: such an op is not tiled.
// CHECK-LABEL: @transposed
// CHECK-NOT: air.reads_first
func.func @transposed(%c: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%c : memref<64x64xi32>) outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  return
}

// Rows are nests of another pass.
// CHECK-LABEL: @rows
// ROWS-LABEL: @rows
// ROWS: air.launch {{.*}}attributes {air.reads_first}
func.func @rows(%b: memref<64xi32>, %c: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%b : memref<64xi32>) outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  }
  return
}
