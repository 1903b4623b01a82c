// REQUIRES: gpu
// L1 buffers that mirror a part of L2 are that part; others have LDS of their own.
// RUN: for f in update scratch moved; do for o in gfx942,--order=forward gfx942,--order=reverse gfx1100,--order=random:5; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 1=%t.npy || exit 1; \
// RUN:   airlite-run %s --target=$(echo $o | tr , ' ') --function=$f --init=random:1 --expect 1=%t.npy || exit 1; \
// RUN: done; done | FileCheck %s
// CHECK-COUNT-9: bits
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s --check-prefix=GPU

// What is read (%w1), and what is copied back to where it came from (%t1).
// GPU-LABEL: gpu.func @update_launch_0
// GPU-COUNT-2: memref.alloc() : memref<4x64xi32, 3>
// GPU-NOT: memref.alloc
// GPU-DAG: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [64], strides: [1] : memref<4x64xi32, 3> to memref<64xi32, strided<[1], offset: ?>, 3>
// GPU-DAG: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [64], strides: [1] : memref<4x64xi32, 3> to memref<64xi32, strided<[1], offset: ?>, 3>
// GPU: gpu.return
func.func @update(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      %w = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.dma_memcpy_nd (%w[] [] [], %sb[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t, %hw = %w) : memref<4x64xi32, 1>, memref<4x64xi32, 1> {
        %t1 = memref.alloc() : memref<64xi32, 2>
        %w1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32, 1>)
        air.dma_memcpy_nd (%w1[] [] [], %hw[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32, 1>)
        linalg.add ins(%t1, %w1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t1 : memref<64xi32, 2>)
        air.dma_memcpy_nd (%ht[%x, 0] [1, 64] [64, 1], %t1[] [] []) : (memref<4x64xi32, 1>, memref<64xi32, 2>)
        memref.dealloc %t1 : memref<64xi32, 2>
        memref.dealloc %w1 : memref<64xi32, 2>
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}

// All cores change a copy of the same numbers.
// GPU-LABEL: gpu.func @scratch_launch_0
// GPU: memref.alloc() : memref<1024xi8, 3>
// GPU: memref.view
// GPU: gpu.return
func.func @scratch(%A: memref<64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t, %hb = %sb) : memref<64xi32, 1>, memref<4x64xi32> {
        %t1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
        linalg.add ins(%t1, %t1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t1 : memref<64xi32, 2>)
        air.dma_memcpy_nd (%hb[%x, 0] [1, 64] [64, 1], %t1[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}

// Each core reads one row and writes the row of another L2 buffer, then its own once more from the copy that it has.
// GPU-LABEL: gpu.func @moved_launch_0
// GPU: memref.view
// GPU: gpu.return
func.func @moved(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t) : memref<4x64xi32, 1> {
        %zero = arith.constant 0 : i32
        %t1 = memref.alloc() : memref<64xi32, 2>
        %t2 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32, 1>)
        linalg.fill ins(%zero : i32) outs(%t2 : memref<64xi32, 2>)
        air.dma_memcpy_nd (%ht[%x, 0] [1, 64] [64, 1], %t2[] [] []) : (memref<4x64xi32, 1>, memref<64xi32, 2>)
        linalg.add ins(%t1, %t1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t2 : memref<64xi32, 2>)
        air.dma_memcpy_nd (%ht[%x, 0] [1, 64] [64, 1], %t2[] [] []) : (memref<4x64xi32, 1>, memref<64xi32, 2>)
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}
