// Blobs follow the program: those that are used are kept, in the order of their use.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s > %t && airlite-opt %t | diff %t -
// RUN: airlite-opt %s --print-generic --print-debuginfo > %t && airlite-opt %t --print-generic --print-debuginfo | diff %t -
// RUN: airlite-opt %s --emit=json > %t.json && airlite-opt %s > %t && airlite-opt %t.json | diff %t -
// RUN: airlite-opt %t.json --emit=json | diff %t.json -
// RUN: airlite-opt %s --canonicalize --cse | FileCheck %s --check-prefix=FOLD

// CHECK: memref.global @g : memref<2xi32> = dense_resource<blob2>
memref.global @g : memref<2xi32> = dense_resource<blob2>
// CHECK: attributes {x = dense_resource<blob1> : tensor<4xi8>, y = dense_resource<nowhere> : vector<3xf32>}
func.func @f() -> tensor<2xi32> attributes {x = dense_resource<blob1> : tensor<4xi8>, y = dense_resource<nowhere> : vector<3xf32>} {
  // CHECK-NEXT: %cst = arith.constant dense_resource<blob1> : tensor<2xi32>
  %c = arith.constant dense_resource<blob1> : tensor<2xi32>
  %d = arith.constant dense_resource<blob1> : tensor<2xi32>
  // Nothing is computed from bytes that may be missing.
  // FOLD: %[[C:.*]] = arith.constant dense_resource<blob1>
  // FOLD-NEXT: %[[S:.*]] = arith.addi %[[C]], %[[C]]
  // FOLD-NEXT: return %[[S]]
  %s = arith.addi %c, %d : tensor<2xi32>
  return %s : tensor<2xi32>
}

// CHECK:      {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       blob2: "0x0800000001000000020000FF00000000",
// CHECK-NEXT:       blob1: "0x040000000100000002000000"
// CHECK-NEXT:     }
// CHECK-NEXT:   },
// CHECK-NEXT:   external_resources: {
// CHECK-NEXT:     mlir_reproducer: {
// CHECK-NEXT:       pipeline: "builtin.module(\22cse\22)",
// CHECK-NEXT:       disable_threading: true,
// CHECK-NEXT:       verify_each: false
// CHECK-NEXT:     },
// CHECK-NEXT:     other: {
// CHECK-NEXT:       blob: "0x0400000001"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
// CHECK-NOT: unused
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x040000000100000002000000",
      unused: "0x0400000001000000",
      blob2: "0x0800000001000000020000fF00000000"
    }
  },
  external_resources: {
    mlir_reproducer: { pipeline: "builtin.module(\22cse\22)", disable_threading: true, verify_each: false },
    other: { blob: "0x0400000001" }
  }
#-}
