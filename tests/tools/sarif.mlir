// One SARIF document for all that a tool says: what editors and CI read.
// RUN: not airlite-opt %s --air-verify-program --emit=none --diagnostics=sarif 2> %t.sarif
// RUN: FileCheck %s --input-file=%t.sarif
// RUN: python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); r=d["runs"][0]["results"]; assert len(r)==2 and all(x["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("/tools/sarif.mlir") for x in r)' %t.sarif
// RUN: airlite-opt %s --diagnostics=sarif -o %t.out 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: "results": []

// CHECK: "$schema": "https://json.schemastore.org/sarif-2.1.0.json"
// CHECK: "name": "airlite-opt"
// CHECK: "level": "error"
// CHECK: "text": "'memref.store' writes index 4 of dimension 0 of %arg0, whose shape is [4]"
// CHECK: "uri": "file:///{{.*}}/tools/sarif.mlir"
// CHECK: "startLine": [[@LINE+7]],
// CHECK-NEXT: "startColumn": 3,
// CHECK-NEXT: "endColumn": 15
// CHECK: "relatedLocations"
// CHECK: "text": "the memory is this one: 'memref<4xf32>'"
func.func @f(%m: memref<4xf32>, %f: f32) {
  %c4 = arith.constant 4 : index
  memref.store %f, %m[%c4] : memref<4xf32>
  affine.store %f, %m[5] : memref<4xf32>
  return
}
