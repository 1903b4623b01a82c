// Loops that never end.
// RUN: airlite-opt --air-verify-program --verify-diagnostics %s

air.channel @o []
func.func @step(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-error@+2 {{a step must be positive, but it is 0}}
  // expected-warning@+1 {{this function is not verified: a step that is not positive}}
  scf.for %i = %c0 to %c8 step %c0 {
    %t = air.channel.put async @o[] (%m[] [] []) : (memref<8xi32>)
  }
  air.channel.get @o[] (%n[] [] []) : (memref<8xi32>)
  return
}
