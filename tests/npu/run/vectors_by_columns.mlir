// A vector by a matrix, and matrices of fewer rows than the matrix unit takes: rows are filled up with zeros in L2.
// RUN: for f in halves bytes narrow two; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in three adds column narrow; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in halves three; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s || exit 1; done
// RUN: for f in halves adds; do airlite-run --on=sim --exact --compare=interp --init=random:2 --function=$f %s || exit 1; done
// CHECK-COUNT-4: 3 arguments are as in the interpreter, bit by bit
// RUN: for f in halves bytes narrow two three; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1; done | FileCheck %s --check-prefix=BLOCKS
// BLOCKS-COUNT-5: tiled: {{.*}}tile of a core 4x{{.*}}blocks 4x
func.func @halves(%x: memref<64xbf16>, %a: memref<64x128xbf16>, %y: memref<128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<128xf32>)
  linalg.vecmat ins(%x, %a : memref<64xbf16>, memref<64x128xbf16>) outs(%y : memref<128xf32>)
  return
}
func.func @bytes(%x: memref<1x72xi8>, %a: memref<72x136xi8>, %y: memref<1x136xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x136xi32>)
  linalg.matmul ins(%x, %a : memref<1x72xi8>, memref<72x136xi8>) outs(%y : memref<1x136xi32>)
  return
}
func.func @narrow(%x: memref<1x128xi16>, %a: memref<128x64xi16>, %y: memref<1x64xi16>) {
  %zero = arith.constant 0 : i16
  linalg.fill ins(%zero : i16) outs(%y : memref<1x64xi16>)
  linalg.matmul ins(%x, %a : memref<1x128xi16>, memref<128x64xi16>) outs(%y : memref<1x64xi16>)
  return
}
func.func @two(%x: memref<2x64xbf16>, %a: memref<64x64xbf16>, %y: memref<2x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<2x64xbf16>)
  linalg.matmul ins(%x, %a : memref<2x64xbf16>, memref<64x64xbf16>) outs(%y : memref<2x64xbf16>)
  return
}
func.func @three(%x: memref<3x72xi8>, %a: memref<136x72xi8>, %y: memref<3x136xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<3x136xi32>)
  linalg.matmul_transpose_b ins(%x, %a : memref<3x72xi8>, memref<136x72xi8>) outs(%y : memref<3x136xi32>)
  return
}
func.func @adds(%x: memref<64xi16>, %a: memref<64x96xi16>, %y: memref<96xi32>) {
  linalg.vecmat ins(%x, %a : memref<64xi16>, memref<64x96xi16>) outs(%y : memref<96xi32>)
  return
}
func.func @column(%a: memref<64x128xbf16>, %x: memref<64x1xbf16>, %y: memref<128x1xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<128x1xf32>)
  linalg.matmul_transpose_a ins(%a, %x : memref<64x128xbf16>, memref<64x1xbf16>) outs(%y : memref<128x1xf32>)
  return
}
