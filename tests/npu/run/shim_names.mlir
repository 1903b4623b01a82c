// Shim channels of a bundle are numbered from left to right in the columns of their memory tiles; each place
// of the bundle keeps its own: the list of names is in the order of the places.
// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s
// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' --air-to-std --airrt-to-npu > %t.mlir
// RUN: airlite-compile %t.mlir --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.npy
// RUN: airlite-run %s --on=interp --input 0=%t.in.npy --expect 1=%t.npy
// CHECK: air.channel.put async @in[{{.*}} {metadataArray = [{base = "air_in_1", index = 1 : i32}, {base = "air_in_0", index = 0 : i32}]}
// CHECK: air.channel.get async @out[{{.*}} {metadataArray = [{base = "air_out_1", index = 1 : i32}, {base = "air_out_0", index = 0 : i32}]}
air.channel @in [2]
air.channel @out [2]
func.func @main(%x: memref<2x16xi32>, %y: memref<2x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s = %c1) args(%a = %x, %b = %y) : memref<2x16xi32>, memref<2x16xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %p0 = air.channel.put async @in[%c0] (%a[0, 0] [1, 16] [16, 1]) : (memref<2x16xi32>)
    %p1 = air.channel.put async @in[%one] (%a[1, 0] [1, 16] [16, 1]) : (memref<2x16xi32>)
    %g0 = air.channel.get async @out[%c0] (%b[0, 0] [1, 16] [16, 1]) : (memref<2x16xi32>)
    %g1 = air.channel.get async @out[%one] (%b[1, 0] [1, 16] [16, 1]) : (memref<2x16xi32>)
    air.segment @seg {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %right = memref.alloc() {air.memtile_col = 3 : i32} : memref<16xi32, 1>
      %left = memref.alloc() {air.memtile_col = 1 : i32} : memref<16xi32, 1>
      %t0 = air.channel.get async @in[%k0] (%right[] [] []) : (memref<16xi32, 1>)
      %t1 = air.channel.get async @in[%k1] (%left[] [] []) : (memref<16xi32, 1>)
      %u0 = air.channel.put async [%t0] @out[%k0] (%right[] [] []) : (memref<16xi32, 1>)
      %u1 = air.channel.put async [%t1] @out[%k1] (%left[] [] []) : (memref<16xi32, 1>)
      air.herd tile (%tx, %ty) in (%nx = %k1, %ny = %k1) {
      }
    }
  }
  return
}
