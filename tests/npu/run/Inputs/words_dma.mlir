func.func @main(%a: memref<5x7xi8>, %b: memref<3xbf16>, %d: memref<5x7xi8>, %f: memref<3xbf16>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%la = %a, %lb = %b, %ld = %d, %lf = %f) : memref<5x7xi8>, memref<3xbf16>, memref<5x7xi8>, memref<3xbf16> {
    air.segment @s args(%sa = %la, %sb = %lb, %sd = %ld, %sf = %lf) : memref<5x7xi8>, memref<3xbf16>, memref<5x7xi8>, memref<3xbf16> {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) args(%ha = %sa, %hb = %sb, %hd = %sd, %hf = %sf) : memref<5x7xi8>, memref<3xbf16>, memref<5x7xi8>, memref<3xbf16> {
        %m = memref.alloc() : memref<5x7xi8, 2>
        %v = memref.alloc() : memref<3xbf16, 2>
        air.dma_memcpy_nd (%m[] [] [], %ha[] [] []) {id = 1 : i32} : (memref<5x7xi8, 2>, memref<5x7xi8>)
        air.dma_memcpy_nd (%v[] [] [], %hb[] [] []) {id = 2 : i32} : (memref<3xbf16, 2>, memref<3xbf16>)
        %k = arith.constant 3 : i8
        linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<5x7xi8, 2>) {
        ^bb0(%o: i8):
          %r = arith.muli %o, %k : i8
          linalg.yield %r : i8
        }
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%v : memref<3xbf16, 2>) {
        ^bb0(%o: bf16):
          %r = arith.addf %o, %o : bf16
          linalg.yield %r : bf16
        }
        air.dma_memcpy_nd (%hd[] [] [], %m[] [] []) {id = 4 : i32} : (memref<5x7xi8>, memref<5x7xi8, 2>)
        air.dma_memcpy_nd (%hf[] [] [], %v[] [] []) {id = 6 : i32} : (memref<3xbf16>, memref<3xbf16, 2>)
        memref.dealloc %m : memref<5x7xi8, 2>
        memref.dealloc %v : memref<3xbf16, 2>
      }
    }
  }
  return
}
