// What DMA programs and buffer descriptors must not be.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %b = aie.buffer(%t) : memref<64xi32>
  %h = aie.buffer(%t) : memref<64xbf16>
  %mb = aie.buffer(%m) : memref<4096xi32>
  %l = aie.lock(%t, 0)
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expected the same number of sizes (2) and strides (1)}}
    aie.dma_bd(%b : memref<64xi32> sizes = [2, 2] strides = [1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{offset must not be negative, found -1}}
    aie.dma_bd(%b : memref<64xi32> offset = -1 len = 4)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{length must not be negative, found -4}}
    aie.dma_bd(%b : memref<64xi32> offset = 0 len = -4)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{offset must be a multiple of 4 bytes, found 1 elements of 2 bytes}}
    aie.dma_bd(%h : memref<64xbf16> offset = 1 len = 4)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{length must be a multiple of 4 bytes, found 5 elements of 2 bytes}}
    aie.dma_bd(%h : memref<64xbf16> offset = 0 len = 5)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{transfer of 64 elements at offset 32 runs past the end of the 64-element buffer}}
    aie.dma_bd(%b : memref<64xi32> offset = 32)
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

// The last word of memory is there as a whole.
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %b = aie.buffer(%t) : memref<64xi32>
  %h = aie.buffer(%t) : memref<63xbf16>
  %mb = aie.buffer(%m) : memref<4096xi32>
  %l = aie.lock(%t, 0)
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%h : memref<63xbf16> offset = 32 len = 32)
    aie.next_bd ^bb3
  ^bb3:
    // expected-error@+1 {{transfer of 34 elements at offset 32 runs past the end of the 64-element buffer}}
    aie.dma_bd(%h : memref<63xbf16> offset = 32 len = 34)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{sizes and strides reach element 71 of a buffer of 64}}
    aie.dma_bd(%b : memref<64xi32> offset = 8 len = 64 sizes = [4, 16] strides = [16, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{length of 16385 words exceeds the limit of 16383}}
    aie.dma_bd(%b : memref<64xi32> offset = 0 len = 16385)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{cannot have more than 3 dimensions in this tile, found 4}}
    aie.dma_bd(%b : memref<64xi32> sizes = [2, 2, 2, 2] strides = [8, 4, 2, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{sizes must be positive, found 0}}
    aie.dma_bd(%b : memref<64xi32> sizes = [0, 2] strides = [8, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{strides must be positive, found 0}}
    aie.dma_bd(%b : memref<64xi32> sizes = [2, 2] strides = [0, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{innermost stride must be 1 for elements of 2 bytes, found 2}}
    aie.dma_bd(%h : memref<64xbf16> sizes = [2, 4] strides = [8, 2])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{innermost size must be a multiple of 4 bytes, found 5 elements of 2 bytes}}
    aie.dma_bd(%h : memref<64xbf16> sizes = [2, 5] strides = [8, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{stride must be a multiple of 4 bytes, found 7 elements of 2 bytes}}
    aie.dma_bd(%h : memref<64xbf16> sizes = [2, 4] strides = [7, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{stride of 8193 words exceeds the limit of 8192}}
    aie.dma_bd(%b : memref<64xi32> sizes = [2, 4] strides = [8193, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{size of 256 words exceeds the limit of 255}}
    aie.dma_bd(%b : memref<64xi32> sizes = [2, 256] strides = [1, 2])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{size of 256 exceeds the limit of 255}}
    aie.dma_bd(%b : memref<64xi32> sizes = [2, 256, 2] strides = [1, 4, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{packet id field can only hold 5 bits, found 32}}
    aie.dma_bd(%b : memref<64xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 32>}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{packet type field can only hold 3 bits, found 8}}
    aie.dma_bd(%b : memref<64xi32>) {packet = #aie.packet_info<pkt_type = 8, pkt_id = 0>}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{bd_id (16) must be between 0 and 15}}
    aie.dma_bd(%b : memref<64xi32>) {bd_id = 16 : i32}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{burst length is only supported in shim tiles}}
    aie.dma_bd(%b : memref<64xi32>) {burst_length = 64 : i32}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{padding is only supported in memory tiles}}
    aie.dma_bd(%b : memref<64xi32> sizes = [8] strides = [1] pad [<const_pad_before = 1, const_pad_after = 1>])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expected padding for each of the 2 dimensions, found 1}}
    aie.dma_bd(%mb : memref<4096xi32> sizes = [2, 8] strides = [16, 1] pad [<const_pad_before = 1, const_pad_after = 1>])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{padding of 64 before and 0 after exceeds the limits of 63 and 63}}
    aie.dma_bd(%mb : memref<4096xi32> sizes = [8] strides = [1] pad [<const_pad_before = 64, const_pad_after = 0>])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{padding is only supported in MM2S channels}}
    aie.dma_bd(%mb : memref<4096xi32> sizes = [8] strides = [1] pad [<const_pad_before = 1, const_pad_after = 0>])
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %x = aie.buffer(%m) : memref<64xi8>
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{innermost padding must be a multiple of 4 bytes, found 1 and 0 elements of 1 bytes}}
    aie.dma_bd(%x : memref<64xi8> sizes = [8] strides = [1] pad [<const_pad_before = 1, const_pad_after = 0>])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{bd_id 24 cannot be used by channel 0}}
    aie.dma_bd(%mb : memref<4096xi32>) {bd_id = 24 : i32}
    aie.next_bd ^bb2
  ^bb2:
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
  %x = aie.external_buffer : memref<64xi32>
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{in a core tile expects memory made by aie.buffer}}
    aie.dma_bd(%x : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %x = memref.alloc() : memref<64xi32>
  %0 = aie.shim_dma(%s) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{in a shim tile with a DMA expects memory made by aie.external_buffer}}
    aie.dma_bd(%x : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %x = aie.external_buffer : memref<64xi32>
  %0 = aie.shim_dma(%s) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{burst length of 512 bytes is not one of this device}}
    aie.dma_bd(%x : memref<64xi32>) {burst_length = 512 : i32}
    aie.next_bd ^bb2
  ^bb2:
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
  %x = aie.external_buffer : memref<64xcomplex<f32>>
  %0 = aie.shim_dma(%s) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expects a buffer whose elements are numbers, found 'memref<64xcomplex<f32>>'}}
    aie.dma_bd(%x : memref<64xcomplex<f32>>)
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  %x = aie.buffer(%t) : memref<64xi32>
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{not supported: sizes and strides on a first-generation device}}
    aie.dma_bd(%x : memref<64xi32> sizes = [2, 8] strides = [8, 1])
    aie.next_bd ^bb2
  ^bb2:
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
  %o = arith.constant 0 : i32
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{offset must be constant outside of a runtime task}}
    aie.dma_bd(%b : memref<64xi32> offset = %o)
    aie.next_bd ^bb2
  ^bb2:
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
  %o = arith.constant 0 : i32
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{length must be constant outside of a runtime task}}
    aie.dma_bd(%b : memref<64xi32> len = %o)
    aie.next_bd ^bb2
  ^bb2:
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
  %o = arith.constant 0 : i64
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{sizes and strides must be constant outside of a runtime task}}
    aie.dma_bd(%b : memref<64xi32> sizes = [%o] strides = [1])
    aie.next_bd ^bb2
  ^bb2:
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
  %o = arith.constant 0 : i32
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{has both a constant and a runtime offset}}
    "aie.dma_bd"(%b, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offset = 0 : i32} : (memref<64xi32>, i32) -> ()
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expected 1 dynamic sizes values, found 0}}
    "aie.dma_bd"(%b) {operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>} : (memref<64xi32>) -> ()
    aie.next_bd ^bb2
  ^bb2:
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
  // expected-error@+1 {{expects to be in a DMA program or a runtime task}}
  aie.dma_bd(%b : memref<64xi32>)
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expected both 'const_pad_before' and 'const_pad_after'}}
    aie.dma_bd(%b : memref<64xi32> pad [<const_pad_before = 1>])
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expected 'pkt_type' and 'pkt_id', each once, found 'pkt_kind'}}
    aie.dma_bd(%b : memref<64xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_kind = 1>}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{expected 'pkt_id' between 0 and 65535, found -1}}
    aie.dma_bd(%b : memref<64xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = -1>}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
  // expected-error@+1 {{channel MM2S 2 does not exist: a core tile has 2 in each direction}}
    %1 = aie.dma_start(MM2S, 2, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
  // expected-error@+1 {{repeat count (256) must be between 0 and 255}}
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2, repeat_count = 256)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb1
  ^bb2:
  // expected-error@+1 {{channel MM2S 0 is started again, after a chain without end}}
    %2 = aie.dma_start(MM2S, 0, ^bb1, ^bb3)
  ^bb3:
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
  %0 = aie.mem(%t) {
  // expected-error@+1 {{expects its first successor to be a buffer descriptor or aie.end}}
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    %2 = aie.dma_start(MM2S, 1, ^bb2, ^bb2)
  ^bb2:
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
  %0 = aie.mem(%t) {
  // expected-error@+1 {{expects its second successor to be another aie.dma_start or aie.end}}
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb1)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
  // expected-error@+1 {{expects a buffer descriptor or aie.end to follow, found a block with aie.dma_start}}
    aie.next_bd ^bb2
  ^bb2:
    %2 = aie.dma_start(MM2S, 1, ^bb1, ^bb3)
  ^bb3:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
  // expected-error@+1 {{ends a block without an aie.dma_bd}}
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
  // expected-error@+1 {{is the second one of its block, which has one}}
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
  // expected-error@+1 {{must stand after the aie.dma_bd that it follows}}
    aie.use_lock(%l, Release)
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
  // expected-error@+1 {{must stand before the aie.dma_bd that it guards}}
    aie.use_lock(%l, Acquire)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%l, Acquire)
  // expected-error@+1 {{is the second acquire of a buffer descriptor, which has one}}
    aie.use_lock(%l, Acquire)
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
  // expected-error@+1 {{cannot stand in the block of a buffer descriptor}}
    memref.dealloc %b : memref<64xi32>
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
  // expected-error@+1 {{cannot stand in the block of an aie.dma_start}}
    memref.dealloc %b : memref<64xi32>
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  // expected-error@+1 {{expects blocks to end with aie.dma_start, aie.next_bd or aie.end}}
  %0 = aie.mem(%t) {
    cf.br ^bb1
  ^bb1:
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
  // expected-error@+1 {{expects its first block to start a channel}}
  %0 = aie.mem(%t) {
    aie.dma_bd(%b : memref<64xi32>)
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
  %0 = aie.mem(%t) {
    %v = arith.constant 1 : i32
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    %w = arith.addi %v, %v : i32
  // expected-error@+1 {{lock value in a DMA/BD block must be a compile-time constant (defined by an arith.constant)}}
    aie.use_lock(%l, Acquire, %w)
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  // expected-error@+1 {{has 17 buffer descriptors, but 16 exist}}
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^end)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb3
  ^bb3:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb4
  ^bb4:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb5
  ^bb5:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb6
  ^bb6:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb7
  ^bb7:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb8
  ^bb8:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb9
  ^bb9:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb10
  ^bb10:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb11
  ^bb11:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb12
  ^bb12:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb13
  ^bb13:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb14
  ^bb14:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb15
  ^bb15:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb16
  ^bb16:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb17
  ^bb17:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^end
  ^end:
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
  // expected-error@+1 {{has 25 buffer descriptors, but 24 exist for channels of this parity}}
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^end)
  ^bb1:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb2
  ^bb2:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb3
  ^bb3:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb4
  ^bb4:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb5
  ^bb5:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb6
  ^bb6:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb7
  ^bb7:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb8
  ^bb8:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb9
  ^bb9:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb10
  ^bb10:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb11
  ^bb11:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb12
  ^bb12:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb13
  ^bb13:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb14
  ^bb14:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb15
  ^bb15:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb16
  ^bb16:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb17
  ^bb17:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb18
  ^bb18:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb19
  ^bb19:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb20
  ^bb20:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb21
  ^bb21:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb22
  ^bb22:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb23
  ^bb23:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb24
  ^bb24:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^bb25
  ^bb25:
    aie.dma_bd(%mb : memref<4096xi32>)
    aie.next_bd ^end
  ^end:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb3)
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>) {bd_id = 3 : i32}
    aie.next_bd ^bb2
  ^bb2:
  // expected-error@+1 {{bd_id 3 is used more than once}}
    aie.dma_bd(%b : memref<64xi32>) {bd_id = 3 : i32}
    aie.next_bd ^bb3
  ^bb3:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %m = aie.tile(0, 1)
  %n = aie.tile(1, 1)
  // expected-note@+1 {{buffer}}
  %far = aie.buffer(%n) : memref<64xi32>
  %0 = aie.memtile_dma(%m) {
    %1 = aie.dma_start(MM2S, 4, ^bb1, ^bb2)
  ^bb1:
  // expected-error@+1 {{is reachable from DMA channel 4 and attempts to access a non-local buffer}}
    aie.dma_bd(%far : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
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
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^end, ^bb1)
  ^bb1:
    %2 = aie.dma_start(MM2S, 0, ^end, ^bb2)
  ^bb2:
    %3 = aie.dma_start(MM2S, 0, ^end, ^bb3)
  ^bb3:
    %4 = aie.dma_start(MM2S, 0, ^end, ^bb4)
  ^bb4:
    // expected-error@+1 {{channel MM2S 0 is started too often for its queue}}
    %5 = aie.dma_start(MM2S, 0, ^end, ^end)
  ^end:
    aie.end
  }
}

// -----

// Out of order: packets name descriptors, so that who receives has numbers and who sends has packets.
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %0 = aie.mem(%t) {
    // expected-error@+1 {{only S2MM channels receive out of order}}
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2) {out_of_order}
  ^bb1:
    aie.dma_bd(%b : memref<64xi32>) {bd_id = 0 : i32}
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %0 = aie.mem(%t) {
    // expected-error@+1 {{receives out of order, and has no buffer descriptor for a packet}}
    %1 = aie.dma_start(S2MM, 0, ^bb1, ^bb1) {out_of_order}
  ^bb1:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(S2MM, 0, ^bb1, ^bb2) {out_of_order}
  ^bb1:
    // expected-error@+1 {{needs a bd_id: packets that come out of order ask for it}}
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(S2MM, 0, ^bb1, ^bb2) {out_of_order}
  ^bb1:
    // expected-error@+1 {{receives out of order: out_of_order_id is for who sends to it}}
    aie.dma_bd(%b : memref<64xi32>) {bd_id = 0 : i32, packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>, out_of_order_id = 1 : i32}
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{out_of_order_id needs a packet, whose header carries it}}
    aie.dma_bd(%b : memref<64xi32>) {out_of_order_id = 1 : i32}
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %0 = aie.mem(%t) {
    %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{out_of_order_id}}
    aie.dma_bd(%b : memref<64xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>, out_of_order_id = 64 : i32}
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
}
