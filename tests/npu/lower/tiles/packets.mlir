// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// Packets that a core sends one after the other share its DMA channel; each has an id of its own,
// that the descriptors write. The host's ids come first.
// CHECK-LABEL: aie.device(npu1) @gather {
// CHECK: aie.mem(%tile_0_2) {
// CHECK-NEXT: aie.dma_start(MM2S, 0, ^bb1, ^bb4)
// CHECK: aie.dma_bd({{.*}} len = 4) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>, task_id = 0 : i32}
// CHECK: aie.dma_bd({{.*}} len = 4) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>, task_id = 0 : i32}
// CHECK: aie.next_bd ^bb1
// CHECK: aie.dma_start(S2MM, 0
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[MEM:.*]], DMA : 0>
// CHECK-NEXT: }
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[MEM]], DMA : 1>
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%[[SHIM:.*]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%tile_0_2, DMA : 0>
// CHECK: aie.flow(%[[MEM]], DMA : 0, %[[SHIM1:.*]], DMA : 0)
// CHECK: aie.shim_dma_allocation @air_out(%[[SHIM1]], S2MM, 0)
// CHECK: aie.shim_dma_allocation @air_in(%[[SHIM]], MM2S, 0) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>}
// CHECK: air.channel.put @in[] {{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>
air.channel @left [1] {channel_type = "npu_dma_packet"}
air.channel @right [1] {channel_type = "npu_dma_packet"}
air.channel @in [1] {channel_type = "npu_dma_packet"}
air.channel @out [1]
func.func @f_gather(%a: memref<4xi32>, %b: memref<8xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<4xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<8xi32>)
  air.segment @gather {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() : memref<8xi32, 1>
    air.channel.get @left[] (%l2[%c0] [%c4] [%c1]) : (memref<8xi32, 1>)
    air.channel.get @right[] (%l2[%c4] [%c4] [%c1]) : (memref<8xi32, 1>)
    air.channel.put @out[] (%l2[] [] []) : (memref<8xi32, 1>)
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
      %m = memref.alloc() : memref<4xi32, 2>
      %n = memref.alloc() : memref<4xi32, 2>
      %in = memref.alloc() : memref<4xi32, 2>
      air.channel.get @in[] (%in[] [] []) : (memref<4xi32, 2>)
      air.channel.put @left[] (%m[] [] []) : (memref<4xi32, 2>)
      air.channel.put @right[] (%n[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}

// -----

// Asynchronous packets need not wait for each other while there are DMA channels.
// CHECK-LABEL: aie.device(npu1) @apart {
// CHECK: aie.mem(%tile_0_2) {
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.dma_start(MM2S, 1
air.channel @left [1] {channel_type = "npu_dma_packet"}
air.channel @right [1] {channel_type = "npu_dma_packet"}
func.func @f_apart(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.get @left[] (%a[] [] []) : (memref<4xi32>)
  air.channel.get @right[] (%b[] [] []) : (memref<4xi32>)
  air.herd @apart tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    %n = memref.alloc() : memref<4xi32, 2>
    %t = air.channel.put async @left[] (%m[] [] []) : (memref<4xi32, 2>)
    %u = air.channel.put async @right[] (%n[] [] []) : (memref<4xi32, 2>)
    air.wait_all [%t, %u]
  }
  return
}

// -----

// Ids that the channel names: several for one receiver, and one for each of two. The program
// writes these headers, no descriptor does. Ids that are named are not given away.
// CHECK-LABEL: aie.device(npu1) @named {
// CHECK-NOT: packet_info
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%[[FROM:.*]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%tile_0_2, DMA : 0>
// CHECK-NEXT: }
// CHECK: aie.packet_flow(5) {
// CHECK-NEXT: aie.packet_source<%[[FROM]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%tile_1_2, DMA : 0>
// CHECK-NEXT: }
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source
// CHECK-NEXT: aie.packet_dest
// CHECK-NEXT: aie.packet_dest
// CHECK-NEXT: } {keep_pkt_header = true}
air.channel @demux [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet", packet_ids = [0, 5]}
air.channel @raw [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet", keep_pkt_header}
func.func @f_named(%a: memref<8xi32>) {
  air.segment @named {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %l2 = memref.alloc() : memref<8xi32, 1>
    air.channel.put @demux[] (%l2[] [] []) : (memref<8xi32, 1>)
    air.channel.put @raw[] (%l2[] [] []) : (memref<8xi32, 1>)
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      %n = memref.alloc() : memref<9xi32, 2>
      air.channel.get @demux[%x, %y] (%m[] [] []) : (memref<8xi32, 2>)
      air.channel.get @raw[%x, %y] (%n[] [] []) : (memref<9xi32, 2>)
    }
  }
  return
}

// -----

// Two cores put into one place: a flow from each, with one id.
// CHECK-LABEL: aie.device(npu1) @merge {
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[TO:.*]], DMA : 0>
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%tile_1_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[TO]], DMA : 0>
// CHECK: aie.shim_dma_allocation @air_all
air.channel @all [1] {channel_type = "npu_dma_packet"}
func.func @f_merge(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.get @all[] (%a[] [] []) : (memref<8xi32>)
  air.channel.get @all[] (%a[] [] []) : (memref<8xi32>)
  air.herd @merge tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.put @all[] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}
