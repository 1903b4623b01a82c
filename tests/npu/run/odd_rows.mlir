// Rows of bf16 that begin and end inside of words, as few rows, one row or more rows than vectors take at once: cores copy them by vectors.
// RUN: for t in npu1 npu2; do for f in few rest one many sums long_rows; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// RUN: for f in few rest sums; do airlite-run --on=sim --exact --reverse-tiles --compare=interp --init=random:2 --function=$f %s || exit 1; done
// CHECK-COUNT-12: arguments are as in the interpreter, bit by bit
// What is left of rows that columns of cores share lies anywhere in memory, one after the other: its rows need no stride.
// RUN: airlite-compile --target=npu1 --function=long_rows --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=FUSED --implicit-check-not='whole words'
// FUSED: [air-fuse-rows] fused 2 ops: 4 columns of 4 cores
// What no tile divides is left to one core.
// RUN: airlite-compile --target=npu1 --function=rest --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=REST
// REST: [air-fuse-rows] fused 2 ops: {{.*}} rows at a time, and {{[0-9]+}} rows
func.func @few(%a: memref<3x515xbf16>, %x: memref<515xbf16>, %y: memref<3xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<3xbf16>)
  linalg.matvec ins(%a, %x : memref<3x515xbf16>, memref<515xbf16>) outs(%y : memref<3xbf16>)
  return
}
func.func @rest(%a: memref<41x101xbf16>, %x: memref<101xbf16>, %y: memref<41xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<41xf32>)
  linalg.matvec ins(%a, %x : memref<41x101xbf16>, memref<101xbf16>) outs(%y : memref<41xf32>)
  return
}
func.func @one(%a: memref<1x1027xbf16>, %x: memref<1027xbf16>, %y: memref<1xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<1xbf16>)
  linalg.matvec ins(%a, %x : memref<1x1027xbf16>, memref<1027xbf16>) outs(%y : memref<1xbf16>)
  return
}
func.func @many(%x: memref<7x79xbf16>, %y: memref<7x79xbf16>) {
  linalg.softmax dimension(1) ins(%x : memref<7x79xbf16>) outs(%y : memref<7x79xbf16>)
  return
}
func.func @long_rows(%a: memref<392x523xbf16>, %x: memref<523xbf16>, %y: memref<392xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<392xf32>)
  linalg.matvec ins(%a, %x : memref<392x523xbf16>, memref<523xbf16>) outs(%y : memref<392xf32>)
  return
}
// Named ops are vectorized as linalg.generic is.
func.func @sums(%a: memref<33x75xbf16>, %y: memref<33xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<33xbf16>)
  linalg.reduce { arith.addf } ins(%a : memref<33x75xbf16>) outs(%y : memref<33xbf16>) dimensions = [1]
  return
}
