// Every aie op, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// Tiles are called by their kind and place; names of buffers and locks are their symbols.
// CHECK: aie.device(npu1) @segment_0 {
aie.device(npu1) @segment_0 {
  // CHECK-NEXT: %shim_noc_tile_0_0 = aie.tile(0, 0)
  // CHECK-NEXT: %mem_tile_0_1 = aie.tile(0, 1)
  // CHECK-NEXT: %tile_0_2 = aie.tile(0, 2)
  // CHECK-NEXT: %tile_0_3 = aie.tile(0, 3) {allocation_scheme = "bank-aware"}
  %a = aie.tile(0, 0)
  %b = aie.tile(0, 1)
  %c = aie.tile(0, 2)
  %d = aie.tile(0, 3) {allocation_scheme = "bank-aware"}
  // CHECK-NEXT: %logical_mem = aie.logical_tile<MemTile>(?, ?)
  // CHECK-NEXT: %logical_mem_0 = aie.logical_tile<MemTile>(3, ?)
  // CHECK-NEXT: %logical_core = aie.logical_tile<CoreTile>(?, 2)
  // CHECK-NEXT: %logical_shim_noc = aie.logical_tile<ShimNOCTile>(1, 0)
  %e = aie.logical_tile<MemTile>(?, ?)
  %f = aie.logical_tile<MemTile>(3, ?)
  %g = aie.logical_tile<CoreTile>(?, 2)
  %h = aie.logical_tile<ShimNOCTile>(1, 0)
  // CHECK-NEXT: %lock_0_2 = aie.lock(%tile_0_2, 0) {init = 1 : i32}
  // CHECK-NEXT: %ready = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "ready"}
  // CHECK-NEXT: %lock = aie.lock(%logical_mem)
  %l0 = aie.lock(%c, 0) {init = 1 : i32}
  %l1 = aie.lock(%c, 1) {init = 0 : i32, sym_name = "ready"}
  %l2 = aie.lock(%e)
  // CHECK-NEXT: %buf0 = aie.buffer(%tile_0_2) {sym_name = "buf0"} : memref<64xi32, 2> = dense<7>
  // CHECK-NEXT: %buffer_0_2 = aie.buffer(%tile_0_2) {address = 1024 : i32} : memref<2x2xbf16, 2 : i32> = dense<{{\[\[}}1.500000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]>
  // CHECK-NEXT: %buffer_0_1 = aie.buffer(%mem_tile_0_1) : memref<64x64xi32, 1>
  // CHECK-NEXT: %ext = aie.external_buffer {sym_name = "ext"} : memref<1024xi32>
  %b0 = aie.buffer(%c) {sym_name = "buf0"} : memref<64xi32, 2> = dense<7>
  %b1 = aie.buffer(%c) {address = 1024 : i32} : memref<2x2xbf16, 2 : i32> = dense<[[1.5, 2.0], [3.0, 4.0]]>
  %b2 = aie.buffer(%b) : memref<64x64xi32, 1>
  %b3 = aie.external_buffer {sym_name = "ext"} : memref<1024xi32>

  // CHECK-NEXT: %mem_0_2 = aie.mem(%tile_0_2) {
  // CHECK-NEXT: %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb3)
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
  // CHECK-NEXT: aie.use_lock(%ready, AcquireGreaterEqual, %c1_i32)
  // CHECK-NEXT: aie.dma_bd(%buf0 : memref<64xi32, 2> offset = 0 len = 64 sizes = [4, 16] strides = [1, 4]) {out_of_order_id = 5 : i32, packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>, task_id = 1 : i32}
  // CHECK-NEXT: aie.use_lock(%lock_0_2, Release, %c1_i32)
  // CHECK-NEXT: aie.next_bd ^bb2
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: aie.use_lock(%ready, Acquire)
  // CHECK-NEXT: aie.dma_bd(%buf0 : memref<64xi32, 2>)
  // CHECK-NEXT: aie.next_bd ^bb1
  // CHECK-NEXT: ^bb3:
  // CHECK-NEXT: %1 = aie.dma_start(S2MM, 1, ^bb4, ^bb5, repeat_count = 3) {out_of_order}
  // CHECK-NEXT: ^bb4:
  // CHECK-NEXT: aie.dma_bd(%buf0 : memref<64xi32, 2> offset = 32 len = 32) {bd_id = 5 : i32}
  // CHECK-NEXT: aie.next_bd ^bb5
  // CHECK-NEXT: ^bb5:
  // CHECK-NEXT: aie.end
  // CHECK-NEXT: }
  %m = aie.mem(%c) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb3)
  ^bb1:
    %c1 = arith.constant 1 : i32
    aie.use_lock(%l1, AcquireGreaterEqual, %c1)
    aie.dma_bd(%b0 : memref<64xi32, 2> offset = 0 len = 64 sizes = [4, 16] strides = [1, 4]) {packet = #aie.packet_info<pkt_id = 3, pkt_type = 0>, out_of_order_id = 5 : i32, task_id = 1 : i32}
    aie.use_lock(%l0, Release, %c1)
    aie.next_bd ^bb2
  ^bb2:
    aie.use_lock(%l1, Acquire)
    aie.dma_bd(%b0 : memref<64xi32, 2>)
    aie.next_bd ^bb1
  ^bb3:
    %1 = aie.dma_start("S2MM", 1, ^bb4, ^bb5, repeat_count = 3) {out_of_order}
  ^bb4:
    aie.dma_bd(%b0 : memref<64xi32, 2> offset = 32 len = 32) {bd_id = 5 : i32}
    aie.next_bd ^bb5
  ^bb5:
    aie.end
  }
  // CHECK: %memtile_dma_0_1 = aie.memtile_dma(%mem_tile_0_1) {
  // CHECK: aie.dma_bd(%buffer_0_1 : memref<64x64xi32, 1> offset = 0 len = 240 sizes = [2, 2, 56] strides = [1024, 64, 1] pad [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 2, const_pad_after = 2>])
  %n = aie.memtile_dma(%b) {
    %0 = aie.dma_start(MM2S, 5, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b2 : memref<64x64xi32, 1> offset = 0 len = 240 sizes = [2, 2, 56] strides = [1024, 64, 1] pad [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 2, const_pad_after = 2>])
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
  // CHECK: %shim_dma_0_0 = aie.shim_dma(%shim_noc_tile_0_0) {
  // CHECK-NEXT: %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: aie.dma_bd(%ext : memref<1024xi32>) {burst_length = 256 : i32}
  %o = aie.shim_dma(%a) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b3 : memref<1024xi32>) {burst_length = 256 : i32}
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }

  // CHECK: %core_0_2 = aie.core(%tile_0_2) {
  // CHECK-NEXT: %0 = aie.get_cascade() : vector<16xi32>
  // CHECK-NEXT: aie.put_cascade(%0 : vector<16xi32>)
  // CHECK-NEXT: %c0_i32{{.*}} = arith.constant 0 : i32
  // CHECK-NEXT: aie.get_stream(%c0_i32{{.*}} : i32) : i32
  // CHECK-NEXT: aie.end
  // CHECK-NEXT: } {link_with = "kernel.o", stack_size = 2048 : i32}
  %p = aie.core(%c) {
    %0 = aie.get_cascade() : vector<16xi32>
    aie.put_cascade(%0 : vector<16xi32>)
    %stream = arith.constant 0 : i32
    %word = aie.get_stream(%stream : i32) : i32
    aie.end
  } {link_with = "kernel.o", stack_size = 2048 : i32}

  // CHECK-NEXT: aie.flow(%shim_noc_tile_0_0, DMA : 0, %tile_0_2, DMA : 1)
  // CHECK-NEXT: aie.packet_flow(3) {
  // CHECK-NEXT: aie.packet_source<%tile_0_2, Trace : 0>
  // CHECK-NEXT: aie.packet_dest<%shim_noc_tile_0_0, DMA : 1>
  // CHECK-NEXT: } {keep_pkt_header = true}
  // CHECK-NEXT: aie.cascade_flow(%tile_0_3, %tile_0_2)
  // CHECK-NEXT: aie.configure_cascade(%tile_0_2, North, South)
  // CHECK-NEXT: aie.shim_dma_allocation @air_in(%shim_noc_tile_0_0, MM2S, 0)
  aie.flow(%a, DMA : 0, %c, DMA : 1)
  aie.packet_flow(0x3) {
    aie.packet_source<%c, Trace : 0>
    aie.packet_dest<%a, DMA : 1>
  } {keep_pkt_header = true}
  aie.cascade_flow(%d, %c)
  aie.configure_cascade(%c, North, South)
  aie.shim_dma_allocation @air_in(%a, MM2S, 0)

  // CHECK-NEXT: %switchbox_0_2 = aie.switchbox(%tile_0_2) {
  // CHECK-NEXT: aie.connect<DMA : 0, North : 1>
  // CHECK-NEXT: %0 = aie.amsel<5> (3)
  // CHECK-NEXT: %1 = aie.masterset(East : 0, %0)
  // CHECK-NEXT: aie.packet_rules(South : 0) {
  // CHECK-NEXT: aie.rule(31, 2, %0)
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  %q = aie.switchbox(%c) {
    aie.connect<DMA : 0, North : 1>
    %0 = aie.amsel<5>(3)
    %1 = aie.masterset(East : 0, %0)
    aie.packet_rules(South : 0) {
      aie.rule(0x1F, 0x2, %0)
    }
  }
  // CHECK-NEXT: %shim_mux_0_0 = aie.shim_mux(%shim_noc_tile_0_0) {
  // CHECK-NEXT: aie.connect<DMA : 0, North : 3>
  // CHECK-NEXT: aie.connect<North : 2, DMA : 0>
  %r = aie.shim_mux(%a) {
    aie.connect<DMA : 0, North : 3>
    aie.connect<North : 2, DMA : 0>
  }
}

// A design without a name is @main, and may be named in its dictionary.
// CHECK: aie.device(xcvc1902) {
// CHECK: %shim_pl_tile_0_0 = aie.tile(0, 0)
aie.device(xcvc1902) {
  %0 = aie.tile(0, 0)
}
// CHECK: aie.device(npu2_4col) @other {
aie.device(npu2_4col) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %c = aie.tile(0, 2)
  %d = aie.tile(0, 3)
  // CHECK: aie.objectfifo @in(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // CHECK-NEXT: aie.objectfifo @out(%mem_tile_0_1 dimensionsToStream [<size = 4, stride = 1>, <size = 4, stride = 4>], {%tile_0_2, %tile_0_3 dimensionsFromStream [<size = 8, stride = 2>]}, [2 : i32, 1 : i32, 4 : i32]) {via_DMA = true} : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m dimensionsToStream [<size = 4, stride = 1>, <size = 4, stride = 4>], {%c, %d dimensionsFromStream [<stride = 2, size = 8>]}, [2 : i32, 1 : i32, 4 : i32]) {via_DMA = true} : !aie.objectfifo<memref<16xi32>>
  // CHECK-NEXT: aie.objectfifo @pre(%tile_0_2, {%tile_0_3}, 2 : i32) {padDimensions = #aie<bd_pad_layout_array[<const_pad_before = 2, const_pad_after = 1>]>} : !aie.objectfifo<memref<2xi32>> = [dense<[0, 1]> : memref<2xi32>, dense<5> : memref<2xi32>]
  aie.objectfifo @pre(%c, {%d}, 2 : i32) {padDimensions = #aie<bd_pad_layout_array[<const_pad_before = 2, const_pad_after = 1>]>} : !aie.objectfifo<memref<2xi32>> = [dense<[0, 1]> : memref<2xi32>, dense<5> : memref<2xi32>]
  // CHECK-NEXT: aie.objectfifo.link [@in] -> [@out]([] [])
  aie.objectfifo.link [@in] -> [@out] ([] [])
  // CHECK-NEXT: %core_0_2 = aie.core(%tile_0_2) {
  %k = aie.core(%c) {
    // CHECK-NEXT: %0 = aie.objectfifo.acquire @out(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
    // CHECK-NEXT: %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
    // CHECK-NEXT: aie.objectfifo.release @out(Consume, 1)
    // CHECK-NEXT: aie.objectfifo.release @pre(Produce, 2)
    %0 = aie.objectfifo.acquire @out(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
    %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
    aie.objectfifo.release @out(Consume, 1)
    aie.objectfifo.release @pre(Produce, 2)
    aie.end
  }
  // CHECK: aie.runtime_sequence @sequence(%arg0: memref<64xi32>, %arg1: i32) {
  aie.runtime_sequence(%x: memref<64xi32>, %y: i32) {
  }
  // CHECK: aie.runtime_sequence @empty() {
  aie.runtime_sequence @empty() {
    // CHECK-NEXT: aie.end
    aie.end
  }
} {sym_name = "other"}

// -----

// An empty name is a name, not the default one.
// CHECK: aie.device(npu1) @"" {
aie.device(npu1) @"" {
}
