// Numbers of elements and rows without divisors: the last ones are left to one core, and what elements smaller than
// a word leave of the last word is the end of the memory.
// RUN: for f in bytes halves words rows; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-4: arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=words --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=WORDS
// WORDS: flattened: {{.*}} tiles of {{[0-9]+}} elements, and {{[0-9]+}} elements
// RUN: airlite-compile --target=npu1 --function=rows --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: fused 1 ops: {{.*}} rows at a time
// In place, launches overlap as others do: 29 of 106 elements for each core divide it.
// RUN: for f in in_place functions; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done
// RUN: airlite-compile --target=npu1 --function=in_place --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: tiled: launch 1x29, herd 2x4
#same = affine_map<(i, j) -> (i, j)>
func.func @bytes(%a: memref<255x255xi8>, %b: memref<255x255xi8>, %c: memref<255x255xi8>) {
  linalg.add ins(%a, %b : memref<255x255xi8>, memref<255x255xi8>) outs(%c : memref<255x255xi8>)
  return
}
func.func @halves(%a: memref<127x129xbf16>, %c: memref<127x129xbf16>) {
  linalg.exp ins(%a : memref<127x129xbf16>) outs(%c : memref<127x129xbf16>)
  return
}
func.func @words(%a: memref<100003xf32>, %b: memref<100003xf32>, %c: memref<100003xf32>) {
  linalg.mul ins(%a, %b : memref<100003xf32>, memref<100003xf32>) outs(%c : memref<100003xf32>)
  return
}
func.func @rows(%a: memref<127x64xf32>, %s: memref<127xf32>) {
  linalg.reduce ins(%a : memref<127x64xf32>) outs(%s : memref<127xf32>) dimensions = [1]
    (%in: f32, %sum: f32) {
      %0 = arith.addf %in, %sum : f32
      linalg.yield %0 : f32
    }
  return
}
func.func @in_place(%a: memref<106x232xi32>, %c: memref<106x232xi32>) {
  linalg.add ins(%a, %c : memref<106x232xi32>, memref<106x232xi32>) outs(%c : memref<106x232xi32>)
  return
}
func.func @functions(%c: memref<29x501xbf16>) {
  linalg.exp ins(%c : memref<29x501xbf16>) outs(%c : memref<29x501xbf16>)
  return
}
