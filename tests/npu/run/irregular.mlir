// Indices that no tile is a part of: quotients, remainders, constants. Such ops run on one core. Tiles have all of a loop that
// runs backwards, and are shared out along the others.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=backwards %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --function=repeated %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:3 --function=stretched %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:4 --function=shifted %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=rows_backwards %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:6 --function=columns_backwards %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:7 --function=both_backwards %s | FileCheck %s
// RUN: airlite-opt %s --air-npu --remarks 2>&1 | FileCheck %s --check-prefix=HERD
// RUN: not airlite-run --on=sim --init=random:1 --function=large %s 2>&1 | FileCheck %s --check-prefix=LARGE
// CHECK: 2 arguments are as in the interpreter, bit by bit
// LARGE: there is no segment or herd to compile
// LARGE: not tiled: the smallest tile takes 786432 bytes of L1 memory of 61440
// HERD: tiled: launch 1x1, herd 4, tile of a core 50x50

func.func @backwards(%a: memref<64xi32>, %b: memref<64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 63)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<64xi32>) outs(%b : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %0 = arith.addi %x, %x : i32
    linalg.yield %0 : i32
  }
  return
}

func.func @repeated(%a: memref<16xi16>, %b: memref<4x64xi16>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1 mod 16)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16xi16>) outs(%b : memref<4x64xi16>) {
  ^bb0(%x: i16, %y: i16):
    linalg.yield %x : i16
  }
  return
}

func.func @stretched(%a: memref<16xf32>, %b: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 4)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

func.func @shifted(%a: memref<65xi32>, %b: memref<64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<65xi32>) outs(%b : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  return
}

func.func @large(%a: memref<65536xi32>, %b: memref<65536xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 65535)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<65536xi32>) outs(%b : memref<65536xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  return
}

func.func @rows_backwards(%a: memref<128x96xf32>, %b: memref<128x96xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, -d1 + 95)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<128x96xf32>) outs(%b : memref<128x96xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

func.func @columns_backwards(%a: memref<50x200xi16>, %b: memref<50x200xi16>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (49 - d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<50x200xi16>) outs(%b : memref<50x200xi16>) {
  ^bb0(%x: i16, %y: i16):
    linalg.yield %x : i16
  }
  return
}

func.func @both_backwards(%a: memref<17x5xbf16>, %b: memref<17x5xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (16 - d0, 4 - d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<17x5xbf16>) outs(%b : memref<17x5xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %0 = arith.addf %x, %y : bf16
    linalg.yield %0 : bf16
  }
  return
}
