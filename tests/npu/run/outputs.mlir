// More outputs of an op than a core has DMAs that send: they are packets of one.
// RUN: for name in three four; do airlite-run --on=sim --compare=interp --init=random:1 --function=$name %s 2>&1 || exit 1; done | FileCheck %s
// CHECK: warning: 3 output channels of its cores get packet flow: a core would need 3 DMAs that send and has 2
// CHECK: 4 arguments are as in the interpreter, bit by bit
// CHECK: warning: 4 output channels of its cores get packet flow
// CHECK: 5 arguments are as in the interpreter, bit by bit
#m = affine_map<(d0) -> (d0)>
#n = affine_map<(d0, d1) -> (d0, d1)>
func.func @three(%x: memref<1024xi32>, %a: memref<1024xi32>, %b: memref<1024xi32>, %c: memref<1024xi32>) {
  linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel"]} ins(%x : memref<1024xi32>) outs(%a, %b, %c : memref<1024xi32>, memref<1024xi32>, memref<1024xi32>) {
  ^bb0(%g: i32, %o: i32, %p: i32, %q: i32):
    %s = arith.addi %g, %g : i32
    %t = arith.muli %g, %g : i32
    linalg.yield %g, %s, %t : i32, i32, i32
  }
  return
}
func.func @four(%x: memref<64x256xf32>, %a: memref<64x256xf32>, %b: memref<64x256xf32>, %c: memref<64x256xf32>, %d: memref<64x256xf32>) {
  linalg.generic {indexing_maps = [#n, #n, #n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x256xf32>) outs(%a, %b, %c, %d : memref<64x256xf32>, memref<64x256xf32>, memref<64x256xf32>, memref<64x256xf32>) {
  ^bb0(%g: f32, %o: f32, %p: f32, %q: f32, %r: f32):
    %t = arith.negf %g : f32
    linalg.yield %g, %t, %t, %g : f32, f32, f32, f32
  }
  return
}
