// RUN: airlite-opt %s --air-annotate-packet-ids='report=true' --split-input-file --verify-diagnostics

// Loops count; streams are not looked at.
// expected-remark@+1 {{@split: demux over 2 destination(s); infers 2 routing id(s); fed by @hop}}
air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
// expected-remark@+1 {{@hop: single-destination over 1 destination(s); infers 2 routing id(s) (forwarded from the demux @split)}}
air.channel @hop [1] {channel_type = "npu_dma_packet", keep_pkt_header}
// expected-remark@+1 {{@plain: single-destination over 1 destination(s); infers 1 routing id(s)}}
air.channel @plain [2] {channel_type = "npu_dma_packet"}
air.channel @stream [1]
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %hub = memref.alloc() : memref<64xi32, 1>
  %dst = memref.alloc() : memref<128xi32, 2>
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.get @hop[%c0] (%hub[] [] []) : (memref<64xi32, 1>)
    air.channel.put @split[%c0, %c0] (%hub[] [] []) : (memref<64xi32, 1>)
  }
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<128xi32, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<128xi32, 2>)
  return
}

// -----

// A write in between makes it another payload, and sizes that are not known tell nothing.
// expected-remark@+1 {{@before: single-destination over 1 destination(s); infers 1 routing id(s)}}
air.channel @before [1] {channel_type = "npu_dma_packet", keep_pkt_header}
// expected-remark@+1 {{@split: demux over 2 destination(s); infers 2 routing id(s)}}
air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
// expected-remark@+1 {{@open: unknown over 2 destination(s)}}
air.channel @open [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @f(%n: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hub = memref.alloc() : memref<64xi32, 1>
  %dst = memref.alloc() : memref<32xi32, 2>
  air.channel.get @before[%c0] (%hub[] [] []) : (memref<64xi32, 1>)
  linalg.fill ins(%v : i32) outs(%hub : memref<64xi32, 1>)
  air.channel.put @split[%c0, %c0] (%hub[] [] []) : (memref<64xi32, 1>)
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.put @open[%c0, %c0] (%hub[0] [%n] [1]) : (memref<64xi32, 1>)
  air.channel.get @open[%c0, %c0] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.get @open[%c0, %c1] (%dst[] [] []) : (memref<32xi32, 2>)
  return
}

// -----

// expected-remark@+2 {{@one: single-destination}}
// expected-warning@+1 {{air-annotate-packet-ids disagrees with the packet_ids on @one: inferred 1 id(s), found 2}}
air.channel @one [1] {channel_type = "npu_dma_packet", packet_ids = [1 : i32, 2 : i32]}
