// What tasks and instructions of runtime sequences must not be.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.shim_dma_allocation or aie.objectfifo}}
    %0 = aiex.dma_configure_task_for @none {
      aie.dma_bd(%a : memref<4096xi32>)
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{channel index (2) must be between 0 and 1}}
    %0 = aiex.dma_configure_task(%s, MM2S, 2) {
      aie.dma_bd(%a : memref<4096xi32>)
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{packet id field can only hold 5 bits, found 32}}
    %0 = aiex.dma_configure_task(%s, MM2S, 0, #aie.packet_info<pkt_type = 0, pkt_id = 32>) {
      aie.dma_bd(%a : memref<4096xi32>)
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{repeat count (256) must be between 0 and 255}}
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<4096xi32>)
      aie.end
    } {repeat_count = 256 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{has both a constant and a runtime repeat count}}
    %0 = aiex.dma_configure_task_for @in repeat %i : i32 {
      aie.dma_bd(%a : memref<4096xi32>)
      aie.end
    } {repeat_count = 1 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %0 = aiex.dma_configure_task_for @in {
  // expected-error@+1 {{ends a block without an aie.dma_bd}}
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects blocks to end with aie.next_bd or aie.end}}
    %0 = aiex.dma_configure_task_for @in {
      cf.br ^bb1
    ^bb1:
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects a body}}
    %0 = "aiex.dma_configure_task_for"() ({}) {alloc = @in} : () -> index
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  %m = aie.tile(0, 1)
  %mb = aie.buffer(%m) : memref<64xi32>
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %0 = aiex.dma_configure_task(%m, S2MM, 0) {
  // expected-error@+1 {{padding is only supported in MM2S channels}}
      aie.dma_bd(%mb : memref<64xi32> sizes = [8] strides = [1] pad [<const_pad_before = 1, const_pad_after = 1>])
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %0 = aiex.dma_configure_task_for @in {
  // expected-error@+1 {{cannot have more than 4 dimensions in this tile, found 5}}
      aie.dma_bd(%a : memref<4096xi32> sizes = [2, 2, 2, 2, 2] strides = [16, 8, 4, 2, 1])
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %0 = aiex.dma_configure_task_for @in {
  // expected-error@+1 {{repetitions (65) exceed the limit of 64}}
      aie.dma_bd(%a : memref<4096xi32> sizes = [65, 2, 2, 2] strides = [16, 8, 4, 1])
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %0 = aiex.dma_configure_task_for @in {
  // expected-error@+1 {{size of 1024 words exceeds the limit of 1023}}
      aie.dma_bd(%a : memref<4096xi32> sizes = [2, 1024] strides = [2048, 1])
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %0 = aiex.dma_configure_task_for @in {
  // expected-error@+1 {{strides must be positive, found -1}}
      aie.dma_bd(%a : memref<4096xi32> sizes = [2, 4] strides = [-1, 1])
      aie.end
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects a task made by aiex.dma_configure_task or aiex.dma_configure_task_for}}
    aiex.dma_start_task(%l)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    // expected-note@+1 {{consider adding {issue_token = true} here}}
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<4096xi32>)
      aie.end
    }
  // expected-error@+1 {{cannot wait for a task that issues no token}}
    aiex.dma_await_task(%0)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.device}}
    aiex.configure @none {
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.device}}
    aiex.npu.load_pdi {device_ref = @none}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    aiex.configure @main {
  // expected-error@+1 {{@none is not an aie.runtime_sequence of device @main}}
      aiex.run @none() : ()
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    aiex.configure @main {
  // expected-error@+1 {{expects 3 arguments, found 1}}
      aiex.run @run(%i) : (i32)
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    aiex.configure @main {
  // expected-error@+1 {{argument 1 must have type 'i32', found 'i64'}}
      aiex.run @run(%a, %n, %n) : (memref<4096xi32>, i64, i64)
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{level (4) must be between 0 and 3}}
    aiex.npu.preempt {level = 4 : ui8}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects its lock to be made by aie.lock}}
    aiex.set_lock(%t, 1)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{lock value (64) must be between 0 and 63}}
    aiex.set_lock(%l, 64)
  }
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{expects to be in an aie.runtime_sequence}}
  aiex.npu.write32(%i, %i) : i32, i32
  return
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects both column and row, or none}}
    aiex.npu.write32(%i, %i) {column = 0 : i32} : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{column (4) must be between 0 and 3}}
    aiex.npu.write32(%i, %i) {column = 4 : i32, row = 0 : i32} : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{row (6) must be between 0 and 5}}
    aiex.npu.write32(%i, %i) {column = 0 : i32, row = 6 : i32} : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.buffer}}
    aiex.npu.write32(%i, %i) {buffer = @none} : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %c = arith.constant 2 : i32
  // expected-error@+1 {{address must be a multiple of 4, found 2}}
    aiex.npu.write32(%c, %i) : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %c = arith.constant 1048576 : i32
  // expected-error@+1 {{address 1048576 does not lie in a tile (below 1048576)}}
    aiex.npu.maskwrite32(%c, %i, %i) {column = 0 : i32, row = 2 : i32} : i32, i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %d = memref.alloc() : memref<4xi16>
  // expected-error@+1 {{expects a memref of 32-bit integers of fixed size, found 'memref<4xi16>'}}
    aiex.npu.blockwrite(%d) {address = 0 : ui32} : memref<4xi16>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.buffer}}
    aiex.npu.rtp_write(@none, 0, %i) : i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{index 4 is out of bounds of a buffer of 4 words}}
    aiex.npu.rtp_write(@rtp, 4, %i) : i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{argument index must not be negative, found -1}}
    aiex.npu.address_patch(%i : i32) {addr = 0 : ui32, arg_idx = -1 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{opcode (4) must be between 0 and 3}}
    aiex.control_packet {address = 0 : ui32, opcode = 4 : i32, stream_id = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{stream id (128) must be between 0 and 127}}
    aiex.control_packet {address = 0 : ui32, opcode = 0 : i32, stream_id = 128 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{length (5) must be between 1 and 4}}
    aiex.control_packet {address = 0 : ui32, length = 5 : i32, opcode = 0 : i32, stream_id = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects 2 words of data, found 1}}
    aiex.control_packet {address = 0 : ui32, data = array<i32: 1>, length = 2 : i32, opcode = 0 : i32, stream_id = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{bd_id (16) must be between 0 and 15}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 16 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{packet_id (32) must be between 0 and 31}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 32 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{d0_size (1024) must be between 0 and 1023}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 1024 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{d1_stride (1048576) must be between 0 and 1048575}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 1048576 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{iteration_size (64) must be between 0 and 63}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 64 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{lock_acq_id (16) must be between 0 and 15}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 16 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{d0_zero_before (1) must be between 0 and 0}}
    aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 1 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{channel (2) must be between 0 and 1}}
    aiex.npu.push_queue(0, 0, MM2S : 2) bd_id %i repeat %i {issue_token = true} : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %c = arith.constant 16 : i32
  // expected-error@+1 {{bd_id (16) must be between 0 and 15}}
    aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %c repeat %i {issue_token = true} : i32, i32
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
    %c = arith.constant 256 : i32
  // expected-error@+1 {{repeat count (256) must be between 0 and 255}}
    aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %i repeat %c {issue_token = true} : i32, i32
  }
}

// -----

aie.device(xcvc1902) {
  aie.runtime_sequence @run(%i: i32) {
  // expected-error@+1 {{expects a tile with a DMA, found a shim tile without a DMA}}
    aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %i repeat %i {issue_token = true} : i32, i32
  }
}

// -----

aie.device(xcvc1902) {
  aie.runtime_sequence @run(%i: i32) {
  // expected-error@+1 {{not supported: descriptors of a first-generation device}}
    aiex.npu.writebd {column = 2 : i32, row = 0 : i32, bd_id = 0 : i32, buffer_length = 0 : i32, buffer_offset = 0 : i32, enable_packet = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 0 : i32, lock_rel_val = 0 : i32, lock_rel_id = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_val = 0 : i32, lock_acq_id = 0 : i32, d0_zero_before = 0 : i32, d1_zero_before = 0 : i32, d2_zero_before = 0 : i32, d0_zero_after = 0 : i32, d1_zero_after = 0 : i32, d2_zero_after = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.shim_dma_allocation or aie.objectfifo}}
    aiex.npu.dma_wait {symbol = @none}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{@none is not an aie.shim_dma_allocation or aie.objectfifo}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @none} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{id (16) must be between 0 and 15}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 16 : i64, metadata = @in} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expects 4 sizes, found 3}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{size of 1024 words exceeds the limit of 1023}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 1024][0, 0, 2048, 1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{stride of 1048577 words exceeds the limit of 1048576}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 8][0, 0, 1048577, 1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{padding is only supported in memory tiles}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, d0_zero_before = 1 : i64, metadata = @in} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %b = aie.buffer(%t) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @run(%a: memref<4096xi32>, %i: i32, %n: i64) {
  // expected-error@+1 {{expected 1 dynamic sizes values, found 0}}
    "aiex.npu.dma_memcpy_nd"(%a) {id = 0 : i64, metadata = @in, operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 1, 1, 1, -9223372036854775808>, static_strides = array<i64: 0, 0, 0, 1>} : (memref<4096xi32>) -> ()
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @run(%a: memref<64xcomplex<f32>>) {
  // expected-error@+1 {{expects a buffer whose elements are numbers, found 'memref<64xcomplex<f32>>'}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xcomplex<f32>>
  }
}
