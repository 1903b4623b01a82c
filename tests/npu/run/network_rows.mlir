// What rows and elements of networks compute besides sums and products: masks above a diagonal, the number at a place of a row, sums of
// exponentials, several sums at once, products of rows, a step of an optimizer, guarded reads of a table, powers,
// halves of rows that are turned, the places of extremes. All of it by vectors.
// REQUIRES: !sanitize
// RUN: for f in diagonal nearest exponentials moments product step guarded power halves greatest least; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done
// RUN: for f in diagonal nearest exponentials moments product step guarded power halves greatest least; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: for f in diagonal nearest moments guarded halves greatest kept; do airlite-run --on=sim --exact --compare=interp --init=random:3 --function=$f %s || exit 1; done
// RUN: for f in diagonal nearest exponentials moments product step power halves greatest; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s; done 2>&1 | FileCheck %s --check-prefix=VECTORS --allow-empty
// RUN: for n in "-0.0 0.5" "-0.0 -3.0" "0.0 -0.0" "-inf 3.0" "1.0 -inf" "2.0 nan"; do set -- $n; airlite-run --on=sim --compare=interp --init=random:1 --function=edge --input 0=$1 --input 1=$2 %s || exit 1; done | FileCheck %s --check-prefix=EDGE
// EDGE-NOT: differs at
// VECTORS-NOT: it carries values
// VECTORS-NOT: it computes an index
// VECTORS-NOT: an op has no vector form
func.func @diagonal(%x: memref<48x100xbf16>, %y: memref<48x100xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<48x100xbf16>) outs(%y : memref<48x100xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ugt, %j, %i : index
    %low = arith.constant -1.0e+9 : bf16
    %v = arith.select %c, %low, %a : bf16
    linalg.yield %v : bf16
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<48x100xbf16>) outs(%x : memref<48x100xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %h = arith.addf %a, %a : bf16
    linalg.yield %h : bf16
  }
  return
}
func.func @nearest(%x: memref<48x100xf32>, %t: memref<48xi32>, %p: memref<48xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %t : memref<48x100xf32>, memref<48xi32>) outs(%p : memref<48xf32>) {
  ^bb0(%a: f32, %b: i32, %c: f32):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i32
    %is = arith.cmpi eq, %w, %b : i32
    %zero = arith.constant 0.0 : f32
    %v = arith.select %is, %a, %zero : f32
    %q = arith.addf %v, %c : f32
    linalg.yield %q : f32
  }
  return
}
func.func @exponentials(%x: memref<48x100xf32>, %m: memref<48xf32>, %s: memref<48xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : memref<48x100xf32>, memref<48xf32>) outs(%s : memref<48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    %q = arith.addf %e, %c : f32
    linalg.yield %q : f32
  }
  return
}
func.func @moments(%x: memref<48x100xbf16>, %s: memref<48xbf16>, %u: memref<48xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<48x100xbf16>) outs(%s, %u : memref<48xbf16>, memref<48xbf16>) {
  ^bb0(%a: bf16, %c: bf16, %d: bf16):
    %sq = arith.mulf %a, %a : bf16
    %p = arith.addf %a, %c : bf16
    %q = arith.addf %sq, %d : bf16
    linalg.yield %p, %q : bf16, bf16
  }
  return
}
func.func @product(%x: memref<48x100xf32>, %s: memref<48xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<48x100xf32>) outs(%s : memref<48xf32>) {
  ^bb0(%a: f32, %c: f32):
    %p = arith.mulf %a, %c : f32
    linalg.yield %p : f32
  }
  return
}
func.func @step(%g: memref<48x100xbf16>, %m: memref<48x100xbf16>, %v: memref<48x100xbf16>, %w: memref<48x100xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%g : memref<48x100xbf16>) outs(%m, %v, %w : memref<48x100xbf16>, memref<48x100xbf16>, memref<48x100xbf16>) {
  ^bb0(%a: bf16, %m0: bf16, %v0: bf16, %w0: bf16):
    %b = arith.constant 0.9 : bf16
    %m1 = arith.mulf %m0, %b : bf16
    %m2 = arith.addf %m1, %a : bf16
    %a2 = arith.mulf %a, %a : bf16
    %v1 = arith.mulf %v0, %b : bf16
    %v2 = arith.addf %v1, %a2 : bf16
    %u = arith.mulf %m2, %v2 : bf16
    %w1 = arith.subf %w0, %u : bf16
    linalg.yield %m2, %v2, %w1 : bf16, bf16, bf16
  }
  return
}
func.func @guarded(%t: memref<16xbf16>, %x: memref<200xi32>, %y: memref<200xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %size = arith.constant 16 : index
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<200xi32>) outs(%y : memref<200xbf16>) {
  ^bb0(%i: i32, %o: bf16):
    %k = arith.index_cast %i : i32 to index
    %in = arith.cmpi ult, %k, %size : index
    %n = linalg.index 0 : index
    %v = scf.if %in -> (bf16) {
      %odd = arith.cmpi ult, %n, %size : index
      %w = memref.load %t[%k] : memref<16xbf16>
      %z = arith.select %odd, %zero, %w : bf16
      scf.yield %z : bf16
    } else {
      scf.yield %zero : bf16
    }
    linalg.yield %v : bf16
  }
  return
}
func.func @power(%x: memref<48x100xf32>, %y: memref<48x100xf32>, %z: memref<48x100xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<48x100xf32>, memref<48x100xf32>) outs(%z : memref<48x100xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = math.absf %a : f32
    %r = math.powf %p, %b : f32
    linalg.yield %r : f32
  }
  return
}
func.func @halves(%x: memref<32x2x48xbf16>, %s: memref<32x48xbf16>, %y: memref<32x2x48xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, 1 - k, j)>, affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (i, k, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : memref<32x2x48xbf16>, memref<32x48xbf16>) outs(%y : memref<32x2x48xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %k = linalg.index 1 : index
    %zero = arith.constant 0 : index
    %first = arith.cmpi eq, %k, %zero : index
    %v = arith.select %first, %b, %a : bf16
    linalg.yield %v : bf16
  }
  return
}
func.func @greatest(%x: memref<48x100xbf16>, %v: memref<48xbf16>, %k: memref<48xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<48x100xbf16>) outs(%v, %k : memref<48xbf16>, memref<48xi32>) {
  ^bb0(%a: bf16, %best: bf16, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpf ogt, %a, %best : bf16
    %next = arith.select %is, %a, %best : bf16
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : bf16, i32
  }
  return
}
func.func @least(%x: memref<83x52xi8>, %v: memref<83xi8>, %k: memref<83xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<83x52xi8>) outs(%v, %k : memref<83xi8>, memref<83xi32>) {
  ^bb0(%a: i8, %best: i8, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpi sge, %best, %a : i8
    %next = arith.select %is, %a, %best : i8
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : i8, i32
  }
  return
}
func.func @kept(%x: memref<64x128xf32>, %v: memref<64x1xf32>, %k: memref<64x1xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x128xf32>) outs(%v, %k : memref<64x1xf32>, memref<64x1xi32>) {
  ^bb0(%a: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpf ogt, %a, %best : f32
    %next = arith.select %is, %a, %best : f32
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : f32, i32
  }
  return
}
// Bases and exponents that are 0, infinite or no number.
func.func @edge(%x: f32, %y: f32, %a: memref<64x64xf32>, %b: memref<64x64xf32>, %z: memref<64x64xf32>) {
  linalg.fill ins(%x : f32) outs(%a : memref<64x64xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%z : memref<64x64xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %p = math.powf %c, %d : f32
    linalg.yield %p : f32
  }
  return
}
