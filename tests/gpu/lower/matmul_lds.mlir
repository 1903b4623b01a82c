// A tiled matmul: tiles of A and B are brought to LDS by all work-items, four waves multiply. Two
// barriers for each tile: before it is overwritten, and before it is read.
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s

// CHECK-LABEL: gpu.func @matmul_launch_0
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-DAG: %[[AS:.*]] = memref.alloc() : memref<64x16xf32, 3>
// CHECK-DAG: %[[BS:.*]] = memref.alloc() : memref<16x64xf32, 3>
// CHECK-DAG: %[[ACC:.*]] = memref.alloca() : memref<16xf32, 5>
// CHECK: %[[ITEM:.*]] = gpu.thread_id  x
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[ACC]]
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: vector.load %{{.*}} vector<4xf32>
// CHECK: vector.store %{{.*}} memref<1024xf32, 3>, vector<4xf32>
// CHECK-NOT: gpu.barrier
// CHECK: vector.store %{{.*}} memref<1024xf32, 3>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: gpu.lane_id
// CHECK: memref.load %{{.*}} : memref<64x16xf32, 3>
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
#tile = affine_map<()[s0] -> (s0 * 64)>
module attributes {airlite.wave_size = 64 : i32} {
func.func @matmul(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  %c4 = arith.constant 4 : index
  air.launch (%i, %j) in (%ni=%c4, %nj=%c4) args(%la=%a, %lb=%b, %lc=%c) : memref<256x256xf32>, memref<256x256xf32>, memref<256x256xf32> {
    air.segment @seg args(%si=%i, %sj=%j, %sa=%la, %sb=%lb, %sc=%lc) : index, index, memref<256x256xf32>, memref<256x256xf32>, memref<256x256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4_0 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %row = affine.apply #tile()[%si]
      %col = affine.apply #tile()[%sj]
      %acc = memref.alloc() : memref<16xf32, 2>
      scf.for %k = %c0 to %c16 step %c1 {
        memref.store %zero, %acc[%k] : memref<16xf32, 2>
      }
      scf.for %k = %c0 to %c256 step %c16 {
        %as = memref.alloc() : memref<64x16xf32, 1>
        %bs = memref.alloc() : memref<16x64xf32, 1>
        air.dma_memcpy_nd (%as[] [] [], %sa[%row, %k] [%c64, %c16] [%c256, %c1]) : (memref<64x16xf32, 1>, memref<256x256xf32>)
        air.dma_memcpy_nd (%bs[] [] [], %sb[%k, %col] [%c16, %c64] [%c256, %c1]) : (memref<16x64xf32, 1>, memref<256x256xf32>)
        air.herd @mul tile (%x, %y) in (%nx=%c4_0, %ny=%c1) args(%ha=%as, %hb=%bs, %hacc=%acc) : memref<64x16xf32, 1>, memref<16x64xf32, 1>, memref<16xf32, 2> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h16 = arith.constant 16 : index
          %lane = gpu.lane_id
          scf.for %m = %h0 to %h16 step %h1 {
            %base = arith.muli %x, %h16 : index
            %r = arith.addi %base, %m : index
            scf.for %kk = %h0 to %h16 step %h1 {
              %va = memref.load %ha[%r, %kk] : memref<64x16xf32, 1>
              %vb = memref.load %hb[%kk, %lane] : memref<16x64xf32, 1>
              %old = memref.load %hacc[%m] : memref<16xf32, 2>
              %p = arith.mulf %va, %vb : f32
              %s = arith.addf %old, %p : f32
              memref.store %s, %hacc[%m] : memref<16xf32, 2>
            }
          }
        }
        memref.dealloc %as : memref<64x16xf32, 1>
        memref.dealloc %bs : memref<16x64xf32, 1>
      }
      air.herd @out tile (%x, %y) in (%nx=%c4_0, %ny=%c1) args(%hc=%sc, %hacc=%acc, %hr=%row, %hcol=%col) : memref<256x256xf32>, memref<16xf32, 2>, index, index {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h16 = arith.constant 16 : index
        %lane = gpu.lane_id
        %base = arith.muli %x, %h16 : index
        %first = arith.addi %hr, %base : index
        %cc = arith.addi %hcol, %lane : index
        scf.for %m = %h0 to %h16 step %h1 {
          %v = memref.load %hacc[%m] : memref<16xf32, 2>
          %r = arith.addi %first, %m : index
          memref.store %v, %hc[%r, %cc] : memref<256x256xf32>
        }
      }
    }
  }
  return
}
}
