// RUN: airlite-opt %s --air-bufferize-linalg | FileCheck %s
// RUN: airlite-opt %s --air-bufferize-linalg --emit=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

#same = affine_map<(i, j) -> (i, j)>

// One buffer goes through the chain; what is returned is not freed.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<8x4xf32>) -> memref<4x4xf32>
// CHECK: %[[C:.*]] = memref.alloc() : memref<4x4xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[C]] : memref<4x4xf32>)
// CHECK: linalg.matmul ins(%[[A]], %[[B]] : memref<4x8xf32>, memref<8x4xf32>) outs(%[[C]] : memref<4x4xf32>)
// CHECK-NOT: memref.dealloc
// CHECK: return %[[C]] : memref<4x4xf32>
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}

// An argument is never written; a tensor that is used twice keeps its buffer; a constant is filled in.
// CHECK-LABEL: func.func @values
// CHECK-SAME: (%[[A:.*]]: memref<4x4xi32>)
// CHECK: %[[SEVENS:.*]] = memref.alloc()
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[SEVENS]] :
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: linalg.copy ins(%[[A]] : memref<4x4xi32>) outs(%[[COPY]] :
// CHECK: linalg.generic {{.*}} ins(%[[SEVENS]] : memref<4x4xi32>) outs(%[[COPY]] :
// CHECK: %[[TWICE:.*]] = memref.alloc()
// CHECK: linalg.add ins(%[[COPY]], %[[SEVENS]] : {{.*}}) outs(%[[TWICE]] :
// CHECK: %[[OUT:.*]] = memref.alloc()
// CHECK: linalg.copy ins(%[[A]] : memref<4x4xi32>) outs(%[[OUT]] :
// CHECK: memref.dealloc %[[SEVENS]]
// CHECK: return %[[COPY]], %[[OUT]], %[[TWICE]]
func.func @values(%a: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) {
  %sevens = arith.constant dense<7> : tensor<4x4xi32>
  %s = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sevens : tensor<4x4xi32>) outs(%a : tensor<4x4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %0 = arith.addi %x, %y : i32
    linalg.yield %0 : i32
  } -> tensor<4x4xi32>
  %t = linalg.add ins(%s, %sevens : tensor<4x4xi32>, tensor<4x4xi32>) outs(%s : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %s, %a, %t : tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>
}

// Nobody uses what would be multiplied.
// CHECK-LABEL: func.func @unused
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @unused(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %c = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %a : tensor<4x4xf32>
}

// A constant of several numbers is a global, which nobody writes to: what works on top of it gets a copy.
// CHECK: memref.global "private" constant @constant : memref<4xi32> = dense<[1, 2, 3, 4]>
// CHECK-LABEL: func.func @constant_tensor
// CHECK: %[[W:.*]] = memref.get_global @constant : memref<4xi32>
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: linalg.copy ins(%[[W]] : memref<4xi32>) outs(%[[COPY]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4xi32>) outs(%[[COPY]] :
func.func @constant_tensor(%a: tensor<4xi32>) -> tensor<4xi32> {
  %w = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<4xi32>) outs(%w : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %0 = arith.addi %x, %y : i32
    linalg.yield %0 : i32
  } -> tensor<4xi32>
  return %s : tensor<4xi32>
}

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[A:.*]]: memref<8x5xf32>, %[[P:.*]]: memref<4x1xi32>) -> memref<4x1x5xf32>
// CHECK: linalg.generic
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = memref.load %[[P]][%[[ROW]], %{{.*}}] : memref<4x1xi32>
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[AT]]
// CHECK: %[[COLUMN:.*]] = linalg.index 2
// CHECK: memref.load %[[A]][%[[INDEX]], %[[COLUMN]]] : memref<8x5xf32>
func.func @gather(%a: tensor<8x5xf32>, %p: tensor<4x1xi32>) -> tensor<4x1x5xf32> {
  %part = tensor.gather %a[%p] gather_dims([0]) : (tensor<8x5xf32>, tensor<4x1xi32>) -> tensor<4x1x5xf32>
  return %part : tensor<4x1x5xf32>
}

// CHECK-LABEL: func.func @declined(%{{.*}}: tensor<8xi32>,
// REMARK: remark: [air-bufferize-linalg] stays on tensors: no buffers are known for it
func.func @declined(%a: tensor<8xi32>, %p: tensor<4x1xindex>, %s: tensor<4xi32>) -> tensor<8xi32> {
  %all = tensor.scatter %s into %a[%p] scatter_dims([0]) unique : (tensor<4xi32>, tensor<8xi32>, tensor<4x1xindex>) -> tensor<8xi32>
  return %all : tensor<8xi32>
}

// Open sizes: those of the tensors that something is made from.
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[A:.*]]: memref<?x40xf32>, %[[B:.*]]: memref<?xf32>) -> memref<?x40xf32>
// CHECK: %[[M:.*]] = memref.dim %[[A]], %{{.*}} : memref<?x40xf32>
// CHECK: memref.alloc(%[[M]]) : memref<?x40xf32>
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : memref<?x40xf32>, memref<?xf32>)
// CHECK: memref.dim
// CHECK: memref.alloc(%{{.*}}) : memref<?x40xf32>
// CHECK: math.exp
// CHECK-NOT: tensor
// CHECK: return %{{.*}} : memref<?x40xf32>
func.func @open(%a: tensor<?x40xf32>, %b: tensor<?xf32>) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x40xf32>
  %e = tensor.empty(%m) : tensor<?x40xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x40xf32>, tensor<?xf32>) outs(%e : tensor<?x40xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?x40xf32>
  %t = math.exp %s : tensor<?x40xf32>
  return %t : tensor<?x40xf32>
}
