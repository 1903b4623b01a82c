// Buffers of L2 that follow each other in a round of a loop have one place, also with one that lasts: 40,960, 40,960 and 16,384 bytes do not fit
// beside each other.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:6 --output 2=%t.npy
// RUN: for d in gfx942,forward gfx90a,reverse gfx1100,random:3 gfx1201,reverse; do \
// RUN:   airlite-run %s --target=$(echo $d | sed 's/,.*//') --order=$(echo $d | sed 's/.*,//') --init=random:6 --expect 2=%t.npy || exit 1; done
// RUN: airlite-compile %s --target=gfx942 --report=kernel -o %t | FileCheck %s

// CHECK: 57344 of LDS
#id = affine_map<(i) -> (i)>
func.func @main(%a: memref<40960xi32>, %b: memref<40960xi32>, %c: memref<4096xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<40960xi32>, memref<40960xi32>, memref<4096xi32> {
    air.segment args(%sa = %la, %sb = %lb, %sc = %lc) : memref<40960xi32>, memref<40960xi32>, memref<4096xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %all = arith.constant 40960 : index
      %part = arith.constant 10240 : index
      %zero = arith.constant 0 : i32
      %sums = memref.alloc() : memref<4096xi32, 1>
      linalg.fill ins(%zero : i32) outs(%sums : memref<4096xi32, 1>)
      scf.for %k = %c0 to %all step %part {
        %x = memref.alloc() : memref<10240xi32, 1>
        air.dma_memcpy_nd (%x[] [] [], %sa[%k] [10240] [1]) : (memref<10240xi32, 1>, memref<40960xi32>)
        air.herd tile (%i) in (%n = %c4) args(%t = %x, %s = %sums) : memref<10240xi32, 1>, memref<4096xi32, 1> {
          %z = arith.constant 0 : index
          %one = arith.constant 1 : index
          %many = arith.constant 1024 : index
          %first = arith.muli %i, %many : index
          scf.for %j = %z to %many step %one {
            %at = arith.addi %first, %j : index
            %v = memref.load %t[%at] : memref<10240xi32, 1>
            %o = memref.load %s[%at] : memref<4096xi32, 1>
            %p = arith.addi %o, %v : i32
            memref.store %p, %s[%at] : memref<4096xi32, 1>
          }
        }
        memref.dealloc %x : memref<10240xi32, 1>
        %y = memref.alloc() : memref<10240xi32, 1>
        air.dma_memcpy_nd (%y[] [] [], %sb[%k] [10240] [1]) : (memref<10240xi32, 1>, memref<40960xi32>)
        air.herd tile (%i) in (%n = %c4) args(%t = %y, %s = %sums) : memref<10240xi32, 1>, memref<4096xi32, 1> {
          %z = arith.constant 0 : index
          %one = arith.constant 1 : index
          %many = arith.constant 1024 : index
          %last = arith.constant 5000 : index
          %first = arith.muli %i, %many : index
          scf.for %j = %z to %many step %one {
            %at = arith.addi %first, %j : index
            %from = arith.addi %at, %last : index
            %v = memref.load %t[%from] : memref<10240xi32, 1>
            %o = memref.load %s[%at] : memref<4096xi32, 1>
            %p = arith.muli %o, %v : i32
            memref.store %p, %s[%at] : memref<4096xi32, 1>
          }
        }
        memref.dealloc %y : memref<10240xi32, 1>
      }
      air.dma_memcpy_nd (%sc[] [] [], %sums[] [] []) : (memref<4096xi32>, memref<4096xi32, 1>)
    }
  }
  return
}
