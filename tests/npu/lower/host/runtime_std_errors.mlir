// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-std

func.func @sizes(%n: index) {
  // expected-error@+1 {{not supported: iterations that are not constant}}
  air.launch (%i) in (%s = %n) {
  }
  return
}

// -----

func.func @unroll(%n: index) {
  // expected-error@+1 {{not supported: iterations that are not constant}}
  air.segment @s unroll (%i) in (%s = %n) {
  }
  return
}

// -----

air.channel @c []
func.func @dims(%m: memref<2x2x2x2x2xi32>, %n: index) {
  // expected-error@+1 {{not supported: a transfer of 5 dimensions; the host knows 4}}
  air.channel.put @c[] (%m[0, 0, 0, 0, 0] [%n, 2, 2, 2, 2] [64, 32, 16, 8, 1]) : (memref<2x2x2x2x2xi32>)
  return
}

// -----

air.channel @c []
func.func @open(%m: memref<?xi32>) {
  // expected-error@+1 {{not supported: a transfer of all of}}
  air.channel.put @c[] (%m[] [] []) : (memref<?xi32>)
  return
}

// -----

air.channel @c []
func.func @coordinates(%m: memref<?x?xi32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{not supported: offsets into}}
  air.channel.put @c[] (%m[%c1, %c1] [4] [1]) : (memref<?x?xi32>)
  return
}

// -----

air.channel @c []
func.func @padding(%m: memref<8xi32>) {
  // expected-error@+1 {{not supported: padding of L3 memory}}
  air.channel.put @c[] (%m[0] [8] [1]) {pad_after = array<i32: 1>, pad_before = array<i32: 0>} : (memref<8xi32>)
  return
}

// -----

air.channel @c [2]
func.func @place(%m: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{not supported: places of a channel that are not constant}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    air.channel.put @c[%i] (%m[0] [8] [1]) {metadataArray = [{base = "a", index = 0 : i32}]} : (memref<8xi32>)
    scf.reduce
  }
  return
}

// -----

air.channel @c [2]
func.func @place_of_argument(%m: memref<8xi32>, %n: index) {
  // expected-error@+1 {{not supported: a place of a channel that is not constant}}
  air.channel.put @c[%n] (%m[0] [8] [1]) {metadataArray = [{base = "a", index = 0 : i32}]} : (memref<8xi32>)
  return
}

// -----

air.channel @c [2]
func.func @entry(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{no entry of metadataArray is for place 1 of the channel}}
  air.channel.put @c[%c1] (%m[0] [8] [1]) {metadataArray = [{base = "a", index = 0 : i32}]} : (memref<8xi32>)
  return
}

// -----

func.func @part(%a: memref<16xi32>) {
  %m = memref.alloc() : memref<8xi32, 1>
  // expected-error@+1 {{not supported: a copy of a part of L2 memory}}
  air.dma_memcpy_nd (%m[0] [4] [1], %a[8] [4] [1]) {id = 1 : i32} : (memref<8xi32, 1>, memref<16xi32>)
  return
}

// -----

func.func @computed(%a: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%m = %a) : memref<16xi32> {
    %c0 = arith.constant 0 : index
    %l = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: a transfer of the host that depends on what a core computes}}
    %e = memref.load %l[%c0] : memref<4xi32, 2>
    %i = arith.index_cast %e : i32 to index
    air.dma_memcpy_nd (%l[] [] [], %m[%i] [4] [1]) {id = 1 : i32} : (memref<4xi32, 2>, memref<16xi32>)
  }
  return
}

// -----

func.func @rank() {
  // expected-error@+1 {{not supported: ranks}}
  air.rank () in () {
  }
  return
}

// -----

func.func @handed_back() -> !air.async.token {
  %0 = air.wait_all async
  // expected-error@+1 {{not supported: tokens of such an op on the host}}
  return %0 : !air.async.token
}

// -----

func.func @custom(%a: i32) {
  // expected-error@+1 {{not supported: tokens of such an op on the host}}
  %0 = air.custom async operands (%a) : i32
  air.wait_all [%0]
  return
}

// -----

// expected-error@+1 {{not supported: a function of the host that takes tokens}}
func.func @waiting(%t: !air.async.token) {
  air.wait_all [%t]
  return
}

// -----

air.channel @c []
func.func @last_word(%m: memref<8xi8>) {
  // expected-error@+1 {{not supported: fills 3 elements of 'i8', which are not whole 32-bit words, in front of others}}
  air.channel.get @c[] (%m[4] [3] [1]) : (memref<8xi8>)
  return
}
