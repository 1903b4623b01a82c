// Instances of a launch that write the same elements race, unless the launch says that they write the same values.
// RUN: airlite-opt %s --air-verify-program --split-input-file --verify-diagnostics --emit=none
func.func @said(%a: memref<6xi32>, %b: memref<6xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n=%c2) args(%x=%a, %y=%b) : memref<6xi32>, memref<6xi32> attributes {air.same_values} {
    %step = arith.constant 2 : index
    %at = arith.muli %i, %step : index
    air.dma_memcpy_nd (%y[%at] [4] [1], %x[%at] [4] [1]) : (memref<6xi32>, memref<6xi32>)
  }
  return
}

// -----

func.func @not_said(%a: memref<6xi32>, %b: memref<6xi32>) {
  %c2 = arith.constant 2 : index
  // expected-note@+1 {{the instances of this 'air.launch' run side by side: give each its own elements}}
  air.launch (%i) in (%n=%c2) args(%x=%a, %y=%b) : memref<6xi32>, memref<6xi32> {
    %step = arith.constant 2 : index
    %at = arith.muli %i, %step : index
    // expected-error@+1 {{race: 'air.dma_memcpy_nd' in [1] of 'air.launch' writes %arg1, which 'air.dma_memcpy_nd' in [0] of 'air.launch' writes, and nothing orders the two}}
    air.dma_memcpy_nd (%y[%at] [4] [1], %x[%at] [4] [1]) : (memref<6xi32>, memref<6xi32>)
  }
  return
}

// -----

// What one instance reads while another one writes it is another matter.
func.func @reads(%a: memref<6xi32>, %b: memref<6xi32>) {
  %c2 = arith.constant 2 : index
  // expected-note@+1 {{the instances of this 'air.launch' run side by side: give each its own elements}}
  air.launch (%i) in (%n=%c2) args(%x=%a, %y=%b) : memref<6xi32>, memref<6xi32> attributes {air.same_values} {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{race: 'air.dma_memcpy_nd'}}
    air.dma_memcpy_nd (%y[%i] [1] [1], %y[%c0] [1] [1]) : (memref<6xi32>, memref<6xi32>)
  }
  return
}
