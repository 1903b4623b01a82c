// RUN: airlite-opt %s --air-verify-program='device=npu1 max-points=0' --emit=none --split-input-file --verify-diagnostics
// RUN: not airlite-opt %s --air-verify-program='device=%S/Inputs/one_dma.json max-points=0' --emit=none --split-input-file 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: airlite-opt %s --air-verify-program='device=mi300x max-points=0' --emit=none --split-input-file
// DMA channels of tiles, by direction: places of circuit-switched channels count, each once.

// Ends that share a place, use packets or are copies take no further channel; nor does what this core never
// comes to.
air.channel @a [2]
air.channel @b [2]
air.channel @p [2] {channel_type = "npu_dma_packet"}
// ONE: error: 'air.herd' op needs at least 2 DMA channels into core (1, 0), but a core of one has 1
func.func @shared(%in: memref<64xf32>) {
  air.launch () in () args(%from = %in) : memref<64xf32> {
    air.segment @seg args(%l3 = %from) : memref<64xf32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %done = air.herd @cores async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        %c0 = arith.constant 0 : index
        %m = memref.alloc() : memref<64xf32, 2>
        %first = arith.cmpi eq, %x, %c0 : index
        scf.if %first {
          air.channel.get @a[%x] (%m[] [] []) : (memref<64xf32, 2>)
          air.channel.get @a[%x] (%m[] [] []) : (memref<64xf32, 2>)
        } else {
          air.channel.get @b[%x] (%m[] [] []) : (memref<64xf32, 2>)
          air.channel.get @p[%x] (%m[] [] []) : (memref<64xf32, 2>)
        }
      }
      %c0 = arith.constant 0 : index
      air.channel.put @a[%c0] (%l3[] [] []) : (memref<64xf32>)
      air.channel.put @a[%c0] (%l3[] [] []) : (memref<64xf32>)
      air.channel.put @b[%c1] (%l3[] [] []) : (memref<64xf32>)
      air.channel.put @p[%c1] (%l3[] [] []) : (memref<64xf32>)
      air.wait_all [%done]
    }
  }
  return
}

// -----

// Places that a loop goes through, from the memory tile to the core.
air.channel @many [3]
// ONE: error: 'air.herd' op needs 3 DMA channels into core (0, 0), but a core of one has 1
// ONE: note: 'air.channel.get' takes from 3 places of '@many'
// ONE: error: 'air.launch' op needs 3 DMA channels out of memory tiles, but one has 1
func.func @places() {
  air.launch () in () {
    air.segment @seg {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %l2 = memref.alloc() : memref<64xf32, 1>
      // expected-error@+1 {{'air.herd' op needs 3 DMA channels into core (0, 0), but a core of npu1 has 2}}
      %done = air.herd @cores async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %three = arith.constant 3 : index
        %m = memref.alloc() : memref<64xf32, 2>
        scf.parallel (%i) = (%zero) to (%three) step (%one) {
          // expected-note@+1 {{'air.channel.get' takes from 3 places of '@many'}}
          air.channel.get @many[%i] (%m[] [] []) : (memref<64xf32, 2>)
        }
      }
      scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
        air.channel.put @many[%i] (%l2[] [] []) : (memref<64xf32, 1>)
      }
      air.wait_all [%done]
    }
  }
  return
}

// -----

// The other way; copies are one channel together.
air.channel @out [2, 1]
// ONE: error: 'air.herd' op needs at least 3 DMA channels out of core (0, 0), but a core of one has 1
func.func @results(%in: memref<64xf32>) {
  air.launch () in () args(%from = %in) : memref<64xf32> {
    air.segment @seg args(%l3 = %from) : memref<64xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      // expected-error@+1 {{'air.herd' op needs at least 3 DMA channels out of core (0, 0), but a core of npu1 has 2}}
      %done = air.herd @cores async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%to = %l3)
          : memref<64xf32> {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %m = memref.alloc() : memref<64xf32, 2>
        // expected-note@+1 {{'air.channel.put' sends to '@out'}}
        air.channel.put @out[%zero, %y] (%m[] [] []) : (memref<64xf32, 2>)
        // expected-note@+1 {{'air.channel.put' sends to '@out'}}
        air.channel.put @out[%one, %y] (%m[] [] []) : (memref<64xf32, 2>)
        // expected-note@+1 {{'air.dma_memcpy_nd' needs one, with others like it}}
        air.dma_memcpy_nd (%to[] [] [], %m[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
        air.dma_memcpy_nd (%to[] [] [], %m[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
      }
      %l2 = memref.alloc() : memref<64xf32, 1>
      air.channel.get @out[%c0, %c0] (%l2[] [] []) : (memref<64xf32, 1>)
      air.channel.get @out[%c1, %c0] (%l2[] [] []) : (memref<64xf32, 1>)
      air.wait_all [%done]
    }
  }
  return
}
