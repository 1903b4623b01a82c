// RUN: airlite-opt %s --air-annotate-packet-ids='assign=true' --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-annotate-packet-ids='assign=true emit-headers=false' --split-input-file | FileCheck %s --check-prefix=BARE

// Ids from the top, but for those in use; they pass every channel on the way, and only those.
// CHECK-LABEL: module @chain
// CHECK: air.channel @first [1] {channel_type = "npu_dma_packet", keep_pkt_header, packet_ids = [31 : i32, 29 : i32, 28 : i32]}
// CHECK: air.channel @second [1] {channel_type = "npu_dma_packet", keep_pkt_header, packet_ids = [31 : i32, 29 : i32, 28 : i32]}
// CHECK: air.channel @aside [1] {channel_type = "npu_dma_packet"}
// CHECK: air.channel @other [1] {channel_type = "npu_dma_packet", packet_ids = [30 : i32]}
// CHECK: air.channel @out [1, 1] {broadcast_shape = [1, 3], channel_type = "npu_dma_packet", packet_ids = [31 : i32, 29 : i32, 28 : i32]}
// The ids are in no steps: a chain of selects, before the payload; the word right after it.
// CHECK: arith.select
// CHECK: arith.select
// CHECK: %[[ID:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[WORD:.*]] = vector.broadcast %[[ID]] : i32 to vector<1xi32>
// CHECK: %[[AT:.*]] = arith.constant 0 : index
// CHECK: air.execute
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: vector.store %[[WORD]], %{{.*}}[%[[AT]]] {alignment = 4 : i64}
// CHECK: air.channel.put @first[%{{.*}}] (%{{.*}}[] [] []) : (memref<48xi32, 2>)
// BARE-LABEL: module @chain
// BARE: air.channel.put @first[%{{.*}}] (%{{.*}}[] [] []) dest(%{{.*}}) : (memref<48xi32, 2>)
module @chain {
  air.channel @first [1] {channel_type = "npu_dma_packet"}
  air.channel @second [1] {channel_type = "npu_dma_packet"}
  air.channel @aside [1] {channel_type = "npu_dma_packet"}
  air.channel @other [1] {channel_type = "npu_dma_packet", packet_ids = [30 : i32]}
  air.channel @out [1, 1] {broadcast_shape = [1, 3], channel_type = "npu_dma_packet"}
  func.func @f(%to: index, %v: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %src = memref.alloc() : memref<48xi32, 2>
    %mid = memref.alloc() : memref<48xi32, 1>
    %hub = memref.alloc() : memref<48xi32, 1>
    %dst = memref.alloc() : memref<16xi32, 2>
    %t = air.execute {
      linalg.fill ins(%v : i32) outs(%src : memref<48xi32, 2>)
    }
    air.channel.put @first[%c0] (%src[] [] []) dest(%to) : (memref<48xi32, 2>)
    air.channel.get @first[%c0] (%mid[] [] []) : (memref<48xi32, 1>)
    air.channel.put @second[%c0] (%mid[] [] []) : (memref<48xi32, 1>)
    air.channel.get @second[%c0] (%hub[] [] []) : (memref<48xi32, 1>)
    air.channel.put @out[%c0, %c0] (%hub[] [] []) : (memref<48xi32, 1>)
    air.channel.get @out[%c0, %c0] (%dst[] [] []) : (memref<16xi32, 2>)
    air.channel.get @out[%c0, %c1] (%dst[] [] []) : (memref<16xi32, 2>)
    air.channel.get @out[%c0, %c2] (%dst[] [] []) : (memref<16xi32, 2>)
    air.channel.put @aside[%c0] (%src[] [] []) : (memref<48xi32, 2>)
    return
  }
}

// -----

// Destinations by id of a herd, ids in steps, two bf16 in a word, at the start of the payload.
// CHECK-LABEL: module @herd
// CHECK: packet_ids = [31 : i32, 30 : i32]
// CHECK: %[[P:.*]] = arith.muli %arg0, %{{.*}} : index
// CHECK: arith.addi %[[P]]
// CHECK: %[[WORD:.*]] = vector.bitcast %{{.*}} : vector<1xi32> to vector<2xbf16>
// CHECK: %[[AT:.*]] = arith.constant 8 : index
// CHECK: call @payload
// CHECK-NEXT: vector.store %[[WORD]], %{{.*}}[%[[AT]]]
module @herd {
  air.channel @out [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
  func.func private @payload(memref<72xbf16, 2>)
  func.func @f(%to: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %src = memref.alloc() : memref<72xbf16, 2>
    func.call @payload(%src) : (memref<72xbf16, 2>) -> ()
    air.channel.put @out[%c0, %c0] (%src[8] [64] [1]) dest(%to) : (memref<72xbf16, 2>)
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c2) {
      %dst = memref.alloc() : memref<32xbf16, 2>
      air.channel.get @out[%x, %y] (%dst[] [] []) : (memref<32xbf16, 2>)
    }
    return
  }
}

// -----

// A broadcast gets no list.
// CHECK-LABEL: module @broadcast
// CHECK-NOT: packet_ids
module @broadcast {
  air.channel @all [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = memref.alloc() : memref<64xi32, 1>
    %dst = memref.alloc() : memref<64xi32, 2>
    air.channel.put @all[%c0, %c0] (%src[] [] []) : (memref<64xi32, 1>)
    air.channel.get @all[%c0, %c0] (%dst[] [] []) : (memref<64xi32, 2>)
    air.channel.get @all[%c0, %c1] (%dst[] [] []) : (memref<64xi32, 2>)
    return
  }
}
