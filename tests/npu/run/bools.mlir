// Booleans in memory are bytes on the array, and booleans for whoever calls.
// RUN: for f in compare choose combine move; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in compare choose combine move; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: for n in 2 3; do airlite-run --on=sim --compare=interp --init=random:1 --function=fill --input 1=$n %s || exit 1; done
// RUN: airlite-compile --target=npu1 --function=choose --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=VECTORS --allow-empty
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// VECTORS-NOT: an op has no vector form
// MANIFEST: "element_type": "i1"
// MANIFEST: "name": "arg0"
// MANIFEST: "element_type": "bf16"
// CHECK-COUNT-4: arguments are as in the interpreter, bit by bit
func.func @compare(%a: memref<61x83xf32>, %b: memref<61x83xf32>, %c: memref<61x83xi1>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<61x83xf32>, memref<61x83xf32>) outs(%c : memref<61x83xi1>) {
  ^bb0(%x: f32, %y: f32, %o: i1):
    %r = arith.cmpf olt, %x, %y : f32
    linalg.yield %r : i1
  }
  return
}
func.func @choose(%a: memref<61x83xi1>, %b: memref<61x83xbf16>, %c: memref<61x83xbf16>, %d: memref<61x83xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %c : memref<61x83xi1>, memref<61x83xbf16>, memref<61x83xbf16>) outs(%d : memref<61x83xbf16>) {
  ^bb0(%x: i1, %y: bf16, %z: bf16, %o: bf16):
    %r = arith.select %x, %y, %z : bf16
    linalg.yield %r : bf16
  }
  return
}
func.func @combine(%a: memref<61x83xi1>, %b: memref<61x83xi1>, %c: memref<61x83xi1>, %d: memref<61x83xi32>) {
  %m = memref.alloc() : memref<61x83xi1>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<61x83xi1>, memref<61x83xi1>) outs(%m : memref<61x83xi1>) {
  ^bb0(%x: i1, %y: i1, %o: i1):
    %t = arith.constant true
    %n = arith.xori %x, %t : i1
    %r = arith.andi %n, %y : i1
    linalg.yield %r : i1
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m : memref<61x83xi1>) outs(%c, %d : memref<61x83xi1>, memref<61x83xi32>) {
  ^bb0(%x: i1, %o: i1, %p: i32):
    %r = arith.extui %x : i1 to i32
    linalg.yield %x, %r : i1, i32
  }
  return
}
func.func @move(%a: memref<64x128xi1>, %b: memref<128x64xi1>, %c: memref<64x128xi1>) {
  %true = arith.constant true
  linalg.fill ins(%true : i1) outs(%c : memref<64x128xi1>)
  linalg.transpose ins(%a : memref<64x128xi1>) outs(%b : memref<128x64xi1>) permutation = [1, 0]
  return
}
// The lowest bit of a number counts, as where memory of i1 is kept.
func.func @fill(%a: memref<64xi1>, %n: i32, %b: memref<64xi1>) {
  %two = arith.constant 2 : i32
  linalg.fill ins(%n : i32) outs(%a : memref<64xi1>)
  linalg.fill ins(%two : i32) outs(%b : memref<64xi1>)
  return
}
