// Products of elements that the matrix unit does not multiply are made of products that it does, in blocks
// and in other layouts: f32 in pieces of bf16, i32 in pieces of i16, narrow sums in wide ones.
// RUN: for f in floats odd_floats float_vector words odd_words bytes halves bf16_sums odd_bf16 odd_bf16_sums mixed; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; \
// RUN: done | FileCheck %s
// RUN: for f in odd_floats words mixed; do \
// RUN:   airlite-compile --target=npu1 --function=$f %s -o %t && grep -l vmac %t/core_*.s > /dev/null || exit 1; \
// RUN: done
// CHECK-COUNT-11: 3 arguments are as in the interpreter, bit by bit
func.func @floats(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xf32>, memref<32x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
func.func @odd_floats(%a: memref<9x13xf32>, %b: memref<13x11xf32>, %c: memref<9x11xf32>) {
  linalg.matmul ins(%a, %b : memref<9x13xf32>, memref<13x11xf32>) outs(%c : memref<9x11xf32>)
  return
}
func.func @float_vector(%a: memref<24x20xf32>, %b: memref<20xf32>, %c: memref<24xf32>) {
  linalg.matvec ins(%a, %b : memref<24x20xf32>, memref<20xf32>) outs(%c : memref<24xf32>)
  return
}
func.func @words(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x16xi32>, memref<16x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
func.func @odd_words(%a: memref<18x14xi32>, %b: memref<14x10xi32>, %c: memref<18x10xi32>) {
  linalg.matmul ins(%a, %b : memref<18x14xi32>, memref<14x10xi32>) outs(%c : memref<18x10xi32>)
  return
}
func.func @bytes(%a: memref<16x32xi8>, %b: memref<32x32xi8>, %c: memref<16x32xi8>) {
  linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x32xi8>) outs(%c : memref<16x32xi8>)
  return
}
func.func @halves(%a: memref<16x16xi16>, %b: memref<16x16xi16>, %c: memref<16x16xi16>) {
  linalg.matmul ins(%a, %b : memref<16x16xi16>, memref<16x16xi16>) outs(%c : memref<16x16xi16>)
  return
}
func.func @bf16_sums(%a: memref<16x32xbf16>, %b: memref<32x16xbf16>, %c: memref<16x16xbf16>) {
  linalg.matmul ins(%a, %b : memref<16x32xbf16>, memref<32x16xbf16>) outs(%c : memref<16x16xbf16>)
  return
}
func.func @odd_bf16(%a: memref<10x22xbf16>, %b: memref<22x14xbf16>, %c: memref<10x14xf32>) {
  linalg.matmul ins(%a, %b : memref<10x22xbf16>, memref<22x14xbf16>) outs(%c : memref<10x14xf32>)
  return
}
func.func @odd_bf16_sums(%a: memref<10x22xbf16>, %b: memref<22x14xbf16>, %c: memref<10x14xbf16>) {
  linalg.matmul ins(%a, %b : memref<10x22xbf16>, memref<22x14xbf16>) outs(%c : memref<10x14xbf16>)
  return
}
func.func @mixed(%a: memref<16x16xi16>, %b: memref<16x16xi8>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x16xi16>, memref<16x16xi8>) outs(%c : memref<16x16xi32>)
  return
}
