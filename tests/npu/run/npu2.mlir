// npu2: code on AIE2P cores with the bits of the interpreter. The files say which cores they are for.
// RUN: airlite-compile %s --target=npu2 --function=numbers -o %t.a
// RUN: airlite-run --on=interp %s --function=numbers --init=random:1 --output 2=%t.i.npy
// RUN: airlite-run --on=sim %t.a --init=random:1 --output arg2=%t.s.npy && cmp %t.i.npy %t.s.npy
// RUN: airlite-compile %s --target=npu2_1col --function=bytes -o %t.b
// RUN: airlite-run --on=interp %s --function=bytes --init=random:2 --output 2=%t.i.npy
// RUN: airlite-run --on=sim %t.b --init=random:2 --output arg2=%t.s.npy && cmp %t.i.npy %t.s.npy
// RUN: airlite-compile %s --target=npu2_4col --function=product -o %t.c
// RUN: airlite-run --on=interp %s --function=product --init=random:3 --output 2=%t.i.npy
// RUN: airlite-run --on=sim %t.c --init=random:3 --output arg2=%t.s.npy && cmp %t.i.npy %t.s.npy
// RUN: airlite-inspect --check-hazards %t.a/core_0_2.elf
// RUN: airlite-inspect --disasm --device=npu2 %t.a/core_0_2.elf | FileCheck %s --check-prefix=CODE
// RUN: FileCheck %s --check-prefix=CODE < %t.a/core_0_2.s
// RUN: airlite-compile %s --target=npu2_2col --exact --function=floats -o %t.d
// RUN: airlite-run --on=interp %s --function=floats --init=random:4 --output 1=%t.i.npy
// RUN: airlite-run --on=sim %t.d --init=random:4 --output arg1=%t.s.npy && cmp %t.i.npy %t.s.npy
// RUN: airlite-compile %S/Inputs/vector_core.mlir --target=npu2 -o %t.e
// RUN: FileCheck %s --check-prefix=VECTORS < %t.e/core_0_2.s
// RUN: airlite-run --on=sim --target=npu2 %s --function=bytes --init=random:5 --compare=interp | FileCheck %s --check-prefix=SAME
// RUN: airlite-run --on=sim --target=npu2_3col %s --function=product --init=random:6 --compare=interp --stats | FileCheck %s --check-prefix=SAME
// RUN: airlite-run --on=sim --target=npu2_1col %s --function=halves --init=random:7 --compare=interp | FileCheck %s --check-prefix=SAME
// RUN: not airlite-run --on=sim --target=gfx942 %s --init=zero 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not airlite-run --on=sim --target=npu2 %t.a --init=zero 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: airlite-run --on=sim --target=npu2_2col %s --function=floats --init=random:4 --compare=interp | FileCheck %s --check-prefix=FLOATS
// FLOATS: 2 arguments are as in the interpreter, bit by bit
// SAME: 3 arguments are as in the interpreter, bit by bit
// NONE: error: --target=gfx942 is not an NPU, see airlite-compile --list-targets
// BYTES: error: --compare, --exact, --float-blocks, --tuned and --target need the program: a design is bytes alone
// CODE: movxm sp, #458752
// CODE: acq #{{[0-9]+}}, r{{[0-9]+}}
// CODE: add r{{[0-9]+}}, r{{[0-9]+}}, {{[r#][0-9]+}}
// VECTORS: {{vld[ab]}} x[[#X:]], [p{{[0-9]}}
// VECTORS: vadd.32 x{{[0-9]+}}, x[[#X]], x[[#X]]
// VECTORS: vst x

#map = affine_map<(d0) -> (d0)>

func.func @numbers(%a: memref<2048xi32>, %b: memref<2048xi32>, %out: memref<2048xi32>) {
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : memref<2048xi32>, memref<2048xi32>) outs(%out : memref<2048xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %c = arith.constant 77777 : i32
    %product = arith.muli %x, %y : i32
    %sum = arith.addi %product, %c : i32
    %least = arith.minsi %sum, %x : i32
    %quotient = arith.divsi %least, %c : i32
    %all = arith.addi %sum, %quotient : i32
    linalg.yield %all : i32
  }
  return
}

func.func @bytes(%a: memref<1024xi8>, %b: memref<1024xi8>, %out: memref<1024xi8>) {
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : memref<1024xi8>, memref<1024xi8>) outs(%out : memref<1024xi8>) {
  ^bb0(%x: i8, %y: i8, %z: i8):
    %product = arith.muli %x, %y : i8
    %largest = arith.maxui %product, %y : i8
    %sum = arith.addi %largest, %x : i8
    linalg.yield %sum : i8
  }
  return
}

func.func @product(%a: memref<16x32xi8>, %b: memref<32x16xi8>, %out: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x16xi8>) outs(%out : memref<16x16xi32>)
  return
}

func.func @floats(%a: memref<64xf32>, %out: memref<64xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<64xf32>) outs(%out : memref<64xf32>) {
  ^bb0(%x: f32, %z: f32):
    %sum = arith.addf %x, %x : f32
    %root = math.sqrt %sum : f32
    %difference = arith.subf %root, %x : f32
    linalg.yield %difference : f32
  }
  return
}

func.func @halves(%a: memref<1024xbf16>, %b: memref<1024xbf16>, %out: memref<1024xbf16>) {
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : memref<1024xbf16>, memref<1024xbf16>) outs(%out : memref<1024xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %z: bf16):
    %product = arith.mulf %x, %y : bf16
    %largest = arith.maximumf %product, %y : bf16
    %sum = arith.addf %largest, %x : bf16
    linalg.yield %sum : bf16
  }
  return
}
