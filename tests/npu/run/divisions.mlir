// Integers divided by constants go through vectors: no core divides.
// REQUIRES: !sanitize
// RUN: for f in bytes words rounded rounded_words; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-8: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=words %s -o %t && cat %t/*core_*.s | FileCheck %s --check-prefix=CORE
// CORE-NOT: divs{{ }}
// CORE: vm{{ac|ul}}
// CORE-NOT: divs{{ }}
#id = affine_map<(i, j) -> (i, j)>
func.func @bytes(%x: memref<64x256xi8>, %y: memref<64x256xi8>) {
  %seven = arith.constant 7 : i8
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x256xi8>) outs(%y : memref<64x256xi8>) {
  ^bb0(%number: i8, %old: i8):
    %quotient = arith.divsi %number, %seven : i8
    linalg.yield %quotient : i8
  }
  return
}
func.func @words(%x: memref<61x250xi32>, %y: memref<61x250xi32>) {
  %seven = arith.constant -7 : i32
  %hundred = arith.constant 100 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<61x250xi32>) outs(%y : memref<61x250xi32>) {
  ^bb0(%number: i32, %old: i32):
    %quotient = arith.divsi %number, %seven : i32
    %rest = arith.remui %number, %hundred : i32
    %sum = arith.addi %quotient, %rest : i32
    linalg.yield %sum : i32
  }
  return
}
// Quotients rounded down and up, by divisors of both signs.
func.func @rounded(%x: memref<64x256xi8>, %y: memref<64x256xi8>) {
  %three = arith.constant 3 : i8
  %seven = arith.constant -7 : i8
  %nine = arith.constant 9 : i8
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x256xi8>) outs(%y : memref<64x256xi8>) {
  ^bb0(%number: i8, %old: i8):
    %up = arith.ceildivsi %number, %three : i8
    %down = arith.floordivsi %number, %seven : i8
    %over = arith.ceildivsi %number, %seven : i8
    %unsigned = arith.ceildivui %number, %nine : i8
    %a = arith.xori %up, %down : i8
    %b = arith.subi %over, %unsigned : i8
    %c = arith.muli %a, %nine : i8
    %d = arith.addi %b, %c : i8
    linalg.yield %d : i8
  }
  return
}
func.func @rounded_words(%x: memref<61x250xi32>, %y: memref<61x250xi32>) {
  %seven = arith.constant -7 : i32
  %hundred = arith.constant 100 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<61x250xi32>) outs(%y : memref<61x250xi32>) {
  ^bb0(%number: i32, %old: i32):
    %down = arith.floordivsi %number, %seven : i32
    %up = arith.ceildivsi %number, %hundred : i32
    %sum = arith.addi %down, %up : i32
    linalg.yield %sum : i32
  }
  return
}
