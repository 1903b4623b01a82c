// RUN: airlite-opt %s --air-annotate-packet-ids='assign=true strict=true' --split-input-file --verify-diagnostics

// expected-error@+1 {{air-annotate-packet-ids disagrees with the packet_ids on @one: inferred 1 id(s), found 2}}
air.channel @one [1] {channel_type = "npu_dma_packet", packet_ids = [1 : i32, 2 : i32]}

// -----

// expected-error@+3 {{'air.channel' op is a packet demux whose routing header nothing upstream writes}}
// expected-note@+2 {{its put reads an L2/L3 buffer}}
// expected-note@+1 {{no put naming a dest, and no forwarding hop, reaches it}}
air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @f(%src: memref<64xi32, 1>, %dst: memref<32xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @split[%c0, %c0] (%src[] [] []) : (memref<64xi32, 1>)
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<32xi32, 2>)
  return
}

// -----

air.channel @one [1] {channel_type = "npu_dma_packet"}
func.func @f(%src: memref<64xi32, 2>, %to: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+3 {{'air.channel.put' op selects a destination, but its routing domain has no demux}}
  // expected-note@+2 {{@one reaches no packet channel with more than one destination}}
  // expected-note@+1 {{no packet channel forwards @one's payload onward}}
  air.channel.put @one[%c0] (%src[] [] []) dest(%to) : (memref<64xi32, 2>)
  return
}

// -----

// expected-error@+4 {{'air.channel' op pins routing ids [1, 2], but forwards for a demux routing [3, 4]}}
// expected-note@+3 {{the demux is @split}}
// expected-note@+2 {{a hop must admit exactly the ids the demux keys on}}
// expected-note@+1 {{the order of a hop's list is not checked}}
air.channel @hop [1] {channel_type = "npu_dma_packet", packet_ids = [1 : i32, 2 : i32]}
air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet", packet_ids = [3 : i32, 4 : i32]}
func.func @f(%hub: memref<64xi32, 1>, %dst: memref<32xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.get @hop[%c0] (%hub[] [] []) : (memref<64xi32, 1>)
  air.channel.put @split[%c0, %c0] (%hub[] [] []) : (memref<64xi32, 1>)
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<32xi32, 2>)
  return
}

// -----

// expected-error@+1 {{'air.channel' op needs 40 routing ids, but only 32 are free}}
air.channel @many [1, 1] {broadcast_shape = [1, 40], channel_type = "npu_dma_packet"}
func.func @f(%src: memref<40xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  air.channel.put @many[%c0, %c0] (%src[] [] []) : (memref<40xi32, 2>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c40) {
    %dst = memref.alloc() : memref<1xi32, 2>
    air.channel.get @many[%x, %y] (%dst[] [] []) : (memref<1xi32, 2>)
  }
  return
}

// -----

air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @f(%src: memref<64xi32, 2>, %dst: memref<32xi32, 2>, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'air.channel.put' op cannot write the routing header: no op beside the put writes its payload}}
  air.channel.put @split[%c0, %c0] (%src[] [] []) dest(%to) : (memref<64xi32, 2>)
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<32xi32, 2>)
  return
}

// -----

air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @f(%src: memref<64xi32, 2>, %dst: memref<32xi32, 2>, %a: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.fill ins(%v : i32) outs(%src : memref<64xi32, 2>)
  %to = arith.addi %a, %a : index
  // expected-error@+1 {{cannot write the routing header: the destination is known only after the payload}}
  air.channel.put @split[%c0, %c0] (%src[] [] []) dest(%to) : (memref<64xi32, 2>)
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<32xi32, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<32xi32, 2>)
  return
}

// -----

air.channel @split [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @f(%src: memref<64xi64, 2>, %dst: memref<32xi64, 2>, %to: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.fill ins(%v : i64) outs(%src : memref<64xi64, 2>)
  // expected-error@+1 {{cannot write the routing header: elements that do not fill a word of 32 bits}}
  air.channel.put @split[%c0, %c0] (%src[] [] []) dest(%to) : (memref<64xi64, 2>)
  air.channel.get @split[%c0, %c0] (%dst[] [] []) : (memref<32xi64, 2>)
  air.channel.get @split[%c0, %c1] (%dst[] [] []) : (memref<32xi64, 2>)
  return
}
