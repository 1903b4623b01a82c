// RUN: airlite-opt %s --split-input-file --airrt-to-npu | FileCheck %s
// As modules in one module, too.
// RUN: airlite-opt %s --airrt-to-npu --emit=none
// RUN: airlite-opt %s --split-input-file --airrt-to-npu='output-elf=true' | FileCheck %s --check-prefix=ELF

// A program of two designs: a sequence for each run of launches, and one that loads them. When a
// design goes nothing is under way, of what it is sent either.
// CHECK-LABEL: aie.device(npu1) @a {
// CHECK: aie.runtime_sequence @a_sequence(%{{.*}}: memref<8xi32>, %[[M:.*]]: memref<8xi32>) {
// CHECK: aie.dma_bd(%[[M]]
// CHECK: } {issue_token = true}
// CHECK-NEXT: aiex.dma_start_task(%[[T:.*]])
// CHECK-NEXT: aiex.dma_await_task(%[[T]])
// CHECK: aie.runtime_sequence @a_sequence_0
// CHECK: aie.device(npu1) @b {
// CHECK: aie.runtime_sequence @b_sequence
// CHECK: } {issue_token = true}
// CHECK-NEXT: aiex.dma_start_task(%[[T:.*]])
// CHECK-NEXT: aiex.dma_await_task(%[[T]])
// CHECK: aie.device(npu1) {
// CHECK-NEXT: aie.runtime_sequence @two(%[[A:.*]]: memref<8xi32>, %[[B:.*]]: memref<8xi32>) {
// CHECK-NEXT: aiex.configure @a {
// CHECK-NEXT: aiex.run @a_sequence(%[[A]], %[[B]]) : (memref<8xi32>, memref<8xi32>)
// CHECK: aiex.configure @b {
// CHECK-NEXT: aiex.run @b_sequence(%[[A]], %[[B]])
// CHECK: aiex.configure @a {
// CHECK-NEXT: aiex.run @a_sequence_0(%[[A]], %[[B]])
// ELF: aiex.configure @a
module {
  aie.device(npu1) @a {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  aie.device(npu1) @b {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
  }
  func.func @two(%x: memref<8xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %m = memref.alloc() : memref<8xi32>
    affine.for %k = 0 to 1 {
      %p = airrt.segment_load "a" : i64
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>) : !airrt.event
      airrt.wait_all %0
    }
    %p = airrt.segment_load "b" : i64
    %1 = airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    airrt.wait_all %1
    %2 = airrt.dma_memcpy_nd(%i, %z, %z, %x[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    airrt.wait_all %2
    return
  }
}

// -----

// A program that loads its design itself; DMAs that stop are set up again at the end of a launch,
// by a copy without programs.
// CHECK-LABEL: aie.device(npu2) @stops {
// CHECK: aie.runtime_sequence @main
// CHECK-NOT: load_pdi
// CHECK-NOT: aie.device
// ELF-LABEL: aie.device(npu2) @stops_reset {
// ELF: aie.core(%{{.*}}) {
// ELF-NEXT: aie.end
// ELF-NEXT: }
// ELF-NEXT: }
// ELF: aie.device(npu2) @stops {
// ELF: aie.runtime_sequence @main
// ELF: aiex.dma_await_task
// ELF: aiex.npu.load_pdi {device_ref = @stops_reset}
// ELF-NOT: aie.device
module {
  aie.device(npu2) @stops {
    %tile = aie.tile(0, 0)
    %core_tile = aie.tile(0, 2)
    %m = aie.buffer(%core_tile) : memref<8xi32>
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
    %mem = aie.mem(%core_tile) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2, repeat_count = 1)
    ^bb1:
      aie.dma_bd(%m : memref<8xi32>)
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    }
    %core = aie.core(%core_tile) {
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : i32
      memref.store %c7, %m[%c0] : memref<8xi32>
      aie.end
    } {link_with = "k.o"}
  }
  func.func @main(%x: memref<8xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %0 = airrt.dma_memcpy_nd(%i, %z, %z, %x[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    airrt.wait_all %0 {air.launch_end}
    return
  }
}

// -----

// One that starts over by itself only gets a device that loads it; so does a sequence that is there.
// CHECK-LABEL: aie.device(npu2) @runs {
// ELF-LABEL: aie.device(npu2) @runs {
// ELF: aie.runtime_sequence @runs_sequence
// ELF: aie.device(npu2) @there {
// ELF: aie.runtime_sequence @there_sequence
// ELF: aie.device(npu2) {
// ELF-NEXT: aie.runtime_sequence @entry
// ELF-NEXT: aiex.configure @runs
// ELF: aie.device(npu2) @main_0 {
// ELF-NEXT: aie.runtime_sequence @given
// ELF-NEXT: aiex.configure @there
module {
  aie.device(npu2) @runs {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  aie.device(npu2) @there {
    aie.runtime_sequence @given(%a: memref<8xi32>) {
    }
  }
  func.func @entry(%x: memref<8xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %0 = airrt.dma_memcpy_nd(%i, %z, %z, %x[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>) : !airrt.event
    airrt.wait_all %0 {air.launch_end}
    return
  }
}
