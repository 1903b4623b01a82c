// Conditions by vectors: of floats, combined, as numbers, and selecting elements that are wider or narrower than those compared.
// RUN: for f in widths masks numbers; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in widths masks numbers; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: for f in widths masks numbers; do airlite-run --on=sim --exact --compare=interp --init=random:3 --function=$f %s || exit 1; done
// RUN: for f in widths masks; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s; done 2>&1 | FileCheck %s --check-prefix=VECTORS --allow-empty
// VECTORS-NOT: an op has no vector form
// RUN: not airlite-run --on=sim --init=random:1 --function=beyond %s 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: an index of a core has 32 bits: 3000000000
// CHECK-COUNT-3: arguments are as in the interpreter, bit by bit
func.func @widths(%a0: memref<1003xbf16>, %a1: memref<1003xbf16>, %a2: memref<1003xi8>, %a3: memref<1003xi8>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0, %a1, %a2 : memref<1003xbf16>, memref<1003xbf16>, memref<1003xi8>) outs(%a3 : memref<1003xi8>) {
  ^bb0(%x0: bf16, %x1: bf16, %x2: i8, %x3: i8):
    %c = arith.cmpf ole, %x0, %x1 : bf16
    %z = arith.constant 3 : i8
    %d = arith.cmpi sgt, %x2, %z : i8
    %b = arith.andi %c, %d : i1
    %r = arith.extui %b : i1 to i8
    linalg.yield %r : i8
  }
  return
}
func.func @masks(%a0: memref<1003xi8>, %a1: memref<1003xi32>, %a2: memref<1003xi16>, %a3: memref<1003xi16>, %a4: memref<1003xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0, %a1, %a2 : memref<1003xi8>, memref<1003xi32>, memref<1003xi16>) outs(%a3, %a4 : memref<1003xi16>, memref<1003xi32>) {
  ^bb0(%x0: i8, %x1: i32, %x2: i16, %x3: i16, %x4: i32):
    %z = arith.constant 0 : i8
    %c = arith.cmpi ne, %x0, %z : i8
    %r = arith.select %c, %x2, %x3 : i16
    %s = arith.select %c, %x1, %x4 : i32
    linalg.yield %r, %s : i16, i32
  }
  return
}
func.func @numbers(%a0: memref<1003xf32>, %a1: memref<1003xf32>, %a2: memref<1003xf32>, %a3: memref<1003xi16>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0, %a1 : memref<1003xf32>, memref<1003xf32>) outs(%a2, %a3 : memref<1003xf32>, memref<1003xi16>) {
  ^bb0(%x0: f32, %x1: f32, %x2: f32, %x3: i16):
    %c = arith.cmpf ogt, %x0, %x1 : f32
    %h = arith.constant 0.5 : f32
    %d = arith.cmpf olt, %x0, %h : f32
    %b = arith.xori %c, %d : i1
    %e = arith.ori %b, %d : i1
    %r = arith.uitofp %b : i1 to f32
    %s = arith.extsi %e : i1 to i16
    linalg.yield %r, %s : f32, i16
  }
  return
}
// A word would cut what the index is compared with.
func.func @beyond(%x: memref<4x128xi32>, %y: memref<4x128xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x128xi32>) outs(%y : memref<4x128xi32>) {
  ^bb0(%a: i32, %b: i32):
    %j = linalg.index 1 : index
    %q = arith.constant 3000000000 : index
    %p = arith.cmpi slt, %j, %q : index
    %z = arith.constant 0 : i32
    %r = arith.select %p, %a, %z : i32
    linalg.yield %r : i32
  }
  return
}
