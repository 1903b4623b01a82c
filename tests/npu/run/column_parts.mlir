// Columns of long matrices are summed up in parts by all cores, where there are few of them or they begin inside of words.
// REQUIRES: !sanitize
// RUN: for t in npu1 npu2; do for f in odd few bytes named; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// RUN: for f in odd few bytes; do airlite-run --on=sim --reverse-tiles --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: airlite-run --on=sim --exact --compare=interp --init=random:3 --function=few %s
// CHECK-COUNT-8: arguments are as in the interpreter, bit by bit
// RUN: for f in odd few bytes named; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1; done | FileCheck %s --check-prefix=PARTS
// PARTS-COUNT-4: [air-fuse-rows] fused 2 ops: {{[24] columns of [24] cores}}
func.func @odd(%a: memref<500x77xbf16>, %y: memref<77xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<77xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : memref<500x77xbf16>) outs(%y : memref<77xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %s = arith.addf %o, %w : f32
    linalg.yield %s : f32
  }
  return
}
// What the result held counts as well; the loop of columns comes first.
func.func @few(%a: memref<1024x24xf32>, %b: memref<1024xf32>, %y: memref<24xf32>) {
  linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : memref<1024x24xf32>, memref<1024xf32>) outs(%y : memref<24xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %s = arith.maximumf %o, %d : f32
    linalg.yield %s : f32
  }
  return
}
func.func @bytes(%a: memref<1203x67xi8>, %y: memref<67xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<67xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : memref<1203x67xi8>) outs(%y : memref<67xi32>) {
  ^bb0(%x: i8, %o: i32):
    %w = arith.extsi %x : i8 to i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  }
  return
}
func.func @named(%a: memref<700x64xi32>, %y: memref<64xi32>) {
  linalg.reduce { arith.minsi } ins(%a : memref<700x64xi32>) outs(%y : memref<64xi32>) dimensions = [0]
  return
}
