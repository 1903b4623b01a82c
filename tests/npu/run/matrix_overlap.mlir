// Products whose sizes no tiles of the array divide: tiles overlap, with the same bits as otherwise, whichever
// launch instance is last.
// RUN: for f in bytes words floats batches transposed filled filled_floats; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in bytes words; do airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles --sim-timing ddrBytesPerCycle=2 --function=$f %s || exit 1; done
// CHECK-COUNT-7: 3 arguments are as in the interpreter, bit by bit
//
// RUN: airlite-compile --target=npu1 --function=bytes --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: airlite-compile --target=npu1 --function=filled --emit=aie -o %t.filled %s && FileCheck %s --check-prefix=ZEROS --input-file=%t.filled/design.mlir
// Every buffer of a factor in L2 begins as zeros; those of the sums do not.
// ZEROS-NOT: memref<{{[0-9x]+}}xi8, 1 : i32>{{$}}
// ZEROS: aie.buffer({{.*}}xi8, 1 : i32> = dense<0>
// ZEROS-NOT: memref<{{[0-9x]+}}xi8, 1 : i32>{{$}}
// ZEROS: aie.core
// PLAN: tiled: launch {{.*}}, steps {{.*}}, blocks 4x8x8, about
func.func @bytes(%a: memref<122x88xi8>, %b: memref<88x232xi8>, %c: memref<122x232xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<122x232xi32>)
  linalg.matmul ins(%a, %b : memref<122x88xi8>, memref<88x232xi8>) outs(%c : memref<122x232xi32>)
  return
}
func.func @words(%a: memref<73x52xi16>, %b: memref<52x106xi16>, %c: memref<73x106xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<73x106xi32>)
  linalg.matmul ins(%a, %b : memref<73x52xi16>, memref<52x106xi16>) outs(%c : memref<73x106xi32>)
  return
}
// Sums of 17 blocks: the loop of a core has a part of its own for those that are left over.
func.func @floats(%a: memref<58x136xbf16>, %b: memref<136x74xbf16>, %c: memref<58x74xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<58x74xf32>)
  linalg.matmul ins(%a, %b : memref<58x136xbf16>, memref<136x74xbf16>) outs(%c : memref<58x74xf32>)
  return
}
func.func @batches(%a: memref<2x70x32xi8>, %b: memref<2x32x72xi8>, %c: memref<2x70x72xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<2x70x72xi32>)
  linalg.batch_matmul ins(%a, %b : memref<2x70x32xi8>, memref<2x32x72xi8>) outs(%c : memref<2x70x72xi32>)
  return
}
func.func @transposed(%a: memref<90x64xi8>, %b: memref<104x64xi8>, %c: memref<90x104xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<90x104xi32>)
  linalg.matmul_transpose_b ins(%a, %b : memref<90x64xi8>, memref<104x64xi8>) outs(%c : memref<90x104xi32>)
  return
}
// Sums of 52 and 50 elements: zeros in L2 fill the last block up.
func.func @filled(%a: memref<40x52xi8>, %b: memref<52x48xi8>, %c: memref<40x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<40x48xi32>)
  linalg.matmul ins(%a, %b : memref<40x52xi8>, memref<52x48xi8>) outs(%c : memref<40x48xi32>)
  return
}
func.func @filled_floats(%a: memref<40x50xbf16>, %b: memref<50x48xbf16>, %c: memref<40x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<40x48xf32>)
  linalg.matmul ins(%a, %b : memref<40x50xbf16>, memref<50x48xbf16>) outs(%c : memref<40x48xf32>)
  return
}
