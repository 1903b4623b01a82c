// A tile of 64x128 sums of f32 fills two banks of memory. With four steps of the depth its products are made in blocks of four by four
// tiles, in halves: a round takes the 64 cycles of its 64 products, where sums lie by columns.
// RUN: for f in flat tall long rows; do airlite-run --target=npu1 --on=sim --compare=interp --init=random:5 --function=$f %s; done
// RUN: for f in flat tall; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1; done | FileCheck %s
// CHECK: rounds begin 64 cycles after each other, 2 are under way; slots allow 64
// CHECK: rounds begin 6{{[4-6]}} cycles after each other, 2 are under way; slots allow 64
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
#d = affine_map<(m, n, k, r, t, s) -> (m, n, r, t)>
air.channel @flat_a [1]
air.channel @flat_b [1]
air.channel @flat_c [1]
air.channel @tall_a [1]
air.channel @tall_b [1]
air.channel @tall_c [1]
air.channel @long_a [1]
air.channel @long_b [1]
air.channel @long_c [1]
air.channel @rows_a [1]
air.channel @rows_b [1]
air.channel @rows_c [1]
func.func @flat(%a: memref<4x16x4x8xbf16>, %b: memref<32x4x8x4xbf16>, %c: memref<32x16x4x4xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<4x16x4x8xbf16>, memref<32x4x8x4xbf16>, memref<32x16x4x4xf32> {
    %0 = air.channel.put async @flat_a[] (%la[] [] []) : (memref<4x16x4x8xbf16>)
    %1 = air.channel.put async @flat_b[] (%lb[] [] []) : (memref<32x4x8x4xbf16>)
    %2 = air.channel.get async @flat_c[] (%lc[] [] []) : (memref<32x16x4x4xf32>)
    %3 = air.segment @flat_s async {
      %one = arith.constant 1 : index
      air.herd @flat_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<4x16x4x8xbf16, 2>
        %mb = memref.alloc() : memref<32x4x8x4xbf16, 2>
        %mc = memref.alloc() : memref<32x16x4x4xf32, 2>
        air.channel.get @flat_a[] (%ma[] [] []) : (memref<4x16x4x8xbf16, 2>)
        air.channel.get @flat_b[] (%mb[] [] []) : (memref<32x4x8x4xbf16, 2>)
        linalg.fill ins(%zero : f32) outs(%mc : memref<32x16x4x4xf32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%ma, %mb : memref<4x16x4x8xbf16, 2>, memref<32x4x8x4xbf16, 2>) outs(%mc : memref<32x16x4x4xf32, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: f32):
          %e = arith.extf %p : bf16 to f32
          %f = arith.extf %q : bf16 to f32
          %g = arith.mulf %e, %f : f32
          %h = arith.addf %o, %g : f32
          linalg.yield %h : f32
        }
        air.channel.put @flat_c[] (%mc[] [] []) : (memref<32x16x4x4xf32, 2>)
        memref.dealloc %ma : memref<4x16x4x8xbf16, 2>
        memref.dealloc %mb : memref<32x4x8x4xbf16, 2>
        memref.dealloc %mc : memref<32x16x4x4xf32, 2>
      }
    }
  }
  return
}

func.func @tall(%a: memref<4x32x4x8xbf16>, %b: memref<16x4x8x4xbf16>, %c: memref<16x32x4x4xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<4x32x4x8xbf16>, memref<16x4x8x4xbf16>, memref<16x32x4x4xf32> {
    %0 = air.channel.put async @tall_a[] (%la[] [] []) : (memref<4x32x4x8xbf16>)
    %1 = air.channel.put async @tall_b[] (%lb[] [] []) : (memref<16x4x8x4xbf16>)
    %2 = air.channel.get async @tall_c[] (%lc[] [] []) : (memref<16x32x4x4xf32>)
    %3 = air.segment @tall_s async {
      %one = arith.constant 1 : index
      air.herd @tall_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<4x32x4x8xbf16, 2>
        %mb = memref.alloc() : memref<16x4x8x4xbf16, 2>
        %mc = memref.alloc() : memref<16x32x4x4xf32, 2>
        air.channel.get @tall_a[] (%ma[] [] []) : (memref<4x32x4x8xbf16, 2>)
        air.channel.get @tall_b[] (%mb[] [] []) : (memref<16x4x8x4xbf16, 2>)
        linalg.fill ins(%zero : f32) outs(%mc : memref<16x32x4x4xf32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%ma, %mb : memref<4x32x4x8xbf16, 2>, memref<16x4x8x4xbf16, 2>) outs(%mc : memref<16x32x4x4xf32, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: f32):
          %e = arith.extf %p : bf16 to f32
          %f = arith.extf %q : bf16 to f32
          %g = arith.mulf %e, %f : f32
          %h = arith.addf %o, %g : f32
          linalg.yield %h : f32
        }
        air.channel.put @tall_c[] (%mc[] [] []) : (memref<16x32x4x4xf32, 2>)
        memref.dealloc %ma : memref<4x32x4x8xbf16, 2>
        memref.dealloc %mb : memref<16x4x8x4xbf16, 2>
        memref.dealloc %mc : memref<16x32x4x4xf32, 2>
      }
    }
  }
  return
}

func.func @long(%a: memref<4x8x4x8xbf16>, %b: memref<64x4x8x4xbf16>, %c: memref<64x8x4x4xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<4x8x4x8xbf16>, memref<64x4x8x4xbf16>, memref<64x8x4x4xf32> {
    %0 = air.channel.put async @long_a[] (%la[] [] []) : (memref<4x8x4x8xbf16>)
    %1 = air.channel.put async @long_b[] (%lb[] [] []) : (memref<64x4x8x4xbf16>)
    %2 = air.channel.get async @long_c[] (%lc[] [] []) : (memref<64x8x4x4xf32>)
    %3 = air.segment @long_s async {
      %one = arith.constant 1 : index
      air.herd @long_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<4x8x4x8xbf16, 2>
        %mb = memref.alloc() : memref<64x4x8x4xbf16, 2>
        %mc = memref.alloc() : memref<64x8x4x4xf32, 2>
        air.channel.get @long_a[] (%ma[] [] []) : (memref<4x8x4x8xbf16, 2>)
        air.channel.get @long_b[] (%mb[] [] []) : (memref<64x4x8x4xbf16, 2>)
        linalg.fill ins(%zero : f32) outs(%mc : memref<64x8x4x4xf32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%ma, %mb : memref<4x8x4x8xbf16, 2>, memref<64x4x8x4xbf16, 2>) outs(%mc : memref<64x8x4x4xf32, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: f32):
          %e = arith.extf %p : bf16 to f32
          %f = arith.extf %q : bf16 to f32
          %g = arith.mulf %e, %f : f32
          %h = arith.addf %o, %g : f32
          linalg.yield %h : f32
        }
        air.channel.put @long_c[] (%mc[] [] []) : (memref<64x8x4x4xf32, 2>)
        memref.dealloc %ma : memref<4x8x4x8xbf16, 2>
        memref.dealloc %mb : memref<64x4x8x4xbf16, 2>
        memref.dealloc %mc : memref<64x8x4x4xf32, 2>
      }
    }
  }
  return
}

func.func @rows(%a: memref<4x16x4x8xbf16>, %b: memref<32x4x8x4xbf16>, %c: memref<16x32x4x4xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<4x16x4x8xbf16>, memref<32x4x8x4xbf16>, memref<16x32x4x4xf32> {
    %0 = air.channel.put async @rows_a[] (%la[] [] []) : (memref<4x16x4x8xbf16>)
    %1 = air.channel.put async @rows_b[] (%lb[] [] []) : (memref<32x4x8x4xbf16>)
    %2 = air.channel.get async @rows_c[] (%lc[] [] []) : (memref<16x32x4x4xf32>)
    %3 = air.segment @rows_s async {
      %one = arith.constant 1 : index
      air.herd @rows_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<4x16x4x8xbf16, 2>
        %mb = memref.alloc() : memref<32x4x8x4xbf16, 2>
        %mc = memref.alloc() : memref<16x32x4x4xf32, 2>
        air.channel.get @rows_a[] (%ma[] [] []) : (memref<4x16x4x8xbf16, 2>)
        air.channel.get @rows_b[] (%mb[] [] []) : (memref<32x4x8x4xbf16, 2>)
        linalg.fill ins(%zero : f32) outs(%mc : memref<16x32x4x4xf32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #d], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%ma, %mb : memref<4x16x4x8xbf16, 2>, memref<32x4x8x4xbf16, 2>) outs(%mc : memref<16x32x4x4xf32, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: f32):
          %e = arith.extf %p : bf16 to f32
          %f = arith.extf %q : bf16 to f32
          %g = arith.mulf %e, %f : f32
          %h = arith.addf %o, %g : f32
          linalg.yield %h : f32
        }
        air.channel.put @rows_c[] (%mc[] [] []) : (memref<16x32x4x4xf32, 2>)
        memref.dealloc %ma : memref<4x16x4x8xbf16, 2>
        memref.dealloc %mb : memref<32x4x8x4xbf16, 2>
        memref.dealloc %mc : memref<16x32x4x4xf32, 2>
      }
    }
  }
  return
}
