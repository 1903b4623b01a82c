// The instances of a segment as one design: they run at the same time, side by side.
// RUN: airlite-opt %s --air-to-aie='device=npu1_2col row-offset=2 col-offset=0' --air-merge-unrolled-devices > %t.design.mlir
// RUN: FileCheck %s --input-file=%t.design.mlir
// RUN: airlite-opt %t.design.mlir --air-to-std --airrt-to-npu > %t.mlir
// RUN: airlite-compile %t.mlir --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.npy
// RUN: airlite-run %s --on=interp --input 0=%t.in.npy --expect 1=%t.npy
// CHECK: aie.device(npu1) @half {
// CHECK-DAG: aie.tile(0, 2)
// CHECK-DAG: aie.tile(2, 2)
// CHECK-DAG: sym_name = "buf0_unroll_0"
// CHECK-DAG: sym_name = "buf0_unroll_1"
// CHECK-DAG: aie.shim_dma_allocation @air_in_0
// CHECK-DAG: aie.shim_dma_allocation @air_in_1
// CHECK-NOT: aie.device
// CHECK: airrt.segment_metadata attributes {sym_name = "half"}{
// CHECK-NEXT: airrt.herd_metadata {loc_x = 0 : i64, {{.*}}sym_name = "h_unroll_0"}
// CHECK-NEXT: airrt.herd_metadata {loc_x = 2 : i64, {{.*}}sym_name = "h_unroll_1"}
air.channel @in [2]
air.channel @out [2]
func.func @main(%x: memref<2x32xi32>, %y: memref<2x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s = %c1) args(%a = %x, %b = %y) : memref<2x32xi32>, memref<2x32xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %p0 = air.channel.put async @in[%c0] (%a[0, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    %p1 = air.channel.put async @in[%one] (%a[1, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    %g0 = air.channel.get async @out[%c0] (%b[0, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    %g1 = air.channel.get async @out[%one] (%b[1, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    air.segment @half unroll(%k) in (%n = %two) {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%nx = %k1, %ny = %k1) args(%which = %k) : index {
        %z = arith.constant 0 : index
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[%which] (%m[] [] []) : (memref<32xi32, 2>)
        %number = arith.index_cast %which : index to i32
        memref.store %number, %m[%z] : memref<32xi32, 2>
        air.channel.put @out[%which] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}
