// RUN: airlite-opt %s --split-input-file --airrt-to-npu | FileCheck %s

// A linear transfer may be of any length; its sizes are kept where they fit.
// CHECK-LABEL: aie.runtime_sequence @linear
// CHECK: offset = 0 len = 4096 sizes = [4096] strides = [1])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @linear(%a: memref<4096xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 2, 1024, 2], [0, 2048, 2, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>)
      return
    }
  }
}

// -----

// CHECK-LABEL: aie.runtime_sequence @rows
// CHECK: offset = 0 len = 64 sizes = [8, 8] strides = [8, 1])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @rows(%a: memref<64xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 8, 8], [0, 0, 8, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>)
      return
    }
  }
}

// -----

// A repetition outside of all that moves is that of the task; more than a queue entry holds are several.
// CHECK-LABEL: aie.runtime_sequence @repeat
// CHECK: offset = 0 len = 32 sizes = [4, 8] strides = [16, 1])
// CHECK: {repeat_count = 149 : i32}
// CHECK: offset = 0 len = 32 sizes = [4, 8] strides = [16, 1])
// CHECK: {repeat_count = 149 : i32}
// CHECK-NOT: dma_configure
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @repeat(%a: memref<64xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [3, 100, 4, 8], [0, 0, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>)
      return
    }
  }
}

// -----

// A repetition inside of a walk: the walk becomes tasks, and the order of the elements stays.
// CHECK-LABEL: aie.runtime_sequence @inside
// CHECK: offset = 0 len = 8 sizes = [8] strides = [1])
// CHECK-NEXT: aie.end
// CHECK-NEXT: } {repeat_count = 2 : i32}
// CHECK: offset = 32 len = 8 sizes = [8] strides = [1])
// CHECK-NEXT: aie.end
// CHECK-NEXT: } {repeat_count = 2 : i32}
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @inside(%a: memref<64xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 2, 3, 8], [0, 32, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>)
      return
    }
  }
}

// -----

// Four dimensions: the outermost are iterations, at most 63 in a task.
// CHECK-LABEL: aie.runtime_sequence @iterate
// CHECK: offset = 5 len = 64 sizes = [32, 2, 4, 8] strides = [512, 256, 16, 1])
// CHECK: {repeat_count = 31 : i32}
// CHECK: offset = 16389 len
// CHECK: offset = 32773 len
// CHECK: offset = 49157 len
// CHECK-NOT: dma_configure
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @iterate(%a: memref<100000xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 5], [128, 2, 4, 8], [512, 256, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<100000xi32>)
      return
    }
  }
}

// -----

// No part fits but one: a task for each.
// CHECK-LABEL: aie.runtime_sequence @prime
// CHECK-COUNT-67: len = 32 sizes = [1, 4, 8] strides = [0, 16, 1]
// CHECK-NOT: dma_configure
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @prime(%a: memref<100000xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [67, 1, 4, 8], [64, 0, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<100000xi32>)
      return
    }
  }
}

// -----

// Large sizes are split, whole words inside.
// CHECK-LABEL: aie.runtime_sequence @large
// CHECK: len = 16400 sizes = [8, 5, 410] strides = [4096, 410, 1])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @large(%a: memref<100000xbf16>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 8, 2050], [0, 0, 4096, 1]) {metadata = @in} : (i32, i64, i64, memref<100000xbf16>)
      return
    }
  }
}

// -----

// A stride beyond the limit is unrolled when it is short and outermost.
// CHECK-LABEL: aie.runtime_sequence @far
// CHECK: offset = 0 len = 8 sizes = [8]
// CHECK: offset = 4194304 len = 8 sizes = [8]
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @far(%a: memref<100000000xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 2, 8], [0, 0, 4194304, 1]) {metadata = @in} : (i32, i64, i64, memref<100000000xi32>)
      return
    }
  }
}

// -----

// A transfer of nothing makes no task.
// CHECK-LABEL: aie.runtime_sequence @nothing
// CHECK-NOT: dma_configure
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @nothing(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 0, 8], [0, 0, 8, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

// A start that is known when the sequence runs; the rest may still be several tasks.
// CHECK-LABEL: aie.runtime_sequence @open_start
// CHECK: %[[P:.*]] = arith.muli
// CHECK: %[[S:.*]] = arith.addi %[[P]]
// CHECK: %[[O:.*]] = arith.trunci %[[S]]
// CHECK: offset = %[[O]] len = 8
// CHECK: %[[Q:.*]] = arith.addi %[[O]]
// CHECK: offset = %[[Q]] len = 8
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @open_start(%a: memref<100000000xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, %n, 3], [1, 1, 2, 8], [0, 0, 4194304, 1]) {metadata = @in} : (i32, i64, i64, memref<100000000xi32>)
      return
    }
  }
}

// -----

// How often: one less is the repeat count.
// CHECK-LABEL: aie.runtime_sequence @open_runs
// CHECK: %[[N:.*]] = arith.trunci
// CHECK: %[[R:.*]] = arith.subi %[[N]]
// CHECK: aiex.dma_configure_task_for @in repeat %[[R]] : i32 {
// CHECK-NEXT: {{.*}}len = 8 sizes = [8] strides = [1]
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @open_runs(%a: memref<8xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [%n, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}

// -----

// One size of a linear transfer.
// CHECK-LABEL: aie.runtime_sequence @open_length
// CHECK: %[[P:.*]] = arith.muli
// CHECK: %[[L:.*]] = arith.trunci %[[P]]
// CHECK: offset = 0 len = %[[L]])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @open_length(%a: memref<80xi32>, %n: i64) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, %n, 8], [0, 0, 8, 1]) {metadata = @in} : (i32, i64, i64, memref<80xi32>)
      return
    }
  }
}

// -----

// A size is split, and there is no dimension left for that: the outermost one becomes tasks, one that only repeats as well, and a
// walk beneath it the iterations of each.
// CHECK-LABEL: aie.runtime_sequence @room
// CHECK: offset = 0 len = 16384 sizes = [2, 4, 512, 8] strides = [100000, 8192, 16, 1])
// CHECK: {repeat_count = 1 : i32}
// CHECK: offset = 1000000 len = 16384 sizes = [2, 4, 512, 8] strides = [100000, 8192, 16, 1])
// CHECK-LABEL: aie.runtime_sequence @room_repeated
// CHECK-COUNT-2: sizes = [3, 4, 512, 8] strides = [100000, 8192, 16, 1])
// CHECK-NOT: dma_configure
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @room(%a: memref<9999999xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [2, 2, 2048, 8], [1000000, 100000, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<9999999xi32>)
      return
    }
    func.func @room_repeated(%a: memref<9999999xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [2, 3, 2048, 8], [0, 100000, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<9999999xi32>)
      return
    }
  }
}
