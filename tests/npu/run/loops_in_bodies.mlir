// Loops in bodies of elementwise ops are read with those of the op: each of their rounds is an op on vectors.
// RUN: for f in polynomial collatz; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-4: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --remarks --function=polynomial %s -o %t.polynomial 2>&1 | FileCheck %s --check-prefix=VECTORS
// VECTORS: rounds begin {{[0-9]+}} cycles after each other
// VECTORS-NOT: not vectorized

#id = affine_map<(i) -> (i)>

func.func @polynomial(%x: memref<1024xi32>, %y: memref<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<1024xi32>) outs(%y : memref<1024xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %one) -> (i32) {
      %p = arith.muli %s, %a : i32
      %q = arith.addi %p, %one : i32
      scf.yield %q : i32
    }
    linalg.yield %r : i32
  }
  return
}

// Two values are carried, and the number of the round is used.
func.func @collatz(%x: tensor<512xi32>) -> tensor<512xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<512xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<512xi32>) outs(%empty : tensor<512xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r:2 = scf.for %k = %c0 to %c20 step %c1 iter_args(%v = %a, %odd = %zero) -> (i32, i32) {
      %b = arith.andi %v, %one : i32
      %is = arith.cmpi eq, %b, %one : i32
      %h = arith.shrsi %v, %one : i32
      %t = arith.muli %v, %three : i32
      %u = arith.addi %t, %one : i32
      %n = arith.select %is, %u, %h : i32
      %i = arith.index_cast %k : index to i32
      %w = arith.muli %b, %i : i32
      %m = arith.addi %odd, %w : i32
      scf.yield %n, %m : i32, i32
    }
    %z = arith.xori %r#0, %r#1 : i32
    linalg.yield %z : i32
  } -> tensor<512xi32>
  return %y : tensor<512xi32>
}
