// Sums of 8 and 16 bits on cores of both devices: units widen them as they load them and cut them as they store them, in each of the
// steps of a sum. What they begin with makes them wrap.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=bytes %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=halves %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=sums_of_bytes %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=cut %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=bytes %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=halves %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=sums_of_bytes %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=cut %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
#rows = affine_map<(i, j) -> (i, j)>
func.func @bytes(%a: memref<40x320xi8>, %b: memref<320x72xi8>, %c: memref<40x72xi8>) {
  %first = arith.constant 100 : i8
  linalg.fill ins(%first : i8) outs(%c : memref<40x72xi8>)
  linalg.matmul ins(%a, %b : memref<40x320xi8>, memref<320x72xi8>) outs(%c : memref<40x72xi8>)
  return
}
func.func @halves(%a: memref<40x320xi16>, %b: memref<320x72xi16>, %c: memref<40x72xi16>) {
  %first = arith.constant -32760 : i16
  linalg.fill ins(%first : i16) outs(%c : memref<40x72xi16>)
  linalg.matmul ins(%a, %b : memref<40x320xi16>, memref<320x72xi16>) outs(%c : memref<40x72xi16>)
  return
}
func.func @sums_of_bytes(%a: memref<40x320xi8>, %b: memref<320x72xi8>, %c: memref<40x72xi16>) {
  %first = arith.constant 32760 : i16
  linalg.fill ins(%first : i16) outs(%c : memref<40x72xi16>)
  linalg.matmul ins(%a, %b : memref<40x320xi8>, memref<320x72xi8>) outs(%c : memref<40x72xi16>)
  return
}
func.func @cut(%a: memref<64x256xi8>, %b: memref<256x64xi8>, %c: memref<64x64xi8>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<64x64xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x256xi8>, memref<256x64xi8>) outs(%sums : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<64x64xi32>) outs(%c : memref<64x64xi8>) {
  ^bb0(%x: i32, %y: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  }
  memref.dealloc %sums : memref<64x64xi32>
  return
}
