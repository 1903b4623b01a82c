// Loops without good divisors, of ops that are no products of matrices: what is left of them is a second op. Of bf16 both parts begin at words.
// RUN: for f in columns in_words all middle number causal greatest turned; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in columns in_words all greatest; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: for f in all middle causal greatest; do airlite-run --on=sim --exact --reverse-tiles --compare=interp --init=random:3 --function=$f %s || exit 1; done
// RUN: airlite-compile --target=npu1 --function=greatest --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: remark: [air-tile-linalg] its loop 1 is split after {{[0-9]+}} rounds: launch 251
// CHECK-COUNT-8: arguments are as in the interpreter
func.func @columns(%a0: memref<127x251xf32>, %a1: memref<251xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a1 : memref<251xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%a0 : memref<127x251xf32>) outs(%a1 : memref<251xf32>) {
  ^bb0(%x0: f32, %x1: f32):
    %r = arith.addf %x0, %x1 : f32
    linalg.yield %r : f32
  }
  return
}
func.func @in_words(%a0: memref<127x251xbf16>, %a1: memref<251xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%a0 : memref<127x251xbf16>) outs(%a1 : memref<251xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16):
    %r = arith.maximumf %x0, %x1 : bf16
    linalg.yield %r : bf16
  }
  return
}
func.func @all(%a0: memref<127x251xi16>, %a1: memref<i16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a0 : memref<127x251xi16>) outs(%a1 : memref<i16>) {
  ^bb0(%x0: i16, %x1: i16):
    %r = arith.addi %x0, %x1 : i16
    linalg.yield %r : i16
  }
  return
}
func.func @middle(%a0: memref<7x31x61xi32>, %a1: memref<7x61xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, k)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a0 : memref<7x31x61xi32>) outs(%a1 : memref<7x61xi32>) {
  ^bb0(%x0: i32, %x1: i32):
    %r = arith.minsi %x0, %x1 : i32
    linalg.yield %r : i32
  }
  return
}
func.func @number(%a0: memref<127x251xbf16>, %a1: memref<bf16>, %a2: memref<127x251xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : memref<127x251xbf16>, memref<bf16>) outs(%a2 : memref<127x251xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16, %x2: bf16):
    %r = arith.mulf %x0, %x1 : bf16
    linalg.yield %r : bf16
  }
  return
}
func.func @causal(%a0: memref<127x131xf32>, %a1: memref<127x131xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : memref<127x131xf32>) outs(%a1 : memref<127x131xf32>) {
  ^bb0(%x0: f32, %x1: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %x0, %x1 : f32
    linalg.yield %r : f32
  }
  return
}
func.func @greatest(%a0: memref<127x251xi32>, %a1: memref<251xi32>, %a2: memref<251xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%a0 : memref<127x251xi32>) outs(%a1, %a2 : memref<251xi32>, memref<251xi32>) {
  ^bb0(%x0: i32, %x1: i32, %x2: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %c = arith.cmpi sgt, %x0, %x1 : i32
    %v = arith.select %c, %x0, %x1 : i32
    %p = arith.select %c, %n, %x2 : i32
    linalg.yield %v, %p : i32, i32
  }
  return
}
func.func @turned(%a0: memref<61x127xi32>, %a1: memref<127x61xi32>) {
  linalg.transpose ins(%a0 : memref<61x127xi32>) outs(%a1 : memref<127x61xi32>) permutation = [1, 0]
  return
}
