// A tile of i8 with eight steps of the depth is multiplied in blocks of four by two tiles, in quarters: 64 products take 64 or 65 cycles where sums
// begin as zeros. Sums that fill less than two banks lie across the boundary of two (`air.across_banks`), so that each has half of them.
// RUN: for f in square flat rows small; do airlite-run --target=npu1 --on=sim --compare=interp --init=random:5 --function=$f %s; done
// RUN: for f in square flat floats; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1; done | FileCheck %s
// CHECK: rounds begin 64 cycles after each other, 2 are under way; slots allow 64
// CHECK: rounds begin 65 cycles after each other, 2 are under way; slots allow 64
// CHECK: rounds begin 64 cycles after each other, 2 are under way; slots allow 64
// RUN: airlite-compile --target=npu1 --function=floats --emit=config -o %t %s && FileCheck %s --check-prefix=BANKS < %t/floats_s.config.txt
// BANKS: buffer buf{{[0-9]*}}: 20480 bytes at 0x{{1800|5800|9800}}
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:5 --function=floats %s
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
#d = affine_map<(m, n, k, r, t, s) -> (m, n, r, t)>
air.channel @square_a [1]
air.channel @square_b [1]
air.channel @square_c [1]
air.channel @flat_a [1]
air.channel @flat_b [1]
air.channel @flat_c [1]
air.channel @rows_a [1]
air.channel @rows_b [1]
air.channel @rows_c [1]
air.channel @small_a [1]
air.channel @small_b [1]
air.channel @small_c [1]
air.channel @floats_a [1]
air.channel @floats_b [1]
air.channel @floats_c [1]

func.func @square(%a: memref<8x16x4x8xi8>, %b: memref<8x8x8x8xi8>, %c: memref<8x16x4x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<8x16x4x8xi8>, memref<8x8x8x8xi8>, memref<8x16x4x8xi32> {
    %0 = air.channel.put async @square_a[] (%la[] [] []) : (memref<8x16x4x8xi8>)
    %1 = air.channel.put async @square_b[] (%lb[] [] []) : (memref<8x8x8x8xi8>)
    %2 = air.channel.get async @square_c[] (%lc[] [] []) : (memref<8x16x4x8xi32>)
    %3 = air.segment @square_s async {
      %one = arith.constant 1 : index
      air.herd @square_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<8x16x4x8xi8, 2>
        %mb = memref.alloc() : memref<8x8x8x8xi8, 2>
        %mc = memref.alloc() : memref<8x16x4x8xi32, 2>
        air.channel.get @square_a[] (%ma[] [] []) : (memref<8x16x4x8xi8, 2>)
        air.channel.get @square_b[] (%mb[] [] []) : (memref<8x8x8x8xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<8x16x4x8xi32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ma, %mb : memref<8x16x4x8xi8, 2>, memref<8x8x8x8xi8, 2>) outs(%mc : memref<8x16x4x8xi32, 2>) {
        ^bb0(%p: i8, %q: i8, %o: i32):
          %e = arith.extsi %p : i8 to i32
          %f = arith.extsi %q : i8 to i32
          %g = arith.muli %e, %f : i32
          %h = arith.addi %o, %g : i32
          linalg.yield %h : i32
        }
        air.channel.put @square_c[] (%mc[] [] []) : (memref<8x16x4x8xi32, 2>)
        memref.dealloc %ma : memref<8x16x4x8xi8, 2>
        memref.dealloc %mb : memref<8x8x8x8xi8, 2>
        memref.dealloc %mc : memref<8x16x4x8xi32, 2>
      }
    }
  }
  return
}

func.func @flat(%a: memref<8x16x4x8xi8>, %b: memref<16x8x8x8xi8>, %c: memref<16x16x4x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<8x16x4x8xi8>, memref<16x8x8x8xi8>, memref<16x16x4x8xi32> {
    %0 = air.channel.put async @flat_a[] (%la[] [] []) : (memref<8x16x4x8xi8>)
    %1 = air.channel.put async @flat_b[] (%lb[] [] []) : (memref<16x8x8x8xi8>)
    %2 = air.channel.get async @flat_c[] (%lc[] [] []) : (memref<16x16x4x8xi32>)
    %3 = air.segment @flat_s async {
      %one = arith.constant 1 : index
      air.herd @flat_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<8x16x4x8xi8, 2>
        %mb = memref.alloc() : memref<16x8x8x8xi8, 2>
        %mc = memref.alloc() : memref<16x16x4x8xi32, 2>
        air.channel.get @flat_a[] (%ma[] [] []) : (memref<8x16x4x8xi8, 2>)
        air.channel.get @flat_b[] (%mb[] [] []) : (memref<16x8x8x8xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<16x16x4x8xi32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ma, %mb : memref<8x16x4x8xi8, 2>, memref<16x8x8x8xi8, 2>) outs(%mc : memref<16x16x4x8xi32, 2>) {
        ^bb0(%p: i8, %q: i8, %o: i32):
          %e = arith.extsi %p : i8 to i32
          %f = arith.extsi %q : i8 to i32
          %g = arith.muli %e, %f : i32
          %h = arith.addi %o, %g : i32
          linalg.yield %h : i32
        }
        air.channel.put @flat_c[] (%mc[] [] []) : (memref<16x16x4x8xi32, 2>)
        memref.dealloc %ma : memref<8x16x4x8xi8, 2>
        memref.dealloc %mb : memref<16x8x8x8xi8, 2>
        memref.dealloc %mc : memref<16x16x4x8xi32, 2>
      }
    }
  }
  return
}

func.func @rows(%a: memref<8x16x4x8xi8>, %b: memref<8x8x8x8xi8>, %c: memref<16x8x4x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<8x16x4x8xi8>, memref<8x8x8x8xi8>, memref<16x8x4x8xi32> {
    %0 = air.channel.put async @rows_a[] (%la[] [] []) : (memref<8x16x4x8xi8>)
    %1 = air.channel.put async @rows_b[] (%lb[] [] []) : (memref<8x8x8x8xi8>)
    %2 = air.channel.get async @rows_c[] (%lc[] [] []) : (memref<16x8x4x8xi32>)
    %3 = air.segment @rows_s async {
      %one = arith.constant 1 : index
      air.herd @rows_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<8x16x4x8xi8, 2>
        %mb = memref.alloc() : memref<8x8x8x8xi8, 2>
        %mc = memref.alloc() : memref<16x8x4x8xi32, 2>
        air.channel.get @rows_a[] (%ma[] [] []) : (memref<8x16x4x8xi8, 2>)
        air.channel.get @rows_b[] (%mb[] [] []) : (memref<8x8x8x8xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<16x8x4x8xi32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #d], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ma, %mb : memref<8x16x4x8xi8, 2>, memref<8x8x8x8xi8, 2>) outs(%mc : memref<16x8x4x8xi32, 2>) {
        ^bb0(%p: i8, %q: i8, %o: i32):
          %e = arith.extsi %p : i8 to i32
          %f = arith.extsi %q : i8 to i32
          %g = arith.muli %e, %f : i32
          %h = arith.addi %o, %g : i32
          linalg.yield %h : i32
        }
        air.channel.put @rows_c[] (%mc[] [] []) : (memref<16x8x4x8xi32, 2>)
        memref.dealloc %ma : memref<8x16x4x8xi8, 2>
        memref.dealloc %mb : memref<8x8x8x8xi8, 2>
        memref.dealloc %mc : memref<16x8x4x8xi32, 2>
      }
    }
  }
  return
}

func.func @small(%a: memref<16x8x4x8xi8>, %b: memref<6x16x8x8xi8>, %c: memref<6x8x4x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<16x8x4x8xi8>, memref<6x16x8x8xi8>, memref<6x8x4x8xi32> {
    %0 = air.channel.put async @small_a[] (%la[] [] []) : (memref<16x8x4x8xi8>)
    %1 = air.channel.put async @small_b[] (%lb[] [] []) : (memref<6x16x8x8xi8>)
    %2 = air.channel.get async @small_c[] (%lc[] [] []) : (memref<6x8x4x8xi32>)
    %3 = air.segment @small_s async {
      %one = arith.constant 1 : index
      air.herd @small_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<16x8x4x8xi8, 2>
        %mb = memref.alloc() : memref<6x16x8x8xi8, 2>
        %mc = memref.alloc() : memref<6x8x4x8xi32, 2>
        air.channel.get @small_a[] (%ma[] [] []) : (memref<16x8x4x8xi8, 2>)
        air.channel.get @small_b[] (%mb[] [] []) : (memref<6x16x8x8xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%mc : memref<6x8x4x8xi32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ma, %mb : memref<16x8x4x8xi8, 2>, memref<6x16x8x8xi8, 2>) outs(%mc : memref<6x8x4x8xi32, 2>) {
        ^bb0(%p: i8, %q: i8, %o: i32):
          %e = arith.extsi %p : i8 to i32
          %f = arith.extsi %q : i8 to i32
          %g = arith.muli %e, %f : i32
          %h = arith.addi %o, %g : i32
          linalg.yield %h : i32
        }
        air.channel.put @small_c[] (%mc[] [] []) : (memref<6x8x4x8xi32, 2>)
        memref.dealloc %ma : memref<16x8x4x8xi8, 2>
        memref.dealloc %mb : memref<6x16x8x8xi8, 2>
        memref.dealloc %mc : memref<6x8x4x8xi32, 2>
      }
    }
  }
  return
}

func.func @floats(%a: memref<4x16x4x8xbf16>, %b: memref<20x4x8x4xbf16>, %c: memref<20x16x4x4xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<4x16x4x8xbf16>, memref<20x4x8x4xbf16>, memref<20x16x4x4xf32> {
    %0 = air.channel.put async @floats_a[] (%la[] [] []) : (memref<4x16x4x8xbf16>)
    %1 = air.channel.put async @floats_b[] (%lb[] [] []) : (memref<20x4x8x4xbf16>)
    %2 = air.channel.get async @floats_c[] (%lc[] [] []) : (memref<20x16x4x4xf32>)
    %3 = air.segment @floats_s async {
      %one = arith.constant 1 : index
      air.herd @floats_h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<4x16x4x8xbf16, 2>
        %mb = memref.alloc() : memref<20x4x8x4xbf16, 2>
        %mc = memref.alloc() : memref<20x16x4x4xf32, 2>
        air.channel.get @floats_a[] (%ma[] [] []) : (memref<4x16x4x8xbf16, 2>)
        air.channel.get @floats_b[] (%mb[] [] []) : (memref<20x4x8x4xbf16, 2>)
        linalg.fill ins(%zero : f32) outs(%mc : memref<20x16x4x4xf32, 2>)
        linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%ma, %mb : memref<4x16x4x8xbf16, 2>, memref<20x4x8x4xbf16, 2>) outs(%mc : memref<20x16x4x4xf32, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: f32):
          %e = arith.extf %p : bf16 to f32
          %f = arith.extf %q : bf16 to f32
          %g = arith.mulf %e, %f : f32
          %h = arith.addf %o, %g : f32
          linalg.yield %h : f32
        }
        air.channel.put @floats_c[] (%mc[] [] []) : (memref<20x16x4x4xf32, 2>)
        memref.dealloc %ma : memref<4x16x4x8xbf16, 2>
        memref.dealloc %mb : memref<20x4x8x4xbf16, 2>
        memref.dealloc %mc : memref<20x16x4x4xf32, 2>
      }
    }
  }
  return
}
