// RUN: airlite-opt %s --air-annotate-append-barrier --verify-diagnostics --remarks

air.channel @append [1]
air.channel @back [1]

// The program lets both run side by side: to wait here could be to wait for oneself.
func.func @unordered(%kv: memref<64xi32>) {
  %g = air.channel.get async @append[] (%kv[] [] []) : (memref<64xi32>)
  // expected-remark@+1 {{is not ordered after a get into what it sends}}
  %p = air.channel.put async @back[] (%kv[] [] []) : (memref<64xi32>)
  air.wait_all [%g, %p]
  return
}
