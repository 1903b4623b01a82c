// Every vector op, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: #map = affine_map<(d0, d1) -> (d0)>
#map = affine_map<(d0, d1) -> (d0)>
// CHECK: #map1 = affine_map<(d0, d1) -> (0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
// CHECK: #map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK: #map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @v
func.func @v(%arg0: memref<8x16xf32>, %arg1: index, %arg2: vector<8xf32>, %arg3: vector<4x8xf32>, %arg4: f32, %arg5: vector<8xi1>, %arg6: vector<8xi32>, %arg7: vector<8xf32>, %arg8: memref<16xf32>, %arg9: tensor<8x16xf32>, %arg10: memref<4xvector<8xf32>>, %arg11: vector<1xf32>, %arg12: vector<f32>, %arg13: vector<8xindex>) {
  // CHECK: %0 = vector.load %arg0[%arg1, %arg1] : memref<8x16xf32>, vector<8xf32>
  %0 = vector.load %arg0[%arg1, %arg1] : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %1 = vector.load %arg0[%arg1, %arg1] {nontemporal = true} : memref<8x16xf32>, vector<8xf32>
  %1 = vector.load %arg0[%arg1, %arg1] {nontemporal = true} : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: vector.store %0, %arg0[%arg1, %arg1] : memref<8x16xf32>, vector<8xf32>
  vector.store %0, %arg0[%arg1, %arg1] : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: vector.store %0, %arg0[%arg1, %arg1] {nontemporal = true} : memref<8x16xf32>, vector<8xf32>
  vector.store %0, %arg0[%arg1, %arg1] {nontemporal = true} : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %2 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 : memref<8x16xf32>, vector<8xf32>
  %2 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %3 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {in_bounds = [true]} : memref<8x16xf32>, vector<8xf32>
  %3 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {in_bounds = [true]} : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %4 = vector.transfer_read %arg0[%arg1, %arg1], %arg4, %arg5 : memref<8x16xf32>, vector<8xf32>
  %4 = vector.transfer_read %arg0[%arg1, %arg1], %arg4, %arg5 : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %5 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {permutation_map = #map} : memref<8x16xf32>, vector<8xf32>
  %5 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {permutation_map = #map} : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %6 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {in_bounds = [true, false], permutation_map = #map1} : memref<8x16xf32>, vector<4x8xf32>
  %6 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {in_bounds = [true, false], permutation_map = #map1} : memref<8x16xf32>, vector<4x8xf32>
  // CHECK-NEXT: %7 = vector.transfer_read %arg9[%arg1, %arg1], %arg4 : tensor<8x16xf32>, vector<8xf32>
  %7 = vector.transfer_read %arg9[%arg1, %arg1], %arg4 : tensor<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: %8 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {in_bounds = [true]} : memref<8x16xf32>, vector<8xf32>
  %8 = vector.transfer_read %arg0[%arg1, %arg1], %arg4 {in_bounds = [true]} : memref<8x16xf32>, vector<8xf32>
  // CHECK-NEXT: vector.transfer_write %0, %arg0[%arg1, %arg1] {in_bounds = [true]} : vector<8xf32>, memref<8x16xf32>
  vector.transfer_write %0, %arg0[%arg1, %arg1] {in_bounds = [true]} : vector<8xf32>, memref<8x16xf32>
  // CHECK-NEXT: vector.transfer_write %0, %arg0[%arg1, %arg1], %arg5 : vector<8xf32>, memref<8x16xf32>
  vector.transfer_write %0, %arg0[%arg1, %arg1], %arg5 : vector<8xf32>, memref<8x16xf32>
  // CHECK-NEXT: %9 = vector.transfer_write %0, %arg9[%arg1, %arg1] : vector<8xf32>, tensor<8x16xf32>
  %9 = vector.transfer_write %0, %arg9[%arg1, %arg1] : vector<8xf32>, tensor<8x16xf32>
  // CHECK-NEXT: %10 = vector.broadcast %arg4 : f32 to vector<4x8xf32>
  %10 = vector.broadcast %arg4 : f32 to vector<4x8xf32>
  // CHECK-NEXT: %11 = vector.extract %arg3[0] : vector<8xf32> from vector<4x8xf32>
  %11 = vector.extract %arg3[0] : vector<8xf32> from vector<4x8xf32>
  // CHECK-NEXT: %12 = vector.extract %arg3[0, 1] : f32 from vector<4x8xf32>
  %12 = vector.extract %arg3[0, 1] : f32 from vector<4x8xf32>
  // CHECK-NEXT: %13 = vector.extract %arg3[%arg1, 1] : f32 from vector<4x8xf32>
  %13 = vector.extract %arg3[%arg1, 1] : f32 from vector<4x8xf32>
  // CHECK-NEXT: %14 = vector.extract %arg3[] : vector<4x8xf32> from vector<4x8xf32>
  %14 = vector.extract %arg3[] : vector<4x8xf32> from vector<4x8xf32>
  // CHECK-NEXT: %15 = vector.insert %arg2, %arg3 [1] : vector<8xf32> into vector<4x8xf32>
  %15 = vector.insert %arg2, %arg3 [1] : vector<8xf32> into vector<4x8xf32>
  // CHECK-NEXT: %16 = vector.insert %arg4, %arg3 [1, %arg1] : f32 into vector<4x8xf32>
  %16 = vector.insert %arg4, %arg3 [1, %arg1] : f32 into vector<4x8xf32>
  // CHECK-NEXT: %17 = vector.extractelement %arg2[%arg1 : index] : vector<8xf32>
  %17 = vector.extractelement %arg2[%arg1 : index] : vector<8xf32>
  // CHECK-NEXT: %18 = vector.extractelement %arg12[] : vector<f32>
  %18 = vector.extractelement %arg12[] : vector<f32>
  // CHECK-NEXT: %19 = vector.insertelement %arg4, %arg2[%arg1 : index] : vector<8xf32>
  %19 = vector.insertelement %arg4, %arg2[%arg1 : index] : vector<8xf32>
  // CHECK-NEXT: %20 = vector.extract_strided_slice %arg3 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %20 = vector.extract_strided_slice %arg3 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  // CHECK-NEXT: %21 = vector.insert_strided_slice %20, %arg3 {offsets = [0, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  %21 = vector.insert_strided_slice %20, %arg3 {offsets = [0, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  // CHECK-NEXT: %22 = vector.fma %arg2, %arg2, %arg2 : vector<8xf32>
  %22 = vector.fma %arg2, %arg2, %arg2 : vector<8xf32>
  // CHECK-NEXT: %23 = vector.extract_strided_slice %arg3 {offsets = [0, 0], sizes = [4, 4], strides = [1, 1]} : vector<4x8xf32> to vector<4x4xf32>
  %23 = vector.extract_strided_slice %arg3 {offsets = [0, 0], sizes = [4, 4], strides = [1, 1]} : vector<4x8xf32> to vector<4x4xf32>
  // CHECK-NEXT: %24 = vector.contract {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %23, %arg3, %arg3 : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  %24 = vector.contract {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %23, %arg3, %arg3 : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  // CHECK-NEXT: %25 = vector.contract {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %23, %arg3, %arg3 {foo = 1 : i32} : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  %25 = vector.contract {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %23, %arg3, %arg3 {foo = 1 : i32} : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  // CHECK-NEXT: %26 = vector.outerproduct %arg7, %arg2 : vector<8xf32>, vector<8xf32>
  %26 = vector.outerproduct %arg7, %arg2 : vector<8xf32>, vector<8xf32>
  // CHECK-NEXT: %27 = vector.broadcast %arg4 : f32 to vector<8x8xf32>
  %27 = vector.broadcast %arg4 : f32 to vector<8x8xf32>
  // CHECK-NEXT: %28 = vector.outerproduct %arg7, %arg2, %27 {kind = #vector.kind<maxnumf>} : vector<8xf32>, vector<8xf32>
  %28 = vector.outerproduct %arg7, %arg2, %27 {kind = #vector.kind<maxnumf>} : vector<8xf32>, vector<8xf32>
  // CHECK-NEXT: %29 = vector.outerproduct %arg7, %arg4 : vector<8xf32>, f32
  %29 = vector.outerproduct %arg7, %arg4 : vector<8xf32>, f32
  // CHECK-NEXT: %30 = vector.reduction <add>, %arg2 : vector<8xf32> into f32
  %30 = vector.reduction <add>, %arg2 : vector<8xf32> into f32
  // CHECK-NEXT: %31 = vector.reduction <add>, %arg2, %arg4 : vector<8xf32> into f32
  %31 = vector.reduction <add>, %arg2, %arg4 : vector<8xf32> into f32
  // CHECK-NEXT: %32 = vector.reduction <maximumf>, %arg2 fastmath<nnan> : vector<8xf32> into f32
  %32 = vector.reduction <maximumf>, %arg2 fastmath<nnan> : vector<8xf32> into f32
  // CHECK-NEXT: %33 = vector.multi_reduction <add>, %arg3, %arg2 [0] : vector<4x8xf32> to vector<8xf32>
  %33 = vector.multi_reduction <add>, %arg3, %arg2 [0] : vector<4x8xf32> to vector<8xf32>
  // CHECK-NEXT: %34 = vector.multi_reduction <add>, %arg3, %arg4 [0, 1] : vector<4x8xf32> to f32
  %34 = vector.multi_reduction <add>, %arg3, %arg4 [0, 1] : vector<4x8xf32> to f32
  // CHECK-NEXT: %35 = vector.shape_cast %arg3 : vector<4x8xf32> to vector<32xf32>
  %35 = vector.shape_cast %arg3 : vector<4x8xf32> to vector<32xf32>
  // CHECK-NEXT: %36 = vector.bitcast %arg2 : vector<8xf32> to vector<8xi32>
  %36 = vector.bitcast %arg2 : vector<8xf32> to vector<8xi32>
  // CHECK-NEXT: %37 = vector.bitcast %arg2 : vector<8xf32> to vector<16xi16>
  %37 = vector.bitcast %arg2 : vector<8xf32> to vector<16xi16>
  // CHECK-NEXT: %38 = vector.transpose %arg3, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %38 = vector.transpose %arg3, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  // CHECK-NEXT: %39 = vector.shuffle %arg2, %arg2 [0, 1, 8, 9] : vector<8xf32>, vector<8xf32>
  %39 = vector.shuffle %arg2, %arg2 [0, 1, 8, 9] : vector<8xf32>, vector<8xf32>
  // CHECK-NEXT: %40 = vector.splat %arg4 : vector<8xf32>
  %40 = vector.splat %arg4 : vector<8xf32>
  // CHECK-NEXT: %41 = vector.constant_mask [4] : vector<8xi1>
  %41 = vector.constant_mask [4] : vector<8xi1>
  // CHECK-NEXT: %42 = vector.create_mask %arg1 : vector<8xi1>
  %42 = vector.create_mask %arg1 : vector<8xi1>
  // CHECK-NEXT: %43 = vector.create_mask %arg1, %arg1 : vector<4x8xi1>
  %43 = vector.create_mask %arg1, %arg1 : vector<4x8xi1>
  // CHECK-NEXT: %44 = vector.maskedload %arg8[%arg1], %arg5, %arg7 : memref<16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %44 = vector.maskedload %arg8[%arg1], %arg5, %arg7 : memref<16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  // CHECK-NEXT: vector.maskedstore %arg8[%arg1], %arg5, %arg2 : memref<16xf32>, vector<8xi1>, vector<8xf32>
  vector.maskedstore %arg8[%arg1], %arg5, %arg2 : memref<16xf32>, vector<8xi1>, vector<8xf32>
  // CHECK-NEXT: %45 = vector.gather %arg8[%arg1] [%arg6], %arg5, %arg7 : memref<16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %45 = vector.gather %arg8[%arg1] [%arg6], %arg5, %arg7 : memref<16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  // CHECK-NEXT: vector.scatter %arg8[%arg1] [%arg6], %arg5, %arg2 : memref<16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  vector.scatter %arg8[%arg1] [%arg6], %arg5, %arg2 : memref<16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  // CHECK-NEXT: %46 = vector.expandload %arg8[%arg1], %arg5, %arg7 : memref<16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %46 = vector.expandload %arg8[%arg1], %arg5, %arg7 : memref<16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  // CHECK-NEXT: vector.compressstore %arg8[%arg1], %arg5, %arg2 : memref<16xf32>, vector<8xi1>, vector<8xf32>
  vector.compressstore %arg8[%arg1], %arg5, %arg2 : memref<16xf32>, vector<8xi1>, vector<8xf32>
  // CHECK-NEXT: vector.print %arg2 : vector<8xf32>
  vector.print %arg2 : vector<8xf32>
  // CHECK-NEXT: vector.print %arg4 : f32 punctuation <comma>
  vector.print %arg4 : f32 punctuation <comma>
  // CHECK-NEXT: vector.print str "hello"
  vector.print str "hello"
  // CHECK-NEXT: vector.print punctuation <newline>
  vector.print punctuation <newline>
  // CHECK-NEXT: %47 = vector.interleave %arg2, %arg2 : vector<8xf32> -> vector<16xf32>
  %47 = vector.interleave %arg2, %arg2 : vector<8xf32> -> vector<16xf32>
  // CHECK-NEXT: %res1, %res2 = vector.deinterleave %47 : vector<16xf32> -> vector<8xf32>
  %res1, %res2 = vector.deinterleave %47 : vector<16xf32> -> vector<8xf32>
  // CHECK-NEXT: %48 = vector.step : vector<8xindex>
  %48 = vector.step : vector<8xindex>
  // CHECK-NEXT: %49 = vector.from_elements %arg4, %arg4 : vector<2xf32>
  %49 = vector.from_elements %arg4, %arg4 : vector<2xf32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}
