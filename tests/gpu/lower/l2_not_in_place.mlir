// REQUIRES: gpu
// L1 buffers that mirror a part of L2, are changed and are not that part: what is in L2 is not what comes of them.
// RUN: for f in some_cores last_round each_round shifted_rows same_row; do for o in gfx942,--order=forward gfx942,--order=reverse gfx1100,--order=random:5; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 1=%t.npy || exit 1; \
// RUN:   airlite-run %s --target=$(echo $o | tr , ' ') --function=$f --init=random:1 --expect 1=%t.npy || exit 1; \
// RUN: done; done | FileCheck %s
// CHECK-COUNT-15: bits
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s --check-prefix=GPU

// One core of four copies its row back.
// GPU-LABEL: gpu.func @some_cores_launch_0
// GPU: memref.view
// GPU: gpu.return
func.func @some_cores(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t) : memref<4x64xi32, 1> {
        %c1 = arith.constant 1 : index
        %t1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32, 1>)
        linalg.add ins(%t1, %t1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t1 : memref<64xi32, 2>)
        %is = arith.cmpi eq, %x, %c1 : index
        scf.if %is {
          air.dma_memcpy_nd (%ht[%x, 0] [1, 64] [64, 1], %t1[] [] []) : (memref<4x64xi32, 1>, memref<64xi32, 2>)
        }
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}

// The last round copies back what all rounds changed.
// GPU-LABEL: gpu.func @last_round_launch_0
// GPU: memref.view
// GPU: gpu.return
func.func @last_round(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t) : memref<4x64xi32, 1> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %t1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32, 1>)
        scf.for %k = %c0 to %c3 step %c1 {
          linalg.add ins(%t1, %t1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t1 : memref<64xi32, 2>)
          %is = arith.cmpi eq, %k, %c2 : index
          scf.if %is {
            air.dma_memcpy_nd (%ht[%x, 0] [1, 64] [64, 1], %t1[] [] []) : (memref<4x64xi32, 1>, memref<64xi32, 2>)
          }
        }
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}

// As many rounds as the number of the core says, and one change that stays in L1.
// GPU-LABEL: gpu.func @each_round_launch_0
// GPU: memref.view
// GPU: gpu.return
func.func @each_round(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t) : memref<4x64xi32, 1> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %t1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32, 1>)
        scf.for %k = %c0 to %x step %c1 {
          linalg.add ins(%t1, %t1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t1 : memref<64xi32, 2>)
          air.dma_memcpy_nd (%ht[%x, 0] [1, 64] [64, 1], %t1[] [] []) : (memref<4x64xi32, 1>, memref<64xi32, 2>)
        }
        linalg.add ins(%t1, %t1 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%t1 : memref<64xi32, 2>)
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}

// The rows of the copy share half of their numbers.
// GPU-LABEL: gpu.func @shifted_rows_launch_0
// GPU: memref.view
// GPU: gpu.return
func.func @shifted_rows(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t) : memref<4x64xi32, 1> {
        %t1 = memref.alloc() : memref<2x32xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0, 0] [1, 2, 32] [64, 16, 1]) : (memref<2x32xi32, 2>, memref<4x64xi32, 1>)
        linalg.add ins(%t1, %t1 : memref<2x32xi32, 2>, memref<2x32xi32, 2>) outs(%t1 : memref<2x32xi32, 2>)
        air.dma_memcpy_nd (%ht[%x, 0, 0] [1, 2, 32] [64, 16, 1], %t1[] [] []) : (memref<4x64xi32, 1>, memref<2x32xi32, 2>)
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}

// All rows of the copy are one.
// GPU-LABEL: gpu.func @same_row_launch_0
// GPU: memref.view
// GPU: gpu.return
func.func @same_row(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      %t = memref.alloc() : memref<4x64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32>)
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%ht = %t) : memref<4x64xi32, 1> {
        %t1 = memref.alloc() : memref<4x64xi32, 2>
        air.dma_memcpy_nd (%t1[] [] [], %ht[%x, 0, 0] [1, 4, 64] [64, 0, 1]) : (memref<4x64xi32, 2>, memref<4x64xi32, 1>)
        linalg.add ins(%t1, %t1 : memref<4x64xi32, 2>, memref<4x64xi32, 2>) outs(%t1 : memref<4x64xi32, 2>)
        air.dma_memcpy_nd (%ht[%x, 0, 0] [1, 4, 64] [64, 0, 1], %t1[] [] []) : (memref<4x64xi32, 1>, memref<4x64xi32, 2>)
      }
      air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<4x64xi32>, memref<4x64xi32, 1>)
    }
  }
  return
}
