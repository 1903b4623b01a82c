// Products whose sums leave a core part by part (aie-send-in-parts): by the DMA, with a bias and an activation on the way, and
// through buffers of results. Whatever DDR gives, and in whichever order tiles are stepped, results are those of the interpreter.
// REQUIRES: !sanitize
// RUN: airlite-compile --target=npu1_1col --function=floats --dump-intermediates %t.d -o %t %s
// RUN: FileCheck %s --check-prefix=PARTS --input-file %t.d/001_aie-send-in-parts.mlir
// RUN: airlite-compile --target=npu1 --function=bias --dump-intermediates %t.d -o %t %s
// RUN: FileCheck %s --check-prefix=PARTS --input-file %t.d/001_aie-send-in-parts.mlir
// RUN: airlite-compile --target=npu1_1col --function=halves --dump-intermediates %t.d -o %t %s
// RUN: FileCheck %s --check-prefix=PARTS --input-file %t.d/001_aie-send-in-parts.mlir
// PARTS: aie.core
// PARTS: scf.for %{{.*}} to %c{{[24]}} step
// PARTS: memref.subview
// PARTS: linalg.generic {{.*}}"reduction"
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=floats %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=floats --reverse-tiles --sim-timing ddrBytesPerCycle=1 %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=bytes %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2_1col --compare=interp --init=random:1 --function=bytes %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=halves %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=bias %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
func.func @floats(%a: memref<256x128xbf16>, %b: memref<128x128xbf16>, %c: memref<256x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x128xf32>)
  linalg.matmul ins(%a, %b : memref<256x128xbf16>, memref<128x128xbf16>) outs(%c : memref<256x128xf32>)
  return
}
func.func @halves(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<256x256xbf16>)
  linalg.matmul ins(%a, %b : memref<256x256xbf16>, memref<256x256xbf16>) outs(%c : memref<256x256xbf16>)
  return
}
func.func @bytes(%a: memref<256x256xi8>, %b: memref<256x128xi8>, %c: memref<256x128xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<256x128xi32>)
  linalg.matmul ins(%a, %b : memref<256x256xi8>, memref<256x128xi8>) outs(%c : memref<256x128xi32>)
  return
}
func.func @bias(%a: memref<256x128xbf16>, %b: memref<128x256xbf16>, %bias: memref<256xf32>, %c: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x256xf32>)
  linalg.matmul ins(%a, %b : memref<256x128xbf16>, memref<128x256xbf16>) outs(%c : memref<256x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : memref<256x256xf32>, memref<256xf32>) outs(%c : memref<256x256xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}
