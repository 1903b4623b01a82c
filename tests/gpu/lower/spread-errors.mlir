// What vectors of waves cannot do is said at the op.
// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-gpu

module attributes {airlite.wave_size = 64 : i64} {
func.func @device(%c: memref<16x16xf32>) {
  %n = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hc=%c) : memref<16x16xf32> attributes {airlite.spread} {
    %z = arith.constant 0 : index
    %a = vector.load %hc[%z, %z] : memref<16x16xf32>, vector<16x16xf32>
    // expected-error@+1 {{needs the module attribute 'airlite.gpu' to name a device with matrix instructions}}
    %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %a : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    vector.store %d, %hc[%z, %z] : memref<16x16xf32>, vector<16x16xf32>
  }
  return
}
}

// -----

module attributes {airlite.gpu = "gfx942", airlite.wave_size = 64 : i64} {
func.func @shape(%c: memref<8x8xf32>) {
  %n = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hc=%c) : memref<8x8xf32> attributes {airlite.spread} {
    %z = arith.constant 0 : index
    %a = vector.load %hc[%z, %z] : memref<8x8xf32>, vector<8x8xf32>
    // expected-error@+1 {{not supported: gfx942 with waves of 64 has no matrix instruction for 8x8x8 of 'f32' with sums of 'f32'}}
    %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %a : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    vector.store %d, %hc[%z, %z] : memref<8x8xf32>, vector<8x8xf32>
  }
  return
}
}

// -----

// A sum of products lies in other lanes than factors do.
module attributes {airlite.gpu = "gfx942", airlite.wave_size = 64 : i64} {
func.func @lanes(%c: memref<16x16xf32>) {
  %n = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hc=%c) : memref<16x16xf32> attributes {airlite.spread} {
    %z = arith.constant 0 : index
    // expected-error@+1 {{not supported: a vector of type 'vector<16x16xf32>' that its users need in different lanes}}
    %a = vector.load %hc[%z, %z] : memref<16x16xf32>, vector<16x16xf32>
    %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %a : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    vector.store %d, %hc[%z, %z] : memref<16x16xf32>, vector<16x16xf32>
  }
  return
}
}

// -----

module attributes {airlite.wave_size = 64 : i64} {
func.func @parts(%c: memref<100xf32>) {
  %n = arith.constant 1 : index
  // expected-error@+1 {{not supported: vectors of type 'vector<100xf32>' spread over 64 lanes, which do not have equal parts of it}}
  air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hc=%c) : memref<100xf32> attributes {airlite.spread} {
    %z = arith.constant 0 : index
    %v = vector.load %hc[%z] : memref<100xf32>, vector<100xf32>
    vector.store %v, %hc[%z] : memref<100xf32>, vector<100xf32>
  }
  return
}
}

// -----

module attributes {airlite.wave_size = 64 : i64} {
func.func @reduction(%c: memref<64xi48>, %o: memref<64xi48>) {
  %n = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hc=%c, %ho=%o) : memref<64xi48>, memref<64xi48> attributes {airlite.spread} {
    %z = arith.constant 0 : index
    %v = vector.load %hc[%z] : memref<64xi48>, vector<64xi48>
    // expected-error@+1 {{not supported: this reduction in a herd whose vectors are spread over lanes}}
    %s = vector.reduction <add>, %v : vector<64xi48> into i48
    %b = vector.broadcast %s : i48 to vector<64xi48>
    vector.store %b, %ho[%z] : memref<64xi48>, vector<64xi48>
  }
  return
}
}

// -----

// Nothing in such a herd tells lanes apart.
module attributes {airlite.wave_size = 64 : i64} {
func.func @lane(%c: memref<64xf32>) {
  %n = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hc=%c) : memref<64xf32> attributes {airlite.spread} {
    // expected-error@+1 {{not supported in a herd whose vectors are spread over lanes (airlite.spread)}}
    %l = gpu.lane_id
    %v = vector.load %hc[%l] : memref<64xf32>, vector<64xf32>
    vector.store %v, %hc[%l] : memref<64xf32>, vector<64xf32>
  }
  return
}
}

// -----

module attributes {airlite.wave_size = 64 : i64} {
func.func @outside(%c: memref<64xf32>) {
  air.launch () in () args(%a=%c) : memref<64xf32> {
    air.segment args(%s=%a) : memref<64xf32> {
      %n = arith.constant 1 : index
      %z = arith.constant 0 : index
      %v = vector.load %s[%z] : memref<64xf32>, vector<64xf32>
      air.herd tile (%x, %y) in (%nx=%n, %ny=%n) args(%hv=%v, %hc=%s) : vector<64xf32>, memref<64xf32> attributes {airlite.spread} {
        %hz = arith.constant 0 : index
        // expected-error@+1 {{not supported in a herd whose vectors are spread over lanes (airlite.spread)}}
        vector.store %hv, %hc[%hz] : memref<64xf32>, vector<64xf32>
      }
    }
  }
  return
}
}
