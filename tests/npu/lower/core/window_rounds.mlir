// RUN: airlite-opt %s --air-aie-core-loops='functions=true' --check-each | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-aie-legalize-core{functions=true vectorize=true}' --check-each | FileCheck %s --check-prefix=VECTORS

// A body that sums up rows holds several rounds of the loops over sums: a result is loaded before them and stored after them. Loops
// over sums of which rounds are left come first.
// CHECK-LABEL: func.func @image
// CHECK: scf.for %[[LEFT:.*]] = %c0{{.*}} to %c7{{.*}} step %c1
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c4
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32
// CHECK: memref.load %arg2
// CHECK-COUNT-7: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: memref.store
// CHECK-NOT: memref.{{load|store}}
// CHECK: return
func.func @image(%image: memref<10x40xi32>, %filter: memref<7x7xi32>, %out: memref<4x32xi32>) {
  %part = memref.subview %image[0, 0] [10, 38] [1, 1] : memref<10x40xi32> to memref<10x38xi32, strided<[40, 1]>>
  linalg.conv_2d ins(%part, %filter : memref<10x38xi32, strided<[40, 1]>>, memref<7x7xi32>) outs(%out : memref<4x32xi32>)
  return
}

// Vectors of a window along a row begin at any element. Those whose places are known share the parts of 32 bytes of which they are
// made: four loads for nine vectors. Numbers of the filter are broadcast in the loop, since they are too many for registers.
// VECTORS-LABEL: func.func @row
// VECTORS-NOT: vector.broadcast
// VECTORS: scf.for %{{.*}} = %c0{{.*}} to %c384{{.*}} step %c32
// VECTORS-COUNT-4: vector.load %arg0[{{.*}}] : memref<512xi8>, vector<32xi8>
// VECTORS-NOT: vector.load %arg0
// VECTORS: vector.store
#row = affine_map<(i, k, l) -> (i + k * 32 + l)>
#filter = affine_map<(i, k, l) -> (k, l)>
#sums = affine_map<(i, k, l) -> (i)>
func.func @row(%in: memref<512xi8>, %w: memref<3x3xi8>, %out: memref<384xi32>) {
  %part = memref.subview %in[0] [450] [1] : memref<512xi8> to memref<450xi8, strided<[1]>>
  linalg.generic {indexing_maps = [#row, #filter, #sums], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%part, %w : memref<450xi8, strided<[1]>>, memref<3x3xi8>) outs(%out : memref<384xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }
  return
}

// Sums of floats keep the order of their rounds; where the body is long, fewer are in it.
// CHECK-LABEL: func.func @floats
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c3
// CHECK-COUNT-3: math.fma
// CHECK-NOT: math.fma
// CHECK: return
#pixels = affine_map<(i, c, k, l) -> (i + k, c)>
#taps = affine_map<(i, c, k, l) -> (k, l, c)>
#results = affine_map<(i, c, k, l) -> (i, c)>
func.func @floats(%in: memref<8x32xf32>, %w: memref<3x3x32xf32>, %out: memref<6x32xf32>) {
  linalg.generic {indexing_maps = [#pixels, #taps, #results], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%in, %w : memref<8x32xf32>, memref<3x3x32xf32>) outs(%out : memref<6x32xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %t = math.fma %x, %y, %s {air.bf16_pieces = array<i64: 3, 3>} : f32
    linalg.yield %t : f32
  }
  return
}
