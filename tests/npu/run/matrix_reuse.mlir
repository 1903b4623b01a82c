// Products that add to C on several columns, whose L2 buffers are sent in halves that no lock pair of a
// part describes: cores of one row need data of two buffers, which turns would send in a circle.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=adds %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=adds --sim-timing ddrBytesPerCycle=2 %s | FileCheck %s
// Nothing stays in L2 where C is read: the host would write it only when all of it has been read.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=adds_rows %s | FileCheck %s
//
// Products that keep columns of the right factor in L2 while the rows of the left one pass by, read in
// long rows; whatever DDR gives, the result is the same.
// RUN: airlite-compile --target=npu1 --function=stays --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: tiled: launch 1x1, herd 4x4, tile of a core {{.*}}, rounds {{[24]}}x1x1
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=stays %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=stays --reverse-tiles --sim-timing ddrBytesPerCycle=2 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=floats %s | FileCheck %s
// Few rows for each core, whose buffers in L2 are split where that pays: their rounds have steps of the reduction in L2 as well.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=few_cores %s | FileCheck %s
// RUN: airlite-compile --target=npu1 --function=few_cores --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: tiled: launch 1x1, herd {{[24]}}x4, {{.*}}, rounds {{[234]}}x1x1
// FEW-NOT: compiled by
// CHECK: 3 arguments are as in the interpreter, bit by bit
//
// RUN: not airlite-run --on=sim --sim-timing ddrBytesPerCycl=2 %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: --sim-timing: the simulator has no time 'ddrBytesPerCycl'; did you mean 'ddrBytesPerCycle'?
func.func @adds(%a: memref<256x128xi8>, %b: memref<128x256xi8>, %c: memref<256x256xi32>) {
  linalg.matmul ins(%a, %b : memref<256x128xi8>, memref<128x256xi8>) outs(%c : memref<256x256xi32>)
  return
}
func.func @adds_rows(%a: memref<512x128xi8>, %b: memref<128x512xi8>, %c: memref<512x512xi32>) {
  linalg.matmul ins(%a, %b : memref<512x128xi8>, memref<128x512xi8>) outs(%c : memref<512x512xi32>)
  return
}
func.func @stays(%a: memref<512x256xi8>, %b: memref<256x256xi8>, %c: memref<512x256xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<512x256xi32>)
  linalg.matmul ins(%a, %b : memref<512x256xi8>, memref<256x256xi8>) outs(%c : memref<512x256xi32>)
  return
}
func.func @floats(%a: memref<768x64xbf16>, %b: memref<64x256xbf16>, %c: memref<768x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<768x256xf32>)
  linalg.matmul ins(%a, %b : memref<768x64xbf16>, memref<64x256xbf16>) outs(%c : memref<768x256xf32>)
  return
}
func.func @few_cores(%a: memref<160x512xi8>, %b: memref<512x128xi8>, %c: memref<160x128xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<160x128xi32>)
  linalg.matmul ins(%a, %b : memref<160x512xi8>, memref<512x128xi8>) outs(%c : memref<160x128xi32>)
  return
}
