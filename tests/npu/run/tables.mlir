// Ops whose body loads from a table, as look-ups of embeddings do: loops of one core, which holds all of it.
// RUN: for f in look_up embedding; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: not airlite-run --on=sim --init=random:1 --function=large %s 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: tables.mlir:{{[0-9]+}}:{{[0-9]+}}: error: there is no segment or herd to compile
// LARGE: note: stays on the host: its buffers do not fit into L1 memory
// CHECK-COUNT-2: 3 arguments are as in the interpreter, bit by bit
func.func @look_up(%a: memref<1021xi32>, %t: memref<251xi8>, %y: memref<1021xi8>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<1021xi32>) outs(%y : memref<1021xi8>) {
  ^bb0(%x: i32, %old: i8):
    %m = arith.constant 127 : i32
    %w = arith.andi %x, %m : i32
    %i = arith.index_cast %w : i32 to index
    %r = memref.load %t[%i] : memref<251xi8>
    linalg.yield %r : i8
  }
  return
}
func.func @embedding(%a: memref<32xi32>, %t: memref<16x64xbf16>, %y: memref<32x64xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<32xi32>) outs(%y : memref<32x64xbf16>) {
  ^bb0(%x: i32, %old: bf16):
    %m = arith.constant 15 : i32
    %w = arith.andi %x, %m : i32
    %i = arith.index_cast %w : i32 to index
    %j = linalg.index 1 : index
    %r = memref.load %t[%i, %j] : memref<16x64xbf16>
    linalg.yield %r : bf16
  }
  return
}
func.func @large(%a: memref<32xi32>, %t: memref<65536xi32>, %y: memref<32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<32xi32>) outs(%y : memref<32xi32>) {
  ^bb0(%x: i32, %old: i32):
    %m = arith.constant 15 : i32
    %w = arith.andi %x, %m : i32
    %i = arith.index_cast %w : i32 to index
    %r = memref.load %t[%i] : memref<65536xi32>
    linalg.yield %r : i32
  }
  return
}
