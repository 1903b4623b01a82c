// The core takes the first and the last tile outside of its loop, the segment all of them in one: the segment's loop gets the same rounds,
// what goes before and behind them goes through channels of its own, and tiles go from L3 to their place without a buffer of L2 between. All of it
// would take three times what a workgroup has.
// REQUIRES: gpu
// RUN: airlite-opt %s --air-channel-to-dma --air-dependency --air-channel-to-l2 --canonicalize | FileCheck %s
// RUN: airlite-run %s --async-transfers --on=interp --init=random:1 --output 2=%t.npy
// RUN: airlite-run %s --async-transfers --target=gfx942 --init=random:1 --expect 2=%t.npy
// RUN: airlite-run %s --async-transfers --target=gfx90a --order=reverse --init=random:1 --expect 2=%t.npy
// RUN: airlite-run %s --async-transfers --target=gfx1201 --order=random:3 --init=random:1 --expect 2=%t.npy
// RUN: airlite-compile %s --async-transfers --target=gfx942 --report=kernel -o %t | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: func.func @main
// CHECK: air.segment
// CHECK-NOT: memref<32x32xi8, 1>
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[0, 0] [32, 32] [2048, 1]) : (memref<1024xi8, 1 : i32>, memref<32x2048xi8>)
// CHECK: air.herd
// CHECK: linalg.matmul
// CHECK: scf.for
// CHECK: air.dma_memcpy_nd
// CHECK: air.herd
// CHECK: linalg.matmul
// CHECK: air.herd
// CHECK: linalg.matmul
// CHECK-NOT: memref<32x64xi32, 1>
// KERNEL: 0 bytes of scratch
// KERNEL: matrix
air.channel @A1 []
air.channel @B1 []
air.channel @A2 []
air.channel @B2 []
air.channel @C1 []
air.channel @C2 []
func.func @main(%A: memref<32x2048xi8>, %B: memref<2048x64xi8>, %C: memref<32x64xi32>) {
  %o = arith.constant 1 : index
  air.launch (%bx) in (%nbx = %o) args(%la = %A, %lb = %B, %lc = %C) : memref<32x2048xi8>, memref<2048x64xi8>, memref<32x64xi32> {
    %c0 = arith.constant 0 : index
    %cK = arith.constant 2048 : index
    %ctk = arith.constant 32 : index
    scf.for %k = %c0 to %cK step %ctk {
      air.channel.put @A1[] (%la[%c0, %k] [32, 32] [2048, 1]) : (memref<32x2048xi8>)
      air.channel.put @B1[] (%lb[%k, %c0] [32, 64] [64, 1]) : (memref<2048x64xi8>)
    }
    air.channel.get @C2[] (%lc[] [] []) : (memref<32x64xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %sK = arith.constant 2048 : index
      %stk = arith.constant 32 : index
      scf.for %k = %s0 to %sK step %stk {
        %a2 = memref.alloc() : memref<32x32xi8, 1>
        %b2 = memref.alloc() : memref<32x64xi8, 1>
        air.channel.get @A1[] (%a2[] [] []) : (memref<32x32xi8, 1>)
        air.channel.get @B1[] (%b2[] [] []) : (memref<32x64xi8, 1>)
        air.channel.put @A2[] (%a2[] [] []) : (memref<32x32xi8, 1>)
        air.channel.put @B2[] (%b2[] [] []) : (memref<32x64xi8, 1>)
        memref.dealloc %a2 : memref<32x32xi8, 1>
        memref.dealloc %b2 : memref<32x64xi8, 1>
      }
      air.herd @h tile (%x, %y) in (%nx = %s1, %ny = %s1) {
        %z = arith.constant 0 : i32
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %hs = arith.constant 62 : index
        %c1 = memref.alloc() : memref<32x64xi32, 2>
        linalg.fill ins(%z : i32) outs(%c1 : memref<32x64xi32, 2>)
        %a1p = memref.alloc() : memref<32x32xi8, 2>
        %b1p = memref.alloc() : memref<32x64xi8, 2>
        air.channel.get @A2[] (%a1p[] [] []) : (memref<32x32xi8, 2>)
        air.channel.get @B2[] (%b1p[] [] []) : (memref<32x64xi8, 2>)
        linalg.matmul ins(%a1p, %b1p : memref<32x32xi8, 2>, memref<32x64xi8, 2>) outs(%c1 : memref<32x64xi32, 2>)
        memref.dealloc %a1p : memref<32x32xi8, 2>
        memref.dealloc %b1p : memref<32x64xi8, 2>
        scf.for %k = %h0 to %hs step %h1 {
        %a1 = memref.alloc() : memref<32x32xi8, 2>
        %b1 = memref.alloc() : memref<32x64xi8, 2>
        air.channel.get @A2[] (%a1[] [] []) : (memref<32x32xi8, 2>)
        air.channel.get @B2[] (%b1[] [] []) : (memref<32x64xi8, 2>)
        linalg.matmul ins(%a1, %b1 : memref<32x32xi8, 2>, memref<32x64xi8, 2>) outs(%c1 : memref<32x64xi32, 2>)
        memref.dealloc %a1 : memref<32x32xi8, 2>
        memref.dealloc %b1 : memref<32x64xi8, 2>
        }
        %a1e = memref.alloc() : memref<32x32xi8, 2>
        %b1e = memref.alloc() : memref<32x64xi8, 2>
        air.channel.get @A2[] (%a1e[] [] []) : (memref<32x32xi8, 2>)
        air.channel.get @B2[] (%b1e[] [] []) : (memref<32x64xi8, 2>)
        linalg.matmul ins(%a1e, %b1e : memref<32x32xi8, 2>, memref<32x64xi8, 2>) outs(%c1 : memref<32x64xi32, 2>)
        memref.dealloc %a1e : memref<32x32xi8, 2>
        memref.dealloc %b1e : memref<32x64xi8, 2>
        air.channel.put @C1[] (%c1[] [] []) : (memref<32x64xi32, 2>)
        memref.dealloc %c1 : memref<32x64xi32, 2>
      }
      %c2 = memref.alloc() : memref<32x64xi32, 1>
      air.channel.get @C1[] (%c2[] [] []) : (memref<32x64xi32, 1>)
      air.channel.put @C2[] (%c2[] [] []) : (memref<32x64xi32, 1>)
      memref.dealloc %c2 : memref<32x64xi32, 1>
    }
  }
  return
}
