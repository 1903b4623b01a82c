// Parts of memory of the host at places that loops of the sequence compute: rows, columns, and parts of parts.
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --target=npu2 --on=sim --compare=interp --init=random:2 %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit

#row = affine_map<(d0) -> (0, d0)>
#column = affine_map<(d0) -> (d0, 0)>
#id = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<6x64xi32>, %b: memref<64x8xi32>, %sums: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %lower = memref.subview %a[2, 0] [4, 64] [1, 1] : memref<6x64xi32> to memref<4x64xi32, strided<[64, 1], offset: 128>>
  scf.for %i = %c0 to %c4 step %c1 {
    %row = memref.subview %lower[%i, 0] [1, 64] [1, 1] : memref<4x64xi32, strided<[64, 1], offset: 128>> to memref<1x64xi32, strided<[64, 1], offset: ?>>
    %place = arith.muli %i, %c2 : index
    %column = memref.subview %b[0, %place] [64, 1] [1, 1] : memref<64x8xi32> to memref<64x1xi32, strided<[8, 1], offset: ?>>
    linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel"]} ins(%row, %column : memref<1x64xi32, strided<[64, 1], offset: ?>>, memref<64x1xi32, strided<[8, 1], offset: ?>>) outs(%sums : memref<64xi32>) {
    ^bb0(%x: i32, %y: i32, %sum: i32):
      %product = arith.muli %x, %y : i32
      %new = arith.addi %sum, %product : i32
      linalg.yield %new : i32
    }
  }
  return
}
