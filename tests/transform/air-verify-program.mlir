// RUN: airlite-opt --air-verify-program --split-input-file --verify-diagnostics %s
// RUN: not airlite-opt --air-verify-program=target=npu %S/Inputs/herd_reads_l3.mlir 2>&1 | FileCheck %s
// RUN: airlite-opt --air-verify-program %S/Inputs/herd_reads_l3.mlir
// CHECK: error: 'memref.load' op inside 'air.herd' accesses memref with memory_space L3

air.channel @input [2, 2]
func.func @undeclared(%m: memref<8xf32>) {
  // expected-error@+1 {{'air.channel.put' op channel '@inputs' is not declared; did you mean 'input'?}}
  air.channel.put @inputs[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @c [2, 2]
func.func @indices(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{'air.channel.get' op has 1 channel indices, but channel '@c' has 2 dimensions}}
  air.channel.get @c[%i] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// The first channel of a bundle, and a single channel by the ids of a herd.
air.channel @c [2, 2]
air.channel @single []
func.func @fine(%m: memref<8xf32>, %i: index) {
  air.channel.put @c[] (%m[] [] []) : (memref<8xf32>)
  air.channel.get @c[%i, %i] (%m[] [] []) : (memref<8xf32>)
  air.channel.put @single[%i, %i] (%m[] [] []) : (memref<8xf32>)
  return
}
