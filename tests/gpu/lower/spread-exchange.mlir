// A factor that another product made: on gfx1100 the halves of a wave have the even and the odd rows of a sum,
// and a factor has all of them in both.
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s
module attributes {airlite.gpu = "gfx1100", airlite.wave_size = 32 : i64} {

// CHECK-LABEL: gpu.func @twice
// CHECK: gpu.matrix_product "wmma_f32_16x16x16_f16"
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: %[[OWN:.*]] = vector.bitcast {{.*}} : vector<8xf16> to vector<4xi32>
// CHECK-COUNT-4: gpu.shuffle xor {{.*}} : i32
// CHECK: %[[OTHER:.*]] = vector.from_elements
// CHECK: %[[LOW:.*]] = arith.cmpi eq
// CHECK: arith.select %[[LOW]], %[[OWN]], %[[OTHER]]
// CHECK: arith.select %[[LOW]], %[[OTHER]], %[[OWN]]
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] : vector<8xf16>, vector<8xf16>
// CHECK: gpu.matrix_product "wmma_f32_16x16x16_f16"
// CHECK: vector.store
// What each column has in common is combined over the rows alone: 8 of a lane, then the other half of the wave.
// CHECK-COUNT-7: arith.maxnumf
// CHECK: gpu.shuffle xor
// CHECK: arith.maxnumf
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
func.func @f(%m: memref<16x16xf16>, %out: memref<16x16xf32>, %most: memref<16xf32>) {
  air.launch @twice () in () args(%a=%m, %b=%out, %c=%most) : memref<16x16xf16>, memref<16x16xf32>, memref<16xf32> {
    %n = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%ha=%a, %hb=%b, %hc=%c) : memref<16x16xf16>, memref<16x16xf32>, memref<16xf32> attributes {airlite.spread} {
      %c0 = arith.constant 0 : index
      %zero = arith.constant dense<0.0> : vector<16x16xf32>
      %least = arith.constant dense<0xFF800000> : vector<16xf32>
      %v = vector.load %ha[%c0, %c0] : memref<16x16xf16>, vector<16x16xf16>
      %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %v, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
      %h = arith.truncf %s : vector<16x16xf32> to vector<16x16xf16>
      %t = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %h, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
      vector.store %t, %hb[%c0, %c0] : memref<16x16xf32>, vector<16x16xf32>
      %g = vector.multi_reduction <maxnumf>, %s, %least [0] : vector<16x16xf32> to vector<16xf32>
      vector.store %g, %hc[%c0] : memref<16xf32>, vector<16xf32>
    }
  }
  return
}
}
