// RUN: airlite-opt %s --split-input-file --air-tile-linalg='herd=4,4 l2-bytes=2097152 products=true' --check-each | FileCheck %s
// RUN: airlite-opt %s --split-input-file --air-tile-linalg='herd=4,4 l2-bytes=2097152 products=true' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK

// Rows of 67 bytes do not begin at words: cores copy the right factor into memory in which a launch instance finds its columns one
// after the other, each row a whole number of vectors. Two launch instances begin at any distance.
// REMARK: tiled: launch {{.*}}, 1 operand copied to rows of whole words
// CHECK-LABEL: func.func @columns
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<64x{{.*}}xi8>
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[COPY]]
// CHECK: scf.parallel
// CHECK: memref.copy %{{.*}}, %{{.*}}xi8, 1 : i32>
// CHECK: scf.parallel
// CHECK: %[[OWN:.*]] = vector.load
// CHECK: vector.store %[[OWN]]
// CHECK: memref.copy %{{.*}}1 : i32> to memref<{{[0-9]+}}x{{[0-9]+}}xi8{{[,>]}}
// CHECK: scf.parallel
// CHECK: memref.subview %[[COPY]]
// CHECK: memref.dealloc %[[COPY]]
func.func @columns(%a: memref<64x64xi8>, %b: memref<64x67xi8>, %c: memref<64x67xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x67xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x67xi8>) outs(%c : memref<64x67xi32>)
  return
}

// -----

// An odd reduction is filled up with zeros: in the rows of the left factor as they are copied, in L2 for those of the right one.
// REMARK: tiled: launch {{.*}}, 1 operand copied to rows of whole words
// CHECK-LABEL: func.func @reduction
// CHECK: memref.alloc() : memref<64x64xi8>
// CHECK: dense<0> : vector<32xi8>
// CHECK: memref.alloc() {air.zero_memory} : memref<{{.*}}xi8, 1 : i32>
func.func @reduction(%a: memref<64x61xi8>, %b: memref<61x64xi8>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x61xi8>, memref<61x64xi8>) outs(%c : memref<64x64xi32>)
  return
}

// -----

// A long one is filled up in the memory of the host, in both factors, so that it can come in steps.
// REMARK: tiled: launch {{.*}}, 2 operands copied to rows of whole words
// CHECK-LABEL: func.func @long
// CHECK: %[[ROWS:.*]] = memref.subview %{{.*}}[38464] [{{[0-9]+}}]
// CHECK: linalg.fill ins(%{{.*}} : i8) outs(%[[ROWS]]
func.func @long(%a: memref<64x601xi8>, %b: memref<601x64xi8>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x601xi8>, memref<601x64xi8>) outs(%c : memref<64x64xi32>)
  return
}

// -----

// A result is copied back. What the op adds to cannot be: it would have to be copied first as well.
// REMARK: tiled: launch {{.*}}, 2 operands copied to rows of whole words
// REMARK-NOT: copied to rows
// CHECK-LABEL: func.func @narrow
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @narrow(%a: memref<64x64xi8>, %b: memref<64x67xi8>, %c: memref<64x67xi8>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<64x67xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<64x67xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x67xi8>) outs(%sums : memref<64x67xi32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<64x67xi32>) outs(%c : memref<64x67xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %byte = arith.trunci %sum : i32 to i8
    linalg.yield %byte : i8
  }
  return
}
func.func @adds(%a: memref<64x64xi16>, %b: memref<64x67xi16>, %c: memref<64x67xi16>) {
  linalg.matmul ins(%a, %b : memref<64x64xi16>, memref<64x67xi16>) outs(%c : memref<64x67xi16>)
  return
}

// -----

// 61 rows of 65 bytes end inside of a word, so several cores and another one for the last row would take two launches: one core copies all.
// REMARK: tiled: launch {{.*}}, 2 operands copied to rows of whole words
// CHECK-LABEL: func.func @one_core
// CHECK: vector.load {{.*}} : memref<{{.*}}xi8, 2 : i32>, vector<32xi8>
// CHECK: vector.load {{.*}} : memref<4096xi8, 2 : i32>, vector<32xi8>
// CHECK-NOT: vector.load
func.func @one_core(%a: memref<64x61xi8>, %b: memref<61x65xi8>, %c: memref<64x65xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x65xi32>)
  linalg.matmul ins(%a, %b : memref<64x61xi8>, memref<61x65xi8>) outs(%c : memref<64x65xi32>)
  return
}
