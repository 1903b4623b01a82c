// Vectors of a herd with airlite.spread are those of a wave: each lane gets its part.
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s
module attributes {airlite.gpu = "gfx942", airlite.wave_size = 64 : i64} {

// Rows: 16 bytes of each lane, the guarded tail asks for its bounds.
// CHECK-LABEL: gpu.func @rows
// CHECK: %[[ITEM:.*]] = gpu.thread_id  x
// CHECK: %[[AT:.*]] = arith.muli %[[ITEM]], %c4{{.*}} : index
// CHECK: vector.load %{{.*}}[{{.*}}] : memref<256xf32>, vector<4xf32>
// CHECK: arith.negf {{.*}} : vector<4xf32>
// CHECK: vector.transfer_write {{.*}} : vector<4xf32>, memref<200xf32>
func.func @f(%m: memref<256xf32>, %out: memref<200xf32>) {
  %c1 = arith.constant 1 : index
  air.launch @rows () in () args(%a=%m, %b=%out) : memref<256xf32>, memref<200xf32> {
    %n = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%ha=%a, %hb=%b) : memref<256xf32>, memref<200xf32> attributes {airlite.spread} {
      %c0 = arith.constant 0 : index
      %v = vector.load %ha[%c0] : memref<256xf32>, vector<256xf32>
      %w = arith.negf %v : vector<256xf32>
      vector.transfer_write %w, %hb[%c0] : vector<256xf32>, memref<200xf32>
    }
  }
  return
}

// Fewer elements than lanes: several lanes have the same one, and the first of them writes.
// CHECK-LABEL: gpu.func @short
// CHECK: %[[ELEMENT:.*]] = arith.remui %thread_id_x, %c16
// CHECK: %[[OTHERS:.*]] = arith.andi %thread_id_x, %c48
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[OTHERS]], %{{.*}}
// CHECK: scf.if %[[FIRST]]
// CHECK: vector.store %{{.*}}, %{{.*}}[%[[ELEMENT]]] : memref<16xf32>, vector<1xf32>
func.func @s(%out: memref<16xf32>) {
  air.launch @short () in () args(%b=%out) : memref<16xf32> {
    %n = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hb=%b) : memref<16xf32> attributes {airlite.spread} {
      %c0 = arith.constant 0 : index
      %v = arith.constant dense<2.0> : vector<16xf32>
      vector.store %v, %hb[%c0] : memref<16xf32>, vector<16xf32>
    }
  }
  return
}

// A product of 16x16x32 is two instructions. A lane has 8 elements of k, 16 bytes of LDS.
// CHECK-LABEL: gpu.func @product
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<16x40xf16, 3>, vector<8xf16>
// CHECK: scf.for {{.*}} -> (vector<4xf32>)
// CHECK: gpu.matrix_product "mfma_f32_16x16x16_f16" {{.*}} : vector<4xf16>, vector<4xf16>, vector<4xf32>
// CHECK: gpu.matrix_product "mfma_f32_16x16x16_f16"
// CHECK: scf.yield
// CHECK: vector.store {{.*}} : memref<16x16xf32>, vector<4xf32>
func.func @g(%c: memref<16x16xf32>) {
  air.launch @product () in () args(%lc=%c) : memref<16x16xf32> {
    air.segment args(%sc=%lc) : memref<16x16xf32> {
      %n = arith.constant 1 : index
      %tile = memref.alloc() : memref<16x40xf16, 1>
      air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%t=%tile, %hc=%sc) : memref<16x40xf16, 1>, memref<16x16xf32> attributes {airlite.spread} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant dense<0.0> : vector<16x16xf32>
        %a = vector.load %t[%c0, %c0] : memref<16x40xf16, 1>, vector<16x32xf16>
        %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
          %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %acc : vector<16x32xf16>, vector<16x32xf16> into vector<16x16xf32>
          scf.yield %d : vector<16x16xf32>
        }
        %st = vector.transpose %s, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
        vector.store %st, %hc[%c0, %c0] : memref<16x16xf32>, vector<16x16xf32>
      }
    }
  }
  return
}

// A reduction: the lane's own numbers, then those of lanes 1, 2, 4 ... away. Where four lanes have the same,
// the one at the mirrored place of eight has what the one 4 away has.
// CHECK-LABEL: gpu.func @sum
// CHECK-COUNT-4: vector.extract
// CHECK: %[[LOW:.*]] = arith.addf
// CHECK: %[[HIGH:.*]] = arith.addf
// CHECK: %[[OWN:.*]] = arith.addf %[[LOW]], %[[HIGH]] : f32
// CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[OWN]], %c1_{{.*}}, %c64{{.*}} : f32
// CHECK: arith.addf %[[OWN]], %[[OTHER]] : f32
// CHECK: gpu.shuffle xor %{{.*}}, %c2
// CHECK: gpu.shuffle xor %{{.*}}, %c7
// CHECK: gpu.shuffle xor %{{.*}}, %c15
// CHECK: gpu.shuffle xor %{{.*}}, %c16
// CHECK: gpu.shuffle xor %{{.*}}, %c32
// CHECK: vector.broadcast %{{.*}} : f32 to vector<4xf32>
func.func @h(%m: memref<256xf32>) {
  air.launch @sum () in () args(%a=%m) : memref<256xf32> {
    %n = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%ha=%a) : memref<256xf32> attributes {airlite.spread} {
      %c0 = arith.constant 0 : index
      %v = vector.load %ha[%c0] : memref<256xf32>, vector<256xf32>
      %s = vector.reduction <add>, %v : vector<256xf32> into f32
      %b = vector.broadcast %s : f32 to vector<256xf32>
      vector.store %b, %ha[%c0] : memref<256xf32>, vector<256xf32>
    }
  }
  return
}

// Two rows of 32 lanes: each has its own greatest number, which the first lane of a row writes. Lanes know
// the places of their elements.
// CHECK-LABEL: gpu.func @greatest
// CHECK: gpu.shuffle xor %{{.*}}, %c16
// CHECK-NOT: gpu.shuffle
// CHECK: %[[ALL:.*]] = vector.from_elements %{{.*}} : vector<1xf32>
// CHECK: arith.maxnumf %[[ALL]], %{{.*}} : vector<1xf32>
// CHECK: vector.shuffle {{.*}} [0, 0, 0, 0] : vector<1xf32>, vector<1xf32>
// CHECK: vector.from_elements {{.*}} : vector<4xindex>
// CHECK: arith.select {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: arith.andi {{.*}} : index
// CHECK: scf.if
// CHECK-NEXT: vector.store {{.*}} : memref<2xf32>, vector<1xf32>
// CHECK: scf.if
// CHECK-NEXT: memref.store
func.func @k(%m: memref<2x128xf32>, %o: memref<2xf32>) {
  air.launch @greatest () in () args(%a=%m, %b=%o) : memref<2x128xf32>, memref<2xf32> {
    %n = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%ha=%a, %hb=%b) : memref<2x128xf32>, memref<2xf32> attributes {airlite.spread} {
      %c0 = arith.constant 0 : index
      %least = arith.constant dense<0xFF800000> : vector<2xf32>
      %end = arith.constant dense<100> : vector<128xindex>
      %v = vector.load %ha[%c0, %c0] : memref<2x128xf32>, vector<2x128xf32>
      %s = vector.multi_reduction <maxnumf>, %v, %least [1] : vector<2x128xf32> to vector<2xf32>
      %b = vector.broadcast %s : vector<2xf32> to vector<128x2xf32>
      %bt = vector.transpose %b, [1, 0] : vector<128x2xf32> to vector<2x128xf32>
      %i = vector.step : vector<128xindex>
      %in = arith.cmpi ult, %i, %end : vector<128xindex>
      %ins = vector.broadcast %in : vector<128xi1> to vector<2x128xi1>
      %w = arith.select %ins, %bt, %v : vector<2x128xi1>, vector<2x128xf32>
      vector.store %w, %ha[%c0, %c0] : memref<2x128xf32>, vector<2x128xf32>
      vector.store %s, %hb[%c0] : memref<2xf32>, vector<2xf32>
      %e = memref.load %ha[%c0, %c0] : memref<2x128xf32>
      memref.store %e, %hb[%c0] : memref<2xf32>
    }
  }
  return
}
}
