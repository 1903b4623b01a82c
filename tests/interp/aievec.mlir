// The bytes of two vectors from some byte on: two are one element of i16, and eight bytes after the first one the second vector begins.
// RUN: airlite-run %s --on=interp --init=zero --function=shifted --output 0=%t.npy
// RUN: airlite-run %s --on=interp --init=zero --function=chosen --expect 0=%t.npy | FileCheck %s
// CHECK: as expected
func.func @shifted(%out: memref<12xi16>) {
  %a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>
  %b = arith.constant dense<[5, 6, 7, 8]> : vector<4xi16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %bytes = arith.muli %i, %c4 : index
    %shift = arith.index_cast %bytes : index to i32
    %v = aievec.shift %a, %b, %shift : vector<4xi16>, vector<4xi16>, i32, vector<4xi16>
    vector.store %v, %out[%bytes] : memref<12xi16>, vector<4xi16>
  }
  return
}
func.func @chosen(%out: memref<12xi16>) {
  %a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>
  %b = arith.constant dense<[5, 6, 7, 8]> : vector<4xi16>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %two = vector.shuffle %a, %b [2, 3, 4, 5] : vector<4xi16>, vector<4xi16>
  vector.store %a, %out[%c0] : memref<12xi16>, vector<4xi16>
  vector.store %two, %out[%c4] : memref<12xi16>, vector<4xi16>
  vector.store %b, %out[%c8] : memref<12xi16>, vector<4xi16>
  return
}
