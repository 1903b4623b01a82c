// REQUIRES: gpu
// Copies that write a place more than once: the last element wins, whoever shares them.
// RUN: for f in same_row shifted_rows in_l2 through_channel by_number same_place; do for o in gfx942,--order=forward gfx942,--order=reverse gfx1100,--order=random:5; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 1=%t.npy || exit 1; \
// RUN:   airlite-run %s --target=$(echo $o | tr , ' ') --function=$f --init=random:1 --expect 1=%t.npy || exit 1; \
// RUN: done; done | FileCheck %s
// CHECK-COUNT-18: bits

// Two rows to one place.
func.func @same_row(%A: memref<4x64xi32>, %B: memref<4x32xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x32xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%a = %sa, %b = %sb) : memref<4x64xi32>, memref<4x32xi32> {
        %t = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%t[0, 0] [2, 32] [0, 1], %a[%x, 0] [1, 64] [64, 1]) : (memref<32xi32, 2>, memref<4x64xi32>)
        air.dma_memcpy_nd (%b[%x, 0] [1, 32] [32, 1], %t[] [] []) : (memref<4x32xi32>, memref<32xi32, 2>)
      }
    }
  }
  return
}

// Each row covers half of the one before.
func.func @shifted_rows(%A: memref<4x64xi32>, %B: memref<4x32xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x32xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%a = %sa, %b = %sb) : memref<4x64xi32>, memref<4x32xi32> {
        %t = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[0, 0] [4, 16] [8, 1], %a[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        air.dma_memcpy_nd (%b[%x, 0] [1, 32] [32, 1], %t[0] [32] [1]) : (memref<4x32xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}

// By all work-items of a workgroup.
func.func @in_l2(%A: memref<4x64xi32>, %B: memref<4x32xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x32xi32> {
      %n0 = arith.constant 0 : index
      %n1 = arith.constant 1 : index
      %n4 = arith.constant 4 : index
      scf.for %x = %n0 to %n4 step %n1 {
        %t = memref.alloc() : memref<32xi32, 1>
        air.dma_memcpy_nd (%t[0, 0] [2, 32] [0, 1], %sa[%x, 0] [1, 64] [64, 1]) : (memref<32xi32, 1>, memref<4x64xi32>)
        air.dma_memcpy_nd (%sb[%x, 0] [1, 32] [32, 1], %t[] [] []) : (memref<4x32xi32>, memref<32xi32, 1>)
      }
    }
  }
  return
}

air.channel @in []
func.func @through_channel(%A: memref<4x64xi32>, %B: memref<4x32xi32>) {
  %n4 = arith.constant 4 : index
  air.launch (%l) in (%ls = %n4) args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x32xi32> {
    %p = air.channel.put async @in[] (%la[%l, 0] [1, 64] [64, 1]) : (memref<4x64xi32>)
    air.segment args(%sl = %l, %sb = %lb) : index, memref<4x32xi32> {
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n1, %ny = %n1) args(%row = %sl, %b = %sb) : index, memref<4x32xi32> {
        %t = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[] (%t[0, 0] [2, 32] [0, 1]) : (memref<32xi32, 2>)
        air.dma_memcpy_nd (%b[%row, 0] [1, 32] [32, 1], %t[] [] []) : (memref<4x32xi32>, memref<32xi32, 2>)
      }
    }
  }
  return
}

// Rows that lie apart on the last core only.
func.func @by_number(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%a = %sa, %b = %sb) : memref<4x64xi32>, memref<4x64xi32> {
        %c8 = arith.constant 8 : index
        %s = arith.muli %x, %c8 : index
        %t = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %a[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        air.dma_memcpy_nd (%t[0, 0] [2, 24] [%s, 1], %a[%x, 0] [1, 48] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        air.dma_memcpy_nd (%b[%x, 0] [1, 64] [64, 1], %t[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}

// Rounds and points that change a place through a view whose rows are one or share numbers.
func.func @same_place(%A: memref<4x64xi32>, %B: memref<4x64xi32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%a = %sa, %b = %sb) : memref<4x64xi32>, memref<4x64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %t = memref.alloc() : memref<64xi32, 2>
        %u = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %a[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        air.dma_memcpy_nd (%u[] [] [], %a[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        %rows = memref.expand_shape %t [[0, 1]] output_shape [8, 8] : memref<64xi32, 2> into memref<8x8xi32, 2>
        %one = memref.reinterpret_cast %u to offset: [0], sizes: [8, 8], strides: [0, 1] : memref<64xi32, 2> to memref<8x8xi32, strided<[0, 1]>, 2>
        %half = memref.reinterpret_cast %u to offset: [16], sizes: [8, 8], strides: [4, 1] : memref<64xi32, 2> to memref<8x8xi32, strided<[4, 1], offset: 16>, 2>
        linalg.copy ins(%rows : memref<8x8xi32, 2>) outs(%one : memref<8x8xi32, strided<[0, 1]>, 2>)
        scf.for %i = %c0 to %c8 step %c1 {
          scf.for %j = %c0 to %c8 step %c1 {
            %v = memref.load %rows[%i, %j] : memref<8x8xi32, 2>
            memref.store %v, %half[%i, %j] : memref<8x8xi32, strided<[4, 1], offset: 16>, 2>
          }
        }
        air.dma_memcpy_nd (%b[%x, 0] [1, 64] [64, 1], %u[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}
