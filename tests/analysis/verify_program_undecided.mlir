// What is not verified is said, with or without --remarks, and is not an error.
// RUN: airlite-opt %s --air-verify-program=max-points=1000 --emit=none --verify-diagnostics --split-input-file
// RUN: airlite-opt %s --air-verify-program=max-points=0 --emit=none --split-input-file

func.func @while(%a: memref<4xf32>, %b: memref<4xf32>, %go: i1) {
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    // expected-warning@+1 {{this function is not verified: the program is too large}}
    air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<4xf32>, memref<4xf32>)
    scf.yield
  }
  return
}

// -----

air.channel @c [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @packets(%a: memref<4xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  // expected-warning@+1 {{this function is not verified: which destination a packet is for is known when it runs}}
  air.channel.put @c[%c0, %c0] (%a[] [] []) dest(%d) : (memref<4xf32>)
  return
}
