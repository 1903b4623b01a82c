// Tensors that loops carry: in place, changing places; rounds that take several designs.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=in_place %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --function=swapped %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:4 --function=transposed %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=designs %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:6 --function=two_ops %s | FileCheck %s
// CHECK: as in the interpreter, bit by bit

func.func @in_place(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<64xi32>) {
    %e = tensor.empty() : tensor<64xi32>
    %s = linalg.add ins(%t, %b : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) -> tensor<64xi32>
    scf.yield %s : tensor<64xi32>
  }
  return %r : tensor<64xi32>
}

func.func @swapped(%a: tensor<32xi32>, %b: tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a, %u = %b) -> (tensor<32xi32>, tensor<32xi32>) {
    %e = tensor.empty() : tensor<32xi32>
    %s = linalg.add ins(%t, %u : tensor<32xi32>, tensor<32xi32>) outs(%e : tensor<32xi32>) -> tensor<32xi32>
    scf.yield %u, %s : tensor<32xi32>, tensor<32xi32>
  }
  return %r#0, %r#1 : tensor<32xi32>, tensor<32xi32>
}

func.func @transposed(%a: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> (tensor<8x8xi32>) {
    %e = tensor.empty() : tensor<8x8xi32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<8x8xi32>) outs(%e : tensor<8x8xi32>) {
    ^bb0(%x: i32, %y: i32):
      %one = arith.constant 1 : i32
      %z = arith.addi %x, %one : i32
      linalg.yield %z : i32
    } -> tensor<8x8xi32>
    scf.yield %s : tensor<8x8xi32>
  }
  return %r : tensor<8x8xi32>
}

func.func @designs(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.add ins(%a, %b : memref<64xi32>, memref<64xi32>) outs(%c : memref<64xi32>)
    linalg.mul ins(%c, %b : memref<64xi32>, memref<64xi32>) outs(%a : memref<64xi32>)
  }
  return
}

// The buffer between the ops belongs to an iteration of the host, which is not doubled.
func.func @two_ops(%a: tensor<16x64xi16>, %b: tensor<16x64xi16>) -> tensor<16x64xi16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<16x64xi16>) {
    %e = tensor.empty() : tensor<16x64xi16>
    %u = linalg.add ins(%t, %b : tensor<16x64xi16>, tensor<16x64xi16>) outs(%e : tensor<16x64xi16>) -> tensor<16x64xi16>
    %f = tensor.empty() : tensor<16x64xi16>
    %v = linalg.add ins(%u, %t : tensor<16x64xi16>, tensor<16x64xi16>) outs(%f : tensor<16x64xi16>) -> tensor<16x64xi16>
    scf.yield %v : tensor<16x64xi16>
  }
  return %r : tensor<16x64xi16>
}
