// What air-gpu-attention leaves to separate kernels, and why.
// RUN: airlite-opt %s --air-decompose-softmax --air-gpu-attention=device=gfx942 --remarks 2>&1 >%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAME --input-file=%t
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' --emit=none
// SAME-NOT: air.launch
#id = affine_map<(b, m, n) -> (b, m, n)>

// The scores do not start at zero.
func.func @start(%q: memref<2x32x64xbf16>, %k: memref<2x48x64xbf16>, %v: memref<2x48x64xbf16>, %o: memref<2x32x64xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x48xf32>
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x64xbf16>, memref<2x48x64xbf16>) outs(%s : memref<2x32x48xf32>)
  %p = memref.alloc() : memref<2x32x48xbf16>
  linalg.softmax dimension(2) ins(%s : memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x32x48xf32>) outs(%p : memref<2x32x48xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: its scores do not start at zero
  linalg.batch_matmul ins(%p, %v : memref<2x32x48xbf16>, memref<2x48x64xbf16>) outs(%o : memref<2x32x64xf32>)
  memref.dealloc %s : memref<2x32x48xf32>
  memref.dealloc %p : memref<2x32x48xbf16>
  return
}

// Somebody else reads the probabilities.
func.func @shared(%q: memref<2x32x64xbf16>, %k: memref<2x48x64xbf16>, %v: memref<2x48x64xbf16>, %o: memref<2x32x64xf32>, %keep: memref<2x32x48xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x48xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x32x48xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x64xbf16>, memref<2x48x64xbf16>) outs(%s : memref<2x32x48xf32>)
  %p = memref.alloc() : memref<2x32x48xbf16>
  linalg.softmax dimension(2) ins(%s : memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x32x48xf32>) outs(%p : memref<2x32x48xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: others need its scores or probabilities too
  linalg.batch_matmul ins(%p, %v : memref<2x32x48xbf16>, memref<2x48x64xbf16>) outs(%o : memref<2x32x64xf32>)
  linalg.copy ins(%s : memref<2x32x48xf32>) outs(%keep : memref<2x32x48xf32>)
  memref.dealloc %s : memref<2x32x48xf32>
  memref.dealloc %p : memref<2x32x48xbf16>
  return
}

// The softmax runs over the queries.
func.func @queries(%q: memref<2x32x64xbf16>, %k: memref<2x48x64xbf16>, %v: memref<2x48x64xbf16>, %o: memref<2x32x64xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x48xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x32x48xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x64xbf16>, memref<2x48x64xbf16>) outs(%s : memref<2x32x48xf32>)
  %p = memref.alloc() : memref<2x32x48xbf16>
  linalg.softmax dimension(1) ins(%s : memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x32x48xf32>) outs(%p : memref<2x32x48xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: the softmax does not run over the keys
  linalg.batch_matmul ins(%p, %v : memref<2x32x48xbf16>, memref<2x48x64xbf16>) outs(%o : memref<2x32x64xf32>)
  memref.dealloc %s : memref<2x32x48xf32>
  memref.dealloc %p : memref<2x32x48xbf16>
  return
}

// Another op lies between, which may write what is read.
func.func @between(%q: memref<2x32x64xbf16>, %k: memref<2x48x64xbf16>, %v: memref<2x48x64xbf16>, %o: memref<2x32x64xf32>, %other: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x48xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x32x48xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x64xbf16>, memref<2x48x64xbf16>) outs(%s : memref<2x32x48xf32>)
  %p = memref.alloc() : memref<2x32x48xbf16>
  linalg.softmax dimension(2) ins(%s : memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x32x48xf32>) outs(%p : memref<2x32x48xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  linalg.fill ins(%z : f32) outs(%other : memref<4xf32>)
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: another op lies between its ops
  linalg.batch_matmul ins(%p, %v : memref<2x32x48xbf16>, memref<2x48x64xbf16>) outs(%o : memref<2x32x64xf32>)
  memref.dealloc %s : memref<2x32x48xf32>
  memref.dealloc %p : memref<2x32x48xbf16>
  return
}

// Heads for which neither registers nor LDS are enough.
func.func @large(%q: memref<2x32x1024xbf16>, %k: memref<2x48x1024xbf16>, %v: memref<2x48x1024xbf16>, %o: memref<2x32x1024xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x48xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x32x48xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x1024xbf16>, memref<2x48x1024xbf16>) outs(%s : memref<2x32x48xf32>)
  %p = memref.alloc() : memref<2x32x48xbf16>
  linalg.softmax dimension(2) ins(%s : memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x32x48xf32>) outs(%p : memref<2x32x48xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: the device has no matrix instruction for its elements, or heads are too large for registers and LDS
  linalg.batch_matmul ins(%p, %v : memref<2x32x48xbf16>, memref<2x48x1024xbf16>) outs(%o : memref<2x32x1024xf32>)
  memref.dealloc %s : memref<2x32x48xf32>
  memref.dealloc %p : memref<2x32x48xbf16>
  return
}

// The result is the mask of the scores.
func.func @over(%q: memref<2x32x64xbf16>, %k: memref<2x48x64xbf16>, %v: memref<2x48x48xbf16>, %o: memref<2x32x48xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x48xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x32x48xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x64xbf16>, memref<2x48x64xbf16>) outs(%s : memref<2x32x48xf32>)
  linalg.add ins(%s, %o : memref<2x32x48xf32>, memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  %p = memref.alloc() : memref<2x32x48xbf16>
  linalg.softmax dimension(2) ins(%s : memref<2x32x48xf32>) outs(%s : memref<2x32x48xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x32x48xf32>) outs(%p : memref<2x32x48xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: it overwrites what other workgroups still read
  linalg.batch_matmul ins(%p, %v : memref<2x32x48xbf16>, memref<2x48x48xbf16>) outs(%o : memref<2x32x48xf32>)
  memref.dealloc %s : memref<2x32x48xf32>
  memref.dealloc %p : memref<2x32x48xbf16>
  return
}

// Scores are taken transposed as well.
func.func @turned(%q: memref<2x32x64xbf16>, %k: memref<2x32x64xbf16>, %v: memref<2x32x64xbf16>, %o: memref<2x32x64xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x32x32xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x32x32xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x32x64xbf16>, memref<2x32x64xbf16>) outs(%s : memref<2x32x32xf32>)
  %t = memref.alloc() : memref<2x32x32xf32>
  linalg.generic {indexing_maps = [#id, affine_map<(b, m, n) -> (b, n, m)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %s : memref<2x32x32xf32>, memref<2x32x32xf32>) outs(%t : memref<2x32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %r: f32):
    %w = arith.addf %x, %y : f32
    linalg.yield %w : f32
  }
  %p = memref.alloc() : memref<2x32x32xbf16>
  linalg.softmax dimension(2) ins(%t : memref<2x32x32xf32>) outs(%t : memref<2x32x32xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : memref<2x32x32xf32>) outs(%p : memref<2x32x32xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  // CHECK-DAG: :[[@LINE+1]]:3: remark: [air-gpu-attention] no attention in one kernel: an op on its scores takes them at several places
  linalg.batch_matmul ins(%p, %v : memref<2x32x32xbf16>, memref<2x32x64xbf16>) outs(%o : memref<2x32x64xf32>)
  memref.dealloc %s : memref<2x32x32xf32>
  memref.dealloc %t : memref<2x32x32xf32>
  memref.dealloc %p : memref<2x32x32xbf16>
  return
}
