// REQUIRES: gpu
// Lanes of a wave share what herds of the program do. All numbers are such that sums are exact: integers, or one addition.
// RUN: for f in sums scans vectors; do for d in gfx942 gfx1100; do for o in forward reverse random:5; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 2=%t.npy || exit 1; \
// RUN:   airlite-run %s --target=$d --order=$o --function=$f --init=random:1 --expect 2=%t.npy || exit 1; \
// RUN: done; done; done | FileCheck %s
// CHECK-COUNT-18: bits

// Herds one after the other have the same LDS (%a1, %b1 and %t), behind what lasts from herd to herd (%sum).
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s --check-prefix=LDS
// LDS-LABEL: gpu.func @sums_launch_0
// LDS: %[[BYTES:.*]] = memref.alloc() : memref<8192xi8, 3>
// LDS: %[[WAVE:.*]] = arith.muli %{{.*}}, %c2048
// LDS: memref.view %[[BYTES]][%[[WAVE]]][] : memref<8192xi8, 3> to memref<16x16xi32, 3>
// LDS-DAG: %[[BEHIND:.*]] = arith.addi %[[WAVE]], %c1024
// LDS-DAG: memref.view %[[BYTES]][%{{.*}}][] : memref<8192xi8, 3> to memref<16x32xi8, 3>
// LDS: memref.view %[[BYTES]][%{{.*}}][] : memref<8192xi8, 3> to memref<32x16xi8, 3>
// LDS: memref.view %[[BYTES]][%{{.*}}][] : memref<8192xi8, 3> to memref<16x16xi32, 3>
// LDS-NOT: memref.alloca

// RUN: airlite-compile %s --target=gfx942 -o %T/a --report=kernel | FileCheck %s --check-prefix=SUMS
// SUMS: kernel sums_launch_0
// SUMS: 0 bytes of scratch
// SUMS: {{[1-9][0-9]*}} matrix

// One number after the other is written by the first lane, the rows of all others by all lanes.
// LDS-LABEL: gpu.func @scans_launch_0
// LDS: scf.for
// LDS: memref.store
// LDS: gpu.wave_barrier
// LDS: arith.cmpi eq, %thread_id_x, %{{.*}} : index
// LDS: gpu.return

// Vectors apart from each other are shared, those that overlap are not.
// LDS-LABEL: gpu.func @vectors_launch_0
// LDS: vector.transfer_write %{{.*}}, %{{.*}} : vector<1x16xi32>, memref<8x64xi32, 3>
// LDS: arith.cmpi eq, %thread_id_x
// LDS: scf.for
// LDS: vector.transfer_write %{{.*}}, %{{.*}} : vector<16xi32>, memref<8x64xi32, 3>
// LDS: gpu.return

// Memory for two waves: the four cores of the program take turns. With more L1 than LDS one lane does it all.
// RUN: airlite-opt %s --pass-pipeline='builtin.module(air-fit-herds{work-items=1024 lds-bytes=65536},air-to-gpu)' --remarks 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: remark: [air-to-gpu] one lane of a wave runs it: L1 of its 1 waves takes 80000 bytes of LDS, and 65536 are left
// TURNS-LABEL: gpu.func @turns_launch_0{{.*}}known_block_size = array<i32: 128, 1, 1>
// TURNS: memref.alloc() : memref<65536xi8, 3>
// TURNS-LABEL: gpu.func @large_launch_0{{.*}}known_block_size = array<i32: 64, 1, 1>
// TURNS: memref.alloca() : memref<20000xf32, 5>

func.func @sums(%A: memref<32x128xi8>, %B: memref<128x32xi8>, %C: memref<32x32xi32>) {
  air.launch () in () args(%la = %A, %lb = %B, %lc = %C) : memref<32x128xi8>, memref<128x32xi8>, memref<32x32xi32> {
    air.segment args(%sa = %la, %sb = %lb, %sc = %lc) : memref<32x128xi8>, memref<128x32xi8>, memref<32x32xi32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sum = memref.alloc() : memref<16x16xi32, 2>
      air.herd @start tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%s = %sum) : memref<16x16xi32, 2> {
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%s : memref<16x16xi32, 2>)
      }
      scf.for %k = %c0 to %c128 step %c32 {
        air.herd @add tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%a = %sa, %b = %sb, %s = %sum, %kk = %k)
            : memref<32x128xi8>, memref<128x32xi8>, memref<16x16xi32, 2>, index {
          %h16 = arith.constant 16 : index
          %row = arith.muli %x, %h16 : index
          %column = arith.muli %y, %h16 : index
          %a1 = memref.alloc() : memref<16x32xi8, 2>
          %b1 = memref.alloc() : memref<32x16xi8, 2>
          air.dma_memcpy_nd (%a1[] [] [], %a[%row, %kk] [16, 32] [128, 1]) : (memref<16x32xi8, 2>, memref<32x128xi8>)
          air.dma_memcpy_nd (%b1[] [] [], %b[%kk, %column] [32, 16] [32, 1]) : (memref<32x16xi8, 2>, memref<128x32xi8>)
          linalg.matmul ins(%a1, %b1 : memref<16x32xi8, 2>, memref<32x16xi8, 2>) outs(%s : memref<16x16xi32, 2>)
        }
      }
      air.herd @end tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%c = %sc, %s = %sum) : memref<32x32xi32>, memref<16x16xi32, 2> {
        %h16 = arith.constant 16 : index
        %row = arith.muli %x, %h16 : index
        %column = arith.muli %y, %h16 : index
        %t = memref.alloc() : memref<16x16xi32, 2>
        linalg.transpose ins(%s : memref<16x16xi32, 2>) outs(%t : memref<16x16xi32, 2>) permutation = [1, 0]
        air.dma_memcpy_nd (%c[%row, %column] [16, 16] [32, 1], %t[] [] []) : (memref<32x32xi32>, memref<16x16xi32, 2>)
      }
    }
  }
  return
}

// Each row of the result is the sum of the rows up to it, and its first number that of the numbers before it in its column, times the last.
func.func @scans(%A: memref<16x64xi32>, %B: memref<16x64xi32>, %C: memref<16x64xi32>) {
  air.launch () in () args(%la = %A, %lc = %C) : memref<16x64xi32>, memref<16x64xi32> {
    air.segment args(%sa = %la, %sc = %lc) : memref<16x64xi32>, memref<16x64xi32> {
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n1, %ny = %n1) args(%a = %sa, %c = %sc) : memref<16x64xi32>, memref<16x64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c64 = arith.constant 64 : index
        %last = arith.constant 63 : index
        %t = memref.alloc() : memref<16x64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %a[] [] []) : (memref<16x64xi32, 2>, memref<16x64xi32>)
        scf.for %i = %c1 to %c16 step %c1 {
          %before = arith.subi %i, %c1 : index
          scf.for %j = %c0 to %c64 step %c1 {
            %v = memref.load %t[%i, %j] : memref<16x64xi32, 2>
            %w = memref.load %t[%before, %j] : memref<16x64xi32, 2>
            %s = arith.addi %v, %w : i32
            memref.store %s, %t[%i, %j] : memref<16x64xi32, 2>
          }
          %f = memref.load %t[%i, %c0] : memref<16x64xi32, 2>
          %l = memref.load %t[%before, %last] : memref<16x64xi32, 2>
          %p = arith.muli %f, %l : i32
          memref.store %p, %t[%i, %c0] : memref<16x64xi32, 2>
        }
        air.dma_memcpy_nd (%c[] [] [], %t[] [] []) : (memref<16x64xi32>, memref<16x64xi32, 2>)
      }
    }
  }
  return
}

// Each element is doubled; then 16 numbers at every eighth place of a row get those eight places further added, one after the other.
func.func @vectors(%A: memref<8x64xi32>, %B: memref<8x64xi32>, %C: memref<8x64xi32>) {
  air.launch () in () args(%la = %A, %lc = %C) : memref<8x64xi32>, memref<8x64xi32> {
    air.segment args(%sa = %la, %sc = %lc) : memref<8x64xi32>, memref<8x64xi32> {
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n1, %ny = %n1) args(%a = %sa, %c = %sc) : memref<8x64xi32>, memref<8x64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %c48 = arith.constant 48 : index
        %c64 = arith.constant 64 : index
        %z = arith.constant 0 : i32
        %t = memref.alloc() : memref<8x64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %a[] [] []) : (memref<8x64xi32, 2>, memref<8x64xi32>)
        scf.for %i = %c0 to %c8 step %c1 {
          scf.for %j = %c0 to %c64 step %c16 {
            %v = vector.transfer_read %t[%i, %j], %z {in_bounds = [true, true]} : memref<8x64xi32, 2>, vector<1x16xi32>
            %w = arith.addi %v, %v : vector<1x16xi32>
            vector.transfer_write %w, %t[%i, %j] {in_bounds = [true, true]} : vector<1x16xi32>, memref<8x64xi32, 2>
          }
        }
        scf.for %j = %c0 to %c48 step %c8 {
          %next = arith.addi %j, %c8 : index
          %v = vector.transfer_read %t[%c0, %j], %z {in_bounds = [true]} : memref<8x64xi32, 2>, vector<16xi32>
          %w = vector.transfer_read %t[%c0, %next], %z {in_bounds = [true]} : memref<8x64xi32, 2>, vector<16xi32>
          %s = arith.addi %v, %w : vector<16xi32>
          vector.transfer_write %s, %t[%c0, %j] {in_bounds = [true]} : vector<16xi32>, memref<8x64xi32, 2>
        }
        air.dma_memcpy_nd (%c[] [] [], %t[] [] []) : (memref<8x64xi32>, memref<8x64xi32, 2>)
      }
    }
  }
  return
}

func.func @turns(%A: memref<4x8192xf32>, %B: memref<4x8192xf32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<4x8192xf32>, memref<4x8192xf32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x8192xf32>, memref<4x8192xf32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      scf.for %once = %n1 to %n4 step %n4 {
        air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%a = %sa, %b = %sb) : memref<4x8192xf32>, memref<4x8192xf32> {
          %t = memref.alloc() : memref<8192xf32, 2>
          air.dma_memcpy_nd (%t[] [] [], %a[%x, 0] [1, 8192] [8192, 1]) : (memref<8192xf32, 2>, memref<4x8192xf32>)
          linalg.exp ins(%t : memref<8192xf32, 2>) outs(%t : memref<8192xf32, 2>)
          air.dma_memcpy_nd (%b[%x, 0] [1, 8192] [8192, 1], %t[] [] []) : (memref<4x8192xf32>, memref<8192xf32, 2>)
        }
      }
    }
  }
  return
}

func.func @large(%A: memref<20000xf32>, %B: memref<20000xf32>) {
  air.launch () in () args(%la = %A, %lb = %B) : memref<20000xf32>, memref<20000xf32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<20000xf32>, memref<20000xf32> {
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n1, %ny = %n1) args(%a = %sa, %b = %sb) : memref<20000xf32>, memref<20000xf32> {
        %t = memref.alloc() : memref<20000xf32, 2>
        air.dma_memcpy_nd (%t[] [] [], %a[] [] []) : (memref<20000xf32, 2>, memref<20000xf32>)
        linalg.exp ins(%t : memref<20000xf32, 2>) outs(%t : memref<20000xf32, 2>)
        air.dma_memcpy_nd (%b[] [] [], %t[] [] []) : (memref<20000xf32>, memref<20000xf32, 2>)
      }
    }
  }
  return
}
