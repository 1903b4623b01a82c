// What is not verified is said, and is no error.
// RUN: airlite-opt %s --air-verify-program --emit=none --remarks --verify-diagnostics --split-input-file
// RUN: airlite-opt %s --air-verify-program=max-points=0 --emit=none --split-input-file

func.func @while(%a: memref<4xf32>, %b: memref<4xf32>, %go: i1) {
  // expected-remark@+1 {{not all verified: 'scf.while' around asynchronous ops}}
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<4xf32>, memref<4xf32>)
    scf.yield
  }
  return
}

// -----

// expected-remark@+1 {{not all verified: the function has several blocks}}
func.func @blocks(%a: memref<4xf32>, %b: memref<4xf32>) {
  cf.br ^next
^next:
  air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<4xf32>, memref<4xf32>)
  return
}
