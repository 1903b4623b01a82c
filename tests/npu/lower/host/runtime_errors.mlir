// RUN: airlite-opt %s --split-input-file --verify-diagnostics --airrt-to-npu

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @stride(%a: memref<8xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{runtime-valued DMA stride is not supported}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, %n, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @sizes(%a: memref<8xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{more than one runtime-valued DMA size is not supported}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, %n, %n, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @gap(%a: memref<8xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{runtime-valued DMA size is not supported where elements do not follow each other}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, %n, 1, 8], [0, 16, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @several(%a: memref<99999999xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{runtime-valued DMA size is not supported for several descriptors}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [%n, 1, 2, 8], [0, 0, 4194304, 1]) {metadata = @in} : (i32, i64, i64, memref<99999999xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @chunks(%a: memref<9999xbf16>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{cannot tile dim 3 of size 2049 into shim-legal chunks}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [2, 1, 1, 2049], [2050, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<9999xbf16>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @room(%a: memref<99999999xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{cannot tile dim 2 of size 2048 into shim-legal chunks}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [20, 2, 2048, 8], [1000000, 100000, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<99999999xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @inside(%a: memref<999xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{not supported: repeats elements inside of a walk of 20 steps}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 20, 3, 8], [0, 16, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<999xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @unnamed(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{has no metadata: which shim channel is it for?}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {chan_name = @c} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @unknown(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{@out is not the name of a shim channel}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @view(%a: memref<8xi32>, %b: i1) {
      %o = scf.if %b -> (index) {
        %zero = arith.constant 0 : index
        scf.yield %zero : index
      } else {
        %one = arith.constant 1 : index
        scf.yield %one : index
      }
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %v = memref.subview %a[%o] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: ?>>
      // expected-error@+1 {{not supported: a part of memory at a place that a sequence cannot know}}
      airrt.dma_memcpy_nd(%i, %z, %z, %v[0, 0, 0, 0], [1, 1, 1, 4], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<4xi32, strided<[1], offset: ?>>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @memory(%a: memref<8xi32>, %b: i1) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %o = scf.if %b -> (i64) {
        scf.yield %z : i64
      } else {
        %one = arith.constant 1 : i64
        scf.yield %one : i64
      }
      // expected-error@+1 {{not supported: a number that a sequence cannot know}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %o], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @store(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %c = arith.constant 0 : index
      // expected-error@+1 {{not supported: in a runtime sequence}}
      memref.store %i, %a[%c] : memref<8xi32>
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @condition(%a: memref<8xi32>, %n: i1) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{not supported: a condition that is only known when the sequence runs}}
      scf.if %n {
        airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      }
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @size(%n: index) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{not supported: memory of a size that is open}}
      %m = memref.alloc(%n) : memref<?xi32>
      airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<?xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @copy(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %m = airrt.alloc : memref<8xi32, 1>
      // expected-error@+1 {{not supported: in a runtime sequence}}
      airrt.memcpy_nd(%m, %a, [%z, %z, %z, %z], [%z, %z, %z, %z], [%z, %z, %z, %z]) : (memref<8xi32, 1>, memref<8xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @herd(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      // expected-error@+1 {{has parameters, but no airrt.herd_metadata says where the cores of herd 'h' are}}
      %h = airrt.herd_load "h" (%i) {segment_name = "seg"} : (i32) -> i64
      return
    }
  }
}

// -----

// What @a has begun would be lost when @b is loaded, and the last transfer cannot go before @b's.
module {
  aie.device(npu1) @a {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  aie.device(npu1) @b {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @other(%tile, S2MM, 0)
  }
  func.func @turns(%x: memref<8xi32>, %y: memref<8xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %0 = airrt.dma_memcpy_nd(%i, %z, %z, %x[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    %1 = airrt.dma_memcpy_nd(%i, %z, %z, %y[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @other} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    airrt.wait_all %1
    // expected-error@+1 {{not supported: it comes after something of '@b', which is loaded when '@a' is done}}
    %2 = airrt.dma_memcpy_nd(%i, %z, %z, %y[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    airrt.wait_all %0, %2
    return
  }
}

// -----

module {
  memref.global "private" constant @fixed : memref<8xi32> = dense<1>
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
    func.func @constant() {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %o = arith.constant 1 : i64
      %n = arith.constant 8 : i64
      %a = memref.get_global @fixed : memref<8xi32>
      // expected-error@+1 {{'airrt.dma_memcpy_nd' op would write to a constant}}
      airrt.dma_memcpy_nd(%i, %z, %z, %a[%z, %z, %z, %z], [%o, %o, %o, %n], [%z, %z, %z, %o]) {metadata = @out} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  memref.global "private" @state : memref<8xi32> = dense<1>
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
    func.func @variable() {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %o = arith.constant 1 : i64
      %n = arith.constant 8 : i64
      // expected-error@+1 {{'memref.get_global' op not supported on the host: a global that is not a constant}}
      %a = memref.get_global @state : memref<8xi32>
      airrt.dma_memcpy_nd(%i, %z, %z, %a[%z, %z, %z, %z], [%o, %o, %o, %n], [%z, %z, %z, %o]) {metadata = @out} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

module {
  aie.device(npu1) @d {
  }
  // expected-error@+1 {{not supported: argument 0 of type 'memref<8xi32, 2>' is memory of the array; the host gives memory of its own}}
  func.func @in_l1(%m: memref<8xi32, 2>) {
    %0 = airrt.segment_load "d" : i64
    return
  }
}
