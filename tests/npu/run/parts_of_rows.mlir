// Ops on halves of rows (a rotary embedding by halves) are one launch, whose rows move whole between the host and L2.
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=rotate %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:5 --function=rotate %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=joined %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=rotate --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED: fused 2 ops: {{[12]}} columns of 4 cores
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#angle = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @rotate(%x: memref<64x6x48xf32>, %cos: memref<64x24xf32>, %sin: memref<64x24xf32>, %y: memref<64x6x48xbf16>) {
  %low = memref.subview %x[0, 0, 0] [64, 6, 24] [1, 1, 1] : memref<64x6x48xf32> to memref<64x6x24xf32, strided<[288, 48, 1]>>
  %high = memref.subview %x[0, 0, 24] [64, 6, 24] [1, 1, 1] : memref<64x6x48xf32> to memref<64x6x24xf32, strided<[288, 48, 1], offset: 24>>
  %to_low = memref.subview %y[0, 0, 0] [64, 6, 24] [1, 1, 1] : memref<64x6x48xbf16> to memref<64x6x24xbf16, strided<[288, 48, 1]>>
  %to_high = memref.subview %y[0, 0, 24] [64, 6, 24] [1, 1, 1] : memref<64x6x48xbf16> to memref<64x6x24xbf16, strided<[288, 48, 1], offset: 24>>
  linalg.generic {indexing_maps = [#all, #all, #angle, #angle, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%low, %high, %cos, %sin : memref<64x6x24xf32, strided<[288, 48, 1]>>, memref<64x6x24xf32, strided<[288, 48, 1], offset: 24>>, memref<64x24xf32>, memref<64x24xf32>)
      outs(%to_low : memref<64x6x24xbf16, strided<[288, 48, 1]>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: bf16):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %d = arith.subf %ac, %bs : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  }
  linalg.generic {indexing_maps = [#all, #all, #angle, #angle, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%high, %low, %cos, %sin : memref<64x6x24xf32, strided<[288, 48, 1], offset: 24>>, memref<64x6x24xf32, strided<[288, 48, 1]>>, memref<64x24xf32>, memref<64x24xf32>)
      outs(%to_high : memref<64x6x24xbf16, strided<[288, 48, 1], offset: 24>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: bf16):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %d = arith.addf %ac, %bs : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}
// What two ops write side by side goes out as whole rows, with rows that are left over.
#rows = affine_map<(d0, d1) -> (d0, d1)>
func.func @joined(%x: memref<75x40xi16>, %y: memref<75x100xi16>) {
  %first = memref.subview %y[0, 0] [75, 40] [1, 1] : memref<75x100xi16> to memref<75x40xi16, strided<[100, 1]>>
  %next = memref.subview %y[0, 40] [75, 40] [1, 1] : memref<75x100xi16> to memref<75x40xi16, strided<[100, 1], offset: 40>>
  %last = memref.subview %y[0, 80] [75, 20] [1, 1] : memref<75x100xi16> to memref<75x20xi16, strided<[100, 1], offset: 80>>
  %three = arith.constant 3 : i16
  linalg.add ins(%x, %x : memref<75x40xi16>, memref<75x40xi16>) outs(%first : memref<75x40xi16, strided<[100, 1]>>)
  linalg.mul ins(%x, %x : memref<75x40xi16>, memref<75x40xi16>) outs(%next : memref<75x40xi16, strided<[100, 1], offset: 40>>)
  linalg.fill ins(%three : i16) outs(%last : memref<75x20xi16, strided<[100, 1], offset: 80>>)
  return
}
