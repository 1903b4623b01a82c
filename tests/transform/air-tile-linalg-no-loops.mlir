// RUN: airlite-opt %s --check-each --air-tile-linalg --remarks 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s --function=none 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s --function=column 2>&1 | FileCheck %s --check-prefix=SAME

// SAME: are as in the interpreter, bit by bit

// Without dimensions there is nothing to tile: one core loads, computes and stores.
// REMARK: remark: [air-tile-linalg] without loops: it becomes loads and stores
// CHECK-LABEL: func.func @none
// CHECK: %[[X:.*]] = memref.load %arg0[] : memref<i32>
// CHECK: %[[TWICE:.*]] = arith.addi %[[X]], %[[X]]
// CHECK: memref.store %[[TWICE]], %arg1[] : memref<i32>
func.func @none(%a: memref<i32>, %b: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%a : memref<i32>) outs(%b : memref<i32>) {
  ^bb0(%x: i32, %o: i32):
    %t = arith.addi %x, %x : i32
    linalg.yield %t : i32
  }
  return
}

// A dimension of one element needs no loop.
// CHECK-LABEL: func.func @column
// CHECK: scf.parallel
// CHECK: linalg.generic
func.func @column(%a: memref<64xi32>, %b: memref<64x1xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]} ins(%a : memref<64xi32>) outs(%b : memref<64x1xi32>) {
  ^bb0(%x: i32, %o: i32):
    %t = arith.addi %x, %x : i32
    linalg.yield %t : i32
  }
  return
}

// Two elements, of which it writes one: the other one is not its own.
// REMARK: remark: [air-tile-linalg] not tiled: an index of an operand has a constant part
// CHECK-LABEL: func.func @one_of_two
// CHECK-NOT: scf.parallel
func.func @one_of_two(%a: memref<64xi32>, %b: memref<64x2xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 1)>], iterator_types = ["parallel"]} ins(%a : memref<64xi32>) outs(%b : memref<64x2xi32>) {
  ^bb0(%x: i32, %o: i32):
    linalg.yield %x : i32
  }
  return
}
