// Ops that load elements by themselves: at quotients of their indices they are views, of rows that data chooses cores get columns; columns whose rows
// need each other are shared out.
// RUN: for f in doubled rows columns; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-6: as in the interpreter, bit by bit
// RUN: airlite-opt --pipeline=air-npu %s | FileCheck %s --check-prefix=CORES
// CORES-LABEL: func.func @doubled
// CORES-NOT: arith.floordivsi
// CORES-LABEL: func.func @rows
// CORES: air.herd
// CORES: memref<512x{{[0-9]+}}xi16, 2 : i32>
// CORES-LABEL: func.func @columns
// CORES: air.herd @{{.*}} in (%{{[a-z0-9]+}}=%{{[a-z0-9_]+}}, %{{[a-z0-9]+}}=%c{{[234]}}

#four = affine_map<(n, c, i, j) -> (n, c, i, j)>
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

func.func @doubled(%x: tensor<1x4x8x8xi16>) -> tensor<1x4x16x16xi16> {
  %two = arith.constant 2 : index
  %empty = tensor.empty() : tensor<1x4x16x16xi16>
  %y = linalg.generic {indexing_maps = [#four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%empty : tensor<1x4x16x16xi16>) {
  ^bb0(%o: i16):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %row = arith.floordivsi %i, %two : index
    %column = arith.floordivsi %j, %two : index
    %e = tensor.extract %x[%n, %c, %row, %column] : tensor<1x4x8x8xi16>
    linalg.yield %e : i16
  } -> tensor<1x4x16x16xi16>
  return %y : tensor<1x4x16x16xi16>
}

// The table has twice as much as a core.
func.func @rows(%number: tensor<16xi32>, %table: tensor<512x128xi16>, %bias: tensor<16x128xi16>) -> tensor<16x128xi16> {
  %last = arith.constant 511 : i32
  %empty = tensor.empty() : tensor<16x128xi16>
  %y = linalg.generic {indexing_maps = [#rows, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%number, %bias : tensor<16xi32>, tensor<16x128xi16>) outs(%empty : tensor<16x128xi16>) {
  ^bb0(%a: i32, %b: i16, %o: i16):
    %in = arith.andi %a, %last : i32
    %row = arith.index_cast %in : i32 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %table[%row, %j] : tensor<512x128xi16>
    %s = arith.addi %e, %b : i16
    linalg.yield %s : i16
  } -> tensor<16x128xi16>
  return %y : tensor<16x128xi16>
}

func.func @columns(%a: memref<64x128xi32>) {
  affine.for %i = 1 to 64 {
    affine.for %j = 0 to 128 {
      %x = affine.load %a[%i - 1, %j] : memref<64x128xi32>
      %y = affine.load %a[%i, %j] : memref<64x128xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %a[%i, %j] : memref<64x128xi32>
    }
  }
  return
}
