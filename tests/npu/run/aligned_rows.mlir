// Rows that are not a whole number of vectors lie apart in L1 (air-align-rows): a softmax of bf16, sums of i8 in 32 bits, and
// the same numbers of i16 added to each row. Vectors at the end of a row read what lies behind it.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=main %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --exact --function=main %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=main %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --emit=air --function=main -o %t && FileCheck %s --check-prefix=AIR < %t/program.mlir
// CHECK: 7 arguments are as in the interpreter, bit by bit
// Rows of 61 bf16 are not whole words: the core copies them to where vectors may begin, and back.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=odd %s | FileCheck %s --check-prefix=ODD
// RUN: airlite-compile %s --target=npu1 --emit=air --function=odd -o %t.odd && FileCheck %s --check-prefix=ODDAIR < %t.odd/program.mlir
// ODD: 2 arguments are as in the interpreter, bit by bit
// ODDAIR-LABEL: func.func @odd
// ODDAIR: air.channel.get async {{.*}} @{{.*}}[%{{.*}}] (%[[PACKED:.*]][0] [{{[0-9]+}}] [1]) {{.*}} : (memref<{{[0-9]+}}xbf16, 2 : i32>)
// ODDAIR: %[[ROW:.*]] = vector.load %[[PACKED]][%{{.*}}] : memref<{{[0-9]+}}xbf16, 2 : i32>, vector<16xbf16>
// ODDAIR: vector.store %[[ROW]], %{{.*}}[%{{.*}}, %{{.*}}] : memref<{{[0-9]+}}x64xbf16, 2 : i32>, vector<16xbf16>
// AIR-DAG: memref<{{.*}}x64xbf16, 2 : i32>
// AIR-DAG: memref<{{.*}}x64xi8, 2 : i32>
// AIR-DAG: memref<{{.*}}x112xi16, 2 : i32>
// Rows of 383 words, which no descriptor of a core counts: the core copies them as well.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=prime %s | FileCheck %s --check-prefix=PRIME
// RUN: airlite-compile %s --target=npu1 --emit=air --function=prime -o %t.prime && FileCheck %s --check-prefix=PRIMEAIR < %t.prime/program.mlir
// PRIME: 2 arguments are as in the interpreter, bit by bit
// PRIMEAIR: vector.load %{{.*}}[%{{.*}}] : memref<{{[0-9]+}}xf32, 2 : i32>, vector<8xf32>
// PRIMEAIR: vector.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<3x384xf32, 2 : i32>, vector<8xf32>
// Rows of 125 bytes, of which each has a number added to it, and the greatest of each column; of 97 halves, to which a row is added.
// RUN: for f in bytes columns halves; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done
// RUN: for f in bytes columns halves; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: for f in bytes columns halves; do airlite-compile %s --target=npu1 --emit=air --function=$f -o %t.$f && cat %t.$f/program.mlir || exit 1; done | FileCheck %s --check-prefix=BYTES
// BYTES-LABEL: func.func @bytes
// BYTES: vector.store %{{.*}}, %{{.*}} : memref<{{[0-9]+}}x128xi8, 2 : i32>, vector<32xi8>
// BYTES-LABEL: func.func @columns
// BYTES: vector.store %{{.*}}, %{{.*}} : memref<{{[0-9]+}}x128xi8, 2 : i32>, vector<32xi8>
// BYTES-LABEL: func.func @halves
// BYTES: vector.store %{{.*}}, %{{.*}} : memref<{{[0-9]+}}x112xi16, 2 : i32>, vector<16xi16>
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%a: memref<40x60xbf16>, %b: memref<40x60xbf16>, %c: memref<64x36xi8>, %d: memref<64xi32>, %e: memref<24x100xi16>, %f: memref<100xi16>, %g: memref<24x100xi16>) {
  linalg.softmax dimension(1) ins(%a : memref<40x60xbf16>) outs(%b : memref<40x60xbf16>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : memref<64x36xi8>) outs(%d : memref<64xi32>) {
  ^bb0(%p: i8, %o: i32):
    %w = arith.extsi %p : i8 to i32
    %r = arith.addi %w, %o : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#both, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%e, %f : memref<24x100xi16>, memref<100xi16>) outs(%g : memref<24x100xi16>) {
  ^bb0(%p: i16, %q: i16, %o: i16):
    %r = arith.addi %p, %q : i16
    linalg.yield %r : i16
  }
  return
}
func.func @odd(%a: memref<40x61xbf16>, %b: memref<40x61xbf16>) {
  linalg.softmax dimension(1) ins(%a : memref<40x61xbf16>) outs(%b : memref<40x61xbf16>)
  return
}

func.func @prime(%x: memref<3x383xf32>, %y: memref<383xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%y : memref<383xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<3x383xf32>) outs(%y : memref<383xf32>) {
  ^bb0(%in: f32, %old: f32):
    %least = arith.minimumf %in, %old : f32
    linalg.yield %least : f32
  }
  return
}

func.func @bytes(%a: memref<64x125xi8>, %b: memref<64xi8>, %c: memref<64x125xi8>) {
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<64x125xi8>, memref<64xi8>) outs(%c : memref<64x125xi8>) {
  ^bb0(%in: i8, %of: i8, %old: i8):
    %sum = arith.addi %in, %of : i8
    linalg.yield %sum : i8
  }
  return
}
func.func @columns(%a: memref<64x125xi8>, %c: memref<125xi8>) {
  %least = arith.constant -128 : i8
  linalg.fill ins(%least : i8) outs(%c : memref<125xi8>)
  linalg.generic {indexing_maps = [#both, #column], iterator_types = ["reduction", "parallel"]} ins(%a : memref<64x125xi8>) outs(%c : memref<125xi8>) {
  ^bb0(%in: i8, %old: i8):
    %most = arith.maxsi %in, %old : i8
    linalg.yield %most : i8
  }
  return
}
func.func @halves(%a: memref<66x97xi16>, %b: memref<97xi16>, %c: memref<66x97xi16>) {
  linalg.generic {indexing_maps = [#both, #column, #both], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<66x97xi16>, memref<97xi16>) outs(%c : memref<66x97xi16>) {
  ^bb0(%in: i16, %of: i16, %old: i16):
    %sum = arith.addi %in, %of : i16
    linalg.yield %sum : i16
  }
  return
}
