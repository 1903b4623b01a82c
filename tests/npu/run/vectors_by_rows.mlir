// A matrix by a vector: rows of the matrix come one after the other, whole, and each core reduces some of them.
// RUN: for t in npu1 npu2; do for f in halves narrow bytes floats odd adds; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// RUN: for f in halves bytes adds; do airlite-run --on=sim --exact --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: airlite-run --on=sim --compare=interp --init=random:3 --reverse-tiles --function=adds %s
// CHECK-COUNT-12: 3 arguments are as in the interpreter, bit by bit
// RUN: for f in halves narrow bytes floats odd adds; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1; done | FileCheck %s --check-prefix=ROWS
// ROWS-COUNT-6: [air-fuse-rows] fused 2 ops: {{.*}} rows at a time
func.func @halves(%a: memref<256x128xbf16>, %x: memref<128xbf16>, %y: memref<256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<256xf32>)
  linalg.matvec ins(%a, %x : memref<256x128xbf16>, memref<128xbf16>) outs(%y : memref<256xf32>)
  return
}
func.func @narrow(%a: memref<64x256xbf16>, %x: memref<256xbf16>, %y: memref<64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<64xbf16>)
  linalg.matvec ins(%a, %x : memref<64x256xbf16>, memref<256xbf16>) outs(%y : memref<64xbf16>)
  return
}
func.func @bytes(%a: memref<128x192xi8>, %x: memref<192xi8>, %y: memref<128xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<128xi32>)
  linalg.matvec ins(%a, %x : memref<128x192xi8>, memref<192xi8>) outs(%y : memref<128xi32>)
  return
}
func.func @floats(%a: memref<64x96xf32>, %x: memref<96xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  linalg.matvec ins(%a, %x : memref<64x96xf32>, memref<96xf32>) outs(%y : memref<64xf32>)
  return
}
func.func @odd(%a: memref<127x101xbf16>, %x: memref<101xbf16>, %y: memref<127xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<127xf32>)
  linalg.matvec ins(%a, %x : memref<127x101xbf16>, memref<101xbf16>) outs(%y : memref<127xf32>)
  return
}
// What the result held is added by an op of its own.
func.func @adds(%a: memref<256x128xi8>, %x: memref<128xi8>, %y: memref<256xi32>) {
  linalg.matvec ins(%a, %x : memref<256x128xi8>, memref<128xi8>) outs(%y : memref<256xi32>)
  return
}
