// RUN: airlite-opt %s --air-aie-unaligned-vectors --check-each | FileCheck %s
// RUN: airlite-opt %s --air-aie-unaligned-vectors='functions=true' --emit=none --remarks

// A load takes 64 bytes that begin at a multiple of 32 and turns them; what the index has of whole vectors stays out of that.
// CHECK-LABEL: aie.core
// CHECK: scf.for
// CHECK: scf.for %[[AT:.*]] =
// CHECK: %[[FLOOR:.*]] = arith.andi
// CHECK: %[[FIRST:.*]] = arith.addi %[[FLOOR]], %[[AT]]
// CHECK: %[[AROUND:.*]] = vector.load %{{.*}}[%[[FIRST]]] : memref<192xi8>, vector<64xi8>
// CHECK: %[[TURNED:.*]] = aievec.shift %[[AROUND]], %[[AROUND]], %{{.*}}
// CHECK: vector.extract_strided_slice %[[TURNED]] {offsets = [0], sizes = [32], strides = [1]}
// CHECK: vector.store
// A store turns them, puts its bytes in front, turns them back and stores all of them.
// CHECK: %[[OLD:.*]] = vector.load %{{.*}} : memref<192xi8>, vector<64xi8>
// CHECK: %[[FRONT:.*]] = aievec.shift %[[OLD]], %[[OLD]], %[[BYTES:.*]] :
// CHECK: %[[REST:.*]] = vector.extract_strided_slice %[[FRONT]] {offsets = [32]
// CHECK: arith.subi %c64{{.*}}, %[[BYTES]]
// CHECK: %[[JOINED:.*]] = vector.shuffle %{{.*}}, %[[REST]] [0, 1, 2
// CHECK: %[[PUT:.*]] = aievec.shift %[[JOINED]], %[[JOINED]]
// CHECK: vector.store %[[PUT]], %{{.*}} : memref<192xi8>, vector<64xi8>
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %in = aie.buffer(%tile) {sym_name = "in"} : memref<192xi8>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<192xi8>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c13 = arith.constant 13 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %row = %c0 to %c3 step %c1 {
      %start = arith.muli %row, %c13 : index
      scf.for %at = %c0 to %c64 step %c32 {
        %place = arith.addi %start, %at : index
        %v = vector.load %in[%place] : memref<192xi8>, vector<32xi8>
        vector.store %v, %out[%at] : memref<192xi8>, vector<32xi8>
        vector.store %v, %out[%place] : memref<192xi8>, vector<32xi8>
      }
    }
    aie.end
  }
}
