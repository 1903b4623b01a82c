// RUN: airlite-opt %s --air-channel-to-l2 --canonicalize --check-each | FileCheck %s
// RUN: for f in pair chain ring stream herds all staged turned kept loops; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 1=%t.npy || exit 1; \
// RUN:   for o in gfx942,--order=forward gfx942,--order=reverse gfx1100,--order=random:3; do \
// RUN:     airlite-run %s --target=$(echo $o | tr , ' ') --function=$f --init=random:1 --expect 1=%t.npy || exit 1; done; \
// RUN: done
// REQUIRES: gpu
air.channel @pair_c [1, 1]
air.channel @chain_c [4]
air.channel @ring_right [4]
air.channel @ring_left [4]
air.channel @stream_c [1]
air.channel @herds_c [2, 1]
air.channel @all_c [1, 2] {broadcast_shape = [2, 2]}
air.channel @staged_in [1, 1]
air.channel @staged_out [1, 1]
air.channel @turned_in [2]
air.channel @turned_out [2]
air.channel @kept_c [1]
air.channel @loops_in [1]
air.channel @loops_out [1]

// One core sends, the other one receives: two rounds with a barrier between, through memory of one transfer.
// CHECK-LABEL: func.func @pair
// CHECK: memref.alloc() : memref<1x1x64xi32, 1 : i32>
// CHECK: air.herd
// CHECK: scf.if
// CHECK: air.dma_memcpy_nd (%[[L2:[^,]*]][] [] [], %[[L1:[^,]*]][] [] []) : (memref<1x1x64xi32, 1 : i32>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: air.dma_memcpy_nd (%[[L1]][] [] [], %[[L2]][] [] [])
// CHECK-NOT: gpu.barrier
func.func @pair(%a: memref<64xi32>, %o: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<64xi32>, memref<64xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<64xi32>, memref<64xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa, %ho = %so) : memref<64xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %first = arith.cmpi eq, %x, %c0 : index
        %b = memref.alloc() : memref<64xi32, 2>
        scf.if %first {
          air.dma_memcpy_nd (%b[] [] [], %ha[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
          air.channel.put @pair_c[] (%b[] [] []) : (memref<64xi32, 2>)
        } else {
          air.channel.get @pair_c[] (%b[] [] []) : (memref<64xi32, 2>)
          air.dma_memcpy_nd (%ho[] [] [], %b[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        }
        memref.dealloc %b : memref<64xi32, 2>
      }
    }
  }
  return
}

// Each core waits for the one before, and sends in a round of its own, since all of its lanes have read then: 6 rounds.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-5: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @chain(%a: memref<4x64xi32>, %o: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<4x64xi32>, memref<64xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<4x64xi32>, memref<64xi32> {
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      air.herd @h tile (%x, %y) in (%sx = %k4, %sy = %k1) args(%ha = %sa, %ho = %so) : memref<4x64xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c64 = arith.constant 64 : index
        %first = arith.cmpi eq, %x, %c0 : index
        %last = arith.cmpi eq, %x, %c3 : index
        %own = memref.alloc() : memref<64xi32, 2>
        %sum = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%own[] [] [], %ha[%x, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        scf.if %first {
          scf.for %j = %c0 to %c64 step %c1 {
            %v = memref.load %own[%j] : memref<64xi32, 2>
            memref.store %v, %sum[%j] : memref<64xi32, 2>
          }
        } else {
          %b = arith.subi %x, %c1 : index
          air.channel.get @chain_c[%b] (%sum[] [] []) : (memref<64xi32, 2>)
          scf.for %j = %c0 to %c64 step %c1 {
            %v = memref.load %own[%j] : memref<64xi32, 2>
            %w = memref.load %sum[%j] : memref<64xi32, 2>
            %s = arith.addi %v, %w : i32
            memref.store %s, %sum[%j] : memref<64xi32, 2>
          }
        }
        scf.if %last {
          air.dma_memcpy_nd (%ho[] [] [], %sum[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        } else {
          air.channel.put @chain_c[%x] (%sum[] [] []) : (memref<64xi32, 2>)
        }
        memref.dealloc %own : memref<64xi32, 2>
        memref.dealloc %sum : memref<64xi32, 2>
      }
    }
  }
  return
}

// All send first, then all receive: two rounds, and no core alone.
// CHECK-LABEL: func.func @ring
// CHECK: air.herd
// CHECK-NOT: scf.if
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK-NOT: gpu.barrier
func.func @ring(%a: memref<4x16xi32>, %o: memref<4x16xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<4x16xi32>, memref<4x16xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<4x16xi32>, memref<4x16xi32> {
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      air.herd @h tile (%x, %y) in (%sx = %k4, %sy = %k1) args(%ha = %sa, %ho = %so) : memref<4x16xi32>, memref<4x16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %own = memref.alloc() : memref<16xi32, 2>
        %l = memref.alloc() : memref<16xi32, 2>
        %r = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%own[] [] [], %ha[%x, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32, 2>, memref<4x16xi32>)
        %p1 = air.channel.put async @ring_right[%x] (%own[] [] []) : (memref<16xi32, 2>)
        %p2 = air.channel.put async @ring_left[%x] (%own[] [] []) : (memref<16xi32, 2>)
        %xp = arith.addi %x, %c3 : index
        %prev = arith.remui %xp, %c4 : index
        %xn = arith.addi %x, %c1 : index
        %next = arith.remui %xn, %c4 : index
        air.channel.get @ring_right[%prev] (%l[] [] []) : (memref<16xi32, 2>)
        air.channel.get @ring_left[%next] (%r[] [] []) : (memref<16xi32, 2>)
        air.wait_all [%p1, %p2]
        scf.for %j = %c0 to %c16 step %c1 {
          %v = memref.load %l[%j] : memref<16xi32, 2>
          %w = memref.load %r[%j] : memref<16xi32, 2>
          %u = memref.load %own[%j] : memref<16xi32, 2>
          %s = arith.addi %v, %w : i32
          %t = arith.addi %s, %u : i32
          memref.store %t, %own[%j] : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%ho[%x, %c0] [%c1, %c16] [%c16, %c1], %own[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
        memref.dealloc %own : memref<16xi32, 2>
        memref.dealloc %l : memref<16xi32, 2>
        memref.dealloc %r : memref<16xi32, 2>
      }
    }
  }
  return
}

// Transfers of a loop have a place each; what the other core does in the loop is not there.
// CHECK-LABEL: func.func @stream
// CHECK: memref.alloc() : memref<1x64xi32, 1 : i32>
// CHECK: air.dma_memcpy_nd (%{{.*}}[0, %{{.*}}] [1, 16] [64, 1], %{{.*}}[] [] [])
// CHECK: gpu.barrier
// CHECK-NOT: air.dma_memcpy_nd (%{{.*}}[0, %{{.*}}] [1, 16]
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[0, %{{.*}}] [1, 16] [64, 1])
func.func @stream(%a: memref<4x16xi32>, %o: memref<4x16xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<4x16xi32>, memref<4x16xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<4x16xi32>, memref<4x16xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa, %ho = %so) : memref<4x16xi32>, memref<4x16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %first = arith.cmpi eq, %x, %c0 : index
        scf.for %i = %c0 to %c4 step %c1 {
          %b = memref.alloc() : memref<16xi32, 2>
          scf.if %first {
            air.dma_memcpy_nd (%b[] [] [], %ha[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32, 2>, memref<4x16xi32>)
            air.channel.put @stream_c[] (%b[] [] []) : (memref<16xi32, 2>)
          } else {
            air.channel.get @stream_c[] (%b[] [] []) : (memref<16xi32, 2>)
            air.dma_memcpy_nd (%ho[%i, %c0] [%c1, %c16] [%c16, %c1], %b[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
          }
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
    }
  }
  return
}

// One herd after the other needs no barrier here: air-to-gpu sees the memory.
// CHECK-LABEL: func.func @herds
// CHECK: memref.alloc() : memref<2x1x64xi32, 1 : i32>
// CHECK-NOT: async
// CHECK-NOT: gpu.barrier
func.func @herds(%a: memref<2x64xi32>, %o: memref<2x64xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<2x64xi32>, memref<2x64xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<2x64xi32>, memref<2x64xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %p = air.herd @producer async tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa) : memref<2x64xi32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %c3 = arith.constant 3 : i32
        %b = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%b[] [] [], %ha[%x, %c0] [%h1, %c64] [%c64, %h1]) : (memref<64xi32, 2>, memref<2x64xi32>)
        scf.for %j = %c0 to %c64 step %h1 {
          %v = memref.load %b[%j] : memref<64xi32, 2>
          %w = arith.muli %v, %c3 : i32
          memref.store %w, %b[%j] : memref<64xi32, 2>
        }
        air.channel.put @herds_c[%x, %y] (%b[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %b : memref<64xi32, 2>
      }
      %q = air.herd @consumer async tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ho = %so) : memref<2x64xi32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %b = memref.alloc() : memref<64xi32, 2>
        air.channel.get @herds_c[%x, %y] (%b[] [] []) : (memref<64xi32, 2>)
        air.dma_memcpy_nd (%ho[%x, %c0] [%h1, %c64] [%c64, %h1], %b[] [] []) : (memref<2x64xi32>, memref<64xi32, 2>)
        memref.dealloc %b : memref<64xi32, 2>
      }
      air.wait_all [%p, %q]
    }
  }
  return
}

// Those that get a broadcast read one place.
// CHECK-LABEL: func.func @all
// CHECK: memref.alloc() : memref<1x2x32xi32, 1 : i32>
// CHECK: air.herd @q
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[0, %{{.*}}, %{{.*}}] [1, 1, 16] [64, 32, 1])
func.func @all(%a: memref<2x32xi32>, %o: memref<4x32xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<2x32xi32>, memref<4x32xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<2x32xi32>, memref<4x32xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %t = air.herd @p async tile (%x, %y) in (%sx = %k1, %sy = %k2) args(%ha = %sa) : memref<2x32xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        scf.for %i = %c0 to %c32 step %c16 {
          %b = memref.alloc() : memref<16xi32, 2>
          air.dma_memcpy_nd (%b[] [] [], %ha[%y, %i] [%c1, %c16] [%c32, %c1]) : (memref<16xi32, 2>, memref<2x32xi32>)
          air.channel.put @all_c[%c0, %y] (%b[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
      %u = air.herd @q async tile (%x, %y) in (%sx = %k2, %sy = %k2) args(%ho = %so) : memref<4x32xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %row0 = arith.muli %x, %c2 : index
        %row = arith.addi %row0, %y : index
        scf.for %i = %c0 to %c2 step %c1 {
          %b = memref.alloc() : memref<16xi32, 2>
          air.channel.get @all_c[%x, %y] (%b[] [] []) : (memref<16xi32, 2>)
          %at = arith.muli %i, %c16 : index
          air.dma_memcpy_nd (%ho[%row, %at] [%c1, %c16] [%c32, %c1], %b[] [] []) : (memref<4x32xi32>, memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
      air.wait_all [%t, %u]
    }
  }
  return
}

// The segment is a process, too.
// CHECK-LABEL: func.func @staged
// CHECK: memref.alloc() : memref<1x1x256xi32, 1 : i32>
// CHECK: scf.for
// CHECK: air.dma_memcpy_nd (%{{.*}}[0, 0, %{{.*}}] [1, 1, 32] [256, 256, 1], %{{.*}}[%{{.*}}] [32] [1])
func.func @staged(%a: memref<256xi32>, %o: memref<256xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<256xi32>, memref<256xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<256xi32>, memref<256xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %l2 = memref.alloc() : memref<256xi32, 1>
      scf.for %i = %c0 to %c256 step %c64 {
        air.dma_memcpy_nd (%l2[%i] [%c64] [%c1], %sa[%i] [%c64] [%c1]) : (memref<256xi32, 1>, memref<256xi32>)
      }
      %l2o = memref.alloc() : memref<256xi32, 1>
      scf.for %i = %c0 to %c256 step %c32 {
        %p = air.channel.put async @staged_in[] (%l2[%i] [%c32] [%c1]) : (memref<256xi32, 1>)
      }
      %hh = air.herd @h async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k8 = arith.constant 8 : index
        %k32 = arith.constant 32 : index
        scf.for %i = %k0 to %k8 step %k1 {
          %b = memref.alloc() : memref<32xi32, 2>
          air.channel.get @staged_in[] (%b[] [] []) : (memref<32xi32, 2>)
          scf.for %j = %k0 to %k32 step %k1 {
            %v = memref.load %b[%j] : memref<32xi32, 2>
            %w = arith.addi %v, %v : i32
            memref.store %w, %b[%j] : memref<32xi32, 2>
          }
          air.channel.put @staged_out[] (%b[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %b : memref<32xi32, 2>
        }
      }
      scf.for %i = %c0 to %c256 step %c32 {
        air.channel.get @staged_out[] (%l2o[%i] [%c32] [%c1]) : (memref<256xi32, 1>)
      }
      air.dma_memcpy_nd (%so[] [] [], %l2o[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
      memref.dealloc %l2 : memref<256xi32, 1>
      memref.dealloc %l2o : memref<256xi32, 1>
    }
  }
  return
}

// The herds stand before what they wait for, the second one before the first; six puts of 16 are two gets of 48; loops around
// transfers are of three kinds.
// CHECK-LABEL: func.func @turned
// CHECK: scf.for
// CHECK: air.herd @first
// CHECK: air.herd @second
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, %{{.*}}] [1, 48] [96, 1]) : (memref<48xi32, 2>, memref<2x96xi32, 1 : i32>)
func.func @turned(%a: memref<2x96xi32>, %o: memref<2x96xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<2x96xi32>, memref<2x96xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<2x96xi32>, memref<2x96xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %t = air.herd @second async tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%ho = %so) : memref<2x96xi32> {
        %b = memref.alloc() : memref<48xi32, 2>
        affine.for %i = 0 to 2 {
          air.channel.get @turned_out[%x] (%b[] [] []) : (memref<48xi32, 2>)
          %k48 = arith.constant 48 : index
          %at = arith.muli %i, %k48 : index
          air.dma_memcpy_nd (%ho[%x, %at] [1, 48] [96, 1], %b[] [] []) : (memref<2x96xi32>, memref<48xi32, 2>)
        }
        memref.dealloc %b : memref<48xi32, 2>
      }
      %u = air.herd @first async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k6 = arith.constant 6 : index
        %b = memref.alloc() : memref<16xi32, 2>
        scf.for %i = %k0 to %k6 step %k1 {
          air.channel.get @turned_in[%x] (%b[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%b, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%b : memref<16xi32, 2>)
          air.channel.put @turned_out[%x] (%b[] [] []) : (memref<16xi32, 2>)
        }
        memref.dealloc %b : memref<16xi32, 2>
      }
      scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
        air.channel.put @turned_in[%i] (%sa[%i, 0] [1, 96] [96, 1]) : (memref<2x96xi32>)
        scf.reduce
      }
      air.wait_all [%t, %u]
    }
  }
  return
}

// What is put is written before, and what is read after it is written later: neither moves over that.
// CHECK-LABEL: func.func @kept
// CHECK: memref.store %{{.*}}, %[[M:alloc[_0-9]*]][
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[M]][] [] [])
// CHECK: air.herd @h
// CHECK: memref.store %{{.*}}, %[[M]][
func.func @kept(%a: memref<1xi32>, %o: memref<1xi32>) {
  air.launch () in () args(%lo = %o) : memref<1xi32> {
    air.segment @s args(%so = %lo) : memref<1xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %seven = arith.constant 7 : i32
      %eight = arith.constant 8 : i32
      %m = memref.alloc() : memref<1xi32, 1>
      %t = air.herd @h async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%ho = %so) : memref<1xi32> {
        %b = memref.alloc() : memref<1xi32, 2>
        air.channel.get @kept_c[] (%b[] [] []) : (memref<1xi32, 2>)
        air.dma_memcpy_nd (%ho[] [] [], %b[] [] []) : (memref<1xi32>, memref<1xi32, 2>)
        memref.dealloc %b : memref<1xi32, 2>
      }
      memref.store %seven, %m[%c0] : memref<1xi32, 1>
      air.channel.put @kept_c[] (%m[] [] []) : (memref<1xi32, 1>)
      memref.store %eight, %m[%c0] : memref<1xi32, 1>
      memref.dealloc %m : memref<1xi32, 1>
      air.wait_all [%t]
    }
  }
  return
}

// The segment feeds a core and takes its results in one loop: two loops, with the herd between.
// CHECK-LABEL: func.func @loops
// CHECK: memref.store
// CHECK: memref.load
// CHECK: air.dma_memcpy_nd (%{{.*}}[0, %{{.*}}] [1, 16] [64, 1], %{{.*}}[%{{.*}}, 0] [1, 16] [16, 1])
// CHECK: air.herd @h
// CHECK-NOT: memref.load
// CHECK: air.dma_memcpy_nd (%{{.*}}[%{{.*}}, 0] [1, 16] [16, 1], %{{.*}})
func.func @loops(%a: memref<4x16xi32>, %o: memref<4x16xi32>) {
  air.launch () in () args(%la = %a, %lo = %o) : memref<4x16xi32>, memref<4x16xi32> {
    air.segment @s args(%sa = %la, %so = %lo) : memref<4x16xi32>, memref<4x16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %three = arith.constant 3 : i32
      %rows = memref.alloc() : memref<4xi32, 1>
      scf.for %i = %c0 to %c4 step %c1 {
        %w = arith.index_cast %i : index to i32
        %v = arith.subi %three, %w : i32
        memref.store %v, %rows[%i] : memref<4xi32, 1>
      }
      %t = air.herd @h async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k4 = arith.constant 4 : index
        %b = memref.alloc() : memref<16xi32, 2>
        scf.for %i = %k0 to %k4 step %k1 {
          air.channel.get @loops_in[] (%b[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%b, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%b : memref<16xi32, 2>)
          air.channel.put @loops_out[] (%b[] [] []) : (memref<16xi32, 2>)
        }
        memref.dealloc %b : memref<16xi32, 2>
      }
      scf.for %i = %c0 to %c4 step %c1 {
        %w = memref.load %rows[%i] : memref<4xi32, 1>
        %row = arith.index_cast %w : i32 to index
        %p = air.channel.put async @loops_in[] (%sa[%row, 0] [1, 16] [16, 1]) : (memref<4x16xi32>)
        %l2 = memref.alloc() : memref<16xi32, 1>
        air.channel.get @loops_out[] (%l2[] [] []) : (memref<16xi32, 1>)
        air.dma_memcpy_nd (%so[%i, 0] [1, 16] [16, 1], %l2[] [] []) : (memref<4x16xi32>, memref<16xi32, 1>)
        memref.dealloc %l2 : memref<16xi32, 1>
        air.wait_all [%p]
      }
      memref.dealloc %rows : memref<4xi32, 1>
      air.wait_all [%t]
    }
  }
  return
}
