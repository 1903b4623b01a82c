// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0'

air.channel @c [] {channel_type = "npu_mmio"}
func.func @argument(%m: memref<4xi32>) {
  // expected-error@+1 {{channel_type="npu_mmio" put requires source memref defined by memref.get_global}}
  air.channel.put @c[] (%m[] [] []) : (memref<4xi32>)
  return
}

// -----

memref.global "private" @open : memref<4xi32>
memref.global "private" constant @known : memref<4xi32> = dense<1>
memref.global "private" @written : memref<4xi32> = dense<1>
air.channel @c [2] {channel_type = "npu_mmio"}
func.func @sources(%i: index, %value: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %open = memref.get_global @open : memref<4xi32>
  // expected-error@+1 {{source memref.global must have a DenseElementsAttr initializer}}
  air.channel.put @c[%c0] (%open[] [] []) : (memref<4xi32>)
  %known = memref.get_global @known : memref<4xi32>
  // expected-error@+1 {{non-broadcast put requires compile-time constant indices}}
  air.channel.put @c[%i] (%known[] [] []) : (memref<4xi32>)
  // expected-error@+1 {{put of a part of its memory: not supported}}
  air.channel.put @c[%c0] (%known[%c0] [%c1] [%c1]) : (memref<4xi32>)
  %square = memref.expand_shape %known [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
  %turned = memref.transpose %square (d0, d1) -> (d1, d0) : memref<2x2xi32> to memref<2x2xi32, strided<[1, 2]>>
  // expected-error@+1 {{put requires source memref defined by memref.get_global}}
  air.channel.put @c[%c0] (%turned[] [] []) : (memref<2x2xi32, strided<[1, 2]>>)
  %written = memref.get_global @written : memref<4xi32>
  memref.store %value, %written[%c0] : memref<4xi32>
  // expected-error@+1 {{source memref.global may be written}}
  air.channel.put @c[%c0] (%written[] [] []) : (memref<4xi32>)
  return
}

// -----

memref.global "private" constant @one : memref<4xi32> = dense<1>
memref.global "private" constant @two : memref<4xi32> = dense<2>
air.channel @c [] {channel_type = "npu_mmio"}
func.func @several() {
  %one = memref.get_global @one : memref<4xi32>
  %two = memref.get_global @two : memref<4xi32>
  air.channel.put @c[] (%one[] [] []) : (memref<4xi32>)
  // expected-error@+1 {{put of several globals into one place: not supported}}
  air.channel.put @c[] (%two[] [] []) : (memref<4xi32>)
  return
}

// -----

memref.global "private" constant @one : memref<4xi32> = dense<1>
air.channel @c [2] {channel_type = "npu_mmio"}
func.func @nobody() {
  %c1 = arith.constant 1 : index
  %one = memref.get_global @one : memref<4xi32>
  // expected-error@+1 {{put has no matching device-side air.channel.get}}
  air.channel.put @c[%c1] (%one[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) {
    %c0 = arith.constant 0 : index
    %s = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{get has no matching put of the host}}
    air.channel.get @c[%c0] (%s[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

memref.global "private" constant @one : memref<4xi32> = dense<1>
air.channel @c [2] {channel_type = "npu_mmio"}
func.func @targets(%l3: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = memref.get_global @one : memref<4xi32>
  air.channel.put @c[%c0] (%one[] [] []) : (memref<4xi32>)
  air.channel.put @c[%c1] (%one[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %f = memref.alloc() : memref<4xf32, 2>
    %s = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{source/destination element type mismatch}}
    air.channel.get @c[%i0] (%f[] [] []) : (memref<4xf32, 2>)
    // expected-error@+1 {{source/destination element count mismatch}}
    air.channel.get @c[%i1] (%s[] [] []) : (memref<8xi32, 2>)
  }
  return
}
