// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @turned
// CHECK: aievec.shift %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi16>, vector<4xi16>, i32, vector<4xi16>

func.func @turned() -> vector<4xi16> {
  %a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>
  %b = arith.constant dense<[5, 6, 7, 8]> : vector<4xi16>
  %bytes = arith.constant 2 : i32
  %c = aievec.shift %a, %b, %bytes : vector<4xi16>, vector<4xi16>, i32, vector<4xi16>
  return %c : vector<4xi16>
}
