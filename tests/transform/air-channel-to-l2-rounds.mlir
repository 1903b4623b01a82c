// Loops around both ends of channels run round by round, where all that goes through them is more than memory has.
// RUN: airlite-opt %s --air-channel-to-dma --air-channel-to-l2 --canonicalize --cse | FileCheck %s
// RUN: for f in product,2 stages,1 parts,1 nested,1; do \
// RUN:   n=${f%%,*}; r=${f##*,}; airlite-run %s --on=interp --async-transfers --function=$n --init=random:1 --output $r=%t.npy || exit 1; \
// RUN:   for o in gfx942,--order=forward gfx942,--order=reverse gfx1100,--order=random:3; do \
// RUN:     airlite-run %s --target=$(echo $o | tr , ' ') --async-transfers --function=$n --init=random:1 --expect $r=%t.npy || exit 1; done; \
// RUN: done
// REQUIRES: gpu
air.channel @product_a2 [1, 1]
air.channel @product_b2 [1, 1]
air.channel @product_a1 [2, 1] {broadcast_shape = [2, 2]}
air.channel @product_b1 [1, 2] {broadcast_shape = [2, 2]}
air.channel @product_c1 [2, 2]
air.channel @product_c2 [1, 1]
air.channel @stages_c0 [1, 1]
air.channel @stages_c1 [1, 1]
air.channel @stages_c2 [1, 1]
air.channel @parts_in [2]
air.channel @parts_out [2]
air.channel @nested_c [2]

// L1 of the sums lasts, and memory holds what one round sends.
// CHECK-LABEL: func.func @product
// CHECK: memref.alloc() : memref<16x16xi32, 2>
// CHECK: air.herd
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: memref.alloc() : memref<2x1x1024xi8, 1 : i32>
// CHECK: air.herd
// CHECK: linalg.matmul
// CHECK: air.herd
func.func @product(%a: memref<64x512xi8>, %b: memref<512x64xi8>, %c: memref<64x64xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%si=%c2, %sj=%c2) args(%la=%a, %lb=%b, %lc=%c) : memref<64x512xi8>, memref<512x64xi8>, memref<64x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %r = arith.muli %i, %c32 : index
    %q = arith.muli %j, %c32 : index
    scf.for %k = %c0 to %c512 step %c64 {
      air.channel.put @product_a2[] (%la[%r, %k] [%c32, %c64] [%c512, %c1]) : (memref<64x512xi8>)
      air.channel.put @product_b2[] (%lb[%k, %q] [%c64, %c32] [%c64, %c1]) : (memref<512x64xi8>)
    }
    air.channel.get @product_c2[] (%lc[%r, %q] [%c32, %c32] [%c64, %c1]) : (memref<64x64xi32>)
    air.segment @seg {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c512 = arith.constant 512 : index
      scf.for %k = %c0 to %c512 step %c64 {
        %a2 = memref.alloc() : memref<32x64xi8, 1>
        %b2 = memref.alloc() : memref<64x32xi8, 1>
        air.channel.get @product_a2[] (%a2[] [] []) : (memref<32x64xi8, 1>)
        air.channel.get @product_b2[] (%b2[] [] []) : (memref<64x32xi8, 1>)
        scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
          %o = arith.muli %x, %c16 : index
          air.channel.put @product_a1[%x, %c0] (%a2[%o, %c0] [%c16, %c64] [%c64, %c1]) : (memref<32x64xi8, 1>)
        }
        scf.parallel (%y) = (%c0) to (%c2) step (%c1) {
          %o = arith.muli %y, %c16 : index
          air.channel.put @product_b1[%c0, %y] (%b2[%c0, %o] [%c64, %c16] [%c32, %c1]) : (memref<64x32xi8, 1>)
        }
        memref.dealloc %a2 : memref<32x64xi8, 1>
        memref.dealloc %b2 : memref<64x32xi8, 1>
      }
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c512 = arith.constant 512 : index
        %c64 = arith.constant 64 : index
        %z = arith.constant 0 : i32
        %c1b = memref.alloc() : memref<16x16xi32, 2>
        linalg.fill ins(%z : i32) outs(%c1b : memref<16x16xi32, 2>)
        scf.for %k = %c0 to %c512 step %c64 {
          %a1 = memref.alloc() : memref<16x64xi8, 2>
          %b1 = memref.alloc() : memref<64x16xi8, 2>
          air.channel.get @product_a1[%x, %y] (%a1[] [] []) : (memref<16x64xi8, 2>)
          air.channel.get @product_b1[%x, %y] (%b1[] [] []) : (memref<64x16xi8, 2>)
          linalg.matmul ins(%a1, %b1 : memref<16x64xi8, 2>, memref<64x16xi8, 2>) outs(%c1b : memref<16x16xi32, 2>)
          memref.dealloc %a1 : memref<16x64xi8, 2>
          memref.dealloc %b1 : memref<64x16xi8, 2>
        }
        air.channel.put @product_c1[%x, %y] (%c1b[] [] []) : (memref<16x16xi32, 2>)
        memref.dealloc %c1b : memref<16x16xi32, 2>
      }
      %cb2 = memref.alloc() : memref<32x32xi32, 1>
      scf.parallel (%x, %y) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
          %o = arith.muli %x, %c16 : index
          %p = arith.muli %y, %c16 : index
          air.channel.get @product_c1[%x, %y] (%cb2[%o, %p] [%c16, %c16] [%c32, %c1]) : (memref<32x32xi32, 1>)
      }
      air.channel.put @product_c2[] (%cb2[] [] []) : (memref<32x32xi32, 1>)
      memref.dealloc %cb2 : memref<32x32xi32, 1>
    }
  }
  return
}

// Two cores, whose loops count otherwise.
// CHECK-LABEL: func.func @stages
// CHECK: scf.for
// CHECK: memref.alloc() : memref<1x1x512xi32, 1 : i32>
// CHECK: air.herd @h0
// CHECK: air.herd @h1
func.func @stages(%a: memref<32768xi32>, %b: memref<32768xi32>) {
  air.launch () in () args(%la=%a, %lb=%b) : memref<32768xi32>, memref<32768xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32768 = arith.constant 32768 : index
    %c512 = arith.constant 512 : index
    scf.for %k = %c0 to %c32768 step %c512 {
      air.channel.put @stages_c0[] (%la[%k] [%c512] [%c1]) : (memref<32768xi32>)
    }
    scf.for %k = %c0 to %c32768 step %c512 {
      air.channel.get @stages_c2[] (%lb[%k] [%c512] [%c1]) : (memref<32768xi32>)
    }
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h0 tile (%x, %y) in (%sx=%c1, %sy=%c1) {
        %c0 = arith.constant 0 : index
        %c32768 = arith.constant 32768 : index
        %c512 = arith.constant 512 : index
        %one = arith.constant 1 : i32
        scf.for %k = %c0 to %c32768 step %c512 {
          %i = memref.alloc() : memref<512xi32, 2>
          air.channel.get @stages_c0[] (%i[] [] []) : (memref<512xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : memref<512xi32, 2>) {
          ^bb0(%p: i32):
            %r = arith.addi %p, %one : i32
            linalg.yield %r : i32
          }
          air.channel.put @stages_c1[] (%i[] [] []) : (memref<512xi32, 2>)
          memref.dealloc %i : memref<512xi32, 2>
        }
      }
      air.herd @h1 tile (%x, %y) in (%sx=%c1, %sy=%c1) {
        %c0 = arith.constant 0 : index
        %c32768 = arith.constant 32768 : index
        %c512 = arith.constant 512 : index
        %one = arith.constant 1 : i32
        %k1 = arith.constant 1 : index
        %k3 = arith.constant 3 : index
        %k67 = arith.constant 67 : index
        scf.for %k = %k3 to %k67 step %k1 {
          %i = memref.alloc() : memref<512xi32, 2>
          air.channel.get @stages_c1[] (%i[] [] []) : (memref<512xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : memref<512xi32, 2>) {
          ^bb0(%p: i32):
            %r = arith.addi %p, %one : i32
            linalg.yield %r : i32
          }
          air.channel.put @stages_c2[] (%i[] [] []) : (memref<512xi32, 2>)
          memref.dealloc %i : memref<512xi32, 2>
        }
      }
    }
  }
  return
}

// The host sends all at once, cores take it in parts of a dimension.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: air.channel
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}] [1024] [1])
// CHECK: return
func.func @parts(%a: memref<65536xi32>, %b: memref<65536xi32>) {
  air.launch () in () args(%la=%a, %lb=%b) : memref<65536xi32>, memref<65536xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32768 = arith.constant 32768 : index
    %c1024 = arith.constant 1024 : index
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      %o = arith.muli %x, %c32768 : index
      air.channel.put @parts_in[%x] (%la[%o] [%c32768] [%c1]) : (memref<65536xi32>)
    }
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      %o = arith.muli %x, %c32768 : index
      air.channel.get @parts_out[%x] (%lb[%o] [%c32768] [%c1]) : (memref<65536xi32>)
    }
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32768 = arith.constant 32768 : index
        %c1024 = arith.constant 1024 : index
        scf.for %k = %c0 to %c32768 step %c1024 {
          %i = memref.alloc() : memref<1024xi32, 2>
          %o = memref.alloc() : memref<1024xi32, 2>
          air.channel.get @parts_in[%x] (%i[] [] []) : (memref<1024xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i : memref<1024xi32, 2>) outs(%o : memref<1024xi32, 2>) {
          ^bb0(%p: i32, %q: i32):
            %r = arith.muli %p, %p : i32
            linalg.yield %r : i32
          }
          air.channel.put @parts_out[%x] (%o[] [] []) : (memref<1024xi32, 2>)
          memref.dealloc %i : memref<1024xi32, 2>
          memref.dealloc %o : memref<1024xi32, 2>
        }
      }
    }
  }
  return
}

// Loops in loops.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: air.herd
// CHECK: scf.for
// CHECK: memref.alloc() : memref<2x256xi32, 1 : i32>
// CHECK: air.herd
// CHECK: air.herd
func.func @nested(%a: memref<2x16384xi32>, %b: memref<2x4x256xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x16384xi32>, memref<2x4x256xi32> {
    air.segment @s args(%sa = %la, %sb = %lb) : memref<2x16384xi32>, memref<2x4x256xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %c4096 = arith.constant 4096 : index
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4096 step %c256 {
          %first = arith.muli %i, %c4096 : index
          %at = arith.addi %first, %j : index
          %t = memref.alloc() : memref<2x256xi32, 1>
          air.dma_memcpy_nd (%t[] [] [], %sa[0, %at] [2, 256] [16384, 1]) : (memref<2x256xi32, 1>, memref<2x16384xi32>)
          scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
            air.channel.put @nested_c[%x] (%t[%x, 0] [1, 256] [256, 1]) : (memref<2x256xi32, 1>)
          }
          memref.dealloc %t : memref<2x256xi32, 1>
        }
      }
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%hb = %sb) : memref<2x4x256xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %h16 = arith.constant 16 : index
        %z = arith.constant 0 : i32
        %sum = memref.alloc() : memref<256xi32, 2>
        scf.for %i = %h0 to %h4 step %h1 {
          linalg.fill ins(%z : i32) outs(%sum : memref<256xi32, 2>)
          scf.for %j = %h0 to %h16 step %h1 {
            %b1 = memref.alloc() : memref<256xi32, 2>
            air.channel.get @nested_c[%x] (%b1[] [] []) : (memref<256xi32, 2>)
            linalg.add ins(%b1, %sum : memref<256xi32, 2>, memref<256xi32, 2>) outs(%sum : memref<256xi32, 2>)
            memref.dealloc %b1 : memref<256xi32, 2>
          }
          air.dma_memcpy_nd (%hb[%x, %i, 0] [1, 1, 256] [1024, 256, 1], %sum[] [] []) : (memref<2x4x256xi32>, memref<256xi32, 2>)
        }
        memref.dealloc %sum : memref<256xi32, 2>
      }
    }
  }
  return
}
