// What devices, tiles, cores, locks and buffers must not be.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{expected an AI Engine device, found 'npu9'; did you mean 'npu}}
aie.device(npu9) {
}

// -----

aie.device(npu1_1col) {
  // expected-error@+1 {{'aie.tile' op column index (1) must be less than the number of columns in the device (1)}}
  %0 = aie.tile(1, 2)
}

// -----

aie.device(npu1) {
  // expected-error@+1 {{row index (6) must be less than the number of rows in the device (6)}}
  %0 = aie.tile(0, 6)
}

// -----

aie.device(npu1) {
  // expected-error@+1 {{column index (-1) must not be negative}}
  %0 = aie.tile(-1, 0)
}

// -----

aie.device(npu1) {
  // expected-error@+1 {{expected a kind of tile, one of: CoreTile, MemTile, ShimNOCTile, ShimPLTile, found 'Mem'}}
  %0 = aie.logical_tile<Mem>(?, ?)
}

// -----

aie.device(xcvc1902) {
  // expected-error@+1 {{device xcvc1902 has no memory tiles}}
  %0 = aie.logical_tile<MemTile>(?, ?)
}

// -----

aie.device(npu1) {
  // expected-error@+1 {{asks for a memory tile, but row 2 has a core tile there}}
  %0 = aie.logical_tile<MemTile>(?, 2)
}

// -----

aie.device(xcvc1902) {
  // expected-error@+1 {{asks for a shim tile with a DMA, but row 0 has a shim tile without a DMA there}}
  %0 = aie.logical_tile<ShimNOCTile>(0, 0)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{'aie.core' op expects a core tile, but tile (0, 1) is a memory tile}}
  %0 = aie.core(%m) {
    aie.end
  }
}

// -----

func.func @f(%t: index) {
  // expected-error@+1 {{expects its tile to be made by aie.tile or aie.logical_tile}}
  %0 = aie.core(%t) {
    aie.end
  }
  return
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{stack size (65537) must be between 0 and 65536}}
  %0 = aie.core(%t) {
    aie.end
  } {stack_size = 65537 : i32}
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{with an elf_file must have nothing but aie.end in its body}}
  %0 = aie.core(%t) {
    %c = arith.constant 0 : i32
    aie.end
  } {elf_file = "a.elf"}
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.core(%t) {
    // expected-error@+1 {{cannot end a block of an aie.core; expected aie.end or a branch}}
    gpu.yield
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-note@+1 {{the first one is here}}
  %0 = aie.core(%t) {
    aie.end
  }
  // expected-error@+1 {{tile (0, 2) has more than one aie.core}}
  %1 = aie.core(%t) {
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-note@+1 {{the first one is here}}
  %0 = aie.mem(%t) {
    aie.end
  }
  // expected-error@+1 {{tile (0, 2) has more than one aie.mem}}
  %1 = aie.mem(%t) {
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects a memory tile, but tile (0, 2) is a core tile}}
  %0 = aie.memtile_dma(%t) {
    aie.end
  }
}

// -----

aie.device(xcvc1902) {
  %s = aie.tile(0, 0)
  // expected-error@+1 {{expects a shim tile with a DMA, but tile (0, 0) is a shim tile without a DMA}}
  %0 = aie.shim_dma(%s) {
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.core(%t) {
  // expected-error@+1 {{must have a 512-bit type, found 'vector<8xi32>'}}
    %1 = aie.get_cascade() : vector<8xi32>
    aie.end
  }
}

// -----

func.func @f(%v: vector<16xi32>) {
  // expected-error@+1 {{expects to be inside an aie.core}}
  aie.put_cascade(%v : vector<16xi32>)
  return
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{lock assigned invalid id (maximum is 15), found 16}}
  %0 = aie.lock(%t, 16)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{lock assigned invalid id (maximum is 63), found 64}}
  %0 = aie.lock(%m, 64)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{initial value (64) must be between 0 and 63}}
  %0 = aie.lock(%m, 1) {init = 64 : i32}
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-note@+1 {{the first one is here}}
  %0 = aie.lock(%t, 3)
  // expected-error@+1 {{lock 3 of tile (0, 2) is declared twice}}
  %1 = aie.lock(%t, 3)
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 4)
  // expected-error@+1 {{in Column 0 and Row 2 is accessed from an unreachable tile in Column 0 and Row 4}}
  %l = aie.lock(%t, 3)
  %0 = aie.core(%u) {
    // expected-note@+1 {{user}}
    aie.use_lock(%l, Release)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 4)
  // expected-error@+1 {{in Column 0 and Row 2 is accessed from an unreachable tile in Column 0 and Row 4}}
  %b = aie.buffer(%t) : memref<4xi32>
  %0 = aie.core(%u) {
    // expected-note@+1 {{user}}
    memref.dealloc %b : memref<4xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %b = aie.buffer(%t) : memref<64xi32>
  %h = aie.buffer(%t) : memref<64xbf16>
  %mb = aie.buffer(%m) : memref<4096xi32>
  %l = aie.lock(%t, 0)
  %0 = aie.core(%t) {
  // expected-error@+1 {{expects its lock to be made by aie.lock}}
    aie.use_lock(%t, Release)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %b = aie.buffer(%t) : memref<64xi32>
  %h = aie.buffer(%t) : memref<64xbf16>
  %mb = aie.buffer(%m) : memref<4096xi32>
  %l = aie.lock(%t, 0)
  // expected-error@+1 {{must be used in a core or memory operation}}
  aie.use_lock(%l, Release)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %b = aie.buffer(%t) : memref<64xi32>
  %h = aie.buffer(%t) : memref<64xbf16>
  %mb = aie.buffer(%m) : memref<4096xi32>
  %l = aie.lock(%t, 0)
  %0 = aie.core(%t) {
    %c = arith.constant 64 : i32
  // expected-error@+1 {{lock value (64) must be between 0 and 63}}
    aie.use_lock(%l, AcquireGreaterEqual, %c)
    aie.end
  }
}

// -----

aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  %l = aie.lock(%t, 0)
  %0 = aie.core(%t) {
  // expected-error@+1 {{AcquireGreaterEqual is not supported in AIE1}}
    aie.use_lock(%l, AcquireGreaterEqual)
    aie.end
  }
}

// -----

aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  %l = aie.lock(%t, 0)
  %0 = aie.core(%t) {
    %c = arith.constant 2 : i32
  // expected-error@+1 {{lock value (2) must be between 0 and 1}}
    aie.use_lock(%l, Release, %c)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects a memref of fixed size whose elements are numbers, found 'memref<?xi32>'}}
  %0 = aie.buffer(%t) : memref<?xi32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{of 65540 bytes is larger than the 65536 bytes of a core tile}}
  %0 = aie.buffer(%t) : memref<16385xi32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{of 256 bytes at address 65300 does not lie in the 65536 bytes of a core tile}}
  %0 = aie.buffer(%t) {address = 65300 : i32} : memref<64xi32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{does not fit buffer of type 'memref<4xi32>'}}
  %0 = "aie.buffer"(%t) {initial_value = dense<0> : tensor<5xi32>} : (index) -> memref<4xi32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects a core tile or a memory tile, but tile (0, 0) is a shim tile with a DMA}}
  %0 = aie.buffer(%s) : memref<4xi32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expected a memref of fixed size before an initial value, found 'memref<?xi32>'}}
  %0 = aie.buffer(%t) : memref<?xi32> = dense<0>
}

// -----

memref.global "private" constant @five : memref<5xi32> = dense<5>
aie.device(npu1) {
  // expected-error@+1 {{'contents' has 1 entries for 2 arguments}}
  aie.runtime_sequence @short(%a: memref<5xi32>, %b: memref<5xi32>) {
  } {contents = [unit]}
  // expected-error@+1 {{'contents' #1 is not a memref.global with a value of type 'memref<4xi32>': @five}}
  aie.runtime_sequence @other(%a: memref<5xi32>, %b: memref<4xi32>) {
  } {contents = [unit, @five]}
  aie.runtime_sequence @right(%a: memref<5xi32>, %b: memref<5xi32>) {
  } {contents = [unit, @five]}
}
