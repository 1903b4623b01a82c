// REQUIRES: gpu
// Segments with iteration spaces: each of their instances is a workgroup. The four levels of MI3xx by hand: a launch of
// one point, XCDs, compute units, waves. A block of eight rows is an XCD's: what its units read in common is in its L2.
// RUN: airlite-run %s --on=interp --function=levels --init=random:1 --output 2=%t.npy
// RUN: for o in forward reverse random:3; do \
// RUN:   airlite-run %s --target=gfx942 --function=levels --init=random:1 --order=$o --expect 2=%t.npy || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-3: bits
// RUN: airlite-run %s --on=interp --function=open --init=random:1 --input 2=7 --output 1=%t.npy
// RUN: airlite-run %s --target=gfx1100 --function=open --init=random:1 --input 2=7 --expect 1=%t.npy | FileCheck %s --check-prefix=OPEN
// OPEN: bits
// Workgroup w is on XCD w mod 8 and takes row 3 (w mod 8) + w / 8.
// RUN: airlite-opt %s --pipeline='air-segments-to-grid,air-to-gpu,canonicalize,cse' | FileCheck %s --check-prefix=KERNEL
// KERNEL: gpu.launch_func @levels_module::@levels_launch_0 blocks in (%c24, %c1, %c1)
// KERNEL: %[[W:.*]] = gpu.block_id x
// KERNEL-DAG: %[[XCD:.*]] = arith.remui %[[W]], %c8
// KERNEL-DAG: %[[CU:.*]] = arith.divui %[[W]], %c8
// KERNEL: arith.muli %[[XCD]], %c3

func.func @levels(%a: memref<24x64xf32>, %b: memref<64xf32>, %c: memref<24x64xf32>) {
  air.launch () in () args(%la=%a, %lb=%b, %lc=%c) : memref<24x64xf32>, memref<64xf32>, memref<24x64xf32> {
    %xcds = arith.constant 8 : index
    air.segment @device unroll(%xcd) in (%nx=%xcds) args(%xa=%la, %xb=%lb, %xc=%lc) : memref<24x64xf32>, memref<64xf32>, memref<24x64xf32> attributes {"backend-granularity" = "XCD"} {
      %cus = arith.constant 3 : index
      %first = arith.muli %xcd, %cus : index
      air.segment @xcd unroll(%cu) in (%nc=%cus) args(%sa=%xa, %sb=%xb, %sc=%xc, %sf=%first) : memref<24x64xf32>, memref<64xf32>, memref<24x64xf32>, index {
        %row = arith.addi %sf, %cu : index
        %lds = memref.alloc() : memref<64xf32, 1>
        air.dma_memcpy_nd (%lds[] [] [], %sb[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
        %one = arith.constant 1 : index
        %waves = arith.constant 2 : index
        air.herd @cu tile (%w, %y) in (%sx=%waves, %sy=%one) args(%ha=%sa, %hl=%lds, %hc=%sc, %hr=%row) : memref<24x64xf32>, memref<64xf32, 1>, memref<24x64xf32>, index {
          %half = arith.constant 32 : index
          %at = arith.muli %w, %half : index
          %u = memref.alloc() : memref<32xf32, 2>
          %v = memref.alloc() : memref<32xf32, 2>
          air.dma_memcpy_nd (%u[] [] [], %ha[%hr, %at] [1, 32] [64, 1]) : (memref<32xf32, 2>, memref<24x64xf32>)
          air.dma_memcpy_nd (%v[] [] [], %hl[%at] [32] [1]) : (memref<32xf32, 2>, memref<64xf32, 1>)
          affine.for %i = 0 to 32 {
            %p = affine.load %u[%i] : memref<32xf32, 2>
            %q = affine.load %v[%i] : memref<32xf32, 2>
            %r = arith.mulf %p, %q : f32
            affine.store %r, %u[%i] : memref<32xf32, 2>
          }
          air.dma_memcpy_nd (%hc[%hr, %at] [1, 32] [64, 1], %u[] [] []) : (memref<24x64xf32>, memref<32xf32, 2>)
          memref.dealloc %u : memref<32xf32, 2>
          memref.dealloc %v : memref<32xf32, 2>
        }
        memref.dealloc %lds : memref<64xf32, 1>
      }
    }
  }
  return
}

// As many instances as a value says.
func.func @open(%a: memref<7x16xi32>, %c: memref<7x16xi32>, %n: index) {
  air.launch () in () args(%la=%a, %lc=%c, %ln=%n) : memref<7x16xi32>, memref<7x16xi32>, index {
    air.segment unroll(%i) in (%ni=%ln) args(%sa=%la, %sc=%lc) : memref<7x16xi32>, memref<7x16xi32> {
      %one = arith.constant 1 : index
      air.herd tile (%x, %y) in (%sx=%one, %sy=%one) args(%ha=%sa, %hc=%sc, %hi=%i) : memref<7x16xi32>, memref<7x16xi32>, index {
        %u = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%u[] [] [], %ha[%hi, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<7x16xi32>)
        affine.for %j = 0 to 16 {
          %p = affine.load %u[%j] : memref<16xi32, 2>
          %r = arith.addi %p, %p : i32
          affine.store %r, %u[%j] : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%hc[%hi, 0] [1, 16] [16, 1], %u[] [] []) : (memref<7x16xi32>, memref<16xi32, 2>)
        memref.dealloc %u : memref<16xi32, 2>
      }
    }
  }
  return
}
