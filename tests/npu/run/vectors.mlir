// Vectors in a core of shapes that the vector unit has and has not. scripts/prove_npu.py does it with random programs.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: memref<4x18xf32>, %c: memref<4x18xf32>) {
  %one = arith.constant 1 : index
  air.launch (%lx) in (%ls = %one) args(%la = %a, %lc = %c) : memref<4x18xf32>, memref<4x18xf32> {
    air.segment @segment args(%sa = %la, %sc = %lc) : memref<4x18xf32>, memref<4x18xf32> {
      %single = arith.constant 1 : index
      air.herd @herd tile(%x, %y) in (%nx = %single, %ny = %single) args(%ha = %sa, %hc = %sc) : memref<4x18xf32>, memref<4x18xf32> {
        %a_ = memref.alloc() : memref<4x18xf32, 2 : i32>
        %c_ = memref.alloc() : memref<4x18xf32, 2 : i32>
        air.dma_memcpy_nd (%a_[] [] [], %ha[] [] []) : (memref<4x18xf32, 2 : i32>, memref<4x18xf32>)
        air.dma_memcpy_nd (%c_[] [] [], %hc[] [] []) : (memref<4x18xf32, 2 : i32>, memref<4x18xf32>)
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %pad = arith.constant 1.0 : f32
        %none = arith.constant dense<0.0> : vector<6xf32>
        %sums = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %none) -> (vector<6xf32>) {
          // A row's softmax, sixteen at a time; the last columns are missing.
          %row = vector.transfer_read %a_[%i, %c4], %pad : memref<4x18xf32, 2 : i32>, vector<16xf32>
          %top = vector.reduction <maximumf>, %row : vector<16xf32> into f32
          %tops = vector.broadcast %top : f32 to vector<16xf32>
          %less = arith.subf %row, %tops : vector<16xf32>
          %e = math.exp %less : vector<16xf32>
          %sum = vector.reduction <add>, %e : vector<16xf32> into f32
          %all = vector.broadcast %sum : f32 to vector<16xf32>
          %soft = arith.divf %e, %all : vector<16xf32>
          vector.transfer_write %soft, %c_[%i, %c1] : vector<16xf32>, memref<4x18xf32, 2 : i32>
          %part = vector.extract_strided_slice %soft {offsets = [3], sizes = [6], strides = [1]} : vector<16xf32> to vector<6xf32>
          %next = arith.mulf %part, %part : vector<6xf32>
          %added = arith.addf %acc, %next : vector<6xf32>
          scf.yield %added : vector<6xf32>
        }
        // A product of matrices of 4 x 3 and 3 x 2.
        %l = vector.transfer_read %a_[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x18xf32, 2 : i32>, vector<4x3xf32>
        %r = vector.shape_cast %sums : vector<6xf32> to vector<3x2xf32>
        %zero = arith.constant dense<0.0> : vector<4x2xf32>
        %p = vector.contract {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %l, %r, %zero : vector<4x3xf32>, vector<3x2xf32> into vector<4x2xf32>
        vector.transfer_write %p, %c_[%c0, %c16] {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x18xf32, 2 : i32>
        air.dma_memcpy_nd (%hc[] [] [], %c_[] [] []) : (memref<4x18xf32>, memref<4x18xf32, 2 : i32>)
        memref.dealloc %a_ : memref<4x18xf32, 2 : i32>
        memref.dealloc %c_ : memref<4x18xf32, 2 : i32>
      }
    }
  }
  return
}
